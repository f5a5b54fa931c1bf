//! Reports on a draw: its vertices at each stage, each primitive's fate, and how many fragments it has.
//!
//! ```
//! use pspge::debug::draw::report::{self, PrimitiveFate};
//! use pspge::debug::{EventNumber, Session, SessionOptions};
//!
//! let list = "FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888
//!     SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | BASE hi(v)
//!     VTYPE position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=RECTANGLES count=2
//!     FINISH | END | v: .s16 10 20 0 30 50 0";
//! let capture = pspge::asm::assemble(list)?.capture();
//! let mut session = Session::open(capture, SessionOptions::default());
//! let report = report::explain(&mut session, EventNumber(0))?;
//! assert_eq!(report.primitives[0].fate(), PrimitiveFate::Drawn);
//! assert_eq!((report.vertices[1].screen.x, report.counts.passed), (30 * 16, 20 * 30));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::primitive_fate::{DrawnPrimitive, PartOutcome};
use crate::debug::session::{NoSuchEvent, Session};
use crate::debug::timeline::{EventNumber, TimelineEvent};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::limits::{Budget, Limit, LimitHit};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::draw::primitive_record::PrimitiveRecord;
use crate::pipeline::draw::vertex_stages::{SourceVertex, VertexStages};
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::vertex::Vertex;
use crate::raster::{DrawCounter, DrawnPixels, FragmentCounts};
use crate::run::sink::Sink;

pub use super::primitive_fate::PrimitiveFate;

/// Everything about a draw.
#[derive(Clone, Debug)]
pub struct DrawReport {
    /// The draw's event.
    pub event: TimelineEvent,
    /// How many draws the run has.
    pub draws: u64,
    /// The arithmetic used to transform and rasterize.
    pub arithmetic: Arithmetic,
    /// The vertices or control points as they are in memory. A draw from registers has none.
    pub source: Vec<SourceVertex>,
    /// The vertices on their way to the screen. For a patch, these are tessellated.
    pub vertices: Vec<VertexStages>,
    /// The primitives, by number.
    pub primitives: Vec<DrawnPrimitive>,
    /// How many fragments all primitives have together.
    pub counts: FragmentCounts,
    /// The pixels that the draw touched inside the scissor.
    pub pixels: DrawnPixels,
    /// The limit that cut this report short, if any. Lists then end early, and counts are too small.
    pub limit_hit: Option<LimitHit>,
}

/// Tells why there is no report on an event.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawReportError {
    /// The run does not have the event.
    #[error(transparent)]
    NoSuchEvent(#[from] NoSuchEvent),
    /// The event is a block transfer or an action by the CPU.
    #[error("{0} is not a draw")]
    NotADraw(TimelineEvent),
    /// The user has left this draw out.
    #[error("{0} is left out")]
    LeftOut(TimelineEvent),
}

/// Puts a session to a draw and reports on it. The session's limits apply: lists take at most [`Limits::memory`],
/// and fragments [`Limits::pixels`].
///
/// # Errors
/// If the run does not have this event, or if it is not a draw.
///
/// [`Limits::memory`]: crate::ge::limits::Limits::memory
/// [`Limits::pixels`]: crate::ge::limits::Limits::pixels
pub fn explain(session: &mut Session, event: EventNumber) -> Result<DrawReport, DrawReportError> {
    session.seek(event)?;
    let options = *session.options();
    let mut sink = ReportSink {
        arithmetic: options.raster.arithmetic,
        counter: session.draw_counter(),
        budget: Budget::new(&options.limits, Limit::Memory),
        source: Vec::new(),
        vertices: Vec::new(),
        primitives: Vec::new(),
        limit_hit: None,
    };
    session.show_draw(&mut sink);
    let event = match session.next_event() {
        Some(event) if event.draw_number().is_some() => event.clone(),
        Some(event) => return Err(DrawReportError::NotADraw(event.clone())),
        None => return Err(NoSuchEvent { event, count: session.timeline().len() }.into()),
    };
    Ok(DrawReport {
        event,
        draws: session.timeline().draws() as u64,
        arithmetic: sink.arithmetic,
        source: sink.source,
        vertices: sink.vertices,
        primitives: sink.primitives,
        counts: sink.counter.counts(),
        limit_hit: sink.limit_hit.or_else(|| sink.budget.limit_hit()),
        pixels: sink.counter.into_pixels(),
    })
}

/// Builds a report from the only draw that it receives.
struct ReportSink {
    arithmetic: Arithmetic,
    counter: DrawCounter,
    budget: Budget,
    source: Vec<SourceVertex>,
    vertices: Vec<VertexStages>,
    primitives: Vec<DrawnPrimitive>,
    limit_hit: Option<LimitHit>,
}

impl ReportSink {
    /// Draws a record's primitives into a copy of memory, to count their fragments. Keeps the record with these
    /// counts.
    fn add(&mut self, memory: &mut Memory, registers: &Registers, record: &PrimitiveRecord) {
        if self.budget.spend(size_of::<DrawnPrimitive>() as u64).is_err() {
            return;
        }
        let outcomes = record.parts.iter().map(|part| match part.drawn() {
            None => PartOutcome::undrawn(part),
            Some(primitive) => match self.counter.draw(memory, registers, primitive) {
                Ok(counts) => PartOutcome::drawn(primitive, counts),
                Err(hit) => {
                    self.limit_hit = Some(hit);
                    PartOutcome::unknown()
                }
            },
        });
        let outcomes = outcomes.collect();
        self.primitives.push(DrawnPrimitive { record: record.clone(), outcomes });
    }
}

impl Sink for ReportSink {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        if draw.uncached {
            self.counter.skip_texel_cache();
        }
        let (arithmetic, budget) = (self.arithmetic, &mut self.budget);
        draw.source_vertices(memory, arithmetic, &mut |vertex| {
            let bytes = size_of::<SourceVertex>() + vertex.frames.len() * size_of::<Vertex>();
            if budget.spend(bytes as u64).is_ok() {
                self.source.push(vertex.clone());
            }
        });
        draw.vertex_stages(memory, arithmetic, &mut |vertex| {
            if budget.spend(size_of::<VertexStages>() as u64).is_ok() {
                self.vertices.push(*vertex);
            }
        });
        let copy = &mut memory.clone();
        draw.record_primitives(memory, arithmetic, &mut |record| self.add(copy, draw.registers, record));
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        if draw.uncached {
            self.counter.skip_texel_cache();
        }
        self.vertices.extend(draw.vertex_stages());
        self.add(&mut memory.clone(), draw.registers, &draw.record(self.arithmetic));
    }

    fn flush(&mut self, _: &mut Memory) {}
}

#[cfg(test)]
mod tests;
