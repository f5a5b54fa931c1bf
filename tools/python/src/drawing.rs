//! Pictures of assets.

use std::borrow::Cow;

use pspge::documents::note::NoteInfo;
use pspge::documents::note_list::NoteList;
use pspge::formats::Content;
use pspge::image::{DynamicImage, GrayImage, Luma};
use pspge::raster::RasterOptions;
use pspge::run::stop_after::StopAfter;
use pspge::scene::frame::{FrameBuffer, FrameError, FramePicture, FrameRenderer};
use pspge::scene::highlight;
use pspge::scene::overdraw;
use pspge::scene::render::ModelRenderer;
use pspge::scene::render_target::TILE_SIZE_MAX;
use pspge::{Capture, RenderOptions};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::asset::Asset;
use crate::convert::{picture, to_object};
use crate::failure::Failure;
use crate::options::{RunOptions, parse_optional};
use crate::scratch;

/// What to draw, besides the options of the run.
#[derive(Clone, Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct PictureOptions {
    /// Width and height in pixels.
    size: Option<[u32; 2]>,
    /// Red, green, blue and alpha behind a model; `None` if none is given.
    background: Option<[u8; 4]>,
    /// The last draw or command of a list, as `draw:N` or `command:N`.
    until: Option<String>,
    /// The draw whose pixels are shown in the frame.
    highlight: Option<u64>,
    /// Whether to show how many fragments were written to each pixel.
    overdraw: bool,
}

/// Background of models, as the command draws it: a dark grey blue.
pub(crate) const BACKGROUND: [u8; 4] = [0x30, 0x38, 0x40, 0xFF];

/// The pictures of a run, and the notes on it.
struct Drawn {
    pictures: Vec<DynamicImage>,
    notes: Vec<NoteInfo>,
    is_unset: bool,
}

/// Parses the name of a buffer.
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
    /// Draws buffers. Returns arrays, the notes on the file and the run, and whether the list sets no such buffer up.
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
        if !self.is_drawable() {
            return Err(self.not_drawable());
        }
        let stop: Option<StopAfter> = parse_optional("until", wanted.until.as_deref())?;
        let model = self.model(options)?;
        let size = wanted.size.unwrap_or([480, 272]);
        check_size(size)?;
        if let Some(model) = model {
            if let Some(stop) = stop {
                return Err(Failure::inapplicable(
                    format_args!("until=\"{stop}\""),
                    "a model is drawn as a whole",
                ));
            }
            let mut settings = RenderOptions::default().size(size[0], size[1]).limits(self.limits);
            settings.background = wanted.background.unwrap_or(BACKGROUND);
            settings.threads = options.threads;
            settings.arithmetic = options.arithmetic()?;
            settings.camera = options.camera()?;
            let mut renderer = settings.renderer();
            let mut model = model;
            if options.has_changes() {
                let mut capture = renderer.capture(&model);
                options.apply(&mut capture, renderer.options.arithmetic, &self.limits)?;
                model.to_mut().memory = capture.memory;
                renderer.overrides = capture.overrides;
            }
            if wanted.overlay().is_some() {
                let [width, height] = size;
                if width.max(height) > TILE_SIZE_MAX {
                    return Err(Failure::inapplicable(
                        format_args!("size=({width}, {height})"),
                        format_args!(
                            "the picture shows one framebuffer, which has at most {TILE_SIZE_MAX}x{TILE_SIZE_MAX} pixels of a model"
                        ),
                    ));
                }
                let frame = FrameRenderer {
                    size,
                    options: renderer.options,
                    limits: self.limits,
                    ..FrameRenderer::default()
                };
                return self.overlay(&renderer.capture(&model), &frame, wanted, buffers);
            }
            return Ok(self.draw_model(&renderer, &model, buffers));
        }
        if wanted.background.is_some() {
            return Err(Failure::inapplicable("background", format_args!("{} is not a model", self.kind())));
        }
        let arithmetic = options.arithmetic()?.unwrap_or_default();
        let raster = RasterOptions { arithmetic, threads: options.threads, ..RasterOptions::default() };
        let renderer =
            FrameRenderer { size, options: raster, limits: self.limits, stop, finds_depth_range: false };
        // The renderer copies the capture for itself.
        let mut capture: Cow<'_, Capture> = match self.inner.content() {
            Some(Content::Frame { capture, .. }) => Cow::Borrowed(&**capture),
            _ => Cow::Owned(self.inner.to_capture()?),
        };
        if options.has_changes() {
            options.apply(capture.to_mut(), arithmetic, &self.limits)?;
        }
        if wanted.overlay().is_some() {
            return self.overlay(&capture, &renderer, wanted, buffers);
        }
        let picture = scratch::with(|scratch| renderer.render_with(scratch, &capture, buffers, &mut |_| {}));
        let FramePicture { images, is_unset, run, .. } =
            picture.map_err(|error| wanted.failure(&error, size, buffers))?;
        let mut notes = self.notes.clone();
        notes.add_report(&run.report);
        notes.add_unused(&capture.overrides, &run.report.overridden);
        if is_unset {
            let message = "the list sets up no such buffer (its rows have 0 pixels), so the picture is empty";
            notes.add("buffer-unset", message);
        }
        wanted.note_cut(&images, &mut notes);
        Ok(Drawn { pictures: images, notes: notes.into_entries(), is_unset })
    }

    fn draw_model(
        &self,
        renderer: &ModelRenderer,
        model: &pspge::model::Model,
        buffers: &[FrameBuffer],
    ) -> Drawn {
        let mut drawn = scratch::with(|scratch| renderer.render_with(scratch, model, &mut |_| {}));
        // Without its clear the picture would have no alpha.
        if renderer.background[3] == u8::MAX && !renderer.overrides.all().is_empty() {
            drawn.colors.pixels_mut().for_each(|pixel| pixel.0[3] = u8::MAX);
        }
        let mut notes = self.notes.clone();
        notes.add_run(&drawn.notes);
        notes.add_unused(&renderer.overrides, &drawn.overridden);
        // An only picture takes the memory that the engine drew into.
        match buffers {
            [FrameBuffer::Display | FrameBuffer::Color] => {
                return Drawn {
                    pictures: vec![drawn.colors.into()],
                    notes: notes.into_entries(),
                    is_unset: false,
                };
            }
            [FrameBuffer::Depth] => {
                return Drawn {
                    pictures: vec![drawn.depth.into()],
                    notes: notes.into_entries(),
                    is_unset: false,
                };
            }
            _ => {}
        }
        let image = |buffer: &FrameBuffer| match buffer {
            FrameBuffer::Depth => DynamicImage::ImageLuma16(drawn.depth.clone()),
            FrameBuffer::Stencil => {
                let alpha = |x, y| Luma([drawn.colors.get_pixel(x, y).0[3]]);
                DynamicImage::ImageLuma8(GrayImage::from_fn(
                    drawn.colors.width(),
                    drawn.colors.height(),
                    alpha,
                ))
            }
            FrameBuffer::Display | FrameBuffer::Color => DynamicImage::ImageRgba8(drawn.colors.clone()),
        };
        Drawn { pictures: buffers.iter().map(image).collect(), notes: notes.into_entries(), is_unset: false }
    }

    /// Draws a picture of one draw in its frame, or of overdraw.
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
        let (image, run) = match wanted.highlight {
            Some(draw) => {
                let picture = highlight::render(renderer, capture, buffer, draw).map_err(failure)?;
                if let Some(hit) = picture.limit_hit {
                    notes.add("limit", format!("a part of draw {draw} is not shown: {hit}"));
                }
                if picture.bounds.is_none() {
                    notes.add("highlight", format!("draw {draw} touches no pixel of the picture"));
                }
                (picture.image, picture.run)
            }
            None => {
                let picture = overdraw::render(renderer, capture, buffer).map_err(failure)?;
                (picture.image, picture.run)
            }
        };
        notes.add_report(&run.report);
        notes.add_unused(&capture.overrides, &run.report.overridden);
        let pictures = vec![DynamicImage::ImageRgb8(image)];
        wanted.note_cut(&pictures, &mut notes);
        Ok(Drawn { pictures, notes: notes.into_entries(), is_unset: false })
    }
}

impl PictureOptions {
    /// Returns the option that replaces the picture of colours by another one, if it is given.
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

    /// Notes that a picture is smaller than the user asked for.
    fn note_cut(&self, images: &[DynamicImage], notes: &mut NoteList) {
        for image in images {
            let [width, height] = [image.width(), image.height()];
            if let Some([x, y]) = self.size.filter(|size| *size != [width, height]) {
                let message = format!(
                    "the picture has {width}x{height} instead of {x}x{y} pixels, as far as the buffer reaches"
                );
                notes.add("picture-cut", message);
            }
        }
    }
}

/// Checks that a picture has a size that the engine draws.
fn check_size([width, height]: [u32; 2]) -> Result<(), Failure> {
    let most = RenderOptions::SIZE_MAX;
    let fits = |side: u32| (1..=most).contains(&side);
    if fits(width) && fits(height) {
        return Ok(());
    }
    Err(pspge::Error::PictureSize { width, height, most }.into())
}
