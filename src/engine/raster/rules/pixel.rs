//! The pixel pipeline takes a fragment to bytes in VRAM, in the hardware's order.
//!
//! # Invariants
//! This file alone defines the order of the stages. A pixel's colour is read only once, before any write.
//! Source: [stage order](crate::reference::ge::pixels#stage-order) (hardware tests `commands/blend`,
//! `dither/dither`, `texfunc/*`, `commands/fog`). The order from alpha test to depth test comes from PPSSPP.

use super::region::RegionTranslation;
use super::{blend, dither, fog, logic, stencil, texture_function};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::{
    AlphaMask, BlendMode, ClearMode, ColorComparison, ColorMask, ColorReference, ColorTest, Comparison,
    DepthLimit, DepthTest, LogicOp, MaskedTest, StencilOperations,
};
use crate::ge::registers::texture::TextureFunc;
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};
use crate::raster::fragments::fragment_record::{
    BlendRecord, ColorWrite, DitherRecord, FogRecord, LogicRecord, PixelValue, SecondaryRecord,
    StencilRecord, TestName, TestRecord, TextureFunctionRecord,
};
use crate::raster::fragments::recorder::NoRecorder;
use crate::raster::fragments::recorder::Recorder;

/// A fragment holds a shape's interpolated values at a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fragment {
    /// Depth.
    pub z: u16,
    /// Red, green, blue, alpha.
    pub color: [u8; 4],
    /// Secondary colour.
    pub secondary: [u8; 3],
    /// Filtered texel, if texturing is on.
    pub texel: Option<[u8; 4]>,
    /// Fog coefficient, from 0 (full fog) to 255 (no fog).
    pub fog: u8,
    /// Whether this is through mode, in which MINZ, MAXZ, fog and secondary colour do not apply.
    pub through: bool,
    /// The number format, which selects the rules.
    pub arithmetic: Arithmetic,
}

/// Draws a fragment at a screen pixel, which must be inside the scissor. Returns whether this fragment passed all
/// tests.
pub(crate) fn draw(
    memory: &mut Memory,
    registers: &Registers,
    x: u32,
    y: u32,
    fragment: &Fragment,
    recorder: &mut impl Recorder,
) -> bool {
    let clear: ClearMode = registers.get();
    let position = position(registers, [x, y]);
    recorder.record(|record| {
        record.position = position;
        record.clear = clear.enabled;
        record.before = value(memory, registers, position);
    });
    let passed = if clear.enabled {
        self::clear(memory, registers, clear, x, y, fragment, recorder)
    } else {
        draw_tested(memory, registers, x, y, fragment, recorder)
    };
    recorder.record(|record| {
        record.after = value(memory, registers, position);
        record.passed = passed;
    });
    passed
}

/// Returns where a screen pixel lies in the buffers.
pub(crate) fn position(registers: &Registers, [x, y]: [u32; 2]) -> [u32; 2] {
    RegionTranslation::from_registers(registers).apply(x, y)
}

/// Reads a pixel from the colour buffer, and its depth.
pub(crate) fn value(memory: &Memory, registers: &Registers, [column, row]: [u32; 2]) -> PixelValue {
    let surface = ColorSurface::from_registers(registers);
    let bits = surface.read_bits(memory, column, row);
    let [red, green, blue, stencil] = surface.decode(bits);
    let depth = DepthSurface::from_registers(registers).read(memory, column, row);
    PixelValue { bits, color: [red, green, blue], stencil, depth }
}

/// Draws a fragment outside clear mode.
fn draw_tested(
    memory: &mut Memory,
    registers: &Registers,
    x: u32,
    y: u32,
    fragment: &Fragment,
    recorder: &mut impl Recorder,
) -> bool {
    let color = textured(registers, fragment, recorder);
    if !passes_depth_range(registers, fragment, recorder) || !passes_alpha_test(registers, color[3], recorder)
    {
        return false;
    }
    let color = fogged(registers, fragment, color, recorder);
    if !passes_color_test(registers, color, recorder) {
        return false;
    }

    let surface = ColorSurface::from_registers(registers);
    let [column, row] = position(registers, [x, y]);
    let old_bits = surface.read_bits(memory, column, row);
    let old = surface.decode(old_bits);
    let protect = masks(registers);
    let (stencil, passed) =
        test_stencil_and_depth(memory, registers, [column, row], fragment.z, old[3], recorder);
    // A failed test may still change the stencil, so this stores it and protects the colour.
    if !passed {
        let write = ColorWrite { value: [0, 0, 0, stencil], protected: [255, 255, 255, protect[3]] };
        store(memory, &surface, [column, row], old_bits, write, recorder);
        return false;
    }

    let mut rgb = [color[0], color[1], color[2]].map(i32::from);
    if registers.is_on(Opcode::BLENDENABLE) {
        let fixed = [registers.rgb(Opcode::BLENDFIXEDA), registers.rgb(Opcode::BLENDFIXEDB)];
        let mode: BlendMode = registers.get();
        rgb = blend::blend(mode, color, old, fixed);
        recorder.record(|record| {
            let [source_values, destination_values] = blend::factors(mode, color, old, fixed);
            record.blend = Some(BlendRecord {
                equation: mode.equation,
                source_factor: mode.source,
                destination_factor: mode.destination,
                source: color,
                destination: old,
                source_values,
                destination_values,
                result: rgb,
            });
        });
    }
    let mut rgb = dithered(registers, x, y, rgb, recorder);
    if registers.is_on(Opcode::LOGICOPENABLE) {
        let (operation, source) = (registers.get::<LogicOp>().operation, rgb);
        let destination = [old[0], old[1], old[2]];
        rgb = logic::operate(operation, source, destination);
        recorder.record(|record| {
            record.logic = Some(LogicRecord { operation, source, destination, result: rgb });
        });
    }
    let [red, green, blue] = rgb;
    let write = ColorWrite { value: [red, green, blue, stencil], protected: protect };
    store(memory, &surface, [column, row], old_bits, write, recorder);
    true
}

/// Stores a colour. `old_bits` are the pixel's bits so far, to keep those that are protected.
fn store(
    memory: &mut Memory,
    surface: &ColorSurface,
    [column, row]: [u32; 2],
    old_bits: u32,
    write: ColorWrite,
    recorder: &mut impl Recorder,
) {
    surface.write_bits(memory, column, row, surface.encode(write.value, old_bits, write.protected));
    recorder.record(|record| record.color_write = Some(write));
}

/// Draws a fragment in [clear mode](crate::reference::ge::coverage#clear-mode). Only the depth range is tested, and
/// nothing is blended.
fn clear(
    memory: &mut Memory,
    registers: &Registers,
    clear: ClearMode,
    x: u32,
    y: u32,
    fragment: &Fragment,
    recorder: &mut impl Recorder,
) -> bool {
    if !passes_depth_range(registers, fragment, recorder) {
        return false;
    }
    let surface = ColorSurface::from_registers(registers);
    let [column, row] = position(registers, [x, y]);
    let old_bits = surface.read_bits(memory, column, row);
    if clear.depth {
        DepthSurface::from_registers(registers).write(memory, column, row, fragment.z);
        recorder.record(|record| record.depth_write = Some(fragment.z));
    }
    let protected = protected_bits(registers);
    if protected != [255; 4] {
        let [red, green, blue, alpha] = fragment.color;
        let [red, green, blue] = dithered(registers, x, y, [red, green, blue].map(i32::from), recorder);
        let write = ColorWrite { value: [red, green, blue, alpha], protected };
        store(memory, &surface, [column, row], old_bits, write, recorder);
    }
    true
}

/// Applies the texture function, then adds the secondary colour. [Colour
/// doubling](crate::reference::ge::sampling#colour-doubling) doubles both, but emulators double only the textured
/// colour.
fn textured(registers: &Registers, fragment: &Fragment, recorder: &mut impl Recorder) -> [u8; 4] {
    let mut color = fragment.color;
    let mut secondary = fragment.secondary;
    if let Some(texel) = fragment.texel {
        let function: TextureFunc = registers.get();
        let environment = registers.rgb(Opcode::TEXENVCOLOR);
        color = texture_function::apply(function, color, texel, environment);
        recorder.record(|record| {
            let TextureFunc { function, use_alpha, double, .. } = function;
            record.texture_function = Some(TextureFunctionRecord {
                function,
                use_alpha,
                double,
                primary: fragment.color,
                texel,
                environment,
                result: color,
            });
        });
        if function.double && fragment.arithmetic == Arithmetic::Hardware {
            secondary = secondary.map(|channel| channel.saturating_mul(2));
        }
    }
    if registers.is_on(Opcode::LIGHTMODE) && !fragment.through {
        for (channel, secondary) in color.iter_mut().zip(secondary) {
            *channel = channel.saturating_add(secondary);
        }
        recorder
            .record(|record| record.secondary = Some(SecondaryRecord { added: secondary, result: color }));
    }
    color
}

/// Checks MINZ and MAXZ.
pub(crate) fn passes_depth_range(
    registers: &Registers,
    fragment: &Fragment,
    recorder: &mut impl Recorder,
) -> bool {
    if fragment.through {
        return true;
    }
    let [first, last] = [Opcode::MINZ, Opcode::MAXZ].map(|opcode| registers.view::<DepthLimit>(opcode).z);
    let passed = (first..=last).contains(&fragment.z);
    recorder.record(|record| {
        record.tests.push(TestRecord {
            test: TestName::DepthRange,
            function: None,
            value: fragment.z.into(),
            reference: first.into(),
            last: Some(last.into()),
            mask: None,
            passed,
        });
    });
    passed
}

/// Runs the alpha test and the colour test on a fragment's colour.
pub(crate) fn passes_color_tests(registers: &Registers, fragment: &Fragment) -> bool {
    let recorder = &mut NoRecorder;
    let color = textured(registers, fragment, recorder);
    passes_alpha_test(registers, color[3], recorder)
        && passes_color_test(registers, fogged(registers, fragment, color, recorder), recorder)
}

fn passes_alpha_test(registers: &Registers, alpha: u8, recorder: &mut impl Recorder) -> bool {
    if !registers.is_on(Opcode::ALPHATESTENABLE) {
        return true;
    }
    let test: MaskedTest = registers.view(Opcode::ALPHATEST);
    let passed = test.function.passes(alpha & test.mask, test.reference & test.mask);
    recorder.record(|record| {
        record.tests.push(masked_test(TestName::Alpha, test, [alpha, test.reference], passed));
    });
    passed
}

/// Describes an alpha test or a stencil test for a record. Both operands are given, the left first.
fn masked_test(name: TestName, test: MaskedTest, [value, reference]: [u8; 2], passed: bool) -> TestRecord {
    TestRecord {
        test: name,
        function: Some(test.function),
        value: value.into(),
        reference: reference.into(),
        last: None,
        mask: Some(test.mask.into()),
        passed,
    }
}

fn fogged(
    registers: &Registers,
    fragment: &Fragment,
    color: [u8; 4],
    recorder: &mut impl Recorder,
) -> [u8; 4] {
    if !registers.is_on(Opcode::FOGENABLE) || fragment.through {
        return color;
    }
    let [red, green, blue, alpha] = color;
    let fog_color = registers.rgb(Opcode::FOGCOLOR);
    let [red, green, blue] = fog::apply([red, green, blue], fog_color, fragment.fog);
    recorder.record(|record| {
        let result = [red, green, blue];
        record.fog = Some(FogRecord { coefficient: fragment.fog, fog_color, result });
    });
    [red, green, blue, alpha]
}

fn passes_color_test(
    registers: &Registers,
    [red, green, blue, _]: [u8; 4],
    recorder: &mut impl Recorder,
) -> bool {
    if !registers.is_on(Opcode::COLORTESTENABLE) {
        return true;
    }
    let [reference, mask] = [Opcode::COLORREF, Opcode::COLORTESTMASK]
        .map(|opcode| registers.view::<ColorReference>(opcode).rgb.0);
    let equal = [red, green, blue]
        .iter()
        .zip(reference)
        .zip(mask)
        .all(|((color, reference), mask)| color & mask == reference & mask);
    let function = registers.get::<ColorTest>().function;
    let passed = match function {
        ColorComparison::NEVER => false,
        ColorComparison::ALWAYS => true,
        ColorComparison::EQUAL => equal,
        _ => !equal,
    };
    recorder.record(|record| {
        let word = |[red, green, blue]: [u8; 3]| u32::from_le_bytes([red, green, blue, 0]);
        record.tests.push(TestRecord {
            test: TestName::Color,
            // The four codes mean the same as comparisons in other tests.
            function: Some(Comparison::from_number(function.number())),
            value: word([red, green, blue]),
            reference: word(reference),
            last: None,
            mask: Some(word(mask)),
            passed,
        });
    });
    passed
}

/// Runs stencil test, depth test and depth write at a position in the buffers. Returns the stencil to store and
/// whether both tests passed. Without stencil test the stored stencil stays, because the fragment's alpha is never
/// stored.
/// Source: [stencil test](crate::reference::ge::pixels#stencil-test), [depth
/// test](crate::reference::ge::pixels#depth-test).
fn test_stencil_and_depth(
    memory: &mut Memory,
    registers: &Registers,
    [column, row]: [u32; 2],
    z: u16,
    old: u8,
    recorder: &mut impl Recorder,
) -> (u8, bool) {
    let test: MaskedTest = registers.view(Opcode::STENCILTEST);
    let operations: StencilOperations = registers.get();
    let enabled = registers.is_on(Opcode::STENCILTESTENABLE);
    let passes_stencil = !enabled || test.function.passes(test.reference & test.mask, old & test.mask);
    if enabled {
        recorder.record(|record| {
            let operands = [test.reference, old];
            record.tests.push(masked_test(TestName::Stencil, test, operands, passes_stencil));
        });
    }
    let passes_depth = passes_stencil && test_depth(memory, registers, [column, row], z, recorder);
    let operation = match (passes_stencil, passes_depth) {
        (false, _) => operations.stencil_fail,
        (true, false) => operations.depth_fail,
        (true, true) => operations.pass,
    };
    if !enabled {
        return (old, passes_depth);
    }
    let format = ColorSurface::from_registers(registers).format;
    let after = stencil::operate(operation, old, test.reference, format);
    recorder.record(|record| record.stencil = Some(StencilRecord { operation, before: old, after }));
    (after, passes_depth)
}

/// Runs depth test and depth write at a position in the buffers. Returns whether the fragment passed.
fn test_depth(
    memory: &mut Memory,
    registers: &Registers,
    [column, row]: [u32; 2],
    z: u16,
    recorder: &mut impl Recorder,
) -> bool {
    if !registers.is_on(Opcode::ZTESTENABLE) {
        return true;
    }
    let surface = DepthSurface::from_registers(registers);
    let function = registers.get::<DepthTest>().function;
    let stored = surface.read(memory, column, row);
    let passed = function.passes(z, stored);
    recorder.record(|record| {
        record.tests.push(TestRecord {
            test: TestName::Depth,
            function: Some(function),
            value: z.into(),
            reference: stored.into(),
            last: None,
            mask: None,
            passed,
        });
    });
    if passed && !registers.is_on(Opcode::ZWRITEDISABLE) {
        surface.write(memory, column, row, z);
        recorder.record(|record| record.depth_write = Some(z));
    }
    passed
}

/// Adds the dither offset for a screen pixel if dither is on, and clamps the sum.
fn dithered(registers: &Registers, x: u32, y: u32, rgb: [i32; 3], recorder: &mut impl Recorder) -> [u8; 3] {
    let is_on = registers.is_on(Opcode::DITHERENABLE);
    let offset = if is_on { dither::offset(registers, x, y) } else { 0 };
    let result = rgb.map(|channel| u8::try_from((channel + offset).clamp(0, 255)).unwrap_or(0));
    if is_on {
        recorder.record(|record| record.dither = Some(DitherRecord { offset, result }));
    }
    result
}

/// Returns which bits in the colour buffer a draw cannot write. These are the masked bits, and in clear mode also
/// those of channels that are not cleared.
pub(crate) fn protected_bits(registers: &Registers) -> [u8; 4] {
    let clear: ClearMode = registers.get();
    let mut protected = masks(registers);
    if clear.enabled && !clear.color {
        protected[..3].fill(255);
    }
    if clear.enabled && !clear.stencil {
        protected[3] = 255;
    }
    protected
}

/// Reads the bits that MASKRGB and MASKALPHA protect.
fn masks(registers: &Registers) -> [u8; 4] {
    let [red, green, blue, _] = registers.get::<ColorMask>().mask.0.to_le_bytes();
    let [alpha, ..] = registers.get::<AlphaMask>().mask.0.to_le_bytes();
    [red, green, blue, alpha]
}

#[cfg(test)]
mod tests;
