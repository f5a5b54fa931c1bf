//! How to run an asset.

use super::error::Error;
use super::view::View;
use crate::debug::what_if::edit::{Edit, Editor};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::{Capture, SCREEN};
use crate::ge::limits::Limits;
use crate::ge::overrides::Overrides;
use crate::raster::RasterOptions;
use crate::scene::camera::Camera;
use crate::scene::frame::FrameRenderer;
use crate::scene::render::ModelRenderer;
use crate::scene::render_target;

/// How to run an asset: a model's pose and camera, edits, arithmetic, threads, limits, picture size and background.
///
/// Pictures and all other questions about an asset take these options, to be about the same run. The default is the
/// PSP's screen with 480×272 pixels, a dark background, the three-quarter view, a single thread and the usual
/// limits. Pose, camera and background are only for models, because a frame or list has its own.
///
/// ```
/// use pspge::{RunSpec, View};
///
/// let options = RunSpec::default().view(View::Left).size(256, 256).background([32, 32, 32, 255]);
/// assert_eq!(options.size, [256, 256]);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunSpec {
    /// The animation frame that a model shows; `None` for the pose in which it already is.
    pub pose: Option<Pose>,
    /// The camera around a model.
    pub camera: Camera,
    /// The picture's width and height in pixels. A frame or list does not have every size; see
    /// [`FrameRenderer::size`].
    pub size: [u32; 2],
    /// Red, green, blue and alpha for pixels that a model does not cover.
    pub background: [u8; 4],
    /// Changes to try, in this order. They name draws and events by the numbers in
    /// [`Asset::shot`](super::Asset::shot).
    pub edits: Vec<Edit>,
    /// Whether to draw triangles as their three edges.
    pub wireframe: bool,
    /// The arithmetic for transform and rasterizer. `None` means the hardware's, or single precision if a model's
    /// picture is larger than 480×272.
    pub arithmetic: Option<Arithmetic>,
    /// How many threads draw. The picture does not depend on this.
    pub threads: u32,
    /// How much work and memory a run may take.
    pub limits: Limits,
}

/// A frame in an animation.
///
/// ```
/// let pose = pspge::Pose { animation: "walk".to_owned(), frame: 2.5 };
/// let error = pspge::open("list.ge", b"FINISH | END")?.animate(&pose.animation, pose.frame).expect_err("no model");
/// assert_eq!(error.to_string(), "no animation \"walk\"");
/// # Ok::<(), pspge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// The animation's name or number.
    pub animation: String,
    /// The frame, counted from 0. Fractions are between frames.
    pub frame: f64,
}

impl Default for RunSpec {
    fn default() -> Self {
        Self {
            pose: None,
            camera: View::default().camera(),
            size: SCREEN,
            background: ModelRenderer::BACKGROUND,
            edits: Vec::new(),
            wireframe: false,
            arithmetic: None,
            threads: 1,
            limits: Limits::default(),
        }
    }
}

impl RunSpec {
    /// The largest width and height for a model's picture.
    pub const SIZE_MAX: u32 = render_target::SIZE_MAX;

    /// Looks at a model from a named viewpoint.
    #[must_use]
    pub const fn view(mut self, view: View) -> Self {
        self.camera = view.camera();
        self
    }

    /// Looks at a model through this camera.
    #[must_use]
    pub const fn camera(mut self, camera: Camera) -> Self {
        self.camera = camera;
        self
    }

    /// Sets the picture's width and height in pixels.
    #[must_use]
    pub const fn size(mut self, width: u32, height: u32) -> Self {
        self.size = [width, height];
        self
    }

    /// Sets red, green, blue and alpha for pixels that a model does not cover.
    #[must_use]
    pub const fn background(mut self, rgba: [u8; 4]) -> Self {
        self.background = rgba;
        self
    }

    /// Draws triangles as their three edges.
    #[must_use]
    pub const fn wireframe(mut self) -> Self {
        self.wireframe = true;
        self
    }

    /// Computes with this arithmetic at every size.
    #[must_use]
    pub const fn with_arithmetic(mut self, arithmetic: Arithmetic) -> Self {
        self.arithmetic = Some(arithmetic);
        self
    }

    /// Draws with this many threads.
    #[must_use]
    pub const fn threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }

    /// Bounds work and memory.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Tries changes.
    #[must_use]
    pub fn edits(mut self, edits: Vec<Edit>) -> Self {
        self.edits = edits;
        self
    }

    /// Adds the edits to a capture.
    pub(super) fn edit(&self, capture: &mut Capture, arithmetic: Arithmetic) -> Result<(), Error> {
        let mut editor = Editor::new(arithmetic, &self.limits);
        self.edits.iter().try_for_each(|edit| editor.apply(edit, capture)).map_err(Error::from)
    }

    /// Returns the arithmetic for drawing a model with these options.
    #[must_use]
    pub fn arithmetic(&self) -> Arithmetic {
        let [width, height] = self.size;
        let default =
            if width <= SCREEN[0] && height <= SCREEN[1] { Arithmetic::Hardware } else { Arithmetic::Single };
        self.arithmetic.unwrap_or(default)
    }

    /// Returns the rasterizer's options.
    #[must_use]
    pub fn raster_options(&self) -> RasterOptions {
        RasterOptions {
            arithmetic: self.arithmetic(),
            wireframe: self.wireframe,
            threads: self.threads,
            ..RasterOptions::default()
        }
    }

    /// Returns the renderer for frames and lists with these options.
    #[must_use]
    pub fn frame_renderer(&self) -> FrameRenderer {
        let arithmetic = self.arithmetic.unwrap_or_default();
        FrameRenderer {
            size: self.size,
            options: RasterOptions { arithmetic, ..self.raster_options() },
            limits: self.limits,
            ..FrameRenderer::default()
        }
    }

    /// Returns the renderer for models with these options. This lacks pose and edits, which are in
    /// [`Asset::model_renderer`](super::Asset::model_renderer).
    #[must_use]
    pub fn renderer(&self) -> ModelRenderer {
        let [width, height] = self.size;
        ModelRenderer {
            camera: self.camera,
            width,
            height,
            background: self.background,
            options: self.raster_options(),
            limits: self.limits,
            overrides: Overrides::default(),
        }
    }
}
