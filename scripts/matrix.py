#!/usr/bin/env python3
"""Textbook errors: small C programs from a table, each with its corrected twin, and the answers about them.

    scripts/matrix.py [--pairs N] [PATTERN...] > results/matrix.md    analyses N pairs
    scripts/matrix.py --core                     the pairs of the tests; fails unless all are right
    scripts/matrix.py --native                   runs the programs with clang's sanitizers instead
    scripts/matrix.py --list | --show NAME       names, a program

scripts/matrix.toml has the fragments. A pair is a kind of error x where the object lies x how far off x by
what x how it is reached, in one of eight forms: C, or bitcode of clang -O0, -O1, -O2, of 64 and 32 bits.
The program has the error on the line marked //!, with -DFIXED it has none. This is true by construction;
--native asks the sanitizers too, and lists the errors that they do not see. In bitcode of -O1 and -O2,
indices, pointers and blocks pass through volatile variables, since the optimiser drops errors that it
foresees, and a claim is about the program that it made.

An answer is *right* if the error is found at its line and confirmed, or the twin is unreachable; *open* if the
verdict is unknown; otherwise it is *wrong*. A run with --rows FILE is continued from there; with --again it asks
once more about pairs that were not answered right. The report says which commit answered how many.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = tomllib.loads((ROOT / "scripts/matrix.toml").read_text())
CLANG = os.environ.get("CLANG", "/usr/lib/llvm-19/bin/clang")
CODES = ("c", "O0", "O1", "O2")
FORMS = [(code, bits) for code in CODES for bits in (64, 32)]

PRELUDE = """\
#include <alloca.h>
#include <assert.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __OPTIMIZE__
#define HIDDEN(value) ({ __typeof__(value) volatile hidden = (value); hidden; })
#define AT(array) ({ __typeof__(&(array)[0]) volatile hidden = (array); hidden; })
#else
#define HIDDEN(value) (value)
#define AT(array) (array)
#endif

int input(void);
volatile int sink;
enum { N = 8 };
"""


# --- Programs ---


@dataclasses.dataclass(frozen=True)
class Pair:
    """A program and its twin; `says` is a pattern of the error's text."""

    kind: str
    # What pairs of a kind are spread over.
    group: str
    name: str
    form: tuple
    says: str
    arguments: tuple
    make: typing.Callable

    @functools.cached_property
    def text(self):
        return self.make()

    @functools.cached_property
    def order(self):
        return hashlib.sha256(self.name.encode()).digest()

    @functools.cached_property
    def key(self):
        return hashlib.sha256(f"{self.name} {self.says} {self.text}".encode()).hexdigest()[:16]

    @property
    def line(self):
        return next(i for i, line in enumerate(self.text.splitlines(), 1) if "//!" in line)


def substituted(text, words):
    """Replaces words, in what replaces them too."""
    for word, replacement in words.items():
        text = re.sub(rf"\b{word}\b", lambda _: replacement, text)
    return text


def indented(text):
    depth, lines = 0, []
    for line in filter(None, map(str.strip, text.splitlines())):
        code = line.split("//!")[0]
        change = code.count("{") - code.count("}")
        lines.append("    " * (depth - line.startswith("}")) + line)
        depth += change
    return "\n".join(lines) + "\n"


def program(reached, act, of, words, bad="1", good="0"):
    """The text of a pair: `of` has the fragments around the access `act`."""
    way = TABLE["reached"][reached]
    globals = of.get("globals", "")
    if "//!" not in globals + act:
        act += " //!"
    if "around" in of:
        globals += f"\n{of['around']} {{\n{act}\n}}"
        act = of["call"]
    if reached == "constant":
        act = re.sub(r"\bx\b", "BAD", act)
    before, body = way.get("before", ""), way["body"]
    if reached == "pointer":
        before = substituted(before, {"ACT": act, "P": "p"})
    main = "int argc, char **argv" if "arguments" in of else "void"
    text = f"{globals}\n{before}\nint main({main}) {{\n{body}\nreturn 0;\n}}\n"
    words = {
        "ACT": act,
        "SETUP": of.get("setup", ""),
        "CLEAN": of.get("clean", ""),
        **TABLE["words"],
        **words,
        "GOOD": good,
    }
    bad, good = (f"#define BAD ({substituted(value, words)})\n" for value in (bad, good))
    return PRELUDE + f"#ifdef FIXED\n{good}#else\n{bad}#endif\n\n" + indented(substituted(text, words))


def words_of(access, pointer):
    return {"P": pointer, "T": access["type"], "V": TABLE["value"][access["type"]]}


def with_globals(of, *more):
    return {**of, "globals": "\n".join((*more, of.get("globals", "")))}


def is_reached(reached, far, of):
    """Whether an access beyond an object may be reached so."""
    return not (
        (reached in ("constant", "pointer") and (far == "symbolic" or "around" in of))
        or (reached == "walk" and far in ("before", "far before", "huge"))
        or (reached in ("callee", "recursion") and "arguments" in of)
        or (reached in ("pointer", "walk") and "?" in of.get("pointer", ""))
    )


def beyond(kind, objects, accesses, hide, ways):
    """Accesses beyond objects."""
    for where, of in objects.items():
        for by, access in accesses.items():
            types = of.get("types", TABLE["value"])
            if access["type"] not in types or (access.get("writes") and of.get("constant")):
                continue
            words = words_of(access, hide.format(of.get("pointer", "a")))
            words["LEAD"] = str(of.get("lead", 0))
            for far, index in TABLE["distance"].items():
                if far not in access.get("only", TABLE["distance"]):
                    continue
                whole = with_globals(of, "WITHIN" if far == "symbolic" else "", "TYPES")
                for reached in ways:
                    if is_reached(reached, far, of):
                        make = functools.partial(
                            program, reached, access["text"], whole, words, index["bad"], index["good"]
                        )
                        yield kind, where, f"{where}, {far}, {by}, {reached}", None, of, make


def of_pointers():
    """Accesses through pointers that lead to no object."""
    for where, of in TABLE["pointer"].items():
        for by, access in TABLE["access"].items():
            if "only" in access or by in of.get("without", ()):
                continue
            if of.get("constant") and not access.get("writes"):
                continue
            words = words_of(access, "AT(a)")
            element = of.get("element", "0")
            act = of["made"] + "\n" + re.sub(r"\bx\b", element, access["text"]) + " //!"
            whole = with_globals(of, "TYPES")
            for reached in TABLE["reached"].keys() - {"walk", "pointer", "constant"}:
                make = functools.partial(program, reached, act, whole, words)
                name = f"{where}, {by}, {reached}"
                yield of.get("kind", "pointer"), where, name, of["says"], of, make


def of_kinds():
    """Other errors."""
    for kind, errors in TABLE["error"].items():
        for what, of in errors.items():
            for reached in TABLE["reached"].keys() - {"walk", "pointer"}:
                switch = {name: of[name] for name in ("bad", "good") if name in of}
                make = functools.partial(program, reached, of["text"], of, {}, **switch)
                yield kind, what, f"{what}, {reached}", None, of, make


def pairs():
    """All pairs, in an order of which any first part has some of every kind, object and form."""
    plain = {
        by: access
        for by, access in TABLE["access"].items()
        if "P[x]" in access["text"] and "&P" not in access["text"] and "only" not in access
    }
    groups = collections.defaultdict(list)
    for kind, group, name, says, of, make in (
        *beyond("bounds", TABLE["object"], TABLE["access"], "AT({})", TABLE["reached"]),
        *beyond("index", TABLE["indexed"], plain, "{}", TABLE["reached"].keys() - {"pointer"}),
        *of_pointers(),
        *of_kinds(),
    ):
        row = TABLE["kind"][kind]
        for code, bits in FORMS:
            is_optimised = code in ("O1", "O2")
            if code in row.get("forms", CODES) and not (is_optimised and name.endswith("constant")):
                full = f"{kind}: {name}, {code}-{bits}"
                arguments = tuple(of.get("arguments", ()))
                pair = Pair(kind, group, full, (code, bits), says or row["says"], arguments, make)
                groups[kind, group, pair.form].append(pair)
    ranked = collections.defaultdict(list)
    for (kind, _, _), group in groups.items():
        ranked[kind] += enumerate(sorted(group, key=lambda pair: pair.order))
    turns = []
    for kind, entries in ranked.items():
        entries.sort(key=lambda entry: (entry[0], entry[1].order))
        weight = TABLE["kind"][kind].get("weight", 1)
        turns += [(turn / weight, pair) for turn, (_, pair) in enumerate(entries)]
    return [pair for _, pair in sorted(turns, key=lambda entry: (entry[0], entry[1].order))]


# --- Answers ---


def analysed(pair, fixed, folder, options):
    """One of right, open and wrong, with what was said."""
    code, bits = pair.form
    source, bitcode, record = (os.path.join(folder, f"program.{end}") for end in ("c", "bc", "json"))
    pathlib.Path(source).write_text(pair.text)
    define = ["-DFIXED"] if fixed else []
    if code == "c":
        arguments = [source, *define, "--data-model", {64: "LP64", 32: "ILP32"}[bits]]
    else:
        compiled = [CLANG, f"-m{bits}", f"-{code}", "-g", "-w", "-emit-llvm", "-c", *define]
        subprocess.run([*compiled, source, "-o", bitcode], check=True)
        arguments = [bitcode]
    for argument in pair.arguments:
        arguments += ["--arg", argument]
    if check := TABLE["kind"][pair.kind].get("check"):
        arguments += ["--check", check]
    process = subprocess.run(
        [options.tool, "analyze", *arguments, f"--work={options.work}", "--timeout=120", "--json", record],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    if process.returncode not in (0, 1, 3) or not os.path.exists(record):
        said = process.stderr.replace(folder, "").strip().splitlines() or ["no record"]
        return ("open" if process.returncode == 2 else "wrong"), "refused: " + said[0]
    read = json.loads(pathlib.Path(record).read_text())
    if read["verdict"] == "unreachable":
        assumed = "; ".join(read["assumptions"])
        if assumed and not fixed:
            return "open", f"unreachable, assuming that {assumed}"
        return ("right", "") if fixed else ("wrong", "unreachable")
    if read["verdict"] == "unknown":
        return "open", "; ".join(sorted({general(reason["text"]) for reason in read["reasons"]}))
    error = read["errors"][0]
    file, line = error["place"].rsplit(":", 2)[:2]
    is_right = (
        not fixed
        and re.search(pair.says, error["text"])
        and (os.path.basename(file), int(line)) == ("program.c", pair.line)
        and read["replay"] == "confirmed"
    )
    said = f"{error['text']} at {os.path.basename(file)}:{line} ({error['report']}, {read['replay']})"
    return ("right", "") if is_right else ("wrong", said)


def general(reason):
    """A reason without places and numbers."""
    without = re.sub(r"[\w./-]*program\.\w+(:\d+)*", "…", reason)
    return re.sub(r"\b(0x[0-9a-f]+|\d+)\b", "#", without)


def run_natively(pair, fixed, folder, _options):
    """Whether sanitizers see the error, in a run whose inputs are 8, and none in the twin."""
    code, bits = pair.form
    sanitizers = TABLE["kind"][pair.kind].get("sanitizers", "address")
    if sanitizers == "memory" and bits == 32:
        return "open", "there is no such sanitizer"
    source, binary = (os.path.join(folder, name) for name in ("program.c", "program"))
    pathlib.Path(source).write_text(pair.text + "\nint input(void) { return 8; }\n")
    compiled = [CLANG, f"-m{bits}", "-O0" if code == "c" else f"-{code}", "-g", "-w"]
    compiled += [f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all"]
    compiled += ["-DFIXED"] if fixed else []
    subprocess.run([*compiled, source, "-o", binary], check=True)
    asan = f"detect_invalid_pointer_pairs=2:detect_leaks={int(pair.kind == 'leak')}"
    try:
        run = subprocess.run(
            [binary, *pair.arguments],
            env={**os.environ, "ASAN_OPTIONS": asan},
            timeout=20,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return "open", "no end"
    if fixed:
        return ("right", "") if run.returncode == 0 else ("wrong", run.stderr.strip()[:200])
    return ("right", "") if run.returncode != 0 else ("open", "not seen natively")


def rows_of(selected, ask, options):
    """The answers about each pair and its twin; rows that exist are kept."""
    path = pathlib.Path(options.rows) if options.rows else None
    lines = path.read_text().splitlines() if path and path.exists() else []
    rows = {row["key"]: row for row in map(json.loads, lines)}
    if options.again:
        is_right = lambda row: row["error"][0] == row["twin"][0] == "right"
        rows = {key: row for key, row in rows.items() if is_right(row)}
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()

    def answered(pair):
        row = {"key": pair.key, "name": pair.name, "commit": commit or "no commit"}
        for side in ("error", "twin"):
            with tempfile.TemporaryDirectory() as folder:
                row[side] = ask(pair, side == "twin", folder, options)
        return row

    todo = [pair for pair in selected if pair.key not in rows]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done, row in enumerate(pool.map(answered, todo), 1):
            rows[row["key"]] = row
            if path:
                with path.open("a") as file:
                    file.write(json.dumps(row) + "\n")
            for side in ("error", "twin"):
                if row[side][0] != "right":
                    said = f"{row['name']}, {side}: {row[side][0]}: {row[side][1]}"
                    print(f"{done}/{len(todo)} {said}", file=sys.stderr, flush=True)
    return [(pair, rows[pair.key]) for pair in selected]


def table(rows, side):
    """Right answers by kind and form, as lines of Markdown."""
    counts = collections.Counter()
    for pair, row in rows:
        for form in (pair.form, "all"):
            for kind in (pair.kind, "all"):
                counts[kind, form, row[side][0]] += 1
                counts[kind, form, "asked"] += 1
    yield f"| kind | {' | '.join(f'{code} {bits}' for code, bits in FORMS)} | all | open | wrong |"
    yield "|---" + "|--:" * (len(FORMS) + 3) + "|"
    for kind in (*TABLE["kind"], "all"):
        cells = [
            f"{counts[kind, form, 'right']}/{asked}" if (asked := counts[kind, form, "asked"]) else ""
            for form in (*FORMS, "all")
        ]
        if cells[-1]:
            cells += [str(counts[kind, "all", answer]) for answer in ("open", "wrong")]
            yield f"| {kind} | {' | '.join(cells)} |"


def report(rows, options):
    """The results, as lines of Markdown."""
    commits = collections.Counter(row["commit"] for _, row in rows)
    asked = ", ".join(f"{n} at {commit}" for commit, n in commits.most_common())
    arguments = " ".join(("scripts/matrix.py", f"--pairs {options.pairs}", *options.patterns))
    by = "sanitizers" if options.native else f"work of {options.work} each"
    yield from ("# Textbook errors and their corrected twins", "")
    yield from (f"`{arguments}`, {len(rows)} pairs, {by}: {asked}.", "")
    yield from ("## Errors found and confirmed", "", *table(rows, "error"), "")
    yield from ("## Corrected twins proved", "", *table(rows, "twin"), "", "## Wrong answers", "")
    wrong = [
        f"- {pair.name}, {side}: {row[side][1]}"
        for pair, row in rows
        for side in ("error", "twin")
        if row[side][0] == "wrong"
    ]
    yield from wrong or ["None."]
    yield from ("", "## Open answers", "", "| kind | about | answers | reason | for example |")
    yield "|---|---|--:|---|---|"
    reasons = collections.defaultdict(list)
    for pair, row in rows:
        for side in ("error", "twin"):
            if row[side][0] == "open":
                reasons[pair.kind, side, row[side][1].replace("|", "/")].append(pair.name)
    for (kind, side, reason), names in sorted(reasons.items(), key=lambda entry: -len(entry[1])):
        yield f"| {kind} | {side} | {len(names)} | {reason} | {names[0]} |"


def core(ordered):
    """One pair of each kind, and more of accesses: near and far, of arguments and others.

    There is no MemorySanitizer of 32 bits.
    """
    most = {"bounds": 2, "pointer": 3}
    seen = collections.Counter()
    for pair in ordered:
        if (pair.kind, pair.form[1]) == ("uninitialised", 32):
            continue
        where, far = pair.name.split(": ", 1)[1].split(", ")[:2]
        is_far = far in ("far", "far before", "huge")
        row = (pair.kind, where == "argv", is_far) if pair.kind == "bounds" else pair.kind
        seen[row] += 1
        if seen[row] <= most.get(pair.kind, 1):
            yield pair


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=3200)
    parser.add_argument("--tool", default=ROOT / "target/release/compact-se")
    parser.add_argument("--work", type=int, default=4, help="of each analysis, about a second each")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rows", help="a file of rows, from which a run is continued")
    parser.add_argument("--again", action="store_true", help="ask again about rows that are not right")
    parser.add_argument("--list", action="store_true", help="print the names")
    parser.add_argument("--show", metavar="NAME", help="print a program")
    parser.add_argument("--native", action="store_true", help="run with sanitizers instead")
    parser.add_argument("--core", action="store_true", help="the pairs of the tests; all must be right")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help="patterns of names")
    options = parser.parse_args()
    named = (pair for pair in pairs() if all(re.search(pattern, pair.name) for pattern in options.patterns))
    if options.show:
        print(next(pair.text for pair in named if pair.name == options.show), end="")
        return 0
    selected = list(core(named) if options.core else named)[: options.pairs]
    if options.list:
        print("\n".join(pair.name for pair in selected))
        return 0
    rows = rows_of(selected, run_natively if options.native else analysed, options)
    print("\n".join(report(rows, options)))
    accepted = ("right",) if options.core else ("right", "open")
    return int(any(row[side][0] not in accepted for _, row in rows for side in ("error", "twin")))


if __name__ == "__main__":
    sys.exit(main())
