//! How to compare two pictures.

use super::bounds::Bounds;
use super::picture::Picture;
use super::region::Region;
use super::tolerance::Tolerance;

/// How to compare two pictures. The default compares all pixels of pictures of one size, exactly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompareOptions {
    /// The largest difference of each channel that counts as equal; `None` for none.
    pub tolerance: Option<Tolerance>,
    /// Bounds of the whole difference.
    pub bounds: Bounds,
    /// Whether alpha is ignored.
    pub ignore_alpha: bool,
    /// The rectangles to compare, in pixels of the first picture; if empty, everything. Outside them, pixels do not
    /// count. With a region, pictures of different sizes are aligned at their upper left corners.
    pub regions: Vec<Region>,
    /// A picture of the first picture's size. Pixels count whose colours are at least half of white and whose alpha is
    /// at least half of opaque.
    pub mask: Option<Picture>,
    /// Position of the second picture's upper left pixel in the first. With it, only the part is compared that both
    /// cover.
    pub offset: Option<[i32; 2]>,
}
