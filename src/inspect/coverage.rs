//! Finds the pixels under a draw, whether its tests pass or not.

use crate::debug::timeline::EventNumber;
use crate::ge::memory::Memory;
use crate::ge::never::OrNever;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::framebuffer::COORDINATES;
use crate::run::sink::Sink;

use super::answer::CoverageAnswer;
use super::draw_pixels::DrawPixels;
use super::error::InspectError;
use super::run::Run;
use crate::ge::arithmetic::Arithmetic;

/// Returns the box around a draw's pixels, and how many fragments each pixel in it has.
///
/// # Errors
/// Fails if the run has no such event, if it is no draw, or if an edit leaves it out.
pub(super) fn coverage(run: &Run, event: EventNumber) -> Result<(CoverageAnswer, Vec<u8>), InspectError> {
    let mut session = run.session();
    session.seek(event)?;
    let mut sink = CoverageSink { arithmetic: run.shot.arithmetic(), found: None };
    session.show_draw(&mut sink);
    let (pixels, counts) = sink.found.ok_or_else(|| {
        InspectError::new("inapplicable", &format!("event {event} is not a draw, or an edit leaves it out"))
    })?;
    let Some(bounds) = pixels.bounds() else {
        let none = CoverageAnswer { left: 0, top: 0, width: 0, height: 0, pixels: 0, fragments: 0 };
        return Ok((none, Vec::new()));
    };
    let [left, top, right, bottom] = [bounds.left, bounds.top, bounds.right, bounds.bottom].map(u32::from);
    let mut bytes = Vec::new();
    // The sink counts in rows of the whole buffer, but the answer holds only the box, to keep it small.
    for row in top..=bottom {
        let start = index(left, row);
        let columns = counts.get(start..=index(right, row)).or_never("the box is inside the buffer");
        bytes.extend_from_slice(columns);
    }
    let answer = CoverageAnswer {
        left,
        top,
        width: right - left + 1,
        height: bottom - top + 1,
        pixels: bytes.iter().filter(|count| **count > 0).count() as u64,
        fragments: pixels.fragments,
    };
    Ok((answer, bytes))
}

/// Returns a pixel's index in a buffer of the largest size.
const fn index(column: u32, row: u32) -> usize {
    ((row % COORDINATES) * COORDINATES + column % COORDINATES) as usize
}

/// Finds the pixels under the draw that it receives.
struct CoverageSink {
    arithmetic: Arithmetic,
    found: Option<(DrawPixels, Vec<u8>)>,
}

impl CoverageSink {
    fn empty() -> Vec<u8> {
        vec![0; (COORDINATES * COORDINATES) as usize]
    }
}

/// Adds a fragment to each pixel in a run of columns.
fn count(counts: &mut [u8], row: u32, columns: std::ops::Range<u32>) {
    for column in columns {
        if let Some(count) = counts.get_mut(index(column, row)) {
            *count = count.saturating_add(1);
        }
    }
}

impl Sink for CoverageSink {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let (mut pixels, mut counts) = (DrawPixels::new(draw.registers), Self::empty());
        draw.to_screen(memory, self.arithmetic, &mut |primitive| {
            pixels.add(primitive, |row, columns| count(&mut counts, row, columns));
        });
        self.found = Some((pixels, counts));
    }

    fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
        let (mut pixels, mut counts) = (DrawPixels::new(draw.registers), Self::empty());
        if let Some(primitive) = draw.to_screen(self.arithmetic) {
            pixels.add(&primitive, |row, columns| count(&mut counts, row, columns));
        }
        self.found = Some((pixels, counts));
    }

    fn flush(&mut self, _: &mut Memory) {}
}
