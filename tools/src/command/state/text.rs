//! Prints the state at an event.

use std::fmt;

use pspge::asm::text::describe;
use pspge::documents::StateDocument;
use pspge::documents::event_state::{MatrixChange, WriterInfo, WriterKind};
use pspge::documents::state::State;
use pspge::ge::float::Float;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::Registers;
use pspge::run::trace::register_lines;

use crate::output::Output;
use crate::terminal::failure::Failure;

/// These commands set pointers. The register list leaves them out, because they control list flow.
const POINTERS: [Opcode; 4] = [Opcode::VADDR, Opcode::IADDR, Opcode::BASE, Opcode::OFFSETADDR];

/// Prints the event, its changes, and all registers with their writers. `registers` belong to the same state.
pub(super) fn print(
    out: &mut Output,
    document: &StateDocument,
    registers: &Registers,
) -> Result<(), Failure> {
    match &document.event {
        Some(event) => out.line(format_args!("before {}", event.text))?,
        None => out.line(format_args!("at the end of the run, after {} events", document.event_count))?,
    }
    if let Some(text) = &document.draw_text {
        out.line(format_args!("{text}"))?;
    }
    print_changes(out, document)?;
    out.line(format_args!("registers:"))?;
    for command in register_lines(registers) {
        let name = command.opcode().name();
        let writer = document.writers.get(name).map(comment).unwrap_or_default();
        out.line(format_args!("    {:48} {writer}", describe(command).to_string()))?;
    }
    for opcode in POINTERS.into_iter().filter(|opcode| registers.argument(*opcode) != 0) {
        let writer = document.writers.get(opcode.name()).map(comment).unwrap_or_default();
        out.line(format_args!("    {:48} {writer}", describe(registers.command(opcode)).to_string()))?;
    }
    print_matrices(out, document)?;
    print_hashes(out, &document.state)?;
    out.line(format_args!("    palette memory{:34} {}", "", comment(&document.palette_writer)))
}

fn print_changes(out: &mut Output, document: &StateDocument) -> Result<(), Failure> {
    match &document.previous_event {
        Some(event) => out.line(format_args!("changed since {}:", event.text))?,
        None => out.line(format_args!("changed since the start:"))?,
    }
    for change in &document.changes {
        out.line(format_args!("    {:48} {}", change.text, comment(&change.writer)))?;
    }
    for change in &document.matrix_changes {
        out.line(format_args!("    {:48} {}", elements_text(change), last_writer(change.writers.iter())))?;
    }
    if document.palette_changed {
        out.line(format_args!("    {:48} {}", "palette memory", comment(&document.palette_writer)))?;
    }
    Ok(())
}

/// Names the matrix elements that differ: `world matrix, elements 0-11`.
fn elements_text(change: &MatrixChange) -> String {
    format!("{} matrix, elements {}", change.matrix.name(), ranges(&change.elements))
}

/// Writes rising numbers as ranges: `0-3,7`.
pub(in crate::command) fn ranges<T: Copy + Into<u64> + fmt::Display>(numbers: &[T]) -> String {
    let value = |number: &T| -> u64 { (*number).into() };
    let ranges = numbers.chunk_by(|before, after| value(before) + 1 == value(after));
    let range = |range: &[T]| match range {
        [only] => only.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    };
    ranges.map(range).collect::<Vec<_>>().join(",")
}

/// Describes the last writer as a comment.
fn comment(writer: &WriterInfo) -> String {
    format!("; {}", writer_text(writer))
}

/// Describes the last writer: `command 12 at 0x08900040 +0x40`, `CPU record 3`, or `start`.
pub(in crate::command) fn writer_text(writer: &WriterInfo) -> String {
    match (writer.kind, writer.command, writer.address, writer.record) {
        (WriterKind::Command, Some(command), Some(address), _) => {
            let offset = writer.file_offset.map(|offset| format!(" +{offset:#x}")).unwrap_or_default();
            format!("command {command} at {address}{offset}")
        }
        (WriterKind::Cpu, _, _, Some(record)) => format!("CPU record {record}"),
        _ => "start".to_owned(),
    }
}

/// Describes the last to write any of several elements.
fn last_writer<'a>(writers: impl Iterator<Item = &'a WriterInfo>) -> String {
    let last = writers.max_by_key(|writer| (writer.record, writer.command));
    last.map(comment).unwrap_or_default()
}

/// Prints matrices that are not all zeros, with their last writers.
fn print_matrices(out: &mut Output, document: &StateDocument) -> Result<(), Failure> {
    let matrices = &document.state.matrices;
    let mut rows: Vec<(String, &str, String, bool)> = Vec::new();
    for (name, matrix) in
        [("world", &matrices.world), ("view", &matrices.view), ("texture", &matrices.texture)]
    {
        rows.push((format!("{name} matrix"), name, rows_text(matrix), is_zero(matrix)));
    }
    let projection = &matrices.projection;
    rows.push(("projection matrix".to_owned(), "projection", rows_text(projection), is_zero(projection)));
    for (number, bone) in matrices.bones.iter().enumerate() {
        rows.push((format!("bone {number} matrix"), "bones", rows_text(bone), is_zero(bone)));
    }
    for (title, name, text, is_zero) in rows {
        if !is_zero {
            let writers = document.matrix_writers.iter().find(|(matrix, _)| matrix.name() == name);
            let writer = writers.map(|(_, writers)| last_writer(writers.iter())).unwrap_or_default();
            out.line(format_args!("    {title}: {text} {writer}"))?;
        }
    }
    Ok(())
}

fn is_zero<const N: usize>(rows: &[[Float; N]; 4]) -> bool {
    rows.iter().flatten().all(|Float(number)| *number == 0.0)
}

fn rows_text<const N: usize>(rows: &[[Float; N]; 4]) -> String {
    let row = |row: &[Float; N]| row.map(|Float(number)| number.to_string()).join(" ");
    rows.each_ref().map(row).join(" | ")
}

fn print_hashes(out: &mut Output, state: &State) -> Result<(), Failure> {
    for (name, hash) in [("texture", state.texture.hash), ("palette", state.palette.hash)] {
        if let Some(hash) = hash.filter(|_| state.texture.enabled) {
            out.line(format_args!("    hash of {name}: {hash}"))?;
        }
    }
    Ok(())
}
