//! Registers of the transform unit, and shapes that many registers share.
//!
//! Source: [commands](crate::reference::ge::commands#transform-and-texture-coordinates),
//! [switches](crate::reference::ge::commands#region-and-switches),
//! [matrix upload](crate::reference::ge::commands#matrix-upload).

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
    /// The primitive that a patch is drawn with. Source:
    /// [output primitives](crate::reference::ge::curves#output-primitives).
    PatchPrimitive: 2 bits {
        /// Two triangles per quad.
        TRIANGLES = 0,
        /// Lines.
        LINES = 1,
        /// Points.
        POINTS = 2,
        /// As [`Self::POINTS`].
        POINTS_TOO = 3,
    }
}

register! {
    /// The primitive of patches.
    PatchPrim = PATCHPRIM {
        /// The primitive to draw.
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
    /// The triangles that culling drops, by their winding on the screen (y down).
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
        /// The faces that culling drops.
        drop: CullFace = 0..=0,
    }
}
