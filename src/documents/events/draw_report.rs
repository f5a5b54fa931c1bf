//! Describes everything about a draw.

use serde::{Deserialize, Serialize};

use super::draw::{DrawDescriber, DrawDocument, DrawKind, PatchInfo, VertexData};
use super::state::State;
use super::timeline::EventInfo;
use crate::debug::Session;
use crate::debug::draw::applied_rules::applied_rules;
use crate::debug::draw::report::{self, DrawReport, DrawReportError, PrimitiveFate};
use crate::debug::timeline::EventNumber;
use crate::documents::hashes::ContentHashes;
use crate::documents::note::NoteInfo;
use crate::documents::schema_id::{Document, SchemaId};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::float::Float;
use crate::ge::memory::Memory;
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::raster::{FragmentCounts, PixelBounds};
use crate::run::sink::Sink;

mod primitives;
mod vertices;

pub use primitives::{PartInfo, PrimitiveInfo};
pub use vertices::{OutcodeName, SourceVertexInfo, VertexInfo, VertexStagesInfo};

/// Everything about one draw: state, vertices at each stage, primitives with their fate, and counts of fragments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DrawReportDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// Number of draws of the run.
    pub draws: u64,
    /// The event of the draw.
    pub event: EventInfo,
    /// The kind of draw.
    pub kind: DrawKind,
    /// The primitive type; for a continuation, that of the continued draw.
    pub primitive: PrimitiveType,
    /// Whether it continues the primitive of an earlier draw.
    pub continues: bool,
    /// The patch; null for other draws.
    pub patch: Option<PatchInfo>,
    /// The vertex data in memory; null for a draw of registers.
    pub vertex_data: Option<VertexData>,
    /// The state at the draw.
    pub state: Box<State>,
    /// The arithmetic of transform and rasterizer.
    pub arithmetic: ArithmeticName,
    /// The vertices or control points as they are in memory, those of an earlier draw first; empty for a draw of
    /// registers.
    pub source_vertices: Vec<SourceVertexInfo>,
    /// The vertices on their way to the screen, in the same order. Those of a patch are tessellated, sub-patch by
    /// sub-patch.
    pub vertices: Vec<VertexStagesInfo>,
    /// The primitives, in the order of the list.
    pub primitives: Vec<PrimitiveInfo>,
    /// Rules of the hardware that few draws meet and this one does, in words.
    pub rules: Vec<String>,
    /// Numbers of primitives by fate.
    pub fates: Vec<FateCount>,
    /// Numbers of fragments by fate.
    pub fragments: FragmentCounts,
    /// Overdraw inside the draw.
    pub overdraw: OverdrawInfo,
    /// The smallest rectangle around the pixels with a fragment inside the scissor, in the buffers of the draw; null
    /// without such pixels.
    pub touched: Option<PixelBounds>,
    /// The smallest rectangle around the pixels whose colour or depth was written; null without such pixels.
    pub written: Option<PixelBounds>,
    /// Whether the lists and counts are complete; false if a limit cut them short.
    pub is_complete: bool,
    /// The measured time; null if it was not asked for. It differs from run to run.
    pub time: Option<DrawTime>,
    /// The draw as a line of text.
    pub text: String,
    /// Notes on the input and on the whole run.
    pub notes: Vec<NoteInfo>,
}

impl Document for DrawReportDocument {
    const NAME: &'static str = "draw-report";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "Everything about one draw";
}

/// A number format with its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ArithmeticName {
    /// That of the PSP.
    Hardware,
    /// That of emulators.
    Single,
}

impl From<Arithmetic> for ArithmeticName {
    fn from(arithmetic: Arithmetic) -> Self {
        match arithmetic {
            Arithmetic::Hardware => Self::Hardware,
            Arithmetic::Single => Self::Single,
        }
    }
}

impl From<ArithmeticName> for Arithmetic {
    fn from(name: ArithmeticName) -> Self {
        match name {
            ArithmeticName::Hardware => Self::Hardware,
            ArithmeticName::Single => Self::Single,
        }
    }
}

/// The number of primitives with a fate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FateCount {
    /// The fate.
    pub fate: PrimitiveFate,
    /// The number of primitives.
    pub count: u64,
}

/// Overdraw inside a draw.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverdrawInfo {
    /// Number of pixels with a fragment inside the scissor.
    pub pixels: u64,
    /// Largest number of fragments at a pixel.
    pub largest: u32,
    /// Mean number of fragments at the pixels that have one; 0 without such pixels.
    pub mean: Float,
}

/// The time that a draw takes in the fast engine, measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DrawTime {
    /// Number of measured runs.
    pub runs: u32,
    /// Median, in microseconds.
    pub median_us: f64,
    /// Shortest, in microseconds.
    pub fastest_us: f64,
}

impl DrawReportDocument {
    /// Moves a session to a draw, and describes it.
    ///
    /// # Errors
    /// Fails if the run lacks the event, if it is not a draw, or if the user leaves it out.
    pub fn new(
        input: &str,
        session: &mut Session,
        event: EventNumber,
        hashes: &mut ContentHashes,
    ) -> Result<Self, DrawReportError> {
        let report = report::explain(session, event)?;
        let sources = session.sources().to_vec();
        let kept = std::mem::replace(hashes, ContentHashes::new(&session.options().limits));
        let mut describer = DrawDescriber { input, sources: &sources, with_state: true, hashes: kept };
        let mut sink = DescriberSink { describer: &mut describer, found: None };
        session.show_draw(&mut sink);
        let found = sink.found;
        *hashes = describer.hashes;
        let Some((state, draw)) = found.and_then(|mut draw| Some((draw.state.take()?, draw))) else {
            return Err(DrawReportError::LeftOut(report.event));
        };
        Ok(Self::of(input, session, &report, draw, state))
    }

    fn of(
        input: &str,
        session: &Session,
        report: &DrawReport,
        draw: DrawDocument,
        state: Box<State>,
    ) -> Self {
        let (largest, pixels) = report.pixels.overdraw();
        let inside = report.counts.covered.saturating_sub(report.counts.scissor);
        let mut fates: Vec<FateCount> = Vec::new();
        for fate in report.primitives.iter().map(|primitive| primitive.fate()) {
            match fates.iter_mut().find(|known| known.fate == fate) {
                Some(known) => known.count = known.count.saturating_add(1),
                None => fates.push(FateCount { fate, count: 1 }),
            }
        }
        fates.sort_unstable_by_key(|known| std::cmp::Reverse(known.fate));
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            draws: report.draws,
            event: EventInfo::new(session, &report.event),
            kind: draw.kind,
            primitive: draw.primitive,
            continues: draw.continues,
            vertex_data: draw.vertex_data,
            state,
            arithmetic: report.arithmetic.into(),
            source_vertices: (0..).zip(&report.source).map(SourceVertexInfo::from).collect(),
            vertices: (0..).zip(&report.vertices).map(VertexStagesInfo::from).collect(),
            primitives: report
                .primitives
                .iter()
                .map(|primitive| PrimitiveInfo::new(primitive, &report.vertices))
                .collect(),
            rules: applied_rules(report, session.registers(), draw.patch.is_some())
                .iter()
                .map(ToString::to_string)
                .collect(),
            patch: draw.patch,
            fates,
            fragments: report.counts,
            overdraw: OverdrawInfo { pixels, largest, mean: Float(mean(inside, pixels)) },
            touched: report.pixels.bounds(false),
            written: report.pixels.bounds(true),
            is_complete: report.limit_hit.is_none(),
            time: None,
            text: draw.text,
            notes: NoteInfo::of_report(&session.replayed().report),
        }
    }
}

/// Divides a number of fragments by a number of pixels.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a mean for people")]
fn mean(fragments: u64, pixels: u64) -> f32 {
    if pixels == 0 { 0.0 } else { (fragments as f64 / pixels as f64) as f32 }
}

/// Describes the draw that it receives.
struct DescriberSink<'a, 'd> {
    describer: &'a mut DrawDescriber<'d>,
    found: Option<DrawDocument>,
}

impl Sink for DescriberSink<'_, '_> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.found = Some(self.describer.draw(memory, draw, None));
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.found = Some(self.describer.immediate(memory, draw, None));
    }

    fn flush(&mut self, _: &mut Memory) {}
}
