#!/usr/bin/env python3
"""Verdicts of tasks where signed arithmetic wraps around, and where executions end at signed overflow.

    scripts/overflows.py FOLDER... > results/overflows.md

Each FOLDER has tasks of SV-COMP: task definitions (*.yml, of which those for unreach-call are taken), or, where there
are none, tasks of 2013 (*_safe.i and *_unsafe.i). Each task is run by `compact-se svcomp` with both meanings of signed
overflow, with WORK (default: 5) seconds of work for each technique. Work is counted, so that the answers do not depend
on how busy the machine is. Prints sums, and the tasks of which the verdicts differ or contradict the task's own.
JOBS (default: 1) runs go side by side; COMPACT_SE names the executable (default: target/release/compact-se)."""

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXECUTABLE = os.environ.get("COMPACT_SE", str(ROOT / "target/release/compact-se"))
MEANINGS = ["wrap", "undefined"]
LABEL = "CHECK( init(main()), LTL(G ! label(ERROR)) )\n"


def tasks(folder, scratch):
    """Name, expected verdict, and what `svcomp` is told about each task."""
    definitions = sorted(folder.glob("*.yml"))
    for file in definitions:
        text = file.read_text()
        found = re.search(r"(\S*unreach-call\.prp)\s+expected_verdict:\s*(true|false)", text)
        if found:
            prop = file.parent / found.group(1)
            yield file.stem, found.group(2), [str(file), "--property", str(prop)]
    if definitions:
        return
    label = scratch / "label.prp"
    label.write_text(LABEL)
    for file in sorted(folder.glob("*.i")):
        found = re.search(r"_(safe|unsafe)$", file.stem)
        if found:
            expected = "true" if found.group(1) == "safe" else "false"
            old = ["--property", str(label), "--data-model=ILP32", "--std=gnu89"]
            yield file.stem, expected, [str(file), *old]


def verdict(arguments, meaning):
    """What the tool says of a task: true, false or unknown."""
    command = [EXECUTABLE, "svcomp", *arguments, "--signed-overflow", meaning]
    command += ["--work", os.environ.get("WORK", "5"), "--timeout", "600", "--jobs", "1"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 2:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout.split(maxsplit=1)[0].partition("(")[0]


def main():
    folders = [Path(name) for name in sys.argv[1:]]
    if not folders:
        sys.exit(__doc__)
    jobs = int(os.environ.get("JOBS", "1"))
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        for folder in folders:
            every = list(tasks(folder, scratch))
            if not every:
                sys.exit(f"{folder}: no tasks")
            with ThreadPoolExecutor(jobs) as pool:
                asked = [(task, meaning) for task in every for meaning in MEANINGS]
                said = pool.map(lambda one: verdict(one[0][2], one[1]), asked)
                found = dict(zip([(task[0], meaning) for task, meaning in asked], said))
            print(f"## {'/'.join(folder.resolve().parts[-2:])}\n")
            print("| signed overflow | tasks | true | false | unknown | as the task says | against it |")
            print("|---|--:|--:|--:|--:|--:|--:|")
            for meaning in MEANINGS:
                answers = [(found[name, meaning], expected) for name, expected, _ in every]
                count = Counter(answer for answer, _ in answers)
                right = sum(answer == expected for answer, expected in answers)
                n_open = len(answers) - count["true"] - count["false"]
                counts = [len(every), count["true"], count["false"], n_open, right, len(every) - right - n_open]
                print(f"| {meaning} | {' | '.join(map(str, counts))} |")
            print("\n| task | says | wrap | undefined |\n|---|---|---|---|")
            for name, expected, _ in every:
                both = [found[name, meaning] for meaning in MEANINGS]
                if both != [expected, expected]:
                    print(f"| {name} | {expected} | {both[0]} | {both[1]} |")
            print(flush=True)


main()
