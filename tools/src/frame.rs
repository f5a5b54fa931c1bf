//! Opens an input's frame: its display list as `render` draws it, with the options that affect it.

use pspge::debug::{self, Shot};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::limits::Limits;
use pspge::{Asset, RunSpec};

use crate::camera::CameraArgs;
use crate::input::options::OpenOptions;
use crate::run::ArithmeticArg;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;
use crate::what_if::WhatIfArgs;

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
    pub(crate) fn arithmetic(&self) -> Arithmetic {
        self.arithmetic.into()
    }

    /// Replaces camera and arithmetic by others, if given.
    pub(crate) fn with(&self, camera: &CameraArgs, arithmetic: Option<ArithmeticArg>) -> Self {
        let camera = if camera.given().next().is_some() { *camera } else { self.camera };
        Self { camera, arithmetic: arithmetic.unwrap_or(self.arithmetic) }
    }

    pub(crate) fn spec(&self, limits: Limits) -> RunSpec {
        RunSpec::default().camera(self.camera.camera()).with_arithmetic(self.arithmetic()).limits(limits)
    }

    /// Opens an input to run it. Returns `None` if it holds no display list.
    ///
    /// # Errors
    /// If the input cannot be opened, if an option does not apply to it, or if camera options are given without a
    /// model.
    pub(crate) fn open(
        &self,
        open: &OpenOptions,
        what_if: Option<&WhatIfArgs>,
        input: &str,
        threads: u32,
        notes: &mut Notes,
    ) -> Result<Option<Shot>, Failure> {
        let (asset, _) = open.open(input, None, notes)?;
        if !asset.is_drawable() {
            return Ok(None);
        }
        let limits = open.limits();
        let mut spec = self.spec(limits).threads(threads);
        if let Some(what_if) = what_if {
            spec = spec.edits(what_if.edits(&asset, &limits, notes)?);
        }
        self.shot(&asset, input, &spec, notes).map(Some)
    }

    /// Prepares to run an asset. A model's list includes the camera and the clear.
    ///
    /// # Errors
    /// If it holds no display list, or if camera options are given without a model.
    pub(crate) fn shot(
        &self,
        asset: &Asset,
        input: &str,
        spec: &RunSpec,
        notes: &mut Notes,
    ) -> Result<Shot, Failure> {
        self.ignore_camera(input, asset, notes)?;
        asset.shot(spec).map_err(|error| Failure::asset(input, &error))
    }

    /// Reports camera options for an input that is not a model.
    ///
    /// # Errors
    /// If such options are given for a single input.
    pub(crate) fn ignore_camera(&self, name: &str, asset: &Asset, notes: &mut Notes) -> Result<(), Failure> {
        let reason = format!("{} is not a model", asset.kind());
        let mut given = self.camera.given().filter(|_| asset.model().is_none());
        given.try_for_each(|option| notes.ignore_option(name, option, &reason))
    }
}

/// Runs a display list in the debugger, and adds the run's notes.
pub(crate) fn debug(shot: &Shot, notes: &mut Notes) -> debug::Session {
    let run = shot.session();
    notes.list.add_report(&run.replayed().report);
    run
}
