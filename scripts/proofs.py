#!/usr/bin/env python3
"""Which technique proves which program of tests/proofs, and what refutes their false twins.

    scripts/proofs.py [SECONDS [COLUMN...]] > results/proofs.md

Each program is run by default, without Horn clauses, with each technique alone, with Spacer (Horn clauses, of
which nothing is learnt from executions, and of which none stands for many iterations) and with Spacer beside
templates, or as the columns say that are named. It is run as C defines it: executions end at signed overflow. A technique alone has the work of so many seconds at
most (default: 5), and four times as much beside others, since these have a share of it. Work is counted, so that
the answers do not depend on how busy the machine is. PROOFS are the names of the programs as a pattern
(default: *), COMPACT_SE names the executable (default: target/release/compact-se)."""

import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXECUTABLE = os.environ.get("COMPACT_SE", str(ROOT / "target/release/compact-se"))
ALONE = ["compact", "classic", "induction", "necessary", "horn", "navigation", "k-induction"]
SPACER, BOTH = "spacer", "spacer and compact"
COLUMNS = ["default", "without horn", *ALONE, SPACER, BOTH]
PLAIN = '{"analysis": {"horn": {"learn": 0, "accelerated_paths": 0}}}'


def options(column, seconds, plain):
    """How the tool is run for a column; `plain` is the file of the policy by which nothing is learnt."""
    if column in ALONE:
        return ["--work", str(seconds), "--techniques", column]
    if column == SPACER:
        return ["--work", str(seconds), "--techniques", "horn", "--policy", plain]
    beside = ["--work", str(4 * seconds)]
    if column == BOTH:
        return [*beside, "--techniques", "horn,compact", "--policy", plain]
    if column.startswith("without "):
        return [*beside, "--without", column.removeprefix("without ")]
    if column == "default":
        return beside
    sys.exit(f"{column}: columns are {', '.join(COLUMNS)}")


def run(file, how, is_false):
    """Verdict and seconds."""
    command = [EXECUTABLE, "analyze", str(file), "--signed-overflow", "undefined", *how]
    command += ["--timeout", "600", "--jobs", "1"]
    if is_false:
        command += ["--clang-arg=-DFALSE"]
    started = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    took = time.monotonic() - started
    if done.returncode == 2:
        sys.exit(f"{file}: {done.stderr.strip()}")
    return done.stdout.splitlines()[0], took


def comparison(columns, proofs):
    """Paragraphs that compare columns, by what each program was proved by."""
    alone = [column for column in columns if column in ALONE]
    named = lambda holds: ", ".join(name for name, by in proofs.items() if holds(by)) or "none"
    count = lambda holds: sum(holds(by) for by in proofs.values())
    if len(alone) > 1:
        print("\nBy one technique and by no other alone:\n")
        print("| technique | decided | by no other | which |\n|---|--:|--:|---|")
        for column in alone:
            only = lambda by: by.intersection(alone) == {column}
            print(f"| {column} | {count(lambda by: column in by)} | {count(only)} | {named(only)} |")
    if alone and "default" in columns:
        together = lambda by: "default" in by and not by.intersection(alone)
        lost = lambda by: "default" not in by and by.intersection(alone)
        print(f"\nBy default and by none of {', '.join(alone)} alone, {count(together)}: {named(together)}.")
        print(f"By one of them alone and not by default: {named(lost)}.")
    parts = {SPACER, "compact"}
    if parts.issubset(columns):
        print(f"\nBy Spacer alone, {count(lambda by: SPACER in by)}, by templates alone, {count(lambda by: 'compact' in by)},", end=" ")
        print(f"by one of the two, {count(lambda by: bool(by & parts))}.")
        for whole in [column for column in (BOTH, "default") if column in columns]:
            print(f"By one of the two and not by {whole}: {named(lambda by: by & parts and whole not in by)}.")


def main():
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    columns = sys.argv[2:] or COLUMNS
    version = subprocess.run([EXECUTABLE, "--version"], capture_output=True, text=True, check=True)
    files = sorted((ROOT / "tests/proofs").glob(os.environ.get("PROOFS", "*") + ".c"))
    decided = {column: 0 for column in [*columns, "twin"]}
    proofs, wrong, rows = {}, [], []
    with tempfile.NamedTemporaryFile("w", suffix=".json") as plain:
        plain.write(PLAIN)
        plain.flush()
        how = {column: options(column, seconds, plain.name) for column in [*columns, "default"]}
        for file in files:
            cells, proved = [], set()
            for column in [*columns, "twin"]:
                is_twin = column == "twin"
                verdict, took = run(file, how["default" if is_twin else column], is_twin)
                if verdict == ("reachable" if is_twin else "unreachable"):
                    decided[column] += 1
                    proved.add(column)
                    cells.append(f"{took:.1f}")
                elif verdict == "unknown":
                    cells.append("–")
                else:
                    wrong.append(f"{file.stem} ({column})")
                    cells.append(f"**{verdict}**")
            proofs[file.stem] = proved
            rows.append(f"| {file.stem} | " + " | ".join(cells) + " |")
            print(file.stem, " ".join(cells), file=sys.stderr)
    print("# Proofs, by technique\n")
    print(f"`scripts/proofs.py {shlex.join(sys.argv[1:])} > results/proofs.md`, {version.stdout.strip()}: seconds of whole runs on")
    print(f"one thread, loading included; – is *unknown*: a technique alone had the work of {seconds} s, each beside")
    print(f"others that of {4 * seconds} s. The twin is the same program with a claim that is false (`-DFALSE`), by default.\n")
    print("| program | " + " | ".join(columns) + " | twin |")
    print("|---|" + "--:|" * (len(columns) + 1))
    print("\n".join(rows))
    sums = " | ".join(str(decided[column]) for column in [*columns, "twin"])
    print(f"| **decided, of {len(files)}** | {sums} |")
    comparison(columns, proofs)
    print(f"\nWrong: {', '.join(wrong) or 'none'}.")


if __name__ == "__main__":
    main()
