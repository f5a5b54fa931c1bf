//! Describes the pixel pipeline: tests, blending, masks.

use serde::{Deserialize, Serialize};

use crate::ge::float::Float;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::{
    AlphaMask, BlendEquation, BlendFactor, BlendMode, ClearMode, ColorComparison, ColorTest, Comparison,
    DepthTest, DitherRow, LogicOp, LogicOperation, MaskedTest, StencilOperation, StencilOperations,
};

/// Clear mode, in which draws fill buffers without tests on fragments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClearState {
    /// Whether clear mode is on.
    pub enabled: bool,
    /// Whether clears write colour.
    pub color: bool,
    /// Whether clears write stencil.
    pub stencil: bool,
    /// Whether clears write depth.
    pub depth: bool,
}

impl ClearState {
    /// Returns the state set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let ClearMode { enabled, color, stencil, depth } = registers.get();
        Self { enabled, color, stencil, depth }
    }
}

/// The alpha test, to drop fragments by their alpha.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AlphaTestState {
    /// Whether the test is on.
    pub enabled: bool,
    /// How alpha compares with the reference for the test to pass.
    pub function: Comparison,
    /// The reference to compare with.
    pub reference: u8,
    /// Which bits are compared.
    pub mask: u8,
}

impl AlphaTestState {
    /// Returns the state set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let MaskedTest { function, reference, mask } = registers.view(Opcode::ALPHATEST);
        Self { enabled: registers.is_on(Opcode::ALPHATESTENABLE), function, reference, mask }
    }
}

/// The colour test, to drop fragments by their colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ColorTestState {
    /// Whether the test is on.
    pub enabled: bool,
    /// How the colour compares with the reference for the test to pass.
    pub function: ColorComparison,
    /// The reference to compare with: red, green, blue.
    pub reference: [u8; 3],
    /// Which bits are compared: red, green, blue.
    pub mask: [u8; 3],
}

impl ColorTestState {
    /// Returns the state set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        Self {
            enabled: registers.is_on(Opcode::COLORTESTENABLE),
            function: registers.get::<ColorTest>().function,
            reference: registers.rgb(Opcode::COLORREF),
            mask: registers.rgb(Opcode::COLORTESTMASK),
        }
    }
}

/// The stencil test, to drop fragments by the stencil, and to change it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StencilState {
    /// Whether the test is on.
    pub enabled: bool,
    /// How the reference compares with the stencil for the test to pass.
    pub function: Comparison,
    /// The reference to compare with.
    pub reference: u8,
    /// Which bits are compared.
    pub mask: u8,
    /// How the stencil changes if this test fails.
    pub stencil_fail: StencilOperation,
    /// How it changes if the depth test fails.
    pub depth_fail: StencilOperation,
    /// How it changes if both tests pass.
    pub pass: StencilOperation,
}

impl StencilState {
    /// Returns the state set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let MaskedTest { function, reference, mask } = registers.view(Opcode::STENCILTEST);
        let StencilOperations { stencil_fail, depth_fail, pass } = registers.get();
        let enabled = registers.is_on(Opcode::STENCILTESTENABLE);
        Self { enabled, function, reference, mask, stencil_fail, depth_fail, pass }
    }
}

/// The depth test, to drop hidden fragments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DepthTestState {
    /// Whether the test is on.
    pub enabled: bool,
    /// How the fragment's depth compares with the stored depth for the test to pass.
    pub function: Comparison,
    /// Whether depth may be written: the test is on, and ZWRITEDISABLE is off.
    pub writes: bool,
}

impl DepthTestState {
    /// Returns the state set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let enabled = registers.is_on(Opcode::ZTESTENABLE);
        Self {
            enabled,
            function: registers.get::<DepthTest>().function,
            writes: enabled && !registers.is_on(Opcode::ZWRITEDISABLE),
        }
    }
}

/// How fragments blend with the framebuffer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BlendState {
    /// Whether blending is on.
    pub enabled: bool,
    /// How both operands combine.
    pub equation: BlendEquation,
    /// The factor for the source colour.
    pub source: BlendFactor,
    /// The factor for the destination colour.
    pub destination: BlendFactor,
    /// The source's fixed factor.
    pub fixed_source: [u8; 3],
    /// The destination's fixed factor.
    pub fixed_destination: [u8; 3],
}

impl BlendState {
    /// Returns the state set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let BlendMode { source, destination, equation } = registers.get();
        Self {
            enabled: registers.is_on(Opcode::BLENDENABLE),
            equation,
            source,
            destination,
            fixed_source: registers.rgb(Opcode::BLENDFIXEDA),
            fixed_destination: registers.rgb(Opcode::BLENDFIXEDB),
        }
    }
}

/// Dithering, to hide the steps in 16-bit colours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DitherState {
    /// Whether dithering is on.
    pub enabled: bool,
    /// The dither matrix, row by row.
    pub matrix: [[i8; 4]; 4],
}

impl DitherState {
    /// Returns the state set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let row = |number: u8| {
            let DitherRow { x0, x1, x2, x3 } = registers.view(Opcode::DITH0.plus(number));
            [x0.0, x1.0, x2.0, x3.0]
        };
        Self { enabled: registers.is_on(Opcode::DITHERENABLE), matrix: [0, 1, 2, 3].map(row) }
    }
}

/// The logic operation on a fragment and the framebuffer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LogicState {
    /// Whether this operation is on.
    pub enabled: bool,
    /// Which operation this is.
    pub operation: LogicOperation,
}

impl LogicState {
    /// Returns the state set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        Self {
            enabled: registers.is_on(Opcode::LOGICOPENABLE),
            operation: registers.get::<LogicOp>().operation,
        }
    }
}

/// Write masks: a set bit protects the framebuffer's bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MaskState {
    /// The protected bits in red, green and blue.
    pub color: [u8; 3],
    /// The protected bits in the stencil.
    pub stencil: u8,
}

impl MaskState {
    /// Returns the masks set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let [stencil, ..] = registers.get::<AlphaMask>().mask.0.to_le_bytes();
        Self { color: registers.rgb(Opcode::MASKRGB), stencil }
    }
}

/// Fog, which mixes distant fragments with a colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FogState {
    /// Whether fog is on.
    pub enabled: bool,
    /// The fog's red, green and blue.
    pub color: [u8; 3],
    /// The distance at which fog is full.
    pub end: Float,
    /// How much it decreases per unit towards the viewer.
    pub slope: Float,
}

impl FogState {
    /// Returns the state set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        Self {
            enabled: registers.is_on(Opcode::FOGENABLE),
            color: registers.rgb(Opcode::FOGCOLOR),
            end: Float(registers.float(Opcode::FOG1)),
            slope: Float(registers.float(Opcode::FOG2)),
        }
    }
}
