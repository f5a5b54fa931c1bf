//! Explains in a sentence how an event affects a pixel.

use super::history::{HistoryCause, HistoryEntry, PixelHistory, wrote};
use crate::ge::capture::Action;
use crate::ge::registers::pixel::BlendEquation;
use crate::pipeline::primitive::{ScreenPrimitive, Shape};
use crate::raster::WatchedFragment;
use crate::raster::fragment_record::{BlendRecord, TestName, TestRecord};

impl PixelHistory {
    /// Explains in a sentence why the pixel has its final value.
    #[must_use]
    pub fn verdict(&self) -> String {
        match (self.last_writer(), self.last_change()) {
            (None, _) => {
                format!("no event writes the pixel: {} from start to end", self.color_text(self.last))
            }
            (Some(writer), Some(change)) if writer.event.number != change.event.number => {
                let [writer, change] = [writer, change].map(|entry| self.verdict_of(entry));
                format!("{writer}; the value is that of {change}")
            }
            (Some(writer), None) => format!("{}; the value is that of the start", self.verdict_of(writer)),
            (Some(writer), Some(_)) => self.verdict_of(writer),
        }
    }

    /// Describes in a sentence how an entry affects the pixel.
    #[must_use]
    pub fn verdict_of(&self, entry: &HistoryEntry) -> String {
        of_entry(self, entry)
    }

    /// Describes in a few words how a fragment affects the pixel.
    #[must_use]
    pub fn verdict_of_fragment(&self, fragment: &WatchedFragment) -> String {
        of_fragment(self, fragment)
    }

    /// Formats the pixel's bits as a colour, such as `#ff8000ff`.
    #[must_use]
    pub fn color_text(&self, bits: u32) -> String {
        color_text(self.color(bits))
    }
}

/// Writes a sentence about an entry.
fn of_entry(history: &PixelHistory, entry: &HistoryEntry) -> String {
    let number = entry.event.number;
    let change = || change(history, entry.before, entry.after);
    match &entry.cause {
        HistoryCause::Draw(fragments) => {
            // The last fragment to write the pixel decides. If none did, the last to be stopped does.
            let decisive = fragments.iter().rev().find(|fragment| wrote(fragment)).or(fragments.last());
            let draw = format!("draw {} of {}", entry.event.draw, history.draws);
            match decisive {
                Some(fragment) => {
                    let shape = shape_name(&fragment.primitive);
                    format!("{draw}, {shape} {}: {}", fragment.number, of_fragment(history, fragment))
                }
                None => draw,
            }
        }
        HistoryCause::Transfer { from, written: true } => {
            format!("event {number}, block transfer from {from}: copied, {}", change())
        }
        HistoryCause::Transfer { .. } => {
            format!("event {number}, block transfer: nothing copied, because memory is missing")
        }
        HistoryCause::Cpu { written: false, .. } => {
            let kept = history.color_text(entry.after);
            format!("event {number}, copy by the CPU: not written, because the run has drawn {kept} itself")
        }
        HistoryCause::Cpu { action: Action::Fill { value, .. }, .. } => {
            format!("event {number}, fill by the CPU with 0x{value:02x}: written, {}", change())
        }
        HistoryCause::Cpu { from: Some(from), .. } => {
            format!("event {number}, copy by the CPU from {from}: written, {}", change())
        }
        HistoryCause::Cpu { .. } => format!("event {number}, CPU: written, {}", change()),
    }
}

/// Writes a few words about a fragment.
fn of_fragment(history: &PixelHistory, fragment: &WatchedFragment) -> String {
    let record = &fragment.record;
    if let Some(test) = record.failed_test() {
        let mut text = format!("killed by {}", failure(test));
        if let Some(stencil) = record.stencil.filter(|_| record.before.stencil != record.after.stencil) {
            let (operation, before) = (stencil.operation, record.before.stencil);
            text += &format!(
                "; {operation} changes the stencil from 0x{before:02x} to 0x{:02x}",
                record.after.stencil
            );
        }
        return text;
    }
    if fragment.is_depth {
        let (before, after) = (record.before.depth, record.after.depth);
        return match record.depth_write {
            Some(_) if before == after => format!("written as depth, 0x{after:04x} over the same value"),
            Some(_) => format!("written as depth, 0x{after:04x} over 0x{before:04x}"),
            None => "passed, but the draw writes no depth".to_owned(),
        };
    }
    let Some(write) = record.color_write.filter(|write| write.protected != [255; 4]) else {
        return if record.clear {
            "passed, but clear mode writes no colour".to_owned()
        } else {
            "passed, but the masks protect every bit".to_owned()
        };
    };
    let done = if record.clear { "cleared" } else { "written" };
    let mut text = format!("{done}, {}", change(history, fragment.before, fragment.after));
    if let Some(blend) = &record.blend {
        text += &format!(" by {}", blend_text(blend));
    }
    if let Some(logic) = &record.logic {
        text += &format!(", logic operation {}", logic.operation);
    }
    if write.protected != [0; 4] && !record.clear {
        text += &format!(", without the bits {}", color_text(write.protected));
    }
    text
}

/// Describes how the pixel changed, such as `#ff8000ff over #000000ff`.
fn change(history: &PixelHistory, before: u32, after: u32) -> String {
    let after_text = history.color_text(after);
    if before == after {
        format!("{after_text} over the same value")
    } else {
        format!("{after_text} over {}", history.color_text(before))
    }
}

/// Formats red, green, blue and alpha in hexadecimal.
pub(super) fn color_text([red, green, blue, alpha]: [u8; 4]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}{alpha:02x}")
}

/// Formats a blend's factors, and its equation unless it is the usual addition.
pub(super) fn blend_text(blend: &BlendRecord) -> String {
    let BlendRecord { equation, source_factor, destination_factor, .. } = blend;
    match *equation {
        BlendEquation::ADD => format!("{source_factor}, {destination_factor}"),
        BlendEquation::SUBTRACT | BlendEquation::REVERSE_SUBTRACT => {
            format!("{equation} of {source_factor}, {destination_factor}")
        }
        _ => equation.to_string(),
    }
}

/// Describes a failed test with its operands, such as `depth: 0x3fff GREATER_EQUAL 0x41a0 fails`.
fn failure(test: &TestRecord) -> String {
    match test.test {
        TestName::Scissor => {
            let [at, first, last] = [test.value, test.reference, test.last.unwrap_or(0)].map(corner_text);
            format!("the scissor: {at} is not in {first} to {last}")
        }
        TestName::DepthRange => {
            let (value, first, last) = (test.value, test.reference, test.last.unwrap_or(0));
            format!("the depth range: 0x{value:04x} is not in 0x{first:04x} to 0x{last:04x}")
        }
        _ => format!("{} fails", test_text(test)),
    }
}

/// Formats a test with its operands, such as `depth: 0x3fff GREATER_EQUAL 0x41a0`.
pub(super) fn test_text(test: &TestRecord) -> String {
    let function = test.function.unwrap_or_default();
    let (name, digits, full_mask) = match test.test {
        TestName::Scissor | TestName::DepthRange => {
            let [value, first, last] = [test.value, test.reference, test.last.unwrap_or(0)];
            let text = match test.test {
                TestName::Scissor => [value, first, last].map(corner_text),
                _ => [value, first, last].map(|depth| format!("0x{depth:04x}")),
            };
            let [value, first, last] = text;
            let name = if test.test == TestName::Scissor { "scissor" } else { "depth range" };
            return format!("{name}: {value} in {first} to {last}");
        }
        TestName::Alpha => ("alpha", 2, 0xFF),
        TestName::Color => ("colour", 6, 0xFF_FFFF),
        TestName::Stencil => ("stencil", 2, 0xFF),
        TestName::Depth => ("depth", 4, u32::MAX),
    };
    let operand = |value: u32| match test.test {
        TestName::Color => {
            let [red, green, blue, _] = value.to_le_bytes();
            format!("#{red:02x}{green:02x}{blue:02x}")
        }
        _ => format!("0x{value:0digits$x}"),
    };
    let mut text = format!("{name}: {} {function} {}", operand(test.value), operand(test.reference));
    if let Some(mask) = test.mask.filter(|mask| *mask != full_mask) {
        text += &format!(" under the mask {}", operand(mask));
    }
    text
}

/// Formats a packed column and row.
fn corner_text(packed: u32) -> String {
    format!("{},{}", packed & 0xFFFF, packed >> 16)
}

/// Names a primitive's shape.
pub(super) const fn shape_name(primitive: &ScreenPrimitive) -> &'static str {
    match primitive.shape {
        Shape::Point(_) => "point",
        Shape::Line(_) => "line",
        Shape::Triangle(_) => "triangle",
        Shape::Rectangle(_) => "rectangle",
    }
}
