//! Draws pictures that show a difference.

use std::str::FromStr;

use super::encode;
use super::error::{CompareError, PictureError};
use super::histogram;
use super::options::CompareOptions;
use super::pair::Pair;
use super::parse_error::ParseError;
use super::picture::{Channels, Depth, Picture};

/// How to show a difference. The picture is as large as the part covered by both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum View {
    /// The amplified difference for each colour, black if equal. A difference in alpha is added to all three.
    Difference(Factor),
    /// The first picture, the amplified difference, and the second picture, from left to right: three times as wide.
    SideBySide(Factor),
    /// The first picture in dark grey. Pixels beyond the tolerance have a colour to tell how much they differ, from
    /// dark blue to white, with a colour for each histogram bin. Pixels that do not count are black.
    HeatMap,
}

/// How much to amplify a difference.
///
/// ```
/// use pspge::compare::Factor;
///
/// assert_eq!("16".parse(), Ok(Factor::Times(16)));
/// assert_eq!("auto".parse(), Ok(Factor::Automatic));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// By this factor for 8-bit pictures. For 16 bits the factor is 256 times as large, so that the smallest
    /// difference looks the same at both depths.
    Times(u32),
    /// Enough to make the largest difference white.
    Automatic,
}

impl Default for Factor {
    fn default() -> Self {
        Self::Times(8)
    }
}

impl FromStr for Factor {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text == "auto" {
            return Ok(Self::Automatic);
        }
        let factor = text.parse().ok().filter(|&factor| factor > 0).map(Self::Times);
        factor.ok_or(ParseError { expected: "a factor of at least 1, such as 8, or auto" })
    }
}

/// Draws the difference, at the deeper picture's depth.
///
/// # Errors
/// As [`pictures`](super::pictures) about sizes, regions and masks.
pub fn view(
    first: &Picture,
    second: &Picture,
    options: &CompareOptions,
    view: View,
) -> Result<Picture, CompareError> {
    let pair = Pair::new(first, second, options)?;
    match view {
        View::Difference(factor) => {
            let scale = Scale::new(&pair, factor);
            Ok(draw(&pair, Channels::Rgb, 1, |_, x, y| scale.shown(&pair, x, y))?)
        }
        View::SideBySide(factor) => {
            let scale = Scale::new(&pair, factor);
            let draw_panel = |panel, x, y| match panel {
                0 => pair.pixel(x, y)[0],
                1 => scale.shown(&pair, x, y),
                _ => pair.pixel(x, y)[1],
            };
            Ok(draw(&pair, Channels::new(true, pair.channels.has_alpha()), 3, draw_panel)?)
        }
        View::HeatMap => {
            let tolerance = options.tolerance.unwrap_or_default().0;
            Ok(draw(&pair, Channels::Rgb, 1, |_, x, y| heat(&pair, tolerance, x, y))?)
        }
    }
}

/// Returns an animated PNG to alternate between both pictures, each shown for `milliseconds`.
///
/// # Errors
/// As [`view`], and [`CompareError::Encoding`] if the encoder refuses.
pub fn flip(
    first: &Picture,
    second: &Picture,
    options: &CompareOptions,
    milliseconds: u16,
) -> Result<Vec<u8>, CompareError> {
    let pair = Pair::new(first, second, options)?;
    let side = |side: usize| draw(&pair, pair.channels, 1, |_, x, y| pair.pixel(x, y)[side]);
    encode::to_apng(&[side(0)?, side(1)?], milliseconds)
}

/// Draws the common part once for each panel, from left to right.
fn draw(
    pair: &Pair<'_>,
    channels: Channels,
    panels: u32,
    color: impl Fn(u32, u32, u32) -> [u16; 4],
) -> Result<Picture, PictureError> {
    let common = pair.counted.common;
    let mut samples = Vec::new();
    for y in common.y..common.y + common.height {
        for panel in 0..panels {
            for x in common.x..common.x + common.width {
                let color = color(panel, x, y);
                samples.extend(channels.indices().iter().map(|&channel| color[channel]));
            }
        }
    }
    Picture::new([common.width * panels, common.height], channels, pair.depth, samples)
}

/// An amplification, as a fraction to stay exact.
struct Scale {
    numerator: u32,
    denominator: u32,
}

impl Scale {
    fn new(pair: &Pair<'_>, factor: Factor) -> Self {
        match (factor, pair.depth) {
            (Factor::Times(factor), Depth::Eight) => Self { numerator: factor, denominator: 1 },
            (Factor::Times(factor), Depth::Sixteen) => {
                Self { numerator: factor.saturating_mul(256), denominator: 1 }
            }
            (Factor::Automatic, depth) => {
                let largest = pair.counted_pixels().map(|(x, y)| combined(pair, x, y).into_iter().max());
                let largest = largest.max().flatten().unwrap_or(0).max(1);
                Self { numerator: depth.max_value().into(), denominator: largest }
            }
        }
    }

    /// Returns the amplified difference at a pixel, opaque.
    fn shown(&self, pair: &Pair<'_>, x: u32, y: u32) -> [u16; 4] {
        let most = pair.depth.max_value();
        let shown = |difference: u32| {
            let shown = u64::from(difference) * u64::from(self.numerator) / u64::from(self.denominator);
            u16::try_from(shown).unwrap_or(u16::MAX).min(most)
        };
        let [red, green, blue] = combined(pair, x, y);
        [shown(red), shown(green), shown(blue), most]
    }
}

/// Adds the difference in alpha to those in red, green and blue, because this picture has no alpha to show it.
fn combined(pair: &Pair<'_>, x: u32, y: u32) -> [u32; 3] {
    let [red, green, blue, alpha] = pair.difference(x, y).map(u32::from);
    if pair.channels.has_color() { [red + alpha, green + alpha, blue + alpha] } else { [red + alpha; 3] }
}

/// Colours for small to large differences.
const HEAT: [[u8; 3]; 5] = [[32, 32, 160], [160, 32, 160], [224, 64, 32], [255, 176, 0], [255, 255, 255]];

fn heat(pair: &Pair<'_>, tolerance: [u16; 4], x: u32, y: u32) -> [u16; 4] {
    let opaque = pair.depth.max_value();
    let step = Depth::Eight.factor_to(pair.depth);
    let difference = pair.difference(x, y);
    if difference.iter().zip(tolerance).any(|(&difference, tolerance)| difference > tolerance) {
        let bin = histogram::bin(difference.into_iter().max().unwrap_or(0)).saturating_sub(1);
        let last = histogram::bin_count(pair.depth) - 2;
        let [red, green, blue] = heat_color(bin.min(last), last);
        return [u16::from(red) * step, u16::from(green) * step, u16::from(blue) * step, opaque];
    }
    if !pair.counted.contains(x, y) {
        return [0, 0, 0, opaque];
    }
    let [red, green, blue, _] = pair.pixel(x, y)[0].map(u32::from);
    // This is the luma in BT.601, divided by 3 to keep the picture darker than the differences.
    let grey = (299 * red + 587 * green + 114 * blue) / 3000;
    let grey = u16::try_from(grey).unwrap_or(opaque);
    [grey, grey, grey, opaque]
}

/// Interpolates the colour for `bin` out of `last` from [`HEAT`].
fn heat_color(bin: usize, last: usize) -> [u8; 3] {
    let (segments, last) = (HEAT.len() - 1, last.max(1));
    let (segment, rest) = (bin * segments / last, bin * segments % last);
    let from = HEAT[segment.min(segments)];
    let to = HEAT[(segment + 1).min(segments)];
    [0, 1, 2].map(|channel| {
        let mixed = usize::from(from[channel]) * (last - rest) + usize::from(to[channel]) * rest;
        u8::try_from(mixed / last).unwrap_or(u8::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::super::read::read;
    use super::*;

    fn grey(depth: Depth, samples: &[u16]) -> Picture {
        let width = u32::try_from(samples.len()).expect("few samples");
        Picture::new([width, 1], Channels::Grey, depth, samples.to_vec()).expect("a picture")
    }

    fn show(first: &Picture, second: &Picture, what: View) -> Picture {
        view(first, second, &CompareOptions::default(), what).expect("comparable")
    }

    #[test]
    fn differences_are_amplified_and_saturate() {
        let (first, second) = (grey(Depth::Eight, &[10, 10, 10]), grey(Depth::Eight, &[10, 13, 110]));
        let shown = show(&first, &second, View::Difference(Factor::Times(8)));
        assert_eq!(shown.samples(), [0, 0, 0, 24, 24, 24, 255, 255, 255], "3 * 8, and more than white");
        let shown = show(&first, &second, View::Difference(Factor::Automatic));
        assert_eq!(shown.samples()[3..], [7, 7, 7, 255, 255, 255], "100 becomes white");
        let deep = show(
            &grey(Depth::Sixteen, &[1]),
            &grey(Depth::Sixteen, &[2]),
            View::Difference(Factor::default()),
        );
        assert_eq!((deep.depth(), deep.samples()), (Depth::Sixteen, [2048; 3].as_slice()), "8 * 256");
    }

    #[test]
    fn equal_pictures_stay_black_at_every_factor() {
        let picture = grey(Depth::Eight, &[1, 2, 3]);
        for factor in [Factor::Automatic, Factor::Times(u32::MAX)] {
            let shown = show(&picture, &picture, View::Difference(factor));
            assert!(shown.samples().iter().all(|&sample| sample == 0), "{factor:?}");
        }
    }

    #[test]
    fn a_difference_of_alpha_alone_is_visible() {
        let alpha = |alpha| {
            Picture::new([1, 1], Channels::Rgba, Depth::Eight, vec![5, 6, 7, alpha]).expect("a picture")
        };
        let shown = show(&alpha(255), &alpha(251), View::Difference(Factor::default()));
        assert_eq!(shown.samples(), [32, 32, 32], "4 * 8 in all colours");
    }

    #[test]
    fn three_panels_are_next_to_each_other() {
        let (first, second) = (grey(Depth::Eight, &[10, 20]), grey(Depth::Eight, &[10, 21]));
        let shown = show(&first, &second, View::SideBySide(Factor::Times(8)));
        assert_eq!(shown.size(), [6, 1], "three times as wide");
        let greys: Vec<u16> = shown.samples().iter().copied().step_by(3).collect();
        assert_eq!(greys, [10, 20, 0, 8, 10, 21], "first, difference, second");
    }

    #[test]
    fn each_bin_has_a_heat_color() {
        let first = grey(Depth::Eight, &[0; 10]);
        let second = grey(Depth::Eight, &[0, 1, 2, 3, 5, 9, 17, 33, 65, 129]);
        let shown = show(&first, &second, View::HeatMap);
        let colors: Vec<&[u16]> = shown.samples().chunks(3).collect();
        assert_eq!(colors[0], [0, 0, 0], "equal: the first picture, darker");
        assert_eq!(
            (colors[1], colors[9]),
            ([32, 32, 160].as_slice(), [255; 3].as_slice()),
            "smallest and largest"
        );
        assert!(colors[1..].windows(2).all(|pair| pair[0] != pair[1]), "all are different");
    }

    #[test]
    fn heat_respects_tolerance_and_mask() {
        let (first, second) = (grey(Depth::Eight, &[90, 90, 90]), grey(Depth::Eight, &[92, 99, 99]));
        let options = CompareOptions {
            tolerance: Some("2".parse().expect("a tolerance")),
            mask: Some(grey(Depth::Eight, &[255, 255, 0])),
            ..CompareOptions::default()
        };
        let shown = view(&first, &second, &options, View::HeatMap).expect("comparable");
        assert_eq!(shown.samples()[..3], [30; 3], "within the tolerance: dark grey");
        assert_ne!(shown.samples()[3..6], [30; 3], "beyond it");
        assert_eq!(shown.samples()[6..], [0; 3], "does not count");
    }

    #[test]
    fn flip_alternates_both_pictures_of_the_common_part() {
        let (first, second) = (grey(Depth::Eight, &[1, 2, 3]), grey(Depth::Sixteen, &[2 * 257, 9]));
        let options = CompareOptions { offset: Some([1, 0]), ..CompareOptions::default() };
        let bytes = flip(&first, &second, &options, 250).expect("encodes");
        let file = read("flip.png", &bytes).expect("decodes");
        assert_eq!(file.picture.samples(), [2 * 257, 3 * 257], "the first picture at 16 bits");
        let mut reader =
            png::Decoder::new(std::io::Cursor::new(bytes.as_slice())).read_info().expect("a header");
        let mut frame = vec![0; reader.output_buffer_size().expect("small")];
        reader.next_frame(&mut frame).expect("the first");
        reader.next_frame(&mut frame).expect("the second");
        assert_eq!(frame, [2, 2, 0, 9], "the second picture");
        let control = reader.info().frame_control.expect("animated");
        assert_eq!((control.delay_num, control.delay_den), (250, 1000), "a quarter of a second");
    }

    #[test]
    fn factors_parse() {
        for wrong in ["", "0", "-1", "1.5", "Auto"] {
            assert!(wrong.parse::<Factor>().is_err(), "{wrong}");
        }
    }
}
