#!/usr/bin/env python3
"""How the default strategy was chosen: the programs of Table 1 with one choice changed at a time.

    scripts/strategies.py [--work S] [--seeds N] [--only WORD] > results/strategies.md

Each program is analysed by default and by compact execution alone, with work S (default 60 s) for each
technique. Work is counted, so that the table is the same on a busy machine; what is not decided counts with
the work that was spent. Then the default with seeds 1 to N (default 10). `--only` takes the rows whose name has
the word. COMPACT_SE names the executable (default: target/release/compact-se)."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXECUTABLE = os.environ.get("COMPACT_SE", str(ROOT / "target/release/compact-se"))
PROGRAMS = [
    "hello", "HW", "HWM", "matrIR", "matrIR_dyn", "VM", "VMS", "decode_packets", "WinDriver", "EQCNT",
    "EQCNTex", "OneLoop", "TwoLoops",
]
COMPACT = ["--techniques", "compact"]
# The name of a row, options, numbers that steer.
CHOICES = [
    ("by default", [], {}),
    ("by default, oldest state first", ["--search", "bfs"], {}),
    ("by default, newest state first", ["--search", "dfs"], {}),
    ("by default, any state", ["--search", "random"], {}),
    ("by default, first template that fits", ["--template-choice", "first"], {}),
    ("by default, no state closed", ["--without", "subsumption"], {}),
    ("by default, one action an edge", ["--granularity", "split"], {}),
    ("compact alone", COMPACT, {}),
    ("compact, oldest state first", [*COMPACT, "--search", "bfs"], {}),
    ("compact, newest state first", [*COMPACT, "--search", "dfs"], {}),
    ("compact, any state", [*COMPACT, "--search", "random"], {}),
    ("compact, first template that fits", [*COMPACT, "--template-choice", "first"], {}),
    ("compact, no state closed", [*COMPACT, "--without", "subsumption"], {}),
    ("compact, one action an edge", [*COMPACT, "--granularity", "split"], {}),
] + [
    (f"compact, templates by other loops behind {n} headers", COMPACT, {"execution": {"folding": {"inner_loops_first": n}}})
    for n in (0, 4, 8, 12, 16, 24, 32, 64)
] + [
    (f"compact, templates without progress behind {n} headers", COMPACT, {"execution": {"folding": {"progress_first": n}}})
    for n in (0, 16, 64, 256)
] + [
    (f"compact, every template that fits up to header {n}", COMPACT, {"execution": {"folding": {"every_template_first": n}}})
    for n in (0, 1, 2, 4, 64)
] + [
    (
        f"by default, integers after {patience} ms, in turns from {turn} ms",
        [],
        {"solver": {"integers": {"patience": patience * 10**6, "turn": turn * 10**6}}},
    )
    for patience, turn in ((50, 50), (100, 100), (200, 200), (200, 500), (200, 2000), (1000, 2000))
] + [
    (f"by default, integers for {early} ms at first", [], {"solver": {"integers": {"early": early * 10**6}}})
    for early in (1, 20, 50, 100, 200)
]


def analyse(program, options, policy, work, folder):
    """Whether the verdict is that of the program's head, and the work in seconds."""
    source = ROOT / f"c-benchmarks/{program}.c"
    record, numbers = Path(folder) / "record.json", Path(folder) / "policy.json"
    numbers.write_text(json.dumps(policy))
    command = [EXECUTABLE, "analyze", str(source), "--work", str(work), "--timeout", "1000", "--jobs", "1"]
    command += ["--policy", str(numbers), "--json", str(record), *options]
    subprocess.run(command, capture_output=True, check=False)
    result = json.loads(record.read_text())
    lines = source.read_text().splitlines()
    expected = next(line.split()[-1] for line in lines if line.startswith("// verdict: "))
    if result["verdict"] not in (expected, "unknown"):
        sys.exit(f"{program}: {result['verdict']} is wrong")
    return result["verdict"] == expected, sum(one["work"] for one in result["techniques"]) / 1e9


def row(name, options, policy, work, folder):
    found = {program: analyse(program, options, policy, work, folder) for program in PROGRAMS}
    decided = {program: spent for program, (is_decided, spent) in found.items() if is_decided}
    all_work = sum(spent for _, spent in found.values())
    slowest = max(decided, key=decided.get)
    left = " ".join(program for program in PROGRAMS if program not in decided) or "–"
    print(f"| {name} | {len(decided)} | {all_work:.1f} | {slowest} {decided[slowest]:.1f} | {left} |", flush=True)
    return all_work


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=int, default=60)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    version = subprocess.run([EXECUTABLE, "--version"], capture_output=True, text=True, check=True)
    print("# Choices of the search\n")
    print(f"`scripts/strategies.py {' '.join(sys.argv[1:])}`, {version.stdout.strip()}; seconds of work.\n")
    print(f"| choice | decided of {len(PROGRAMS)} | work | slowest decided | open |")
    print("|---|--:|--:|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, options, policy in CHOICES:
            if arguments.only in name:
                row(name, options, policy, arguments.work, folder)
        sums = [
            row(f"by default, seed {seed}", ["--seed", str(seed)], {}, arguments.work, folder)
            for seed in range(1, arguments.seeds + 1)
        ]
    if sums:
        print(f"\nOver the seeds, the most work is {max(sums) / min(sums):.2f} times the least.")


if __name__ == "__main__":
    main()
