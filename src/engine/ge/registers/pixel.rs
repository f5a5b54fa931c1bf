//! Registers for the pixel pipeline. Source: [commands](crate::reference::ge::commands#pixels-and-transfers),
//! [pixels](crate::reference::ge::pixels).

use super::field::{Hex, Nibble, Rgb, codes, register};

codes! {
    /// How alpha, stencil and depth tests compare: `new function old`. Source: [comparison
    /// functions](crate::reference::ge::commands#comparison-functions).
    Comparison: 3 bits {
        /// Fails.
        NEVER = 0,
        /// Passes.
        ALWAYS = 1,
        /// Equal.
        EQUAL = 2,
        /// Not equal.
        NOT_EQUAL = 3,
        /// Less.
        LESS = 4,
        /// Less or equal.
        LESS_EQUAL = 5,
        /// Greater.
        GREATER = 6,
        /// Greater or equal.
        GREATER_EQUAL = 7,
    }
}

impl Comparison {
    /// Returns whether `new` passes this comparison against `old`.
    #[must_use]
    pub fn passes<T: PartialOrd>(self, new: T, old: T) -> bool {
        match self {
            Self::NEVER => false,
            Self::ALWAYS => true,
            Self::EQUAL => new == old,
            Self::NOT_EQUAL => new != old,
            Self::LESS => new < old,
            Self::LESS_EQUAL => new <= old,
            Self::GREATER => new > old,
            _ => new >= old,
        }
    }
}

codes! {
    /// How the colour test compares.
    ColorComparison: 2 bits {
        /// Fails.
        NEVER = 0,
        /// Passes.
        ALWAYS = 1,
        /// Equal.
        EQUAL = 2,
        /// Not equal.
        NOT_EQUAL = 3,
    }
}

codes! {
    /// How to change the stencil value after a test. Source: [stencil
    /// operations](crate::reference::ge::pixels#stencil-operations).
    StencilOperation: 3 bits {
        /// Keeps the value.
        KEEP = 0,
        /// Sets it to 0.
        ZERO = 1,
        /// Sets it to the reference.
        REPLACE = 2,
        /// Inverts all bits.
        INVERT = 3,
        /// Increments it, saturating.
        INCREMENT = 4,
        /// Decrements it, saturating.
        DECREMENT = 5,
    }
}

codes! {
    /// The factor to multiply a blend operand by. Factors 0 and 1 use the other operand's colour. Source: [blend
    /// factors](crate::reference::ge::pixels#blend-factors).
    BlendFactor: 4 bits {
        /// The other operand's colour.
        COLOR = 0,
        /// 255 less the other operand's colour.
        ONE_MINUS_COLOR = 1,
        /// Source alpha.
        SOURCE_ALPHA = 2,
        /// 255 less source alpha.
        ONE_MINUS_SOURCE_ALPHA = 3,
        /// Destination alpha.
        DESTINATION_ALPHA = 4,
        /// 255 less destination alpha.
        ONE_MINUS_DESTINATION_ALPHA = 5,
        /// Twice source alpha.
        DOUBLE_SOURCE_ALPHA = 6,
        /// 255 less twice source alpha.
        ONE_MINUS_DOUBLE_SOURCE_ALPHA = 7,
        /// Twice destination alpha.
        DOUBLE_DESTINATION_ALPHA = 8,
        /// 255 less twice destination alpha.
        ONE_MINUS_DOUBLE_DESTINATION_ALPHA = 9,
        /// BLENDFIXEDA or BLENDFIXEDB; codes above act the same.
        FIXED = 10,
    }
}

codes! {
    /// How to combine the blend operands. Source: [blend equations](crate::reference::ge::pixels#blend-equations).
    BlendEquation: 3 bits {
        /// Source plus destination.
        ADD = 0,
        /// Source less destination.
        SUBTRACT = 1,
        /// Destination less source.
        REVERSE_SUBTRACT = 2,
        /// The smaller, without factors.
        MIN = 3,
        /// The larger, without factors.
        MAX = 4,
        /// The absolute difference, without factors.
        ABSOLUTE_DIFFERENCE = 5,
    }
}

codes! {
    /// A bitwise operation to combine colours: source `s`, destination `d`. Source: [logic
    /// operation](crate::reference::ge::pixels#logic-operation).
    LogicOperation: 4 bits {
        /// 0.
        CLEAR = 0,
        /// s & d.
        AND = 1,
        /// s & !d.
        AND_REVERSE = 2,
        /// s.
        COPY = 3,
        /// !s & d.
        AND_INVERTED = 4,
        /// d.
        NOOP = 5,
        /// s ^ d.
        XOR = 6,
        /// s | d.
        OR = 7,
        /// !(s | d).
        NOR = 8,
        /// !(s ^ d).
        EQUIVALENCE = 9,
        /// !d.
        INVERT = 10,
        /// s | !d.
        OR_REVERSE = 11,
        /// !s.
        COPY_INVERTED = 12,
        /// !s | d.
        OR_INVERTED = 13,
        /// !(s & d).
        NAND = 14,
        /// All ones.
        SET = 15,
    }
}

register! {
    /// Clear mode.
    ClearMode = CLEARMODE {
        /// Clear mode is on.
        enabled: bool = 0..=0,
        /// Colour is written.
        color: bool = 8..=8,
        /// Stencil is written, from alpha.
        stencil: bool = 9..=9,
        /// Depth is written.
        depth: bool = 10..=10,
    }
}

register! {
    /// A screen corner, inclusive: SCISSOR1, SCISSOR2, REGION1, REGION2.
    Corner {
        /// Column.
        x: u16 = 0..=9,
        /// Row.
        y: u16 = 10..=19,
    }
}

register! {
    /// A limit for the depths to draw: MINZ, MAXZ.
    DepthLimit {
        /// Depth.
        z: u16 = 0..=15,
    }
}

register! {
    /// Colour test.
    ColorTest = COLORTEST {
        /// Comparison.
        function: ColorComparison = 0..=1,
    }
}

register! {
    /// A reference or mask for the colour test.
    ColorReference {
        /// Red, green, blue.
        rgb: Rgb = 0..=23,
    }
}

register! {
    /// Alpha test or stencil test.
    MaskedTest {
        /// Comparison.
        function: Comparison = 0..=2,
        /// Reference.
        reference: u8 = 8..=15,
        /// Bits to compare, on both sides.
        mask: u8 = 16..=23,
    }
}

register! {
    /// Stencil operations.
    StencilOperations = STENCILOP {
        /// Operation if the stencil test fails.
        stencil_fail: StencilOperation = 0..=2,
        /// Operation if the depth test fails.
        depth_fail: StencilOperation = 8..=10,
        /// Operation if both pass.
        pass: StencilOperation = 16..=18,
    }
}

register! {
    /// Depth test.
    DepthTest = ZTEST {
        /// Comparison.
        function: Comparison = 0..=2,
    }
}

register! {
    /// Blending.
    BlendMode = BLENDMODE {
        /// Factor for the source colour.
        source: BlendFactor = 0..=3,
        /// Factor for the destination colour.
        destination: BlendFactor = 4..=7,
        /// How to combine both operands.
        equation: BlendEquation = 8..=10,
    }
}

register! {
    /// A row in the dither matrix.
    DitherRow {
        /// Column 0.
        x0: Nibble = 0..=3,
        /// Column 1.
        x1: Nibble = 4..=7,
        /// Column 2.
        x2: Nibble = 8..=11,
        /// Column 3.
        x3: Nibble = 12..=15,
    }
}

register! {
    /// Logic operation.
    LogicOp = LOGICOP {
        /// Bitwise operation.
        operation: LogicOperation = 0..=3,
    }
}

register! {
    /// Which framebuffer colour bits to protect from writes.
    ColorMask = MASKRGB {
        /// 1 protects a bit; red lowest.
        mask: Hex = 0..=23,
    }
}

register! {
    /// Which framebuffer stencil bits to protect from writes.
    AlphaMask = MASKALPHA {
        /// 1 protects a bit.
        mask: Hex = 0..=7,
    }
}
