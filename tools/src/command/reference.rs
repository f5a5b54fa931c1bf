//! `pspge reference`: explains the Graphics Engine's commands.

use pspge::Opcode;
use pspge::asm::GuFunction;
use pspge::asm::reference::{CLASSES, Found, describe, find, of_class};
use pspge::documents::OpcodeDocument;

use crate::output::Output;
use crate::terminal::colors::Mark;
use crate::terminal::failure::Failure;

/// Describe commands of the Graphics Engine
///
/// Shows name, number, fields, values, an example in assembly and sections of the reference. Without NAME, lists all
/// commands by class. `pspge help NAME` does the same for a name that is no subcommand of pspge.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name of a command or a part of it, a number such as 0x04, a function of libgu such as sceGuTexFilter, or a class:
    /// flow, draw, matrix, state, load, immediate, unused
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Print a JSON object for each command; several are JSON Lines
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut found = Vec::new();
    for name in &args.names {
        match find(name) {
            Found::One(opcode) => found.push((vec![opcode], true)),
            Found::Several(opcodes) => found.push((opcodes, false)),
            Found::Nothing(similar) => return Err(unknown(name, &similar)),
        }
    }
    let mut out = Output::new();
    if args.json {
        print_json(&mut out, &args.names, &found)?;
    } else if found.is_empty() {
        print_classes(&mut out)?;
    } else {
        print(&mut out, &args.names, &found)?;
    }
    out.finish()
}

/// Makes an error for a name that no command has.
fn unknown(name: &str, similar: &[&str]) -> Failure {
    let hint = if similar.is_empty() {
        "pspge reference lists all commands".to_owned()
    } else {
        format!("did you mean {}?", similar.join(" or "))
    };
    Failure::usage(format_args!("the Graphics Engine has no command '{name}'; {hint}"))
}

/// Prints the whole reference for each command named, and a line per command for each group.
fn print(out: &mut Output, names: &[String], found: &[(Vec<Opcode>, bool)]) -> Result<(), Failure> {
    for (number, (name, (opcodes, is_one))) in names.iter().zip(found).enumerate() {
        if number > 0 {
            out.line(format_args!(""))?;
        }
        if let Some(function) = GuFunction::from_name(name.trim()) {
            for line in function.lines() {
                out.line(format_args!("{line}"))?;
            }
            if !opcodes.is_empty() {
                out.line(format_args!(""))?;
            }
        }
        for opcode in opcodes {
            if *is_one {
                let text = describe(*opcode).to_string();
                let (title, rest) = text.trim_end().split_once('\n').unwrap_or((&text, ""));
                out.marked_line("", Mark::Title, title, &format!("\n{rest}"))?;
            } else {
                print_line(out, *opcode)?;
            }
        }
    }
    Ok(())
}

fn print_classes(out: &mut Output) -> Result<(), Failure> {
    for (number, (class, name, about)) in CLASSES.into_iter().enumerate() {
        if number > 0 {
            out.line(format_args!(""))?;
        }
        out.marked_line("", Mark::Title, name, &format!(": {about}"))?;
        for opcode in of_class(class) {
            print_line(out, opcode)?;
        }
    }
    Ok(())
}

fn print_line(out: &mut Output, opcode: Opcode) -> Result<(), Failure> {
    let info = opcode.info();
    out.line(format_args!("  0x{:02X}  {:<20}  {}", opcode.code(), info.name, info.doc))
}

/// Prints a document for each command named, or for all commands if the user named none.
fn print_json(out: &mut Output, names: &[String], found: &[(Vec<Opcode>, bool)]) -> Result<(), Failure> {
    let named = names
        .iter()
        .zip(found)
        .flat_map(|(name, (opcodes, _))| opcodes.iter().map(|opcode| OpcodeDocument::new(name, *opcode)));
    let mut documents: Vec<OpcodeDocument> = named.collect();
    if found.is_empty() {
        documents = Opcode::all().map(|opcode| OpcodeDocument::new(opcode.name(), opcode)).collect();
    }
    for document in &documents {
        out.json(document, documents.len() == 1)?;
    }
    Ok(())
}
