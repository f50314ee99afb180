#!/usr/bin/env python3
"""How many answers *true* have a witness that `check` confirms.

    scripts/witnesses.py SECONDS TASK... > table.md

Each task, a task definition whose expected verdict is true or a C file, is decided within so many seconds, as in
SV-COMP; where the answer is true, `check` has as long for the witness that was written. The table lists each answer,
those without a confirmed witness first. PROPERTY names the property file unreach-call.prp, COMPACT_SE names the executable (default: target/release/compact-se), JOBS how
many tasks are decided at a time (default: 1)."""

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROPERTY = os.environ.get("PROPERTY", "unreach-call.prp")
EXECUTABLE = os.environ.get("COMPACT_SE", str(ROOT / "target/release/compact-se"))


def run(command):
    """The first line of what a command prints, its notes, and seconds."""
    started = time.monotonic()
    done = subprocess.run([EXECUTABLE, *command], capture_output=True, text=True)
    lines = done.stdout.splitlines() or [""]
    said = done.stderr.strip().splitlines() or [""]
    return lines, said[-1], time.monotonic() - started


def is_expected_true(task):
    """Whether a task is about reachability and expected to be safe."""
    text = task.read_text()
    if task.suffix != ".yml":
        return True
    parts = text.split("unreach-call.prp")
    return len(parts) > 1 and parts[1].split("expected_verdict:")[1].split()[0] == "true"


def row(task, seconds, folder):
    """Name, answer, judgement, seconds for both and why, of a task."""
    witness = Path(folder) / f"{task.stem}.yml"
    how = ["--data-model", "LP64"] if task.suffix != ".yml" else []
    command = ["svcomp", str(task), *how, "--timeout", str(seconds), "--witness", str(witness)]
    command += ["--property", PROPERTY]
    lines, said, took = run(command)
    if lines[0] != "true":
        return task.stem, lines[0], "", took, 0.0, ""
    if not witness.exists():
        note = [line for line in lines if "witness" in line]
        return task.stem, "true", "none", took, 0.0, (note or [said])[0]
    command = ["check", str(witness), str(task), *how, "--timeout", str(seconds)]
    command += ["--property", PROPERTY]
    lines, said, checked = run(command)
    why = lines[1] if len(lines) > 1 else said
    return task.stem, "true", lines[0], took, checked, why


def main():
    seconds = int(sys.argv[1])
    tasks = [Path(name) for name in sys.argv[2:]]
    tasks = [task for task in tasks if is_expected_true(task)]
    jobs = int(os.environ.get("JOBS", "1"))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        rows = list(pool.map(lambda task: row(task, seconds, folder), tasks))
    true = [one for one in rows if one[1] == "true"]
    confirmed = [one for one in true if one[2] == "confirmed"]
    print(f"{len(rows)} tasks, {len(true)} answers *true*, {len(confirmed)} with a witness that `check` confirms.\n")
    print("| task | witness | decided in s | checked in s | why |\n|---|---|---|---|---|")
    for name, _, judgement, took, checked, why in sorted(true, key=lambda one: (one[2] == "confirmed", one[0])):
        print(f"| {name} | {judgement} | {took:.1f} | {checked:.1f} | {'' if judgement == 'confirmed' else why} |")


if __name__ == "__main__":
    main()
