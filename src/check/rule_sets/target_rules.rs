//! Rules on a draw's colour and depth buffer.

use crate::asm::text::describe;
use crate::check::context::DrawContext;
use crate::check::finding::Place;
use crate::check::findings::{Findings, SAME};
use crate::check::rows::ByteRows;
use crate::check::rule::Rule;
use crate::ge::address::VRAM_SIZE;
use crate::ge::color;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::{ClearMode, StencilOperations};
use crate::ge::registers::surface::{BufferAddress, BufferWidth};
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};
use crate::raster::pixel_rect::PixelRect;

/// The colour or the depth buffer.
struct Buffer {
    /// Its name in messages.
    name: &'static str,
    pointer: Opcode,
    width: Opcode,
    /// The first byte's offset in VRAM.
    address: u32,
    /// How far apart rows start, in pixels.
    stride: u32,
    /// Bytes per pixel.
    size: u32,
}

impl Buffer {
    fn color(context: &DrawContext<'_>) -> Self {
        let ColorSurface { address, stride, format } = ColorSurface::from_registers(context.registers);
        let (pointer, width) = (Opcode::FRAMEBUFPTR, Opcode::FRAMEBUFWIDTH);
        Self { name: "colour", pointer, width, address, stride, size: color::bytes(format) }
    }

    fn depth(context: &DrawContext<'_>) -> Self {
        let DepthSurface { address, stride, .. } = DepthSurface::from_registers(context.registers);
        Self { name: "depth", pointer: Opcode::ZBUFPTR, width: Opcode::ZBUFWIDTH, address, stride, size: 2 }
    }

    /// Returns where an area lies. For depth this is in the view that shows values in order.
    fn rows(&self, area: &PixelRect) -> Option<ByteRows> {
        ByteRows::of_buffer(self.address, self.stride, self.size, area)
    }

    /// Returns the offset after the last byte in an area.
    fn end(&self, area: &PixelRect) -> u64 {
        let [x, y] = area.in_buffer();
        let Some(last) = y.end.checked_sub(1).filter(|_| x.end > 0) else { return 0 };
        let pixels = u64::from(last).saturating_mul(self.stride.into()).saturating_add(x.end.into());
        u64::from(self.address).saturating_add(pixels.saturating_mul(self.size.into()))
    }
}

pub(crate) fn check(context: &DrawContext<'_>, findings: &mut Findings) {
    let clear: ClearMode = context.registers.get();
    let uses_depth = if clear.enabled { clear.depth } else { context.registers.is_on(Opcode::ZTESTENABLE) };
    let uses_color = !clear.enabled || clear.color || clear.stencil;
    let (color, depth) = (Buffer::color(context), Buffer::depth(context));
    if uses_color {
        check_buffer(context, &color, findings);
    }
    if uses_depth {
        check_buffer(context, &depth, findings);
    }
    let overlaps = |area: &PixelRect| match (color.rows(area), depth.rows(area)) {
        (Some(color), Some(depth)) => color.overlaps(&depth),
        _ => false,
    };
    // Clearing depth through the colour buffer is usual, so only draws that use both count.
    if uses_color && uses_depth && overlaps(&context.reached) && overlaps(&context.covered()) {
        let message = || {
            let [color, depth] = [&color, &depth].map(|buffer| describe(context.command(buffer.pointer)));
            format!("colour and depth buffer overlap ({color}, {depth})")
        };
        findings.add(Rule::BuffersOverlap, [color.address, depth.address], context.place, message);
    }
}

fn check_buffer(context: &DrawContext<'_>, buffer: &Buffer, findings: &mut Findings) {
    let place = context.place;
    let Buffer { name, pointer, width, address, stride, .. } = *buffer;
    let register = |opcode: Opcode| describe(context.command(opcode));
    let cause = [u32::from(pointer.code()), address];
    if context.registers.view::<BufferAddress>(pointer).address.0 & 15 != 0 {
        let message = || {
            format!("{} is not a multiple of 16: the {name} buffer is at 0x{address:x}", register(pointer))
        };
        findings.add(Rule::UnalignedAddress, cause, place, message);
    }
    let declared = context.registers.view::<BufferWidth>(width).width & 0x7FF;
    if u32::from(declared) != stride {
        let message = || format!("rows of {declared} pixels count as {stride} ({})", register(width));
        findings.add(Rule::UnalignedWidth, [u32::from(width.code()), declared.into()], place, message);
    }
    // The exact box takes time to compute, so it is needed only if the scissor allows too much.
    let is_wide = |area: &PixelRect| {
        let [x, y] = area.in_buffer();
        x.end > stride && y.len() > 1
    };
    if is_wide(&context.reached) {
        let covered = context.covered();
        if is_wide(&covered) {
            let [x, _] = covered.in_buffer();
            let last = x.end.saturating_sub(1);
            let message =
                || format!("draws to column {last} of rows of {stride} pixels ({})", register(width));
            findings.add(Rule::BufferTooNarrow, [u32::from(width.code()), stride], place, message);
        }
    }
    let is_past = |area: &PixelRect| buffer.end(area) > u64::from(VRAM_SIZE);
    if is_past(&context.reached) && is_past(&context.covered()) {
        let message = || {
            let past = buffer.end(&context.covered()).saturating_sub(VRAM_SIZE.into());
            format!("the {name} buffer passes the end of VRAM by {past} bytes ({})", register(pointer))
        };
        findings.add(Rule::BufferPastVram, [u32::from(pointer.code()), 0], place, message);
    }
}

/// Checks whether a draw that covers pixels changes any byte.
pub(crate) fn check_writes(registers: &Registers, place: &Place, findings: &mut Findings) {
    let on = |opcode| registers.is_on(opcode);
    let clear: ClearMode = registers.get();
    let keeps_color = registers.argument(Opcode::MASKRGB) == 0xFF_FFFF;
    let keeps_stencil = registers.argument(Opcode::MASKALPHA) & 0xFF == 0xFF;
    // Clear mode ignores tests and ZWRITEDISABLE, so only its own bits and the masks count.
    let (color, stencil, depth) = if clear.enabled {
        (clear.color && !keeps_color, clear.stencil && !keeps_stencil, clear.depth)
    } else {
        // A stencil test whose operations all keep the stencil only reads.
        let changes = registers.get::<StencilOperations>() != StencilOperations::default();
        let stencil = on(Opcode::STENCILTESTENABLE) && changes && !keeps_stencil;
        (!keeps_color, stencil, on(Opcode::ZTESTENABLE) && !on(Opcode::ZWRITEDISABLE))
    };
    if color || stencil || depth {
        return;
    }
    let message = || {
        let names: &[Opcode] = if clear.enabled {
            &[Opcode::CLEARMODE, Opcode::MASKRGB, Opcode::MASKALPHA]
        } else {
            &[Opcode::MASKRGB, Opcode::MASKALPHA, Opcode::ZTESTENABLE, Opcode::ZWRITEDISABLE]
        };
        let state: Vec<String> =
            names.iter().map(|opcode| describe(registers.command(*opcode)).to_string()).collect();
        format!("covers pixels, but changes no byte ({})", state.join(", "))
    };
    findings.add(Rule::WritesNothing, SAME, place, message);
}
