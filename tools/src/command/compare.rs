//! `pspge compare`: the difference of two pictures.

use std::path::PathBuf;

use image::{DynamicImage, Rgb, RgbImage, RgbaImage};
use serde::Serialize;

use crate::failure::Failure;
use crate::files;
use crate::output::{self, Output};

/// Compare two pictures
///
/// Prints the mean squared error over red, green and blue (0 to 65025), the number of pixels that differ, and
/// the largest difference of a channel. The exit status is 1 if a pixel differs or, with --max-mse, if the
/// error is larger.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// First picture
    #[arg(value_name = "A.png")]
    first: PathBuf,

    /// Second picture
    #[arg(value_name = "B.png")]
    second: PathBuf,

    /// Largest mean squared error that counts as equal
    #[arg(long, value_name = "MSE")]
    max_mse: Option<f64>,

    /// Write a picture of the differences, eight times amplified
    #[arg(short, long, value_name = "DIFF.png")]
    output: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The difference of two pictures.
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
        let sizes = format!("{}, not {}", size(&second), size(&first));
        return Err(Failure::file(args.second.display(), format_args!("the size is {sizes}")));
    }
    let difference = difference(&first, &second);
    if let Some(path) = &args.output {
        output::write_png(path, &DynamicImage::ImageRgb8(difference_image(&first, &second)))?;
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
                "first difference at {x},{y}: {:?} and {:?}",
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
    if equal { Ok(()) } else { Err(Failure::Different) }
}

fn load(path: &std::path::Path) -> Result<RgbaImage, Failure> {
    let bytes = files::read(path)?;
    let picture = image::load_from_memory(&bytes)
        .map_err(|error| Failure::file(path.display(), format_args!("at 0x0: {error}")))?;
    Ok(picture.into_rgba8())
}

/// Computes the difference. Alpha counts for the pixels that differ, but not for the error.
fn difference(first: &RgbaImage, second: &RgbaImage) -> Difference {
    let mut squares = 0_u64;
    let mut result = Difference {
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
            result.differing_pixels += 1;
            result.first.get_or_insert([x, y]);
            result.largest_difference = result.largest_difference.max(largest);
        }
    }
    let channels = u64::from(first.width()) * u64::from(first.height()) * 3;
    #[expect(clippy::cast_precision_loss, reason = "pictures are far smaller than 2^52")]
    let mse = squares as f64 / channels.max(1) as f64;
    Difference { mse, ..result }
}

/// Returns the absolute difference of each colour channel, times eight.
fn difference_image(first: &RgbaImage, second: &RgbaImage) -> RgbImage {
    RgbImage::from_fn(first.width(), first.height(), |x, y| {
        let (a, b) = (first.get_pixel(x, y).0, second.get_pixel(x, y).0);
        Rgb([0, 1, 2].map(|channel| a[channel].abs_diff(b[channel]).saturating_mul(8)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_pixels_and_squared_error() {
        let black = RgbaImage::from_pixel(2, 1, image::Rgba([0, 0, 0, 255]));
        let mut other = black.clone();
        other.put_pixel(1, 0, image::Rgba([3, 0, 6, 255]));
        let result = difference(&black, &other);
        assert_eq!((result.differing_pixels, result.largest_difference), (1, 6), "one pixel");
        assert!((result.mse - 45.0 / 6.0).abs() < 1e-12, "(9 + 36) / 6 channels");
        assert_eq!(result.first, Some([1, 0]), "position of the pixel that differs");
    }
}
