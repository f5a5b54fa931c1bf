//! Registers for lights and materials. Source: [commands](crate::reference::ge::commands#materials-and-lights),
//! [lighting](crate::reference::ge::lighting).

use super::field::{Rgb, codes, register};

codes! {
    /// Which terms a light contributes.
    LightComputation: 2 bits {
        /// Ambient and diffuse.
        DIFFUSE = 0,
        /// Ambient, diffuse and specular.
        SPECULAR = 1,
        /// Ambient and powered diffuse.
        POWERED_DIFFUSE = 2,
        /// As [`Self::DIFFUSE`].
        DIFFUSE_TOO = 3,
    }
}

codes! {
    /// Where a light's rays come from.
    LightKind: 2 bits {
        /// Light from a direction.
        DIRECTIONAL = 0,
        /// Light from a point.
        POINT = 1,
        /// A cone of light.
        SPOT = 2,
        /// As [`Self::SPOT`].
        SPOT_TOO = 3,
    }
}

register! {
    /// A light's kind, and the terms to compute for it.
    LightType {
        /// The terms this light contributes.
        computation: LightComputation = 0..=1,
        /// This light's kind.
        kind: LightKind = 8..=9,
    }
}

register! {
    /// Where specular light goes.
    LightMode = LIGHTMODE {
        /// If set, specular light goes to the secondary colour, to be added after texturing.
        separate_specular: bool = 0..=0,
    }
}

register! {
    /// Which material colours to replace by the vertex colour, for vertices that have a colour.
    MaterialUpdate = MATERIALUPDATE {
        /// The ambient colour.
        ambient: bool = 0..=0,
        /// The diffuse colour.
        diffuse: bool = 1..=1,
        /// The specular colour.
        specular: bool = 2..=2,
    }
}

register! {
    /// A colour without alpha.
    Color {
        /// Red, green, blue.
        rgb: Rgb = 0..=23,
    }
}

register! {
    /// An alpha or other 8-bit value.
    Byte {
        /// The value.
        value: u8 = 0..=7,
    }
}
