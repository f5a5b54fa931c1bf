//! `pspge compare`: how much two pictures differ.

use std::path::PathBuf;

use image::{DynamicImage, Rgb, RgbImage, RgbaImage};
use serde::Serialize;

use crate::failure::Failure;
use crate::files;
use crate::output::{self, Output};

/// Compare two pictures
///
/// Prints the mean squared error over red, green and blue (0 to 65025), how many pixels differ, and the largest
/// difference of a channel. Exit status 1 where they differ, or where the error exceeds --max-mse.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// First picture
    #[arg(value_name = "A.png")]
    first: PathBuf,

    /// Second picture
    #[arg(value_name = "B.png")]
    second: PathBuf,

    /// Largest mean squared error that still counts as equal
    #[arg(long, value_name = "X")]
    max_mse: Option<f64>,

    /// Write the difference of every channel, eightfold, as a picture
    #[arg(short, long, value_name = "DIFF.png")]
    output: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How two pictures differ.
#[derive(Debug, Serialize, PartialEq)]
struct Difference {
    width: u32,
    height: u32,
    mse: f64,
    differing_pixels: u64,
    largest_difference: u8,
    /// Column and row of the first pixel that differs.
    first: Option<[u32; 2]>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let first = load(&args.first)?;
    let second = load(&args.second)?;
    if first.dimensions() != second.dimensions() {
        let size = |picture: &RgbaImage| format!("{}x{}", picture.width(), picture.height());
        let sizes = format!("{} against {}", size(&first), size(&second));
        return Err(Failure::file(args.second.display(), format_args!("the sizes differ: {sizes}")));
    }
    let difference = difference(&first, &second);
    if let Some(path) = &args.output {
        output::write_png(path, &DynamicImage::ImageRgb8(picture(&first, &second)))?;
    }
    let mut out = Output::new();
    if args.json {
        out.json(&difference, true)?;
    } else {
        let Difference { mse, differing_pixels, largest_difference, .. } = difference;
        out.line(format_args!(
            "mse {mse:.6}, {differing_pixels} differing pixels, largest difference {largest_difference}"
        ))?;
        if let Some([x, y]) = difference.first {
            out.line(format_args!(
                "first at {x},{y}: {:?} against {:?}",
                first.get_pixel(x, y).0,
                second.get_pixel(x, y).0
            ))?;
        }
    }
    out.finish()?;
    let equal = match args.max_mse {
        Some(bound) => difference.mse <= bound,
        None => difference.differing_pixels == 0,
    };
    if equal { Ok(()) } else { Err(Failure::Check) }
}

fn load(path: &std::path::Path) -> Result<RgbaImage, Failure> {
    let bytes = files::read(path)?;
    let picture = image::load_from_memory(&bytes)
        .map_err(|error| Failure::file(path.display(), format_args!("at 0x0: {error}")))?;
    Ok(picture.into_rgba8())
}

/// Alpha counts for equality, not for the error.
fn difference(first: &RgbaImage, second: &RgbaImage) -> Difference {
    let mut squares = 0_u64;
    let mut found = Difference {
        width: first.width(),
        height: first.height(),
        mse: 0.0,
        differing_pixels: 0,
        largest_difference: 0,
        first: None,
    };
    for ((x, y, a), b) in first.enumerate_pixels().zip(second.pixels()) {
        for (a, b) in a.0.iter().zip(b.0).take(3) {
            squares += u64::from(a.abs_diff(b)).pow(2);
        }
        let largest = a.0.iter().zip(b.0).map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0);
        if largest > 0 {
            found.differing_pixels += 1;
            found.first.get_or_insert([x, y]);
            found.largest_difference = found.largest_difference.max(largest);
        }
    }
    let channels = u64::from(first.width()) * u64::from(first.height()) * 3;
    #[expect(clippy::cast_precision_loss, reason = "pictures are far smaller than 2^52")]
    let mse = squares as f64 / channels.max(1) as f64;
    Difference { mse, ..found }
}

fn picture(first: &RgbaImage, second: &RgbaImage) -> RgbImage {
    RgbImage::from_fn(first.width(), first.height(), |x, y| {
        let (a, b) = (first.get_pixel(x, y).0, second.get_pixel(x, y).0);
        Rgb([0, 1, 2].map(|channel| a[channel].abs_diff(b[channel]).saturating_mul(8)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_error() {
        let black = RgbaImage::from_pixel(2, 1, image::Rgba([0, 0, 0, 255]));
        let mut other = black.clone();
        other.put_pixel(1, 0, image::Rgba([3, 0, 6, 255]));
        let found = difference(&black, &other);
        assert_eq!((found.differing_pixels, found.largest_difference), (1, 6), "one pixel");
        assert!((found.mse - 45.0 / 6.0).abs() < 1e-12, "nine and thirty-six over six channels");
        assert_eq!(found.first, Some([1, 0]), "where");
    }
}
