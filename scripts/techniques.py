#!/usr/bin/env python3
"""Which technique decides which program: by default, each technique alone, each one left out.

    scripts/techniques.py [--work S] [--alone | --off] PATH… > results/techniques.md

PATHs are C files or folders of them, which are searched for programs with a target. Each program is
analysed by default with work S (default 20 s) for each technique, by each technique alone with a quarter of
that, since the default gives each a share, and by default without each technique that it has. Work is counted, so that
the answers do not depend on how busy the machine is. A cell has the verdict (R reachable, U unreachable, –
unknown) and the work in seconds, of all techniques that ran. At the end: verdicts that a technique has alone
and the default has not. COMPACT_SE names the executable (default: target/release/compact-se)."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXECUTABLE = os.environ.get("COMPACT_SE", str(ROOT / "target/release/compact-se"))
TECHNIQUES = ["compact", "classic", "induction", "necessary", "horn", "navigation", "merging"]
ASKED_FOR = ["annotations"]
LETTERS = {"reachable": "R", "unreachable": "U", "unknown": "–"}


def analyse(file, options, work):
    """Verdict, work in seconds, states and the technique that decided; nothing where it is no program."""
    with tempfile.NamedTemporaryFile(suffix=".json") as record:
        command = [EXECUTABLE, "analyze", str(file), "--work", str(work), "--timeout", "600"]
        command += ["--jobs", "1", "--json", record.name, *options]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode == 2:
            print(f"{file}: {run.stderr.strip().splitlines()[0]}", file=sys.stderr)
            return None
        result = json.loads(Path(record.name).read_text())
    counted = result["techniques"]
    return {
        "verdict": LETTERS[result["verdict"]],
        "work": sum(one["work"] for one in counted) / 1e9,
        "by": next((one["technique"] for one in counted if one["decided"]), ""),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=int, default=20)
    parser.add_argument("--alone", action="store_true", help="no columns without a technique")
    parser.add_argument("--off", action="store_true", help="no columns with one alone")
    parser.add_argument("paths", nargs="+", type=Path)
    arguments = parser.parse_args()
    columns = {"default": ([], arguments.work)}
    if not arguments.off:
        for one in TECHNIQUES + ASKED_FOR:
            columns[one] = (["--techniques", one], max(arguments.work // 4, 1))
    if not arguments.alone:
        for one in TECHNIQUES:
            columns[f"without {one}"] = (["--without", one], arguments.work)
    files = []
    for path in arguments.paths:
        files += sorted(path.rglob("*.c")) if path.is_dir() else [path]
    version = subprocess.run([EXECUTABLE, "--version"], capture_output=True, text=True, check=True)
    print("# Techniques\n")
    print(f"`scripts/techniques.py {' '.join(sys.argv[1:])}`, {version.stdout.strip()}: verdicts and")
    print("seconds of work. R is *reachable*, U *unreachable*, – *unknown*.\n")
    print("| program | by | " + " | ".join(columns) + " |")
    print("|---|---|" + "--:|" * len(columns), flush=True)
    lost, decided, work = [], dict.fromkeys(columns, 0), dict.fromkeys(columns, 0.0)
    n_files, contradictions = 0, []
    for file in files:
        cells = {}
        for name, (options, most) in columns.items():
            found = analyse(file, options, most)
            if found is None:
                break
            cells[name] = found
        if len(cells) < len(columns):
            continue
        n_files += 1
        verdicts = {cell["verdict"] for cell in cells.values()} - {"–"}
        if len(verdicts) > 1:
            contradictions.append(file.stem)
        if verdicts and cells["default"]["verdict"] == "–":
            lost.append(file.stem)
        for name, cell in cells.items():
            decided[name] += cell["verdict"] != "–"
            work[name] += cell["work"]
        row = " | ".join(f"{cell['verdict']} {cell['work']:.2f}" for cell in cells.values())
        print(f"| {file.stem} | {cells['default']['by']} | {row} |", flush=True)
    sums = " | ".join(f"{decided[name]}, {work[name]:.0f}" for name in columns)
    print(f"| **decided of {n_files}, work** | | {sums} |")
    print(f"\nNot by default, but otherwise: {', '.join(lost) or 'none'}. Contradictions: ", end="")
    print(f"{', '.join(contradictions) or 'none'}.")
    sys.exit(bool(contradictions))


if __name__ == "__main__":
    main()
