#!/bin/sh
# Opens the pages of `tree --html` and `cover --html` in chromium, without a window, and fails if their scripts
# do not draw them, or do not do what a reader expects who clicks, searches and presses keys. One is a tree of
# 50,000 nodes. Not part of scripts/test.sh, since chromium is a large download. It installs chromium
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

# Plays a reader on a copy of a page: the script throws where the page is not as expected.
play() { # name, script
    {
        sed '$d' "$folder/$1.html" | sed '$d' # without </body></html>
        cat << END
<script>
const expect = (holds, what) => { if (!holds) throw new Error(what); };
const byId = id => document.getElementById(id);
const click = part => part.dispatchEvent(new MouseEvent("click", { bubbles: true }));
const press = (key, part) => part.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
try {
$2
  document.body.dataset.read = "well";
} catch (error) { document.body.dataset.read = String(error); }
</script>
</body>
</html>
END
    } > "$folder/$1-read.html"
    read=$(browse "$folder/$1-read.html" --dump-dom | sed -n 's/.*<body[^>]* data-read="\([^"]*\)".*/\1/p')
    [ "$read" = well ] || {
        echo "$1.html: ${read:-the script did not end}" >&2
        exit 1
    }
    echo "$1.html: read"
}

# A node is selected, the way to it and its source are marked; keys move; a search goes from hit to hit.
reader_of_tree='
  const all = [...document.querySelectorAll(".node")], last = all[all.length - 1];
  expect(all.length > 3, "few nodes are drawn");
  click(last);
  expect(last.classList.contains("selected"), "a click does not select");
  expect(byId("details").querySelector("ol button.step"), "the details have no path");
  expect(byId("lines").querySelector("div.here"), "no line of the source is marked");
  press("Home", byId("view"));
  expect(byId("n0").classList.contains("selected"), "Home does not go to the root");
  press("Enter", byId("view"));
  expect(document.querySelectorAll(".node").length === 1, "Enter does not fold");
  press("ArrowRight", byId("view"));
  expect(document.querySelectorAll(".node").length > 1, "an arrow does not open");
  byId("search").value = byId("n0").getAttribute("aria-label").split(/[,:]/)[0];
  byId("search").oninput();
  press("Enter", byId("search"));
  expect(/^[0-9]+ of/.test(byId("found").textContent), "a search finds nothing");
  const line = [...byId("lines").querySelectorAll("div.has")].pop();
  click(line);
  expect(line.isConnected && line.classList.contains("here"), "a click on a line does not go to its node");'

"$tool" tree c-benchmarks/linSrch.c --html "$folder/tree.html" > /dev/null
check tree '<g id="n0" class="node'
play tree "$reader_of_tree"
"$tool" tree c-benchmarks/VM.c --classic --no-subsumption --work 60 --max-nodes 50000 --html "$folder/large.html" > /dev/null
check large '<g id="n0" class="node'
play large "$reader_of_tree
  expect(nodes.length >= 50000, 'there are ' + nodes.length + ' nodes only');
  click(byId('open'));
  expect(document.querySelectorAll('.node').length > 1000, 'few nodes are opened');"
"$tool" cover c-benchmarks/OneLoop.c --html "$folder/cover.html" > /dev/null
check cover '<tr class="covered" tabindex="0"'
play cover '
  const row = document.querySelector("tr.covered[tabindex]");
  click(row);
  expect(row.classList.contains("chosen"), "a click does not choose a line");
  expect(/test 1/.test(byId("details").textContent), "the tests of a line are not shown");
  const button = byId("tests").querySelector("button");
  click(button);
  expect(document.body.classList.contains("of-test"), "a click does not choose a test");
  expect(document.querySelector("tr.by-test"), "a test covers no line");
  click(button);
  expect(!document.body.classList.contains("of-test"), "a second click does not go back");'
