//! Tracks which bytes each event reads and writes, and keeps every byte's last writer.
//!
//! # Invariants
//! Draws are completed in order, so that the tracker knows all bytes' writers before each event.

use std::ops::Range;

use super::dependencies::{Origin, Read, ReadKind};
use super::draw_writes::DrawWrites;
use super::footprint::DrawFootprint;
use super::memory_uses::{Access, MemoryUses, UseKind};
use super::palette_origin::{PaletteOrigin, loaded_bytes};
use super::pixel_access::{PixelAccess, Store};
use super::splitter::{OldValue, PassFacts, PassSplitter};
use super::texture_reads::{TextureReads, sampled_levels};
use crate::debug::memory::byte_writers::ByteWriters;
use crate::debug::memory::written_bytes::{WriterSum, WriterSummary};
use crate::debug::timeline::EventNumber;
use crate::ge::address::Address;
use crate::ge::capture::{Action, Display, SCREEN};
use crate::ge::color;
use crate::ge::edram::Translation;
use crate::ge::limits::{Budget, Limit, Limits};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::texture::{Texture, palette};
use crate::run::interpreter::for_each_piece;
use crate::run::sink::Step;

/// How much memory an interval in written main RAM takes, in bytes.
const INTERVAL_BYTES: u64 = 64;
/// How many bytes in a copy to VRAM to compare at most: all views.
const MAX_PENDING: u32 = 0x0100_0000;

/// The record's state.
#[derive(Debug)]
pub(super) struct DependencyTracker {
    pub(super) writers: ByteWriters,
    pub(super) passes: PassSplitter,
    /// Where each event's bytes come from.
    pub(super) origins: Vec<Origin>,
    pub(super) reads: Vec<Read>,
    pub(super) budget: Budget,
    pub(super) footprint: DrawFootprint,
    draws: DrawWrites,
    textures: TextureReads,
    palette: PaletteOrigin,
    pending: Option<PendingCopy>,
    /// Whether depth was read whose writer is not certain.
    pub(super) needs_depth: bool,
    /// The events that use a part of memory, if asked for.
    pub(super) uses: Option<MemoryUses>,
}

/// Remembers a copy that may leave out bytes, until it has happened.
#[derive(Debug)]
struct PendingCopy {
    event: EventNumber,
    to: Address,
    before: Vec<u8>,
}

impl DependencyTracker {
    /// Creates a tracker to use from the start of a run.
    pub(super) fn new(limits: &Limits, follows_depth: bool) -> Self {
        Self {
            writers: ByteWriters::default(),
            passes: PassSplitter::default(),
            origins: Vec::new(),
            reads: Vec::new(),
            budget: Budget::new(limits, Limit::Memory),
            footprint: DrawFootprint::default(),
            draws: DrawWrites::new(follows_depth),
            textures: TextureReads::default(),
            palette: PaletteOrigin::default(),
            pending: None,
            needs_depth: false,
            uses: None,
        }
    }

    /// Notes that an event uses a byte range, if uses are asked for.
    fn add_use(
        &mut self,
        event: Option<EventNumber>,
        access: Access,
        bytes: (Address, u32),
        translation: Translation,
    ) {
        if let Some(uses) = &mut self.uses {
            uses.add(event, access, bytes, translation);
        }
    }

    /// Notes that the current draw uses the bytes of its pixels, if uses are asked for.
    fn add_pixel_uses(&mut self, access: &PixelAccess, translation: Translation, event: EventNumber) {
        let Self { uses: Some(uses), footprint, .. } = self else { return };
        for (color, is_used) in [
            (Access::read(UseKind::Color), access.reads_color),
            (Access::read(UseKind::Stencil), access.reads_stencil),
            (Access::write(UseKind::Color), access.color_store != Store::Never),
        ] {
            if is_used {
                footprint.for_each_color_range(access.color, |bytes| uses.add_vram(event, color, bytes));
            }
        }
        for (depth, is_used) in [
            (Access::read(UseKind::Depth), access.reads_depth),
            (Access::write(UseKind::Depth), access.depth_store != Store::Never),
        ] {
            if is_used {
                footprint.for_each_depth_range(access.depth, translation, |bytes| {
                    uses.add_vram(event, depth, bytes);
                });
            }
        }
    }

    /// Sets where an event's bytes come from.
    fn set_origin(&mut self, event: EventNumber, origin: Origin) {
        self.origins.resize(event.index().saturating_add(1), Origin::Upload);
        if let Some(known) = self.origins.get_mut(event.index()) {
            *known = origin;
        }
    }

    /// Returns whether an event wrote a constant or bytes from the recording.
    fn is_upload(&self, event: EventNumber) -> bool {
        matches!(self.origins.get(event.index()), None | Some(Origin::Upload))
    }

    /// Adds a read and returns true, unless all bytes were uploaded.
    fn add_read(
        &mut self,
        reader: Option<EventNumber>,
        kind: ReadKind,
        address: Address,
        found: WriterSummary,
    ) -> bool {
        let WriterSummary { writers, unwritten } = found;
        let bytes = size_of::<Read>().saturating_add(size_of_val(&*writers)) as u64;
        if writers.iter().all(|part| self.is_upload(part.writer)) || self.budget.spend(bytes).is_err() {
            return false;
        }
        if kind == ReadKind::Copy {
            for part in writers.iter() {
                if let Some(Origin::Pass(pass)) = self.origins.get(part.writer.index()) {
                    self.passes.note_copied(*pass as usize);
                }
            }
        }
        self.reads.push(Read { reader, kind, address, writers, unwritten });
        true
    }

    /// Adds a read for a byte range and returns true, unless all bytes were uploaded.
    fn add_range(
        &mut self,
        reader: Option<EventNumber>,
        kind: ReadKind,
        (start, length): (Address, u32),
        translation: Translation,
    ) -> bool {
        let mut sum = WriterSum::default();
        sum.add_range(&self.writers, start, length, translation);
        self.needs_depth |= self.draws.is_uncertain(start, length, translation);
        self.add_use(reader, Access::read(kind), (start, length), translation);
        self.add_read(reader, kind, start, sum.finish())
    }

    /// Starts a draw's footprint. The caller must then add all its primitives.
    pub(super) fn start_draw(&mut self, memory: &Memory, registers: &Registers) {
        let Self { textures, writers, origins, footprint, .. } = self;
        let is_upload =
            |event: EventNumber| matches!(origins.get(event.index()), None | Some(Origin::Upload));
        let keeps = textures.needs_primitives(writers, memory, registers, is_upload);
        footprint.start(registers, keeps);
    }

    /// Returns which bytes must be complete in memory before and after the current draw, as address and length.
    pub(super) fn needed(&self, access: &PixelAccess) -> (Address, u32) {
        self.draws.needed(access, &self.footprint)
    }

    /// Adds a draw's vertices or indices.
    pub(super) fn add_vertices(
        &mut self,
        memory: &Memory,
        event: EventNumber,
        kind: ReadKind,
        bytes: (Address, u32),
    ) {
        self.add_range(Some(event), kind, bytes, memory.translation());
    }

    /// Adds a draw's other reads, before it is drawn.
    pub(super) fn before_draw(
        &mut self,
        memory: &Memory,
        registers: &Registers,
        access: &PixelAccess,
        (event, draw): (EventNumber, u64),
    ) {
        let translation = memory.translation();
        let levels = sampled_levels(registers);
        if let Some(first) = levels.first() {
            let found = self.textures.find(&self.writers, memory, registers, &levels, &self.footprint);
            if !found.writers.is_empty() {
                let is_uncertain =
                    |level: &Texture| self.draws.is_uncertain(level.address, level.bytes(), translation);
                self.needs_depth |= levels.iter().any(is_uncertain);
            }
            self.add_read(Some(event), ReadKind::Texture, first.address, found);
        }
        if let Some(uses) = &mut self.uses {
            for level in &levels {
                uses.add(
                    Some(event),
                    Access::read(UseKind::Texture),
                    (level.address, level.bytes()),
                    translation,
                );
            }
            if levels.iter().any(|level| level.format.is_indexed()) {
                uses.add_palette(event, translation);
            }
        }
        if let Some((address, found)) = self.palette.of_texture(&levels) {
            self.add_read(Some(event), ReadKind::Palette, address, found);
        }
        let before = self.passes.current();
        let pass = self.passes.add(access, event, draw);
        pass.primitives = pass.primitives.saturating_add(self.footprint.primitive_count);
        if let Some((bounds, count)) = self.footprint.pixels.bounds() {
            pass.pixels = pass.pixels.saturating_add(count);
            pass.drawn = Some(pass.drawn.take().map_or(bounds.clone(), |drawn| drawn.union(&bounds)));
        }
        let number = self.passes.current().and_then(|pass| u32::try_from(pass).ok());
        if self.passes.current() != before {
            // A spent budget ends the run.
            let _ = self.budget.spend(size_of::<PassFacts>() as u64);
        }
        self.set_origin(event, number.map_or(Origin::Upload, Origin::Pass));
        // The draw belongs to its pass now, so that results from the same pass do not count as old.
        self.add_old_values(access, translation);
        self.add_pixel_uses(access, translation, event);
        self.draws.keep(memory, access, &self.footprint);
    }

    /// Adds the old values in its buffers used by the current draw, unless its own pass wrote them.
    fn add_old_values(&mut self, access: &PixelAccess, translation: Translation) {
        let Self { writers, passes, origins, footprint, budget, .. } = self;
        let own = passes.current().and_then(|pass| u32::try_from(pass).ok()).map(Origin::Pass);
        let Some(pass) = passes.passes.last_mut() else { return };
        let mut add = |kind: OldValue, bytes: Range<usize>| {
            writers.visit_vram(bytes, |part, writer| {
                let Some(writer) = writer.filter(|writer| origins.get(writer.index()).copied() != own) else {
                    return;
                };
                let entry = size_of::<((OldValue, EventNumber), u64)>() as u64;
                if pass.old_values.contains_key(&(kind, writer)) || budget.spend(entry).is_ok() {
                    let count = pass.old_values.entry((kind, writer)).or_default();
                    *count = count.saturating_add(part.len() as u64);
                }
            });
        };
        if access.reads_color || access.reads_stencil {
            let kind = if access.reads_color { OldValue::Color } else { OldValue::Stencil };
            footprint.for_each_color_range(access.color, |bytes| add(kind, bytes));
        }
        if access.reads_depth {
            footprint.for_each_depth_range(access.depth, translation, |bytes| add(OldValue::Depth, bytes));
        }
    }

    /// Sets the writer for a draw's bytes, after it was drawn.
    pub(super) fn after_draw(&mut self, memory: &Memory, access: &PixelAccess, event: EventNumber) {
        let Self { draws, footprint, writers, .. } = self;
        draws.finish(memory, access, footprint, writers, event);
    }

    /// Adds a block transfer with the operands in these registers.
    pub(super) fn add_transfer(&mut self, memory: &Memory, registers: &Registers, event: EventNumber) {
        self.set_origin(event, Origin::Transfer);
        let (translation, before) = (memory.translation(), self.writers.interval_count());
        let (mut sum, mut first, mut is_uncertain) = (WriterSum::default(), None, false);
        let Self { writers, draws, uses, .. } = self;
        for_each_piece(registers, memory, |from, to, length| {
            if let Some(uses) = uses {
                uses.add(Some(event), Access::read(UseKind::Copy), (from, length), translation);
            }
            first.get_or_insert(from);
            is_uncertain |= draws.is_uncertain(from, length, translation);
            writers.visit(from, length, translation, |part, writer| {
                // A transfer may overlap itself. It then reads its own results, and these do not count.
                sum.add(writer.filter(|writer| *writer != event), part.len() as u64);
            });
            writers.set(to, length, translation, event);
        });
        if let Some(uses) = uses {
            for_each_piece(registers, memory, |_, to, length| {
                uses.add(Some(event), Access::write(UseKind::Copy), (to, length), translation);
            });
        }
        self.needs_depth |= is_uncertain;
        if let Some(first) = first {
            self.add_read(Some(event), ReadKind::Copy, first, sum.finish());
        }
        self.charge_intervals(before);
    }

    fn charge_intervals(&mut self, before: usize) {
        let added = self.writers.interval_count().saturating_sub(before) as u64;
        // A spent budget ends the run.
        let _ = self.budget.spend(added.saturating_mul(INTERVAL_BYTES));
    }

    /// Notes a palette load before it happens. `step` is its LOADCLUT.
    pub(super) fn add_palette_load(&mut self, memory: &Memory, step: &Step<'_>) {
        let (from, length) = (palette::source(step.registers), loaded_bytes(step.command.argument()));
        self.load_palette(memory, from, length);
    }

    fn load_palette(&mut self, memory: &Memory, from: Address, length: u32) {
        let translation = memory.translation();
        self.needs_depth |= self.draws.is_uncertain(from, length, translation);
        self.palette.load(&self.writers, from, length, translation);
        if let Some(uses) = &mut self.uses {
            uses.load_palette(Some((from, length)));
        }
    }

    /// Adds an action that the CPU is about to carry out. `display` is the buffer to show, if the action shows any.
    pub(super) fn add_action(
        &mut self,
        memory: &Memory,
        action: &Action,
        event: EventNumber,
        display: Option<Display>,
    ) {
        self.set_origin(event, Origin::Upload);
        let (translation, before) = (memory.translation(), self.writers.interval_count());
        if let Some((to, length)) = action.written() {
            self.add_use(Some(event), Access::write(UseKind::Cpu), (to, length), translation);
        }
        match action {
            Action::Copy { to, from, length } => {
                if self.add_range(Some(event), ReadKind::Copy, (*from, *length), translation) {
                    self.set_origin(event, Origin::Copy);
                }
                self.writers.set(*to, *length, translation, event);
            }
            Action::CopyUndrawn { to, from, length } => {
                if self.add_range(Some(event), ReadKind::Copy, (*from, *length), translation) {
                    self.set_origin(event, Origin::Copy);
                }
                let mut before = vec![0; (*length).min(MAX_PENDING) as usize];
                memory.read(*to, &mut before);
                // Only the result tells which bytes the copy has left out.
                self.pending = Some(PendingCopy { event, to: *to, before });
            }
            Action::Fill { to, length, .. } => self.writers.set(*to, *length, translation, event),
            Action::LoadPalette { from, length } => self.load_palette(memory, *from, *length),
            Action::Restore(_) => {
                self.palette.forget();
                if let Some(uses) = &mut self.uses {
                    uses.load_palette(None);
                }
            }
            Action::Display(_) | Action::DisplayTarget => {
                if let Some(display) = display {
                    self.add_screen(Some(event), display, translation);
                }
            }
            Action::Translate(_) => {}
        }
        self.charge_intervals(before);
    }

    /// Completes a copy, now that its result shows which bytes it left out.
    pub(super) fn settle(&mut self, memory: &Memory) {
        let Some(PendingCopy { event, to, before }) = self.pending.take() else { return };
        let mut after = vec![0; before.len()];
        memory.read(to, &mut after);
        let translation = memory.translation();
        let length = u32::try_from(before.len()).unwrap_or(u32::MAX);
        let mut written = Vec::new();
        self.writers.visit(to, length, translation, |part, writer| {
            let bytes = part.start as usize..part.end as usize;
            // If nothing is known about earlier contents, the copy is the writer even for equal bytes.
            if writer.is_none() {
                return written.push(part);
            }
            let pairs =
                before.get(bytes.clone()).into_iter().flatten().zip(after.get(bytes).into_iter().flatten());
            for (at, _) in part.zip(pairs).filter(|(_, (before, after))| before != after) {
                match written.last_mut() {
                    Some(last) if last.end == at => last.end = at.saturating_add(1),
                    _ => written.push(at..at.saturating_add(1)),
                }
            }
        });
        for part in written {
            self.writers.set(to.offset(part.start), part.end.saturating_sub(part.start), translation, event);
        }
    }

    /// Adds a read for the buffer shown on the screen.
    pub(super) fn add_screen(
        &mut self,
        reader: Option<EventNumber>,
        display: Display,
        translation: Translation,
    ) {
        let Display { address, stride, format } = display;
        let bytes = color::bytes(format);
        let [columns, rows] = SCREEN;
        let mut sum = WriterSum::default();
        for row in 0..rows {
            let start = address.offset(row.wrapping_mul(stride).wrapping_mul(bytes));
            // With a short stride, rows would overlap and count bytes twice.
            let length = columns.min(stride).saturating_mul(bytes);
            self.needs_depth |= self.draws.is_uncertain(start, length, translation);
            sum.add_range(&self.writers, start, length, translation);
            self.add_use(reader, Access::read(ReadKind::Screen), (start, length), translation);
        }
        let found = sum.finish();
        let last = self.reads.iter().rfind(|read| read.kind == ReadKind::Screen);
        let is_known = last.is_some_and(|read| read.address == address && read.writers == found.writers);
        // The run's end often shows the buffer that the CPU has just selected. This must not count twice.
        if reader.is_some() || !is_known {
            self.add_read(reader, ReadKind::Screen, address, found);
        }
    }
}
