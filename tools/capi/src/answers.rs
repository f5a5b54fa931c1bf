//! Answers a debugger's questions in plain numbers: texels, vertices, depth. Questions never change the instance,
//! but they do complete pending draws to see their pixels.

use pspge::ge::registers::vertex::VertexType;
use pspge::pipeline::texture::Texture;
use pspge::pipeline::vertex::{LastAttributes, VertexReader};
use pspge::run::interpreter::FlowState;
use pspge::run::sink::Sink;
use pspge::{Address, DepthSurface};

use crate::border::{call, output, output_buffer, output_slice};
use crate::changes::with_memory;
use crate::instance::{Instance, Pspge};
use crate::status::{Failure, Status};

/// A depth buffer has fewer columns and fewer rows than this.
const DEPTH_SIDE: u32 = 1024;

/// A vertex as decoded from memory, before morphing, skinning and transformation.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VertexInfo {
    /// Where its bytes start.
    pub address: u32,
    /// Its index, or its position in the array if there are no indices.
    pub index: u32,
    /// Position in model units, or in pixels in through mode.
    pub position: [f32; 3],
    /// Normal; 0 if vertices have none.
    pub normal: [f32; 3],
    /// Texture coordinates as fractions of the texture, or in texels in through mode; 0 if vertices have none.
    pub texcoord: [f32; 2],
    /// Skinning weights; unused ones are 0.
    pub weights: [f32; 8],
    /// Red, green, blue, alpha; the material's ambient colour if vertices have none.
    pub color: [u8; 4],
}

/// Decodes the texture selected by the registers at mip level 0 to 7, to 8-bit red, green, blue and alpha, rows from
/// the top. This sets `*width` and `*height` to its size even if `capacity` bytes are too few
/// (PSPGE_STATUS_BUFFER_TOO_SMALL); nothing else is written then. Texels come from memory, not from the texture
/// cache, and palette colours from palette memory.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `pixels` is null or valid for writes of `capacity`
/// bytes; `width` and `height` are null or valid for writes. During this call, nobody else uses memory given to the
/// instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_get_texture(
    instance: *const Pspge,
    level: u32,
    pixels: *mut u8,
    capacity: usize,
    width: *mut u32,
    height: *mut u32,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        let level = u8::try_from(level).ok().filter(|level| *level < 8);
        let level = level.ok_or_else(|| Failure::BadArgument("mip levels are 0 to 7".to_owned()))?;
        // SAFETY: as the caller ensures.
        let width_slot = unsafe { output("width", width) }?;
        // SAFETY: as the caller ensures.
        let height_slot = unsafe { output("height", height) }?;
        with_memory(state, |loan| {
            let texture = Texture::from_registers(loan.interpreter.registers(), level);
            let [width, height] = [texture.width_log2, texture.height_log2].map(|log2| 1_u32 << log2);
            width_slot.write(width);
            height_slot.write(height);
            let needed = (width as usize).saturating_mul(height as usize).saturating_mul(4);
            // SAFETY: as the caller ensures. Bytes need not be initialised to be written.
            let pixels = unsafe { output_buffer("pixels", pixels, capacity, needed) }?;
            let Instance { memory, raster, interpreter, .. } = &mut **loan;
            raster.flush_for_read(memory, texture.address, texture.bytes());
            let clut = interpreter.registers().clut();
            let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
            for (pixel, (x, y)) in pixels.chunks_exact_mut(4).zip(places) {
                for (byte, value) in pixel.iter_mut().zip(texture.texel(memory, clut, x, y)) {
                    byte.write(value);
                }
            }
            Ok(())
        })
    })
}

/// Decodes `count` vertices as the next draw would read them, with its indices, starting at the vertex and index
/// pointers. Ask before a draw: a run stops there if you set a command budget or let the command callback stop it.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `vertices` is null or valid for writes of `count`
/// structures. During this call, nobody else uses memory given to the instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_get_vertices(
    instance: *const Pspge,
    vertices: *mut VertexInfo,
    count: u32,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures. They need not be initialised to be written.
        let found = unsafe { output_slice("vertices", vertices, count as usize) }?;
        with_memory(state, |loan| {
            let FlowState { vertices, indices, .. } = loan.interpreter.flow_state();
            let Instance { memory, raster, interpreter, .. } = &mut **loan;
            if interpreter.registers().get::<VertexType>().reads_vram(vertices, indices) {
                raster.flush(memory);
            }
            let last = LastAttributes::default();
            let reader = VertexReader::new(memory, interpreter.registers(), vertices, indices, last);
            for (slot, nth) in found.iter_mut().zip(0..) {
                let pspge::Vertex { position, normal, texcoord, color, weights } = reader.vertex(nth);
                let (address, index) = (reader.address(nth).get(), reader.index(nth));
                slot.write(VertexInfo { address, index, position, normal, texcoord, weights, color });
            }
            Ok(())
        })
    })
}

/// Copies the upper left part of the depth buffer selected by the registers, row by row, as 16-bit numbers in
/// picture order: this undoes the order used to store depth in VRAM. At most 1024 columns and rows.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `values` is null or valid for writes of
/// `width * height` numbers. During this call, nobody else uses memory given to the instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_get_depth(
    instance: *const Pspge,
    width: u32,
    height: u32,
    values: *mut u16,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        if width > DEPTH_SIDE || height > DEPTH_SIDE {
            return Err(Failure::BadArgument(format!("{width} by {height} values are too many")));
        }
        // SAFETY: as the caller ensures. Numbers need not be initialised to be written.
        let values = unsafe { output_slice("values", values, (width * height) as usize) }?;
        with_memory(state, |loan| {
            let Instance { memory, raster, interpreter, .. } = &mut **loan;
            // Depth is permuted within VRAM, so the values may be anywhere in it.
            raster.flush_for_read(memory, Address::vram(0), pspge::ge::address::VRAM_SIZE);
            let surface = DepthSurface::from_registers(interpreter.registers());
            let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
            for (slot, (x, y)) in values.iter_mut().zip(places) {
                slot.write(surface.read(memory, x, y));
            }
            Ok(())
        })
    })
}
