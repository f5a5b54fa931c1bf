//! Registers of the transform unit, and shapes that many registers share.
//! Source: `ge-reference.md` §1.4, §2.2, §2.3.

use super::field::{codes, register};
use crate::ge::float24::Float24;

register! {
    /// A switch in bit 0.
    Switch {
        /// On or off.
        enabled: bool = 0..=0,
    }
}

register! {
    /// A number that fills the whole argument.
    Scalar {
        /// The number.
        value: Float24 = 0..=23,
    }
}

register! {
    /// The element that the next matrix data command writes.
    MatrixNumber {
        /// Element index; counts up with every data command.
        index: u8 = 0..=6,
    }
}

register! {
    /// Screen offset, subtracted after the viewport: OFFSETX, OFFSETY.
    ScreenOffset {
        /// In 1/16 pixel.
        offset: u16 = 0..=15,
    }
}

register! {
    /// Subdivision of patches.
    PatchDivision = PATCHDIVISION {
        /// Divisions in the u direction; 0 acts as 1.
        u: u8 = 0..=6,
        /// Divisions in the v direction; 0 acts as 1.
        v: u8 = 8..=14,
    }
}

codes! {
    /// What a patch is drawn with.
    PatchPrimitive: 2 bits {
        /// Two triangles per quad.
        TRIANGLES = 0,
        /// Lines.
        LINES = 1,
        /// Points.
        POINTS = 2,
        /// Points as well.
        POINTS_TOO = 3,
    }
}

register! {
    /// The primitive of patches.
    PatchPrim = PATCHPRIM {
        /// What to draw.
        primitive: PatchPrimitive = 0..=1,
    }
}

codes! {
    /// Shading of a primitive.
    ShadeMode: 1 bits {
        /// The colour of the last vertex.
        FLAT = 0,
        /// Colours are interpolated.
        GOURAUD = 1,
    }
}

register! {
    /// Shading.
    Shade = SHADEMODE {
        /// Flat or Gouraud.
        mode: ShadeMode = 0..=0,
    }
}

codes! {
    /// Which triangles culling drops, by their winding on the screen (y down).
    CullFace: 1 bits {
        /// Clockwise ones.
        CLOCKWISE = 0,
        /// Counter-clockwise ones.
        COUNTERCLOCKWISE = 1,
    }
}

register! {
    /// Face culling.
    Cull = CULL {
        /// Which faces are dropped.
        drop: CullFace = 0..=0,
    }
}
