//! Tests `-v` and `PSPGE_LOG`: they add messages on standard error, and standard output stays the same.

use std::process::Output;

use crate::support::{command, sample, text};

fn pspge(arguments: &[&str], filter: Option<&str>) -> Output {
    let mut command = command(arguments);
    command.env_remove("PSPGE_LOG");
    if let Some(filter) = filter {
        command.env("PSPGE_LOG", filter);
    }
    command.output().expect("runs")
}

/// Runs a command that must succeed. Returns standard output and standard error.
fn outputs(arguments: &[&str], filter: Option<&str>) -> (Vec<u8>, String) {
    let output = pspge(arguments, filter);
    let messages = text(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {messages}");
    (output.stdout, messages)
}

#[test]
fn logging_goes_to_standard_error_only() {
    let path = sample("lampwing.pac");
    for arguments in [&["render", &path, "-o", "-"][..], &["trace", &path], &["info", &path, "--json"]] {
        let (expected, silent) = outputs(arguments, None);
        assert_eq!(silent, "", "{arguments:?}: no messages by default");
        let mut lengths = Vec::new();
        for option in ["-v", "-vv"] {
            let (found, messages) = outputs(&[arguments, &[option]].concat(), None);
            assert!(found == expected, "{arguments:?} {option}: standard output stays the same");
            let open = messages.lines().find(|line| line.contains("open{file=")).unwrap_or_default();
            assert!(open.contains("lampwing.pac format=pac}"), "{arguments:?} {option}: {messages}");
            assert!(messages.contains("list{"), "{arguments:?} {option}: {messages}");
            assert!(!messages.contains('\u{1b}'), "{arguments:?} {option}: no escape sequences");
            lengths.push(messages.lines().count());
        }
        assert!(lengths[0] <= lengths[1], "{arguments:?}: -vv logs at least as much as -v");
        let (before, _) = outputs(&[&["-v"], arguments].concat(), None);
        assert!(before == expected, "{arguments:?}: -v may come before the command");
    }
}

#[test]
fn variable_overrides_the_option() {
    let path = sample("lampwing.pmo");
    let (expected, _) = outputs(&["info", &path], None);
    let (found, messages) = outputs(&["info", &path], Some("pspge::run=debug"));
    assert!(found == expected, "standard output stays the same");
    assert!(messages.contains("list{"), "PSPGE_LOG works without -v: {messages}");
    let (_, messages) = outputs(&["info", &path, "-vv"], Some("off"));
    assert_eq!(messages, "", "PSPGE_LOG turns logging off");
    let output = pspge(&["info", &path], Some("pspge=loud"));
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "a wrong filter is wrong usage");
    assert!(
        message.starts_with("error: PSPGE_LOG=pspge=loud: ") && message.lines().count() == 1,
        "{message}"
    );
}
