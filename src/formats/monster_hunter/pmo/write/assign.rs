//! Finds the old triangles among the new, and a group for each of the others.

use std::collections::{HashMap, HashSet};

use super::stored::StoredGroup;
use crate::formats::core::geometry::{
    GeometryError, GeometryProblem, NewSurface, NewVertex, has_distinct_corners,
};

/// How a group's triangles change.
#[derive(Clone, Debug, Default)]
pub(super) struct Assigned {
    /// For each old triangle, whether it is among the new.
    pub(super) kept: Vec<bool>,
    /// Triangles that are new in this group.
    pub(super) added: Vec<Added>,
}

/// A new triangle: its surface, and its vertices in that surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Added {
    pub(super) surface: usize,
    pub(super) corners: [u32; 3],
}

impl Assigned {
    pub(super) fn is_changed(&self) -> bool {
        !self.added.is_empty() || self.kept.contains(&false)
    }
}

/// Assigns the triangles of all surfaces to groups. A group that no surface may use keeps its triangles.
pub(super) fn assign(
    groups: &[Option<StoredGroup>],
    surfaces: &[NewSurface],
) -> Result<Vec<Assigned>, GeometryError> {
    let named: HashSet<usize> = surfaces.iter().flat_map(|surface| surface.groups.iter().copied()).collect();
    let mut assigned: Vec<Assigned> = Vec::new();
    // For each group, the old triangles not found yet. The last comes first, so that `pop` takes them in order.
    let mut left: Vec<HashMap<[u32; 3], Vec<usize>>> = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let mut own = Assigned::default();
        let mut missing: HashMap<[u32; 3], Vec<usize>> = HashMap::new();
        let is_named = named.contains(&number);
        if let Some(group) = group {
            for (triangle, corners) in group.triangles.iter().enumerate().rev() {
                let corners = corners.map(|corner| group.first[corner as usize]);
                // Exports may leave out triangles that do not show.
                own.kept.push(!is_named || !group.shows(corners));
                if is_named && has_distinct_corners(corners) {
                    missing.entry(turned(corners)).or_default().push(triangle);
                }
            }
        }
        own.kept.reverse();
        assigned.push(own);
        left.push(missing);
    }
    for (number, surface) in surfaces.iter().enumerate() {
        let mut candidates = Vec::new();
        for &group in &surface.groups {
            let Some(stored) = groups.get(group).and_then(Option::as_ref) else {
                return Err(GeometryProblem::NotStored(group).of(&surface.name));
            };
            candidates.push((group, stored));
        }
        let found: Vec<Vec<Option<u32>>> = candidates
            .iter()
            .map(|(_, stored)| surface.vertices.iter().map(|vertex| stored.find(vertex)).collect())
            .collect();
        let mut others = Vec::new();
        for &corners in &surface.triangles {
            let mut shows_nothing = false;
            let known = candidates.iter().zip(&found).find_map(|((group, _), found)| {
                let [a, b, c] = corners.map(|corner| found[corner as usize]);
                let old = [a?, b?, c?];
                shows_nothing |= !has_distinct_corners(old);
                Some((*group, left[*group].get_mut(&turned(old))?.pop()?))
            });
            match known {
                Some((group, triangle)) => assigned[group].kept[triangle] = true,
                None if shows_nothing || has_no_area(surface, corners) => {}
                None => others.push(corners),
            }
        }
        if others.is_empty() {
            continue;
        }
        let texcoords: Vec<HashSet<[i64; 2]>> = candidates
            .iter()
            .map(|(_, stored)| stored.vertices.iter().filter_map(texcoord_key).collect())
            .collect();
        for corners in others {
            let score = |candidate: &usize| {
                let score = |corner: u32| {
                    let vertex = &surface.vertices[corner as usize];
                    let has_texcoord =
                        || texcoord_key(vertex).is_some_and(|key| texcoords[*candidate].contains(&key));
                    let place =
                        if found[*candidate][corner as usize].is_some() { 4 } else { has_texcoord().into() };
                    place + if fits(candidates[*candidate].1, vertex) { 16 } else { 0 }
                };
                // Go backwards, because `max_by_key` takes the last of equal candidates, and the first should win.
                corners.into_iter().map(score).sum::<i32>()
            };
            if let Some(best) = (0..candidates.len()).rev().max_by_key(score) {
                assigned[candidates[best].0].added.push(Added { surface: number, corners });
            }
        }
    }
    Ok(assigned)
}

/// Returns whether a group has a bone matrix for each bone that a vertex follows.
pub(super) fn fits(stored: &StoredGroup, vertex: &NewVertex) -> bool {
    let palette = stored.palette.iter().take(stored.layout.vtype.weights());
    let bones: Vec<u32> = palette.flatten().map(|bone| u32::from(*bone)).collect();
    let is_rigid = stored.layout.vtype.weights() == 0;
    vertex.influences.is_empty() == is_rigid && vertex.influences.iter().all(|(bone, _)| bones.contains(bone))
}

/// Returns whether two corners of a new triangle are in the same place.
fn has_no_area(surface: &NewSurface, corners: [u32; 3]) -> bool {
    !has_distinct_corners(corners.map(|corner| surface.vertices[corner as usize].position))
}

/// Rounds texture coordinates, to find equal ones even if positions changed.
#[expect(clippy::cast_possible_truncation, reason = "saturates, and only compares")]
fn texcoord_key(vertex: &NewVertex) -> Option<[i64; 2]> {
    Some(vertex.texcoord?.map(|coordinate| (f64::from(coordinate) * 4096.0).round() as i64))
}

/// Rotates a triangle's corners so that the least comes first.
fn turned([a, b, c]: [u32; 3]) -> [u32; 3] {
    match a.min(b).min(c) {
        least if least == a => [a, b, c],
        least if least == b => [b, c, a],
        _ => [c, a, b],
    }
}
