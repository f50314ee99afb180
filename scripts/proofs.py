#!/usr/bin/env python3
"""Which technique proves which program of tests/proofs, and what refutes their false twins.

    scripts/proofs.py [SECONDS] > results/proofs.md

Each program is run with each technique alone and with all of them, for so many seconds at most (default:
20), as C defines it: executions end at signed overflow. COMPACT_SE names the executable (default:
target/release/compact-se)."""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXECUTABLE = os.environ.get("COMPACT_SE", str(ROOT / "target/release/compact-se"))
TECHNIQUES = ["compact", "classic", "induction", "horn", "all"]


def run(file, technique, is_false, seconds):
    """Verdict and seconds."""
    command = [EXECUTABLE, "analyze", str(file), "--signed-overflow", "undefined"]
    command += ["--timeout", str(seconds), "--jobs", "1"]
    if technique != "all":
        command += ["--techniques", technique]
    if is_false:
        command += ["--clang-arg=-DFALSE"]
    started = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    took = time.monotonic() - started
    if done.returncode == 2:
        sys.exit(f"{file}: {done.stderr.strip()}")
    return done.stdout.splitlines()[0], took


def cell(verdict, took, wanted, wrong):
    if verdict == wanted:
        return f"{took:.1f}"
    if verdict == "unknown":
        return "–"
    wrong.append(verdict)
    return f"**{verdict}**"


def main():
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    version = subprocess.run([EXECUTABLE, "--version"], capture_output=True, text=True, check=True)
    files = sorted((ROOT / "tests/proofs").glob("*.c"))
    proved = {technique: 0 for technique in TECHNIQUES}
    refuted, together, wrong, rows = 0, 0, [], []
    for file in files:
        cells, alone = [], 0
        for technique in TECHNIQUES:
            verdict, took = run(file, technique, False, seconds)
            cells.append(cell(verdict, took, "unreachable", wrong))
            proved[technique] += verdict == "unreachable"
            alone += verdict == "unreachable" and technique != "all"
        together += alone == 0 and cells[-1] not in ("–",)
        verdict, took = run(file, "all", True, seconds)
        refuted += verdict == "reachable"
        cells.append(cell(verdict, took, "reachable", wrong))
        rows.append(f"| {file.stem} | " + " | ".join(cells) + " |")
    print("# Proofs, by technique\n")
    print(f"`scripts/proofs.py {seconds} > results/proofs.md`, {version.stdout.strip()}: seconds of")
    print("whole runs on one thread, loading included; – is *unknown*. The twin is the same program with")
    print("a claim that is false (`-DFALSE`), by all techniques.\n")
    print("| program | " + " | ".join(TECHNIQUES) + " | twin |")
    print("|---|" + "---|" * (len(TECHNIQUES) + 1))
    print("\n".join(rows))
    sums = " | ".join(str(proved[technique]) for technique in TECHNIQUES)
    print(f"| **decided, of {len(files)}** | {sums} | {refuted} |")
    print(f"\nDecided by all together and by none alone: {together}. Wrong: {len(wrong)}.")


if __name__ == "__main__":
    main()
