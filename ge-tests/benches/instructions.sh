#!/usr/bin/env bash
# Counts the instructions to draw each frame, which do not depend on the load of the machine. Callgrind counts
# two runs and one run of a frame; the difference is the result. Takes some minutes.
#
#     PSPGE_CORPUS=FOLDER ge-tests/benches/instructions.sh [PSPGE...]
#
# Several programs get one column each. Without a program, the script builds and measures the program that is published.
set -eu
frames=${PSPGE_CORPUS:?is not set}/frames
if [ $# -eq 0 ]; then
    cd "$(dirname "$0")/../.."
    cargo build --profile dist --locked --package pspge-tools --bin pspge
    set -- target/dist/pspge
fi

# count PROGRAM FRAME RUNS
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" bench "$2" --runs "$3" 2>&1 >/dev/null |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

printf 'millions of instructions per frame\n'
for frame in "$frames"/*.ppdmp; do
    printf '%-32s' "$(basename "$frame" .ppdmp)"
    for program in "$@"; do
        printf '%9d' $((($(count "$program" "$frame" 2) - $(count "$program" "$frame" 1)) / 1000000))
    done
    printf '\n'
done
