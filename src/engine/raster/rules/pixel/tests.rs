//! Tests for the pixel pipeline.

use super::*;
use crate::raster::fragments::recorder::NoRecorder;

const FRAGMENT: Fragment = Fragment {
    z: 500,
    color: [100, 150, 200, 128],
    secondary: [10, 10, 100],
    texel: None,
    fog: 255,
    through: false,
    arithmetic: Arithmetic::Hardware,
};

/// 8888, all stages off, full depth range, depth buffer after the colour buffer.
fn registers(settings: &[(Opcode, u32)]) -> Registers {
    let defaults = [
        (Opcode::FRAMEBUFWIDTH, 512),
        (Opcode::FRAMEBUFPIXFORMAT, 3),
        (Opcode::ZBUFPTR, 0x11_0000),
        (Opcode::ZBUFWIDTH, 512),
        (Opcode::MAXZ, 0xFFFF),
    ];
    Registers::with(defaults.into_iter().chain(settings.iter().copied()))
}

/// Draws a fragment at pixel (1, 2) over the colour [40, 40, 40, 0x44] and the depth 1000; returns whether it
/// passed, the new colour and the new depth.
fn result(settings: &[(Opcode, u32)], fragment: Fragment) -> (bool, [u8; 4], u16) {
    let (mut memory, registers) = (Memory::default(), registers(settings));
    let (color, depth) = (ColorSurface::from_registers(&registers), DepthSurface::from_registers(&registers));
    color.write(&mut memory, 1, 2, [40, 40, 40, 0x44], [0; 4]);
    depth.write(&mut memory, 1, 2, 1000);
    let passed = draw(&mut memory, &registers, 1, 2, &fragment, &mut NoRecorder);
    (passed, color.read(&memory, 1, 2), depth.read(&memory, 1, 2))
}

const UNTOUCHED: (bool, [u8; 4], u16) = (false, [40, 40, 40, 0x44], 1000);

/// Without [stencil test](crate::reference::ge::pixels#stencil-test) the stored alpha stays; without [depth
/// test](crate::reference::ge::pixels#depth-test) the stored depth stays.
#[test]
fn keeps_alpha_and_depth_without_tests() {
    assert_eq!(result(&[], FRAGMENT), (true, [100, 150, 200, 0x44], 1000), "plain");
}

#[test]
fn depth_test_writes_depth() {
    let less = [(Opcode::ZTESTENABLE, 1), (Opcode::ZTEST, 4)];
    assert_eq!(result(&less, FRAGMENT), (true, [100, 150, 200, 0x44], 500), "passes");
    assert_eq!(result(&less, Fragment { z: 1000, ..FRAGMENT }), UNTOUCHED, "equal is not less");
    let read_only = [less[0], less[1], (Opcode::ZWRITEDISABLE, 1)];
    assert_eq!(result(&read_only, FRAGMENT).2, 1000, "depth is protected");
}

#[test]
fn depth_range_applies_to_transformed_fragments() {
    let range = [(Opcode::MINZ, 501)];
    assert_eq!(result(&range, FRAGMENT), UNTOUCHED, "nearer than MINZ");
    assert!(result(&range, Fragment { through: true, ..FRAGMENT }).0, "not in through mode");
    assert!(!result(&[(Opcode::MAXZ, 499)], FRAGMENT).0, "farther than MAXZ");
}

#[test]
fn alpha_and_color_test() {
    let alpha = |test| result(&[(Opcode::ALPHATESTENABLE, 1), (Opcode::ALPHATEST, test)], FRAGMENT).0;
    assert!(alpha(0xFF_8007), "128 >= 128");
    assert!(!alpha(0xFF_8006), "128 > 128");
    assert!(alpha(0x0F_7002), "equal under the mask");
    let color = |function| {
        let settings = [
            (Opcode::COLORTESTENABLE, 1),
            (Opcode::COLORTEST, function),
            (Opcode::COLORREF, 0x00_0064),
            (Opcode::COLORTESTMASK, 0x00_00FF),
        ];
        result(&settings, FRAGMENT).0
    };
    assert_eq!([0, 1, 2, 3].map(color), [false, true, true, false], "red is 100");
}

#[test]
fn stencil_operations() {
    // Reference 0x81; stencil fail: replace, depth fail: zero, pass: invert.
    let settings = |function: u32, depth: u32| {
        [
            (Opcode::STENCILTESTENABLE, 1),
            (Opcode::STENCILTEST, 0xFF_8100 | function),
            (Opcode::STENCILOP, 0x03_0102),
            (Opcode::ZTESTENABLE, 1),
            (Opcode::ZTEST, depth),
        ]
    };
    assert_eq!(result(&settings(1, 1), FRAGMENT), (true, [100, 150, 200, 0xBB], 500), "pass");
    assert_eq!(result(&settings(4, 1), FRAGMENT), (false, [40, 40, 40, 0x81], 1000), "0x81 < 0x44 fails");
    assert_eq!(result(&settings(6, 0), FRAGMENT), (false, [40, 40, 40, 0], 1000), "depth fails");
    let masked = [&settings(1, 1)[..], &[(Opcode::MASKALPHA, 0xF0)]].concat();
    assert_eq!(result(&masked, FRAGMENT).1[3], 0x4B, "protected bits stay");
}

/// The formula for [stencil operations](crate::reference::ge::pixels#stencil-operations) in the format's stencil
/// bits: 504 combinations, as in hardware test `stencil/writemask`.
#[test]
fn stencil_write_masks_follow_formula() {
    const REFERENCE: u32 = 0x9C;
    let mut combinations = 0;
    for (format, bits) in [(1, 1), (2, 4), (3, 8)] {
        let largest = (1 << bits) - 1;
        for operation in 0..6 {
            for mask in [0, 0x0F, 0x3C, 0x7F, 0x80, 0xF0, 0xFF] {
                for old in [0, 0x3C, 0xA5, 0xFF] {
                    let registers = registers(&[
                        (Opcode::FRAMEBUFPIXFORMAT, format),
                        (Opcode::STENCILTESTENABLE, 1),
                        (Opcode::STENCILTEST, 0xFF_0001 | REFERENCE << 8),
                        (Opcode::STENCILOP, operation << 16),
                        (Opcode::MASKALPHA, mask),
                    ]);
                    let mut memory = Memory::default();
                    let surface = ColorSurface::from_registers(&registers);
                    surface.write(&mut memory, 1, 2, [0, 0, 0, u8::try_from(old).unwrap()], [0; 4]);
                    draw(&mut memory, &registers, 1, 2, &FRAGMENT, &mut NoRecorder);
                    let narrow = |value: u32| value >> (8 - bits);
                    let (old, mask) = (narrow(old), narrow(mask));
                    let new = match operation {
                        0 => old,
                        1 => 0,
                        2 => narrow(REFERENCE),
                        3 => old ^ largest,
                        4 => (old + 1).min(largest),
                        _ => old.saturating_sub(1),
                    };
                    let stored = surface.read_bits(&memory, 1, 2);
                    let stored = if format == 3 { stored >> 24 } else { stored >> (16 - bits) };
                    assert_eq!(
                        stored,
                        (old & mask) | (new & !mask),
                        "format {format}, operation {operation}, mask {mask:#x}, old {old:#x}"
                    );
                    combinations += 1;
                }
            }
        }
    }
    assert_eq!(combinations, 504, "as many as the hardware test");
}

#[test]
fn secondary_color_and_fog() {
    let secondary = result(&[(Opcode::LIGHTMODE, 1)], FRAGMENT);
    assert_eq!(secondary.1, [110, 160, 255, 0x44], "added and clamped");
    let replace_doubled = [(Opcode::LIGHTMODE, 1), (Opcode::TEXFUNC, 0x1_0003)];
    let texel = Fragment { texel: Some([30, 100, 20, 0]), ..FRAGMENT };
    assert_eq!(result(&replace_doubled, texel).1[..3], [80, 220, 240], "both doubled with a texture");
    assert_eq!(result(&replace_doubled, FRAGMENT).1[..3], [110, 160, 255], "neither without one");
    let single = Fragment { arithmetic: Arithmetic::Single, ..texel };
    assert_eq!(result(&replace_doubled, single).1[..3], [70, 210, 140], "as emulators");
    let through = Fragment { through: true, fog: 0, ..FRAGMENT };
    let settings = [(Opcode::LIGHTMODE, 1), (Opcode::FOGENABLE, 1), (Opcode::FOGCOLOR, 0x03_0201)];
    assert_eq!(result(&settings, through).1, [100, 150, 200, 0x44], "neither in through mode");
    assert_eq!(result(&settings, Fragment { fog: 0, ..FRAGMENT }).1, [1, 2, 3, 0x44], "full fog");
}

/// [Dither](crate::reference::ge::pixels#dither) is added to the unclamped blend result; the logic operation
/// follows.
#[test]
fn blend_dither_logic_mask() {
    let add = [(Opcode::BLENDENABLE, 1), (Opcode::BLENDMODE, 0xAA), (Opcode::BLENDFIXEDA, 0xFF_FFFF)];
    let subtract = [add[0], (Opcode::BLENDMODE, 0x2AA), add[2]];
    let dither = [(Opcode::DITHERENABLE, 1), (Opcode::DITH0.plus(2), 0x70)];
    assert_eq!(result(&add, FRAGMENT).1, [100, 150, 200, 0x44], "source × 1 + destination × 0");
    let settings = [&subtract[..], &dither[..]].concat();
    assert_eq!(
        result(&settings, Fragment { color: [3, 0, 9, 0], ..FRAGMENT }).1[..3],
        [4, 7, 0],
        "-3 + 7 is 4"
    );
    let logic = [&dither[..], &[(Opcode::LOGICOPENABLE, 1), (Opcode::LOGICOP, 1)]].concat();
    assert_eq!(result(&logic, FRAGMENT).1[..3], [107 & 40, 157 & 40, 207 & 40], "dither before AND");
    let masked = [&logic[..], &[(Opcode::MASKRGB, 0xFF_0000)]].concat();
    assert_eq!(result(&masked, FRAGMENT).1[..3], [107 & 40, 157 & 40, 40], "blue is protected");
}

/// All reads and writes happen at the [translated](crate::reference::ge::coverage#region-translation) position, here
/// a row up and in a reversed group; the dither offset is that of the screen (assumed).
#[test]
fn region_translates_colour_and_depth() {
    let settings = [
        (Opcode::REGION1, 1 | 1 << 10),
        (Opcode::ZTESTENABLE, 1),
        (Opcode::ZTEST, 4),
        (Opcode::BLENDENABLE, 1),
        (Opcode::BLENDMODE, 0xAA),
        (Opcode::BLENDFIXEDA, 0xFF_FFFF),
        (Opcode::BLENDFIXEDB, 0xFF_FFFF),
        (Opcode::DITHERENABLE, 1),
        (Opcode::DITH0.plus(3), 0x50),
    ];
    // Screen pixel (5, 3) is column (5 − 4) ^ 3 of row 3 − 1.
    let registers = registers(&settings);
    let (color, depth) = (ColorSurface::from_registers(&registers), DepthSurface::from_registers(&registers));
    for (there, expected) in [([2, 2], [110, 160, 210, 0x44]), ([5, 3], [105, 155, 205, 0])] {
        let mut memory = Memory::default();
        color.write(&mut memory, there[0], there[1], [5, 5, 5, 0x44], [0; 4]);
        depth.write(&mut memory, 2, 2, 1000);
        assert!(draw(&mut memory, &registers, 5, 3, &FRAGMENT, &mut NoRecorder), "nearer than 1000");
        assert_eq!(color.read(&memory, 2, 2), expected, "blended with the colour at (2, 2)");
        assert_eq!(depth.read(&memory, 2, 2), 500, "depth");
    }
}

#[test]
fn narrow_formats_read_their_own_alpha() {
    // Source × 1 + destination × destination alpha; 5650 stores no alpha.
    let settings = [
        (Opcode::FRAMEBUFPIXFORMAT, 0),
        (Opcode::BLENDENABLE, 1),
        (Opcode::BLENDMODE, 0x4A),
        (Opcode::BLENDFIXEDA, 0xFF_FFFF),
    ];
    assert_eq!(result(&settings, FRAGMENT).1, [99, 150, 206, 0], "destination alpha of 5650 is 0");
}

#[test]
fn clear_mode() {
    // All stages that clear mode ignores are on.
    let clear = |bits: u32| {
        let settings = [
            (Opcode::CLEARMODE, bits | 1),
            (Opcode::ZTESTENABLE, 1),
            (Opcode::ZWRITEDISABLE, 1),
            (Opcode::ALPHATESTENABLE, 1),
            (Opcode::BLENDENABLE, 1),
            (Opcode::FOGENABLE, 1),
            (Opcode::LIGHTMODE, 1),
        ];
        result(&settings, FRAGMENT)
    };
    assert_eq!(clear(0x100), (true, [100, 150, 200, 0x44], 1000), "colour");
    assert_eq!(clear(0x200), (true, [40, 40, 40, 128], 1000), "stencil is alpha");
    assert_eq!(clear(0x400), (true, [40, 40, 40, 0x44], 500), "depth");
    assert_eq!(clear(0), (true, [40, 40, 40, 0x44], 1000), "no buffer");
}

#[test]
fn dither_and_masks_apply_to_clear_mode() {
    let settings = [
        (Opcode::CLEARMODE, 0x301),
        (Opcode::DITHERENABLE, 1),
        (Opcode::DITH0.plus(2), 0x80),
        (Opcode::MASKRGB, 0x00_FF00),
        (Opcode::MASKALPHA, 0x0F),
    ];
    assert_eq!(
        result(&settings, FRAGMENT).1,
        [92, 40, 192, 0x84],
        "dithered; green and low alpha bits are protected"
    );
}
