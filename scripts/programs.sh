#!/bin/sh
# Questions about real C libraries: verdicts and seconds, by default and with one technique alone.
#
#   scripts/programs.sh DIR [SECONDS]
#
# DIR holds checkouts of the libraries, a folder each (cJSON, inih, jsmn, sds, smaz, tiny-regex-c,
# zlib), and harness/ with a few lines of C for each question, which make some bytes symbolic and
# call reach_error. Prints a Markdown table. It needs `cargo build --release`.
set -eu
cd "$(dirname "$0")/.."

[ $# -ge 1 ] || {
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
folder=$1
limit=${2:-60}
tool=target/release/compact-se
[ -x "$tool" ] || {
    echo "$tool is missing: run cargo build --release first" >&2
    exit 2
}

# A cell: verdict and seconds of one analysis.
cell() {
    started=$(date +%s.%N)
    verdict=$("$tool" analyze "$@" --target reach_error --timeout "$limit" 2>/dev/null | head -1)
    seconds=$(echo "$(date +%s.%N) $started" | awk '{ printf "%.1f", $1 - $2 }')
    printf ' %s, %s s |' "${verdict:-error}" "$seconds"
}

# A row: the question's name, the library, then sources and options.
row() {
    name=$1
    library=$2
    shift 2
    set -- "$@" "--clang-arg=-I$folder/$library" --clang-arg=-Iruntime/include
    printf '| %s |' "$name"
    cell "$@"
    cell "$@" --techniques compact
    cell "$@" --techniques classic --without subsumption --search nearest
    cell "$@" --techniques classic --without subsumption --search dfs
    echo
}

harness=$folder/harness
zlib=$folder/zlib
echo '| question | default | compact | classic, nearest first | classic, depth first |'
echo '| --- | --- | --- | --- | --- |'
row 'jsmn, 5 bytes' jsmn "$harness/jsmn.c" --clang-arg=-DN=5
row 'jsmn, property' jsmn "$harness/jsmn.c" --clang-arg=-DN=4 --clang-arg=-DPROP
row cJSON cJSON "$harness/cJSON.c" "$folder/cJSON/cJSON.c"
row inih inih "$harness/inih.c" "$folder/inih/ini.c"
row 'tiny-regex, text' tiny-regex-c "$harness/tiny-regex-text.c" "$folder/tiny-regex-c/re.c"
row 'tiny-regex, pattern' tiny-regex-c "$harness/tiny-regex-pattern.c" "$folder/tiny-regex-c/re.c"
row sds sds "$harness/sds.c" "$folder/sds/sds.c"
row adler32 zlib "$harness/adler32.c" "$zlib/adler32.c"
row crc32 zlib "$harness/crc32.c" "$zlib/crc32.c"
row smaz smaz "$harness/smaz-roundtrip.c" "$folder/smaz/smaz.c"
row inflate zlib "$harness/inflate.c" "$zlib/inflate.c" "$zlib/inffast.c" "$zlib/inftrees.c" \
    "$zlib/zutil.c" "$zlib/adler32.c" "$zlib/crc32.c"
