//! Sets random lights and materials.

use pspge::ge::list::ListBuilder;
use pspge::ge::opcode::Opcode;

use crate::generate::Random;

/// Not a number, with the sign bit set.
const NEGATIVE_NAN: f32 = f32::from_bits(0xFFC0_0000);

/// Sets lighting with four lights of any type, and the material.
pub(super) fn lights(list: &mut ListBuilder, random: &mut Random) {
    list.set(Opcode::LIGHTINGENABLE, 1).set(Opcode::LIGHTMODE, random.below(2));
    list.set(Opcode::REVERSENORMAL, random.below(2)).set(Opcode::MATERIALUPDATE, random.below(8));
    for color in [
        Opcode::MATERIALEMISSIVE,
        Opcode::MATERIALAMBIENT,
        Opcode::MATERIALDIFFUSE,
        Opcode::MATERIALSPECULAR,
        Opcode::AMBIENTCOLOR,
    ] {
        list.set(color, random.bits() & 0xFF_FFFF);
    }
    list.set(Opcode::MATERIALALPHA, random.below(256)).set(Opcode::AMBIENTALPHA, random.below(256));
    list.float(Opcode::MATERIALSPECULARCOEF, exponent(random));
    for number in 0..4 {
        light(list, random, number);
    }
}

/// Sets a light.
fn light(list: &mut ListBuilder, random: &mut Random, number: u8) {
    list.set(Opcode::LIGHTENABLE0.plus(number), u32::from(!random.once_in(4)));
    list.set(Opcode::LIGHTTYPE0.plus(number), random.below(4) | random.below(4) << 8);
    let triple = 3 * number;
    let mut vector = |first: Opcode, list: &mut ListBuilder| {
        let is_zero = random.once_in(6);
        for axis in 0..3 {
            let value = match random.below(24) {
                0 => random.pick(&[f32::INFINITY, f32::NEG_INFINITY, f32::NAN, NEGATIVE_NAN]),
                _ if is_zero => 0.0,
                _ => random.float(-2.0, 2.0),
            };
            list.float(first.plus(triple + axis), value);
        }
    };
    vector(Opcode::LX0, list);
    vector(Opcode::LDX0, list);
    for (first, low, high) in [(Opcode::LKA0, -0.2, 1.5), (Opcode::LKB0, -0.3, 1.0), (Opcode::LKC0, 0.0, 1.0)]
    {
        list.float(first.plus(triple), random.float(low, high));
    }
    list.float(Opcode::LKS0.plus(number), exponent(random));
    let special = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, NEGATIVE_NAN, 0.0, -1.0];
    let cutoff = if random.once_in(3) { random.pick(&special) } else { random.float(-1.0, 1.0) };
    list.float(Opcode::LKO0.plus(number), cutoff);
    for color in [Opcode::LAC0, Opcode::LDC0, Opcode::LSC0] {
        list.set(color.plus(triple), random.bits() & 0xFF_FFFF);
    }
}

/// Selects an exponent, often a special value, to reach its rules.
fn exponent(random: &mut Random) -> f32 {
    let special = [0.0, 1.0, 0.3, -2.0, 5.1, 127.0, 511.0, 600.0, f32::INFINITY, f32::NAN, NEGATIVE_NAN];
    if random.once_in(2) { random.pick(&special) } else { random.float(0.0, 30.0) }
}
