//! Records a run as a frame dump, in the form PPSSPP's recorder uses.
//!
//! Pass a [`Recorder`] to a run as its observer. Before every draw, palette load and block transfer it records the
//! bytes that the GE is about to read. It records all other commands as they are, except for flow commands.
//!
//! # Invariants
//! A replay draws the same pixels as the run, here and in PPSSPP. For this the run's sink has to draw at once, as a
//! [`crate::raster::Rasterizer`] with a single thread does, because the recorder must find earlier draws in memory.
//! Source: [recorder](crate::reference::ge::frame_dumps#recorder),
//! [dumps by pspge](crate::reference::ge::frame_dumps#dumps-by-pspge).

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod machine;

use std::ops::{ControlFlow, Range};

use crate::formats::ppdmp::{
    Dump, DumpWriter, Flags, PAYLOAD_MAX, RecordKind, is_flow, restore_context, save_context,
};
use crate::ge::address::{Address, Region, VRAM_SIZE, VramView};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::{Action, Capture, Display, Event};
use crate::ge::command::Command;
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View;
use crate::ge::registers::pixel::Corner;
use crate::ge::registers::surface::{
    TransferAddress, TransferPixelSize, TransferPosition, TransferStart, TransferWidth,
};
use crate::ge::registers::texture::{ClutAddress, ClutAddressUpper, LoadClut, TextureMode};
use crate::ge::registers::vertex::{Bezier, ComponentFormat, IndexFormat, Prim, Spline, VertexType};
use crate::ge::registers::{Registers, delta};
use crate::pipeline::framebuffer::ColorSurface;
use crate::pipeline::texture::{MAX_LEVEL, Texture};
use crate::pipeline::vertex::{LastAttributes, VertexLayout, VertexReader};
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::interpreter::{TransferShape, for_each_piece};
use crate::run::replay::{self, Replayed};
use crate::run::sink::{Observer, Step};

/// Initial VRAM is recorded in chunks this large, to leave out chunks of zeros.
pub(crate) const VRAM_CHUNK: usize = 1024;
/// Recording this many bytes costs as much as decoding 1, because most are duplicates.
const RECORDED_PER_DECODED: u64 = 32;

/// Observes a run, and records everything a replay needs.
#[derive(Debug)]
pub struct Recorder {
    writer: DumpWriter,
    /// Commands since the last data record.
    pending_commands: Vec<u32>,
    /// How many of the run's commands are recorded.
    commands: u64,
    /// VRAM ranges with draws in them, as offsets, to flag data read from there.
    render_targets: Vec<Range<u32>>,
    /// The last transfer, if its result must be recorded instead.
    overlapping: Option<TransferShape>,
    overflow: bool,
    /// Remaining decoded bytes.
    budget: Budget,
}

impl Recorder {
    /// Prepares to record a run of this capture, within [`Limits::decoded_bytes`]. This records copies, fills,
    /// translations and displays from [`Capture::events`]. It cannot record events to restore registers or palette
    /// memory, nor copies that depend on earlier draws.
    #[must_use]
    pub fn new(capture: &Capture, game_id: [u8; 9], limits: &Limits) -> Self {
        let mut recorder = Self::of_machine(&capture.memory, &capture.registers, game_id, limits);
        // A replay starts with zeroed VRAM.
        for (chunk, offset) in capture.memory.vram().chunks(VRAM_CHUNK).zip((0..).step_by(VRAM_CHUNK)) {
            if chunk.iter().any(|byte| *byte != 0) {
                recorder.copy(Address::vram(offset), chunk);
            }
        }
        recorder
    }

    /// Prepares to record a machine from this state on. Next, copy the contents of VRAM.
    pub(crate) fn of_machine(
        memory: &Memory,
        registers: &Registers,
        game_id: [u8; 9],
        limits: &Limits,
    ) -> Self {
        let mut writer = DumpWriter::new(game_id);
        writer.push(RecordKind::Init, &save_context(registers));
        writer.push(RecordKind::Clut, registers.clut());
        let translation = memory.selected_translation();
        if translation != crate::ge::edram::Translation::default() {
            writer.push_words(RecordKind::EdramTrans, &[translation.mode()]);
        }
        // A replay takes buffer widths for textures from commands, not from the context.
        let widths = (0..=MAX_LEVEL).map(|level| registers.command(Opcode::TEXBUFWIDTH0.plus(level)));
        let mut pending_commands: Vec<u32> =
            widths.filter(|width| width.argument() != 0).map(|width| width.word()).collect();
        // The context lacks some registers, so commands set them.
        let restored = restore_context(&save_context(registers));
        pending_commands.extend(delta::commands(&restored, registers).iter().map(|word| word.word()));
        Self {
            writer,
            pending_commands,
            commands: 0,
            render_targets: Vec::new(),
            overlapping: None,
            overflow: false,
            budget: Budget::new(limits, Limit::DecodedBytes),
        }
    }

    /// Completes the dump. To show the last picture, this displays the framebuffer selected in `registers`. Returns
    /// `None` if the dump exceeded the largest possible size.
    #[must_use]
    pub fn finish(mut self, registers: &Registers) -> Option<Dump> {
        let ColorSurface { address, stride, format } = ColorSurface::from_registers(registers);
        self.show(Display { address: Address::vram(address), stride, format });
        self.finish_shown()
    }

    /// Completes a dump that shows a buffer already.
    pub(crate) fn finish_shown(mut self) -> Option<Dump> {
        self.flush();
        (!self.is_full()).then(|| self.writer.finish())
    }

    /// Returns the limit that stopped the run, if any. The dump is complete up to this point.
    #[must_use]
    pub fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit()
    }

    /// Charges the budget before bytes are recorded. Returns false if they must not be.
    fn spend(&mut self, bytes: u64) -> bool {
        self.budget.spend(bytes.div_ceil(RECORDED_PER_DECODED)).is_ok()
    }

    fn flush(&mut self) {
        if !self.pending_commands.is_empty() {
            self.writer.push_words(RecordKind::Registers, &std::mem::take(&mut self.pending_commands));
        }
    }

    fn push_memory(&mut self, kind: RecordKind, memory: &Memory, from: Address, bytes: u64) {
        match usize::try_from(bytes) {
            Ok(length) if length <= PAYLOAD_MAX as usize => {
                if !self.spend(bytes) {
                    return;
                }
                let mut data = vec![0; length];
                memory.read(from, &mut data);
                self.writer.push(kind, &data);
            }
            _ => self.overflow = true,
        }
    }

    /// Records everything that a draw with `count` vertices reads: vertices, indices and textures. Returns false to
    /// omit a draw with missing vertices, because a replay would draw other vertices.
    fn draw(&mut self, memory: &Memory, step: &Step<'_>, count: u32) -> bool {
        let vertex_type: VertexType = step.registers.get();
        let layout = VertexLayout::new(vertex_type);
        if count == 0 || !memory.is_mapped(step.vertices, layout.bytes().max(1)) {
            return false;
        }
        self.flush();
        let textured =
            step.registers.is_on(Opcode::TEXENABLE) || vertex_type.texcoord != ComponentFormat::NONE;
        if textured {
            self.textures(memory, step.registers);
        }
        let mut vertices = count;
        if vertex_type.index != IndexFormat::NONE {
            let last = LastAttributes::default();
            let reader = VertexReader::new(memory, step.registers, step.vertices, step.indices, last);
            // A dump holds vertices from the first on, so it needs all up to the largest index.
            vertices = (0..count).map(|nth| reader.index(nth)).max().unwrap_or(0).saturating_add(1);
            self.push_memory(
                RecordKind::Indices,
                memory,
                step.indices,
                u64::from(count).saturating_mul(vertex_type.index.bytes().into()),
            );
        }
        let bytes = u64::from(vertices).saturating_mul(layout.bytes().into());
        self.push_memory(RecordKind::Vertices, memory, step.vertices, bytes);
        self.mark_render_target(step.registers);
        true
    }

    /// Records the current texture with all its levels.
    fn textures(&mut self, memory: &Memory, registers: &Registers) {
        for level in 0..=registers.get::<TextureMode>().max_level {
            let texture = Texture::from_registers(registers, level);
            if texture.address.get() == 0 && !registers.is_on(Opcode::TEXENABLE) {
                continue;
            }
            let bytes = u64::from(texture.bytes());
            if !texture.address.is_vram() {
                self.push_memory(RecordKind::Texture(level), memory, texture.address, bytes);
                continue;
            }
            if !self.spend(bytes) {
                return;
            }
            let width = registers.argument(Opcode::TEXBUFWIDTH0.plus(level)) & 0xFFFF;
            let flags = self.flags(texture.address, texture.bytes());
            let mut data = vec![0; texture.bytes() as usize];
            memory.read(texture.address, &mut data);
            let header = [texture.address.get(), width, flags.bits(), 0];
            let header = header.into_iter().flat_map(u32::to_le_bytes);
            self.writer.push(RecordKind::Framebuf(level), &header.chain(data).collect::<Vec<u8>>());
        }
    }

    fn palette(&mut self, memory: &Memory, registers: &Registers, load: LoadClut) {
        let low = registers.get::<ClutAddress>().address.0;
        let high = registers.get::<ClutAddressUpper>().high.0;
        let source = Address::new(high << 24 | low).align_down(16);
        let bytes = u32::from(load.blocks) * 32;
        if source.is_vram() {
            // A replay moves palettes in main RAM, so the address has to be set again.
            self.pending_commands.push(registers.command(Opcode::CLUTADDRUPPER).word());
            self.pending_commands.push(registers.command(Opcode::CLUTADDR).word());
            self.flush();
            let flags = self.flags(source, bytes);
            self.writer.push_words(RecordKind::ClutAddr, &[source.get(), flags.bits()]);
        } else {
            self.flush();
        }
        self.push_memory(RecordKind::Clut, memory, source, bytes.into());
    }

    /// Records the source of a block transfer into VRAM. Returns false to omit other transfers, because a later
    /// command records the destination when it reads it. This omits a transfer that overlaps itself, too, because in
    /// a replay its source lies elsewhere. Its result is recorded instead.
    fn transfer(&mut self, memory: &Memory, registers: &Registers, start: TransferStart) -> bool {
        let mut after = registers.clone();
        after.write(start.to(Opcode::TRANSFERSTART));
        // A replay always has the source, so this checks whether the transfer takes place in the run.
        let mut takes_place = false;
        for_each_piece(&after, memory, |_, _, _| takes_place = true);
        if !takes_place {
            return false;
        }
        let shape = TransferShape::of(&after);
        if shape.target.is_vram() && overlaps(&shape) {
            self.overlapping = Some(shape);
            return false;
        }
        let address = |low: Opcode, width: Opcode| {
            let high = registers.view::<TransferWidth>(width).high.0;
            Address::new(high << 24 | registers.view::<TransferAddress>(low).address.0).align_down(16)
        };
        if !address(Opcode::TRANSFERDST, Opcode::TRANSFERDSTW).is_vram() {
            return false;
        }
        let size: TransferPosition = registers.view(Opcode::TRANSFERSIZE);
        let from: TransferPosition = registers.view(Opcode::TRANSFERSRCPOS);
        let stride = u64::from(registers.view::<TransferWidth>(Opcode::TRANSFERSRCW).width & 0x7F8);
        let pixel_size = if start.pixel_size == TransferPixelSize::BITS16 { 2 } else { 4 };
        let rows = u64::from(from.y).saturating_add(size.y.into());
        let columns = u64::from(from.x).saturating_add(size.x.into());
        // This takes everything from the source address to the last pixel, because a replay applies position and
        // stride itself.
        let pixels = rows.saturating_mul(stride).saturating_add(columns).saturating_add(1);
        self.flush();
        let source = address(Opcode::TRANSFERSRC, Opcode::TRANSFERSRCW);
        self.push_memory(RecordKind::TransferSrc, memory, source, pixels.saturating_mul(pixel_size));
        true
    }

    /// Records the rows a transfer has written, if a replay cannot repeat it.
    fn transferred(&mut self, memory: &Memory) {
        let Some(shape) = self.overlapping.take() else { return };
        self.flush();
        let length = shape.width.saturating_mul(shape.pixel_size);
        for row in 0..shape.height {
            let target = shape.target.offset(row.wrapping_mul(shape.target_stride));
            self.writer.push_words(RecordKind::MemCpyDest, &[target.get()]);
            self.push_memory(RecordKind::MemCpyData, memory, target, length.into());
        }
    }

    /// Tells a replay whether a range in VRAM may hold drawn pixels.
    fn flags(&self, address: Address, bytes: u32) -> Flags {
        let Region::Vram(_, start) = address.region() else { return Flags::empty() };
        let end = start.saturating_add(bytes);
        let is_render_target = self.render_targets.iter().any(|range| range.start < end && start < range.end);
        if is_render_target { Flags::RENDER_TARGET | Flags::MAYBE_DRAWN } else { Flags::empty() }
    }

    fn mark_render_target(&mut self, registers: &Registers) {
        let surface = ColorSurface::from_registers(registers);
        let last_row = u32::from(registers.view::<Corner>(Opcode::SCISSOR2).y);
        let rows = last_row.saturating_add(1);
        let bytes =
            rows.saturating_mul(surface.stride).saturating_mul(crate::ge::color::bytes(surface.format));
        let range = surface.address..surface.address.saturating_add(bytes).min(VRAM_SIZE);
        match self.render_targets.iter_mut().find(|known| known.start == range.start) {
            Some(known) => known.end = known.end.max(range.end),
            None => self.render_targets.push(range),
        }
    }
}

impl Observer for Recorder {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        self.transferred(memory);
        let argument = step.command.argument();
        if let Some(count) = vertex_count(step.command)
            && !self.draw(memory, step, count)
        {
            return ControlFlow::Continue(());
        }
        match step.command.opcode() {
            opcode if is_flow(opcode) => return ControlFlow::Continue(()),
            Opcode::VAP => {
                self.flush();
                self.textures(memory, step.registers);
                self.mark_render_target(step.registers);
            }
            Opcode::LOADCLUT => self.palette(memory, step.registers, LoadClut::from_argument(argument)),
            Opcode::TRANSFERSTART
                if !self.transfer(memory, step.registers, TransferStart::from_argument(argument)) =>
            {
                return ControlFlow::Continue(());
            }
            _ => {}
        }
        if self.limit_hit().is_some() {
            return ControlFlow::Break(());
        }
        self.pending_commands.push(step.command.word());
        self.commands = self.commands.saturating_add(1);
        if self.is_full() {
            self.overflow = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self, memory: &Memory, event: &Event) {
        self.transferred(memory);
        self.flush();
        match &event.action {
            Action::Copy { to, from, length } if to.is_vram() => {
                self.writer.push_words(RecordKind::MemCpyDest, &[to.get()]);
                self.push_memory(RecordKind::MemCpyData, memory, *from, (*length).into());
            }
            Action::Fill { to, value, length } if to.is_vram() => {
                self.writer.push_words(RecordKind::MemSet, &[to.get(), (*value).into(), *length]);
            }
            Action::Translate(translation) => self.translate(*translation),
            Action::Display(display) => self.show(*display),
            Action::DisplayTarget => self.writer.push_words(RecordKind::Display, &[0, 0, 0]),
            // Main RAM is recorded later, when a command reads it.
            Action::Copy { .. } | Action::Fill { .. } => {}
            Action::CopyUndrawn { .. } | Action::Restore(_) | Action::LoadPalette { .. } => {}
        }
    }
}

/// A recorded run: the dump, and how the run went.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The dump.
    pub dump: Dump,
    /// The run's own result.
    pub replayed: Replayed,
    /// The limit that ended the recording early, if any.
    pub limit_hit: Option<LimitHit>,
}

/// Runs a capture and records it with a [`Recorder`]. Returns `None` if the data do not fit into a dump.
#[must_use]
pub fn record(
    mut capture: Capture,
    game_id: [u8; 9],
    arithmetic: Arithmetic,
    limits: &Limits,
) -> Option<Recorded> {
    let mut recorder = Recorder::new(&capture, game_id, limits);
    // The recorder reads memory between draws, so a single thread draws them at once.
    let mut raster = Rasterizer::new(RasterOptions { arithmetic, threads: 1, ..RasterOptions::default() });
    let replayed = replay::run(&mut capture, arithmetic, &mut raster, &mut recorder, limits);
    let limit_hit = recorder.limit_hit();
    let dump = recorder.finish(&replayed.registers)?;
    Some(Recorded { dump, replayed, limit_hit })
}

/// Returns whether a transfer may read bytes it writes. Views that permute VRAM count as overlapping.
fn overlaps(shape: &TransferShape) -> bool {
    let row = shape.width.saturating_mul(shape.pixel_size);
    let bytes = |start: Address, stride: u32| {
        let length = stride.saturating_mul(shape.height.saturating_sub(1)).saturating_add(row);
        match start.region() {
            Region::Vram(VramView::Linear, offset) => Some(Some(offset..offset.saturating_add(length))),
            Region::Vram(..) => Some(None),
            _ => None,
        }
    };
    match (bytes(shape.source, shape.source_stride), bytes(shape.target, shape.target_stride)) {
        (Some(Some(source)), Some(Some(target))) => source.start < target.end && target.start < source.end,
        (Some(_), Some(_)) => true,
        _ => false,
    }
}

/// Returns how many vertices or control points a command draws; `None` if it draws nothing.
pub(crate) fn vertex_count(command: Command) -> Option<u32> {
    let argument = command.argument();
    let points = |u: u8, v: u8| u32::from(u).saturating_mul(v.into());
    match command.opcode() {
        Opcode::PRIM => Some(Prim::from_argument(argument).count.into()),
        Opcode::BEZIER => {
            let Bezier { u_count, v_count } = Bezier::from_argument(argument);
            Some(points(u_count, v_count))
        }
        Opcode::SPLINE => {
            let Spline { u_count, v_count, .. } = Spline::from_argument(argument);
            Some(points(u_count, v_count))
        }
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
