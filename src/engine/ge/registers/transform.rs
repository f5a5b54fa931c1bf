//! Registers for the transform unit, and views shared by many registers.
//!
//! Source: [commands](crate::reference::ge::commands#transform-and-texture-coordinates),
//! [switches](crate::reference::ge::commands#region-and-switches), [matrix
//! upload](crate::reference::ge::commands#matrix-upload).

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
    /// Which element to write with the next matrix data command.
    #[doc(hidden)]
    MatrixNumber {
        /// Element index; counts up with every data command.
        index: u8 = 0..=6,
    }
}

register! {
    /// Screen offset, to subtract after the viewport transform: OFFSETX, OFFSETY.
    ScreenOffset {
        /// In 1/16 pixel.
        offset: u16 = 0..=15,
    }
}

register! {
    /// How finely to divide patches.
    #[doc(hidden)]
    PatchDivision = PATCHDIVISION {
        /// Divisions in the u direction; 0 acts as 1.
        u: u8 = 0..=6,
        /// Divisions in the v direction; 0 acts as 1.
        v: u8 = 8..=14,
    }
}

codes! {
    /// Which primitive to draw a patch with. Source: [output
    /// primitives](crate::reference::ge::curves#output-primitives).
    #[doc(hidden)]
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
    /// The primitive for patches.
    #[doc(hidden)]
    PatchPrim = PATCHPRIM {
        /// The primitive to draw.
        primitive: PatchPrimitive = 0..=1,
    }
}

codes! {
    /// How to shade a primitive.
    ShadeMode: 1 bits {
        /// The last vertex's colour.
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
    /// Which triangles to cull, by their winding on the screen (y down).
    CullFace: 1 bits {
        /// Clockwise triangles.
        CLOCKWISE = 0,
        /// Counter-clockwise triangles.
        COUNTERCLOCKWISE = 1,
    }
}

register! {
    /// Face culling.
    Cull = CULL {
        /// The faces to cull.
        drop: CullFace = 0..=0,
    }
}
