//! Generates random registers and primitives, to test combinations used by neither games nor cases. A seed makes them
//! reproducible.

use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::command::Command;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::Registers;
use pspge::ge::registers::transform::ShadeMode;
use pspge::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};

/// A pseudorandom generator (xorshift64*).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a generator with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Generates 32 random bits.
    pub fn bits(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let [.., a, b, c, d] = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D).to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    /// Generates a number below `end`.
    pub fn below(&mut self, end: u32) -> u32 {
        self.bits() % end.max(1)
    }

    /// Generates true with probability 1/`times`.
    pub fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// Generates a number from `low` to `high`, both included.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        let range = high.abs_diff(low).saturating_add(1);
        low.saturating_add_unsigned(self.below(range))
    }

    /// Generates a float from `low` to `high`.
    pub fn float(&mut self, low: f32, high: f32) -> f32 {
        let [.., a, b] = self.bits().to_le_bytes();
        low + (high - low) * f32::from(u16::from_le_bytes([a, b])) / f32::from(u16::MAX)
    }

    /// Selects a value at random.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        let count = u32::try_from(values.len()).unwrap_or(u32::MAX);
        values[self.below(count) as usize]
    }

    /// Generates `count` random bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        std::iter::repeat_with(|| self.bits().to_le_bytes()[0]).take(count).collect()
    }

    /// Generates a texture coordinate: in 4 of 24 cases NaN, infinity, random bits or a large number, to test special
    /// values often.
    fn coordinate(&mut self) -> f32 {
        match self.below(24) {
            0 => f32::from_bits(self.bits()),
            1 => f32::NAN,
            2 => f32::INFINITY,
            // This reaches coordinates that cannot be exact: from 2^20 texels on, 24 significant bits do not hold
            // every sixteenth.
            3 => number(self.between(-32_000, 32_000)) * number(1 << self.below(14)),
            4..=9 => number(self.between(-4, 4)),
            10..=16 => number(self.between(-64, 1024)) / 16.0,
            _ => number(self.between(-3000, 3000)) / 1000.0,
        }
    }
}

fn number(value: i32) -> f32 {
    f32::from(i16::try_from(value).unwrap_or(0))
}

/// Generates random registers for a small framebuffer at the start of VRAM, with textures at `texture`, a multiple of
/// 16.
#[must_use]
pub fn registers(random: &mut Random, texture: u32, through: bool) -> Registers {
    let mut registers = Registers::new();
    let mut set = |opcode: Opcode, argument: u32| registers.write(Command::new(opcode, argument));
    set(Opcode::VTYPE, u32::from(through) << 23);
    set(Opcode::FRAMEBUFPTR, 0);
    set(Opcode::FRAMEBUFWIDTH, 128);
    set(Opcode::FRAMEBUFPIXFORMAT, random.below(4));
    // Sometimes the depth buffer overlaps the colour buffer.
    set(Opcode::ZBUFPTR, if random.once_in(30) { 0x4000 } else { 0x11_0000 });
    set(Opcode::ZBUFWIDTH, if random.once_in(30) { 64 } else { 128 });
    let [left, top] = [random.below(40), random.below(40)];
    set(Opcode::SCISSOR1, left | top << 10);
    set(Opcode::SCISSOR2, (left + random.below(90)) | (top + random.below(60)) << 10);
    set(Opcode::REGION2, 127 | 99 << 10);
    for opcode in [
        Opcode::BLENDENABLE,
        Opcode::ALPHATESTENABLE,
        Opcode::COLORTESTENABLE,
        Opcode::STENCILTESTENABLE,
        Opcode::ZTESTENABLE,
        Opcode::ZWRITEDISABLE,
        Opcode::DITHERENABLE,
        Opcode::LOGICOPENABLE,
        Opcode::FOGENABLE,
        Opcode::LIGHTMODE,
        Opcode::ANTIALIASENABLE,
    ] {
        set(opcode, u32::from(random.once_in(3)));
    }
    for opcode in [
        Opcode::BLENDMODE,
        Opcode::BLENDFIXEDA,
        Opcode::BLENDFIXEDB,
        Opcode::ALPHATEST,
        Opcode::COLORTEST,
        Opcode::COLORREF,
        Opcode::COLORTESTMASK,
        Opcode::STENCILTEST,
        Opcode::STENCILOP,
        Opcode::ZTEST,
        Opcode::LOGICOP,
        Opcode::FOGCOLOR,
        Opcode::TEXENVCOLOR,
        Opcode::DITH0,
        Opcode::DITH0.plus(1),
        Opcode::DITH0.plus(2),
        Opcode::DITH0.plus(3),
        Opcode::TEXFUNC,
        Opcode::TEXFILTER,
        Opcode::TEXWRAP,
        Opcode::TEXLEVEL,
        Opcode::TEXLODSLOPE,
    ] {
        set(opcode, random.bits() & 0xFF_FFFF);
    }
    set(Opcode::MINZ, if random.once_in(4) { random.below(0x8000) } else { 0 });
    set(Opcode::MAXZ, if random.once_in(4) { 0x8000 + random.below(0x8000) } else { 0xFFFF });
    for opcode in [Opcode::MASKRGB, Opcode::MASKALPHA] {
        set(opcode, if random.once_in(4) { random.bits() & 0xFF_FFFF } else { 0 });
    }
    set(Opcode::CLEARMODE, if random.once_in(8) { 1 | random.below(8) << 8 } else { 0 });
    set(Opcode::TEXENABLE, u32::from(!random.once_in(4)));
    set(Opcode::TEXFORMAT, random.below(12));
    let max_level = random.below(4);
    set(Opcode::TEXMODE, random.below(2) | random.below(2) << 8 | max_level << 16);
    set(
        Opcode::CLUTFORMAT,
        if random.once_in(2) { 0xFF00 } else { random.bits() & 0xFF_FFFF } | random.below(4),
    );
    for level in 0..=7 {
        let address = texture + u32::from(level) * 0x4000;
        set(Opcode::TEXADDR0.plus(level), address & 0xFF_FFFF);
        set(Opcode::TEXBUFWIDTH0.plus(level), 8 << random.below(5) | (address >> 24) << 16);
        set(Opcode::TEXSIZE0.plus(level), random.below(8) | random.below(8) << 8);
    }
    if random.once_in(8) {
        // This translates the picture, and may cut its left and upper edges.
        set(Opcode::REGION1, random.below(48) | random.below(48) << 10);
    }
    if random.once_in(6) {
        // These factors can be negative, for source, destination or both.
        let factors = [7, 9, 10].map(|code| code | random.below(16) << 4);
        let [near, far] = [factors[random.below(3) as usize], [7, 9][random.below(2) as usize] << 4];
        set(Opcode::BLENDMODE, if random.once_in(2) { near } else { near & 15 | far } | random.below(3) << 8);
    }
    let palette = random.bytes(registers.clut().len());
    registers.clut_mut().copy_from_slice(&palette);
    registers
}

/// Generates a random primitive inside or near this framebuffer.
#[must_use]
pub fn primitive(random: &mut Random, through: bool, arithmetic: Arithmetic) -> ScreenPrimitive {
    let is_flat = random.once_in(3);
    let mut vertex = || vertex(random, is_flat || through);
    let [a, b, c] = [vertex(), vertex(), vertex()];
    let (shape, provoking) = match random.below(8) {
        0 => (Shape::Point([a]), 0),
        1 => (Shape::Line([a, b]), 1),
        2 | 3 => (Shape::Rectangle([a, b]), 1),
        _ => (Shape::Triangle([a, b, c]), 2),
    };
    let shade = if random.once_in(3) { ShadeMode::FLAT } else { ShadeMode::GOURAUD };
    ScreenPrimitive { shape, shade, provoking, through, arithmetic }
}

fn vertex(random: &mut Random, is_flat: bool) -> ScreenVertex {
    // Choose a place far away, tall enough for a coarse edge, or near.
    let far = match random.below(24) {
        0 | 1 => 1 << 20,
        2..=5 => 32,
        _ => 1,
    };
    let mut byte = || random.bits().to_le_bytes()[0];
    let (color, secondary) = ([byte(), byte(), byte(), byte()], [byte(), byte(), byte()]);
    let [depth, ..] = [random.below(0x1_0000)];
    ScreenVertex {
        x: random.between(-300, 2400).saturating_mul(far),
        y: random.between(-300, 1900).saturating_mul(far),
        z: u16::try_from(depth).unwrap_or(0),
        color,
        secondary,
        texture: [
            random.coordinate(),
            random.coordinate(),
            if random.once_in(6) { random.coordinate() } else { 1.0 },
        ],
        reciprocal_w: if is_flat { 1.0 } else { number(random.between(1, 400)) / 100.0 },
        fog: number(random.between(-2000, 4000)) / 1000.0,
    }
}
