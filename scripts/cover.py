#!/usr/bin/env python3
"""Measures `compact-se cover` on c-benchmarks, and on the programs of a folder with harnesses.

    scripts/cover.py SECONDS [PROGRAMS] > results/coverage.md

SECONDS is the limit of time for each program. PROGRAMS is a folder with the public libraries and the
folder `harness`, as for scripts/programs.sh; without it, or where it is not there, these rows are left out.
"""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.environ.get("COMPACT_SE", os.path.join(HERE, "target", "release", "compact-se"))

# Harness, sources in the library's folder, the folder.
LIBRARIES = [
    ("jsmn", [], "jsmn", ["-DN=5"]),
    ("tiny-regex-text", ["re.c"], "tiny-regex-c", []),
    ("tiny-regex-pattern", ["re.c"], "tiny-regex-c", []),
    ("sds", ["sds.c"], "sds", []),
    ("adler32", ["adler32.c"], "zlib", []),
    ("inih", ["ini.c"], "inih", []),
]


def record(files, options, seconds):
    """The record of a covering, or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "record.json")
        command = [TOOL, "cover", *files, *options, "--timeout", str(seconds), "--json", path]
        run = subprocess.run(command, cwd=HERE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if not os.path.exists(path):
            return {"error": run.stderr.strip().splitlines()[-1]}
        with open(path) as file:
            return json.load(file)


def shares(count):
    total = count["covered"] + count["dead"] + count["open"]
    return f"{count['covered']} / {count['dead']} / {count['open']} of {total}"


def row(name, result):
    if "error" in result:
        return f"| {name} | {result['error']} | | | |"
    totals = result["totals"]
    return (f"| {name} | {shares(totals['branches'])} | {shares(totals['lines'])} | {len(result['tests'])} "
            f"| {result['total_s']:.1f} |")


def main():
    if len(sys.argv) < 2 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    seconds = int(sys.argv[1])
    print("# Coverage\n")
    print(f"`scripts/cover.py {seconds}`: covered / proved dead / open, {seconds} s a program, one run each. A goal is")
    print("covered by a native run only. Tests are those that are left when needless ones are taken out.\n")
    print("| program | branches | lines | tests | s |")
    print("|---|---|---|---|---|")
    benchmarks = os.path.join(HERE, "c-benchmarks")
    for file in sorted(os.listdir(benchmarks)):
        if file.endswith(".c"):
            print(row(file[:-2], record([os.path.join("c-benchmarks", file)], [], seconds)), flush=True)
    folder = sys.argv[2] if len(sys.argv) > 2 else ""
    if not os.path.isdir(os.path.join(folder, "harness")):
        return
    for name, sources, library, options in LIBRARIES:
        library = os.path.abspath(os.path.join(folder, library))
        harness = os.path.abspath(os.path.join(folder, "harness", name + ".c"))
        files = [harness, *(os.path.join(library, source) for source in sources)]
        print(row(name, record(files, ["-I", library, *options], seconds)), flush=True)


if __name__ == "__main__":
    main()
