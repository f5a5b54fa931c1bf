//! Writes a comparison's result as text.

use std::fmt;

use pspge::compare::{BoundedFigure, Channels, Difference, Exceeded, Picture, PixelDifference};

use super::side::Opening;
use super::summary::Comparison;

/// How wide the label column is.
const LABEL: usize = 9;

fn labelled(label: &str, text: impl fmt::Display) -> String {
    format!("{label:LABEL$} {text}")
}

/// Writes a pair's figures in aligned lines.
pub(super) fn figures(comparison: &Comparison<'_>, has_tolerance: bool) -> Vec<String> {
    let difference = &comparison.difference;
    let mut lines = Vec::new();
    for (label, (opening, picture)) in ["A", "B"].iter().zip(comparison.sides) {
        lines.push(labelled(label, picture_text(opening, picture)));
    }
    let counted = difference.counted_pixels;
    let compared = format!("{} of {}, {} bits", pixels(counted), difference.common, difference.bits);
    lines.push(labelled("compared", compared));
    if let (Some(area), Some(first), Some(largest)) =
        (difference.bounding_box, &difference.first, &difference.largest)
    {
        let share = share(difference.differing_pixels, counted);
        lines
            .push(labelled("differ", format!("{} ({share}) in {area}", pixels(difference.differing_pixels))));
        if has_tolerance {
            let beyond = pixels(difference.pixels_beyond_tolerance);
            lines.push(labelled("", format!("{beyond} beyond the tolerance")));
        }
        lines.push(labelled("first", pixel_text(first)));
        lines.push(labelled("largest", pixel_text(largest)));
        lines.push(labelled("steps", histogram_text(difference)));
    }
    if !difference.is_identical() {
        lines.extend(table(difference));
    }
    lines
}

/// Writes whether the pair is equal, and why not, to stand below the figures.
pub(super) fn result(comparison: &Comparison<'_>, has_tolerance: bool) -> String {
    let difference = &comparison.difference;
    let reason = |exceeded: &Exceeded| {
        let found = difference.differing_pixels;
        if exceeded.bound == BoundedFigure::Pixels && exceeded.allowed == 0.0 && !has_tolerance {
            format!("{} {}", pixels(found), if found == 1 { "differs" } else { "differ" })
        } else {
            exceeded.to_string()
        }
    };
    let exceeded: Vec<String> = difference.exceeded.iter().map(reason).collect();
    let reasons = if exceeded.is_empty() { String::new() } else { format!(": {}", exceeded.join("; ")) };
    labelled("result", format_args!("{}{reasons}", comparison.verdict.text()))
}

/// Sums up a pair in a line, for folders.
pub(super) fn line(name: &str, width: usize, comparison: &Comparison<'_>) -> String {
    let (difference, result) = (&comparison.difference, comparison.verdict.text());
    if difference.is_identical() {
        return format!("{name:width$}  {result}");
    }
    let figures = [
        format!("mse {}", decimals(difference.mse)),
        format!("psnr {}", psnr(difference.psnr)),
        format!("ssim {}", ssim(difference.ssim)),
        format!("largest {}", difference.largest_difference),
        format!("pixels {}", difference.differing_pixels),
    ];
    format!("{name:width$}  {result}  {}", figures.join("  "))
}

/// Makes a line for an input found only on one side.
pub(super) fn missing(name: &str, width: usize, side: &str) -> String {
    format!("{name:width$}  {side}")
}

fn pixels(count: u64) -> String {
    if count == 1 { "1 pixel".to_owned() } else { format!("{count} pixels") }
}

fn picture_text(opening: &Opening, picture: &Picture) -> String {
    let (Opening { name, format, .. }, [width, height]) = (opening, picture.size());
    let channels = match picture.channels() {
        Channels::Grey => "grey",
        Channels::GreyAlpha => "grey and alpha",
        Channels::Rgb => "RGB",
        Channels::Rgba => "RGBA",
    };
    let drawn = if opening.asset().is_some() { ", drawn" } else { "" };
    format!("{name}: {format}{drawn}, {width}x{height}, {channels}, {} bits", picture.depth().bits())
}

fn pixel_text(pixel: &PixelDifference) -> String {
    let values = |values: &[u16]| values.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
    let PixelDifference { x, y, first, second, difference, .. } = pixel;
    let steps = if *difference == 1 { "step" } else { "steps" };
    format!("at {x},{y}: {} and {}, {difference} {steps} apart", values(first), values(second))
}

/// Lists the histogram's bins, except for empty bins.
fn histogram_text(difference: &Difference) -> String {
    let bins = difference.histogram.iter().filter(|bin| bin.pixels > 0);
    let text = bins.map(|bin| match (bin.from, bin.to) {
        (from, to) if from == to => format!("{from}: {}", bin.pixels),
        (from, to) => format!("{from}-{to}: {}", bin.pixels),
    });
    text.collect::<Vec<_>>().join(", ")
}

/// Makes a table: a row for each channel, and for colours together.
fn table(difference: &Difference) -> Vec<String> {
    let mut rows =
        vec![["", "MSE", "PSNR dB", "SSIM", "mean", "signed", "largest", "pixels"].map(str::to_owned)];
    for channel in &difference.by_channel {
        rows.push([
            channel.channel.to_string(),
            decimals(channel.mse),
            psnr(channel.psnr),
            ssim(channel.ssim),
            decimals(channel.mean),
            decimals(channel.mean_signed),
            channel.largest_difference.to_string(),
            channel.differing_pixels.to_string(),
        ]);
    }
    let all = ["colours".to_owned(), decimals(difference.mse), psnr(difference.psnr), ssim(difference.ssim)];
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).chain(all.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..8).map(width).collect();
    let format_row = |row: &[String]| {
        let mut cells = row.iter().zip(&widths);
        let label = cells.next().map(|(label, _)| format!("{label:LABEL$}")).unwrap_or_default();
        cells.fold(label, |line, (cell, &width)| format!("{line} {cell:>width$} ")).trim_end().to_owned()
    };
    let has_several_colors = difference.channels.has_color();
    let mut lines: Vec<String> = rows.iter().map(|row| format_row(row)).collect();
    if has_several_colors {
        lines.push(format_row(&all));
    }
    lines
}

/// Shows six decimals, or the scientific form for small numbers that would read as 0.
fn decimals(number: f64) -> String {
    match number {
        0.0 => "0".to_owned(),
        _ if number.abs() < 1e-6 => format!("{number:e}"),
        _ => format!("{number:.6}"),
    }
}

fn psnr(decibels: Option<f64>) -> String {
    decibels.map_or_else(|| "identical".to_owned(), |decibels| format!("{decibels:.4}"))
}

fn ssim(similarity: Option<f64>) -> String {
    similarity.map_or_else(|| "-".to_owned(), |similarity| similarity.to_string())
}

/// Shows a share in percent. This is never 0 if `part` is not.
#[expect(clippy::cast_precision_loss, reason = "pictures have far fewer than 2^52 pixels")]
fn share(part: u64, whole: u64) -> String {
    let percent = part as f64 * 100.0 / whole.max(1) as f64;
    if part > 0 && percent < 0.01 { "less than 0.01%".to_owned() } else { format!("{percent:.2}%") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_not_shown_as_zero() {
        assert_eq!([0.0, 2e-9, -0.25, 1234.5].map(decimals), ["0", "2e-9", "-0.250000", "1234.500000"]);
        assert_eq!(
            [(0, 5), (1, 1_000_000), (1, 3)].map(|(part, whole)| share(part, whole)),
            ["0.00%", "less than 0.01%", "33.33%"]
        );
    }

    #[test]
    fn infinite_ratios_are_words() {
        assert_eq!((psnr(None), psnr(Some(40.0))), ("identical".to_owned(), "40.0000".to_owned()));
        assert_eq!((ssim(None), ssim(Some(1.0))), ("-".to_owned(), "1".to_owned()), "not computed, and 1");
    }
}
