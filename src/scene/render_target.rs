//! Sets up a model's render target: framebuffer, camera matrices, and a list to call the model's list.
//!
//! Pictures larger than VRAM are drawn in tiles, as a program on the console would do it. The viewport covers the whole
//! picture, centred in the screen space, which has 4096×4096 pixels. The screen offset then moves each tile to the
//! framebuffer's origin.
//!
//! Source: [viewport](crate::reference::ge::transform#viewport), [raster
//! grid](crate::reference::ge::transform#raster-grid), [scissor](crate::reference::ge::coverage#scissor).

use crate::ge::address::Address;
use crate::ge::capture::SCREEN;
use crate::ge::list::ListBuilder;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::ge::registers::pixel::{
    ClearMode, Comparison, Corner, DepthLimit, DepthTest, StencilOperation, StencilOperations,
};
use crate::ge::registers::surface::{BufferWidth, FramebufferFormat};
use crate::ge::registers::texture::PixelFormat;
use crate::ge::registers::transform::{ScreenOffset, Shade, ShadeMode};
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat, PrimitiveType, VertexType};
use crate::model;

/// Address of the scene's list.
#[doc(hidden)]
pub const SCENE_LIST: Address = Address::new(model::SCENE_MEMORY.start);
/// Address of the scene's own vertices, beyond the list's few hundred words.
const SCENE_VERTICES: Address = Address::new(model::SCENE_MEMORY.start + 0x8000);

/// The largest width or height for a picture, which is the screen space's.
pub const SIZE_MAX: u32 = 4096;
/// The largest width and height for a tile, to fit its colour and depth buffers into VRAM.
#[doc(hidden)]
pub const TILE_SIZE_MAX: u32 = 512;
/// Alignment for the depth buffer, to keep its permuted bytes out of the colour buffer. Source:
/// `reference/ge/memory.md#view-of-the-depth-buffer`.
const DEPTH_ALIGNMENT: u32 = 0x8000;

/// A part of a picture, drawn by its own list, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Left column in the picture.
    pub x: u32,
    /// Top row in the picture.
    pub y: u32,
    /// Width, at most 512.
    pub width: u32,
    /// Height, at most 512.
    pub height: u32,
}

/// A picture's size, background and camera matrices.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct RenderTargetSetup {
    /// Picture width in pixels, 1 to [`SIZE_MAX`].
    pub width: u32,
    /// Picture height in pixels, 1 to [`SIZE_MAX`].
    pub height: u32,
    /// Background colour: red, green, blue, alpha.
    pub background: [u8; 4],
    /// VIEW: 12 elements.
    pub view: [f32; 12],
    /// PROJ: 16 elements.
    pub projection: [f32; 16],
}

impl RenderTargetSetup {
    /// Divides the picture into tiles, row by row.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + use<> {
        let (width, height) = (self.width.min(SIZE_MAX), self.height.min(SIZE_MAX));
        let starts = |size: u32| (0..size).step_by(TILE_SIZE_MAX as usize);
        starts(height).flat_map(move |y| {
            starts(width).map(move |x| Tile {
                x,
                y,
                width: TILE_SIZE_MAX.min(width - x),
                height: TILE_SIZE_MAX.min(height - y),
            })
        })
    }

    /// Writes a list to draw a tile by calling the model's list at `entry`, and returns its address.
    ///
    /// The framebuffer is at VRAM offset 0, in format 8888, and its rows have [`Self::stride`] pixels. The stencil
    /// makes drawn pixels opaque; all others keep the background's alpha.
    pub fn write(&self, memory: &mut Memory, tile: Tile, entry: Address) -> Address {
        self.write_list(memory, tile, [tile.width, tile.height], entry)
    }

    /// Does the same for players, which show the framebuffer's upper left 480×272 pixels. If the tile is smaller, the
    /// rest of the screen has the background colour.
    pub fn write_for_screen(&self, memory: &mut Memory, tile: Tile, entry: Address) -> Address {
        self.write_list(memory, tile, [tile.width.max(SCREEN[0]), tile.height.max(SCREEN[1])], entry)
    }

    /// Writes the list for a framebuffer at least as large as the tile.
    fn write_list(&self, memory: &mut Memory, tile: Tile, framebuffer: [u32; 2], entry: Address) -> Address {
        let mut list = ListBuilder::new(SCENE_LIST);
        write_buffers(&mut list, framebuffer);
        write_clear(&mut list, memory, framebuffer, self.background);
        if framebuffer != [tile.width, tile.height] {
            write_extent(&mut list, [tile.width, tile.height]);
        }
        self.write_view(&mut list, tile);
        list.set(Opcode::OFFSETADDR, 0).address(Opcode::CALL, entry).finish();
        list.store(memory);
        list.start()
    }

    /// Returns the row length in pixels for a tile's framebuffer.
    #[must_use]
    pub fn stride(tile: Tile) -> u32 {
        stride(tile.width)
    }

    /// Writes camera, viewport, shading and tests. Depth is 65535 at the near plane and 0 at the far plane, as sceGu
    /// programs usually set it.
    fn write_view(&self, list: &mut ListBuilder, tile: Tile) {
        list.matrix(Matrix::View, 0, &self.view).matrix(Matrix::Projection, 0, &self.projection);
        let half = |size: u32| f32::from(to_u16(size)) / 2.0;
        list.float(Opcode::VIEWPORTXSCALE, half(self.width))
            .float(Opcode::VIEWPORTYSCALE, -half(self.height));
        list.float(Opcode::VIEWPORTZSCALE, -32767.5);
        list.float(Opcode::VIEWPORTXCENTER, 2048.0).float(Opcode::VIEWPORTYCENTER, 2048.0);
        list.float(Opcode::VIEWPORTZCENTER, 32767.5);
        // This is in 1/16 pixel. The picture's centre is at 2048, and tiles start half the picture's size before it.
        let offset =
            |size: u32, start: u32| ScreenOffset { offset: to_u16(2048 * 16 + start * 16 - size * 8) };
        list.push(offset(self.width, tile.x).to(Opcode::OFFSETX));
        list.push(offset(self.height, tile.y).to(Opcode::OFFSETY));
        list.write(Shade { mode: ShadeMode::GOURAUD });
        list.set(Opcode::DEPTHCLAMPENABLE, 1);
        list.set(Opcode::ZTESTENABLE, 1).set(Opcode::ZWRITEDISABLE, 0);
        list.write(DepthTest { function: Comparison::GREATER_EQUAL });
        list.set(Opcode::STENCILTESTENABLE, 1);
        list.set(Opcode::STENCILTEST, 0xFF_FF01);
        list.write(StencilOperations { pass: StencilOperation::REPLACE, ..StencilOperations::default() });
    }
}

/// Returns the row length in pixels for this width.
const fn stride(width: u32) -> u32 {
    width.next_multiple_of(64)
}

/// Sets up colour and depth buffers for this width and height.
fn write_buffers(list: &mut ListBuilder, [width, height]: [u32; 2]) {
    let stride = stride(width);
    let depth = (stride * height * 4).next_multiple_of(DEPTH_ALIGNMENT);
    let row = BufferWidth { width: to_u16(stride), ..BufferWidth::default() };
    list.set(Opcode::FRAMEBUFPTR, 0).push(row.to(Opcode::FRAMEBUFWIDTH));
    list.write(FramebufferFormat { format: PixelFormat::ABGR8888 });
    list.set(Opcode::ZBUFPTR, depth).push(row.to(Opcode::ZBUFWIDTH));
    write_extent(list, [width, height]);
    list.set(Opcode::MINZ, 0).push(DepthLimit { z: u16::MAX }.to(Opcode::MAXZ));
    list.set(Opcode::MASKRGB, 0).set(Opcode::MASKALPHA, 0);
}

/// Limits draws to the framebuffer's upper left pixels, up to this width and height.
fn write_extent(list: &mut ListBuilder, [width, height]: [u32; 2]) {
    let last = Corner { x: to_u16(width - 1), y: to_u16(height - 1) };
    list.set(Opcode::SCISSOR1, 0).push(last.to(Opcode::SCISSOR2));
    list.set(Opcode::REGION1, 0).push(last.to(Opcode::REGION2));
}

/// Clears a framebuffer's colour, stencil and depth with a single rectangle.
fn write_clear(list: &mut ListBuilder, memory: &mut Memory, [width, height]: [u32; 2], background: [u8; 4]) {
    let mut vertices = Vec::new();
    for (x, y) in [(0, 0), (width, height)] {
        vertices.extend(background);
        for coordinate in [x, y, 0] {
            vertices.extend(to_u16(coordinate).to_le_bytes());
        }
        // This pads each vertex to a multiple of 4 bytes, because its colour needs this alignment.
        vertices.extend([0; 2]);
    }
    memory.write(SCENE_VERTICES, &vertices);
    let clear = ClearMode { enabled: true, color: true, stencil: true, depth: true };
    list.write(clear).set(Opcode::DITHERENABLE, 0);
    list.write(VertexType {
        color: ColorFormat::ABGR8888,
        position: ComponentFormat::BITS16,
        through: true,
        ..VertexType::default()
    });
    list.set(Opcode::OFFSETADDR, 0).address(Opcode::VADDR, SCENE_VERTICES).prim(PrimitiveType::RECTANGLES, 2);
    list.write(ClearMode::default());
}

/// Converts a scene's size or position, which is always below 65536.
fn to_u16(value: u32) -> u16 {
    u16::try_from(value).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(width: u32, height: u32) -> RenderTargetSetup {
        RenderTargetSetup { width, height, background: [0; 4], view: [0.0; 12], projection: [0.0; 16] }
    }

    #[test]
    fn tiles_cover_every_pixel_once() {
        for (width, height) in [(1, 1), (480, 272), (513, 512), (4096, 4096), (4095, 700)] {
            let setup = setup(width, height);
            let area: u64 = setup.tiles().map(|tile| u64::from(tile.width) * u64::from(tile.height)).sum();
            assert_eq!(area, u64::from(width) * u64::from(height), "{width}x{height}");
        }
    }

    #[test]
    fn buffers_of_every_tile_fit_vram() {
        for tile in setup(4096, 4096).tiles().chain(setup(480, 272).tiles()) {
            let pixels = RenderTargetSetup::stride(tile).max(SCREEN[0].next_multiple_of(64))
                * tile.height.max(SCREEN[1]);
            let depth = (pixels * 4).next_multiple_of(DEPTH_ALIGNMENT);
            assert!(depth + pixels * 2 <= crate::ge::address::VRAM_SIZE, "{tile:?}");
        }
    }
}
