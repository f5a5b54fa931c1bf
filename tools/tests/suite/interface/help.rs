//! Tests the help for `pspge` and for each command, in `snapshots/help`.

use ge_tests::snapshot;

use crate::support::{command, text};

/// All commands, because each has a snapshot of its help.
const COMMANDS: &[&str] = &[
    "render",
    "view",
    "trace",
    "state",
    "pixel",
    "draw",
    "diff",
    "trim",
    "reduce",
    "passes",
    "memory",
    "info",
    "decode",
    "export",
    "textures",
    "import-textures",
    "import-model",
    "check-pack",
    "table",
    "pack",
    "capture",
    "asm",
    "disasm",
    "reference",
    "check",
    "compare",
    "test",
    "bench",
    "schema",
    "completions",
    "man",
];

/// Returns the help at the width that `pspge` uses without a terminal.
fn help(arguments: &[&str]) -> String {
    let output = command(arguments).env_remove("COLUMNS").output().expect("runs");
    assert!(output.status.success(), "{arguments:?}: succeeds");
    assert!(output.stderr.is_empty(), "{arguments:?}: no messages");
    // clap indents blank lines between an option's paragraphs, so this trims them.
    text(&output.stdout).lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[test]
fn help_texts() {
    let overview = help(&["help"]);
    let listed: Vec<&str> = overview
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(listed, [COMMANDS, &["help"]].concat(), "every command has a snapshot");
    snapshot::assert("help/pspge", &overview);
    for command in COMMANDS {
        snapshot::assert(&format!("help/{command}"), &help(&["help", command]));
    }
}

/// How many lines a screen shows.
const SCREEN: usize = 43;

#[test]
fn short_help_fits_a_screen() {
    for command in COMMANDS.iter().copied().chain([""]) {
        let words: Vec<&str> = command.split_terminator(' ').collect();
        let (short, long) =
            (help(&[&words[..], &["-h"]].concat()), help(&[&words[..], &["--help"]].concat()));
        let count = short.lines().count();
        assert!(count <= SCREEN, "{command} -h: {count} lines");
        assert!(long.lines().count() >= count, "{command} --help: everything");
        assert!(command.is_empty() || short.contains("\nExamples:\n  pspge "), "{command} -h: {short}");
        assert!(short.lines().all(|line| line.chars().count() <= 100), "{command} -h: the width");
    }
}
