//! Prints the first difference between two runs.

use std::fmt::Write as _;

use pspge::debug::pixel::history::PixelHistory;
use pspge::documents::DiffDocument;
use pspge::documents::diff::{MatrixDifference, ValueDifference};
use pspge::documents::event_state::WriterInfo;
use pspge::ge::draw_set::DrawSet;

use crate::command::state::text::{ranges, writer_text};
use crate::output::Output;
use crate::terminal::colors::Mark;
use crate::terminal::failure::Failure;

/// At most this many lines show values from the same member in a document.
const VALUES_MAX: usize = 8;

/// Prints the event, all differences, and the first pixel's history in both runs.
pub(super) fn print(
    out: &mut Output,
    document: &DiffDocument,
    histories: &[Option<PixelHistory>; 2],
) -> Result<(), Failure> {
    out.line(format_args!("A: {}", document.a))?;
    out.line(format_args!("B: {}", document.b))?;
    let mark = if document.is_different { Mark::Error } else { Mark::Good };
    out.marked_line("", mark, &document.text, "")?;
    if !document.is_different {
        return Ok(());
    }
    print_events(out, document)?;
    print_state(out, document)?;
    print_values(out, document)?;
    for (name, history) in ["A", "B"].into_iter().zip(histories) {
        if let Some(history) = history {
            out.line(format_args!(""))?;
            out.line(format_args!("in {name}, up to the event: {}", at_event(document, history)))?;
        }
    }
    Ok(())
}

/// Limits a history to the event's draw. For other events, it stays whole.
fn at_event(document: &DiffDocument, history: &PixelHistory) -> PixelHistory {
    let mut history = history.clone();
    if let Some(draw) = document.draw {
        history.shown = DrawSet::one(draw);
    }
    history
}

fn print_events(out: &mut Output, document: &DiffDocument) -> Result<(), Failure> {
    let [a, b] = [&document.a_event, &document.b_event]
        .map(|event| event.as_ref().map_or("none: the run has ended", |event| event.text.as_str()));
    let has_other_run = document.byte_count.is_some() || document.b_event.is_some();
    if a == b || !has_other_run {
        out.line(format_args!("{a}"))?;
    } else {
        out.line(format_args!("  in A: {a}"))?;
        out.line(format_args!("  in B: {b}"))?;
    }
    for (name, is_left_out) in [("A", document.a_is_left_out), ("B", document.b_is_left_out)] {
        if is_left_out {
            out.line(format_args!("{name} leaves it out"))?;
        }
    }
    if let (Some(count), Some(earlier)) = (document.byte_count, document.earlier_count) {
        let mut line = format!("it leaves {count} different bytes");
        if earlier > 0 {
            // Writing into a String cannot fail.
            let _ = write!(line, "; {earlier} of them differed before");
        }
        out.line(format_args!("{line}"))?;
    }
    Ok(())
}

fn print_state(out: &mut Output, document: &DiffDocument) -> Result<(), Failure> {
    if !document.registers.is_empty() || !document.matrices.is_empty() {
        out.line(format_args!("registers that differ:"))?;
    }
    for register in &document.registers {
        let (a, b) = (writer(register.a_writer.as_ref()), writer(register.b_writer.as_ref()));
        out.line(format_args!("    {}", register.register))?;
        out.line(format_args!("        A {:48} ; {a}", register.a_text))?;
        out.line(format_args!("        B {:48} ; {b}", register.b_text))?;
    }
    for matrix in &document.matrices {
        let (name, elements) = (matrix.matrix.name(), ranges(&matrix.elements));
        out.line(format_args!("    {name} matrix, elements {elements}"))?;
        for (side, values, writers) in
            [("A", &matrix.a, &matrix.a_writers), ("B", &matrix.b, &matrix.b_writers)]
        {
            let values = differing(matrix, values.iter().map(|value| value.0));
            let last =
                writers.iter().max_by_key(|writer| writer.map(|writer| (writer.record, writer.command)));
            let writer = writer(last.and_then(Option::as_ref));
            out.line(format_args!("        {side} {values:48} ; {writer}"))?;
        }
    }
    Ok(())
}

/// Lists the matrix elements that differ.
fn differing(matrix: &MatrixDifference, values: impl Iterator<Item = f32>) -> String {
    let is_listed = |position: usize| matrix.elements.iter().any(|element| usize::from(*element) == position);
    let values = values.enumerate().filter(|(position, _)| is_listed(*position));
    values.map(|(_, value)| value.to_string()).collect::<Vec<_>>().join(" ")
}

/// Describes a register's last writer. A register without one was set by an option.
fn writer(writer: Option<&WriterInfo>) -> String {
    writer.map_or_else(|| "set by an option".to_owned(), writer_text)
}

/// Prints the values that differ, grouped by the member they belong to, with only the first few from each.
fn print_values(out: &mut Output, document: &DiffDocument) -> Result<(), Failure> {
    let member = |value: &ValueDifference| {
        let end = value.path.find(['.', '[']).unwrap_or(value.path.len());
        value.path.get(..end).unwrap_or_default().to_owned()
    };
    if !document.values.is_empty() {
        out.line(format_args!("values that differ, {} in all (see pspge draw):", document.value_count))?;
    }
    for values in document.values.chunk_by(|a, b| member(a) == member(b)) {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".to_owned());
        for value in values.iter().take(VALUES_MAX) {
            out.line(format_args!("    {:40} A {}, B {}", value.path, text(&value.a), text(&value.b)))?;
        }
        if let (Some(more), Some(first)) =
            (values.len().checked_sub(VALUES_MAX).filter(|more| *more > 0), values.first())
        {
            out.line(format_args!("    and at least {more} more of {} (see --json)", member(first)))?;
        }
    }
    Ok(())
}
