#!/bin/sh
# Installs what compact-se needs on a bare Debian 12 or Ubuntu 24.04 (as root, or with sudo):
#
#   1. clang and LLVM 19 with the sanitizers' run-time libraries, a C linker, the C++ library, and the
#      32-bit C library that `-m32` programs link with;
#   2. Z3 5.4, unpacked from its Python wheel into .z3/ (the distributions' own Z3 is too old);
#   3. a check that the Rust toolchain is recent enough for edition 2024.
#
# Every step first tests whether its result is there already, by using it rather than by asking
# the package manager, so a second run takes a second and touches nothing.
set -eu
cd "$(dirname "$0")/.."

Z3_VERSION=5.4.0.0
RUST_MINOR=88 # if-let chains arrived with Rust 1.88

say() { printf 'setup: %s\n' "$*"; }
fail() {
    printf 'setup: error: %s\n' "$1" >&2
    shift
    for line in "$@"; do printf '       %s\n' "$line" >&2; done
    exit 1
}

[ "$(uname -sm)" = "Linux x86_64" ] ||
    fail "this is $(uname -sm); only Linux on x86-64 is supported"

# --- packages -------------------------------------------------------------------------------

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        fail "packages are missing and this is neither root nor a user with sudo" \
            "run as root: $*"
    fi
}

apt_log=
trap 'if [ -n "$apt_log" ]; then rm -f "$apt_log"; fi' EXIT

apt_quietly() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" \
        >"$apt_log" 2>&1
}

# Installs packages; the package lists are refreshed only if they are absent or out of date,
# which shows in that the first attempt fails.
install_packages() {
    command -v apt-get >/dev/null 2>&1 ||
        fail "apt-get is missing: this script knows Debian 12 and Ubuntu 24.04" \
            "elsewhere install by hand what these packages hold: $*"
    say "installing $*"
    [ -n "$apt_log" ] || apt_log=$(mktemp)
    apt_quietly install -y --no-install-recommends "$@" && return 0
    say "refreshing the package lists first"
    if ! { apt_quietly update && apt_quietly install -y --no-install-recommends "$@"; }; then
        cat "$apt_log" >&2
        fail "apt-get could not install: $*" \
            "on Ubuntu the component \"universe\" has to be enabled: add-apt-repository universe"
    fi
}

LLVM=/usr/lib/llvm-19

# True iff clang compiles and links a program for the data model $1 (32 or 64). Program and
# headers are real, because a missing C library or libgcc shows only at the link.
clang_links() {
    printf '#include <stdlib.h>\nint main(void) { return abs(0); }\n' |
        "$LLVM/bin/clang" "-m$1" -x c - -o /dev/null 2>/dev/null
}

# True iff clang links a program with AddressSanitizer, whose run-time library confirms errors.
clang_sanitizes() {
    printf 'int main(void) { return 0; }\n' |
        "$LLVM/bin/clang" -fsanitize=address,undefined -x c - -o /dev/null 2>/dev/null
}

# True iff clang finds the headers and the library of C++.
clang_links_cxx() {
    printf '#include <vector>\nint main() { return (int)std::vector<int>().size(); }\n' |
        "$LLVM/bin/clang++" -x c++ - -o /dev/null 2>/dev/null
}

# True iff the C++ library can be linked: the build scripts of the LLVM and Z3 bindings ask for it.
cc_links_cxx_library() {
    printf 'int main(void) { return 0; }\n' | cc -x c - -lstdc++ -o /dev/null 2>/dev/null
}

packages=
command -v cc >/dev/null 2>&1 || packages="$packages gcc"
[ -e /usr/include/stdlib.h ] || packages="$packages libc6-dev"
[ -x "$LLVM/bin/clang" ] || packages="$packages clang-19"
[ -x "$LLVM/bin/llvm-config" ] && [ -e "$LLVM/include/llvm-c/Core.h" ] ||
    packages="$packages llvm-19-dev"
[ -e "$LLVM/lib/clang/19/include/stdarg.h" ] || packages="$packages libclang-common-19-dev"
if [ -n "$packages" ]; then
    # The word list is meant to be split.
    # shellcheck disable=SC2086
    install_packages $packages
fi
cc_links_cxx_library || install_packages g++
clang_links 64 || fail "$LLVM/bin/clang does not link a C program" \
    "see what it says: echo 'int main(void){return 0;}' | $LLVM/bin/clang -x c - -o /dev/null"

clang_sanitizes || install_packages libclang-rt-19-dev
clang_sanitizes || fail "$LLVM/bin/clang does not link a program with AddressSanitizer"

# clang takes libgcc and the headers of C++ from the newest GCC it finds, so they and the 32-bit half
# must have that version.
gcc_version=$("$LLVM/bin/clang" -v 2>&1 |
    sed -n 's/^Selected GCC installation: .*\/\([0-9]*\)$/\1/p')
if ! clang_links_cxx; then
    install_packages "libstdc++-$gcc_version-dev"
    clang_links_cxx || fail "$LLVM/bin/clang++ does not compile and link a C++ program"
fi
if ! clang_links 32; then
    install_packages libc6-dev-i386 "lib32gcc-$gcc_version-dev"
    clang_links 32 || fail "$LLVM/bin/clang -m32 does not link a C program"
fi
say "clang and LLVM: $("$LLVM/bin/llvm-config" --version), 64-bit and 32-bit, with sanitizers"

# --- Z3 -------------------------------------------------------------------------------------

if [ ! -e .z3/z3/lib/libz3.so ] || [ ! -d ".z3/z3_solver-$Z3_VERSION.data" ]; then
    command -v python3 >/dev/null 2>&1 || install_packages python3 python3-pip
    python3 -m pip --version >/dev/null 2>&1 || install_packages python3-pip
    say "fetching Z3 $Z3_VERSION"
    # The wheel is only downloaded and unpacked, never installed: that needs no virtual
    # environment, although both distributions mark their Python as externally managed.
    wheel=$(mktemp -d)
    python3 -m pip download --quiet --disable-pip-version-check --no-deps \
        --only-binary :all: --platform manylinux_2_27_x86_64 --dest "$wheel" \
        "z3-solver==$Z3_VERSION" || {
        rm -rf "$wheel"
        fail "the wheel z3-solver $Z3_VERSION could not be downloaded" \
            "unpacked into .z3/ by hand it does as well (a wheel is a zip archive)"
    }
    # Unpacked beside its place and moved there as a whole, so that an interrupted run leaves
    # no half of it behind.
    rm -rf .z3.new
    python3 -m zipfile -e "$wheel"/z3_solver-*.whl .z3.new
    chmod +x ".z3.new/z3_solver-$Z3_VERSION.data/data/bin/z3"
    rm -rf .z3 "$wheel"
    mv .z3.new .z3
fi
say "$(".z3/z3_solver-$Z3_VERSION.data/data/bin/z3" --version)"

# --- Rust -----------------------------------------------------------------------------------

# rustup puts cargo here and leaves the search path to the next login.
if ! command -v cargo >/dev/null 2>&1 && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
    PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
fi
if ! command -v cargo >/dev/null 2>&1 &&
    apt-cache show rustup 2>/dev/null | grep -q '^Package: rustup$'; then
    install_packages rustup # Ubuntu 24.04 has it, Debian 12 has not
    rustup set profile minimal
    rustup default stable
    rustup component add clippy rustfmt
fi
command -v cargo >/dev/null 2>&1 ||
    fail "the Rust toolchain is missing" \
        "install it with rustup, as https://rustup.rs says, and run this script again"
rust=$(rustc --version 2>/dev/null) ||
    fail "rustc is there but does not run" \
        "if it is rustup's, choose a toolchain: rustup default stable"
minor=$(printf '%s\n' "$rust" | sed -n 's/^rustc 1\.\([0-9]*\)\..*/\1/p')
[ "${minor:-0}" -ge "$RUST_MINOR" ] ||
    fail "this is $rust; compact-se needs 1.$RUST_MINOR or later" \
        "with rustup: rustup update stable"
say "$rust"
say "done; now: cargo build --release"
