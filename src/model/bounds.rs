//! Axis-aligned bounding boxes.

/// An axis-parallel box around points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least coordinates.
    pub min: [f32; 3],
    /// Greatest coordinates.
    pub max: [f32; 3],
}

impl Bounds {
    /// The box around some points; points that are not finite do not count. `None` where no point is left.
    #[must_use]
    pub fn of(points: impl IntoIterator<Item = [f32; 3]>) -> Option<Self> {
        let finite = points.into_iter().filter(|point| point.iter().all(|coordinate| coordinate.is_finite()));
        finite.map(|point| Self { min: point, max: point }).reduce(|a, b| a.union(&b))
    }

    /// The box around two boxes.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: [0, 1, 2].map(|axis| self.min[axis].min(other.min[axis])),
            max: [0, 1, 2].map(|axis| self.max[axis].max(other.max[axis])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_points_that_are_not_finite() {
        let points = [[1.0, 2.0, 3.0], [f32::NAN, 0.0, 0.0], [-1.0, 5.0, 3.0]];
        let expected = Bounds { min: [-1.0, 2.0, 3.0], max: [1.0, 5.0, 3.0] };
        assert_eq!(Bounds::of(points), Some(expected), "two points count");
        assert_eq!(Bounds::of([]), None, "no point, no box");
    }
}
