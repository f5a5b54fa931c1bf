//! `pspge decode`: the decoded primitives of each draw.

use pspge::GeometryDraw;
use pspge::ge::arithmetic::Arithmetic;
use pspge::run::decode::{DecodedDraw, GeometrySink};
use pspge::run::sink::NullObserver;
use serde::Serialize;

use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::Output;
use crate::run;

/// Print the decoded primitives of each draw
///
/// Vertices are in world space, each once per draw, in the order of their indices in memory. Strips and fans
/// are split into triangles with the same winding.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Print all vertices as JSON instead of one line per draw
    #[arg(long)]
    json: bool,
}

/// The whole document.
#[derive(Debug, Serialize)]
struct Document {
    draws: Vec<GeometryDraw>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let input = run::open(&args.input)?;
    let (mut capture, model) = run::capture(&args.input, input)?;
    let mut sink = GeometrySink::new();
    let limits = args.input.limits();
    let replayed = run::run(&mut capture, Arithmetic::Single, &mut sink, &mut NullObserver, &limits);
    run::warn(&args.input, &replayed.report.notes);
    let mut out = Output::new();
    if args.json {
        let describe = |draw| GeometryDraw::new(draw, &capture.sources, model.as_deref());
        let draws = sink.draws().iter().map(describe).collect();
        out.json(&Document { draws }, true)?;
    } else {
        for draw in sink.draws() {
            let DecodedDraw { number, at, primitive, vertices, triangles, .. } = draw;
            out.line(format_args!(
                "draw {number} at {at}: {primitive}, {} vertices, {} triangles",
                vertices.len(),
                triangles.len()
            ))?;
        }
    }
    out.finish()
}
