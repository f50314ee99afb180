#!/bin/sh
# BenchExec's self-test of the tool-info module, against BenchExec from PyPI, and what the module
# makes of answers. Argument: the folder with the executable (default: target/release, else
# target/debug). The virtual environment is kept in target/benchexec.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
BENCHEXEC_VERSION=3.35

if [ $# -gt 0 ]; then
    binaries=$1
elif [ -x "$root/target/release/compact-se" ]; then
    binaries=$root/target/release
else
    binaries=$root/target/debug
fi
[ -x "$binaries/compact-se" ] || {
    echo "benchexec: there is no $binaries/compact-se; run cargo build first" >&2
    exit 1
}

venv=$root/target/benchexec
if [ ! -x "$venv/bin/benchexec" ]; then
    rm -rf "$venv"
    mkdir -p "$root/target"
    if ! python3 -m venv "$venv" 2>/dev/null; then
        # Debian and Ubuntu keep venv's pip in a package of its own.
        rm -rf "$venv"
        sudo=
        [ "$(id -u)" = 0 ] || sudo=sudo
        $sudo apt-get -qq update
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y python3-venv >/dev/null
        python3 -m venv "$venv"
    fi
    "$venv/bin/pip" install --quiet --disable-pip-version-check "benchexec==$BENCHEXEC_VERSION"
fi

log=$(mktemp)
tool=$(mktemp -d)
trap 'rm -rf "$log" "$tool"' EXIT
mkdir -p "$tool/target/release"
ln -s "$binaries/compact-se" "$tool/target/release/compact-se"
PYTHONPATH=.
export PYTHONPATH

# The self-test warns where the module is wrong, and still ends with 0.
"$venv/bin/python" -m benchexec.test_tool_info compact_se_benchexec.compact_se --no-container \
    --tool-directory "$tool" --task-definition "$root"/tests/svcomp/*.yml >"$log" 2>&1 || {
    cat "$log" >&2
    exit 1
}
# Paths are absolute here, because the folder is a temporary one.
if grep -v "Path to executable is absolute" "$log" | grep -E "WARNING|ERROR|Traceback"; then
    cat "$log" >&2
    echo "benchexec: the self-test warns" >&2
    exit 1
fi

"$venv/bin/python" test_compact_se.py "$tool/target/release/compact-se" "$root/tests/svcomp"
echo "benchexec: the tool-info module is fine"
