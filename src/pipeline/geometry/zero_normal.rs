//! The normal that the hardware uses in place of (0, 0, 0).
//!
//! A zero normal acts as `c · (1, 1, 1)` in model space, for lighting and the environment map. `c` is state of
//! the GE: the last Bezier patch sets it. Splines, other draws, and saving or restoring a context do not.
//! Source: [zero normals](crate::reference::ge::lighting#zero-normals).

/// The sign `c` of the replacement. It is positive after power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ZeroNormal {
    /// A zero normal acts as (1, 1, 1).
    #[default]
    Positive,
    /// A zero normal acts as (−1, −1, −1).
    Negative,
    /// A zero normal stays zero: no diffuse and no specular light.
    Zero,
}

impl ZeroNormal {
    /// Returns `c`.
    #[must_use]
    pub(crate) const fn component(self) -> f32 {
        match self {
            Self::Positive => 1.0,
            Self::Negative => -1.0,
            Self::Zero => 0.0,
        }
    }

    /// Returns the sign of a number; zero and NaN give [`Self::Zero`].
    #[must_use]
    pub(crate) fn of_sign(z: f32) -> Self {
        if z > 0.0 {
            Self::Positive
        } else if z < 0.0 {
            Self::Negative
        } else {
            Self::Zero
        }
    }
}
