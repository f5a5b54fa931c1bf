//! The reference rasterizer draws a primitive pixel by pixel. It reads every value directly from the registers.
//!
//! It prefers clarity to speed, because faster engines are tested against it: they must leave the same bytes. Change
//! it only if there is evidence.
//! Source: [coverage](crate::reference::ge::coverage), [interpolation](crate::reference::ge::interpolation),
//! [pixels](crate::reference::ge::pixels).

use super::coverage::{Triangle, for_each_pixel};
use super::fog;
use super::interpolate::Plane;
use super::line::Line;
use super::pixel::{self, Fragment};
use super::pixel_rect::PixelRect;
use super::single::line::OrderedLine;
use super::texel_source::TexelSource;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::ClearMode;
use crate::ge::registers::transform::ShadeMode;
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};
use crate::raster::fragments::fragment_record::{Interpolated, InterpolatedValues};
use crate::raster::fragments::recorder::{NoRecorder, Recorder};
use crate::raster::texel_cache::cache_lines::TexelAccess;

/// Draws a primitive with the state in `registers`. Returns how many pixels passed all tests.
///
/// Texels come from memory at the moment of their pixel, or from the texture cache: see [`TexelAccess`].
pub(crate) fn draw_primitive(
    memory: &mut Memory,
    registers: &Registers,
    primitive: &ScreenPrimitive,
    access: &mut TexelAccess<'_>,
) -> u64 {
    let scissor = PixelRect::scissor(registers);
    draw_primitive_inside(memory, registers, primitive, &scissor, access, &mut NoRecorder)
}

/// Draws a primitive inside a scissor, as [`draw_primitive`] does, and tells a recorder about its pixels.
pub(crate) fn draw_primitive_inside<R: Recorder>(
    memory: &mut Memory,
    registers: &Registers,
    primitive: &ScreenPrimitive,
    scissor: &PixelRect,
    access: &mut TexelAccess<'_>,
    recorder: &mut R,
) -> u64 {
    let clear = registers.get::<ClearMode>().enabled;
    let attributes = AttributePlanes::new(primitive, clear);
    let textured = registers.is_on(Opcode::TEXENABLE) && !clear;
    let texels = textured.then(|| TexelSource::new(registers, primitive)).flatten();
    let is_antialiased = registers.is_on(Opcode::ANTIALIASENABLE) && !clear;
    let line = is_antialiased.then(|| antialiased_line(primitive)).flatten();
    let draw = |memory: &mut Memory, x: u32, y: u32, texel: Option<[u8; 4]>, recorder: &mut R| {
        let ScreenPrimitive { through, arithmetic, .. } = *primitive;
        let mut fragment = Fragment { texel, through, arithmetic, ..attributes.at(x, y) };
        recorder.record(|record| record.interpolated = attributes.explain(x, y, &fragment));
        if let Some(line) = &line {
            fragment.color[3] = line.antialiased_alpha(x, y);
            recorder.record(|record| record.line_alpha = Some(fragment.color[3]));
        }
        let has_passed = pixel::draw(memory, registers, x, y, &fragment, recorder);
        recorder.finish(has_passed);
        u64::from(has_passed)
    };
    let mut passed = 0;
    match (texels, access) {
        (Some(texels), TexelAccess::Cached(cache)) => {
            cache.draw(memory, registers, primitive, scissor, |memory, lines, [x, y]| {
                recorder.select(x, y);
                let texel = texels.at(&mut lines.texels(memory), x, y, recorder);
                passed += draw(memory, x, y, Some(texel), recorder);
            });
        }
        (texels, _) => for_each_pixel(&primitive.shape, primitive.arithmetic, scissor, |x, y| {
            recorder.select(x, y);
            let texel = texels.as_ref().map(|texels| texels.at(&mut &*memory, x, y, recorder));
            passed += draw(memory, x, y, texel, recorder);
        }),
    }
    passed
}

/// Returns the line whose coverage replaces the alpha with ANTIALIASENABLE. Other primitives have none. In clear
/// mode alpha stays (assumed).
pub(crate) fn antialiased_line(primitive: &ScreenPrimitive) -> Option<Line> {
    match &primitive.shape {
        Shape::Line(vertices) if primitive.arithmetic == Arithmetic::Hardware => Some(Line::new(vertices)),
        _ => None,
    }
}

/// Planes for a primitive's interpolated attributes, except texture coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributePlanes {
    z: Plane,
    color: [Plane; 4],
    secondary: [Plane; 3],
    fog: Plane,
    arithmetic: Arithmetic,
}

impl AttributePlanes {
    pub(crate) fn new(primitive: &ScreenPrimitive, clear: bool) -> Self {
        let plane = plane_builder(&primitive.shape, primitive.arithmetic);
        let flat = primitive.shade == ShadeMode::FLAT || clear;
        let color = |value: &dyn Fn(&ScreenVertex) -> u8| {
            if flat {
                return Plane::constant(i64::from(value(&primitive.flat_vertex())));
            }
            plane(&|vertex| i64::from(value(vertex)), primitive.arithmetic == Arithmetic::Single)
        };
        Self {
            z: plane(&|vertex| i64::from(vertex.z), false),
            color: [0, 1, 2, 3].map(|i| color(&|vertex| vertex.color[i])),
            secondary: [0, 1, 2].map(|i| color(&|vertex| vertex.secondary[i])),
            fog: match primitive.arithmetic {
                Arithmetic::Hardware => {
                    plane(&|vertex| fog::coefficient(fog::fixed(vertex.fog)).into(), false)
                }
                Arithmetic::Single => plane(&|vertex| fog::fixed(vertex.fog), false),
            },
            arithmetic: primitive.arithmetic,
        }
    }

    /// Returns the fragment at a pixel. The caller sets its texel and whether this is through mode.
    pub(crate) fn at(&self, x: u32, y: u32) -> Fragment {
        let byte = |plane: Plane| u8::try_from(plane.at(x, y, 0, 255)).unwrap_or(0);
        Fragment {
            z: u16::try_from(self.z.at(x, y, 0, 0xFFFF)).unwrap_or(0),
            color: self.color.map(byte),
            secondary: self.secondary.map(byte),
            texel: None,
            fog: match self.arithmetic {
                Arithmetic::Hardware => byte(self.fog),
                Arithmetic::Single => fog::coefficient(self.fog.at(x, y, 0, 0x1_0000)),
            },
            through: false,
            arithmetic: Arithmetic::Hardware,
        }
    }
}

impl AttributePlanes {
    /// Explains the values in a fragment from [`Self::at`].
    fn explain(&self, x: u32, y: u32, fragment: &Fragment) -> InterpolatedValues {
        let at = |plane: &Plane, value: u16| Interpolated { unclamped: plane.unclamped_at(x, y), value };
        InterpolatedValues {
            depth: at(&self.z, fragment.z),
            color: [0, 1, 2, 3].map(|i| at(&self.color[i], fragment.color[i].into())),
            secondary: [0, 1, 2].map(|i| at(&self.secondary[i], fragment.secondary[i].into())),
            fog: at(&self.fog, fragment.fog.into()),
        }
    }
}

/// Creates a function to build the plane for a vertex value over a shape. Its flag selects rounding to nearest.
/// Rectangles use their second vertex everywhere, for [fog](crate::reference::ge::interpolation#fog) too.
fn plane_builder(
    shape: &Shape,
    arithmetic: Arithmetic,
) -> impl Fn(&dyn Fn(&ScreenVertex) -> i64, bool) -> Plane {
    move |value, rounded| match shape {
        Shape::Point([vertex]) | Shape::Rectangle([_, vertex]) => Plane::constant(value(vertex)),
        Shape::Line(vertices) => {
            let values = vertices.each_ref().map(value);
            match arithmetic {
                Arithmetic::Hardware => Plane::line(&Line::new(vertices), values),
                Arithmetic::Single => Plane::emulated_line(&OrderedLine::new(vertices), values),
            }
        }
        Shape::Triangle(vertices) => match Triangle::new(vertices, arithmetic) {
            Some(triangle) => Plane::triangle(&triangle, [0, 1, 2].map(|i| value(&vertices[i])), rounded),
            None => Plane::constant(0),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::address::Address;
    use crate::ge::command::Command;
    use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};
    use crate::raster::texel_cache::TexelCache;

    fn registers(settings: &[(Opcode, u32)]) -> Registers {
        let defaults = [
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::FRAMEBUFPIXFORMAT, 3),
            (Opcode::ZBUFPTR, 0x11_0000),
            (Opcode::ZBUFWIDTH, 64),
            (Opcode::SCISSOR2, 63 | 63 << 10),
            (Opcode::REGION2, 63 | 63 << 10),
        ];
        Registers::with(defaults.into_iter().chain(settings.iter().copied()))
    }

    fn draw(memory: &mut Memory, registers: &Registers, primitive: &ScreenPrimitive) -> u64 {
        draw_with(memory, registers, primitive, &mut TexelCache::default())
    }

    /// Draws a primitive with a texture cache, if its arithmetic has a cache.
    fn draw_with(
        memory: &mut Memory,
        registers: &Registers,
        primitive: &ScreenPrimitive,
        cache: &mut TexelCache,
    ) -> u64 {
        let mut access = match primitive.arithmetic {
            Arithmetic::Hardware => cache.access(memory, 0),
            Arithmetic::Single => TexelAccess::Live,
        };
        draw_primitive(memory, registers, primitive, &mut access)
    }

    fn primitive(shape: Shape, shade: ShadeMode, provoking: u8) -> ScreenPrimitive {
        ScreenPrimitive { shape, shade, provoking, through: true, arithmetic: Arithmetic::Hardware }
    }

    fn vertex(x: i32, y: i32, color: [u8; 4], texture: [f32; 2]) -> ScreenVertex {
        ScreenVertex {
            x: x * 16,
            y: y * 16,
            z: 7,
            color,
            texture: [texture[0], texture[1], 1.0],
            reciprocal_w: 1.0,
            fog: 1.0,
            ..ScreenVertex::default()
        }
    }

    fn rectangle(from: (i32, i32), to: (i32, i32), texels: f32) -> ScreenPrimitive {
        let first = vertex(from.0, from.1, [1; 4], [0.0; 2]);
        let second = vertex(to.0, to.1, [10, 20, 30, 40], [texels; 2]);
        primitive(Shape::Rectangle([first, second]), ShadeMode::GOURAUD, 1)
    }

    #[test]
    fn rectangles_use_second_vertex() {
        let (mut memory, registers) = (Memory::default(), registers(&[(Opcode::CLEARMODE, 0x701)]));
        assert_eq!(draw(&mut memory, &registers, &rectangle((2, 3), (4, 4), 0.0)), 2, "pixels");
        let color = ColorSurface::from_registers(&registers);
        assert_eq!(color.read(&memory, 3, 3), [10, 20, 30, 40], "inside");
        assert_eq!(color.read(&memory, 4, 3), [0; 4], "the end is outside");
        assert_eq!(DepthSurface::from_registers(&registers).read(&memory, 2, 3), 7, "depth");
    }

    #[test]
    fn clips_to_scissor() {
        let mut memory = Memory::default();
        let registers = registers(&[(Opcode::SCISSOR1, 5 | 6 << 10), (Opcode::SCISSOR2, 9 | 6 << 10)]);
        let everywhere = rectangle((-1_000_000, -1_000_000), (1_000_000, 1_000_000), 0.0);
        assert_eq!(draw(&mut memory, &registers, &everywhere), 5, "one row of five");
    }

    #[test]
    fn gouraud_triangles_floor_their_gradients() {
        let (mut memory, registers) = (Memory::default(), registers(&[]));
        let corners = [
            vertex(0, 0, [255, 0, 9, 0], [0.0; 2]),
            vertex(60, 0, [0, 255, 9, 0], [0.0; 2]),
            vertex(0, 60, [255, 0, 9, 0], [0.0; 2]),
        ];
        draw(&mut memory, &registers, &primitive(Shape::Triangle(corners), ShadeMode::GOURAUD, 2));
        let color = ColorSurface::from_registers(&registers);
        for x in 0..59u32 {
            // 255/60 × 1024 is exactly 4352.
            let rise = (4352 * (2 * x + 1)) >> 11;
            let fall = 255 - (4352 * (2 * x + 1)).div_ceil(2048);
            let expected = [fall, rise, 9].map(|channel| u8::try_from(channel).unwrap_or(0));
            assert_eq!(color.read(&memory, x, 0)[..3], expected, "column {x}");
        }
    }

    #[test]
    fn flat_triangles_use_provoking_vertex() {
        let (mut memory, registers) = (Memory::default(), registers(&[]));
        let corners =
            [(0, 0, 1), (9, 0, 2), (0, 9, 3)].map(|(x, y, color)| vertex(x, y, [color; 4], [0.0; 2]));
        draw(&mut memory, &registers, &primitive(Shape::Triangle(corners), ShadeMode::FLAT, 1));
        assert_eq!(ColorSurface::from_registers(&registers).read(&memory, 2, 2)[0], 2, "provoking vertex");
    }

    #[test]
    fn textured_rectangle_copies_texels() {
        let mut memory = Memory::default();
        for texel in 0..64u8 {
            memory.write(Address::vram(0x8000 + u32::from(texel) * 4), &[texel, 1, 2, 255]);
        }
        for filter in [0, 0x101] {
            let registers = registers(&[
                (Opcode::TEXENABLE, 1),
                (Opcode::TEXADDR0, 0x00_8000),
                (Opcode::TEXBUFWIDTH0, 0x04_0008),
                (Opcode::TEXSIZE0, 0x0303),
                (Opcode::TEXFORMAT, 3),
                (Opcode::TEXFUNC, 3),
                (Opcode::TEXFILTER, filter),
            ]);
            assert_eq!(draw(&mut memory, &registers, &rectangle((1, 1), (9, 9), 8.0)), 64, "all pixels");
            let color = ColorSurface::from_registers(&registers);
            for texel in 0..64u8 {
                let (x, y) = (u32::from(texel % 8) + 1, u32::from(texel / 8) + 1);
                assert_eq!(
                    color.read(&memory, x, y)[..3],
                    [texel, 1, 2],
                    "filter {filter:#x}, texel {texel}"
                );
            }
        }
    }

    /// [Self-sampling](crate::reference::ge::textures#self-sampling).
    #[test]
    fn samples_its_own_target_as_before() {
        let row = |arithmetic| {
            let mut memory = Memory::default();
            for texel in 0..8_u8 {
                memory.write(Address::vram(u32::from(texel) * 4), &[texel + 1, 0, 0, 0]);
            }
            let registers = registers(&[
                (Opcode::TEXENABLE, 1),
                (Opcode::TEXBUFWIDTH0, 0x04_0040),
                (Opcode::TEXSIZE0, 0x0003),
                (Opcode::TEXFORMAT, 3),
                (Opcode::TEXFUNC, 3),
            ]);
            // Copies each pixel to its right neighbour.
            let primitive = ScreenPrimitive { arithmetic, ..rectangle((1, 0), (8, 1), 7.0) };
            draw(&mut memory, &registers, &primitive);
            let color = ColorSurface::from_registers(&registers);
            [0, 1, 2, 3, 7].map(|x| color.read(&memory, x, 0)[0])
        };
        assert_eq!(row(Arithmetic::Hardware), [1, 1, 2, 3, 7], "moved by one pixel");
        assert_eq!(row(Arithmetic::Single), [1; 5], "emulators see pixels that they have just drawn");
    }

    #[test]
    fn perspective_in_transform_mode() {
        let mut memory = Memory::default();
        memory.write(Address::vram(0x8000), &[0x10; 16]);
        memory.write(Address::vram(0x8008), &[0xF0; 8]);
        let registers = registers(&[
            (Opcode::MAXZ, 0xFFFF),
            (Opcode::TEXENABLE, 1),
            (Opcode::TEXADDR0, 0x00_8000),
            (Opcode::TEXBUFWIDTH0, 0x04_0010),
            (Opcode::TEXSIZE0, 0x0004),
            (Opcode::TEXFORMAT, 5),
            (Opcode::CLUTFORMAT, 0xFF03),
            (Opcode::TEXFUNC, 3),
        ]);
        let mut registers = registers;
        registers.clut_mut()[0xF0 * 4] = 77;
        // The second vertex has three times the w, so the middle of the texture is at three quarters of the edge.
        let mut far = vertex(64, 0, [0; 4], [1.0, 0.0]);
        far.reciprocal_w = 1.0 / 3.0;
        let corners = [vertex(0, 0, [0; 4], [0.0; 2]), far, vertex(0, 64, [0; 4], [0.0; 2])];
        let triangle =
            ScreenPrimitive { through: false, ..primitive(Shape::Triangle(corners), ShadeMode::GOURAUD, 2) };
        draw(&mut memory, &registers, &triangle);
        let color = ColorSurface::from_registers(&registers);
        assert_eq!((color.read(&memory, 47, 0)[0], color.read(&memory, 48, 0)[0]), (0, 77), "three quarters");
    }

    #[test]
    fn no_input_panics() {
        let mut memory = Memory::default();
        let mut seed = 1u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed ^ seed >> 15
        };
        for round in 0..300 {
            let mut registers = Registers::new();
            for opcode in Opcode::all() {
                registers.write(Command::new(opcode, random() & random() & 0xFF_FFFF));
            }
            // A small scissor keeps the test short.
            for (opcode, argument) in [
                (Opcode::SCISSOR1, 1020 | 1020 << 10),
                (Opcode::SCISSOR2, 0xF_FFFF),
                (Opcode::REGION2, 0xF_FFFF),
            ] {
                registers.write(Command::new(opcode, argument));
            }
            let shape = {
                let mut vertex = || ScreenVertex {
                    x: random().cast_signed() >> (random() & 31),
                    y: random().cast_signed() >> (random() & 31),
                    z: random().to_le_bytes()[0].into(),
                    color: random().to_le_bytes(),
                    secondary: [0; 3],
                    texture: [random(), random(), random()].map(f32::from_bits),
                    reciprocal_w: f32::from_bits(random()),
                    fog: f32::from_bits(random()),
                };
                match round % 4 {
                    0 => Shape::Point([vertex()]),
                    1 => Shape::Line([vertex(), vertex()]),
                    2 => Shape::Triangle([vertex(), vertex(), vertex()]),
                    _ => Shape::Rectangle([vertex(), vertex()]),
                }
            };
            let through = random() & 1 == 0;
            let primitive = ScreenPrimitive { through, ..primitive(shape, ShadeMode::GOURAUD, 0) };
            let passed = draw(&mut memory, &registers, &primitive);
            assert!(passed <= 16, "round {round}: {passed} of 16 pixels passed");
        }
    }
}
