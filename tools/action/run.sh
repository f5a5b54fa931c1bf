#!/bin/sh
# Runs pspge in CI: `run.sh install` puts the program on the path, `run.sh run` checks and judges. The action for GitHub and the
# component for GitLab call it with the same variables; any other system can, too. It needs a POSIX shell, and to install, curl
# and tar, or cargo.
#
#   PSPGE_CHECK            files and folders to check, one a line; nothing is checked if it is empty
#   PSPGE_CHECK_OPTIONS    more options of `pspge check`, one a line
#   PSPGE_TEST             folder of cases to judge; nothing is judged if it is empty
#   PSPGE_TEST_OPTIONS     more options of `pspge test`, one a line
#   PSPGE_STRICT           true: notes and cases without a reference fail, too
#   PSPGE_OUTPUT           folder for all reports [pspge-results]
#   PSPGE_PROGRAM          the program [pspge]
#   PSPGE_VERSION          release to install, such as 0.1.0; or `source`, to build from the checkout of this script [source]
#   PSPGE_RELEASES         address of the releases
#
# The exit status is the larger one of both commands: 0 for success, 1 for findings or failures, 2 for wrong usage, 3 for inputs
# that are damaged, 4 for files that cannot be read or written.
set -u

folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 4
output=${PSPGE_OUTPUT:-pspge-results}
program=${PSPGE_PROGRAM:-pspge}
newline='
'

fail() {
    printf 'error: %s\n' "$2" >&2
    exit "$1"
}

# Tells the next steps of a GitHub workflow a value.
tell() {
    [ -z "${GITHUB_OUTPUT:-}" ] || printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# Puts a folder on the path of the next steps of a GitHub workflow. Elsewhere, the caller reads the file.
add_path() {
    [ -z "${GITHUB_PATH:-}" ] || printf '%s\n' "$1" >>"$GITHUB_PATH"
    printf 'pspge is in %s\n' "$1"
}

platform() {
    case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) echo x86_64-unknown-linux-gnu ;;
    Linux-aarch64) echo aarch64-unknown-linux-gnu ;;
    Darwin-x86_64) echo x86_64-apple-darwin ;;
    Darwin-arm64) echo aarch64-apple-darwin ;;
    *) fail 2 "there is no release for $(uname -s) on $(uname -m); set PSPGE_VERSION=source to build it" ;;
    esac
}

# Downloads a release, and compares its checksum with the published one.
install_release() {
    name=pspge-$1-$(platform).tar.gz || exit 2
    releases=${PSPGE_RELEASES:-https://github.com/pspge/pspge/releases/download}
    place=${RUNNER_TEMP:-${TMPDIR:-/tmp}}/pspge-$1
    mkdir -p "$place" || exit 4
    for file in "$name" SHA256SUMS; do
        curl -fsSL --retry 3 -o "$place/$file" "$releases/v$1/$file" || fail 4 "$releases/v$1/$file cannot be downloaded"
    done
    if command -v sha256sum >/dev/null 2>&1; then sum=sha256sum; else sum='shasum -a 256'; fi
    expected=$(sed -n "s/^\([0-9a-f]*\)  *\*\{0,1\}$name\$/\1/p" "$place/SHA256SUMS")
    found=$(cd "$place" && $sum "$name" | cut -d ' ' -f 1)
    [ -n "$expected" ] && [ "$expected" = "$found" ] || fail 3 "$name has another checksum than SHA256SUMS says"
    tar -xzf "$place/$name" -C "$place" || fail 3 "$name cannot be unpacked"
    add_path "$place/${name%.tar.gz}"
}

install() {
    version=${PSPGE_VERSION:-source}
    if [ "$version" != source ]; then
        install_release "${version#v}"
        return
    fi
    command -v cargo >/dev/null 2>&1 || fail 2 "there is no cargo to build pspge; install Rust, or set PSPGE_VERSION to a release"
    root=${CARGO_HOME:-$HOME/.cargo}
    if [ -f "$folder/../Cargo.toml" ]; then
        cargo install --locked --profile dist --path "$folder/.." || exit 4
    else
        cargo install --locked --profile dist --git https://github.com/pspge/pspge pspge-tools || exit 4
    fi
    add_path "$root/bin"
}

# Calls a command with the lines of two texts as arguments: inputs and options.
with_lines() {
    lines=$1$newline$2
    shift 2
    ifs=$IFS
    IFS=$newline
    set -f
    # The lines are split, and nothing else: neither blanks nor patterns.
    for line in $lines; do
        line=$(printf '%s' "$line" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//')
        [ -z "$line" ] || set -- "$@" "$line"
    done
    set +f
    IFS=$ifs
    "$@"
}

worst=0
note_status() {
    [ "$1" -le "$worst" ] || worst=$1
}

check() {
    mkdir -p "$output" || exit 4
    if [ -n "${GITHUB_ACTIONS:-}" ]; then
        # Lines with a place become annotations.
        cp "$folder/matcher.json" "$output/matcher.json" 2>/dev/null && echo "::add-matcher::$output/matcher.json"
    fi
    with_lines "$PSPGE_CHECK" "${PSPGE_CHECK_OPTIONS:-}" "$program" check ${strict:+"$strict"}
    note_status $?
    if [ -n "${GITHUB_ACTIONS:-}" ]; then
        echo '::remove-matcher owner=pspge::'
        echo '::remove-matcher owner=pspge-hint::'
        rm -f "$output/matcher.json"
    fi
    # The same once more as logs, of which each system reads one.
    [ -n "${GITLAB_CI:-}" ] || log_findings --sarif check.sarif
    [ -n "${GITHUB_ACTIONS:-}" ] || log_findings --code-quality code-quality.json
    [ ! -f "$output/check.sarif" ] || tell sarif "$output/check.sarif"
}

# Writes findings as a log. Their messages are known already, and the status too.
log_findings() {
    with_lines "$PSPGE_CHECK" "${PSPGE_CHECK_OPTIONS:-}" "$program" check -q "$1" >"$output/$2" 2>/dev/null
    # After wrong usage there is no log, and an empty file would be a second error.
    [ -s "$output/$2" ] || rm -f "$output/$2"
}

judge() {
    with_lines "$PSPGE_TEST" "${PSPGE_TEST_OPTIONS:-}" "$program" test ${strict:+"$strict"} -o "$output"
    note_status $?
    [ ! -f "$output/report.html" ] || tell report "$output/report.html"
    [ ! -f "$output/junit.xml" ] || tell junit "$output/junit.xml"
}

run() {
    case "${PSPGE_STRICT:-false}" in
    true) strict=--strict ;;
    false) strict= ;;
    *) fail 2 "PSPGE_STRICT is ${PSPGE_STRICT}, neither true nor false" ;;
    esac
    [ -n "${PSPGE_CHECK:-}${PSPGE_TEST:-}" ] || fail 2 "there is nothing to do: name files to check, or a folder to test"
    command -v "$program" >/dev/null 2>&1 || fail 4 "$program is not on the path"
    "$program" --version || exit 4
    tell results "$output"
    [ -z "${PSPGE_CHECK:-}" ] || check
    [ -z "${PSPGE_TEST:-}" ] || judge
    tell status "$worst"
    exit "$worst"
}

case "${1:-}" in
install) install ;;
run) run ;;
*) fail 2 "usage: run.sh install | run" ;;
esac
