#!/usr/bin/env python3
"""Look-ups in constant tables: verdicts and seconds for tables of many sizes.

    scripts/tables.py [SECONDS] > results/tables.md

Writes C programs into a temporary folder: tables of 2 to 65,536 entries, of few values (classes, as
of characters) and of many, one to eight look-ups in a row, each at an index that depends on the
look-up before and on a new input. Two questions each: can the last value be one that the table has
(reachable), and one that it has not (unreachable). Prints a Markdown table. It needs
`cargo build --release`.
"""
import pathlib
import random
import subprocess
import sys
import tempfile
import time

TOOL = pathlib.Path(__file__).resolve().parent.parent / "target" / "release" / "compact-se"
SIZES = [2, 16, 256, 4096, 65536]
DEPTHS = [1, 2, 4, 8]


def values(kind, size, rng):
    """The entries: 16-bit numbers, never 65535."""
    if kind == "few":
        classes = [rng.randrange(65535) for _ in range(min(6, size))]
        entries, now = [], classes[0]
        for _ in range(size):
            if rng.randrange(max(2, size // 16)) == 0:
                now = rng.choice(classes)
            entries.append(now)
        return entries
    return [rng.randrange(65535) for _ in range(size)]


def program(kind, size, depth, question):
    rng = random.Random(f"{kind} {size} {depth}")
    entries = values(kind, size, rng)
    target = rng.choice(entries) if question == "reachable" else 65535
    return f"""extern unsigned short __VERIFIER_nondet_ushort(void);
void reach_error(void) {{}}
static const unsigned short table[{size}] = {{{", ".join(map(str, entries))}}};
int main(void) {{
    unsigned short value = 0;
    for (int i = 0; i < {depth}; i++)
        value = table[(unsigned short)(value ^ __VERIFIER_nondet_ushort()) % {size}];
    if (value == {target})
        reach_error();
    return 0;
}}
"""


def main():
    limit = sys.argv[1] if len(sys.argv) > 1 else "60"
    if not TOOL.exists():
        sys.exit(f"{TOOL} is missing: run cargo build --release first")
    print("| entries | values | question |", " | ".join(f"{n} look-ups" for n in DEPTHS), "|")
    print("| --- | --- | --- |" + " --- |" * len(DEPTHS))
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "table.c"
        for size in SIZES:
            for kind in ["few", "many"]:
                for question in ["reachable", "unreachable"]:
                    cells = []
                    for depth in DEPTHS:
                        source.write_text(program(kind, size, depth, question))
                        started = time.monotonic()
                        command = [TOOL, "analyze", source, "--timeout", limit]
                        run = subprocess.run(command, capture_output=True, text=True, check=False)
                        seconds = time.monotonic() - started
                        verdict = run.stdout.partition("\n")[0] or "error"
                        mark = "" if verdict == question else f"**{verdict}**, "
                        cells.append(f"{mark}{seconds:.1f} s")
                    print(f"| {size:,} | {kind} | {question} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
