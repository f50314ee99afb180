#!/usr/bin/env python3
"""Do limits of time and memory hold? The programs of benches/limits, beside other processes.

    scripts/limits.py [--timeout S] [--memory MB] [--load N] [--tool PATH] [PROGRAM...]

Each program is analysed with and without templates, within S seconds (default 10) and MB megabytes
(default 1000), while N busy processes a core (default 4) run beside it; then once more with a
SIGTERM after half of the time ("before" where it was over then). Prints a Markdown table of what the process took as the system
measured it, from its start to its end, and the worst overshoot. Fails where a run takes two seconds
more than its time or a fifth more than its memory, where it ends otherwise than with a verdict, or
leaves no record. `results/limits.md` has the figures. It needs `cargo build --release`.
"""

import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TECHNIQUES = {"default": [], "classic": ["--classic", "--no-subsumption"]}
VERDICTS = {0: "unreachable", 1: "reachable", 3: "unknown"}
MOST_SECONDS_OVER = 2.0
MOST_MEMORY_OVER = 0.2


def measured(tool, arguments, record, most, signalled_after=None):
    """Runs the tool; gives exit code, seconds (from the signal on if one is sent) and megabytes."""
    started = time.monotonic()
    process = subprocess.Popen(
        [tool, "analyze", *arguments, "--json", record],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    timers = [threading.Timer(most, process.kill)]
    if signalled_after is not None:
        timers.append(threading.Timer(signalled_after, process.terminate))
        started += signalled_after
    for timer in timers:
        timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    for timer in timers:
        timer.cancel()
    return process.returncode, seconds, usage.ru_maxrss / 1024


def reasons(record):
    """The verdict of a record with the limits that ended the run; None if there is no record."""
    try:
        read = json.loads(pathlib.Path(record).read_text())
    except (OSError, ValueError):
        return None
    kinds = [reason["kind"] for reason in read.get("reasons", [])]
    limits = [kind for kind in kinds if kind in ("out-of-time", "out-of-memory", "interrupted")]
    return ", ".join([read["verdict"], *limits])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--timeout", type=int, default=10)
    parser.add_argument("--memory", type=int, default=1000)
    parser.add_argument("--load", type=int, default=4, help="busy processes a core")
    parser.add_argument("--tool", default=ROOT / "target/release/compact-se")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    found = sorted(path.stem for path in (ROOT / "benches/limits").glob("*.c"))
    n_busy = options.load * (os.cpu_count() or 1)
    busy = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(n_busy)
    ]
    print(
        f"{options.timeout} s, {options.memory} MB, {n_busy} busy processes beside, "
        f"load average {os.getloadavg()[0]:.0f}.\n"
    )
    print("| program | technique | ended by | s | s over | MB | % over |")
    print("|---|---|---|---:|---:|---:|---:|")
    worst_seconds, worst_memory, bad = 0.0, 0.0, []
    try:
        with tempfile.TemporaryDirectory() as folder:
            for program in options.programs or found:
                for technique, extra in TECHNIQUES.items():
                    for is_signalled in (False, True):
                        name = technique + (", SIGTERM" if is_signalled else "")
                        record = os.path.join(folder, f"{program}-{len(name)}.json")
                        limit = 0 if is_signalled else options.timeout
                        code, seconds, megabytes = measured(
                            options.tool,
                            [
                                f"benches/limits/{program}.c",
                                f"--timeout={options.timeout}",
                                f"--memory={options.memory}",
                                *extra,
                            ],
                            record,
                            options.timeout + 60,
                            options.timeout / 2 if is_signalled else None,
                        )
                        ended = reasons(record)
                        over = max(0.0, seconds - limit)
                        more = max(0.0, megabytes / options.memory - 1)
                        worst_seconds = max(worst_seconds, over)
                        worst_memory = max(worst_memory, more)
                        if (
                            code not in VERDICTS
                            or ended is None
                            or over > MOST_SECONDS_OVER
                            or more > MOST_MEMORY_OVER
                        ):
                            bad.append(f"{program}, {name}: exit code {code}")
                        took = "before" if seconds < 0 else f"{seconds:.1f}"
                        print(
                            f"| {program} | {name} | {ended or f'exit code {code}'} "
                            f"| {took} | {over:.1f} | {megabytes:.0f} | {100 * more:.0f} |",
                            flush=True,
                        )
    finally:
        for process in busy:
            process.kill()
            process.wait()
    print(f"\nWorst overshoot: {worst_seconds:.2f} s, {100 * worst_memory:.0f} % of memory.")
    for line in bad:
        print(f"too much: {line}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
