//! The trace of draws, with the state at each one if it is asked for.

use pspge::asm::text::describe;
use pspge::documents::DrawDocument;
use pspge::documents::draw::{DrawDescriber, VertexData};
use pspge::documents::state::State;
use pspge::documents::state::matrices::AffineRows;
use pspge::ge::float::Float;
use pspge::ge::limits::{LimitHit, Limits};
use pspge::ge::memory::Memory;
use pspge::ge::registers::Registers;
use pspge::pipeline::draw::{Draw, ImmediateDraw};
use pspge::pipeline::texture::content_hash::ContentHash;
use pspge::raster::Rasterizer;
use pspge::run::sink::Sink;
use pspge::run::trace::register_lines;

use super::printer::Printer;
use super::selection::Selection;
use crate::failure::Failure;
use crate::output::Output;

/// Prints draws as the list runs. It rasterizes them to count their pixels.
pub(super) struct DrawPrinter<'a, 'o> {
    pub(super) selection: &'a Selection<'a>,
    pub(super) printer: &'a mut Printer<'o>,
    pub(super) raster: Rasterizer,
    pub(super) describer: DrawDescriber<'a>,
}

impl DrawPrinter<'_, '_> {
    /// Returns the number of pixels that a draw writes.
    fn pixels(&mut self, draw: impl FnOnce(&mut Rasterizer)) -> u64 {
        let before = self.raster.statistics().pixels;
        draw(&mut self.raster);
        self.raster.statistics().pixels - before
    }

    fn print(&mut self, document: &DrawDocument, registers: &Registers) {
        self.printer.print(|| document, |out| text(out, document, registers));
    }
}

impl Sink for DrawPrinter<'_, '_> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let document = self.selection.take(draw.number).then(|| {
            // Hashes are of the bytes that the draw reads: after all earlier draws, and before this one.
            self.raster.flush(memory);
            self.describer.draw(memory, draw, None)
        });
        let pixels = self.pixels(|raster| raster.draw(memory, draw));
        if let Some(document) = document {
            self.print(&DrawDocument { pixels: Some(pixels), ..document }, draw.registers);
        }
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        let document = self.selection.take(draw.number).then(|| {
            self.raster.flush(memory);
            self.describer.immediate(memory, draw, None)
        });
        let pixels = self.pixels(|raster| raster.draw_immediate(memory, draw));
        if let Some(document) = document {
            self.print(&DrawDocument { pixels: Some(pixels), ..document }, draw.registers);
        }
    }

    fn flush(&mut self, memory: &mut Memory) {
        self.raster.flush(memory);
    }

    fn flush_textures(&mut self) {
        self.raster.flush_textures();
    }

    fn begin(&mut self, limits: &Limits) {
        self.raster.begin(limits);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.raster.limit_hit()
    }
}

/// Prints a draw as a line, and its state as lines below it: registers, hashes, matrices.
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

/// Prints the matrices that the draw uses.
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
