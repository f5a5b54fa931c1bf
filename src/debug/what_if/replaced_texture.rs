//! Puts a picture in place of a texture. Its texels go to unused memory, and an override makes draws sample them.

use image::RgbaImage;

use super::placed_texels::PlacedTexels;
use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::Capture;
use crate::ge::limits::Limits;
use crate::ge::memory::Memory;
use crate::ge::never::OrNever;
use crate::ge::opcode::Opcode;
use crate::ge::overrides::{Change, Override, Scope};
use crate::ge::registers::Registers;
use crate::ge::registers::field::View;
use crate::ge::registers::texture::{TextureAddress, TextureSize};
use crate::ge::registers::vertex::VertexType;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::run::replay;
use crate::run::sink::{NullObserver, Sink};

/// The largest width and height that a picture may have, in texels.
pub(crate) const SIZE_MAX: u32 = 512;

/// Tells why a picture cannot replace a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplacementError {
    /// The picture's width or height is not a power of two, or it is too large.
    #[error("the picture has {width}x{height} texels; each side must be a power of two up to 512")]
    PictureSize {
        /// The picture's width.
        width: u32,
        /// The picture's height.
        height: u32,
    },
    /// No draw in the scope samples a texture there.
    #[error("no draw of the run samples a texture at {0}")]
    NotSampled(Address),
    /// A draw in through mode counts texels, so the sizes must be equal.
    #[error(
        "draw {draw} samples the texture in through mode, so the picture must have its size of {width}x{height} texels"
    )]
    Through {
        /// The draw's number.
        draw: u64,
        /// The texture's width.
        width: u32,
        /// The texture's height.
        height: u32,
    },
    /// Memory has no room for the texels.
    #[error("memory has no unused room for the picture")]
    NoRoom,
}

/// A picture in place of a texture.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct ReplacedTexture<'a> {
    /// This replacement in the user's words, for messages.
    pub text: &'a str,
    /// Address of the texture's first texel.
    pub address: Address,
    /// The picture, which serves for all levels of detail.
    pub picture: &'a RgbaImage,
    /// Which draws sample the picture instead.
    pub scope: Scope,
}

/// Puts a picture's texels into unused memory in a capture, and adds the override to make draws sample them. To find
/// these draws, this runs the capture once.
///
/// # Errors
/// Returns an error if the picture cannot be a texture, or if no draw samples a texture at the address. The capture
/// then stays as it is.
#[doc(hidden)]
pub fn replace_texture(
    capture: &mut Capture,
    replaced: ReplacedTexture<'_>,
    arithmetic: Arithmetic,
    limits: &Limits,
) -> Result<(), ReplacementError> {
    let ReplacedTexture { text, address, picture, scope } = replaced;
    let (width, height) = picture.dimensions();
    let is_side = |side: u32| side.is_power_of_two() && side <= SIZE_MAX;
    if !is_side(width) || !is_side(height) {
        return Err(ReplacementError::PictureSize { width, height });
    }
    let mut finder = UseFinder { address, scope: &scope, found: false, wrong: None, size: [width, height] };
    replay::run(&mut capture.clone(), arithmetic, &mut finder, &mut NullObserver, limits);
    if let Some(wrong) = finder.wrong {
        return Err(wrong);
    }
    if !finder.found {
        return Err(ReplacementError::NotSampled(address));
    }
    let mut texels = PlacedTexels::new(&mut capture.memory);
    let mut changes = texels.put(std::slice::from_ref(picture)).ok_or(ReplacementError::NoRoom)?;
    let [width_log2, height_log2] =
        [width, height].map(|side| u8::try_from(side.ilog2()).or_never("a side has at most 512 texels"));
    let bits = TextureSize { width_log2, height_log2 }.to_argument();
    changes.push(Change::Register { opcode: Opcode::TEXSIZE0, mask: 0xFF_FFFF, bits });
    capture.overrides.push(Override { text: text.to_owned(), scope, texture: Some(address), changes });
    Ok(())
}

/// Finds the draws that sample a texture.
struct UseFinder<'a> {
    address: Address,
    scope: &'a Scope,
    found: bool,
    /// The first draw in which the picture cannot replace the texture.
    wrong: Option<ReplacementError>,
    /// The picture's width and height.
    size: [u32; 2],
}

impl UseFinder<'_> {
    fn look_at(&mut self, number: u64, registers: &Registers) {
        let is_in_scope = self.scope.draws.as_ref().is_some_and(|draws| draws.contains(number));
        let samples =
            registers.is_on(Opcode::TEXENABLE) && TextureAddress::of_level(registers, 0) == self.address;
        if !is_in_scope || !samples {
            return;
        }
        self.found = true;
        let size: TextureSize = registers.view(Opcode::TEXSIZE0);
        let [width, height] = [size.width_log2, size.height_log2].map(|log2| 1 << (log2 & 15));
        if registers.get::<VertexType>().through && [width, height] != self.size {
            self.wrong.get_or_insert(ReplacementError::Through { draw: number, width, height });
        }
    }
}

impl Sink for UseFinder<'_> {
    fn draw(&mut self, _: &mut Memory, draw: &Draw<'_>) {
        self.look_at(draw.number, draw.registers);
    }

    fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.look_at(draw.number, draw.registers);
    }

    fn flush(&mut self, _: &mut Memory) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::assemble;
    use crate::raster::Rasterizer;

    const TEXELS: Address = Address::new(0x0880_1000);

    fn capture(through: u32) -> Capture {
        capture_with(through, "")
    }

    /// A rectangle of 4x4 pixels with a red texture, in through mode or not, and more commands.
    fn capture_with(through: u32, more: &str) -> Capture {
        let list = format!(
            "FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=63 y=63 | REGION2 x=63 y=63
            VIEWPORTXSCALE 1.0 | VIEWPORTYSCALE 1.0 | VIEWPORTZSCALE 1.0 | MAXZ 0xffff
            WORLDMATRIXNUMBER 0 | WORLDMATRIXDATA 1.0 0 0 0 1.0 0 0 0 1.0 0 0 0
            VIEWMATRIXNUMBER 0 | VIEWMATRIXDATA 1.0 0 0 0 1.0 0 0 0 1.0 0 0 0
            PROJMATRIXNUMBER 0 | PROJMATRIXDATA 1.0 0 0 0 0 1.0 0 0 0 0 1.0 0 0 0 0 1.0
            TEXSCALEU 1.0 | TEXSCALEV 1.0
            TEXENABLE 1 | TEXFUNC function=REPLACE use_alpha=1 | TEXFORMAT ABGR8888 | TEXADDR0 0x801000
            TEXBUFWIDTH0 width=4 high=8 | TEXSIZE0 width_log2=1 height_log2=1
            BASE hi(v) | VTYPE texcoord=FLOAT position=FLOAT through={through} | VADDR lo(v)
            PRIM primitive=RECTANGLES count=2 | {more} FINISH | END
            .align 4
            v: .f32 0 0 0 0 0 | .f32 1 1 4 4 0"
        );
        let mut capture = assemble(&list).expect("a program").capture();
        capture.memory.write(TEXELS, &[255, 0, 0, 255].repeat(8));
        capture
    }

    fn replaced(
        capture: &mut Capture,
        size: [u32; 2],
        address: Address,
        draws: &str,
    ) -> Result<[u8; 4], ReplacementError> {
        let picture = RgbaImage::from_pixel(size[0], size[1], image::Rgba([1, 2, 3, 255]));
        let scope = Scope::draws(draws.parse().expect("a set"));
        let replaced = ReplacedTexture { text: "", address, picture: &picture, scope };
        replace_texture(capture, replaced, Arithmetic::Hardware, &Limits::default())?;
        let (mut raster, limits) = (Rasterizer::default(), Limits::default());
        replay::run(capture, Arithmetic::Hardware, &mut raster, &mut NullObserver, &limits);
        Ok(capture.memory.read_array(Address::vram(0)))
    }

    #[test]
    fn draws_sample_the_picture() {
        for (through, size) in [(1, [2, 2]), (0, [2, 2]), (0, [8, 16]), (0, [1, 512])] {
            let color = replaced(&mut capture(through), size, TEXELS, "0").expect("a texture");
            assert_eq!(color[..3], [1, 2, 3], "through {through}, {size:?}");
        }
    }

    /// The second draw samples the same texture again, which is in the cache.
    #[test]
    fn cached_texels_do_not_hide_the_picture() {
        let more = "VADDR lo(v) | PRIM primitive=RECTANGLES count=2 |";
        let color = replaced(&mut capture_with(1, more), [2, 2], TEXELS, "1").expect("a texture");
        assert_eq!(color[..3], [1, 2, 3], "the second draw");
    }

    #[test]
    fn pictures_that_do_not_fit_are_refused() {
        for (through, size, address, draws, error) in [
            (0, [3, 4], TEXELS, "0", ReplacementError::PictureSize { width: 3, height: 4 }),
            (0, [4, 1024], TEXELS, "0", ReplacementError::PictureSize { width: 4, height: 1024 }),
            (0, [4, 4], TEXELS.offset(16), "0", ReplacementError::NotSampled(TEXELS.offset(16))),
            (0, [4, 4], TEXELS, "1-", ReplacementError::NotSampled(TEXELS)),
            (1, [4, 4], TEXELS, "0", ReplacementError::Through { draw: 0, width: 2, height: 2 }),
        ] {
            let mut capture = capture(through);
            assert_eq!(replaced(&mut capture, size, address, draws), Err(error), "{error}");
            assert!(capture.overrides.is_empty(), "{error}: unchanged");
        }
    }
}
