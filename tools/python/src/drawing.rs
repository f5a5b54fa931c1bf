//! Drawing pictures of assets.

use std::borrow::Cow;

use pspge::documents::note::NoteInfo;
use pspge::formats::Content;
use pspge::image::{DynamicImage, GrayImage, Luma};
use pspge::run::stop_after::StopAfter;
use pspge::scene::frame::{FrameBuffer, FrameError, FramePicture, FrameRenderer};
use pspge::scene::render::ModelRenderer;
use pspge::scene::render_target::TILE_SIZE_MAX;
use pspge::scene::{highlight, overdraw};
use pspge::{Capture, Error, RunSpec};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::asset::Asset;
use crate::convert::{picture, to_object};
use crate::failure::Failure;
use crate::options::{RunOptions, parse_optional};
use crate::scratch;

/// What to draw, in addition to the run's options.
#[derive(Clone, Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct PictureOptions {
    /// Width and height in pixels.
    size: Option<[u32; 2]>,
    /// Red, green, blue and alpha behind a model. `None` leaves the default.
    background: Option<[u8; 4]>,
    /// The last draw or command to run in a list, as `draw:N` or `command:N`.
    until: Option<String>,
    /// The draw to show within its frame.
    highlight: Option<u64>,
    /// Whether to show how many fragments were written to each pixel.
    overdraw: bool,
}

/// A run's pictures, and its notes.
struct Drawn {
    pictures: Vec<DynamicImage>,
    notes: Vec<NoteInfo>,
    is_unset: bool,
}

pub(crate) fn buffer(name: &str) -> Result<FrameBuffer, Failure> {
    match name {
        "display" => Ok(FrameBuffer::Display),
        "color" => Ok(FrameBuffer::Color),
        "depth" => Ok(FrameBuffer::Depth),
        "stencil" => Ok(FrameBuffer::Stencil),
        _ => Err(Failure::usage(format_args!(
            "buffer={name:?}: use one of \"display\", \"color\", \"depth\", \"stencil\""
        ))),
    }
}

#[pymethods]
impl Asset {
    /// Draws buffers. Returns arrays, the notes on the file and its run, and whether the list never sets such a
    /// buffer up.
    fn render<'py>(
        &self,
        py: Python<'py>,
        options: RunOptions,
        picture_options: PictureOptions,
        buffers: Vec<String>,
    ) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyAny>, bool)> {
        let drawn = py.detach(|| {
            let buffers = buffers.iter().map(|name| buffer(name)).collect::<Result<Vec<_>, _>>()?;
            self.draw(&options, &picture_options, &buffers).map_err(|error| error.of_input(&self.name))
        })?;
        let Drawn { pictures, notes, is_unset } = drawn;
        let arrays = pictures.into_iter().map(|image| picture(py, image)).collect::<PyResult<Vec<_>>>()?;
        Ok((PyList::new(py, arrays)?, to_object(py, &notes)?, is_unset))
    }
}

impl Asset {
    fn draw(
        &self,
        options: &RunOptions,
        wanted: &PictureOptions,
        buffers: &[FrameBuffer],
    ) -> Result<Drawn, Failure> {
        let stop: Option<StopAfter> = parse_optional("until", wanted.until.as_deref())?;
        let mut spec = self.spec(options)?;
        spec.size = wanted.size.unwrap_or(spec.size);
        spec.background = wanted.background.unwrap_or(spec.background);
        check_size(spec.size)?;
        let is_model = self.inner.model().is_some();
        if let Some(stop) = stop.filter(|_| is_model) {
            return Err(Failure::inapplicable(
                format_args!("until=\"{stop}\""),
                "a model is drawn as a whole",
            ));
        }
        let failure = |error| options.failure(error);
        if !self.inner.is_drawable() {
            return Err(Error::NoDisplayList { format: self.inner.format() }.into());
        }
        if !is_model {
            self.refuse(wanted.background.map(|_| "background"))?;
        } else if wanted.overlay().is_none()
            && let Some((model, renderer)) = self.inner.model_renderer(&spec).map_err(failure)?
        {
            return Ok(self.draw_model(&renderer, &model, buffers));
        } else if spec.size.into_iter().max() > Some(TILE_SIZE_MAX) {
            let [width, height] = spec.size;
            return Err(Failure::inapplicable(
                format_args!("size=({width}, {height})"),
                format_args!(
                    "the picture shows one framebuffer, which has at most {TILE_SIZE_MAX}x{TILE_SIZE_MAX} pixels of a model"
                ),
            ));
        }
        // The renderer copies the capture into its own memory, so a frame without edits need not be copied here.
        let capture: Cow<'_, Capture> = match self.inner.content() {
            Some(Content::Frame { capture, .. }) if spec.edits.is_empty() => Cow::Borrowed(&**capture),
            _ => Cow::Owned(self.inner.shot(&spec).map_err(failure)?.capture),
        };
        let raster = if is_model { spec.raster_options() } else { spec.frame_renderer().options };
        let renderer = FrameRenderer { stop, options: raster, ..spec.frame_renderer() };
        let size = spec.size;
        if wanted.overlay().is_some() {
            return self.overlay(&capture, &renderer, wanted, buffers);
        }
        let picture = scratch::with(|scratch| renderer.render_with(scratch, &capture, buffers, &mut |_| {}));
        let FramePicture { images, is_unset, run, .. } =
            picture.map_err(|error| wanted.failure(&error, size, buffers))?;
        let mut notes = self.notes.clone();
        notes.add_report(&run.report);
        if is_unset {
            notes.add_unset();
        }
        for image in &images {
            notes.add_cut([image.width(), image.height()], wanted.size);
        }
        Ok(Drawn { pictures: images, notes: notes.into_entries(), is_unset })
    }

    fn draw_model(
        &self,
        renderer: &ModelRenderer,
        model: &pspge::model::Model,
        buffers: &[FrameBuffer],
    ) -> Drawn {
        let mut drawn = scratch::with(|scratch| renderer.render_with(scratch, model, &mut |_| {}));
        // A model's clear gives the picture its alpha. If the changes leave that draw out, an opaque background has
        // to.
        if renderer.background[3] == u8::MAX && !renderer.overrides.all().is_empty() {
            drawn.colors.pixels_mut().for_each(|pixel| pixel.0[3] = u8::MAX);
        }
        let mut notes = self.notes.clone();
        notes.add_run(&drawn.notes);
        notes.add_unused(&renderer.overrides.unused(&drawn.overridden));
        let image = |buffer: &FrameBuffer| match buffer {
            FrameBuffer::Depth => DynamicImage::ImageLuma16(drawn.depth.clone()),
            FrameBuffer::Stencil => {
                let (width, height) = drawn.colors.dimensions();
                let alpha = |x, y| Luma([drawn.colors.get_pixel(x, y).0[3]]);
                DynamicImage::ImageLuma8(GrayImage::from_fn(width, height, alpha))
            }
            FrameBuffer::Display | FrameBuffer::Color => DynamicImage::ImageRgba8(drawn.colors.clone()),
        };
        let pictures = match buffers {
            // A lone picture takes over the memory that the engine drew into, to save a copy.
            [FrameBuffer::Display | FrameBuffer::Color] => vec![drawn.colors.into()],
            [FrameBuffer::Depth] => vec![drawn.depth.into()],
            _ => buffers.iter().map(image).collect(),
        };
        Drawn { pictures, notes: notes.into_entries(), is_unset: false }
    }

    /// Draws a single draw within its frame, or overdraw.
    fn overlay(
        &self,
        capture: &Capture,
        renderer: &FrameRenderer,
        wanted: &PictureOptions,
        buffers: &[FrameBuffer],
    ) -> Result<Drawn, Failure> {
        let buffer = match buffers {
            [buffer @ (FrameBuffer::Display | FrameBuffer::Color)] => *buffer,
            _ => {
                let option = wanted.overlay().unwrap_or_default();
                return Err(Failure::usage(format_args!(
                    "{option} needs the buffer \"display\" or \"color\""
                )));
            }
        };
        let failure = |error: FrameError| wanted.failure(&error, renderer.size, &[buffer]);
        let mut notes = self.notes.clone();
        let image = if let Some(draw) = wanted.highlight {
            let picture = highlight::render(renderer, capture, buffer, draw).map_err(failure)?;
            notes.add_highlight(draw, &picture);
            picture.image
        } else {
            let picture = overdraw::render(renderer, capture, buffer).map_err(failure)?;
            notes.add_overdraw(&picture);
            picture.image
        };
        notes.add_cut([image.width(), image.height()], wanted.size);
        let pictures = vec![DynamicImage::ImageRgb8(image)];
        Ok(Drawn { pictures, notes: notes.into_entries(), is_unset: false })
    }
}

impl PictureOptions {
    /// Names the option, if given, that shows something else in place of colours.
    const fn overlay(&self) -> Option<&'static str> {
        match (self.highlight, self.overdraw) {
            (Some(_), _) => Some("highlight"),
            (None, true) => Some("overdraw"),
            (None, false) => None,
        }
    }

    fn failure(&self, error: &FrameError, [width, height]: [u32; 2], buffers: &[FrameBuffer]) -> Failure {
        let of_depth = if buffers.contains(&FrameBuffer::Depth) { " of the depth buffer" } else { "" };
        let option = match (error, &self.until) {
            (FrameError::NoSuchEnd { .. }, Some(until)) => format!("until={until:?}"),
            (FrameError::NoSuchDraw { draw, .. }, _) => format!("highlight={draw}"),
            _ => format!("size=({width}, {height}){of_depth}"),
        };
        Failure::inapplicable(option, error)
    }
}

/// Refuses picture sizes that the engine cannot draw.
fn check_size([width, height]: [u32; 2]) -> Result<(), Failure> {
    let most = RunSpec::SIZE_MAX;
    let fits = |side: u32| (1..=most).contains(&side);
    if fits(width) && fits(height) {
        return Ok(());
    }
    Err(Error::PictureSize { width, height, most }.into())
}
