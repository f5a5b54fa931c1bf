//! The sink and the observer that make rows of draws, vertices and commands.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::commands::{self, CommandRow};
use super::draws::{self, DrawRow, GeometryCounts};
use super::kind::Table;
use super::options::TableOptions;
use super::rows::{Output, Rows};
use super::vertices::{self, VertexRow};
use crate::documents::hashes::ContentHashes;
use crate::ge::capture::Source;
use crate::ge::limits::{LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::VertexType;
use crate::model::bounds::Bounds;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::texture::content_hash;
use crate::raster::{Rasterizer, Statistics};
use crate::run::decode::{DecodedDraw, DecodedVertex, Space, decode_immediate, decode_into};
use crate::run::sink::{Observer, Sink, Step};
use crate::run::texture_uses::TextureUses;

/// Makes rows of draws and vertices, and draws.
pub(super) struct DrawRows<'a, 'o> {
    pub(super) uses: TextureUses<Rasterizer>,
    pub(super) hashes: ContentHashes,
    /// Sums over all draws.
    pub(super) geometry: GeometryCounts,
    /// The box around all vertices outside through mode.
    pub(super) bounds: Option<Bounds>,
    output: &'a RefCell<Output<'o>>,
    sources: &'a [Source],
    draws: Rows<DrawRow>,
    vertices: Rows<VertexRow>,
}

impl<'a, 'o> DrawRows<'a, 'o> {
    /// Creates the sink of a run. `sources` are the parts of memory that come from files.
    pub(super) fn new(
        raster: Rasterizer,
        options: &TableOptions,
        sources: &'a [Source],
        output: &'a RefCell<Output<'o>>,
    ) -> Self {
        Self {
            uses: TextureUses::new(raster).without_pictures(),
            hashes: ContentHashes::new(&options.render.limits),
            geometry: GeometryCounts::default(),
            bounds: None,
            output,
            sources,
            draws: Rows::new(options.wants(Table::Draws).then_some(&draws::LAYOUT)),
            vertices: Rows::new(options.wants(Table::Vertices).then_some(&vertices::LAYOUT)),
        }
    }

    /// Returns counts of everything drawn so far.
    pub(super) fn drawn(&self) -> Statistics {
        self.uses.inner().statistics()
    }

    /// Sends the rows that are left.
    pub(super) fn finish(&mut self) {
        let output = &mut self.output.borrow_mut();
        self.draws.send(output);
        self.vertices.send(output);
    }

    /// Completes the draws that write the texture of the next one, so that its hash is that of the texels it samples.
    fn flush_texture(&mut self, memory: &mut Memory, registers: &Registers) {
        if registers.is_on(Opcode::TEXENABLE) {
            for level in content_hash::levels(registers) {
                self.uses.flush_for_read(memory, level.address, level.bytes());
            }
        }
    }

    /// Adds the vertices of a draw to those of the frame, and returns its counts.
    fn add_geometry(
        &mut self,
        number: u64,
        vertex_type: VertexType,
        decode: impl FnOnce(&mut dyn FnMut(DecodedVertex)) -> DecodedDraw,
    ) -> GeometryCounts {
        let output = &mut self.output.borrow_mut();
        let mut count = 0_u32;
        let decoded = decode(&mut |vertex| {
            if !vertex_type.through
                && let Some(point) = Bounds::of([vertex.position])
            {
                self.bounds = Some(self.bounds.map_or(point, |bounds| bounds.union(&point)));
            }
            if self.vertices.is_wanted() {
                self.vertices.push(VertexRow::new(number, count, vertex_type, vertex), output);
            }
            count = count.saturating_add(1);
        });
        let counts = GeometryCounts {
            vertices: count.into(),
            triangles: decoded.triangles.len() as u64,
            pairs: decoded.pairs.len() as u64,
            points: decoded.points.len() as u64,
        };
        self.geometry.add(counts);
        counts
    }

    /// Draws, and sends the row of the draw, if it is wanted.
    fn add_draw(
        &mut self,
        row: Option<DrawRow>,
        geometry: GeometryCounts,
        draw: impl FnOnce(&mut TextureUses<Rasterizer>),
    ) {
        let before = self.drawn();
        draw(&mut self.uses);
        let after = self.drawn();
        if let Some(row) = row {
            let drawn = Statistics {
                primitives: after.primitives.saturating_sub(before.primitives),
                triangles: after.triangles.saturating_sub(before.triangles),
                pixels: after.pixels.saturating_sub(before.pixels),
            };
            self.draws.push(row.finish(geometry, drawn), &mut self.output.borrow_mut());
        }
    }
}

impl Sink for DrawRows<'_, '_> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let row = self.draws.is_wanted().then(|| {
            self.flush_texture(memory, draw.registers);
            DrawRow::new(memory, draw, self.sources, &mut self.hashes)
        });
        let geometry = self.add_geometry(draw.number, draw.registers.get(), |out| {
            decode_into(memory, draw, Space::World, &mut |vertex, _| out(vertex))
        });
        self.add_draw(row, geometry, |uses| uses.draw(memory, draw));
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        let row = self.draws.is_wanted().then(|| {
            self.flush_texture(memory, draw.registers);
            DrawRow::of_immediate(memory, draw, self.sources, &mut self.hashes)
        });
        let decoded = decode_immediate(draw);
        let geometry = self.add_geometry(draw.number, decoded.vertex_type, |out| {
            decoded.vertices.iter().copied().for_each(out);
            decoded
        });
        self.add_draw(row, geometry, |uses| uses.draw_immediate(memory, draw));
    }

    crate::run::sink::forward_flushes!(uses);

    fn begin(&mut self, limits: &Limits) {
        self.hashes = ContentHashes::new(limits);
        self.uses.begin(limits);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.uses.limit_hit()
    }
}

/// Makes rows of commands, and stops the run if no more rows are wanted.
pub(super) struct CommandRows<'a, 'o> {
    output: &'a RefCell<Output<'o>>,
    sources: &'a [Source],
    commands: Rows<CommandRow>,
}

impl<'a, 'o> CommandRows<'a, 'o> {
    /// Creates the observer of a run. `sources` are the parts of memory that come from files.
    pub(super) fn new(
        options: &TableOptions,
        sources: &'a [Source],
        output: &'a RefCell<Output<'o>>,
    ) -> Self {
        let layout = options.wants(Table::Commands).then_some(&*commands::LAYOUT);
        Self { output, sources, commands: Rows::new(layout) }
    }

    /// Sends the rows that are left.
    pub(super) fn finish(&mut self) {
        self.commands.send(&mut self.output.borrow_mut());
    }
}

impl Observer for CommandRows<'_, '_> {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        let output = &mut self.output.borrow_mut();
        if output.is_stopped() {
            return ControlFlow::Break(());
        }
        if self.commands.is_wanted() {
            self.commands.push(CommandRow::new(step, self.sources), output);
        }
        ControlFlow::Continue(())
    }
}
