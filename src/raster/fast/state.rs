//! A draw's registers, looked up once.

use super::batch::LANES;
use crate::ge::color;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::{
    AlphaMask, BlendEquation, BlendFactor, BlendMode, ClearMode, ColorComparison, ColorMask, ColorReference,
    ColorTest, Comparison, DepthLimit, DepthTest, DitherRow, LogicOp, LogicOperation, MaskedTest,
    StencilOperations,
};
use crate::ge::registers::texture::{TextureFunc, TextureFunction};
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};
use crate::raster::coverage::Area;

/// What the pixel pipeline does with the fragments of a draw.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) area: Area,
    pub(super) color: ColorSurface,
    pub(super) depth: DepthSurface,
    pub(super) clear: Option<ClearMode>,
    pub(super) textured: bool,
    pub(super) function: TextureFunc,
    /// TEXENVCOLOR.
    pub(super) environment: [u8; 3],
    pub(super) secondary: bool,
    /// MINZ and MAXZ, where they leave anything out.
    pub(super) depth_range: Option<[u16; 2]>,
    pub(super) alpha_test: Option<MaskedTest>,
    /// FOGCOLOR.
    pub(super) fog: Option<[u8; 3]>,
    pub(super) color_test: Option<ColorTester>,
    pub(super) stencil: Option<Stencil>,
    pub(super) depth_test: Option<Comparison>,
    pub(super) depth_write: bool,
    pub(super) blend: Option<Blend>,
    /// Rows of the dither matrix, again and again; signed numbers.
    pub(super) dither: Option<[[u16; 4 + LANES]; 4]>,
    pub(super) logic: Option<LogicOperation>,
    /// Stored bits that stay as they are.
    pub(super) protect: u32,
}

/// The colour test.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColorTester {
    pub(super) function: ColorComparison,
    pub(super) reference: [u8; 3],
    pub(super) mask: [u8; 3],
}

/// The stencil test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stencil {
    pub(super) test: MaskedTest,
    pub(super) operations: StencilOperations,
}

/// Blending.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blend {
    pub(super) mode: BlendMode,
    /// BLENDFIXEDA and BLENDFIXEDB.
    pub(super) fixed: [[u8; 3]; 2],
    /// Whether it is what most draws use: colours added by their share, which is alpha.
    pub(super) by_alpha: bool,
}

impl State {
    pub(super) fn new(registers: &Registers, through: bool) -> Self {
        let on = |opcode| registers.is_on(opcode);
        let clear = registers.get::<ClearMode>();
        let color = ColorSurface::from_registers(registers);
        let limit = |opcode| registers.view::<DepthLimit>(opcode).z;
        let (min_z, max_z) = (limit(Opcode::MINZ), limit(Opcode::MAXZ));
        let alpha_test: MaskedTest = registers.view(Opcode::ALPHATEST);
        let depth_test = on(Opcode::ZTESTENABLE).then(|| registers.get::<DepthTest>().function);
        let function: TextureFunc = registers.get();
        Self {
            area: Area::from_registers(registers),
            color,
            depth: DepthSurface::from_registers(registers),
            clear: clear.enabled.then_some(clear),
            textured: on(Opcode::TEXENABLE) && !clear.enabled,
            function,
            environment: registers.rgb(Opcode::TEXENVCOLOR),
            secondary: on(Opcode::LIGHTMODE) && !through,
            depth_range: (!through && (min_z, max_z) != (0, u16::MAX)).then_some([min_z, max_z]),
            alpha_test: (on(Opcode::ALPHATESTENABLE) && alpha_test.function != Comparison::ALWAYS)
                .then_some(alpha_test),
            fog: (on(Opcode::FOGENABLE) && !through).then(|| registers.rgb(Opcode::FOGCOLOR)),
            color_test: on(Opcode::COLORTESTENABLE).then(|| color_tester(registers)),
            stencil: on(Opcode::STENCILTESTENABLE)
                .then(|| Stencil { test: registers.view(Opcode::STENCILTEST), operations: registers.get() }),
            depth_test: depth_test.filter(|function| *function != Comparison::ALWAYS),
            depth_write: depth_test.is_some() && !on(Opcode::ZWRITEDISABLE),
            blend: on(Opcode::BLENDENABLE).then(|| blend(registers)),
            dither: on(Opcode::DITHERENABLE).then(|| dither(registers)),
            logic: on(Opcode::LOGICOPENABLE).then(|| registers.get::<LogicOp>().operation),
            protect: color::encode(color.format, protect(registers, clear, on(Opcode::STENCILTESTENABLE))),
        }
    }

    /// Whether the depth buffer takes part.
    pub(super) fn uses_depth(&self) -> bool {
        match self.clear {
            Some(clear) => clear.depth,
            None => self.depth_test.is_some() || self.depth_write,
        }
    }

    /// Whether the colour that comes with the primitive counts.
    pub(super) fn uses_color(&self) -> bool {
        let replaces = self.function.function == TextureFunction::REPLACE && self.function.use_alpha;
        !(self.textured && replaces)
    }

    /// Whether anything looks at what the framebuffer holds.
    pub(super) fn needs_old_color(&self) -> bool {
        self.stencil.is_some() || self.blend.is_some() || self.logic.is_some()
    }

    /// Whether the depth of fragments counts.
    pub(super) fn uses_z(&self) -> bool {
        self.uses_depth() || self.depth_range.is_some()
    }
}

fn protect(registers: &Registers, clear: ClearMode, stencil: bool) -> [u8; 4] {
    let [mut red, mut green, mut blue, _] = registers.get::<ColorMask>().mask.0.to_le_bytes();
    let [mut alpha, ..] = registers.get::<AlphaMask>().mask.0.to_le_bytes();
    if clear.enabled && !clear.color {
        [red, green, blue] = [255; 3];
    }
    // Without a stencil test nothing else changes the stencil.
    if if clear.enabled { !clear.stencil } else { !stencil } {
        alpha = 255;
    }
    [red, green, blue, alpha]
}

fn blend(registers: &Registers) -> Blend {
    let mode: BlendMode = registers.get();
    let factors = [mode.source, mode.destination];
    Blend {
        mode,
        fixed: [registers.rgb(Opcode::BLENDFIXEDA), registers.rgb(Opcode::BLENDFIXEDB)],
        by_alpha: mode.equation == BlendEquation::ADD
            && factors == [BlendFactor::SOURCE_ALPHA, BlendFactor::ONE_MINUS_SOURCE_ALPHA],
    }
}

fn color_tester(registers: &Registers) -> ColorTester {
    let rgb = |opcode| registers.view::<ColorReference>(opcode).rgb.0;
    ColorTester {
        function: registers.get::<ColorTest>().function,
        reference: rgb(Opcode::COLORREF),
        mask: rgb(Opcode::COLORTESTMASK),
    }
}

fn dither(registers: &Registers) -> [[u16; 4 + LANES]; 4] {
    [0, 1, 2, 3].map(|y| {
        let row: DitherRow = registers.view(Opcode::DITH0.plus(y));
        let row = [row.x0, row.x1, row.x2, row.x3].map(|nibble| i16::from(nibble.0).cast_unsigned());
        std::array::from_fn(|x| row[x & 3])
    })
}
