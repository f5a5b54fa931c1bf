//! How to compare two pictures.

use super::bounds::Bounds;
use super::picture::Picture;
use super::region::Region;
use super::tolerance::Tolerance;

/// How to compare two pictures. By default, both need the same size, and all pixels must be equal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompareOptions {
    /// The largest difference in each channel that counts as equal; `None` to allow none.
    pub tolerance: Option<Tolerance>,
    /// Bounds for the whole difference.
    pub bounds: Bounds,
    /// Whether to ignore alpha.
    pub ignore_alpha: bool,
    /// The rectangles to compare, in the first picture's pixels; if empty, everything. Pixels outside do not count.
    /// With a region, pictures with different sizes are aligned at their upper left corners.
    pub regions: Vec<Region>,
    /// A picture as large as the first, to choose pixels. A pixel counts if its colours here are at least half of
    /// white and its alpha is at least half of opaque.
    pub mask: Option<Picture>,
    /// Where the second picture's upper left pixel lies in the first. With an offset, only the part covered by both
    /// is compared.
    pub offset: Option<[i32; 2]>,
}
