//! Axis-aligned bounding boxes, to frame a model or find its size.

/// An axis-aligned bounding box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The smallest coordinates inside this box.
    pub min: [f32; 3],
    /// The largest coordinates inside this box.
    pub max: [f32; 3],
}

impl Bounds {
    /// Computes the smallest box around all finite points; `None` if no point is finite.
    #[must_use]
    pub fn of(points: impl IntoIterator<Item = [f32; 3]>) -> Option<Self> {
        let finite = points.into_iter().filter(|point| point.iter().all(|coordinate| coordinate.is_finite()));
        finite.map(|point| Self { min: point, max: point }).reduce(|a, b| a.union(&b))
    }

    /// Computes the smallest box around this and another.
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
        assert_eq!(Bounds::of(points), Some(expected), "only the finite points");
        assert_eq!(Bounds::of([]), None, "no box without points");
    }
}
