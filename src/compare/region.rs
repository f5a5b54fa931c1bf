//! A rectangle of pixels.

use std::fmt;
use std::str::FromStr;

use super::parse_error::ParseError;

/// A rectangle of pixels, written `X,Y,WxH`.
///
/// ```
/// use pspge::compare::Region;
///
/// let region: Region = "8,16,480x272".parse()?;
/// assert_eq!(region, Region { x: 8, y: 16, width: 480, height: 272 });
/// assert_eq!(region.to_string(), "8,16,480x272");
/// # Ok::<(), pspge::compare::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(description = "A rectangle of pixels.")
)]
pub struct Region {
    /// Its left edge's column.
    pub x: u32,
    /// Its upper edge's row.
    pub y: u32,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl Region {
    /// Returns true if the pixel is inside.
    #[must_use]
    pub const fn contains(&self, x: u32, y: u32) -> bool {
        x >= self.x && y >= self.y && x - self.x < self.width && y - self.y < self.height
    }

    /// Returns true if it has pixels, and all of them are inside `outer`.
    #[must_use]
    pub fn is_inside(&self, outer: &Self) -> bool {
        let fits = |start: u32, side: u32, outer_start: u32, outer_side: u32| {
            side > 0
                && start >= outer_start
                && u64::from(start) + u64::from(side) <= u64::from(outer_start) + u64::from(outer_side)
        };
        fits(self.x, self.width, outer.x, outer.width) && fits(self.y, self.height, outer.y, outer.height)
    }

    /// Returns how many pixels it has.
    #[must_use]
    pub const fn pixel_count(&self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// Lists its pixels: rows from the top, pixels from the left.
    pub(super) fn pixels(self) -> impl Iterator<Item = (u32, u32)> {
        let columns = self.x..self.x.saturating_add(self.width);
        let rows = self.y..self.y.saturating_add(self.height);
        rows.flat_map(move |y| columns.clone().map(move |x| (x, y)))
    }

    /// Returns the smallest rectangle around the known one and this pixel.
    pub(super) fn grown_to(known: Option<Self>, x: u32, y: u32) -> Self {
        let Some(known) = known else { return Self { x, y, width: 1, height: 1 } };
        let side = |start: u32, side: u32, at: u32| {
            let end = start.saturating_add(side).max(at.saturating_add(1));
            (start.min(at), end - start.min(at))
        };
        let ((x, width), (y, height)) = (side(known.x, known.width, x), side(known.y, known.height, y));
        Self { x, y, width, height }
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}x{}", self.x, self.y, self.width, self.height)
    }
}

impl FromStr for Region {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let parse = || {
            let mut parts = text.splitn(3, ',').map(str::trim);
            let (x, y, size) = (parts.next()?, parts.next()?, parts.next()?);
            let (width, height) = size.split_once(['x', 'X'])?;
            let number = |text: &str| text.parse::<u32>().ok();
            let side = |text: &str| number(text).filter(|&side| side > 0);
            Some(Self { x: number(x)?, y: number(y)?, width: side(width)?, height: side(height)? })
        };
        parse().ok_or(ParseError { expected: "X,Y,WxH with a size of at least 1x1, such as 0,0,480x272" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_parse_or_say_the_form() {
        assert_eq!("1, 2,3X4".parse(), Ok(Region { x: 1, y: 2, width: 3, height: 4 }), "spaces and X");
        for wrong in ["", "1,2", "1,2,3", "1,2,0x4", "1,2,3x0", "-1,2,3x4", "1,2,3x4,5", "1,2,3x99999999999"]
        {
            assert!(wrong.parse::<Region>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_largest_regions_do_not_overflow() {
        let largest = Region { x: u32::MAX, y: u32::MAX, width: u32::MAX, height: u32::MAX };
        assert!(!largest.is_inside(&Region { x: 0, y: 0, ..largest }), "reaches outside");
        assert!(largest.contains(u32::MAX, u32::MAX), "its first pixel");
        assert!(!largest.contains(0, u32::MAX), "left of it");
    }

    #[test]
    fn grows_in_every_direction() {
        let region = [(5, 5), (3, 9), (8, 2)]
            .into_iter()
            .fold(None, |known, (x, y)| Some(Region::grown_to(known, x, y)));
        assert_eq!(region, Some(Region { x: 3, y: 2, width: 6, height: 8 }), "contains all three");
    }
}
