//! Records a run as a frame dump: what PPSSPP's recorder writes, from a list that runs here.
//!
//! A [`Recorder`] watches a run. In front of every draw, palette load and block transfer it keeps the bytes that the
//! engine is about to read; all other commands are kept as they are, except those that only say where the list goes
//! on.
//!
//! # Invariants
//! Replaying the dump draws what the run drew, here and in PPSSPP. The sink of the run has to draw at once, as
//! [`crate::raster::Rasterizer`] does, so that the recorder sees in memory what was drawn before.
//! Source: `ge-reference.md` §12.3.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::ops::{ControlFlow, Range};

use crate::formats::ppdmp::{Dump, DumpWriter, Flags, PAYLOAD_MAX, RecordKind, is_flow, save_context};
use crate::ge::address::{Address, Region, VRAM_SIZE};
use crate::ge::capture::Capture;
use crate::ge::limits::{Budget, Limit, Limits, Reached};
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::field::View;
use crate::ge::registers::pixel::Corner;
use crate::ge::registers::surface::{
    TransferAddress, TransferPixelSize, TransferPosition, TransferStart, TransferWidth,
};
use crate::ge::registers::texture::{ClutAddress, ClutAddressUpper, LoadClut, TextureMode};
use crate::ge::registers::vertex::{Bezier, ComponentFormat, IndexFormat, Prim, Spline, VertexType};
use crate::pipeline::framebuffer::ColorSurface;
use crate::pipeline::texture::Texture;
use crate::pipeline::vertex::VertexLayout;
use crate::run::sink::{Observer, Step};

/// VRAM is recorded in pieces of this many bytes, those apart that are zero.
const PIECE: usize = 1024;
/// Bytes that can be recorded for the cost of a decoded one: most of them were recorded before.
const RECORDED: u64 = 32;

/// Watches a run and keeps what a replay needs.
#[derive(Debug)]
pub struct Recorder {
    writer: DumpWriter,
    /// Commands that wait for the next record of data.
    words: Vec<u32>,
    /// Parts of VRAM that were drawn to, by offset.
    drawn: Vec<Range<u32>>,
    overflow: bool,
    /// Decoded bytes that are left.
    budget: Budget,
}

impl Recorder {
    /// A recorder of a capture's run, within [`Limits::decoded_bytes`]. Nothing of [`Capture::events`] is recorded.
    #[must_use]
    pub fn new(capture: &Capture, game_id: [u8; 9], limits: &Limits) -> Self {
        let mut writer = DumpWriter::new(game_id);
        writer.push(RecordKind::Init, &save_context(&capture.registers));
        writer.push(RecordKind::Clut, capture.registers.clut());
        let translation = capture.memory.translation();
        if translation != crate::ge::edram::Translation::default() {
            writer.push_words(RecordKind::EdramTrans, &[translation.mode()]);
        }
        // A replay begins with VRAM zeroed.
        for (piece, offset) in capture.memory.vram().chunks(PIECE).zip((0..).step_by(PIECE)) {
            if piece.iter().any(|byte| *byte != 0) {
                writer.push_words(RecordKind::MemCpyDest, &[Address::vram(offset).get()]);
                writer.push(RecordKind::MemCpyData, piece);
            }
        }
        Self {
            writer,
            words: Vec::new(),
            drawn: Vec::new(),
            overflow: false,
            budget: Budget::new(limits, Limit::DecodedBytes),
        }
    }

    /// The dump, which shows the framebuffer that the registers describe at the end. `None` where it became larger
    /// than a dump can be.
    #[must_use]
    pub fn finish(mut self, registers: &Registers) -> Option<Dump> {
        self.flush();
        let surface = ColorSurface::from_registers(registers);
        let format = registers.argument(Opcode::FRAMEBUFPIXFORMAT) & 3;
        let address = Address::vram(surface.address).get();
        self.writer.push_words(RecordKind::Display, &[address, surface.stride, format]);
        (!self.overflow && self.writer.is_readable()).then(|| self.writer.finish())
    }

    /// The limit that was reached; the run was stopped there, in front of what is not in the dump.
    #[must_use]
    pub fn reached(&self) -> Option<Reached> {
        self.budget.reached()
    }

    /// Whether so many bytes may be recorded.
    fn spend(&mut self, bytes: u64) -> bool {
        self.budget.spend(bytes.div_ceil(RECORDED)).is_ok()
    }

    fn flush(&mut self) {
        if !self.words.is_empty() {
            self.writer.push_words(RecordKind::Registers, &std::mem::take(&mut self.words));
        }
    }

    fn keep(&mut self, kind: RecordKind, memory: &Memory, from: Address, bytes: u64) {
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

    /// The vertices, indices and textures of a draw of `count` vertices.
    fn draw(&mut self, memory: &Memory, step: &Step<'_>, count: u32) {
        let vertex_type: VertexType = step.registers.get();
        let layout = VertexLayout::new(vertex_type);
        if count == 0 || !memory.is_mapped(step.vertices, layout.bytes().max(1)) {
            return;
        }
        self.flush();
        let textured =
            step.registers.is_on(Opcode::TEXENABLE) || vertex_type.texcoord != ComponentFormat::NONE;
        if textured {
            self.textures(memory, step.registers);
        }
        let mut vertices = count;
        let size = vertex_type.index.bytes();
        if vertex_type.index != IndexFormat::NONE {
            let index = |nth: u32| {
                let at = step.indices.offset(nth.wrapping_mul(size));
                match size {
                    1 => u32::from(memory.read_u8(at)),
                    2 => u32::from(memory.read_u16(at)),
                    _ => memory.read_u32(at),
                }
            };
            vertices = (0..count).map(index).max().unwrap_or(0).saturating_add(1);
            self.keep(
                RecordKind::Indices,
                memory,
                step.indices,
                u64::from(count).saturating_mul(size.into()),
            );
        }
        let bytes = u64::from(vertices).saturating_mul(layout.bytes().into());
        self.keep(RecordKind::Vertices, memory, step.vertices, bytes);
        self.mark_drawn(step.registers);
    }

    /// Every level of the texture that the registers describe.
    fn textures(&mut self, memory: &Memory, registers: &Registers) {
        for level in 0..=registers.get::<TextureMode>().max_level {
            let texture = Texture::from_registers(registers, level);
            if texture.address.get() == 0 {
                continue;
            }
            let bytes = u64::from(texture.bytes());
            if !texture.address.is_vram() {
                self.keep(RecordKind::Texture(level), memory, texture.address, bytes);
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
            // Palettes in main RAM move when they are replayed: say again where this one is.
            self.words.push(registers.command(Opcode::CLUTADDRUPPER).word());
            self.words.push(registers.command(Opcode::CLUTADDR).word());
            self.flush();
            let flags = self.flags(source, bytes);
            self.writer.push_words(RecordKind::ClutAddr, &[source.get(), flags.bits()]);
        } else {
            self.flush();
        }
        self.keep(RecordKind::Clut, memory, source, bytes.into());
    }

    /// The source of a block transfer into VRAM. Others are not recorded: what reads their target is.
    fn transfer(&mut self, memory: &Memory, registers: &Registers, start: TransferStart) -> bool {
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
        let pixels = rows.saturating_mul(stride).saturating_add(columns).saturating_add(1);
        self.flush();
        let source = address(Opcode::TRANSFERSRC, Opcode::TRANSFERSRCW);
        self.keep(RecordKind::TransferSrc, memory, source, pixels.saturating_mul(pixel_size));
        true
    }

    /// What is known about bytes in VRAM.
    fn flags(&self, address: Address, bytes: u32) -> Flags {
        let Region::Vram(_, start) = address.region() else { return Flags::empty() };
        let end = start.saturating_add(bytes);
        let is_drawn = self.drawn.iter().any(|drawn| drawn.start < end && start < drawn.end);
        if is_drawn { Flags::RENDER_TARGET | Flags::MAYBE_DRAWN } else { Flags::empty() }
    }

    fn mark_drawn(&mut self, registers: &Registers) {
        let surface = ColorSurface::from_registers(registers);
        let last_row = u32::from(registers.view::<Corner>(Opcode::SCISSOR2).y);
        let rows = last_row.saturating_add(1);
        let bytes =
            rows.saturating_mul(surface.stride).saturating_mul(crate::ge::color::bytes(surface.format));
        let drawn = surface.address..surface.address.saturating_add(bytes).min(VRAM_SIZE);
        match self.drawn.iter_mut().find(|known| known.start == drawn.start) {
            Some(known) => known.end = known.end.max(drawn.end),
            None => self.drawn.push(drawn),
        }
    }
}

impl Observer for Recorder {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        let argument = step.command.argument();
        match step.command.opcode() {
            opcode if is_flow(opcode) => return ControlFlow::Continue(()),
            Opcode::PRIM => self.draw(memory, step, Prim::from_argument(argument).count.into()),
            Opcode::BEZIER => {
                let Bezier { u_count, v_count } = Bezier::from_argument(argument);
                self.draw(memory, step, u32::from(u_count).saturating_mul(v_count.into()));
            }
            Opcode::SPLINE => {
                let Spline { u_count, v_count, .. } = Spline::from_argument(argument);
                self.draw(memory, step, u32::from(u_count).saturating_mul(v_count.into()));
            }
            Opcode::VAP => {
                self.flush();
                self.textures(memory, step.registers);
                self.mark_drawn(step.registers);
            }
            Opcode::LOADCLUT => self.palette(memory, step.registers, LoadClut::from_argument(argument)),
            Opcode::TRANSFERSTART
                if !self.transfer(memory, step.registers, TransferStart::from_argument(argument)) =>
            {
                return ControlFlow::Continue(());
            }
            _ => {}
        }
        if self.reached().is_some() {
            return ControlFlow::Break(());
        }
        self.words.push(step.command.word());
        if self.overflow || !self.writer.is_readable() {
            self.overflow = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::ge::address::RAM_BASE;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::list::ListBuilder;
    use crate::ge::registers::vertex::PrimitiveType;
    use crate::raster::{RasterOptions, Rasterizer};
    use crate::run::replay;
    use crate::run::sink::NullObserver;

    const TEXTURE: Address = Address::new(0x0890_0000);
    const PALETTE: Address = Address::new(0x0890_1000);
    const VERTICES: Address = Address::new(0x0890_2000);
    const INDICES: Address = Address::new(0x0890_3000);

    /// Draws a textured rectangle from RAM, then another with what was drawn as its texture, after block
    /// transfers from RAM and within VRAM.
    fn capture() -> Capture {
        let mut memory = Memory::default();
        let texels: Vec<u8> = (0..=255).cycle().take(16 * 16).collect();
        memory.write(TEXTURE, &texels);
        let palette: Vec<u8> = (0..1024_u32).flat_map(|i| [i.to_le_bytes()[0].wrapping_mul(37)]).collect();
        memory.write(PALETTE, &palette);
        // u, v, x, y, z as 16 bits.
        let corners: [[u16; 5]; 3] = [[0; 5], [7, 7, 7, 7, 7], [16, 16, 40, 40, 0]];
        let bytes: Vec<u8> = corners.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect();
        memory.write(VERTICES, &bytes);
        memory.write(INDICES, &[0, 2]);
        memory.write(Address::vram(0x18_0000), &[0x40; 64]);
        let mut list = ListBuilder::new(Address::new(0x0880_0000));
        let sub = Address::new(0x0880_1000);
        for (opcode, argument) in [
            (Opcode::VTYPE, 1 << 23 | 2 << 7 | 2 | 1 << 11),
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::FRAMEBUFPIXFORMAT, 3),
            (Opcode::SCISSOR2, 63 | 63 << 10),
            (Opcode::REGION2, 63 | 63 << 10),
            (Opcode::TEXENABLE, 1),
            (Opcode::TEXFUNC, 1 << 8 | 3),
            (Opcode::TEXFORMAT, 5),
            (Opcode::CLUTFORMAT, 0xFF03),
            (Opcode::CLUTADDR, PALETTE.get()),
            (Opcode::CLUTADDRUPPER, 0x08_0000),
            (Opcode::LOADCLUT, 32),
            (Opcode::TEXSIZE0, 4 | 4 << 8),
            (Opcode::TEXADDR0, TEXTURE.get()),
            (Opcode::TEXBUFWIDTH0, 0x08_0000 | 16),
        ] {
            list.set(opcode, argument);
        }
        list.address(Opcode::CALL, sub);
        for (opcode, argument) in [
            (Opcode::TRANSFERSRC, TEXTURE.get()),
            (Opcode::TRANSFERSRCW, 0x08_0008),
            (Opcode::TRANSFERDST, 0x10_0000),
            (Opcode::TRANSFERDSTW, 0x04_0008),
            (Opcode::TRANSFERSIZE, 7 | 7 << 10),
            (Opcode::TRANSFERSTART, 1),
            // What was drawn becomes the texture, what was transferred its palette.
            (Opcode::CLUTADDR, 0x10_0000),
            (Opcode::CLUTADDRUPPER, 0x04_0000),
            (Opcode::LOADCLUT, 8),
            (Opcode::TEXADDR0, 0),
            (Opcode::TEXBUFWIDTH0, 0x04_0000 | 256),
            (Opcode::FRAMEBUFPTR, 0x08_0000),
        ] {
            list.set(opcode, argument);
        }
        list.address(Opcode::CALL, sub);
        list.finish();
        list.store(&mut memory);
        let mut draw = ListBuilder::new(sub);
        draw.address(Opcode::VADDR, VERTICES).address(Opcode::IADDR, INDICES);
        draw.prim(PrimitiveType::RECTANGLES, 2).set(Opcode::RET, 0);
        draw.store(&mut memory);
        Capture {
            memory,
            registers: Registers::new(),
            start: list.start(),
            sources: Vec::new(),
            events: Vec::new(),
        }
    }

    fn record(capture: &mut Capture) -> Dump {
        let mut recorder = Recorder::new(capture, *b"TEST00001", &Limits::default());
        let mut raster = Rasterizer::new(RasterOptions::default());
        let replayed =
            replay::run(capture, Arithmetic::Hardware, &mut raster, &mut recorder, &Limits::default());
        recorder.finish(&replayed.registers).expect("small")
    }

    #[test]
    fn replays_draw_the_same() {
        let mut original = capture();
        let dump = record(&mut original);
        let mut copy = dump.capture("copy").expect("can be run");
        let mut raster = Rasterizer::new(RasterOptions::default());
        let replayed =
            replay::run(&mut copy, Arithmetic::Hardware, &mut raster, &mut NullObserver, &Limits::default());
        assert!(original.memory.vram() == copy.memory.vram(), "all of VRAM");
        assert!(
            original.memory.vram()[0x8_0000..0x8_4000].iter().any(|byte| *byte != 0),
            "something was drawn"
        );
        let shown = replayed.display.expect("a display");
        assert_eq!((shown.address, shown.stride), (Address::vram(0x8_0000), 64), "the last framebuffer");
        assert_eq!(replayed.report.draws, 2, "both draws");
    }

    #[test]
    fn records_are_those_of_a_recorder() {
        let dump = record(&mut capture());
        let kinds: Vec<RecordKind> = dump.records.iter().map(|record| record.kind).collect();
        let expected = [
            RecordKind::Init,
            RecordKind::Clut,
            RecordKind::MemCpyDest,
            RecordKind::MemCpyData,
            RecordKind::Registers,
            RecordKind::Clut,
            RecordKind::Registers,
            RecordKind::Texture(0),
            RecordKind::Indices,
            RecordKind::Vertices,
            RecordKind::Registers,
            RecordKind::TransferSrc,
            RecordKind::Registers,
            RecordKind::ClutAddr,
            RecordKind::Clut,
            RecordKind::Registers,
            RecordKind::Framebuf(0),
            RecordKind::Indices,
            RecordKind::Vertices,
            RecordKind::Registers,
            RecordKind::Display,
        ];
        assert_eq!(kinds, expected, "in order");
        assert_eq!(dump.records[9].length, 30, "vertices up to the largest index");
        assert_eq!(dump.word(&dump.records[16], 2) & 1, 1, "drawn in this recording");
        assert!(dump.command_words().all(|(_, word)| word >> 24 != 0x0A), "no calls");
        assert!(dump.records.iter().all(|record| RAM_BASE + record.start >= RAM_BASE), "inside");
    }
}
