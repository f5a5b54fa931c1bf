//! Writes new geometry into a PMO.
//!
//! # Invariants
//! A group keeps its bytes if all its triangles are among the new ones, and no others go to it. If only its vertices
//! have other values, only these change. Otherwise its list, vertices and indices are rebuilt, and everything after
//! it moves; its list keeps its other commands. Materials, the remap table and unknown bytes stay.
//!
//! # Method
//! `stored` reads the groups, `assign` finds the old triangles among the new, `rebuild` rebuilds groups, and `file`
//! puts everything together. A new triangle goes to a group with its material, its bones and most of its vertices.
//! Source: [writing models](crate::reference::formats::pmo#writing-models).
#![expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "the reader has checked offsets and counts against the file, and surfaces their indices"
)]

mod assign;
mod file;
mod rebuild;
mod stored;
mod vertex;

use std::collections::BTreeMap;

use assign::Assigned;
use rebuild::{Fate, NewScale};
use stored::StoredGroup;

use super::model::Pmo;
use super::problem::PmoProblem;
use crate::formats::core::cursor::View;
use crate::formats::core::geometry::{
    GeometryError, GeometryProblem, GroupChange, NewSurface, WrittenGroup, WrittenModel,
};
use crate::ge::float24::Float24;
use crate::model::matrix::single;

/// How many times larger a model may become. Beyond this, the steps between coordinates would be seen.
const GROWTH_MAX: f32 = 64.0;

/// Writes geometry into a model, whose lists are in the same file or in a second.
pub(in crate::formats::monster_hunter) fn write(
    view: View<'_>,
    second: Option<View<'_>>,
    surfaces: &[NewSurface],
) -> Result<WrittenModel, GeometryError> {
    let pmo = super::read(view, second).map_err(|error| match error.problem_as() {
        Some(PmoProblem::MeshDataElsewhere { .. }) => GeometryProblem::SecondFile,
        _ => GeometryProblem::Format(Box::new(error)),
    })?;
    let mut groups = stored::read(&pmo);
    let assigned = assign::assign(&groups, surfaces)?;
    let mut written: Vec<Option<WrittenGroup>> = Vec::new();
    for (number, (group, own)) in groups.iter().zip(&assigned).enumerate() {
        written.push(group.as_ref().map(|group| WrittenGroup {
            mesh: group.mesh,
            group: number,
            change: GroupChange::Unchanged,
            triangles: [group.triangles.len(); 2],
            vertices: [group.raw.len(); 2],
            largest_difference: 0.0,
        }));
        if own.is_changed() && !is_alone(&groups, number) {
            return Err(GeometryProblem::NotStored(number).into());
        }
    }
    if !assigned.iter().any(Assigned::is_changed) {
        let groups = written.into_iter().flatten().collect();
        let is_split = pmo.file.data_offset.is_none();
        let mesh_data = is_split.then(|| pmo.file.data.bytes().to_vec());
        return Ok(WrittenModel { bytes: view.bytes().to_vec(), mesh_data, groups });
    }
    let scales = grow(&pmo, &mut groups, &assigned, surfaces)?;
    let mut fates: Vec<Fate> = Vec::new();
    for (number, own) in assigned.iter().enumerate() {
        let (Some(group), Some(result)) = (&mut groups[number], &mut written[number]) else {
            fates.push(Fate::Same);
            continue;
        };
        let has_grown =
            pmo.file.meshes.get(group.mesh).is_some_and(|mesh| stored::units(mesh) != group.units);
        if has_grown {
            result.change = GroupChange::Rounded;
        }
        let moved =
            if own.is_changed() { rebuild::moved(group, own, surfaces) } else { Some(BTreeMap::new()) };
        if let Some(moved) = moved {
            // New values may round to the old bytes.
            if moved.is_empty() {
                fates.push(if has_grown { Fate::Vertices } else { Fate::Same });
                continue;
            }
            for (bytes, vertex) in moved.values() {
                let far = rebuild::difference(&group.layout, group, bytes, vertex);
                result.largest_difference = result.largest_difference.max(single(far));
            }
            for (raw, first) in group.raw.iter_mut().zip(&group.first) {
                if let Some((bytes, _)) = moved.get(first) {
                    raw.clone_from(bytes);
                }
            }
            result.change = GroupChange::Vertices;
            fates.push(Fate::Vertices);
            continue;
        }
        let parts = rebuild::rebuilt(group, own, surfaces)?;
        result.change = GroupChange::Rebuilt(parts.len());
        result.triangles[1] = parts.iter().map(|part| part.triangles).sum();
        result.vertices[1] = parts.iter().map(|part| part.vertices.len()).sum();
        result.largest_difference =
            single(parts.iter().map(|part| part.largest_difference).fold(0.0, f64::max));
        fates.push(Fate::Rebuilt(parts));
    }
    let (bytes, mesh_data) = file::assemble(&pmo, &groups, &fates, &scales)?;
    Ok(WrittenModel { bytes, mesh_data, groups: written.into_iter().flatten().collect() })
}

/// Returns whether no other group shares this group's list, vertices or indices.
fn is_alone(groups: &[Option<StoredGroup>], number: usize) -> bool {
    let Some(Some(own)) = groups.get(number) else { return false };
    let meets = |a: &std::ops::Range<usize>, b: &std::ops::Range<usize>| a.start < b.end && b.start < a.end;
    let others = groups.iter().enumerate().filter(|(other, _)| *other != number);
    !others.filter_map(|(_, other)| other.as_ref()).any(|other| {
        meets(&own.list, &other.list)
            || meets(&own.vertices_at, &other.vertices_at)
            || meets(&own.indices_at, &other.indices_at)
    })
}

/// Enlarges a mesh's scale if new vertices are outside it, and rounds all its vertices anew. Returns the old scales
/// that change, each with its new value.
fn grow(
    pmo: &Pmo<'_>,
    groups: &mut [Option<StoredGroup>],
    assigned: &[Assigned],
    surfaces: &[NewSurface],
) -> Result<Vec<NewScale>, GeometryError> {
    let mut scales: Vec<NewScale> = Vec::new();
    for (group, own) in groups.iter().zip(assigned) {
        let Some(group) = group.as_ref() else { continue };
        let Some(mesh) = pmo.file.meshes.get(group.mesh) else { continue };
        let reach = group.units.scale.into_iter().fold(0.0_f32, |most, scale| most.max(scale.abs()));
        let Some(most) = group.layout.largest() else { continue };
        for added in &own.added {
            let surface = &surfaces[added.surface];
            for &corner in &added.corners {
                let position = surface.vertices[corner as usize].position;
                for (axis, coordinate) in position.into_iter().enumerate() {
                    let needed = needed(coordinate, group.units.scale[axis], most);
                    if needed <= group.units.scale[axis] {
                        continue;
                    }
                    if coordinate.abs() > GROWTH_MAX * reach.max(f32::MIN_POSITIVE) {
                        let problem = GeometryProblem::FarAway { vertex: corner, coordinate, reach };
                        return Err(problem.of(&surface.name));
                    }
                    let known = scales.iter_mut().find(|(old, _)| *old == mesh.scale);
                    let new = match known {
                        Some((_, new)) => new,
                        None => {
                            scales.push((mesh.scale, mesh.scale));
                            let Some((_, new)) = scales.last_mut() else { continue };
                            new
                        }
                    };
                    new[axis] = new[axis].max(needed);
                }
            }
        }
    }
    for (number, group) in groups.iter_mut().enumerate() {
        let mesh = pmo.file.groups.get(number).and_then(|group| pmo.file.meshes.get(group.mesh));
        let new = mesh.and_then(|mesh| scales.iter().find(|(old, _)| *old == mesh.scale));
        let Some((_, new)) = new else { continue };
        let Some(group) = group else {
            // A group that cannot be drawn has no vertices to round.
            if pmo.lists.get(number).is_some_and(Option::is_some) {
                return Err(GeometryProblem::NotStored(number).into());
            }
            continue;
        };
        let (old, new) = (group.units.scale, new.map(|scale| Float24::from_f32(scale).to_f32()));
        for (bytes, vertex) in group.raw.iter_mut().zip(&group.vertices) {
            let position = group.layout.position(bytes, old);
            group.layout.set_position(bytes, position, new);
            if let Some(normal) = vertex.normal {
                group.layout.set_normal(bytes, normal, new);
            }
        }
        group.rescale(new);
    }
    Ok(scales)
}

/// Returns the scale to store this coordinate, or the old scale if it suffices. `most` is the largest fraction of a
/// scale that can be stored.
fn needed(coordinate: f32, scale: f32, most: f32) -> f32 {
    let limit = if coordinate > 0.0 { most } else { 1.0 };
    // Half a step beyond the last value still rounds to it.
    if coordinate.abs() <= scale.abs() * (limit + (1.0 - most) * 0.5) {
        return scale;
    }
    let exact = coordinate.abs() / limit;
    let bits = exact.to_bits();
    // Round up to the upper 24 bits, because the Graphics Engine knows no others.
    if bits & 0xFF == 0 { exact } else { f32::from_bits((bits | 0xFF).saturating_add(1)) }
}
