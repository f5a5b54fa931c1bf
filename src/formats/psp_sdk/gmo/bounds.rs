//! Checks boxes before they are used to skip meshes.

use super::scene::{Arrays, Indices, Mesh, Part};
use crate::ge::registers::vertex::ComponentFormat;

/// How far a vertex may lie outside, relative to the box, because files round.
const TOLERANCE: f32 = 1e-4;

/// Returns whether the box around these corners contains all vertices that a mesh draws. Vertices that are not
/// floats count as outside.
pub(super) fn contains(part: &Part<'_>, mesh: &Mesh<'_>, corners: &[[f32; 3]; 8]) -> bool {
    let side = |axis: usize, pick: fn(f32, f32) -> f32| {
        corners.iter().filter_map(|corner| corner.get(axis).copied()).fold(f32::NAN, pick)
    };
    let sides = [0, 1, 2].map(|axis| {
        let (low, high) = (side(axis, f32::min), side(axis, f32::max));
        let slack = (high - low) * TOLERANCE;
        low - slack..=high + slack
    });
    let is_inside = |arrays: &Arrays<'_>, vertex: u32| {
        position(arrays, vertex)
            .is_some_and(|position| position.iter().zip(&sides).all(|(value, side)| side.contains(value)))
    };
    mesh.draws.iter().all(|draw| {
        let Some(arrays) = part.arrays.get(draw.arrays) else { return false };
        match draw.indices {
            Indices::From(first) => {
                let count = u32::try_from(draw.shape.vertices()).unwrap_or(u32::MAX);
                let end = first.saturating_add(count).min(arrays.count);
                (first..end).all(|vertex| is_inside(arrays, vertex))
            }
            Indices::List(list) => {
                let (pairs, _) = list.bytes().as_chunks::<2>();
                let mut indices = pairs.iter().map(|pair| u32::from(u16::from_le_bytes(*pair)));
                indices.all(|vertex| vertex >= arrays.count || is_inside(arrays, vertex))
            }
        }
    })
}

/// Reads a vertex's position, which is its last component; `None` if it is not in floats.
fn position(arrays: &Arrays<'_>, vertex: u32) -> Option<[f32; 3]> {
    if arrays.vertex_type.position != ComponentFormat::FLOAT {
        return None;
    }
    let end = u64::from(vertex).checked_add(1)?.checked_mul(arrays.bytes.into())?;
    let words = arrays.data.array::<[u8; 4]>(end.checked_sub(12)?, 3).ok()?;
    let [x, y, z] = words else { return None };
    Some([*x, *y, *z].map(f32::from_le_bytes))
}
