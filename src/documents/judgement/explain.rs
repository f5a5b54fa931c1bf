//! Explains a difference by pspge's own run of the input.

use std::ops::Range;

use super::{Explanation, HistorySummary, JudgedBuffer, SuspectEvent};
use crate::compare::WorstRegion;
use crate::debug::passes::covering_events::{
    CoveringEvent, CoveringEvents, MarkedBuffer, MarkedPixels, covering_events,
};
use crate::debug::pixel::history::PixelHistory;
use crate::debug::shot::Shot;
use crate::debug::timeline::TimelineEvent;
use crate::ge::capture::SCREEN;
use crate::pipeline::framebuffer::DepthSurface;

/// How many suspects an explanation names.
const SUSPECTS_MAX: usize = 5;
/// How many lines of a history an explanation shows.
const LINES_MAX: usize = 400;

/// Uses a run to explain a difference's worst region. The pictures have `size`, which may also be twice, four or
/// eight times the screen's. If depths differ, `depth` is the depth buffer.
#[must_use]
pub fn explain(shot: &Shot, size: [u32; 2], worst: &WorstRegion, depth: Option<DepthSurface>) -> Explanation {
    let mut notes = Vec::new();
    let scale = scale(size);
    // This run draws at the screen's size, so places in larger pictures are scaled down to it.
    let position = [worst.worst.x / scale, worst.worst.y / scale];
    let history = match shot.history(None, position) {
        Ok(history) => Some(history),
        Err(error) => {
            notes.push(format!("the pixel has no history: {error}"));
            None
        }
    };
    if let Some(hit) = history.as_ref().and_then(|history| history.limit_hit) {
        notes.push(format!("explanations of later draws are left out: {hit}"));
    }
    let buffer = match (depth, &history) {
        (Some(surface), _) => Some(MarkedBuffer::Depth(surface)),
        (None, Some(history)) => Some(MarkedBuffer::Color(history.target)),
        (None, None) => None,
    };
    let region = worst.region;
    let found = buffer.map(|buffer| {
        let scaled = |range: &Range<u32>| range.start / scale..range.end.div_ceil(scale);
        let [columns, rows] = [region.x..region.x + region.width, region.y..region.y + region.height]
            .map(|range| scaled(&range));
        let marked = MarkedPixels {
            buffer,
            size: size.map(|side| side / scale),
            runs: worst.differing.iter().map(|(row, columns)| (row / scale, scaled(columns))).collect(),
            region: [columns, rows],
        };
        covering_events(shot.clone(), &marked)
    });
    let found = found.unwrap_or_default();
    if found.events.is_empty() && buffer.is_some() {
        notes.push("no event of pspge's run covers the pixels that differ".to_owned());
    }
    Explanation {
        buffer: if depth.is_some() { JudgedBuffer::Depth } else { JudgedBuffer::Color },
        region,
        region_pixels: worst.pixels,
        pixel: worst.worst.clone(),
        first_event: found.first_in_region.as_ref().map(|event| first_event(&found, event)),
        suspects: found.best(SUSPECTS_MAX).into_iter().map(suspect).collect(),
        history: history.map(|history| summary(&history)),
        divergence: None,
        notes,
    }
}

/// Returns how many times larger than the screen the pictures are, or 1 for other sizes.
fn scale([width, height]: [u32; 2]) -> u32 {
    let scale = width / SCREEN[0];
    if scale > 1 && [width, height] == SCREEN.map(|side| side * scale) { scale } else { 1 }
}

fn suspect(event: &CoveringEvent) -> SuspectEvent {
    let CoveringEvent { event, covered, marked } = event;
    SuspectEvent {
        event: event.number,
        draw: event.draw_number(),
        text: event.to_string(),
        covered: *covered,
        covered_differing: *marked,
    }
}

fn first_event(found: &CoveringEvents, event: &TimelineEvent) -> SuspectEvent {
    let known = found.events.iter().find(|known| known.event.number == event.number);
    // An event may cover only those pixels in the region that agree, so it can be missing in the list.
    let none = || CoveringEvent { event: event.clone(), covered: 0, marked: 0 };
    suspect(&known.cloned().unwrap_or_else(none))
}

fn summary(history: &PixelHistory) -> HistorySummary {
    let text = history.to_string();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if let Some(more) = lines.len().checked_sub(LINES_MAX).filter(|more| *more > 0) {
        lines.truncate(LINES_MAX);
        lines.push(format!("... {more} more lines"));
    }
    HistorySummary { verdict: history.verdict(), lines }
}
