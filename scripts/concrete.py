#!/usr/bin/env python3
"""How fast are programs without inputs, by default and by classic execution alone?

    scripts/concrete.py [--runs N] [PROGRAM...]

Each program (default: benches/programs/*.c) is analysed N times (default 5) by default and with `--classic`, in turn. Prints a
Markdown table of medians: actions, seconds of execution and of the whole process as the record has them, actions a
second of classic execution, and how much longer the default takes. COMPACT_SE names the executable (default:
target/release/compact-se). `results/executor.md` has the figures."""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXECUTABLE = os.environ.get("COMPACT_SE", str(ROOT / "target/release/compact-se"))
WAYS = {"default": [], "classic": ["--classic"]}


def analyse(program, options, record):
    """Verdict, actions, seconds of execution and of the whole run."""
    command = [EXECUTABLE, "analyze", str(program), "--json", record, *options]
    subprocess.run(command, capture_output=True, check=False)
    read = json.loads(Path(record).read_text())
    times = read["times_s"]
    return read["verdict"], read["counts"]["actions"], times["execution"], times["total"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("programs", nargs="*", type=Path)
    arguments = parser.parse_args()
    programs = arguments.programs or sorted((ROOT / "benches/programs").glob("*.c"))
    print("| program | verdict | actions | classic: execution, s | actions a second | classic: total, s |", end="")
    print(" default: total, s | ratio |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            runs = {way: [] for way in WAYS}
            for _ in range(arguments.runs):
                for way, options in WAYS.items():
                    runs[way].append(analyse(program, options, f"{folder}/record.json"))
            verdicts = " ".join(sorted({run[0] for way in runs.values() for run in way}))
            actions = runs["classic"][0][1]
            seconds = statistics.median(run[2] for run in runs["classic"])
            classic, default = (statistics.median(run[3] for run in runs[way]) for way in ("classic", "default"))
            print(f"| {program.stem} | {verdicts} | {actions:,} | {seconds:.3f} | {actions / seconds:,.0f} |", end="")
            print(f" {classic:.3f} | {default:.3f} | {default / classic:.2f} |", flush=True)


if __name__ == "__main__":
    main()
