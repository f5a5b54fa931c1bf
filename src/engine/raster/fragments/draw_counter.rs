//! Counts a draw's fragments. To do so, the reference rasterizer draws it once more into a copy of memory and
//! reports every fragment.

use super::drawn_pixels::DrawnPixels;
use super::fragment_counts::{FragmentCounts, PixelFate};
use super::fragment_record::FragmentRecord;
use super::recorder::Recorder;
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::raster::front::cost;
use crate::raster::rules::coverage::for_each_pixel;
use crate::raster::rules::pixel_rect::PixelRect;
use crate::raster::rules::reference;
use crate::raster::texel_cache::TexelCache;
use crate::raster::texel_cache::cache_lines::TexelAccess;

/// How much longer it takes to count a fragment than to draw a pixel with the fast engine.
const COUNTED_FACTOR: u64 = 8;

/// Counts fragments primitive by primitive, to let a caller stop in between.
#[doc(hidden)]
#[derive(Debug)]
pub struct DrawCounter {
    /// The texture cache; `None` if texels come from memory.
    texels: Option<TexelCache>,
    budget: Budget,
    counts: FragmentCounts,
    pixels: DrawnPixels,
}

impl DrawCounter {
    /// Creates a counter. `texels` is the rasterizer's texture cache before the draw.
    pub(crate) fn new(texels: Option<TexelCache>, limits: &Limits) -> Self {
        Self {
            texels,
            budget: Budget::new(limits, Limit::Pixels),
            counts: FragmentCounts::default(),
            pixels: DrawnPixels::default(),
        }
    }

    /// Leaves the texture cache out, for a draw that reads its texels from memory.
    pub fn skip_texel_cache(&mut self) {
        self.texels = None;
    }

    /// Draws the next primitive into a copy of memory and returns its fragment counts.
    ///
    /// # Errors
    /// The limit, if it leaves no room for this primitive. Memory is then unchanged.
    pub fn draw(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        primitive: &ScreenPrimitive,
    ) -> Result<FragmentCounts, LimitHit> {
        let scissor = PixelRect::scissor(registers);
        let weight = cost::weight(registers).saturating_mul(COUNTED_FACTOR);
        // Fragments outside the scissor are counted too. They need only a coverage test, so their weight is 1.
        let inside = cost::of_primitive(primitive, &scissor, weight);
        let all = cost::of_primitive(primitive, &PixelRect::buffer(), 1);
        self.budget.spend(inside.saturating_add(all))?;
        let outside = outside(primitive, &scissor);
        let mut counter = FragmentCounter {
            pixels: &mut self.pixels,
            record: FragmentRecord::default(),
            counts: FragmentCounts { covered: outside, scissor: outside, ..FragmentCounts::default() },
        };
        let access = &mut match &mut self.texels {
            Some(texels) => texels.access(memory, u64::MAX),
            None => TexelAccess::Live,
        };
        reference::draw_primitive_inside(memory, registers, primitive, &scissor, access, &mut counter);
        let counts = counter.counts;
        self.counts.add(&counts);
        Ok(counts)
    }

    /// Returns the counts of all primitives so far.
    #[must_use]
    pub const fn counts(&self) -> FragmentCounts {
        self.counts
    }

    /// Returns which pixels the draw has touched inside the scissor. Positions are those in its buffers.
    #[must_use]
    pub fn into_pixels(self) -> DrawnPixels {
        self.pixels
    }
}

/// Counts the pixels that a primitive covers outside the scissor.
fn outside(primitive: &ScreenPrimitive, scissor: &PixelRect) -> u64 {
    let mut count = 0;
    for_each_pixel(&primitive.shape, primitive.arithmetic, &PixelRect::buffer(), |x, y| {
        count += u64::from(!scissor.contains(x, y));
    });
    count
}

/// Counts a primitive's fragments inside the scissor.
struct FragmentCounter<'a> {
    pixels: &'a mut DrawnPixels,
    record: FragmentRecord,
    counts: FragmentCounts,
}

impl FragmentCounter<'_> {
    /// Counts the selected fragment's texels, and takes them so that they count only once.
    fn count_texels(&mut self) {
        for level in self.record.texture.take().iter().flat_map(|texture| &texture.levels) {
            self.counts.texels += level.texels.len() as u64;
        }
    }
}

impl Recorder for FragmentCounter<'_> {
    fn select(&mut self, x: u32, y: u32) {
        self.count_texels();
        // Reusing the list of tests saves an allocation for each fragment.
        let mut tests = std::mem::take(&mut self.record.tests);
        tests.clear();
        self.record = FragmentRecord { screen: [x, y], tests, ..FragmentRecord::default() };
    }

    fn record(&mut self, edit: impl FnOnce(&mut FragmentRecord)) {
        edit(&mut self.record);
    }

    fn finish(&mut self, _: bool) {
        self.count_texels();
        let fate = PixelFate::of(&self.record);
        self.counts.add_fragment(&self.record, fate);
        self.pixels.add(self.record.position, fate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::opcode::Opcode;
    use crate::pipeline::framebuffer::ColorSurface;
    use crate::pipeline::primitive::{ScreenVertex, Shape};
    use crate::raster::fragments::drawn_pixels::PixelBounds;

    /// Draws a rectangle of 8 × 4 pixels at (2, 1), with alpha 100, stencil 0 and depth 50, and with settings
    /// besides a buffer of 64 × 64 pixels whose depth is 40. Returns its counts, the fate of pixel (3, 2), and the
    /// bounds.
    fn counted(settings: &[(Opcode, u32)]) -> (FragmentCounts, PixelFate, Option<PixelBounds>) {
        let defaults = [
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::FRAMEBUFPIXFORMAT, 3),
            (Opcode::ZBUFPTR, 0x11_0000),
            (Opcode::ZBUFWIDTH, 64),
            (Opcode::SCISSOR2, 63 | 63 << 10),
            (Opcode::REGION2, 63 | 63 << 10),
            (Opcode::MAXZ, 0xFFFF),
        ];
        let registers = Registers::with(defaults.into_iter().chain(settings.iter().copied()));
        let corner = |x: i32, y: i32| ScreenVertex {
            x: x * 16,
            y: y * 16,
            z: 50,
            color: [10, 20, 30, 100],
            reciprocal_w: 1.0,
            ..ScreenVertex::default()
        };
        let primitive = ScreenPrimitive {
            shape: Shape::Rectangle([corner(2, 1), corner(10, 5)]),
            shade: crate::ge::registers::transform::ShadeMode::FLAT,
            provoking: 1,
            through: false,
            arithmetic: crate::ge::arithmetic::Arithmetic::Hardware,
        };
        let mut memory = Memory::default();
        let mut counter = DrawCounter::new(None, &Limits::default());
        let counts = counter.draw(&mut memory, &registers, &primitive).expect("within the limits");
        assert_eq!(counts.covered, counts.killed() + counts.passed, "each fragment has one fate");
        assert_eq!(counts, counter.counts(), "of the draw");
        let written = ColorSurface::from_registers(&registers).read(&memory, 3, 2) == [10, 20, 30, 0];
        assert_eq!(written, counts.color_writes > 0, "the copy of memory is drawn to");
        let pixels = counter.into_pixels();
        (counts, pixels.fate([3, 2]), pixels.bounds(true))
    }

    #[test]
    fn each_test_kills() {
        let all = FragmentCounts { covered: 32, ..FragmentCounts::default() };
        let on = |opcode| (opcode, 1);
        let (never, less) = (0, 4);
        for (name, settings, expected, fate) in [
            (
                "scissor",
                &[(Opcode::SCISSOR1, 20)][..],
                FragmentCounts { scissor: 32, ..all },
                PixelFate::Untouched,
            ),
            (
                "range",
                &[(Opcode::MINZ, 51)],
                FragmentCounts { depth_range: 32, ..all },
                PixelFate::DepthRange,
            ),
            (
                "alpha",
                &[on(Opcode::ALPHATESTENABLE), (Opcode::ALPHATEST, never)],
                FragmentCounts { alpha: 32, ..all },
                PixelFate::Alpha,
            ),
            (
                "colour",
                &[on(Opcode::COLORTESTENABLE), (Opcode::COLORTEST, never)],
                FragmentCounts { color: 32, ..all },
                PixelFate::Color,
            ),
            (
                "stencil",
                &[on(Opcode::STENCILTESTENABLE), (Opcode::STENCILTEST, never)],
                FragmentCounts { stencil: 32, ..all },
                PixelFate::Stencil,
            ),
            (
                "depth",
                &[on(Opcode::ZTESTENABLE), (Opcode::ZTEST, less)],
                FragmentCounts { depth: 32, ..all },
                PixelFate::Depth,
            ),
            (
                "masks",
                &[(Opcode::MASKRGB, 0xFF_FFFF), (Opcode::MASKALPHA, 0xFF)],
                FragmentCounts { passed: 32, ..all },
                PixelFate::Masked,
            ),
        ] {
            assert_eq!(counted(settings), (expected, fate, None), "{name}");
        }
    }

    #[test]
    fn writes_and_bounds() {
        let written = Some(PixelBounds { first: [2, 1], last: [9, 4] });
        let expected = FragmentCounts {
            covered: 32,
            passed: 32,
            color_writes: 32,
            changed: 32,
            ..FragmentCounts::default()
        };
        assert_eq!(counted(&[]), (expected, PixelFate::Written, written), "all");
        let depth = [(Opcode::ZTESTENABLE, 1), (Opcode::ZTEST, 1)];
        let with_depth = FragmentCounts { depth_writes: 32, ..expected };
        assert_eq!(counted(&depth), (with_depth, PixelFate::Written, written), "with depth");
        let (half, _, bounds) = counted(&[(Opcode::SCISSOR2, 5 | 63 << 10)]);
        assert_eq!((half.scissor, half.passed), (16, 16), "half of it is outside the scissor");
        assert_eq!(bounds, Some(PixelBounds { first: [2, 1], last: [5, 4] }), "the rest");
    }

    #[test]
    fn pixels_are_limited() {
        let limits = Limits::default().with(Limit::Pixels, 10);
        let mut counter = DrawCounter::new(None, &limits);
        let primitive = ScreenPrimitive {
            shape: Shape::Point([ScreenVertex::default()]),
            shade: crate::ge::registers::transform::ShadeMode::FLAT,
            provoking: 0,
            through: true,
            arithmetic: crate::ge::arithmetic::Arithmetic::Hardware,
        };
        let counted = counter.draw(&mut Memory::default(), &Registers::new(), &primitive);
        assert_eq!(counted.map_err(|hit| hit.limit), Err(Limit::Pixels), "a limit");
    }
}
