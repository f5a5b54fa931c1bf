//! Finds the pixels under a draw, whether its tests pass or not.

use crate::debug::timeline::EventNumber;
use crate::documents::shown_draw::shown_draw;
use crate::ge::never::OrNever;
use crate::pipeline::framebuffer::COORDINATES;

use super::answer::CoverageAnswer;
use super::draw_pixels::DrawPixels;
use super::error::InspectError;
use super::run::Run;

/// Returns the box around a draw's pixels, and how many fragments each pixel in it has.
///
/// # Errors
/// Fails if the run has no such event, if it is no draw, or if an edit leaves it out.
pub(super) fn coverage(run: &Run, event: EventNumber) -> Result<(CoverageAnswer, Vec<u8>), InspectError> {
    let mut session = run.session();
    session.seek(event)?;
    let found = shown_draw(&mut session, |memory, draw| {
        let mut pixels = DrawPixels::new(draw.draw_registers()?);
        let mut counts = vec![0_u8; (COORDINATES * COORDINATES) as usize];
        draw.to_screen(memory, run.shot.arithmetic(), &mut |primitive| {
            pixels.add(primitive, |row, columns| count(&mut counts, row, columns));
        });
        Some((pixels, counts))
    });
    let (pixels, counts) = found.ok_or_else(|| {
        InspectError::inapplicable(format!("event {event} is not a draw, or an edit leaves it out"))
    })?;
    let Some(bounds) = pixels.bounds() else {
        let none = CoverageAnswer { left: 0, top: 0, width: 0, height: 0, pixels: 0, fragments: 0 };
        return Ok((none, Vec::new()));
    };
    let [left, top, right, bottom] = [bounds.left, bounds.top, bounds.right, bounds.bottom].map(u32::from);
    let mut bytes = Vec::new();
    // Fragments are counted in rows of the whole buffer, but the answer holds only the box, to keep it small.
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

/// Adds a fragment to each pixel in a run of columns.
fn count(counts: &mut [u8], row: u32, columns: std::ops::Range<u32>) {
    for column in columns {
        if let Some(count) = counts.get_mut(index(column, row)) {
            *count = count.saturating_add(1);
        }
    }
}
