//! Inputs as something to run.

use pspge::formats::Content;
use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::{Capture, Source, source_of};
use pspge::ge::limits::{LimitHit, Limits};
use pspge::ge::note::Note;
use pspge::model::Model;
use pspge::run::replay::{self, Replayed};
use pspge::run::sink::{Observer, Sink};

use crate::failure::Failure;
use crate::input::{Input, InputArgs};

/// Which number system transforms vertices.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum ArithmeticArg {
    /// The hardware's: 16 significant bits, samples at pixel centres
    Hardware,
    /// Emulators': IEEE single, triangles sampled at 7/16 of a pixel, colours rounded
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

/// The list of an input without a scene around it: of a model, the calls and the state it sets itself.
pub(crate) fn capture(args: &InputArgs, input: Input) -> Result<(Capture, Option<Box<Model>>), Failure> {
    match input {
        Input::Program { program, .. } => Ok((program.capture(), None)),
        Input::File { content: Content::Model(model), .. } => Ok((model.to_capture(), Some(model))),
        Input::File { content: Content::Frame { capture, .. }, .. } => Ok((*capture, None)),
        Input::File { format, .. } => Err(Failure::file(
            &args.input,
            format_args!("at 0x0: a file of format {format} holds no display list"),
        )),
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

/// Says on standard error that not everything was done, where that is so.
pub(crate) fn warn(args: &InputArgs, notes: &[Note]) {
    if let Some(reached) = notes.iter().find_map(Note::limit_hit) {
        warn_of(args, reached);
    }
}

/// Says on standard error that not everything was done because of a limit.
pub(crate) fn warn_of(args: &InputArgs, reached: LimitHit) {
    eprintln!("note: {}: {reached}", args.input);
}

/// Offset in the input file of what was loaded at `address`.
pub(crate) fn file_offset(sources: &[Source], address: Address) -> Option<u64> {
    Some(source_of(sources, address)?.1)
}
