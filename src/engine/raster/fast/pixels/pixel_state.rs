//! The state for the pixel pipeline, decoded from the registers once per draw.

use crate::ge::arithmetic::Arithmetic;
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
use crate::pipeline::primitive::ScreenPrimitive;
use crate::raster::fast::batch::LANES;
use crate::raster::rules::pixel_rect::PixelRect;

/// A draw's properties that its registers do not tell. All its primitives share them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DrawMode {
    pub(crate) through: bool,
    pub(crate) arithmetic: Arithmetic,
}

impl From<&ScreenPrimitive> for DrawMode {
    fn from(primitive: &ScreenPrimitive) -> Self {
        Self { through: primitive.through, arithmetic: primitive.arithmetic }
    }
}

/// The state for all pixel stages.
#[derive(Clone, Debug)]
pub(crate) struct PixelState {
    /// The number format, which selects the rules.
    pub(crate) arithmetic: Arithmetic,
    pub(crate) scissor: PixelRect,
    pub(crate) color: ColorSurface,
    pub(crate) depth: DepthSurface,
    pub(crate) clear: Option<ClearMode>,
    pub(crate) textured: bool,
    pub(crate) function: TextureFunc,
    /// TEXENVCOLOR.
    pub(crate) environment: [u8; 3],
    pub(crate) secondary: bool,
    /// Whether the secondary colour is doubled.
    pub(super) double_secondary: bool,
    /// MINZ and MAXZ; `None` if they allow all depths.
    pub(crate) depth_range: Option<[u16; 2]>,
    pub(super) alpha_test: Option<MaskedTest>,
    /// ANTIALIASENABLE.
    pub(crate) antialiased: bool,
    /// FOGCOLOR.
    pub(crate) fog: Option<[u8; 3]>,
    pub(super) color_test: Option<ColorTestState>,
    pub(crate) stencil: Option<StencilState>,
    pub(super) depth_test: Option<Comparison>,
    pub(crate) depth_write: bool,
    pub(crate) blend: Option<BlendState>,
    /// The dither matrix by rows, repeated to fill vectors. Numbers are signed.
    pub(crate) dither: Option<[[u16; 4 + LANES]; 4]>,
    pub(crate) logic: Option<LogicOperation>,
    /// Which bits in a packed pixel are protected.
    pub(crate) protected_bits: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ColorTestState {
    pub(crate) function: ColorComparison,
    pub(crate) reference: [u8; 3],
    pub(crate) mask: [u8; 3],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct StencilState {
    pub(crate) test: MaskedTest,
    pub(crate) operations: StencilOperations,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct BlendState {
    pub(crate) mode: BlendMode,
    /// BLENDFIXEDA and BLENDFIXEDB.
    pub(crate) fixed: [[u8; 3]; 2],
    /// Whether this is the most frequent mode: source × alpha + destination × (1 − alpha).
    pub(super) is_alpha_blend: bool,
}

impl PixelState {
    pub(crate) fn new(registers: &Registers, mode: DrawMode) -> Self {
        let DrawMode { through, arithmetic } = mode;
        let on = |opcode| registers.is_on(opcode);
        let clear = registers.get::<ClearMode>();
        let color = ColorSurface::from_registers(registers);
        let limit = |opcode| registers.view::<DepthLimit>(opcode).z;
        let (min_z, max_z) = (limit(Opcode::MINZ), limit(Opcode::MAXZ));
        let alpha_test: MaskedTest = registers.view(Opcode::ALPHATEST);
        let depth_test = on(Opcode::ZTESTENABLE).then(|| registers.get::<DepthTest>().function);
        let function: TextureFunc = registers.get();
        let textured = on(Opcode::TEXENABLE) && !clear.enabled;
        Self {
            arithmetic,
            scissor: PixelRect::scissor(registers),
            color,
            depth: DepthSurface::from_registers(registers),
            clear: clear.enabled.then_some(clear),
            textured,
            function,
            environment: registers.rgb(Opcode::TEXENVCOLOR),
            secondary: on(Opcode::LIGHTMODE) && !through,
            double_secondary: textured && function.double && arithmetic == Arithmetic::Hardware,
            depth_range: (!through && (min_z, max_z) != (0, u16::MAX)).then_some([min_z, max_z]),
            alpha_test: (on(Opcode::ALPHATESTENABLE) && alpha_test.function != Comparison::ALWAYS)
                .then_some(alpha_test),
            antialiased: on(Opcode::ANTIALIASENABLE) && !clear.enabled,
            fog: (on(Opcode::FOGENABLE) && !through).then(|| registers.rgb(Opcode::FOGCOLOR)),
            color_test: on(Opcode::COLORTESTENABLE).then(|| color_test_state(registers)),
            stencil: on(Opcode::STENCILTESTENABLE).then(|| StencilState {
                test: registers.view(Opcode::STENCILTEST),
                operations: registers.get(),
            }),
            depth_test: depth_test.filter(|function| *function != Comparison::ALWAYS),
            depth_write: depth_test.is_some() && !on(Opcode::ZWRITEDISABLE),
            blend: on(Opcode::BLENDENABLE).then(|| blend(registers)),
            dither: on(Opcode::DITHERENABLE).then(|| dither(registers)),
            logic: on(Opcode::LOGICOPENABLE).then(|| registers.get::<LogicOp>().operation),
            protected_bits: color::encode(
                color.format,
                protected_bits(registers, clear, on(Opcode::STENCILTESTENABLE)),
            ),
        }
    }

    /// Checks whether this draw reads or writes the depth buffer.
    pub(crate) fn uses_depth(&self) -> bool {
        match self.clear {
            Some(clear) => clear.depth,
            None => self.depth_test.is_some() || self.depth_write,
        }
    }

    /// Checks whether the interpolated colour affects the result. If not, it need not be computed.
    pub(crate) fn uses_vertex_color(&self) -> bool {
        let replaces = self.function.function == TextureFunction::REPLACE && self.function.use_alpha;
        !(self.textured && replaces)
    }

    /// Checks whether the result depends on the framebuffer's old colour or stencil.
    pub(super) fn reads_framebuffer(&self) -> bool {
        self.stencil.is_some() || self.blend.is_some() || self.logic.is_some()
    }

    /// Checks whether the fragments' depth is needed.
    pub(crate) fn uses_z(&self) -> bool {
        self.uses_depth() || self.depth_range.is_some()
    }
}

fn protected_bits(registers: &Registers, clear: ClearMode, stencil: bool) -> [u8; 4] {
    let [mut red, mut green, mut blue, _] = registers.get::<ColorMask>().mask.0.to_le_bytes();
    let [mut alpha, ..] = registers.get::<AlphaMask>().mask.0.to_le_bytes();
    if clear.enabled && !clear.color {
        [red, green, blue] = [255; 3];
    }
    // Without stencil test, draws never change the stored stencil.
    if if clear.enabled { !clear.stencil } else { !stencil } {
        alpha = 255;
    }
    [red, green, blue, alpha]
}

fn blend(registers: &Registers) -> BlendState {
    let mode: BlendMode = registers.get();
    let factors = [mode.source, mode.destination];
    BlendState {
        mode,
        fixed: [registers.rgb(Opcode::BLENDFIXEDA), registers.rgb(Opcode::BLENDFIXEDB)],
        is_alpha_blend: mode.equation == BlendEquation::ADD
            && factors == [BlendFactor::SOURCE_ALPHA, BlendFactor::ONE_MINUS_SOURCE_ALPHA],
    }
}

fn color_test_state(registers: &Registers) -> ColorTestState {
    let rgb = |opcode| registers.view::<ColorReference>(opcode).rgb.0;
    ColorTestState {
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
