//! `pspge decode`: shows the primitives decoded for each draw.

use pspge::documents::GeometryDocument;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::draw_set::DrawSet;
use pspge::run::decode::{DecodedDraw, GeometrySink};
use pspge::run::selected_draws::SelectedDraws;
use pspge::run::sink::NullObserver;
use pspge::{Geometry, RunSpec};

use crate::batch::arguments::BatchArgs;
use crate::input::options::OpenOptions;
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::{batch, run};

/// Print the decoded primitives of each draw
///
/// Vertices are in world space, each once per draw, ordered by their indices in memory. Strips and fans are split
/// into triangles with the same winding. A model's draw 0 clears the picture for render, so it is left out unless
/// --only names it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,

    #[command(flatten)]
    open: OpenOptions,

    /// Decode only these draws, by the numbers that trace shows: N, A-B, A-, -B, or a list of these
    #[arg(long, value_name = "DRAWS", allow_hyphen_values = true)]
    only: Option<DrawSet>,

    /// Print all vertices as JSON instead of one line per draw
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    batch::run(args, &args.batch, console)
}

impl Job for Args {
    fn info(&self) -> JobInfo {
        JobInfo { prints_json: self.json, ..JobInfo::new("decoded", "no display list") }
    }

    fn members(&self, file: &str) -> Result<Vec<String>, Failure> {
        self.open.members(file)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let (asset, _) = self.open.open(&task.input, None, &mut session.notes)?;
        if !asset.is_drawable() {
            return Ok(Outcome::Nothing);
        }
        // The list includes the clear, as in `render`, so that draws have the same numbers as in `trace`.
        let spec = RunSpec::default().with_arithmetic(Arithmetic::Single).limits(self.open.limits());
        let mut shot = asset.shot(&spec).map_err(|error| Failure::asset(&task.input, &error))?;
        let model = asset.model();
        let without_clear = || if model.is_some() { DrawSet::range(1..=u64::MAX) } else { None };
        let draws = self.only.clone().or_else(without_clear).unwrap_or_else(DrawSet::all);
        let mut selected = SelectedDraws { inner: GeometrySink::new(), draws };
        let replayed = shot.run_here(&mut selected, &mut NullObserver);
        run::check_draws(&task.input, "--only", self.only.as_ref(), replayed.report.draws)?;
        session.notes.list.add_report(&replayed.report);
        let sink = selected.inner;
        if self.json {
            let geometry = Geometry::new(&sink, &shot.capture.sources, model, Vec::new());
            let mut document = GeometryDocument::new(&task.input, geometry);
            // This adds notes on the file to notes on the run.
            document.notes = session.notes.list.entries().to_vec();
            session.json(&document)?;
        } else {
            for draw in sink.draws() {
                let DecodedDraw { number, at, primitive, vertices, triangles, pairs, points, .. } = draw;
                let mut line = format!("draw {number} at {at}: {primitive}, {} vertices", vertices.len());
                let shapes =
                    [(triangles.len(), "triangles"), (pairs.len(), "pairs"), (points.len(), "points")];
                for (count, name) in shapes.into_iter().filter(|(count, _)| *count > 0) {
                    line.push_str(&format!(", {count} {name}"));
                }
                session.out.line(format_args!("{line}"))?;
            }
        }
        Ok(Outcome::Done)
    }
}
