//! Registers of lights, materials and fog. Source: `ge-reference.md` §2.4, §6.

use super::field::{Rgb, codes, register};

codes! {
    /// What a light computes.
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
    /// What kind of light it is.
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
    /// Type of a light.
    LightType {
        /// What it computes.
        computation: LightComputation = 0..=1,
        /// What kind it is.
        kind: LightKind = 8..=9,
    }
}

register! {
    /// Where specular light goes.
    LightMode = LIGHTMODE {
        /// To the secondary colour, added after texturing.
        separate_specular: bool = 0..=0,
    }
}

register! {
    /// Which material colours the vertex colour replaces.
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
    /// An alpha or other value of 8 bits.
    Byte {
        /// The value.
        value: u8 = 0..=7,
    }
}
