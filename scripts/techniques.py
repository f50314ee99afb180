#!/usr/bin/env python3
"""Which technique decides which program: by default, each technique alone, each one left out.

    scripts/techniques.py [--work S] [--time S] [--jobs N] [--alone | --off] [--brief] PATH… > results/techniques.md

PATHs are C, C++ and microc files, task definitions of SV-COMP (.yml with unreach-call), preprocessed tasks of
2013 (*_safe.i, *_unsafe.i) or folders of them. The right answer and the target of a program of ours are in its
head (`// verdict:`, `// target:`). The tables are made from

    c-benchmarks                        ATVA 2013, Table 1
    …/svcomp-2013/loops                 ATVA 2013, Table 2
    …/svcomp/c/loops                    the loops tasks of today
    tests/corpus                        the corpus of our own tests

Each program is analysed by default with work S (default 20 s) for each technique, by each technique alone
with a quarter of that, since the default gives each a share, and by default without each technique that it has. Work is
counted, so that the answers do not depend on how busy the machine is; --time ends a run after so many
seconds of wall time besides, after which it may be otherwise. --jobs programs are analysed at a time. A cell has the verdict (R reachable, U
unreachable, – unknown), the work in seconds of all techniques that ran, and the states of the one whose
answer it is; an answer that is not the one expected has an exclamation mark. At the end: sums by column, which technique decided first how often by default, how many times the work of compact
or classic execution or induction alone it did, and verdicts that a technique has alone and the default has not. COMPACT_SE names the executable (default: target/release/compact-se)."""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXECUTABLE = os.environ.get("COMPACT_SE", str(ROOT / "target/release/compact-se"))
TECHNIQUES = ["compact", "classic", "induction", "necessary", "horn", "navigation", "merging", "k-induction"]
ASKED_FOR = ["annotations"]
FIRST_TIER = TECHNIQUES[:3]
# Less work of a technique alone, in seconds, is not compared with the default's.
LEAST = 0.1
LETTERS = {"reachable": "R", "unreachable": "U", "unknown": "–"}
OURS = (".c", ".cpp", ".mc")
# As the tables of the tasks are made: the C of 2013, in which signed numbers wrap around.
OF_2013 = ["--data-model=ILP32", "--std=gnu89", "--signed-overflow=wrap"]


@dataclass
class Program:
    name: str
    file: Path
    options: list
    # The letter of the right answer, where it is known.
    expected: str | None = None


def program_at(path):
    """The program of a file; nothing where it is no task of ours."""
    if path.suffix in OURS:
        text = path.read_text()
        target = re.search(r"^// target: (\S+)", text, re.M)
        verdict = re.search(r"^// verdict: (\w+)", text, re.M)
        options = ["--target", target[1]] if target else []
        return Program(path.stem, path, options, verdict and LETTERS[verdict[1]])
    if path.suffix == ".i":
        of_name = re.search(r"_(un)?safe$", path.stem)
        return of_name and Program(path.stem, path, OF_2013, "R" if of_name[1] else "U")
    text = path.read_text()
    file = re.search(r"^input_files:\s*'?([^'\n]+?)'?\s*$", text, re.M)
    found = re.search(r"unreach-call\.prp\s+expected_verdict:\s*(true|false)", text)
    if not (file and found):
        return None
    model = re.search(r"data_model:\s*(\w+)", text)
    options = [f"--data-model={model[1]}"] if model else []
    return Program(path.stem, path.parent / file[1], options, "U" if found[1] == "true" else "R")


def programs_in(paths):
    files = []
    for path in paths:
        if path.is_dir():
            tasks = sorted(path.rglob("*.yml"))
            # The sources of task definitions are no programs of their own.
            files += tasks or sorted(file for file in path.rglob("*") if file.suffix in (*OURS, ".i"))
        else:
            files.append(path)
    return [program for program in map(program_at, files) if program]


def analyse(program, options, work, seconds):
    """Verdict, work and wall time in seconds, states and the technique that decided; nothing where it is
    no program."""
    with tempfile.NamedTemporaryFile(suffix=".json") as record:
        command = [EXECUTABLE, "analyze", str(program.file), *program.options, "--work", str(work)]
        command += ["--timeout", str(seconds), "--jobs", "1", "--json", record.name, *options]
        started = time.monotonic()
        run = subprocess.run(command, capture_output=True, text=True)
        took = time.monotonic() - started
        if run.returncode == 2:
            print(f"{program.file}: {run.stderr.strip().splitlines()[0]}", file=sys.stderr)
            return None
        result = json.loads(Path(record.name).read_text())
    counted = result["techniques"]
    return {
        "verdict": LETTERS[result["verdict"]],
        "work": sum(one["work"] for one in counted) / 1e9,
        "states": result["counts"]["states"],
        "seconds": took,
        "closed": result["counts"]["navigation"]["refuted"],
        "by": next((one["technique"] for one in counted if one["decided"]), ""),
    }


class Sums:
    """What came of all programs, in one column."""

    def __init__(self):
        self.decided = self.wrong = self.states = self.closed = 0
        self.work = self.seconds = 0.0

    def add(self, cell, expected):
        is_decided = cell["verdict"] != "–"
        self.decided += is_decided
        self.wrong += is_decided and expected is not None and cell["verdict"] != expected
        self.states += cell["states"]
        self.closed += cell["closed"]
        self.work += cell["work"]
        self.seconds += cell["seconds"]


def cell_text(cell, expected):
    is_wrong = cell["verdict"] != "–" and expected is not None and cell["verdict"] != expected
    mark = "!" if is_wrong else ""
    return f"{cell['verdict']}{mark} {cell['work']:.2f}, {cell['states']}"


def times_longer(cells):
    """How many times the work, and how many times the time, of the first tier's best technique alone the default
    takes; nothing where none decides, or with little work."""
    alone = [cells[name] for name in FIRST_TIER if name in cells and cells[name]["verdict"] != "–"]
    best = min(alone, key=lambda cell: cell["work"], default=None)
    if best is None or best["work"] < LEAST:
        return None
    return tuple(cells["default"][what] / best[what] for what in ("work", "seconds"))


def median_and_most(ratios):
    """The median, the largest and its program, in words."""
    most, name = max(ratios)
    return f"{statistics.median(times for times, _ in ratios):.1f} times (median), at most {most:.1f} times ({name})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=int, default=20)
    parser.add_argument("--time", type=int, default=600, help="seconds of wall time for a run")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--alone", action="store_true", help="no columns without a technique")
    parser.add_argument("--off", action="store_true", help="no columns with one alone")
    parser.add_argument("--brief", action="store_true", help="sums only, no row for each program")
    parser.add_argument("paths", nargs="+", type=Path)
    arguments = parser.parse_args()
    columns = {"default": ([], arguments.work)}
    if not arguments.off:
        for one in TECHNIQUES + ASKED_FOR:
            columns[one] = (["--techniques", one], max(arguments.work // 4, 1))
    if not arguments.alone:
        for one in TECHNIQUES:
            columns[f"without {one}"] = (["--without", one], arguments.work)
    version = subprocess.run([EXECUTABLE, "--version"], capture_output=True, text=True, check=True)
    print("# Techniques\n")
    paths = {str(path): path.name if path.is_absolute() else str(path) for path in arguments.paths}
    command = " ".join(paths.get(word, word) for word in sys.argv[1:])
    print(f"`scripts/techniques.py {command}`, {version.stdout.strip()}: verdicts,")
    print(f"seconds of work of all techniques, states of the one whose answer it is. At most {arguments.work} s of")
    print(f"work for each technique (a quarter alone), {arguments.time} s of wall time for a run. R is *reachable*,")
    print("U *unreachable*, – *unknown*.\n")
    if not arguments.brief:
        print("| program | by | " + " | ".join(columns) + " |")
        print("|---|---|" + "--:|" * len(columns), flush=True)

    def cells_of(program):
        """What came of a program by column; nothing where it is none."""
        cells = {}
        for name, (options, most) in columns.items():
            found = analyse(program, options, most, arguments.time)
            if found is None:
                return program, None
            cells[name] = found
        return program, cells

    lost, sums, by = [], {name: Sums() for name in columns}, Counter()
    n_programs, contradictions, longer = 0, [], []
    for program, cells in ThreadPoolExecutor(arguments.jobs).map(cells_of, programs_in(arguments.paths)):
        if cells is None:
            continue
        n_programs += 1
        verdicts = {cell["verdict"] for cell in cells.values()} - {"–"}
        if len(verdicts) > 1:
            contradictions.append(program.name)
        if verdicts and cells["default"]["verdict"] == "–":
            lost.append(program.name)
        by[cells["default"]["by"]] += 1
        if times := times_longer(cells):
            longer.append((*times, program.name))
        for name, cell in cells.items():
            sums[name].add(cell, program.expected)
        if not arguments.brief:
            row = " | ".join(cell_text(cell, program.expected) for cell in cells.values())
            print(f"| {program.name} | {cells['default']['by']} | {row} |", flush=True)
    print(f"\n| of {n_programs} programs | decided | wrong | work, s | time, s | states | closed |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, of in sums.items():
        counts = f"{of.decided} | {of.wrong} | {of.work:.0f} | {of.seconds:.0f} | {of.states} | {of.closed}"
        print(f"| {name} | {counts} |")
    print("\nClosed: states that constraint systems closed, where navigation decided or is alone.")
    first = ", ".join(f"{name} {count}" for name, count in by.most_common() if name)
    print(f"\nBy default decided first: {first}.")
    if longer:
        work = median_and_most([(work, name) for work, _, name in longer])
        seconds = median_and_most([(seconds, name) for _, seconds, name in longer])
        print(f"\nWhere {', '.join(FIRST_TIER[:-1])} or {FIRST_TIER[-1]} decides alone with {LEAST} s of work or more", end="")
        print(f" ({len(longer)} programs), the default does its work {work},")
        print(f"and takes its time, loading included, {seconds}, with one thread each.")
    print(f"\nNot by default, but otherwise: {', '.join(lost) or 'none'}. Contradictions: ", end="")
    print(f"{', '.join(contradictions) or 'none'}.")
    sys.exit(bool(contradictions) or any(of.wrong for of in sums.values()))


if __name__ == "__main__":
    main()
