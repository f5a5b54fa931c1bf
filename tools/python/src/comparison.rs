//! Comparing two pictures, or two runs.

use pspge::compare::{
    Bounds, Channels, CompareError, CompareOptions, Depth, Picture, PictureError, Region, Tolerance,
};
use pspge::documents::diff::comparison::{Diff, DiffSide};
use pspge::documents::note::NoteInfo;
use pspge::documents::{DiffDocument, DifferenceDocument};
use pspge::raster::Engine;
use pyo3::prelude::*;

use crate::asset::Asset;
use crate::convert::{Json, array};
use crate::debugger::find_event;
use crate::failure::Failure;
use crate::options::{RunOptions, parse};

/// A picture as Python passes it: samples row by row as 16-bit little-endian numbers, width, height, channels, and
/// bits per sample.
type Samples = (Vec<u8>, u32, u32, usize, u8);

/// How to compare pictures.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct PictureComparison {
    /// The largest channel difference that counts as equal.
    tolerance: Option<String>,
    /// Largest mean squared error.
    max_mse: Option<f64>,
    /// Smallest peak signal-to-noise ratio, in decibels.
    min_psnr: Option<f64>,
    /// Smallest structural similarity.
    min_ssim: Option<f64>,
    /// Largest number or share of pixels beyond the tolerance.
    max_pixels: Option<String>,
    ignore_alpha: bool,
    /// The rectangles to compare, each as `X,Y,WxH`.
    region: Vec<String>,
    /// A picture that is white where pixels count.
    mask: Option<Samples>,
    /// Where the second picture lies in the first.
    offset: Option<[i32; 2]>,
}

/// Compares two pictures and returns a document about their difference.
#[pyfunction]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    names: (String, String),
    pictures: (Samples, Samples),
    options: PictureComparison,
) -> PyResult<Bound<'py, PyAny>> {
    py.detach(|| -> PyResult<Json> {
        let (first, second) = (picture(pictures.0)?, picture(pictures.1)?);
        let difference = pspge::compare::pictures(&first, &second, &options.settings()?)
            .map_err(|error| failure(&error))?;
        Json::of(&DifferenceDocument::new(&names.0, &names.1, &difference))
    })?
    .object(py)
}

/// Reads a picture file into an array of 8 or 16 bits, with 1, 3 or 4 channels.
#[pyfunction]
pub(crate) fn read_picture<'py>(py: Python<'py>, name: &str, bytes: Vec<u8>) -> PyResult<Bound<'py, PyAny>> {
    let picture = py
        .detach(|| pspge::compare::read(name, &bytes))
        .map_err(|error| picture_failure(&error).of_input(name))?;
    let picture = picture.picture;
    let [width, height] = picture.size().map(|side| side as usize);
    let shape = [height, width, picture.channels().count()];
    if picture.depth() == Depth::Sixteen {
        return array(py, picture.samples().to_vec(), shape);
    }
    // The conversion cannot fail, because this picture's samples have 8 bits.
    let samples = picture.samples().iter().map(|sample| u8::try_from(*sample).unwrap_or(u8::MAX)).collect();
    array(py, samples, shape)
}

impl PictureComparison {
    fn settings(self) -> Result<CompareOptions, Failure> {
        let tolerance =
            self.tolerance.as_deref().map(|text| parse::<Tolerance>("tolerance", text)).transpose()?;
        let regions =
            self.region.iter().map(|text| parse::<Region>("region", text)).collect::<Result<_, _>>()?;
        let max_pixels = self.max_pixels.as_deref().map(|text| parse("max_pixels", text)).transpose()?;
        Ok(CompareOptions {
            tolerance,
            bounds: Bounds {
                max_mse: self.max_mse,
                min_psnr: self.min_psnr,
                min_ssim: self.min_ssim,
                max_pixels,
            },
            ignore_alpha: self.ignore_alpha,
            regions,
            mask: self.mask.map(picture).transpose()?,
            offset: self.offset,
        })
    }
}

fn picture((bytes, width, height, channels, bits): Samples) -> Result<Picture, Failure> {
    let (pairs, _) = bytes.as_chunks::<2>();
    let samples = pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
    let channels = match channels {
        1 => Channels::Grey,
        2 => Channels::GreyAlpha,
        3 => Channels::Rgb,
        4 => Channels::Rgba,
        _ => return Err(Failure::usage(format_args!("a picture has 1 to 4 channels, not {channels}"))),
    };
    let depth = if bits == 16 { Depth::Sixteen } else { Depth::Eight };
    Picture::new([width, height], channels, depth, samples).map_err(|error| picture_failure(&error))
}

fn picture_failure(error: &PictureError) -> Failure {
    Failure::content("picture", error)
}

fn failure(error: &CompareError) -> Failure {
    Failure::usage(error)
}

/// Names an event of a run, by its draw's number or by its own.
type Moment = (Option<u64>, Option<u32>);

/// Runs two assets and returns a document about their first difference, or about two events to compare.
#[pyfunction]
pub(crate) fn diff<'py>(
    py: Python<'py>,
    assets: (Bound<'py, Asset>, Bound<'py, Asset>),
    options: (RunOptions, RunOptions),
    reference: (bool, bool),
    moments: Option<[Moment; 2]>,
) -> PyResult<Bound<'py, PyAny>> {
    let (first, second) = (assets.0.get(), assets.1.get());
    py.detach(|| -> PyResult<Json> {
        let mut a = side(first, &options.0, reference.0).map_err(|error| error.of_input(&first.name))?;
        let mut b = side(second, &options.1, reference.1).map_err(|error| error.of_input(&second.name))?;
        for (side, moment) in [&mut a, &mut b].into_iter().zip(moments.iter().flatten()) {
            match moment {
                (Some(draw), _) => side.name += &format!(" --at {draw}"),
                (None, Some(event)) => side.name += &format!(" --at event:{event}"),
                (None, None) => {}
            }
        }
        Json::of(&compared([a, b], [first, second], moments)?)
    })?
    .object(py)
}

fn side(asset: &Asset, options: &RunOptions, reference: bool) -> Result<DiffSide, Failure> {
    let mut shot = asset.shot(options)?;
    if reference {
        shot.raster.engine = Engine::Reference;
    }
    let mut words = vec![asset.name.clone(), options.changes_text()?];
    if reference {
        words.push("--reference".to_owned());
    }
    words.retain(|word| !word.is_empty());
    Ok(DiffSide { input: asset.name.clone(), name: words.join(" "), shot })
}

fn compared(
    sides: [DiffSide; 2],
    assets: [&Asset; 2],
    moments: Option<[Moment; 2]>,
) -> Result<DiffDocument, Failure> {
    let [first, second] = assets;
    let mut notes = first.notes.clone();
    if first.name != second.name {
        for note in second.notes.entries() {
            notes.push(NoteInfo { file: Some(second.name.clone()), ..note.clone() });
        }
    }
    let diff = match moments {
        None => Diff::of_runs(&sides),
        Some([(draw_a, event_a), (draw_b, event_b)]) => {
            let runs = sides.each_ref().map(|side| side.shot.session());
            let [run_a, run_b] = &runs;
            let a = find_event(run_a, event_a, draw_a, false).map_err(|error| error.of_input(&first.name))?;
            let b =
                find_event(run_b, event_b, draw_b, false).map_err(|error| error.of_input(&second.name))?;
            Diff::of_events(&sides, runs, [a, b]).map_err(|error| Failure::inapplicable("events", error))?
        }
    };
    let Diff { mut document, histories, .. } = diff;
    histories.iter().flatten().for_each(|history| notes.add_gaps(history));
    std::mem::take(&mut document.notes).into_iter().for_each(|note| notes.push(note));
    document.notes = notes.into_entries();
    Ok(document)
}
