//! The options that place models in other programs, for the way there and back.

use pspge::export::{Placement, UpAxis};

use crate::terminal::failure::Failure;

/// How large models are in other programs, and which axis points up there.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct PlacementArgs {
    /// Multiply all lengths by this factor
    #[arg(long, value_name = "FACTOR", default_value = "1", allow_negative_numbers = true, value_parser = scale)]
    scale: f64,

    /// Axis that points up
    #[arg(long, value_enum, default_value = "y")]
    up: UpArg,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum UpArg {
    /// y is up, as glTF demands
    #[default]
    Y,
    /// z is up, as in some modelling programs
    Z,
}

impl PlacementArgs {
    pub(crate) fn placement(self) -> Result<Placement, Failure> {
        let up = match self.up {
            UpArg::Y => UpAxis::Y,
            UpArg::Z => UpAxis::Z,
        };
        Placement::new(self.scale, up).map_err(Failure::usage)
    }
}

fn scale(text: &str) -> Result<f64, String> {
    let scale = text.parse().map_err(|_| "expected a number above 0, such as 0.01".to_owned())?;
    Placement::new(scale, UpAxis::Y).map(|placement| placement.scale()).map_err(|error| error.to_string())
}
