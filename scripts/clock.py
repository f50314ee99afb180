#!/usr/bin/env python3
"""Where does the clock of work lag behind the processor?

    scripts/clock.py [--work S] [--factor F] [--beside S] PATH…

PATHs are C files and folders of them. Each program is analysed by default on one thread with work S (default 2 s) for
each technique. Prints a Markdown table of the programs whose process, its children included, takes more than F times
(default 2) the work that all techniques counted and S seconds besides (default 1: loading, replay), the worst first, with the
work of each technique. Others wait for a technique whose work is counted too low. COMPACT_SE names the
executable (default: target/release/compact-se)."""

import argparse
import json
import os
import resource
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXECUTABLE = os.environ.get("COMPACT_SE", str(ROOT / "target/release/compact-se"))


def processor_time():
    """Of all children so far, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def analyse(program, work, record):
    """Seconds of the processor, verdict, and the work of each technique in seconds."""
    command = [EXECUTABLE, "analyze", str(program), "--jobs", "1", "--work", str(work), "--json", record]
    before = processor_time()
    subprocess.run(command, capture_output=True, check=False)
    read = json.loads(Path(record).read_text())
    works = {one["technique"]: one["work"] / 1e9 for one in read["techniques"]}
    return processor_time() - before, read["verdict"], works


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=int, default=2)
    parser.add_argument("--factor", type=float, default=2)
    parser.add_argument("--beside", type=float, default=1)
    parser.add_argument("paths", nargs="+", type=Path)
    arguments = parser.parse_args()
    programs = [file for path in arguments.paths for file in ([path] if path.is_file() else sorted(path.rglob("*.c")))]
    rows, failed = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number, program in enumerate(programs):
            try:
                seconds, verdict, works = analyse(program, arguments.work, f"{folder}/{number}.json")
            except (OSError, ValueError):
                failed.append(program)
                continue
            if seconds > arguments.factor * sum(works.values()) + arguments.beside:
                rows.append((seconds, program, verdict, works))
    print("| program | verdict | processor, s | work, s | of these |")
    print("|---|---|--:|--:|---|")
    for seconds, program, verdict, works in sorted(rows, key=lambda row: row[0], reverse=True):
        each = ", ".join(f"{name} {work:.2f}" for name, work in works.items() if work >= 0.005)
        print(f"| {program} | {verdict} | {seconds:.1f} | {sum(works.values()):.2f} | {each} |")
    print(f"\n{len(rows)} of {len(programs)} programs.")
    if failed:
        print(f"\nNot analysed: {', '.join(map(str, failed))}.")


if __name__ == "__main__":
    main()
