#!/usr/bin/env python3
"""Measures `compact-se cover` on c-benchmarks, and on the programs of a folder with harnesses.

    scripts/cover.py SECONDS [PROGRAMS] > results/coverage.md

SECONDS is the limit of time for each program. PROGRAMS is a folder with the public libraries and the
folder `harness`, as for scripts/programs.sh; without it, or where it is not there, these rows are left out.

Each test is run once more under llvm-cov, whose figures stand beside ours. COMPACT_SE names another
executable than target/release/compact-se.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.environ.get("COMPACT_SE", os.path.join(HERE, "target", "release", "compact-se"))
CLANG = "clang-19"
# A test that runs longer than this many seconds gives no figures.
LONGEST_TEST = 20

# Harness, sources in the library's folder, the folder.
LIBRARIES = [
    ("jsmn", [], "jsmn", ["-DN=5"]),
    ("tiny-regex-text", ["re.c"], "tiny-regex-c", []),
    ("tiny-regex-pattern", ["re.c"], "tiny-regex-c", []),
    ("sds", ["sds.c"], "sds", []),
    ("adler32", ["adler32.c"], "zlib", []),
    ("inih", ["ini.c"], "inih", []),
    ("cJSON", ["cJSON.c"], "cJSON", []),
    ("crc32", ["crc32.c"], "zlib", []),
    ("smaz-roundtrip", ["smaz.c"], "smaz", []),
    ("inflate", ["inflate.c", "inffast.c", "inftrees.c", "zutil.c", "adler32.c", "crc32.c"], "zlib", []),
]


def llvm(tool):
    return shutil.which(f"{tool}-19") or f"/usr/lib/llvm-19/bin/{tool}"


def record(files, options, seconds, tests):
    """The record of a covering, or why there is none."""
    path = os.path.join(tests, "record.json")
    command = [TOOL, "cover", *files, *options, "--timeout", str(seconds), "--json", path, "--tests", tests]
    run = subprocess.run(command, cwd=HERE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if not os.path.exists(path):
        lines = run.stderr.strip().splitlines()
        return {"error": lines[-1] if lines else f"exit code {run.returncode}"}
    with open(path) as file:
        return json.load(file)


def sides_by_llvm_cov(files, options, tests, folder):
    """Sides of branches by file, line and column: whether llvm-cov counts executions; or why it does not."""
    harnesses = sorted(name for name in os.listdir(tests) if name.startswith("harness"))
    objects, profiles = [], []
    flags = ["-w", "-O0", "-fwrapv", "-fprofile-instr-generate", "-fcoverage-mapping",
             "-I", os.path.join(HERE, "runtime", "include")]
    for number, harness in enumerate(harnesses):
        test = os.path.join(folder, f"test{number}")
        command = [CLANG, *flags, *options, *files, os.path.join(tests, harness), "-lm", "-o", test]
        if subprocess.run(command, cwd=HERE, stderr=subprocess.DEVNULL).returncode != 0:
            return "a harness does not compile"
        profile = os.path.join(folder, f"{number}.profraw")
        surroundings = dict(os.environ, LLVM_PROFILE_FILE=profile)
        try:
            subprocess.run([test], cwd=folder, env=surroundings, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LONGEST_TEST)
        except subprocess.TimeoutExpired:
            return "a test does not end"
        if os.path.exists(profile):
            objects.append(test)
            profiles.append(profile)
    if not profiles:
        return "no test ends"
    merged = os.path.join(folder, "all.profdata")
    subprocess.run([llvm("llvm-profdata"), "merge", "-o", merged, *profiles], check=True)
    exported = subprocess.run([llvm("llvm-cov"), "export", objects[0], "-instr-profile", merged],
                              check=True, capture_output=True, text=True, cwd=HERE)
    sides = {}
    wanted = {os.path.realpath(os.path.join(HERE, file)) for file in files}
    for file in json.loads(exported.stdout)["data"][0]["files"]:
        name = os.path.realpath(os.path.join(HERE, file["filename"]))
        if name not in wanted and not name.endswith(".h"):
            continue
        for branch in file["branches"]:
            key = (name, branch[0], branch[1])
            # A macro may have several branches at one place; which is which nobody knows.
            sides[key] = None if key in sides else [branch[4] > 0, branch[5] > 0]
    return {key: counts for key, counts in sides.items() if counts is not None}


def compared(result, files, options, tests):
    """What llvm-cov says of the conditions that both know: covered, and where the two differ."""
    with tempfile.TemporaryDirectory() as folder:
        theirs = sides_by_llvm_cov(files, options, tests, folder)
    if isinstance(theirs, str):
        return theirs
    covered, both, more, less = 0, 0, 0, 0
    for goal in result["goals"]:
        side = {"true": 0, "false": 1}.get(goal.get("side"))
        key = (os.path.realpath(os.path.join(HERE, goal["file"])), goal["line"], goal["column"])
        if side is None or key not in theirs:
            continue
        both += 1
        is_theirs, is_ours = theirs[key][side], goal["status"] == "covered"
        covered += is_theirs
        more += is_theirs and not is_ours
        less += is_ours and not is_theirs
    text = f"{covered} of {both}"
    if more or less:
        text += f" (only llvm-cov: {more}, only ours: {less})"
    return text


def shares(count):
    total = count["covered"] + count["dead"] + count["open"]
    return f"{count['covered']} / {count['dead']} / {count['open']} of {total}"


def row(name, files, options, seconds):
    with tempfile.TemporaryDirectory() as tests:
        result = record(files, options, seconds, tests)
        if "error" in result:
            return f"| {name} | {result['error']} | | | | |"
        totals = result["totals"]
        theirs = compared(result, files, options, tests) if result["tests"] else "no tests"
    return (f"| {name} | {shares(totals['branches'])} | {theirs} | {shares(totals['lines'])} "
            f"| {len(result['tests'])} | {result['total_s']:.1f} |")


def main():
    if len(sys.argv) < 2 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    seconds = int(sys.argv[1])
    print("# Coverage\n")
    print(f"`scripts/cover.py {seconds}`: covered / proved dead / open, {seconds} s a program, one run each. A goal is")
    print("covered by a native run only. Tests are those that are left when needless ones are taken out. llvm-cov: sides")
    print("of the conditions that it knows too, covered by the tests' harnesses.\n")
    print("| program | branches | llvm-cov | lines | tests | s |")
    print("|---|---|---|---|---|---|")
    benchmarks = os.path.join(HERE, "c-benchmarks")
    for file in sorted(os.listdir(benchmarks)):
        if file.endswith(".c"):
            print(row(file[:-2], [os.path.join("c-benchmarks", file)], [], seconds), flush=True)
    folder = sys.argv[2] if len(sys.argv) > 2 else ""
    if not os.path.isdir(os.path.join(folder, "harness")):
        return
    for name, sources, library, options in LIBRARIES:
        library = os.path.abspath(os.path.join(folder, library))
        harness = os.path.abspath(os.path.join(folder, "harness", name + ".c"))
        files = [harness, *(os.path.join(library, source) for source in sources)]
        print(row(name, files, ["-I", library, *options], seconds), flush=True)


if __name__ == "__main__":
    main()
