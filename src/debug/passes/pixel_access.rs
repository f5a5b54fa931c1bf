//! Reads from the registers how a draw uses its covered pixels: which bytes it stores, and on which values in its
//! buffers its result depends.

use crate::ge::color;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::{
    AlphaMask, BlendEquation, BlendFactor, BlendMode, ClearMode, ColorComparison, ColorMask, ColorTest,
    Comparison, DepthLimit, DepthTest, LogicOp, LogicOperation, MaskedTest, StencilOperation,
    StencilOperations,
};
use crate::ge::registers::vertex::VertexType;
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};

/// When a draw stores values in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Store {
    /// Not at all.
    Never,
    /// At pixels that pass its tests.
    Tested,
    /// At every covered pixel.
    Always,
}

/// How a draw accesses each covered pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PixelAccess {
    pub(super) color: ColorSurface,
    pub(super) depth: DepthSurface,
    /// When colour and stencil are stored.
    pub(super) color_store: Store,
    /// When depth is stored.
    pub(super) depth_store: Store,
    /// The bits replaced in each pixel, for [`Store::Always`].
    pub(super) stored_bits: u32,
    /// Whether the result depends on the old colour, because of blending, a logic operation, or a mask for some bits
    /// in a byte.
    pub(super) reads_color: bool,
    /// Whether the result depends on the old stencil.
    pub(super) reads_stencil: bool,
    /// Whether the depth test compares with the old depth.
    pub(super) reads_depth: bool,
    /// Clear mode, if it is on.
    pub(super) clear: Option<ClearMode>,
}

impl PixelAccess {
    /// Reads a draw's accesses from its registers.
    pub(super) fn of(registers: &Registers) -> Self {
        let clear: ClearMode = registers.get();
        let in_range = registers.get::<VertexType>().through || has_full_depth_range(registers);
        let when = |is_certain: bool, is_stored: bool| match (is_stored, is_certain) {
            (false, _) => Store::Never,
            (true, false) => Store::Tested,
            (true, true) => Store::Always,
        };
        let base = Self {
            color: ColorSurface::from_registers(registers),
            depth: DepthSurface::from_registers(registers),
            color_store: Store::Never,
            depth_store: Store::Never,
            stored_bits: 0,
            reads_color: false,
            reads_stencil: false,
            reads_depth: false,
            clear: clear.enabled.then_some(clear),
        };
        let depth_test = registers.is_on(Opcode::ZTESTENABLE);
        let comparison = registers.get::<DepthTest>().function;
        let passes = in_range && !may_fail(registers);
        let passes_all = passes && (!depth_test || comparison == Comparison::ALWAYS);
        let stencil = StencilUse::of(registers, passes_all);
        let writes = if clear.enabled { [clear.color, clear.stencil] } else { [true, stencil.writes] };
        let stored_bits = stored_bits(registers, base.color, writes);
        let keeps_bits = keeps_part_of_a_byte(base.color, stored_bits);
        if clear.enabled {
            return Self {
                color_store: when(in_range, stored_bits != 0),
                depth_store: when(in_range, clear.depth),
                stored_bits,
                reads_color: keeps_bits,
                ..base
            };
        }
        let writes_depth =
            depth_test && !registers.is_on(Opcode::ZWRITEDISABLE) && comparison != Comparison::NEVER;
        Self {
            color_store: when(passes_all, stored_bits != 0),
            depth_store: when(passes_all, writes_depth),
            stored_bits,
            reads_color: keeps_bits || blends_old_color(registers),
            reads_stencil: stencil.reads || blends_old_alpha(registers),
            reads_depth: depth_test && !matches!(comparison, Comparison::ALWAYS | Comparison::NEVER),
            ..base
        }
    }

    /// Returns whether the draw tests or stores depth.
    pub(super) fn uses_depth(&self) -> bool {
        self.reads_depth || self.depth_store != Store::Never
    }

    /// Returns whether byte `number` in a pixel is stored.
    pub(super) fn stores_byte(&self, number: usize) -> bool {
        self.stored_bits.to_le_bytes().get(number).is_some_and(|bits| *bits != 0)
    }
}

/// Returns whether MINZ and MAXZ let every depth pass.
fn has_full_depth_range(registers: &Registers) -> bool {
    let limit = |opcode| registers.view::<DepthLimit>(opcode).z;
    limit(Opcode::MINZ) == 0 && limit(Opcode::MAXZ) == u16::MAX
}

/// Returns whether the alpha, colour or stencil test may stop a fragment.
fn may_fail(registers: &Registers) -> bool {
    let compares = |test: MaskedTest| test.function != Comparison::ALWAYS;
    registers.is_on(Opcode::ALPHATESTENABLE) && compares(registers.view(Opcode::ALPHATEST))
        || registers.is_on(Opcode::COLORTESTENABLE)
            && registers.get::<ColorTest>().function != ColorComparison::ALWAYS
        || registers.is_on(Opcode::STENCILTESTENABLE) && compares(registers.view(Opcode::STENCILTEST))
}

/// How a draw uses the stencil.
struct StencilUse {
    reads: bool,
    writes: bool,
}

impl StencilUse {
    /// Reads this from the registers. `passes_all` says that no fragment fails a test.
    fn of(registers: &Registers, passes_all: bool) -> Self {
        if !registers.is_on(Opcode::STENCILTESTENABLE) {
            return Self { reads: false, writes: false };
        }
        let test: MaskedTest = registers.view(Opcode::STENCILTEST);
        let StencilOperations { stencil_fail, depth_fail, pass } = registers.get();
        let all = [pass, stencil_fail, depth_fail];
        let operations = if passes_all { &all[..1] } else { &all[..] };
        let changes = |operation: &StencilOperation| {
            matches!(
                *operation,
                StencilOperation::INVERT | StencilOperation::INCREMENT | StencilOperation::DECREMENT
            )
        };
        let replaces = |operation: &StencilOperation| {
            matches!(*operation, StencilOperation::ZERO | StencilOperation::REPLACE)
        };
        let compares = !matches!(test.function, Comparison::ALWAYS | Comparison::NEVER) && test.mask != 0;
        Self {
            reads: compares || operations.iter().any(changes),
            writes: operations.iter().any(|operation| changes(operation) || replaces(operation)),
        }
    }
}

/// Returns the bits stored by a draw in a pixel. `writes` tells whether it stores colour, and stencil.
fn stored_bits(registers: &Registers, surface: ColorSurface, [color, stencil]: [bool; 2]) -> u32 {
    let [red, green, blue, _] = registers.get::<ColorMask>().mask.0.to_le_bytes();
    let [alpha, ..] = registers.get::<AlphaMask>().mask.0.to_le_bytes();
    let free = |mask: u8, is_stored: bool| if is_stored { !mask } else { 0 };
    let channels = [free(red, color), free(green, color), free(blue, color), free(alpha, stencil)];
    color::encode(surface.format, channels)
}

/// Returns whether a byte in a pixel keeps some bits while others are stored.
fn keeps_part_of_a_byte(surface: ColorSurface, stored_bits: u32) -> bool {
    let all = color::encode(surface.format, [255; 4]).to_le_bytes();
    stored_bits.to_le_bytes().into_iter().zip(all).any(|(stored, all)| stored != 0 && stored != all)
}

/// Returns whether blending or a logic operation uses the old colour.
fn blends_old_color(registers: &Registers) -> bool {
    use BlendFactor as F;
    let BlendMode { source, destination, equation } = registers.get();
    let uses_factors =
        matches!(equation, BlendEquation::ADD | BlendEquation::SUBTRACT | BlendEquation::REVERSE_SUBTRACT);
    let multiplies_by_zero = destination.number() >= F::FIXED.number()
        && registers.rgb(Opcode::BLENDFIXEDB) == [0; 3]
        && !matches!(source, F::COLOR | F::ONE_MINUS_COLOR);
    let blends = registers.is_on(Opcode::BLENDENABLE) && !(uses_factors && multiplies_by_zero);
    let operation = registers.get::<LogicOp>().operation;
    let ignores_old = matches!(
        operation,
        LogicOperation::CLEAR | LogicOperation::COPY | LogicOperation::COPY_INVERTED | LogicOperation::SET
    );
    blends || registers.is_on(Opcode::LOGICOPENABLE) && !ignores_old
}

/// Returns whether a blend factor uses the old alpha.
fn blends_old_alpha(registers: &Registers) -> bool {
    use BlendFactor as F;
    let BlendMode { source, destination, .. } = registers.get();
    let is_old_alpha = |factor: F| {
        matches!(
            factor,
            F::DESTINATION_ALPHA
                | F::ONE_MINUS_DESTINATION_ALPHA
                | F::DOUBLE_DESTINATION_ALPHA
                | F::ONE_MINUS_DOUBLE_DESTINATION_ALPHA
        )
    };
    registers.is_on(Opcode::BLENDENABLE) && (is_old_alpha(source) || is_old_alpha(destination))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(settings: &[(Opcode, u32)]) -> PixelAccess {
        let defaults = [(Opcode::MAXZ, 0xFFFF), (Opcode::FRAMEBUFPIXFORMAT, 3)];
        PixelAccess::of(&Registers::with(defaults.into_iter().chain(settings.iter().copied())))
    }

    #[test]
    fn tests_decide_which_pixels_are_stored() {
        let stores = |settings: &[(Opcode, u32)]| {
            let access = access(settings);
            (access.color_store, access.depth_store)
        };
        assert_eq!(stores(&[]), (Store::Always, Store::Never), "nothing is tested");
        assert_eq!(stores(&[(Opcode::MAXZ, 100)]), (Store::Tested, Store::Never), "a depth range");
        let through = (Opcode::VTYPE, 1 << 23);
        assert_eq!(stores(&[(Opcode::MAXZ, 100), through]), (Store::Always, Store::Never), "through mode");
        let depth = (Opcode::ZTESTENABLE, 1);
        assert_eq!(stores(&[depth, (Opcode::ZTEST, 7)]), (Store::Tested, Store::Tested), "a depth test");
        assert_eq!(stores(&[depth, (Opcode::ZTEST, 1)]), (Store::Always, Store::Always), "that passes");
        let kept = [depth, (Opcode::ZTEST, 7), (Opcode::ZWRITEDISABLE, 1)];
        assert_eq!(stores(&kept), (Store::Tested, Store::Never), "without depth writes");
        let alpha = [(Opcode::ALPHATESTENABLE, 1), (Opcode::ALPHATEST, 6)];
        assert_eq!(stores(&alpha), (Store::Tested, Store::Never), "an alpha test");
        assert_eq!(stores(&[(Opcode::CLEARMODE, 0x401)]), (Store::Never, Store::Always), "clears depth");
        let masked = [(Opcode::MASKRGB, 0xFF_FFFF)];
        assert_eq!(stores(&masked), (Store::Never, Store::Never), "alpha is not stored without stencil test");
    }

    #[test]
    fn bytes_and_old_values() {
        assert_eq!(access(&[]).stored_bits, 0xFF_FFFF, "colour");
        assert_eq!(access(&[(Opcode::CLEARMODE, 0x301)]).stored_bits, 0xFFFF_FFFF, "colour and stencil");
        let stencil =
            [(Opcode::STENCILTESTENABLE, 1), (Opcode::STENCILTEST, 1), (Opcode::STENCILOP, 2 << 16)];
        let replaced = access(&stencil);
        assert!(replaced.stores_byte(3) && !replaced.reads_stencil, "stencil is replaced");
        assert!(access(&[(Opcode::MASKRGB, 0x0F)]).reads_color, "part of red is kept");
        assert!(!access(&[(Opcode::MASKRGB, 0xFF)]).reads_color, "red is kept");
        let narrow = access(&[(Opcode::FRAMEBUFPIXFORMAT, 1), (Opcode::MASKRGB, 0xFF)]);
        assert!(narrow.reads_color, "red and green share a byte");
        let blend =
            |mode| [(Opcode::BLENDENABLE, 1), (Opcode::BLENDMODE, mode), (Opcode::BLENDFIXEDA, 0xFF_FFFF)];
        assert!(!access(&blend(0xAA)).reads_color, "source × 1 + destination × 0");
        assert!(access(&blend(0xA0)).reads_color, "source × destination");
        assert!(access(&blend(0x3AA)).reads_color, "the smaller");
        assert!(access(&blend(0x54)).reads_stencil, "destination alpha");
        assert!(!access(&[(Opcode::LOGICOPENABLE, 1), (Opcode::LOGICOP, 3)]).reads_color, "copy");
        assert!(access(&[(Opcode::LOGICOPENABLE, 1), (Opcode::LOGICOP, 6)]).reads_color, "exclusive or");
    }
}
