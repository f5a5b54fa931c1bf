//! Watches a run to make rows for draws, vertices and commands.

use std::ops::ControlFlow;

use super::commands::{self, CommandRow};
use super::draws::{self, DrawRow, GeometryCounts};
use super::kind::Table;
use super::options::TableOptions;
use super::rows::{Output, Rows};
use super::vertices::{self, VertexRow};
use crate::documents::hashes::ContentHashes;
use crate::ge::capture::Source;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::VertexType;
use crate::pipeline::bounds::Bounds;
use crate::pipeline::texture::content_hash;
use crate::raster::{Rasterizer, Statistics};
use crate::run::decode::{DecodedDraw, DecodedVertex, Space, decode_immediate, decode_into};
use crate::run::sink::{Sink, Step};
use crate::run::texture_uses::TextureUses;
use crate::run::watch::{Outcome, RunEvent, RunEventKind, Watch};

/// Draws during the run, and collects the textures.
pub(super) type TableSink = TextureUses<Rasterizer>;

/// Makes rows for draws, vertices and commands, and stops the run if the receiver takes no more.
pub(super) struct RowRecorder<'a, 'o> {
    pub(super) hashes: ContentHashes,
    /// Sums over all draws.
    pub(super) geometry: GeometryCounts,
    /// The box around all vertices outside through mode.
    pub(super) bounds: Option<Bounds>,
    output: &'a mut Output<'o>,
    sources: &'a [Source],
    draws: Rows<DrawRow>,
    vertices: Rows<VertexRow>,
    commands: Rows<CommandRow>,
    /// Kept from before a draw until after it: its row if wanted, its counts, and everything drawn before it.
    current: (Option<DrawRow>, GeometryCounts, Statistics),
}

impl<'a, 'o> RowRecorder<'a, 'o> {
    /// Creates the watcher. `sources` tells which memory comes from files.
    pub(super) fn new(options: &TableOptions, sources: &'a [Source], output: &'a mut Output<'o>) -> Self {
        Self {
            hashes: ContentHashes::new(&options.render.limits),
            geometry: GeometryCounts::default(),
            bounds: None,
            output,
            sources,
            draws: Rows::new(options.wants(Table::Draws).then_some(&draws::LAYOUT)),
            vertices: Rows::new(options.wants(Table::Vertices).then_some(&vertices::LAYOUT)),
            commands: Rows::new(options.wants(Table::Commands).then_some(&*commands::LAYOUT)),
            current: (None, GeometryCounts::default(), Statistics::default()),
        }
    }

    /// Sends the remaining rows. Call this after the run.
    pub(super) fn finish(&mut self) {
        self.commands.send(self.output);
        self.draws.send(self.output);
        self.vertices.send(self.output);
    }

    /// Completes earlier draws to this draw's texture, because the hash must cover the texels as they are sampled.
    fn flush_texture(sink: &mut TableSink, memory: &mut Memory, registers: &Registers) {
        if registers.is_on(Opcode::TEXENABLE) {
            for level in content_hash::levels(registers) {
                sink.flush_for_read(memory, level.address, level.bytes());
            }
        }
    }

    /// Adds a draw's vertices to the frame's bounds and rows, and returns the draw's counts.
    fn add_geometry(
        &mut self,
        number: u64,
        vertex_type: VertexType,
        decode: impl FnOnce(&mut dyn FnMut(DecodedVertex)) -> DecodedDraw,
    ) -> GeometryCounts {
        let mut count = 0_u32;
        let decoded = decode(&mut |vertex| {
            // Through vertices are in pixels, which would not fit into a box in world space.
            if !vertex_type.through
                && let Some(point) = Bounds::of([vertex.position])
            {
                self.bounds = Some(self.bounds.map_or(point, |bounds| bounds.union(&point)));
            }
            if self.vertices.is_wanted() {
                self.vertices.push(VertexRow::new(number, count, vertex_type, vertex), self.output);
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
}

impl Watch<TableSink> for RowRecorder<'_, '_> {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        if self.output.is_stopped() {
            return ControlFlow::Break(());
        }
        if self.commands.is_wanted() {
            self.commands.push(CommandRow::new(step, self.sources), self.output);
        }
        ControlFlow::Continue(())
    }

    fn before(&mut self, sink: &mut TableSink, memory: &mut Memory, event: &RunEvent<'_>) {
        let Some(registers) = event.kind.draw_registers() else { return };
        if self.draws.is_wanted() {
            // This is needed only for draw rows, because nothing else hashes texels.
            Self::flush_texture(sink, memory, registers);
        }
        let (is_wanted, number) = (self.draws.is_wanted(), event.place.draw);
        let (row, geometry) = match event.kind {
            RunEventKind::Draw(draw) => {
                let row = is_wanted.then(|| DrawRow::new(memory, draw, self.sources, &mut self.hashes));
                let geometry = self.add_geometry(number, registers.get(), |out| {
                    decode_into(memory, draw, Space::World, &mut |vertex, _| out(vertex))
                });
                (row, geometry)
            }
            RunEventKind::Immediate(draw) => {
                let row =
                    is_wanted.then(|| DrawRow::of_immediate(memory, draw, self.sources, &mut self.hashes));
                let decoded = decode_immediate(draw);
                let geometry = self.add_geometry(number, decoded.vertex_type, |out| {
                    decoded.vertices.iter().copied().for_each(out);
                    decoded
                });
                (row, geometry)
            }
            RunEventKind::Transfer(_) | RunEventKind::Cpu { .. } => return,
        };
        self.current = (row, geometry, sink.inner().statistics());
    }

    fn after(&mut self, sink: &mut TableSink, _: &mut Memory, event: &RunEvent<'_>, outcome: Outcome) {
        if event.kind.draw_registers().is_none() || outcome != Outcome::Done {
            return;
        }
        let (row, geometry, before) = std::mem::take(&mut self.current);
        // The sink only sums up, so this draw's own share is the difference across it.
        let after = sink.inner().statistics();
        if let Some(row) = row {
            let drawn = Statistics {
                primitives: after.primitives.saturating_sub(before.primitives),
                triangles: after.triangles.saturating_sub(before.triangles),
                pixels: after.pixels.saturating_sub(before.pixels),
            };
            self.draws.push(row.finish(geometry, drawn), self.output);
        }
    }
}
