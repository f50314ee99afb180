#!/bin/sh
# Opens the pages of `tree --html` and `cover --html` in chromium, without a window, and fails if their scripts
# do not draw them. Not part of scripts/test.sh, since chromium is a large download. It installs chromium
# where it is missing (Debian: `chromium`) and needs `cargo build --release`.
#
#     scripts/pages.sh [FOLDER]      pages and pictures are kept in FOLDER
set -eu
if [ $# -gt 0 ]; then
    mkdir -p "$1"
    folder=$(cd "$1" && pwd)
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 130' INT TERM
fi
cd "$(dirname "$0")/.."
tool=${COMPACT_SE:-target/release/compact-se}
command -v chromium > /dev/null || {
    apt-get update
    apt-get install -y --no-install-recommends chromium
}

browse() { # page, further options
    page=$1
    shift
    chromium --headless --no-sandbox --disable-gpu --window-size=1600,900 --virtual-time-budget=20000 "$@" \
        "file://$page" 2> /dev/null
}

check() { # name, what has to be in the page once its script has run
    browse "$folder/$1.html" --dump-dom > "$folder/$1.dom"
    browse "$folder/$1.html" "--screenshot=$folder/$1.png"
    # The script's own text is in the page too: only what stands before it was drawn.
    sed '/<script id="data"/,$d' "$folder/$1.dom" | grep -q "$2" || {
        echo "$1.html: no $2 was drawn" >&2
        exit 1
    }
    echo "$1.html: drawn"
}

"$tool" tree c-benchmarks/linSrch.c --html "$folder/tree.html" > /dev/null
check tree '<g id="n0" class="node'
"$tool" cover c-benchmarks/OneLoop.c --html "$folder/cover.html" > /dev/null
check cover '<tr class="covered" tabindex="0"'
