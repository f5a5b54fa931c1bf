//! Describes everything about a draw.

use serde::{Deserialize, Serialize};

use super::draw::{DrawDescriber, DrawDocument, DrawKind, PatchInfo, VertexData};
use super::shown_draw::shown_draw;
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
use crate::ge::registers::vertex::PrimitiveType;
use crate::raster::{FragmentCounts, PixelBounds};
use crate::run::watch::RunEventKind;

mod primitives;
mod vertices;

pub use primitives::{PartInfo, PrimitiveInfo};
pub use vertices::{OutcodeName, SourceVertexInfo, VertexInfo, VertexStagesInfo};

/// Everything about a single draw, to find out why it looks as it does: its state, its vertices at each stage, its
/// primitives with their fate, and how many fragments it has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DrawReportDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// How many draws this run has.
    pub draws: u64,
    /// The draw's event.
    pub event: EventInfo,
    /// Where this draw's vertices come from.
    pub kind: DrawKind,
    /// The primitive type; a continuation has the continued draw's type.
    pub primitive: PrimitiveType,
    /// Whether this continues an earlier draw's primitive.
    pub continues: bool,
    /// How the control points form a patch; null for other draws.
    pub patch: Option<PatchInfo>,
    /// The vertex data in memory; null for a draw from registers.
    pub vertex_data: Option<VertexData>,
    /// The state for this draw.
    pub state: Box<State>,
    /// The arithmetic used to transform and rasterize.
    pub arithmetic: ArithmeticName,
    /// The vertices or control points as they are in memory, starting with those taken over from an earlier draw;
    /// empty for a draw from registers.
    pub source_vertices: Vec<SourceVertexInfo>,
    /// The vertices on their way to the screen, in the same order. A patch has its tessellated vertices, sub-patch
    /// by sub-patch.
    pub vertices: Vec<VertexStagesInfo>,
    /// The primitives, in the list's order.
    pub primitives: Vec<PrimitiveInfo>,
    /// Special rules of the hardware that this draw meets, in words. Rules that apply to most draws are left out.
    pub rules: Vec<String>,
    /// How many primitives met each fate.
    pub fates: Vec<FateCount>,
    /// How many fragments met each fate.
    pub fragments: FragmentCounts,
    /// How often this draw covers its own pixels.
    pub overdraw: OverdrawInfo,
    /// The smallest rectangle around the pixels with a fragment inside the scissor, in the draw's buffers; null
    /// without such pixels.
    pub touched: Option<PixelBounds>,
    /// The smallest rectangle around the pixels whose colour or depth was written; null without such pixels.
    pub written: Option<PixelBounds>,
    /// Whether these lists and counts are complete; false if a limit cut them short.
    pub is_complete: bool,
    /// How long this draw takes; null if it was not asked for. It differs from run to run.
    pub time: Option<DrawTime>,
    /// The draw as a line of text.
    pub text: String,
    /// Notes on the input and its whole run.
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
    /// The PSP's own.
    Hardware,
    /// The single precision used by emulators.
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

/// How many primitives met a fate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FateCount {
    /// The fate.
    pub fate: PrimitiveFate,
    /// How many primitives met it.
    pub count: u64,
}

/// How often a draw covers its own pixels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverdrawInfo {
    /// How many pixels have a fragment inside the scissor.
    pub pixels: u64,
    /// The most fragments at any pixel.
    pub largest: u32,
    /// The mean number of fragments at these pixels; 0 without such pixels.
    pub mean: Float,
}

/// How long a draw takes in the fast engine, measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DrawTime {
    /// How many runs were timed.
    pub runs: u32,
    /// The median time, in microseconds.
    pub median_us: f64,
    /// The shortest time, in microseconds.
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
        let found = shown_draw(session, |memory, draw| match draw {
            RunEventKind::Draw(draw) => Some(describer.draw(memory, draw, None)),
            RunEventKind::Immediate(draw) => Some(describer.immediate(memory, draw, None)),
            RunEventKind::Transfer(_) | RunEventKind::Cpu { .. } => None,
        });
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

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a mean for people")]
fn mean(fragments: u64, pixels: u64) -> f32 {
    if pixels == 0 { 0.0 } else { (fragments as f64 / pixels as f64) as f32 }
}
