//! `pspge compare`: compares two pictures, or all pictures in two folders.

use std::path::{Path, PathBuf};

use pspge::compare::{Bounds, CompareOptions, PixelBound, Region, Tolerance};

use self::job::Compare;
use self::output::PictureArgs;
use self::pairs::Pairs;
use self::rendering::RenderingArgs;
use crate::batch;
use crate::batch::arguments::{BatchArgs, Destination, Shard};
use crate::batch::inputs::Inputs;
use crate::camera;
use crate::input::files;
use crate::input::options::finite;
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;

mod job;
mod output;
mod pairs;
mod rendering;
mod side;
mod summary;
mod text;

/// Groups options to bound the difference, in the help.
const BOUNDS: &str = "Bounds";
/// Groups options to select pixels.
const PIXELS: &str = "Pixels to compare";
/// Groups options for folders.
const BATCH: &str = "Batch options";

/// Compare two pictures, or all pictures of two folders
///
/// A and B are pictures (PNG, BMP, JPEG, PNM, QOI, TGA or WebP), or models, frame dumps and display lists, drawn as
/// by `pspge render`, at the size of the picture on the other side. In two folders, files with the same name are
/// compared; x.ppdmp also belongs to x.ppdmp.png and to x.png.
///
/// Samples are compared as stored, at the depth of the deeper picture: 8 bits widen to 16 by the factor 257. Colours
/// are not blended, and a picture without alpha is opaque. MSE, PSNR and SSIM count colours only.
///
/// The exit status is 1 if a bound does not hold. Without bounds, and with --tolerance, no pixel may be beyond the
/// tolerance.
#[derive(Debug, clap::Args)]
#[command(mut_args(shorten_help))]
pub(crate) struct Args {
    /// Picture, model, frame dump, list or folder; `FILE#MEMBER` for a member, `-` for standard input
    #[arg(value_name = "A", value_parser = crate::input::path_text::input_parser())]
    first: String,

    /// The same
    #[arg(value_name = "B", value_parser = crate::input::path_text::input_parser())]
    second: String,

    #[command(flatten)]
    picture: PictureArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Largest difference of a channel that counts as equal [default: 0]
    ///
    /// A number for all channels, or one for each; without A, alpha has to be equal. Grey takes the first. The unit
    /// is a step in the deeper picture: 1 of 255 or of 65535.
    #[arg(long, help_heading = BOUNDS, value_name = "N|R,G,B[,A]")]
    tolerance: Option<Tolerance>,

    /// Largest number of pixels beyond --tolerance
    ///
    /// A percentage counts compared pixels, rounded down.
    #[arg(long, help_heading = BOUNDS, value_name = "N|P%")]
    max_pixels: Option<PixelBound>,

    /// Largest mean squared error
    ///
    /// In squared steps: up to 65025 at 8 bits. If alpha counts, its error is bounded, too.
    #[arg(long, help_heading = BOUNDS, value_name = "MSE", value_parser = finite, hide_short_help = true)]
    max_mse: Option<f64>,

    /// Smallest peak signal-to-noise ratio
    ///
    /// Identical pictures hold every bound. If alpha counts, its ratio is bounded, too.
    #[arg(long, help_heading = BOUNDS, value_name = "DECIBELS", value_parser = finite)]
    min_psnr: Option<f64>,

    /// Smallest structural similarity, from -1 to 1
    ///
    /// The mean over the colours and over windows of 11x11 pixels with Gaussian weights. If alpha counts, its
    /// similarity is bounded, too.
    #[arg(long, help_heading = BOUNDS, value_name = "SSIM", value_parser = finite, allow_negative_numbers = true)]
    min_ssim: Option<f64>,

    /// Ignore alpha
    #[arg(long, help_heading = PIXELS)]
    ignore_alpha: bool,

    /// Compare only this rectangle, in pixels of A; may be repeated
    ///
    /// With this, pictures of different sizes are compared from their upper left corners on.
    #[arg(long, help_heading = PIXELS, value_name = "X,Y,WxH")]
    region: Vec<Region>,

    /// Compare only pixels that are white in this picture
    ///
    /// It has the size of A. A pixel counts as white if each channel has at least half its largest value.
    #[arg(long, help_heading = PIXELS, value_name = "MASK.png", hide_short_help = true)]
    mask: Option<PathBuf>,

    /// Position of B's upper left pixel in A
    ///
    /// Only the part covered by both is compared.
    #[arg(long, help_heading = PIXELS, value_name = "X,Y", hide_short_help = true)]
    #[arg(value_parser = offset, allow_hyphen_values = true)]
    offset: Option<Offset>,

    #[command(flatten)]
    rendering: RenderingArgs,

    /// Write a JSON object per pair to this file: outputs, status, error, notes, duration
    #[arg(long, help_heading = BATCH, hide_short_help = true, value_name = "FILE.jsonl")]
    report: Option<PathBuf>,

    /// Compare only every Nth pair of two folders, from the Ith on
    #[arg(long, help_heading = BATCH, hide_short_help = true, value_name = "I/N")]
    shard: Option<Shard>,

    /// Worker threads; 0 = one per CPU
    #[arg(long, help_heading = BATCH, hide_short_help = true, value_name = "N", default_value = "0")]
    threads: usize,
}

/// Keeps options shared with other commands out of the short help, because it would grow too long.
fn shorten_help(arg: clap::Arg) -> clap::Arg {
    let is_shared =
        matches!(arg.get_help_heading(), Some(camera::HEADING | "Model options" | "Input options"));
    if is_shared { arg.hide_short_help(true) } else { arg }
}

/// A position; its coordinates may be negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Offset([i32; 2]);

fn offset(text: &str) -> Result<Offset, &'static str> {
    let parts = text.split_once(',');
    let parsed = parts.and_then(|(x, y)| Some(Offset([x.trim().parse().ok()?, y.trim().parse().ok()?])));
    parsed.ok_or("expected X,Y, such as 16,-8")
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    let pairs = Pairs::list(&args.first, &args.second, args.picture.output.as_deref())?;
    let output = args.picture.arguments(pairs.is_batch)?;
    let destination = output.as_ref().map_or(Destination::None, Destination::Files);
    let batch_args = BatchArgs {
        report: args.report.clone(),
        shard: args.shard,
        threads: args.threads,
        ..BatchArgs::default()
    };
    if args.shard.is_some() && !pairs.is_batch {
        return Err(Failure::usage("--shard: A and B are not folders"));
    }
    let inputs = Inputs { list: pairs.inputs(), is_batch: pairs.is_batch };
    let job = Compare { args, options: options(args)?, pairs };
    batch::run_listed(&job, inputs, &batch_args, &destination, console)
}

/// Returns options for the comparison, and reads the mask.
fn options(args: &Args) -> Result<CompareOptions, Failure> {
    let read = |path: &PathBuf| {
        let name = path.display().to_string();
        side::read_picture(&name, &files::read(Path::new(path))?).map(|file| file.picture)
    };
    Ok(CompareOptions {
        tolerance: args.tolerance,
        bounds: Bounds {
            max_mse: args.max_mse,
            min_psnr: args.min_psnr,
            min_ssim: args.min_ssim,
            max_pixels: args.max_pixels,
        },
        ignore_alpha: args.ignore_alpha,
        regions: args.region.clone(),
        mask: args.mask.as_ref().map(read).transpose()?,
        offset: args.offset.map(|offset| offset.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_parse() {
        assert_eq!(offset("16,-8"), Ok(Offset([16, -8])), "right and up");
        for wrong in ["", "1", "1,2,3", "a,b", "99999999999,0"] {
            assert!(offset(wrong).is_err(), "{wrong}");
        }
    }
}
