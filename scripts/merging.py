#!/usr/bin/env python3
"""Merging of states: every strategy against none, on programs of this repository and real libraries.

    scripts/merging.py [--seconds N] [--technique NAME] [--strategies LIST] [--programs DIR]
                       [--tool FILE] [FOLDER...]

Analyses each program in the folders (default: c-benchmarks and tests/corpus/merging) with every strategy
of `--merge`, alone on one thread, and prints Markdown tables: verdicts, states, seconds of the solver and
in all, and work, which is counted and the same on a busy machine. `--technique classic` leaves out the others. `--programs DIR` adds the questions of
`scripts/programs.sh`, with the same DIR. What is not decided counts with its states and seconds until the
limit (default 10 s). `--strategies none,dynamic` looks at these only. `--tool` is the program to run (default target/release/compact-se).
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
STRATEGIES = ["none", "aggressive", "lattice", "recursive", "dynamic"]
# Name, library, sources, further options: as in scripts/programs.sh.
QUESTIONS = [
    ("jsmn", "jsmn", [], ["--clang-arg=-DN=5"]),
    ("jsmn-property", "jsmn", [], ["--clang-arg=-DN=4", "--clang-arg=-DPROP"]),
    ("cJSON", "cJSON", ["cJSON.c"], []),
    ("inih", "inih", ["ini.c"], []),
    ("tiny-regex-text", "tiny-regex-c", ["re.c"], []),
    ("tiny-regex-pattern", "tiny-regex-c", ["re.c"], []),
    ("sds", "sds", ["sds.c"], []),
    ("adler32", "zlib", ["adler32.c"], []),
    ("crc32", "zlib", ["crc32.c"], []),
    ("smaz-roundtrip", "smaz", ["smaz.c"], []),
    ("inflate", "zlib", ["inflate.c", "inffast.c", "inftrees.c", "zutil.c", "adler32.c", "crc32.c"], []),
]


def harness(name):
    return name.removesuffix("-property") + ".c"


def measure(tool, arguments, strategy, seconds):
    """Verdict, states, work in millions of units, seconds of the solver and in all."""
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "record.json"
        command = [tool, "analyze", *arguments, "--merge", strategy, "--jobs", "1"]
        command += ["--timeout", str(seconds), "--json", str(record)]
        run = subprocess.run(command, capture_output=True, cwd=ROOT, check=False)
        if not record.exists():
            return "error", 0, 0, 0.0, 0.0
        data = json.loads(record.read_text())
        if run.returncode == 2:
            return "error", 0, 0, 0.0, 0.0
    times = data["times_s"]
    work = sum(technique["work"] for technique in data["techniques"]) // 1_000_000
    return data["verdict"], data["counts"]["states"], work, times["solver"], times["total"]


def table(title, tool, programs, seconds, technique, strategies):
    print(f"\n## {title}\n")
    print("Each cell: verdict (r reachable, u unreachable, – not decided), states, work in millions of "
          "units, seconds of the solver, seconds in all.\n")
    print("| program |", " | ".join(strategies), "|")
    print("| --- |" + " --- |" * len(strategies))
    totals = {strategy: [0, 0, 0, 0.0, 0.0] for strategy in strategies}
    for name, arguments in programs:
        cells = []
        for strategy in strategies:
            found = measure(tool, arguments + technique, strategy, seconds)
            verdict, states, work, solver, total = found
            letter = {"reachable": "r", "unreachable": "u", "error": "error"}.get(verdict, "–")
            cells.append(f"{letter} {states} {work} {solver:.1f} {total:.1f}")
            sums = totals[strategy]
            sums[0] += letter in ("r", "u")
            for position, value in enumerate((states, work, solver, total), start=1):
                sums[position] += value
        print(f"| {name} |", " | ".join(cells), "|", flush=True)
    cells = [f"{n} decided, {states}, {work}, {solver:.0f} s, {total:.0f} s"
             for n, states, work, solver, total in totals.values()]
    print("| **all** |", " | ".join(cells), "|")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--technique")
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    parser.add_argument("--programs", type=pathlib.Path)
    parser.add_argument("--tool", default=str(ROOT / "target" / "release" / "compact-se"))
    parser.add_argument("folders", nargs="*", default=[])
    options = parser.parse_args()
    technique = ["--techniques", options.technique] if options.technique else []
    strategies = options.strategies.split(",")
    folders = options.folders or ([] if options.programs else ["c-benchmarks", "tests/corpus/merging"])
    for folder in folders:
        files = sorted((ROOT / folder).glob("*.c"))
        programs = [(file.stem, [str(file.relative_to(ROOT))]) for file in files]
        table(folder, options.tool, programs, options.seconds, technique, strategies)
    if options.programs:
        programs = []
        for name, library, sources, further in QUESTIONS:
            folder = options.programs / library
            files = [options.programs / "harness" / harness(name), *(folder / file for file in sources)]
            include = [f"--clang-arg=-I{folder}", "--clang-arg=-Iruntime/include"]
            arguments = [*map(str, files), "--target", "reach_error", *include, *further]
            programs.append((name, arguments))
        table("Real C libraries", options.tool, programs, options.seconds, technique, strategies)


if __name__ == "__main__":
    main()
