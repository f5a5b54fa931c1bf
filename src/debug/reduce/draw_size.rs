//! Removes vertices at the start and the end of draws.

use super::trials::Trials;
use crate::debug::trim::excerpt::{Excerpt, ItemDraw, ItemStep};
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View;
use crate::ge::registers::vertex::{Prim, PrimitiveType};

/// Shortens all draws as far as the kept pixels allow.
pub(super) fn shorten(excerpt: &mut Excerpt, trials: &mut Trials<'_>) {
    for number in 0..excerpt.items.len() {
        for cut in [without_last, without_first] {
            let mut count = draw_at(excerpt, number).map_or(0, |draw| prim(&draw).count) / 2;
            while count > 0 && !trials.is_exhausted() {
                let shorter = draw_at(excerpt, number).and_then(|draw| cut(draw, count));
                let mut candidate = excerpt.clone();
                let is_shorter = match (shorter, candidate.items.get_mut(number)) {
                    (Some(draw), Some(item)) => {
                        item.step = ItemStep::Draw(draw);
                        trials.try_replace(excerpt, candidate)
                    }
                    _ => false,
                };
                if !is_shorter {
                    count /= 2;
                }
            }
        }
    }
}

/// Returns the PRIM at a position among the steps.
fn draw_at(excerpt: &Excerpt, number: usize) -> Option<ItemDraw> {
    match excerpt.items.get(number)?.step {
        ItemStep::Draw(draw) if draw.command.opcode() == Opcode::PRIM => Some(draw),
        _ => None,
    }
}

fn prim(draw: &ItemDraw) -> Prim {
    Prim::from_argument(draw.command.argument())
}

/// Returns a draw with another count that starts `skipped` bytes later.
fn resized(draw: ItemDraw, count: u16, skipped: u32) -> Option<ItemDraw> {
    let Prim { primitive, count: before } = prim(&draw);
    let element = draw.advance.checked_div(before.into())?;
    if count == 0 || count >= before {
        return None;
    }
    let mut resized = draw;
    resized.command = Prim { primitive, count }.to(Opcode::PRIM);
    resized.advance = element.saturating_mul(count.into());
    let pointer = resized.indices.as_mut().unwrap_or(&mut resized.vertices);
    *pointer = pointer.offset(element.saturating_mul(skipped));
    Some(resized)
}

/// Removes about `count` vertices at the end.
fn without_last(draw: ItemDraw, count: u16) -> Option<ItemDraw> {
    resized(draw, prim(&draw).count.checked_sub(count)?, 0)
}

/// Removes `count` vertices at the start, if whole primitives begin there.
fn without_first(draw: ItemDraw, count: u16) -> Option<ItemDraw> {
    let Prim { primitive, count: before } = prim(&draw);
    let unit = match primitive {
        PrimitiveType::POINTS | PrimitiveType::LINE_STRIP => 1,
        // Every second triangle in a strip is reversed. Skipping an odd number of vertices would reverse the rest.
        PrimitiveType::LINES | PrimitiveType::RECTANGLES | PrimitiveType::TRIANGLE_STRIP => 2,
        PrimitiveType::TRIANGLES => 3,
        // All triangles in a fan share its first vertex, so none can be removed at the start.
        _ => return None,
    };
    let skipped = count.checked_next_multiple_of(unit)?;
    resized(draw, before.checked_sub(skipped)?, skipped.into())
}
