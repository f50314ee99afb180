#!/usr/bin/env python3
"""Questions about real C libraries, whose sources come from the machine's package archive.

    scripts/libraries.py [--seconds N] [--only NAME]… [OPTION]… > results/real-programs.md

benches/libraries has the questions; the head of each names the source package, its files, options of
the compiler and the right verdict. Sources are fetched once, into target/libraries, with the archives and
keys that apt has (Debian, Ubuntu). Each OPTION goes to `compact-se analyze`.
It needs `cargo build --release`. The exit code is 1 if a verdict is wrong; one that is open is not.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOL = ROOT / "target/release/compact-se"
FOLDER = ROOT / "target/libraries"


def apt(*arguments, cwd=None):
    """apt-get with source packages, beside the machine's own lists, which stay as they are."""
    lists = FOLDER / "apt"
    if not lists.exists():
        prepare_lists(lists)
    options = {
        "Dir::Etc::SourceList": "/dev/null",
        "Dir::Etc::SourceParts": lists / "parts",
        "Dir::State::Lists": lists / "lists",
        "Dir::Cache": lists / "cache",
        "APT::Sandbox::User": "root",
    }
    command = ["apt-get", "-qq"]
    for name, value in options.items():
        command += ["-o", f"{name}={value}"]
    subprocess.run(command + list(arguments), check=True, cwd=cwd, stdout=sys.stderr)


def prepare_lists(lists):
    for folder in ["parts", "lists/partial", "cache/archives/partial"]:
        (lists / folder).mkdir(parents=True)
    for known in Path("/etc/apt").glob("sources.list.d/*.sources"):
        text = re.sub(r"(?m)^Types:.*", "Types: deb-src", known.read_text())
        (lists / "parts" / known.name).write_text(text)
    for known in [Path("/etc/apt/sources.list"), *Path("/etc/apt").glob("sources.list.d/*.list")]:
        if known.exists():
            lines = re.findall(r"(?m)^deb (.*)", known.read_text())
            text = "".join(f"deb-src {line}\n" for line in lines)
            (lists / "parts" / f"{known.stem}.list").write_text(text)
    apt("update")


def fetch(library):
    """The library's sources, as its authors publish them, and their version."""
    folder = FOLDER / library
    fetched = FOLDER / "fetched" / library
    archives = lambda: list(fetched.glob(f"{library}_*.orig.tar.*"))
    if not archives():
        fetched.mkdir(parents=True, exist_ok=True)
        apt("source", "--tar-only", library, cwd=fetched)
    archive = archives()[0]
    if not folder.exists():
        unpacked = fetched / "unpacked"
        unpacked.mkdir()
        command = ["tar", "-xf", archive, "-C", unpacked, "--strip-components=1"]
        subprocess.run(command, check=True)
        unpacked.rename(folder)
    return folder, re.match(r".*?_(.*)\.orig\.tar", archive.name)[1]


def command_of(question, head, folder, seconds, options):
    command = [TOOL, "analyze", question, "--target", "reach_error", "--timeout", str(seconds)]
    command += [folder / source for source in head["sources"].split()]
    for option in head["options"].split():
        if option.startswith("-I"):
            option = f"-I{folder / option[2:]}"
        command.append(f"--clang-arg={option}")
    return command + options


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--only", action="append", metavar="NAME")
    arguments, options = parser.parse_known_args()
    if not TOOL.exists():
        sys.exit(f"{TOOL} is missing: run cargo build --release first")
    print("# Questions about real libraries\n")
    print("`scripts/libraries.py`: one run each by default; `benches/libraries` has the questions, and the")
    print("sources come from the machine's package archive. Seconds are of the whole run, clang, LLVM and")
    print("the native run included; work is that of the technique that decided.\n")
    print("| question | library | right | verdict | seconds | decided by | its work (s) |")
    print("|---|---|---|---|---:|---|---:|")
    is_wrong = False
    for question in sorted((ROOT / "benches/libraries").glob("*.c")):
        if arguments.only and question.stem not in arguments.only:
            continue
        head = dict(re.findall(r"(?m)^// (\w+): *(.*)", question.read_text()))
        folder, version = fetch(head["library"])
        with tempfile.NamedTemporaryFile(suffix=".json") as record:
            command = command_of(question, head, folder, arguments.seconds, options)
            command += ["--json", record.name]
            run = subprocess.run(command, capture_output=True, text=True)
            try:
                result = json.loads(Path(record.name).read_text())
            except ValueError:
                result = {}
        if "techniques" not in result:
            sys.exit(f"{question.name}: {run.stderr.strip()}")
        verdict = result["verdict"]
        is_wrong |= verdict not in (head["verdict"], "unknown")
        by = next((one for one in result["techniques"] if one["decided"]), None)
        technique, work = (by["technique"], f"{by['work'] / 1e9:.2f}") if by else ("", "")
        print(
            f"| {question.stem} | {head['library']} {version} | {head['verdict']} | {verdict} "
            f"| {result['times_s']['total']:.1f} | {technique} | {work} |",
            flush=True,
        )
    sys.exit(is_wrong)


main()
