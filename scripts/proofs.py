#!/usr/bin/env python3
"""Which technique proves which program of tests/proofs, and what refutes their false twins.

    scripts/proofs.py [SECONDS [COLUMN...]] > results/proofs.md

Each program is run by default, without Horn clauses, and with each technique alone, or as the columns
say that are named, as C defines it: executions end at signed overflow. A technique alone has the work of so many seconds at most (default: 5),
and four times as much beside others, since these have a share of it. Work is counted, so that the answers
do not depend on how busy the machine is. PROOFS are the names of the programs as a pattern (default: *). COMPACT_SE names the executable (default:
target/release/compact-se)."""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXECUTABLE = os.environ.get("COMPACT_SE", str(ROOT / "target/release/compact-se"))
ALONE = ["compact", "classic", "induction", "necessary", "horn", "navigation", "k-induction"]
COLUMNS = ["default", "without horn", *ALONE]


def run(file, column, is_false, seconds):
    """Verdict and seconds."""
    command = [EXECUTABLE, "analyze", str(file), "--signed-overflow", "undefined"]
    work = seconds if column in ALONE else 4 * seconds
    command += ["--work", str(work), "--timeout", "600", "--jobs", "1"]
    if column in ALONE:
        command += ["--techniques", column]
    elif column != "default":
        command += column.replace("without ", "--without=").split()
    if is_false:
        command += ["--clang-arg=-DFALSE"]
    started = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    took = time.monotonic() - started
    if done.returncode == 2:
        sys.exit(f"{file}: {done.stderr.strip()}")
    return done.stdout.splitlines()[0], took


def main():
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    columns = sys.argv[2:] or COLUMNS
    version = subprocess.run([EXECUTABLE, "--version"], capture_output=True, text=True, check=True)
    files = sorted((ROOT / "tests/proofs").glob(os.environ.get("PROOFS", "*") + ".c"))
    decided = {column: 0 for column in [*columns, "twin"]}
    by_none_alone, lost, wrong, rows = [], [], [], []
    for file in files:
        cells, proved = [], set()
        for column in [*columns, "twin"]:
            is_twin = column == "twin"
            verdict, took = run(file, "default" if is_twin else column, is_twin, seconds)
            if verdict == ("reachable" if is_twin else "unreachable"):
                decided[column] += 1
                proved.add(column)
                cells.append(f"{took:.1f}")
            elif verdict == "unknown":
                cells.append("–")
            else:
                wrong.append(file.stem)
                cells.append(f"**{verdict}**")
        is_proved_alone = any(column in proved for column in ALONE)
        if "default" in proved and not is_proved_alone:
            by_none_alone.append(file.stem)
        if is_proved_alone and "default" not in proved:
            lost.append(file.stem)
        rows.append(f"| {file.stem} | " + " | ".join(cells) + " |")
        print(file.stem, " ".join(cells), file=sys.stderr)
    print("# Proofs, by technique\n")
    print(f"`scripts/proofs.py {' '.join(sys.argv[1:])} > results/proofs.md`, {version.stdout.strip()}: seconds of whole runs on")
    print(f"one thread, loading included; – is *unknown*: a technique alone had the work of {seconds} s, each beside")
    print(f"others that of {4 * seconds} s. The twin is the same program with a claim that is false (`-DFALSE`), by default.\n")
    print("| program | " + " | ".join(columns) + " | twin |")
    print("|---|" + "--:|" * (len(columns) + 1))
    print("\n".join(rows))
    sums = " | ".join(str(decided[column]) for column in [*columns, "twin"])
    print(f"| **decided, of {len(files)}** | {sums} |")
    named = lambda names: ", ".join(names) or "none"
    if columns == COLUMNS:
        print(f"\nBy default and by no technique alone: {named(by_none_alone)}. By a technique alone and not")
        print(f"by default: {named(lost)}.")
    print(f"\nWrong: {named(wrong)}.")


if __name__ == "__main__":
    main()
