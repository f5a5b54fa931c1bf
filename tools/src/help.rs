//! Adds examples to each command's help, and the syntax of assembly text to the help for `asm`.

use std::ffi::OsString;

use clap::{Command, CommandFactory};
use pspge::asm::SYNTAX;
use pspge::asm::reference::{Found, find};

/// Examples for each command: the task, and the command line.
const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    (
        "render",
        &[
            ("Draw a model from the front", "pspge render em01.pac -o em01.png --view front"),
            (
                "Draw a frame dump and the depth buffer",
                "pspge render frame.ppdmp -o depth.png --buffer depth",
            ),
            ("Draw a folder, and list what failed", "pspge render models -o pictures --report report.jsonl"),
        ],
    ),
    (
        "view",
        &[
            ("Open the inspector in the browser", "pspge view frame.ppdmp"),
            ("Print its address only, on a fixed port", "pspge view em01.pac --no-open --port 8080"),
            ("Write a page for a bug report, with the frame inside", "pspge view frame.ppdmp -o frame.html"),
        ],
    ),
    (
        "trace",
        &[
            ("List every command that a model's list executes", "pspge trace em01.pmo"),
            ("List the draws of a frame dump", "pspge trace frame.ppdmp --draws"),
            ("Print the state at one draw as JSON", "pspge trace frame.ppdmp --registers --only 7 --json"),
        ],
    ),
    (
        "state",
        &[
            ("List the draws, transfers and actions of the CPU", "pspge state frame.ppdmp --events"),
            ("Print the state at a draw, and what wrote it", "pspge state frame.ppdmp --draw 7"),
            ("Print the state after an event as JSON", "pspge state frame.ppdmp --event 40 --after --json"),
        ],
    ),
    (
        "pixel",
        &[
            ("Explain a pixel of the screen", "pspge pixel frame.ppdmp 240,136"),
            (
                "Explain a pixel of another buffer, as JSON",
                "pspge pixel frame.ppdmp 9,4 --target 0x04088000 --json",
            ),
        ],
    ),
    (
        "draw",
        &[
            ("Explain a draw: its state, primitives and pixels", "pspge draw frame.ppdmp 603"),
            ("Print all its vertices at each stage", "pspge draw frame.ppdmp 603 --vertices"),
            ("Show it in the frame", "pspge render frame.ppdmp --highlight 603 -o draw.png"),
        ],
    ),
    (
        "diff",
        &[
            ("Find the first event at which two recordings differ", "pspge diff old.ppdmp new.ppdmp"),
            (
                "Find the first draw that a change alters",
                "pspge diff frame.ppdmp --b '--set DEPTHTEST.function=ALWAYS'",
            ),
            (
                "Find the first draw that another renderer draws otherwise",
                "pspge diff frame.ppdmp --renderer 'other {in} -o {out}'",
            ),
        ],
    ),
    (
        "trim",
        &[
            (
                "Write four draws as a dump that replays alone",
                "pspge trim frame.ppdmp --draws 600-603 -o part.ppdmp",
            ),
            (
                "The same with the picture around them",
                "pspge trim frame.ppdmp --draws 600-603 --whole-vram -o part.ppdmp",
            ),
        ],
    ),
    (
        "reduce",
        &[
            (
                "Keep the draws and bytes that a pixel needs",
                "pspge reduce frame.ppdmp --keep pixel:240,136 -o small.ppdmp",
            ),
            (
                "Keep the pixels that another renderer draws otherwise",
                "pspge reduce frame.ppdmp --keep diff:other.png -o small.ppdmp",
            ),
            (
                "Keep what another renderer draws wrongly",
                "pspge reduce frame.ppdmp --renderer 'other {in} -o {out}' -o small.ppdmp",
            ),
        ],
    ),
    (
        "passes",
        &[
            ("List the render passes of a frame", "pspge passes frame.ppdmp"),
            ("Draw their graph", "pspge passes frame.ppdmp --dot"),
            ("List textures, palettes and buffers with their draws", "pspge passes frame.ppdmp --resources"),
        ],
    ),
    (
        "memory",
        &[
            ("Dump bytes at the end of a run", "pspge memory frame.ppdmp 0x08800000 --length 64"),
            (
                "Show a buffer before draw 40 as a picture",
                "pspge memory frame.ppdmp 0x04088000 --at 40 --pixel-format BGR5650 --stride 512 -o buffer.png",
            ),
            ("Tell who wrote the bytes", "pspge memory frame.ppdmp 0x04000000 --json"),
        ],
    ),
    (
        "info",
        &[
            ("Describe a file", "pspge info em01.pac"),
            ("Describe a folder as JSON Lines", "pspge info models --json > models.jsonl"),
        ],
    ),
    (
        "decode",
        &[
            ("Print the vertices of every draw as JSON", "pspge decode em01.pmo --json"),
            ("Print those of two draws", "pspge decode em01.pmo --json --only 3,7"),
        ],
    ),
    (
        "export",
        &[
            ("Export a model with skeleton and animations", "pspge export em01.pac -o em01.glb"),
            ("Export a few draws of a frame", "pspge export frame.ppdmp -o part.glb --draws 40-99"),
        ],
    ),
    (
        "textures",
        &[
            ("Write all textures of a file", "pspge textures em01.tmh -o textures"),
            ("Write those that a frame uses", "pspge textures frame.ppdmp -o textures"),
            ("List those of two draws as JSON", "pspge textures frame.ppdmp --json --draws 3,7"),
        ],
    ),
    (
        "import-textures",
        &[
            (
                "Write a changed picture back",
                "pspge import-textures em01.pac textures/em01_00.png -o new/em01.pac",
            ),
            ("Write all of a folder back", "pspge import-textures em01.tmh textures -o new/em01.tmh"),
        ],
    ),
    (
        "import-model",
        &[
            (
                "Write geometry back that another program has changed",
                "pspge import-model em01.glb --into em01.pac -o new/em01.pac",
            ),
            (
                "The same for an export in metres, with z up",
                "pspge import-model em01.glb --into em01.pac -o new/em01.pac --scale 0.01 --up z",
            ),
        ],
    ),
    (
        "check-pack",
        &[
            ("Which entries a frame uses", "pspge check-pack TEXTURES/ULUS10000 frame.ppdmp"),
            ("The entries that no frame of a folder uses", "pspge check-pack textures.zip dumps"),
        ],
    ),
    (
        "table",
        &[
            ("Write the tables of a folder, and ask them", "pspge table dumps -o tables"),
            ("Only two tables", "pspge table dumps -o tables --tables frames,draws"),
            ("With the pixels of the pictures", "pspge table frame.ppdmp -o tables --pixels"),
        ],
    ),
    ("pack", &[("Write a frame dump that emulators can play", "pspge pack em01.pac -o em01.ppdmp")]),
    (
        "capture",
        &[
            (
                "Record the next frame of the running game",
                "pspge capture ws://localhost:51234 -o frame.ppdmp",
            ),
            (
                "Record ten frames, a second apart, with the emulator's pictures as references for pspge test",
                "pspge capture ws://localhost:51234 -o cases/scene.ppdmp --frames 10 --every 60 --screenshot",
            ),
        ],
    ),
    (
        "asm",
        &[
            ("Assemble a list", "pspge asm triangle.ge -o triangle.bin"),
            ("Set a constant, and see the addresses", "pspge asm scene.ge -o scene.bin -D FRAMES=2 --list -"),
        ],
    ),
    (
        "disasm",
        &[
            ("Read the list of a model", "pspge disasm em01.pmo -o em01.ge"),
            ("Read the lists of all members of a container", "pspge disasm em01.pac#* -o lists"),
        ],
    ),
    (
        "reference",
        &[
            ("Show the fields of a command", "pspge reference PRIM"),
            ("List the commands that load data", "pspge reference load"),
        ],
    ),
    (
        "check",
        &[
            ("Find mistakes in a list", "pspge check triangle.ge"),
            (
                "Fail if a folder has warnings, without the hints",
                "pspge check lists --deny warnings --allow hints",
            ),
            ("Explain a rule", "pspge check --explain empty-scissor"),
            ("Write a log for code scanning", "pspge check lists --sarif > check.sarif"),
        ],
    ),
    (
        "compare",
        &[
            ("Fail if two pictures differ, and show where", "pspge compare a.png b.png -o difference.png"),
            (
                "Draw a frame dump, and allow small differences",
                "pspge compare frame.ppdmp frame.png --tolerance 8 --max-pixels 0.5%",
            ),
            (
                "Compare two folders, with a picture of each pair that differs",
                "pspge compare old new -o differences",
            ),
        ],
    ),
    (
        "test",
        &[
            (
                "Judge a folder of frame dumps with references, and write a report",
                "pspge test dumps -o results",
            ),
            (
                "Judge another renderer, and find the draws at fault",
                "pspge test dumps --renderer 'other {in} --screenshot {out}' -o results",
            ),
            ("Run PPSSPP's frame tests", "pspge test frametests.json -o results"),
            (
                "Accept what the report shows",
                "pspge test dumps -o results --bless --reason 'rounding of fog'",
            ),
        ],
    ),
    ("bench", &[("Measure the time of a frame", "pspge bench frame.ppdmp --runs 20")]),
    (
        "schema",
        &[
            ("List the kinds of JSON documents", "pspge schema"),
            ("Write the schema of one kind", "pspge schema info > info.schema.json"),
        ],
    ),
    (
        "completions",
        &[("Complete in bash", "pspge completions bash > ~/.local/share/bash-completion/completions/pspge")],
    ),
    ("man", &[("Install the manual pages", "pspge man -o ~/.local/share/man/man1")]),
];

/// Returns the command line with examples. Short help has only their lines; long help also states their purpose.
pub(crate) fn command<C: CommandFactory>() -> Command {
    EXAMPLES.iter().fold(C::command(), |command, (name, examples)| {
        let (short, mut long) = (lines(examples), text(examples));
        if *name == "asm" {
            long = format!("{long}\n\n{}", plain(SYNTAX));
        }
        command.mut_subcommand(name, |subcommand| subcommand.after_help(short).after_long_help(long))
    })
}

/// Turns `help NAME` into `reference NAME` if NAME is not a subcommand, but is or resembles a Graphics Engine
/// command, so that the program's help also answers for these. For other names only NAME stays, because clap
/// suggests similar subcommands for it, but not after `help`.
pub(crate) fn with_reference(line: &Command, mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_option = |argument: &OsString| argument.to_string_lossy().starts_with('-');
    let mut positions = (1..arguments.len()).filter(|index| !arguments.get(*index).is_some_and(is_option));
    let (Some(help), Some(name)) = (positions.next(), positions.next()) else { return arguments };
    let text = |index: usize| arguments.get(index).and_then(|argument| argument.to_str());
    let is_subcommand = |name: &str| name == "help" || line.find_subcommand(name).is_some();
    let is_command = |name: &str| !matches!(find(name), Found::Nothing(similar) if similar.is_empty());
    let (is_help, is_known) = (text(help) == Some("help"), text(name).is_some_and(is_subcommand));
    let is_described = text(name).is_some_and(is_command);
    if is_help && !is_known {
        arguments.remove(help);
        if is_described {
            arguments.insert(help, OsString::from("reference"));
        }
    }
    arguments
}

/// Lists the examples' command lines.
fn lines(examples: &[(&str, &str)]) -> String {
    examples.iter().fold("Examples:".to_owned(), |text, (_, line)| format!("{text}\n  {line}"))
}

/// Writes examples with their purpose.
fn text(examples: &[(&str, &str)]) -> String {
    let mut text = String::from("Examples:");
    for (purpose, line) in examples {
        text.push_str(&format!("\n  {purpose}:\n      {line}"));
    }
    text
}

/// Turns Markdown into text for a terminal with 80 columns: table rows become terms, each with its meaning below it.
fn plain(markdown: &str) -> String {
    let mut text = String::new();
    let mut paragraph = String::new();
    let (mut is_code, mut had_row) = (false, false);
    for line in markdown.lines().chain([""]) {
        let is_row = line.starts_with('|');
        let begins_new = is_code || is_row || line.is_empty() || line.starts_with(['#', '*', '`']);
        if begins_new && !paragraph.is_empty() {
            let (first, indent) = if paragraph.starts_with("* ") { ("  ", "    ") } else { ("  ", "  ") };
            push_wrapped(&mut text, &paragraph, first, indent);
            paragraph.clear();
        }
        if line.starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            text += format!("    {line}").trim_end();
            text.push('\n');
        } else if is_row {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            // A table's first two rows are its head and a rule.
            if let [term, meaning] = cells.as_slice()
                && had_row
            {
                push_wrapped(&mut text, term, "  ", "  ");
                push_wrapped(&mut text, meaning, "      ", "      ");
            }
            had_row |= line.starts_with("| ---");
        } else if let Some(title) = line.strip_prefix("# ") {
            text += &format!("{title}:\n");
        } else if line.is_empty() {
            text.push('\n');
        } else {
            paragraph += if paragraph.is_empty() { "" } else { " " };
            paragraph += line.trim();
        }
        had_row &= is_row;
    }
    text.trim_end().to_owned()
}

/// Adds a paragraph without the marks for code.
fn push_wrapped(text: &mut String, paragraph: &str, first: &str, indent: &str) {
    let options =
        textwrap::Options::new(80).initial_indent(first).subsequent_indent(indent).break_words(false);
    *text += &textwrap::fill(&paragraph.replace('`', ""), options);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;

    #[test]
    fn every_command_has_examples_that_parse() {
        let command = command::<Cli>();
        let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let described: Vec<&str> = EXAMPLES.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, described, "examples in the order of the commands");
        for (_, line) in EXAMPLES.iter().flat_map(|(_, examples)| *examples) {
            let command_line = line.split_once(" > ").map_or(*line, |(command, _)| command);
            let words = shlex::split(command_line).expect("quotes are closed");
            let parsed = command.clone().try_get_matches_from(words);
            assert!(parsed.is_ok(), "{line}: {}", parsed.expect_err("an error"));
        }
    }

    #[test]
    fn help_answers_for_commands_of_the_graphics_engine() {
        let turned = |line: &str| {
            let arguments = line.split(' ').map(OsString::from).collect();
            let turned = with_reference(&command::<Cli>(), arguments);
            turned.iter().map(|argument| argument.to_string_lossy()).collect::<Vec<_>>().join(" ")
        };
        for line in ["pspge", "pspge help", "pspge help render", "pspge help help", "pspge info help PRIM"] {
            assert_eq!(turned(line), line, "clap's own help and other commands stay");
        }
        assert_eq!(turned("pspge help rendr"), "pspge rendr", "clap finds the similar subcommand");
        assert_eq!(turned("pspge help PRIM"), "pspge reference PRIM", "a command of the engine");
        assert_eq!(turned("pspge help prmi"), "pspge reference prmi", "a similar name");
        assert_eq!(turned("pspge -q help 0x04 CULL"), "pspge -q reference 0x04 CULL", "after options");
    }
}
