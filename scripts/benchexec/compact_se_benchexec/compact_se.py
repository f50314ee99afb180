"""Tool-info module: how BenchExec calls compact-se and reads its answers."""

import benchexec.result as result
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task
from benchexec.tools.template import BaseTool2


FALSE = {
    "false(unreach-call)": result.RESULT_FALSE_REACH,
    "false(no-overflow)": result.RESULT_FALSE_OVERFLOW,
    "false(valid-deref)": result.RESULT_FALSE_DEREF,
    "false(valid-free)": result.RESULT_FALSE_FREE,
}


class Tool(BaseTool2):
    """compact-se: symbolic execution that folds loops into closed forms.

    Decides unreach-call. The first line of its output is the answer:
    true, false(...) with the property that is violated, or unknown (reason).
    """

    def executable(self, tool_locator):
        return tool_locator.find_executable("compact-se", subdir="target/release")

    def name(self):
        return "compact-se"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="compact-se")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "svcomp"]
        if task.property_file:
            command += ["--property", task.property_file]
        data_model = get_data_model_from_task(
            task, {"ILP32": "ILP32", "LP64": "LP64"}
        )
        if data_model and "--data-model" not in options:
            command += ["--data-model", data_model]
        # compact-se stops by itself a little before it would be killed, so that it can say why it
        # does not know.
        if rlimits.cputime and "--timeout" not in options:
            command += ["--timeout", str(max(1, int(rlimits.cputime * 0.95) - 2))]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", str(max(64, int(rlimits.memory * 0.9) >> 20))]
        # The files themselves, not the task definition: options of the task are told above.
        return command + list(options) + list(task.input_files_or_identifier)

    def determine_result(self, run):
        for line in run.output:
            line = line.strip()
            if line == "true":
                return result.RESULT_TRUE_PROP
            if line in FALSE:
                return FALSE[line]
            if line.startswith("unknown (") and line.endswith(")"):
                return result.RESULT_UNKNOWN
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        """For columns: `reason` is why the answer is unknown, or the error's message."""
        if identifier != "reason":
            return None
        for line in output:
            line = line.strip()
            if line.startswith("unknown (") and line.endswith(")"):
                return line[len("unknown (") : -1]
            if line.startswith("error: "):
                return line[len("error: ") :]
        return None
