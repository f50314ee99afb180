"""What the tool-info module makes of real answers: test_compact_se.py EXECUTABLE TASKS."""

import subprocess
import sys

from benchexec import model, util
from benchexec.tools.template import BaseTool2
from compact_se_benchexec.compact_se import Tool

executable, tasks = sys.argv[1:]
tool = Tool()
limits = BaseTool2.ResourceLimits(cputime=60, memory=2_000_000_000)


def run(options, name, prop, data_model):
    """The status, and the reason, that BenchExec shows for a task."""
    task_options = {"language": "C", "data_model": data_model} if data_model else None
    command = model.cmdline_for_run(
        tool,
        executable,
        options,
        [f"{tasks}/{name}"],
        None,
        f"{tasks}/{prop}",
        task_options,
        limits,
    )
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    output = BaseTool2.RunOutput(done.stdout.splitlines(keepends=True))
    code = util.ProcessExitCode.create(value=done.returncode)
    finished = BaseTool2.Run(command, code, output, None)
    return tool.determine_result(finished), tool.get_value_from_output(output, "reason")


def check(expected, *arguments):
    found = run(*arguments)
    assert found == expected, f"{arguments}: {found} instead of {expected}"


check(("true", None), [], "stride.c", "unreach-call.prp", None)
check(("false(unreach-call)", None), [], "long.c", "unreach-call.prp", "ILP32")
check(("true", None), [], "long.c", "unreach-call.prp", "LP64")
check(
    ("unknown", "out of time (--timeout)"),
    ["--classic", "--timeout", "1"],
    "stride.c",
    "unreach-call.prp",
    None,
)
status, reason = run([], "stride.c", "no-data-race.prp", None)
assert status == "ERROR" and "no-data-race is not supported" in reason, (status, reason)
