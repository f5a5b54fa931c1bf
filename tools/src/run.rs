//! Opens inputs and runs their display lists.

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

/// Opens INPUT with its companion files, in a span of its own.
pub(crate) fn open(args: &InputArgs) -> Result<Input, Failure> {
    open_with(args, InputArgs::load)
}

/// Opens INPUT for its textures: all of a container, including those that no model uses.
pub(crate) fn open_textures(args: &InputArgs) -> Result<Input, Failure> {
    open_with(args, InputArgs::load_textures)
}

fn open_with(
    args: &InputArgs,
    load: impl FnOnce(&InputArgs) -> Result<Input, Failure>,
) -> Result<Input, Failure> {
    let span = tracing::info_span!("open", file = %args.input, format = tracing::field::Empty);
    span.in_scope(|| {
        let input = load(args)?;
        let format = match &input {
            Input::File { format, .. } => format.name(),
            Input::Program { format, .. } => format,
        };
        span.record("format", tracing::field::display(format));
        Ok(input)
    })
}

/// Returns the display list of an input. For a model it is the list of its parts alone, without camera and
/// clear.
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

/// Prints a note on standard error if a limit cut the run short.
pub(crate) fn warn(args: &InputArgs, notes: &[Note]) {
    if let Some(hit) = notes.iter().find_map(Note::limit_hit) {
        warn_limit_hit(args, hit);
    }
}

/// Prints a note on standard error about a limit that was hit.
pub(crate) fn warn_limit_hit(args: &InputArgs, hit: LimitHit) {
    eprintln!("note: {}: {hit}", args.input);
}

/// Returns the offset in the input file of the data loaded at `address`, if the file holds it.
pub(crate) fn file_offset(sources: &[Source], address: Address) -> Option<u64> {
    Some(source_of(sources, address)?.1)
}
