//! Describes buffers, and the parts of them to draw to.

use serde::{Deserialize, Serialize};

use crate::ge::address::{Address, VRAM_BASE, VramView};
use crate::ge::float::Float;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::{Corner, DepthLimit};
use crate::ge::registers::texture::PixelFormat;
use crate::ge::registers::transform::ScreenOffset;
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};

/// A colour or depth buffer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Buffer {
    /// The first pixel's address, in the view of VRAM that has pixels in order.
    pub address: Address,
    /// How far apart rows start, in pixels.
    pub stride: u32,
    /// A colour buffer's pixel format; null for a depth buffer, which has 16 bits a pixel.
    pub format: Option<PixelFormat>,
}

impl Buffer {
    /// Returns the colour buffer set by the registers.
    #[must_use]
    pub fn color(registers: &Registers) -> Self {
        let ColorSurface { address, stride, format } = ColorSurface::from_registers(registers);
        Self { address: Address::vram(address), stride, format: Some(format) }
    }

    /// Returns the depth buffer set by the registers.
    #[must_use]
    pub fn depth(registers: &Registers) -> Self {
        let DepthSurface { address, stride, view } = DepthSurface::from_registers(registers);
        let base = match view {
            VramView::Linear => VRAM_BASE,
            VramView::Depth16 => VRAM_BASE | 0x20_0000,
            VramView::Depth32 => VRAM_BASE | 0x60_0000,
        };
        Self { address: Address::new(base).offset(address), stride, format: None }
    }
}

/// The viewport, and the part of screen space shown by the framebuffer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Viewport {
    /// Its centre's x, y and z, in pixels and units of depth.
    pub center: [Float; 3],
    /// Half its width, height and depth; negative to mirror.
    pub scale: [Float; 3],
    /// The column and row in screen space that become the framebuffer's column 0 and row 0, in pixels.
    pub offset: [Float; 2],
}

impl Viewport {
    /// Returns the viewport set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let floats = |opcodes: [Opcode; 3]| opcodes.map(|opcode| Float(registers.float(opcode)));
        let pixels = |opcode| {
            let ScreenOffset { offset } = registers.view(opcode);
            Float(f32::from(offset) / 16.0)
        };
        Self {
            center: floats([Opcode::VIEWPORTXCENTER, Opcode::VIEWPORTYCENTER, Opcode::VIEWPORTZCENTER]),
            scale: floats([Opcode::VIEWPORTXSCALE, Opcode::VIEWPORTYSCALE, Opcode::VIEWPORTZSCALE]),
            offset: [pixels(Opcode::OFFSETX), pixels(Opcode::OFFSETY)],
        }
    }
}

/// A rectangle of pixels, all sides inclusive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rectangle {
    /// Its leftmost column.
    pub left: u16,
    /// Its top row.
    pub top: u16,
    /// Its rightmost column.
    pub right: u16,
    /// Its bottom row.
    pub bottom: u16,
}

impl Rectangle {
    /// Returns the rectangle between the corners in two registers.
    #[must_use]
    pub fn of(registers: &Registers, first: Opcode, last: Opcode) -> Self {
        let [first, last]: [Corner; 2] = [first, last].map(|opcode| registers.view(opcode));
        Self { left: first.x, top: first.y, right: last.x, bottom: last.y }
    }
}

/// Which depths are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DepthRange {
    /// The smallest depth drawn.
    pub min: u16,
    /// The largest depth drawn.
    pub max: u16,
    /// Whether depth is clamped and primitives are clipped at the near plane, instead of culled by depth.
    pub clamp: bool,
}

impl DepthRange {
    /// Returns the range set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let depth = |opcode| registers.view::<DepthLimit>(opcode).z;
        Self {
            min: depth(Opcode::MINZ),
            max: depth(Opcode::MAXZ),
            clamp: registers.is_on(Opcode::DEPTHCLAMPENABLE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_resolved() {
        for (format, depth) in [(0, 0x0431_0000), (2, 0x0431_0000), (3, 0x0471_0000)] {
            let registers = Registers::with([
                (Opcode::FRAMEBUFPTR, 0x44_1239),
                (Opcode::FRAMEBUFWIDTH, 0x04_0202),
                (Opcode::FRAMEBUFPIXFORMAT, format),
                (Opcode::ZBUFPTR, 0x11_0000),
            ]);
            let color = Buffer::color(&registers);
            assert_eq!((color.address, color.stride), (Address::new(0x0404_1230), 0x200), "colour buffer");
            let address = Buffer::depth(&registers).address;
            assert_eq!(address, Address::new(depth), "depth next to colours of format {format}");
        }
    }

    #[test]
    fn screen_offsets_are_pixels() {
        let registers = Registers::with([(Opcode::OFFSETX, 0x7108), (Opcode::VIEWPORTYSCALE, 0x80_0000)]);
        let viewport = Viewport::of(&registers);
        assert_eq!(viewport.offset, [Float(1808.5), Float(0.0)], "sixteenths of a pixel");
    }
}
