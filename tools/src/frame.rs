//! The frame of an input: its display list as `render` draws it, with the options that decide it.

use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::scene::render::ModelRenderer;

use crate::camera::CameraArgs;
use crate::command::render::{Size, renderer};
use crate::failure::Failure;
use crate::input::Input;
use crate::notes::Notes;
use crate::run::{self, ArithmeticArg};

/// How to draw the frame.
#[derive(Debug, clap::Args)]
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
        for option in self.camera.given() {
            notes.ignore_option(name, option, &format!("{kind} is not a model"))?;
        }
        Ok(capture)
    }
}
