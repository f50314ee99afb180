#!/bin/sh
# Writes runtime/names/glibc.txt: what the C library, its mathematical part and the compiler's
# runtime define on this machine, for 64 and 32 bits, together with what the file has already, so
# that a name is never lost. Needs nm, clang or gcc, and the libraries for 32 bits.
set -eu
cd "$(dirname "$0")/.."
compiler=${CC:-gcc}
names=runtime/names/glibc.txt
new=$(mktemp)
trap 'rm -f "$new"' EXIT

of_machine() {
    for library in libc.so.6 libm.so.6; do
        nm -D --defined-only "$($compiler "$1" -print-file-name=$library)"
    done
    for archive in libc_nonshared.a libgcc.a; do
        nm --defined-only --extern-only "$($compiler "$1" -print-file-name=$archive)"
    done
}

{
    sed '/^#/d' "$names" 2>/dev/null || true
    for machine in -m64 -m32; do
        of_machine $machine | awk 'NF == 3 && $2 != "A" { sub(/@.*/, "", $3); print $3 }'
    done
} | LC_ALL=C sort -u >"$new"
{
    echo "# Functions and variables that the GNU C library and the compiler's runtime define."
    echo "# Made by scripts/library-names.sh, a name a line; others.txt has what it does not see."
    cat "$new"
} >"$names"
