//! Compares found triangles with expected triangles.

use std::collections::HashMap;

use crate::output::export::reader::Triangle;

/// How far texture coordinates may differ, per unit of distance from the origin.
const TEXCOORD_TOLERANCE: f64 = 1e-5;
/// How far directions may differ, in radians.
const NORMAL_TOLERANCE: f64 = 2e-3;

/// Returns whether texture coordinates and the directions of normals agree. Without a texture, the found triangle may
/// lack coordinates.
pub(crate) fn same_attributes(found: &Triangle, expected: &Triangle, textured: bool) -> bool {
    let has_texcoords = textured || found.texcoords != [[0.0; 2]; 3];
    (0..3).all(|corner| {
        let texcoords = found.texcoords[corner].into_iter().zip(expected.texcoords[corner]);
        let near = |(a, b): (f32, f32)| {
            let (a, b) = (f64::from(a), f64::from(b));
            (a - b).abs() <= TEXCOORD_TOLERANCE * (1.0 + b.abs())
        };
        (!has_texcoords || texcoords.into_iter().all(near))
            && same_direction(found.normals[corner], expected.normals[corner])
    })
}

fn same_direction(a: [f64; 3], b: [f64; 3]) -> bool {
    let length = |v: [f64; 3]| v.iter().map(|part| part * part).sum::<f64>().sqrt();
    let (first, second) = (length(a), length(b));
    if first == 0.0 || second < 1e-9 {
        // A normal with length zero has no direction, so the file may hold any.
        return second < 1e-9;
    }
    let off: f64 = a.iter().zip(b).map(|(a, b)| (a / first - b / second).powi(2)).sum();
    off.sqrt() <= NORMAL_TOLERANCE
}

/// Returns this triangle starting at another corner.
fn turned(triangle: &Triangle, turn: usize) -> Triangle {
    let Triangle { mut corners, mut normals, mut texcoords, surface } = *triangle;
    corners.rotate_left(turn);
    normals.rotate_left(turn);
    texcoords.rotate_left(turn);
    Triangle { corners, normals, texcoords, surface }
}

/// Pairs each expected triangle with a found triangle, whose corners must be within `tolerance` and in the same
/// cyclic order. Returns how many triangles have no partner, found and expected.
pub(crate) fn unmatched(found: &[Triangle], expected: &[Triangle], tolerance: f64) -> (usize, usize) {
    unmatched_by(found, expected, tolerance, &|_, _| true)
}

/// Does the same as [`unmatched`], but pairs also have to satisfy `agrees`. This gets the found triangle, rotated to
/// start at the same corner as the expected triangle.
pub(crate) fn unmatched_by(
    found: &[Triangle],
    expected: &[Triangle],
    tolerance: f64,
    agrees: &dyn Fn(&Triangle, &Triangle) -> bool,
) -> (usize, usize) {
    let cell = tolerance * 4.0;
    #[allow(clippy::cast_possible_truncation, reason = "cells are near the origin")]
    let key = |triangle: &Triangle, off: [i64; 3]| {
        [0, 1, 2].map(|axis| {
            let middle = triangle.corners.iter().map(|corner| corner[axis]).sum::<f64>() / 3.0;
            (middle / cell).floor() as i64 + off[axis]
        })
    };
    let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    for (number, triangle) in found.iter().enumerate() {
        cells.entry(key(triangle, [0; 3])).or_default().push(number);
    }
    let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance);
    let same = |a: &Triangle, b: &Triangle| {
        (0..3).any(|turn| {
            let turned = turned(a, turn);
            (0..3).all(|corner| near(turned.corners[corner], b.corners[corner])) && agrees(&turned, b)
        })
    };
    let mut missing = 0;
    let mut unmatched_found = found.len();
    for wanted in expected {
        let neighbours = (0..27).map(|n| [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1]);
        let matched = neighbours.into_iter().any(|off| {
            let Some(numbers) = cells.get_mut(&key(wanted, off)) else { return false };
            let found_at = numbers.iter().position(|&number| same(&found[number], wanted));
            found_at.map(|index| numbers.swap_remove(index)).is_some()
        });
        if matched { unmatched_found -= 1 } else { missing += 1 }
    }
    (unmatched_found, missing)
}
