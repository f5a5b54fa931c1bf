//! Opens inputs and runs their display lists.

use pspge::formats::Content;
use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::{Capture, Source, source_of};
use pspge::ge::draw_set::DrawSet;
use pspge::ge::limits::Limits;
use pspge::model::Model;
use pspge::run::replay::{self, Replayed};
use pspge::run::sink::{Observer, Sink};

use crate::failure::Failure;
use crate::input::Input;

/// Arithmetic of transform and rasterizer.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum ArithmeticArg {
    /// As the PSP: 16 significant bits, pixels sampled at their centres
    Hardware,
    /// As emulators: IEEE single precision, triangles sampled at 7/16 of a pixel, colours rounded
    Single,
}

impl From<ArithmeticArg> for Arithmetic {
    fn from(arithmetic: ArithmeticArg) -> Self {
        match arithmetic {
            ArithmeticArg::Hardware => Self::Hardware,
            ArithmeticArg::Single => Self::Single,
        }
    }
}

/// Returns the display list of an input. For a model it is the list of its parts alone, without camera and
/// clear.
pub(crate) fn capture(name: &str, input: Input) -> Result<(Capture, Option<Box<Model>>), Failure> {
    match input {
        Input::Program { program, .. } => Ok((program.capture(), None)),
        Input::File { content: Content::Model(model), .. } => Ok((model.to_capture(), Some(model))),
        Input::File { content: Content::Frame { capture, .. }, .. } => Ok((*capture, None)),
        Input::File { format, .. } => {
            let problem = format_args!("a file of format {format} holds no display list");
            Err(Failure::input(name, "nothing-to-do", None, problem))
        }
    }
}

/// Runs a capture to its end.
pub(crate) fn run(
    capture: &mut Capture,
    arithmetic: Arithmetic,
    sink: &mut impl Sink,
    observer: &mut impl Observer,
    limits: &Limits,
) -> Replayed {
    replay::run(capture, arithmetic, sink, observer, limits)
}

/// Returns the offset in the input file of the data loaded at `address`, if the file holds it.
pub(crate) fn file_offset(sources: &[Source], address: Address) -> Option<u64> {
    Some(source_of(sources, address)?.1)
}

/// Checks that a run has all draws that an option names.
///
/// # Errors
/// Names the draws that the run does not have.
pub(crate) fn check_draws(
    input: &str,
    option: &str,
    wanted: Option<&DrawSet>,
    draws: u64,
) -> Result<(), Failure> {
    let checked = wanted.map_or(Ok(()), |wanted| wanted.check(draws));
    checked.map_err(|error| Failure::inapplicable(input, option, error))
}
