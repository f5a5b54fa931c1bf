//! Places a scene in other programs: its size, and which axis points up.

use thiserror::Error;

use crate::model::matrix::{Affine, single};

/// The scale and upward axis for exported files. The default keeps the source's units, with y up, because glTF
/// demands this.
///
/// ```
/// use pspge::export::{Placement, UpAxis};
///
/// let placement = Placement::new(0.01, UpAxis::Z)?;
/// assert_eq!(placement.scale(), 0.01);
/// assert!(Placement::new(0.0, UpAxis::Y).is_err());
/// # Ok::<(), pspge::export::PlacementError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    scale: f64,
    up: UpAxis,
}

/// Which axis points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// y is up, and models face +z.
    #[default]
    Y,
    /// z is up, and models face −y.
    Z,
}

/// Why a scene cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum PlacementError {
    /// The scale is zero, negative or NaN, or single precision cannot hold it.
    #[error("a scale of {0:e}: expected a number from {min:.1e} to {max:.1e}", min = f32::MIN_POSITIVE, max = f32::MAX)]
    Scale(f64),
}

impl Default for Placement {
    fn default() -> Self {
        Self { scale: 1.0, up: UpAxis::default() }
    }
}

impl Placement {
    /// Multiplies all lengths by `scale`.
    ///
    /// # Errors
    /// [`PlacementError::Scale`] unless the scale is a normal positive number in single precision.
    pub fn new(scale: f64, up: UpAxis) -> Result<Self, PlacementError> {
        let range = f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX);
        if range.contains(&scale) { Ok(Self { scale, up }) } else { Err(PlacementError::Scale(scale)) }
    }

    /// Returns the factor for all lengths.
    #[must_use]
    pub const fn scale(&self) -> f64 {
        self.scale
    }

    /// Returns the upward axis.
    #[must_use]
    pub const fn up(&self) -> UpAxis {
        self.up
    }

    /// Returns whether positions stay as they are.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        *self == Self::default()
    }

    /// Turns and scales a position.
    #[must_use]
    pub fn position(&self, position: [f32; 3]) -> [f32; 3] {
        self.turn(position).map(|coordinate| self.length(coordinate))
    }

    /// Turns a direction, without scaling.
    #[must_use]
    pub fn turn(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        match self.up {
            UpAxis::Y => [x, y, z],
            UpAxis::Z => [x, -z, y],
        }
    }

    /// Scales a length, and rounds only once. A result too large for single precision becomes its largest number.
    #[must_use]
    pub fn length(&self, length: f32) -> f32 {
        let most = f64::from(f32::MAX);
        single((f64::from(length) * self.scale).clamp(-most, most))
    }

    /// Returns the same transform as a matrix, for formats that apply it themselves.
    #[must_use]
    pub const fn matrix(&self) -> Affine {
        let scale = single(self.scale);
        match self.up {
            UpAxis::Y => [scale, 0.0, 0.0, 0.0, scale, 0.0, 0.0, 0.0, scale, 0.0, 0.0, 0.0],
            UpAxis::Z => [scale, 0.0, 0.0, 0.0, 0.0, scale, 0.0, -scale, 0.0, 0.0, 0.0, 0.0],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::matrix::transform;

    #[test]
    fn impossible_scales_are_refused() {
        for scale in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e39, 1e-39] {
            let error = Placement::new(scale, UpAxis::Y).expect_err("impossible");
            assert!(
                error
                    .to_string()
                    .starts_with(&format!("a scale of {scale:e}: expected a number from 1.2e-38 to 3.4e38")),
                "{error}"
            );
        }
    }

    #[test]
    fn matrices_and_positions_agree() {
        for (scale, up, expected) in [
            (1.0, UpAxis::Y, [1.0, 2.0, 4.0]),
            (0.5, UpAxis::Y, [0.5, 1.0, 2.0]),
            (0.25, UpAxis::Z, [0.25, -1.0, 0.5]),
        ] {
            let placement = Placement::new(scale, up).expect("a scale");
            assert_eq!(placement.position([1.0, 2.0, 4.0]), expected, "{placement:?}");
            assert_eq!(transform(&placement.matrix(), [1.0, 2.0, 4.0]), expected, "{placement:?}");
        }
    }

    #[test]
    fn lengths_stay_finite() {
        let placement = Placement::new(1e30, UpAxis::Y).expect("a scale");
        assert_eq!(placement.position([1e30, -1e30, 0.0]), [f32::MAX, f32::MIN, 0.0], "saturated");
    }
}
