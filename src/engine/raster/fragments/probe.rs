//! Probes tell which fragments a draw has and how their tests end, without drawing them.
//!
//! # Invariants
//! Memory does not change. Each fragment is tested as `reference` tests the first at its pixel, with the stencil
//! from before the draw. The depth test is left to callers, because their depth buffer may be a copy.

use std::ops::Range;

use super::recorder::NoRecorder;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::{ClearMode, MaskedTest};
use crate::pipeline::framebuffer::ColorSurface;
use crate::pipeline::primitive::{ScreenPrimitive, Shape};
use crate::raster::rules::coverage::{Triangle, for_each_pixel};
use crate::raster::rules::pixel;
use crate::raster::rules::pixel_rect::PixelRect;
use crate::raster::rules::reference::AttributePlanes;
use crate::raster::rules::region::RegionTranslation;
use crate::raster::rules::texel_source::TexelSource;

/// A fragment that passes all tests before the depth test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbedFragment {
    /// Column on the screen.
    pub x: u32,
    /// Row on the screen.
    pub y: u32,
    /// Column and row in the colour and depth buffers.
    pub position: [u32; 2],
    /// Depth.
    pub z: u16,
    /// 1/w: with a perspective projection, larger is nearer to the camera.
    pub reciprocal_w: f32,
}

/// The state for a draw's tests.
#[derive(Debug)]
pub struct Probe<'a> {
    memory: &'a Memory,
    registers: &'a Registers,
    scissor: PixelRect,
    region: RegionTranslation,
    is_clear: bool,
    /// Whether a test reads the fragment's colour.
    needs_color: bool,
    stencil: Option<(MaskedTest, ColorSurface)>,
}

impl<'a> Probe<'a> {
    /// Looks up the state in the registers.
    pub fn new(memory: &'a Memory, registers: &'a Registers) -> Self {
        let is_clear = registers.get::<ClearMode>().enabled;
        let is_on = |opcode| registers.is_on(opcode) && !is_clear;
        Self {
            memory,
            registers,
            scissor: PixelRect::scissor(registers),
            region: RegionTranslation::from_registers(registers),
            is_clear,
            needs_color: is_on(Opcode::ALPHATESTENABLE) || is_on(Opcode::COLORTESTENABLE),
            stencil: is_on(Opcode::STENCILTESTENABLE)
                .then(|| (registers.view(Opcode::STENCILTEST), ColorSurface::from_registers(registers))),
        }
    }

    /// Returns an upper bound for the pixels that [`Self::fragments`] looks at.
    pub fn pixels(&self, primitive: &ScreenPrimitive) -> u64 {
        let PixelRect { x, y } = PixelRect::around(primitive);
        let size = |around: Range<i64>, limits: &Range<i64>| {
            let (first, end) = (around.start.max(limits.start), (around.end + 1).min(limits.end));
            u64::try_from(end - first).unwrap_or(0)
        };
        size(x, &self.scissor.x) * size(y, &self.scissor.y)
    }

    /// Passes on the fragments that only the depth test can stop.
    pub fn fragments(&self, primitive: &ScreenPrimitive, visit: &mut dyn FnMut(ProbedFragment)) {
        let (memory, registers) = (self.memory, self.registers);
        let attributes = AttributePlanes::new(primitive, self.is_clear);
        // Texels are sampled only if a test needs the colour, because this takes time.
        let textured = self.needs_color && registers.is_on(Opcode::TEXENABLE);
        let texels = textured.then(|| TexelSource::new(registers, primitive)).flatten();
        let triangle = match &primitive.shape {
            Shape::Triangle(vertices) => Triangle::new(vertices, primitive.arithmetic),
            _ => None,
        };
        for_each_pixel(&primitive.shape, primitive.arithmetic, &self.scissor, |x, y| {
            let ScreenPrimitive { through, arithmetic, .. } = *primitive;
            let mut fragment = pixel::Fragment { through, arithmetic, ..attributes.at(x, y) };
            fragment.texel = texels.as_ref().map(|texels| texels.at(&mut &*memory, x, y, &mut NoRecorder));
            if !pixel::passes_depth_range(registers, &fragment, &mut NoRecorder)
                || self.needs_color && !pixel::passes_color_tests(registers, &fragment)
            {
                return;
            }
            let [column, row] = self.region.apply(x, y);
            if let Some((test, surface)) = &self.stencil {
                let stored = surface.decode(surface.read_bits(memory, column, row))[3];
                if !test.function.passes(test.reference & test.mask, stored & test.mask) {
                    return;
                }
            }
            let reciprocal_w = reciprocal_w(primitive, triangle.as_ref(), x, y);
            visit(ProbedFragment { x, y, position: [column, row], z: fragment.z, reciprocal_w });
        });
    }
}

/// Interpolates 1/w at a pixel. It is linear over a triangle; other shapes take it from their last vertex.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "weights are shares, rounded to single at the end"
)]
fn reciprocal_w(primitive: &ScreenPrimitive, triangle: Option<&Triangle>, x: u32, y: u32) -> f32 {
    let vertices = primitive.vertices();
    let Some(triangle) = triangle else { return vertices.last().map_or(1.0, |last| last.reciprocal_w) };
    let weights = triangle.weights(x, y);
    let total: i64 = weights.iter().sum();
    let sum: f64 = vertices
        .iter()
        .zip(weights)
        .map(|(vertex, weight)| f64::from(vertex.reciprocal_w) * weight as f64)
        .sum();
    (sum / total as f64) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::registers::transform::ShadeMode;
    use crate::pipeline::framebuffer::DepthSurface;
    use crate::pipeline::primitive::ScreenVertex;
    use crate::raster::rules::reference;
    use crate::raster::texel_cache::cache_lines::TexelAccess;

    fn vertex(x: i32, y: i32, z: u16, alpha: u8, reciprocal_w: f32) -> ScreenVertex {
        let color = [9, 9, 9, alpha];
        ScreenVertex { x: x * 16, y: y * 16, z, color, reciprocal_w, fog: 1.0, ..ScreenVertex::default() }
    }

    fn triangle() -> ScreenPrimitive {
        ScreenPrimitive {
            shape: Shape::Triangle([
                vertex(0, 0, 100, 0, 1.0),
                vertex(16, 0, 300, 255, 0.5),
                vertex(0, 16, 100, 0, 1.0),
            ]),
            shade: ShadeMode::GOURAUD,
            provoking: 2,
            through: false,
            arithmetic: Arithmetic::Hardware,
        }
    }

    fn registers(settings: &[(Opcode, u32)]) -> Registers {
        let defaults = [
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::FRAMEBUFPIXFORMAT, 3),
            (Opcode::ZBUFPTR, 0x11_0000),
            (Opcode::ZBUFWIDTH, 64),
            (Opcode::SCISSOR2, 63 | 63 << 10),
            (Opcode::REGION2, 63 | 63 << 10),
            (Opcode::MAXZ, 0xFFFF),
        ];
        Registers::with(defaults.into_iter().chain(settings.iter().copied()))
    }

    fn fragments(memory: &Memory, registers: &Registers) -> Vec<ProbedFragment> {
        let mut found = Vec::new();
        let probe = Probe::new(memory, registers);
        probe.fragments(&triangle(), &mut |fragment| found.push(fragment));
        assert!(found.len() as u64 <= probe.pixels(&triangle()), "an upper bound");
        found
    }

    /// The fragments that pass the depth test are those that the reference draws, with the same depth.
    #[test]
    fn agrees_with_the_reference() {
        let depth = [(Opcode::ZTESTENABLE, 1), (Opcode::ZTEST, 7)];
        let alpha = [(Opcode::ALPHATESTENABLE, 1), (Opcode::ALPHATEST, 0xFF_8007)];
        let stencil = [(Opcode::STENCILTESTENABLE, 1), (Opcode::STENCILTEST, 0xFF_0002)];
        for settings in [&depth[..], &[depth, alpha].concat(), &[depth, stencil].concat(), &[]] {
            let registers = registers(settings);
            let surface = DepthSurface::from_registers(&registers);
            let color = ColorSurface::from_registers(&registers);
            let mut memory = Memory::default();
            for (x, y) in (0..64).flat_map(|y| (0..64).map(move |x| (x, y))) {
                surface.write(&mut memory, x, y, 150);
                color.write(&mut memory, x, y, [0, 0, 0, u8::from(x < 3)], [0; 4]);
            }
            let found = fragments(&memory, &registers);
            let drawn =
                reference::draw_primitive(&mut memory, &registers, &triangle(), &mut TexelAccess::Live);
            let tests = registers.is_on(Opcode::ZTESTENABLE);
            let passing = found.iter().filter(|fragment| !tests || fragment.z >= 150);
            assert_eq!(passing.clone().count() as u64, drawn, "{settings:?}");
            assert!(drawn > 0, "{settings:?}: something is drawn");
            for fragment in passing.filter(|_| !settings.is_empty()) {
                assert_eq!(surface.read(&memory, fragment.x, fragment.y), fragment.z, "{settings:?}");
            }
        }
    }

    #[test]
    fn interpolates_the_distance() {
        let found = fragments(&Memory::default(), &registers(&[]));
        for fragment in found {
            let expected = 1.0 - (fragment.x as f32 + 0.5) / 32.0;
            assert!((fragment.reciprocal_w - expected).abs() < 1e-6, "{fragment:?}");
        }
    }
}
