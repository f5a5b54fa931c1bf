//! Traces draws, with the state at each if the user asks for it.

use pspge::asm::text::describe;
use pspge::documents::DrawDocument;
use pspge::documents::draw::VertexData;
use pspge::documents::draw_list::DrawReceiver;
use pspge::documents::state::State;
use pspge::documents::state::matrices::AffineRows;
use pspge::ge::float::Float;
use pspge::ge::registers::Registers;
use pspge::pipeline::texture::content_hash::ContentHash;
use pspge::run::trace::register_lines;

use super::printer::Printer;
use super::selection::Selection;
use crate::output::Output;
use crate::terminal::failure::Failure;

pub(super) struct DrawPrinter<'a, 'o> {
    pub(super) selection: &'a Selection<'a>,
    pub(super) printer: &'a mut Printer<'o>,
}

impl DrawReceiver for DrawPrinter<'_, '_> {
    fn wants(&mut self, draw: u64) -> bool {
        self.selection.take(draw)
    }

    fn receive(&mut self, draw: DrawDocument, registers: &Registers) {
        self.printer.print(|| &draw, |out| text(out, &draw, registers));
    }
}

/// Prints a draw as a line, followed by lines for its state: registers, hashes, matrices.
fn text(out: &mut Output, draw: &DrawDocument, registers: &Registers) -> Result<(), Failure> {
    let pixels = draw.pixels.map(|pixels| format!(" | {pixels} pixels")).unwrap_or_default();
    out.line(format_args!("{}{pixels}", draw.text))?;
    let Some(state) = &draw.state else { return Ok(()) };
    for command in register_lines(registers) {
        out.line(format_args!("    {}", describe(command)))?;
    }
    if let Some(VertexData { first, last, hash, index_hash, .. }) = &draw.vertex_data {
        print_hash(out, &format!("vertices {first} to {last}"), *hash)?;
        print_hash(out, "indices", *index_hash)?;
    }
    print_hash(out, "texture", state.texture.hash)?;
    if state.texture.enabled {
        print_hash(out, "palette", state.palette.hash)?;
    }
    print_matrices(out, state)
}

fn print_hash(out: &mut Output, name: &str, hash: Option<ContentHash>) -> Result<(), Failure> {
    match hash {
        Some(hash) => out.line(format_args!("    hash of {name}: {hash}")),
        None => Ok(()),
    }
}

/// Prints the matrices used by this draw.
fn print_matrices(out: &mut Output, state: &State) -> Result<(), Failure> {
    if state.vertex.through {
        return Ok(());
    }
    let matrices = &state.matrices;
    for (name, rows) in [("world", &matrices.world), ("view", &matrices.view), ("texture", &matrices.texture)]
    {
        print_rows(out, name, rows)?;
    }
    out.line(format_args!("    projection matrix: {}", rows_text(&matrices.projection)))?;
    for (number, rows) in matrices.bones.iter().enumerate().take(state.vertex.weights.into()) {
        print_rows(out, &format!("bone {number}"), rows)?;
    }
    Ok(())
}

fn print_rows(out: &mut Output, name: &str, rows: &AffineRows) -> Result<(), Failure> {
    out.line(format_args!("    {name} matrix: {}", rows_text(rows)))
}

fn rows_text<const N: usize>(rows: &[[Float; N]; 4]) -> String {
    let row = |row: &[Float; N]| row.map(|Float(number)| number.to_string()).join(" ");
    rows.each_ref().map(row).join(" | ")
}
