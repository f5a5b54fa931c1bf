//! Bounds up to which two pictures count as equal.

use std::fmt;
use std::str::FromStr;

use super::parse_error::ParseError;

/// The largest difference that counts as equal.
///
/// Every bound given has to hold. Without any, and whenever a tolerance is given, no pixel may be beyond the
/// tolerance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The largest mean squared error for colours, and for alpha if it counts. In squared steps of the deeper
    /// picture.
    pub max_mse: Option<f64>,
    /// The smallest peak signal-to-noise ratio for colours, and for alpha if it counts, in decibels.
    pub min_psnr: Option<f64>,
    /// The smallest structural similarity for colours, and for alpha if it counts: -1 to 1.
    pub min_ssim: Option<f64>,
    /// How many pixels may be beyond the tolerance.
    pub max_pixels: Option<PixelBound>,
}

/// How many pixels this is, written `N`, or which share of the compared pixels, written `P%`.
///
/// ```
/// use pspge::compare::PixelBound;
///
/// assert_eq!("12".parse(), Ok(PixelBound::Count(12)));
/// assert_eq!("0.5%".parse(), Ok(PixelBound::Percent(0.5)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PixelBound {
    /// This many pixels.
    Count(u64),
    /// This percentage of the compared pixels, 0 to 100.
    Percent(f64),
}

impl PixelBound {
    /// Returns how many pixels this allows if `counted` are compared. A share is rounded down.
    #[must_use]
    pub fn of(self, counted: u64) -> u64 {
        match self {
            Self::Count(count) => count,
            #[expect(clippy::cast_precision_loss, reason = "pictures have far fewer than 2^52 pixels")]
            #[expect(clippy::cast_possible_truncation, reason = "the float is not larger than `counted`")]
            #[expect(clippy::cast_sign_loss, reason = "the percentage is not negative")]
            Self::Percent(percent) => (percent.clamp(0.0, 100.0) / 100.0 * counted as f64).floor() as u64,
        }
    }
}

impl FromStr for PixelBound {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let bound = match text.strip_suffix('%') {
            Some(percent) => {
                let percent = percent.trim_end().parse().ok();
                percent.filter(|percent| (0.0..=100.0).contains(percent)).map(Self::Percent)
            }
            None => text.parse().ok().map(Self::Count),
        };
        bound.ok_or(ParseError {
            expected: "a number of pixels or a percentage from 0 to 100, such as 12 or 0.5%",
        })
    }
}

impl fmt::Display for PixelBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => count.fmt(f),
            Self::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

/// A bound that does not hold.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Exceeded {
    /// Which figure is bounded.
    pub bound: BoundedFigure,
    /// The figure for these pictures: for colours or for alpha, whichever is worse.
    pub found: f64,
    /// The largest figure allowed, or the smallest for `psnr` and `ssim`.
    pub allowed: f64,
}

/// The figures that can be bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum BoundedFigure {
    /// How many pixels are beyond the tolerance.
    Pixels,
    /// The mean squared error.
    Mse,
    /// The peak signal-to-noise ratio in decibels.
    Psnr,
    /// The structural similarity.
    Ssim,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bound, found, allowed } = self;
        match bound {
            BoundedFigure::Pixels => {
                let pixels = if *found == 1.0 { "pixel is" } else { "pixels are" };
                write!(f, "{found} {pixels} beyond the tolerance, {allowed} allowed")
            }
            BoundedFigure::Mse => write!(f, "the MSE {found} is larger than {allowed}"),
            BoundedFigure::Psnr => write!(f, "the PSNR {found} dB is smaller than {allowed} dB"),
            BoundedFigure::Ssim => write!(f, "the SSIM {found} is smaller than {allowed}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_round_down() {
        assert_eq!(PixelBound::Percent(0.5).of(999), 4, "half a percent of 999 is 4.995");
        assert_eq!(PixelBound::Percent(100.0).of(7), 7, "all");
        assert_eq!(PixelBound::Count(12).of(7), 12, "a number is the same for every size");
    }

    #[test]
    fn other_texts_say_the_form() {
        for wrong in ["", "%", "-1", "1.5", "101%", "-1%", "NaN%", "many"] {
            let error = wrong.parse::<PixelBound>().expect_err(wrong);
            assert!(error.to_string().starts_with("expected a number of pixels"), "{error}");
        }
    }
}
