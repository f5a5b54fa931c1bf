//! Notes on an exported frame, to tell the user which effects its scene lacks.

use std::collections::BTreeMap;

use super::collector::{CollectedDraw, DrawMatrices};
use super::drawing_order::{OrderReasons, OrderReport};
use super::note::{ExportNote, ExportNoteKind};
use super::scene::Extra;
use crate::ge::draw_set::DrawSet;

/// A note names no more ranges of draws than this. The extras on their nodes name all.
const RANGES_MAX: usize = 12;

/// Notes which draws rely on the drawing order.
pub(super) fn order_notes(order: &OrderReport, draws: &[CollectedDraw]) -> Vec<ExportNote> {
    let mut notes = Vec::new();
    let compared = draws.iter().filter(|draw| !draw.shape.vertex_type.through).count();
    if !order.draws.is_empty() {
        let mut parts = Vec::new();
        let texts = ["against the depth", "at the same depth as others", "blended over others that blend"];
        for (kind, text) in texts.into_iter().enumerate() {
            let is_of_kind = |OrderReasons { depth, equal_depth, blending }: &OrderReasons| {
                [depth, equal_depth, blending].get(kind).is_some_and(|is_set| **is_set)
            };
            let numbers: Vec<u64> = order
                .draws
                .iter()
                .filter(|(_, reasons)| is_of_kind(reasons))
                .map(|(number, _)| *number)
                .collect();
            if !numbers.is_empty() {
                parts.push(format!("{} {text} ({})", numbers.len(), ranges(&numbers)));
            }
        }
        let message = format!(
            "the drawing order, which the file cannot express, matters to {} of {compared} draws: {}",
            order.draws.len(),
            parts.join(", ")
        );
        notes.push(ExportNote::new(ExportNoteKind::NotExpressed, message));
    }
    if let Some(hit) = order.limit_hit {
        let message = format!("the drawing order is not compared after {hit}");
        notes.push(ExportNote::new(ExportNoteKind::Limit, message));
    }
    notes
}

/// Notes which draws the main camera shows differently from the frame.
pub(super) fn place_notes(draws: &[CollectedDraw], main: Option<&DrawMatrices>) -> Vec<ExportNote> {
    let mut notes = Vec::new();
    let in_space = || draws.iter().filter(|draw| !draw.shape.vertex_type.through);
    if let Some(main) = main {
        let others = in_space().filter(|draw| draw.matrices.projection != main.projection);
        let numbers: Vec<u64> = others.map(|draw| draw.number).collect();
        if !numbers.is_empty() {
            let text =
                "draws use another projection than the camera, which shows them at another place or size";
            let message = format!("{} {text} (draws {})", numbers.len(), ranges(&numbers));
            notes.push(ExportNote::new(ExportNoteKind::NotExpressed, message));
        }
    }
    let mut targets: BTreeMap<u32, usize> = BTreeMap::new();
    for draw in in_space() {
        *targets.entry(draw.target).or_default() += 1;
    }
    // The buffer with the most draws counts as the frame's own.
    let largest = targets.iter().max_by_key(|(_, count)| **count).map(|(target, _)| *target);
    let elsewhere: Vec<u64> =
        in_space().filter(|draw| Some(draw.target) != largest).map(|draw| draw.number).collect();
    if !elsewhere.is_empty() {
        let message = format!(
            "the scene also holds {} into other buffers than most, such as reflections: {}",
            counted(&elsewhere),
            ranges(&elsewhere)
        );
        notes.push(ExportNote::new(ExportNoteKind::NotExpressed, message));
    }
    notes
}

/// Returns why a draw relies on the order, to keep it in its node's extras.
pub(super) fn order_extra(reasons: OrderReasons) -> Extra {
    let OrderReasons { depth, equal_depth, blending } = reasons;
    let names = [(depth, "depth"), (equal_depth, "equal_depth"), (blending, "blending")];
    Extra::List(names.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| Extra::text(name)).collect())
}

/// Counts draws in words.
fn counted(numbers: &[u64]) -> String {
    if numbers.len() == 1 { "1 draw".to_owned() } else { format!("{} draws", numbers.len()) }
}

fn ranges(numbers: &[u64]) -> String {
    few_ranges(numbers, RANGES_MAX)
}

/// Formats draw numbers to pass back as an option, such as `3,40-44`. This cuts lists after `most` ranges.
pub(super) fn few_ranges(numbers: &[u64], most: usize) -> String {
    let list: Vec<String> = numbers.iter().map(u64::to_string).collect();
    let Ok(set) = list.join(",").parse::<DrawSet>() else { return String::new() };
    let text = set.to_string();
    let parts: Vec<&str> = text.split(',').collect();
    match parts.get(..most) {
        Some(first) if parts.len() > most => format!("{},\u{2026}", first.join(",")),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(ranges(&[3, 40, 41, 42]), "3,40-42", "as options take them");
        let odd: Vec<u64> = (0..100).map(|number| 2 * number + 1).collect();
        assert_eq!(ranges(&odd), "1,3,5,7,9,11,13,15,17,19,21,23,\u{2026}", "the first twelve");
    }
}
