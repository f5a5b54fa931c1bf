//! The frame of an input: its display list as `render` draws it, with the options that decide it.

use pspge::RenderOptions;
use pspge::debug::{self, SessionOptions};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::limits::Limits;
use pspge::raster::RasterOptions;
use pspge::scene::render::ModelRenderer;

use crate::camera::CameraArgs;
use crate::command::render::{Size, renderer};
use crate::failure::Failure;
use crate::input::Input;
use crate::input::options::OpenOptions;
use crate::job::{Session, Task};
use crate::notes::Notes;
use crate::run::{self, ArithmeticArg};

/// How to draw the frame.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct FrameArgs {
    #[command(flatten)]
    camera: CameraArgs,

    /// Arithmetic of transform and rasterizer
    #[arg(long, value_enum, default_value = "hardware", hide_short_help = true)]
    arithmetic: ArithmeticArg,
}

impl FrameArgs {
    /// Returns the arithmetic.
    pub(crate) fn arithmetic(&self) -> Arithmetic {
        self.arithmetic.into()
    }

    /// Returns these options with another camera and arithmetic, if they are given.
    pub(crate) fn with(&self, camera: &CameraArgs, arithmetic: Option<ArithmeticArg>) -> Self {
        let camera = if camera.given().next().is_some() { *camera } else { self.camera };
        Self { camera, arithmetic: arithmetic.unwrap_or(self.arithmetic) }
    }

    /// Opens an input and returns its display list; `None` if it holds none.
    ///
    /// # Errors
    /// If the input cannot be opened, or if it is no model and camera options are given.
    pub(crate) fn open(
        &self,
        options: &OpenOptions,
        task: &Task,
        session: &mut Session,
    ) -> Result<Option<Capture>, Failure> {
        let input = options.open(&task.input, &mut session.notes)?;
        if !input.is_drawable() {
            return Ok(None);
        }
        self.capture(&task.input, input, &mut session.notes).map(Some)
    }

    /// Runs a display list in the debugger, and adds the notes of the run.
    pub(crate) fn debug(&self, capture: Capture, limits: Limits, session: &mut Session) -> debug::Session {
        let arithmetic = self.arithmetic();
        let raster = RasterOptions { arithmetic, threads: session.threads, ..RasterOptions::default() };
        let options = SessionOptions { raster, limits, ..SessionOptions::default() };
        let overrides = capture.overrides.clone();
        let run = debug::Session::open(capture, options);
        let report = &run.replayed().report;
        session.notes.add_report(report);
        session.notes.add_unused(&overrides, &report.overridden);
        run
    }

    /// Returns the display list of an input. That of a model includes the camera and the clear.
    ///
    /// # Errors
    /// If the input holds no display list, or if it is no model and camera options are given.
    pub(crate) fn capture(&self, name: &str, input: Input, notes: &mut Notes) -> Result<Capture, Failure> {
        let kind = input.kind();
        let (capture, model) = run::capture(name, input)?;
        if let Some(model) = model {
            let renderer = renderer(Size::SCREEN, self.arithmetic());
            return Ok(ModelRenderer { camera: self.camera.camera(), ..renderer }.capture(&model));
        }
        self.ignore_camera(name, kind, notes)?;
        Ok(capture)
    }

    /// Reports camera options for an input that is not a model. `kind` is its kind in words.
    ///
    /// # Errors
    /// If it is the only input and such options are given.
    pub(crate) fn ignore_camera(&self, name: &str, kind: &str, notes: &mut Notes) -> Result<(), Failure> {
        let mut given = self.camera.given();
        given.try_for_each(|option| notes.ignore_option(name, option, &format!("{kind} is not a model")))
    }

    /// Returns the options with which the library draws the frame as [`Self::capture`] does.
    pub(crate) fn render_options(&self, limits: Limits) -> RenderOptions {
        RenderOptions::default()
            .camera(self.camera.camera())
            .with_arithmetic(self.arithmetic())
            .limits(limits)
    }
}
