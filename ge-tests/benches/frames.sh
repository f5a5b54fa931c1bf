#!/usr/bin/env bash
# Draws frames of games and compares the times with PPSSPP's software renderer. Prints the ratio of the
# medians for each frame, then the geometric mean and the worst ratio, with one thread and with two. Below 1
# is faster than PPSSPP.
#
#     PSPGE_CORPUS=FOLDER ge-tests/benches/frames.sh [--runs N] [--cpu]
#
# FOLDER/frames holds the dumps and ppsspp.tsv with PPSSPP's milliseconds. --cpu uses the least CPU time
# instead of the median, for busy machines.
set -eu
runs=15
key=median_ms
while [ $# -gt 0 ]; do
    case $1 in
        --runs) runs=$2; shift 2 ;;
        --cpu) key=min_cpu_ms; shift ;;
        *) echo "error: $1: no such argument" >&2; exit 2 ;;
    esac
done
frames=${PSPGE_CORPUS:?is not set}/frames
cd "$(dirname "$0")/../.."
cargo build --profile dist --locked --package pspge-tools --bin pspge
for threads in 1 2; do
    tail -n +2 "$frames/ppsspp.tsv" | while IFS=$'\t' read -r name one two _; do
        peer=$one
        [ "$threads" = 1 ] || peer=$two
        json=$(target/dist/pspge bench "$frames/$name.ppdmp" --runs "$runs" --threads "$threads" --json)
        ours=$(printf '%s\n' "$json" | sed -n "s/.*\"$key\": *\([0-9.]*\).*/\1/p")
        printf '%s\t%s\t%s\n' "$name" "$ours" "$peer"
    done | awk -F '\t' -v threads="$threads" '
        BEGIN { printf "%-32s %9s %9s %7s   (%d thread%s)\n", "frame", "ms", "PPSSPP", "ratio", threads, (threads > 1 ? "s" : "") }
        { ratio = $2 / $3; sum += log(ratio); if (ratio > worst) worst = ratio
          printf "%-32s %9.2f %9.1f %7.2f\n", $1, $2, $3, ratio }
        END { printf "geometric mean %.2f, worst %.2f\n\n", exp(sum / NR), worst }'
done
