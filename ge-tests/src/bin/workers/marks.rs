//! Marks moments in a run with their times: a sink notes the interpreter's calls, a `tracing` subscriber the rest.

use std::fmt::{Debug, Write};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use pspge::ge::address::{Address, Region, VRAM_SIZE, VramView};
use pspge::ge::memory::Memory;
use pspge::ge::registers::vertex::VertexType;
use pspge::pipeline::draw::{Draw, ImmediateDraw};
use pspge::raster::Rasterizer;
use pspge::run::sink::Sink;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::work::{Action, DrawWork, FillTime, Way};

/// The start of the target for the rasterizer's spans and events.
const TARGET: &str = "pspge::raster";

/// All marks so far. They are global, because a subscriber is.
static MARKS: Mutex<Vec<Mark>> = Mutex::new(Vec::new());

/// A moment in a run.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    /// When this moment was reached.
    pub(crate) from: Instant,
    /// When this moment was noted; the time between is the cost of noting.
    pub(crate) to: Instant,
    pub(crate) moment: Moment,
}

/// What happens at a mark.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Moment {
    Action(Action),
    /// Begins to lower a draw with this much work.
    BeginLowering(u64),
    EndLowering,
    BeginPass,
    EndPass,
    /// Begins a band at this row.
    BeginBand(usize),
    EndBand,
}

/// Removes and returns all marks.
pub(crate) fn take() -> Vec<Mark> {
    std::mem::take(&mut *MARKS.lock().unwrap_or_else(PoisonError::into_inner))
}

fn note(from: Instant, moment: Moment) {
    let mut marks = MARKS.lock().unwrap_or_else(PoisonError::into_inner);
    marks.push(Mark { from, to: from, moment });
    if let Some(mark) = marks.last_mut() {
        mark.to = Instant::now();
    }
}

/// A sink that notes its calls.
#[derive(Debug)]
pub(crate) struct MarkingSink {
    pub(crate) raster: Rasterizer,
}

impl Sink for MarkingSink {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        if draw.registers.get::<VertexType>().reads_vram(draw.vertices, draw.indices) {
            note(Instant::now(), Moment::Action(Action::VertexMemory));
        }
        self.raster.draw(memory, draw);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.raster.draw_immediate(memory, draw);
    }

    fn flush(&mut self, memory: &mut Memory) {
        note(Instant::now(), Moment::Action(Action::Flush));
        self.raster.flush(memory);
    }

    fn flush_for_read(&mut self, memory: &mut Memory, start: Address, length: u32) {
        if let Some(bytes) = vram_bytes(start, length) {
            note(Instant::now(), Moment::Action(Action::Read(bytes)));
        }
        self.raster.flush_for_read(memory, start, length);
    }

    fn flush_for_comparison(&mut self, memory: &mut Memory, start: Address, length: u32) -> bool {
        if let Some(bytes) = vram_bytes(start, length) {
            note(Instant::now(), Moment::Action(Action::Compare(bytes)));
        }
        self.raster.flush_for_comparison(memory, start, length)
    }

    fn flush_for_write(&mut self, memory: &mut Memory, start: Address, length: u32) {
        note(Instant::now(), Moment::Action(Action::Write(vram_bytes(start, length))));
        self.raster.flush_for_write(memory, start, length);
    }

    fn flush_textures(&mut self) {
        self.raster.flush_textures();
    }

    pspge::run::sink::forward_limits!(raster);
}

/// Finds the bytes in linear VRAM that a range can reach, or `None` outside VRAM.
fn vram_bytes(start: Address, length: u32) -> Option<Range<usize>> {
    let all = 0..VRAM_SIZE as usize;
    match start.region() {
        Region::Vram(VramView::Linear, offset) if offset.saturating_add(length) <= VRAM_SIZE => {
            Some(offset as usize..(offset + length) as usize)
        }
        _ => (start.is_vram() || start.offset(length).is_vram()).then_some(all),
    }
}

/// Notes the rasterizer's spans and events. For this, it must be the program's own subscriber.
#[derive(Debug)]
pub(crate) struct MarkingSubscriber;

/// The number for a render pass's span. Bands' spans follow, by their first rows.
const PASS: u64 = 1;
/// The first number for spans in which a draw is lowered, by their work.
const LOWERING: u64 = 1 << 32;

impl Subscriber for MarkingSubscriber {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with(TARGET)
            && (metadata.is_event() || ["lower", "render_pass", "band"].contains(&metadata.name()))
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::default();
        span.record(&mut fields);
        Id::from_u64(match span.metadata().name() {
            "band" => PASS + 1 + fields.number("first_row"),
            "lower" => LOWERING + fields.number("work"),
            _ => PASS,
        })
    }

    fn event(&self, event: &Event<'_>) {
        let from = Instant::now();
        let mut fields = Fields::default();
        event.record(&mut fields);
        if let Some(action) = fields.action() {
            note(from, Moment::Action(action));
        }
    }

    fn enter(&self, span: &Id) {
        let moment = match span.into_u64() {
            PASS => Moment::BeginPass,
            LOWERING.. => Moment::BeginLowering(span.into_u64() - LOWERING),
            band => Moment::BeginBand(usize::try_from(band - PASS - 1).unwrap_or(0)),
        };
        note(Instant::now(), moment);
    }

    fn exit(&self, span: &Id) {
        let moment = match span.into_u64() {
            PASS => Moment::EndPass,
            LOWERING.. => Moment::EndLowering,
            _ => Moment::EndBand,
        };
        note(Instant::now(), moment);
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}
}

/// An event's fields.
#[derive(Debug, Default)]
struct Fields {
    numbers: Vec<(&'static str, u64)>,
    texts: Vec<(&'static str, String)>,
}

impl Visit for Fields {
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.numbers.push((field.name(), value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let mut text = String::new();
        if write!(text, "{value:?}").is_ok() {
            self.texts.push((field.name(), text));
        }
    }
}

impl Fields {
    fn number(&self, name: &str) -> u64 {
        self.numbers.iter().find(|(field, _)| *field == name).map_or(0, |(_, value)| *value)
    }

    fn text(&self, name: &str) -> &str {
        self.texts.iter().find(|(field, _)| *field == name).map_or("", |(_, value)| value)
    }

    /// Returns the action for an event in the rasterizer.
    fn action(&self) -> Option<Action> {
        match self.text("message") {
            "texels copied" => Some(Action::CopyTexels(ranges(self.text("bytes")).pop()?)),
            "draw submitted" => Some(Action::Draw(Box::new(DrawWork {
                way: match self.text("way") {
                    "Pass" => Way::Pass,
                    "Copies" => Way::Copies,
                    _ => Way::Alone,
                },
                cost: self.number("cost"),
                max_pixels: self.number("max_pixels"),
                primitives: self.number("primitives"),
                color: self.text("color").to_owned(),
                depth: Some(self.text("depth")).filter(|text| *text != "None").map(str::to_owned),
                rows: ranges(self.text("rows")).pop().unwrap_or_default(),
                writes: ranges(self.text("writes")),
                reads: ranges(self.text("reads")),
                fill: FillTime::default(),
            }))),
            _ => None,
        }
    }
}

/// Reads all ranges in a text such as `[0..16, 32..64]`.
fn ranges(text: &str) -> Vec<Range<usize>> {
    let numbers = text.split(|character: char| !character.is_ascii_digit()).filter(|part| !part.is_empty());
    let numbers: Vec<usize> = numbers.filter_map(|part| part.parse().ok()).collect();
    numbers.chunks_exact(2).map(|ends| ends[0]..ends[1]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        assert_eq!(ranges("[0..16, 32..64]"), [0..16, 32..64], "a list");
        assert_eq!(ranges("8..272"), std::iter::once(8..272).collect::<Vec<_>>(), "one");
        assert!(ranges("[]").is_empty(), "none");
    }

    #[test]
    fn bytes_outside_the_linear_view_may_be_anywhere() {
        assert_eq!(vram_bytes(Address::vram(16), 4), Some(16..20), "linear");
        assert_eq!(vram_bytes(Address::new(0x0460_0000), 4), Some(0..0x20_0000), "permuted");
        assert_eq!(vram_bytes(Address::vram(0x1F_FFFF), 4), Some(0..0x20_0000), "beyond the view");
        assert_eq!(vram_bytes(Address::new(0x0880_0000), 4), None, "main RAM");
    }
}
