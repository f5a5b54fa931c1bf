//! Passes every kind of note through every command that opens or runs an input. Each note must be printed once,
//! hidden by `-q`, counted by `--strict`, and be in the JSON.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Output;

use ge_tests::long_checks;
use ge_tests::note_inputs::{self, NoteInput, NoteSource};
use pspge::ge::note::Severity;
use pspge::{Asset, NullSink, Request};
use serde_json::Value;

use crate::support::{command, empty_folder, text};

/// A command, and how far it goes with an input.
#[derive(Clone, Copy, Debug)]
struct CommandCase {
    name: &'static str,
    /// The arguments after the input.
    arguments: &'static [&'static str],
    runs: bool,
    exports: bool,
    has_json: bool,
    /// Whether it takes several inputs and writes a report.
    has_report: bool,
    has_output: bool,
}

const BASE: CommandCase = CommandCase {
    name: "",
    arguments: &[],
    runs: true,
    exports: false,
    has_json: false,
    has_report: true,
    has_output: false,
};

const COMMANDS: [CommandCase; 13] = [
    CommandCase { name: "render", has_output: true, ..BASE },
    CommandCase { name: "trace", has_json: true, ..BASE },
    CommandCase { name: "state", has_json: true, ..BASE },
    CommandCase { name: "passes", has_json: true, ..BASE },
    CommandCase { name: "memory", arguments: &["0x04000000"], has_json: true, has_report: false, ..BASE },
    CommandCase {
        name: "diff",
        arguments: &["--b", "--reference"],
        has_json: true,
        has_report: false,
        ..BASE
    },
    CommandCase { name: "info", has_json: true, ..BASE },
    CommandCase { name: "decode", has_json: true, ..BASE },
    CommandCase { name: "export", exports: true, has_output: true, ..BASE },
    CommandCase { name: "textures", has_json: true, has_output: true, ..BASE },
    CommandCase { name: "pack", has_output: true, ..BASE },
    CommandCase { name: "disasm", runs: false, has_report: false, ..BASE },
    CommandCase { name: "bench", has_json: true, has_report: false, ..BASE },
];

/// An input on disk.
struct Written {
    input: NoteInput,
    folder: PathBuf,
    /// The first message that this kind of input gives, and how often it occurs.
    message: String,
    count: usize,
    severity: Severity,
}

/// Returns all notes for this kind of input, as message and severity, straight from the library.
fn messages(input: &NoteInput) -> Vec<(String, Severity)> {
    let request = Request { files: input, ..Request::new(input.name, &input.bytes) };
    let asset: Asset = pspge::open_with(&request).unwrap_or_else(|error| panic!("{}: {error}", input.code));
    match input.source {
        NoteSource::File => {
            let notes = asset.notes().iter().filter(|note| note.kind.code() == input.code);
            notes.map(|note| (note.message.clone(), note.severity())).collect()
        }
        NoteSource::Run => {
            let run = asset.run(&mut NullSink).expect("can be drawn");
            let notes = run.report.notes.iter().filter(|note| note.kind.code() == input.code);
            notes.map(|note| (note.kind.to_string(), note.kind.severity())).collect()
        }
        NoteSource::Export => {
            let scene = asset.to_scene().expect("can be exported");
            let notes = scene.notes.iter().filter(|note| note.kind.code() == input.code);
            notes.map(|note| (note.message.clone(), note.kind.severity())).collect()
        }
    }
}

/// Writes every input to its own folder.
fn inputs(test: &str) -> Vec<Written> {
    let root = empty_folder(test);
    let write = |(number, input): (usize, NoteInput)| {
        let folder = root.join(format!("{number}-{}", input.code));
        fs::create_dir_all(&folder).expect("can be created");
        fs::write(folder.join(input.name), &input.bytes).expect("can be written");
        for (name, bytes) in &input.companions {
            fs::write(folder.join(name), bytes).expect("can be written");
        }
        let messages = messages(&input);
        let (message, severity) = messages.first().cloned().expect("a note of the kind");
        let count = messages.iter().filter(|(other, _)| *other == message).count();
        Written { input, folder, message, count, severity }
    };
    note_inputs::all().into_iter().enumerate().map(write).collect()
}

impl Written {
    fn run(&self, case: CommandCase, arguments: &[&str]) -> Output {
        let mut command = command(&[case.name, self.input.name]);
        command.current_dir(&self.folder).args(case.arguments).args(arguments);
        if case.has_output {
            fs::create_dir_all(self.folder.join("out")).expect("can be created");
            command.args(["-o", "out"]);
        }
        if case.name == "bench" {
            command.args(["--runs", "1"]);
        }
        command.output().expect("runs")
    }

    /// Whether a command comes across the note.
    fn concerns(&self, case: CommandCase) -> bool {
        match self.input.source {
            // An archive's textures are opened without its model.
            NoteSource::File if case.name == "textures" => {
                !matches!(self.input.name, "robot.bin" | "rover.rlb")
            }
            NoteSource::File => true,
            // The scene has its own note on limits.
            NoteSource::Run if case.exports && self.input.code == "limit" => false,
            // A frame dump is packed without a run.
            NoteSource::Run if case.name == "pack" => !self.input.name.ends_with(".ppdmp"),
            // Emulators draw such patches, and these commands compute as they do.
            NoteSource::Run if self.input.code == "patch-hang" => {
                case.runs && !matches!(case.name, "info" | "decode" | "export")
            }
            NoteSource::Run => case.runs,
            NoteSource::Export => case.exports,
        }
    }

    /// Lists the commands that come across the note.
    fn cases(&self) -> Vec<CommandCase> {
        COMMANDS.into_iter().filter(|case| self.concerns(*case)).collect()
    }

    fn label(&self, case: CommandCase) -> String {
        format!("{} {} ({})", case.name, self.input.code, self.input.name)
    }
}

/// Finds the notes among the lines on standard error.
fn notes(output: &Output) -> Vec<String> {
    let text = text(&output.stderr);
    text.lines().filter(|line| line.starts_with("note: ")).map(str::to_owned).collect()
}

/// Checks that the input's note is printed once, with its count.
fn assert_printed_once(input: &Written, label: &str, output: &Output) {
    let notes = notes(output);
    let own: Vec<&String> = notes.iter().filter(|line| line.contains(&input.message)).collect();
    let [line] = own.as_slice() else { panic!("{label}: once: {:?} in {notes:#?}", input.message) };
    let expected = if input.count > 1 { format!(" ({} times)", input.count) } else { String::new() };
    // The option for a missing file follows the message.
    let (message, rest) = line.split_once(" (use --").unwrap_or((line, ""));
    let count = rest.split_once(')').map_or(rest, |(_, count)| count);
    let told = format!("{message}{count}");
    assert!(told.ends_with(&format!("{}{expected}", input.message)), "{label}: {line}");
    assert!(line.starts_with(&format!("note: {}: ", input.input.name)), "{label}: {line}");
}

/// Checks that the report has the note, and that the exit status counts problems as errors.
fn assert_reported(input: &Written, label: &str, output: &Output) {
    let text = fs::read_to_string(input.folder.join("report.jsonl")).expect("a report");
    let line: Value = serde_json::from_str(text.trim()).expect("one line of JSON");
    let notes = line["notes"].as_array().expect("notes");
    let own = notes.iter().find(|note| note["code"] == input.input.code && note["message"] == input.message);
    let own = own.unwrap_or_else(|| panic!("{label}: {notes:#?}"));
    assert_eq!(own["severity"], input.severity.code(), "{label}: severity");
    assert_eq!(own["count"], input.count, "{label}: count");
    let has_problem = notes.iter().any(|note| note["severity"] == "problem");
    let expected = match line["status"].as_str().expect("a status") {
        "ok" => i32::from(has_problem),
        // The command has no work to do with this file.
        "failed" | "nothing" => 3,
        other => panic!("{label}: {other}"),
    };
    assert_eq!(output.status.code(), Some(expected), "{label}: exit status");
}

#[test]
fn notes_are_printed_once_and_are_in_reports() {
    let inputs = inputs("notes-printed");
    for (input, case) in
        inputs.iter().flat_map(|input| input.cases().into_iter().map(move |case| (input, case)))
    {
        let label = input.label(case);
        let arguments: &[&str] =
            if case.has_report { &["--strict", "--report", "report.jsonl"] } else { &[] };
        let output = input.run(case, arguments);
        assert_printed_once(input, &label, &output);
        if case.has_report {
            assert_reported(input, &label, &output);
        }
    }
}

#[test]
fn quiet_hides_notes_and_documents_hold_them() {
    let inputs = inputs("notes-quiet");
    let mut commands = BTreeSet::new();
    for (number, input) in inputs.iter().enumerate() {
        let cases = input.cases();
        // One place prints notes for all commands, so a third of them has to do for each input, from another one on.
        let count = if long_checks::are_wanted() { cases.len() } else { cases.len().div_ceil(3) };
        for &case in cases.iter().cycle().skip(number).take(count) {
            commands.insert(case.name);
            let label = input.label(case);
            let output = input.run(case, if case.has_json { &["--json", "-q"] } else { &["-q"] });
            assert_eq!(notes(&output), Vec::<String>::new(), "{label}");
            if case.has_json {
                let text = text(&output.stdout);
                assert!(text.contains(&Value::from(input.message.as_str()).to_string()), "{label}: {text}");
            }
        }
    }
    assert_eq!(commands.len(), COMMANDS.len(), "every command has passed: {commands:?}");
}

/// `check` reports all notes by other commands, as findings of its own rules.
#[test]
fn check_finds_what_other_commands_note() {
    let case = CommandCase { name: "check", ..BASE };
    for input in inputs("notes-check").iter().filter(|input| input.input.source != NoteSource::Export) {
        let output = input.run(case, &[]);
        let text = text(&output.stdout);
        let findings = text.lines().count().saturating_sub(1);
        let label = input.label(case);
        match input.input.source {
            // Findings beyond some number are only counted, like these notes.
            NoteSource::File if input.input.code == "more-notes" => {
                assert!(text.contains("only counted"), "{label}: {text}");
            }
            NoteSource::File if text.contains(&input.message) => {}
            _ => assert!(findings > 0 || input.severity == Severity::Information, "{label}: {text}"),
        }
    }
}
