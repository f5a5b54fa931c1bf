//! Compares drawn bytes and pictures with expected ones. To stay readable in a diff, expected pictures are stored as
//! pixel runs.
//!
//! A line in an expectation is `y x RRGGBB*count RRGGBB*count …`: consecutive runs from column x on. Pixels outside
//! the runs have the background colour. Empty lines and lines beginning with `;` are skipped.
//!
//! # Invariants
//! A [`Picture`] has exactly as many pixels as its region. Runs outside the region are errors.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use image::{Rgb, RgbImage};

use crate::observe::RunState;

/// Finds the place of the first differing byte. To be quick, it compares whole slices first, because looking at each
/// byte takes most of the time in a test without optimisation.
#[must_use]
pub fn first_difference(expected: &[u8], found: &[u8]) -> Option<usize> {
    if expected == found {
        return None;
    }
    let common = expected.iter().zip(found).position(|(a, b)| a != b);
    Some(common.unwrap_or(expected.len().min(found.len())))
}

/// How many bytes [`differences`] compares at once.
const PIECE: usize = 0x400;

/// Finds the places of all differing bytes. It skips equal pieces as a whole, for the same reason.
pub fn differences(before: &[u8], after: &[u8]) -> impl Iterator<Item = usize> {
    let pieces = (0..).step_by(PIECE).zip(before.chunks(PIECE).zip(after.chunks(PIECE)));
    pieces.filter(|(_, (before, after))| before != after).flat_map(|(start, (before, after))| {
        let bytes = (start..).zip(before.iter().zip(after));
        bytes.filter(|(_, (before, after))| before != after).map(|(at, _)| at)
    })
}

/// The longest side for a region, in pixels.
const MAX_SIDE: u32 = 1024;

/// A rectangle to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// First column.
    pub left: u32,
    /// First row.
    pub top: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Region {
    /// Builds a region from left, top, width and height.
    ///
    /// # Errors
    /// If the region is empty or larger than any framebuffer.
    pub fn new([left, top, width, height]: [u32; 4]) -> Result<Self> {
        ensure!(width > 0 && height > 0, "the region is empty");
        ensure!(
            left + width <= MAX_SIDE && top + height <= MAX_SIDE,
            "the region is larger than a framebuffer"
        );
        Ok(Self { left, top, width, height })
    }
}

/// The pixels in a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The pixels' region in the framebuffer.
    pub region: Region,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Reads an expectation.
    ///
    /// # Errors
    /// If a line does not have this module's form, or if a run leaves the region.
    pub fn parse(text: &str, region: Region, background: &str) -> Result<Self> {
        let pixels = vec![color(background)?; (region.width * region.height) as usize];
        let mut picture = Self { region, pixels };
        for (index, line) in text.lines().enumerate() {
            if !line.trim().is_empty() && !line.starts_with(';') {
                picture.parse_line(line).with_context(|| format!("line {}", index + 1))?;
            }
        }
        Ok(picture)
    }

    fn parse_line(&mut self, line: &str) -> Result<()> {
        let mut words = line.split_whitespace();
        let mut number =
            || -> Result<u32> { Ok(words.next().ok_or_else(|| anyhow!("y and x are missing"))?.parse()?) };
        let y = number()?;
        let mut x = number()?;
        for run in words {
            let (pixel, count) = run.split_once('*').unwrap_or((run, "1"));
            let pixel = color(pixel)?;
            for _ in 0..count.parse::<u32>()? {
                *self.at(x, y).ok_or_else(|| anyhow!("{x}, {y} is outside the region"))? = pixel;
                x += 1;
            }
        }
        Ok(())
    }

    fn at(&mut self, x: u32, y: u32) -> Option<&mut [u8; 3]> {
        let Region { left, top, width, height } = self.region;
        let column = x.checked_sub(left).filter(|column| *column < width)?;
        let row = y.checked_sub(top).filter(|row| *row < height)?;
        self.pixels.get_mut((row * width + column) as usize)
    }

    /// Reads the drawn picture for the same region, to compare it with this expectation.
    #[must_use]
    pub fn drawn(&self, state: &RunState<'_>) -> Self {
        let Region { left, top, width, height } = self.region;
        let pixels = (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
        Self { region: self.region, pixels: pixels.map(|(x, y)| state.rgb(x, y)).collect() }
    }

    /// Counts the pixels.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pixels.len()
    }

    /// Returns whether the picture has no pixels.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pixels.is_empty()
    }

    /// Compares with a drawn picture for the same region, and lists each differing pixel; `self` is the expectation.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let width = self.region.width as usize;
        let pairs =
            self.pixels.iter().zip(&other.pixels).enumerate().filter(|(_, (ours, theirs))| ours != theirs);
        pairs
            .map(|(index, (ours, theirs))| Difference {
                x: self.region.left as usize + index % width,
                y: self.region.top as usize + index / width,
                expected: *ours,
                drawn: *theirs,
            })
            .collect()
    }

    fn image(&self) -> RgbImage {
        RgbImage::from_fn(self.region.width, self.region.height, |x, y| {
            Rgb(self.pixels.get((y * self.region.width + x) as usize).copied().unwrap_or_default())
        })
    }

    /// Writes the picture as a PNG.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        self.image().save(path).with_context(|| path.display().to_string())
    }

    /// Writes a PNG to show people where pictures differ: equal pixels are dimmed, and differing pixels are red.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save_difference(&self, drawn: &Self, path: &Path) -> Result<()> {
        let mut image = self.image();
        for pixel in image.pixels_mut() {
            pixel.0 = pixel.0.map(|channel| channel / 4);
        }
        for difference in self.differences(drawn) {
            let at = |position: usize, start: u32| u32::try_from(position).unwrap_or(0).saturating_sub(start);
            image.put_pixel(
                at(difference.x, self.region.left),
                at(difference.y, self.region.top),
                Rgb([255, 0, 0]),
            );
        }
        image.save(path).with_context(|| path.display().to_string())
    }
}

/// A pixel drawn in another colour than expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Column in the framebuffer.
    pub x: usize,
    /// Row in the framebuffer.
    pub y: usize,
    /// Expected colour.
    pub expected: [u8; 3],
    /// Drawn colour.
    pub drawn: [u8; 3],
}

/// Formats the first few differences as text, for the message of a failed test.
#[must_use]
pub fn describe(differences: &[Difference], shown: usize) -> String {
    let mut out = String::new();
    for Difference { x, y, expected, drawn } in differences.iter().take(shown) {
        let [er, eg, eb] = expected;
        let [dr, dg, db] = drawn;
        let _ =
            writeln!(out, "  {x}, {y}: expected {er:02x}{eg:02x}{eb:02x}, drawn {dr:02x}{dg:02x}{db:02x}");
    }
    out
}

fn color(text: &str) -> Result<[u8; 3]> {
    ensure!(text.len() == 6, "`{text}` is not a colour RRGGBB");
    let [_, red, green, blue] = u32::from_str_radix(text, 16)
        .with_context(|| format!("`{text}` is not a colour RRGGBB"))?
        .to_be_bytes();
    Ok([red, green, blue])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_runs_and_finds_differences() {
        let region = Region::new([10, 20, 4, 2]).expect("a region");
        let one = Picture::parse("20 11 ff0000*2 00ff00\n", region, "000000").expect("a picture");
        let other = Picture::parse("20 11 ff0000*3\n", region, "000000").expect("a picture");
        let found = one.differences(&other);
        assert_eq!(found.len(), 1, "one pixel differs");
        assert_eq!((found[0].x, found[0].y), (13, 20), "its position");
        assert_eq!(found[0].expected, [0, 255, 0], "expected");
        assert!(
            Picture::parse("20 13 ff0000*2\n", region, "000000").is_err(),
            "a run that leaves the region"
        );
        assert!(Picture::parse("20 13 ff00*2\n", region, "000000").is_err(), "an invalid colour");
    }
}
