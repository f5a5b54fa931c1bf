//! Rules on loading palettes, and on how draws use them.

use crate::asm::text::describe;
use crate::check::context::DrawContext;
use crate::check::finding::Place;
use crate::check::findings::{Findings, SAME};
use crate::check::rule::Rule;
use crate::check::supply::{Supply, Unwritten};
use crate::ge::address::Address;
use crate::ge::color;
use crate::ge::command::Command;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View;
use crate::ge::registers::texture::{ClutAddress, LoadClut, TexelFormat};
use crate::ge::registers::{CLUT_BYTES, Registers};
use crate::pipeline::texture::{Texture, palette};

/// Tells which palette is loaded, and how much of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct PaletteState {
    /// Where the list last loaded a palette from.
    source: Option<Address>,
    /// The most bytes that any load has filled.
    filled: u32,
}

impl PaletteState {
    /// Creates the state before the first command.
    pub(crate) fn new(registers: &Registers) -> Self {
        let is_loaded = registers.clut().iter().any(|byte| *byte != 0);
        Self { source: None, filled: if is_loaded { full() } else { 0 } }
    }

    /// Notes that the CPU loads palette memory.
    pub(crate) const fn load_by_cpu(&mut self) {
        self.filled = full();
    }

    /// Checks a LOADCLUT before it runs.
    pub(crate) fn load(
        &mut self,
        command: Command,
        registers: &Registers,
        memory: &Memory,
        supply: &mut Supply,
        place: &Place,
        findings: &mut Findings,
    ) {
        let LoadClut { blocks } = LoadClut::from_argument(command.argument());
        let source = palette::source(registers);
        let bytes = u32::from(blocks).saturating_mul(32);
        self.source = Some(source);
        self.filled = self.filled.max(bytes.min(full()));
        // Programs that initialise all registers load 0 blocks from address 0, which is harmless.
        if blocks == 0 && source.get() != 0 {
            let message = || format!("{} loads no block", describe(command));
            findings.add(Rule::EmptyPaletteLoad, SAME, place, message);
        }
        if registers.get::<ClutAddress>().address.0 & 15 != 0 {
            let address = registers.command(Opcode::CLUTADDR);
            let message =
                || format!("{} is not a multiple of 16: the palette is at {source}", describe(address));
            findings.add(Rule::UnalignedAddress, [Opcode::CLUTADDR.code().into(), 0], place, message);
        }
        if let Unwritten { bytes, first: Some(first) } = supply.unwritten(memory, source, bytes) {
            let rule = if first.is_vram() { Rule::UnwrittenVram } else { Rule::UnwrittenPalette };
            let message =
                || format!("the palette at {source} reads {bytes} unwritten bytes, from {first} on");
            findings.add(rule, [source.get(), 0], place, message);
        }
    }

    /// Checks a draw's palette.
    pub(crate) fn check(&self, context: &DrawContext<'_>, findings: &mut Findings) {
        let texture = Texture::from_registers(context.registers, 0);
        let texel_values = match texture.format {
            TexelFormat::CLUT4 => 15,
            TexelFormat::CLUT8 | TexelFormat::CLUT16 | TexelFormat::CLUT32 => 255,
            _ => return,
        };
        if !context.is_textured {
            return;
        }
        let place = context.place;
        let current = palette::source(context.registers);
        if let Some(loaded) = self.source.filter(|loaded| *loaded != current) {
            let message =
                || format!("CLUTADDR names the palette at {current}, but the one at {loaded} is loaded");
            findings.add(Rule::StalePalette, [current.get(), 0], place, message);
        }
        if self.filled == 0 {
            let message =
                || format!("the texture has format {}, but LOADCLUT was never executed", texture.format);
            findings.add(Rule::PaletteNeverLoaded, SAME, place, message);
            return;
        }
        // The texels themselves are not read, so this is the highest entry that any texel could reach.
        let highest = (0..=texel_values).map(|texel| texture.palette.entry(texel)).max().unwrap_or(0);
        let size = color::bytes(texture.palette.format);
        let loaded = self.filled.checked_div(size).unwrap_or(0);
        if u32::from(highest) >= loaded {
            let message = || {
                let format = describe(context.command(Opcode::CLUTFORMAT));
                format!("texels reach palette entry {highest}, but only {loaded} were loaded ({format})")
            };
            findings.add(Rule::PaletteTooShort, [loaded, 0], place, message);
        }
    }
}

/// Returns the size of palette memory in bytes.
const fn full() -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "1024")]
    let bytes = CLUT_BYTES as u32;
    bytes
}
