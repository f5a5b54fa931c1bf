//! Rebuilds a group's list, vertices and indices.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::assign::{Assigned, fits};
use super::stored::StoredGroup;
use super::vertex::{Layout, Palette, unit};
use crate::formats::core::geometry::{
    GeometryError, GeometryProblem, NewSurface, NewVertex, has_distinct_corners,
};
use crate::formats::core::strips::{Strip, join};
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View as _;
use crate::ge::registers::vertex::{ComponentFormat, IndexFormat, Prim, PrimitiveType};

/// A PRIM counts corners in 16 bits, and indices have 16 bits, too.
const CORNERS_MAX: usize = 0xFFFF;
/// How many bone matrices a PSP has.
const SLOTS: usize = 8;

/// An old scale, and its new value.
pub(super) type NewScale = ([f32; 3], [f32; 3]);

/// How to write a group.
#[derive(Clone, Debug, Default)]
pub(super) enum Fate {
    /// With its bytes as they are.
    #[default]
    Same,
    /// With its bytes, but other vertices.
    Vertices,
    /// As lists with new data.
    Rebuilt(Vec<Part>),
}

/// A group to write: a list with its data.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) layout: Layout,
    pub(super) palette: Palette,
    pub(super) prims: Vec<u32>,
    pub(super) vertices: Vec<Vec<u8>>,
    pub(super) indices: Vec<u8>,
    pub(super) triangles: usize,
    /// As in [`crate::formats::core::geometry::WrittenGroup`].
    pub(super) largest_difference: f64,
}

/// A corner of a triangle.
#[derive(Clone, Debug)]
enum Corner {
    /// A vertex in the group.
    Old(u32),
    New(Box<NewVertex>),
}

/// Returns the vertices that get other bytes, if the group can stay as it is otherwise. For this, equally many
/// triangles must be missing and new, and each missing corner must become a single new corner, in order.
pub(super) fn moved(
    stored: &StoredGroup,
    assigned: &Assigned,
    surfaces: &[NewSurface],
) -> Option<BTreeMap<u32, (Vec<u8>, NewVertex)>> {
    let first = |corner: u32| stored.first[corner as usize];
    let numbered = || stored.triangles.iter().zip(&assigned.kept);
    let missing: Vec<[u32; 3]> =
        numbered().filter(|(_, kept)| !**kept).map(|(triangle, _)| triangle.map(first)).collect();
    if missing.len() != assigned.added.len() {
        return None;
    }
    let own = |corner: u32| (stored.raw[corner as usize].clone(), stored.vertices[corner as usize].clone());
    let kept = numbered().filter(|(triangle, kept)| **kept && stored.shows(**triangle));
    let kept = kept.flat_map(|(triangle, _)| triangle.map(first));
    let mut becomes: BTreeMap<u32, (Vec<u8>, NewVertex)> = kept.map(|corner| (corner, own(corner))).collect();
    for (old, added) in missing.iter().zip(&assigned.added) {
        let vertices = &surfaces.get(added.surface)?.vertices;
        let turns = [[0, 1, 2], [1, 2, 0], [2, 0, 1]];
        let wanted = turns.iter().find_map(|turn| {
            let mut wanted = Vec::new();
            for (old, turned) in old.iter().zip(turn) {
                let vertex = &vertices[added.corners[*turned] as usize];
                let value = match stored.find(vertex) {
                    Some(found) => own(found),
                    None => {
                        let vertex = filled(vertex, &stored.vertices[*old as usize]);
                        let is_stored = fits(stored, &vertex) && check_texcoords(stored, &vertex, 0).is_ok();
                        let bytes = is_stored
                            .then(|| stored.layout.encode(&vertex, &stored.palette, &stored.units))?;
                        (bytes, vertex)
                    }
                };
                let differs =
                    |known: &(Vec<u8>, NewVertex)| !stored.layout.is_same(&known.1, &value.1, &stored.units);
                if becomes.get(old).is_some_and(differs) {
                    return None;
                }
                wanted.push((*old, value));
            }
            Some(wanted)
        })?;
        becomes.extend(wanted);
    }
    follow(stored, &mut becomes);
    // Triangles that join strips must not show now.
    let place = |corner: u32| {
        becomes.get(&corner).map_or(stored.vertices[corner as usize].position, |new| new.1.position)
    };
    for corners in stored.triangles.iter().filter(|corners| !stored.shows(**corners)) {
        if has_distinct_corners(corners.map(|corner| place(first(corner)))) {
            return None;
        }
    }
    becomes.retain(|corner, (bytes, _)| stored.raw[*corner as usize] != *bytes);
    Some(becomes)
}

/// Moves vertices that no visible triangle uses together with those in the same place, because they join strips.
fn follow(stored: &StoredGroup, becomes: &mut BTreeMap<u32, (Vec<u8>, NewVertex)>) {
    let places: HashMap<[i64; 3], [f32; 3]> =
        becomes.iter().map(|(corner, (_, vertex))| (stored.place_of(*corner), vertex.position)).collect();
    for (number, first) in (0..).zip(&stored.first) {
        if *first == number
            && !becomes.contains_key(first)
            && let Some(position) = places.get(&stored.place_of(number)).copied()
        {
            let vertex = NewVertex { position, ..stored.vertices[number as usize].clone() };
            let mut bytes = stored.raw[number as usize].clone();
            stored.layout.set_position(&mut bytes, position.map(f64::from), stored.units.scale);
            becomes.insert(number, (bytes, vertex));
        }
    }
}

/// Rebuilds a group. It becomes several if its triangles follow more bones than there are bone matrices, or if it
/// has too many vertices.
pub(super) fn rebuilt(
    stored: &StoredGroup,
    assigned: &Assigned,
    surfaces: &[NewSurface],
) -> Result<Vec<Part>, GeometryError> {
    let mut triangles: Vec<[Corner; 3]> = stored
        .triangles
        .iter()
        .zip(&assigned.kept)
        .filter(|(triangle, kept)| **kept && stored.shows(**triangle))
        .map(|(triangle, _)| triangle.map(Corner::Old))
        .collect();
    for added in &assigned.added {
        let Some(surface) = surfaces.get(added.surface) else { continue };
        let corners =
            new_corners(stored, surface, added.corners).map_err(|problem| problem.of(&surface.name))?;
        let bones: BTreeSet<u32> = corners.iter().flat_map(|corner| bones_of(stored, corner)).collect();
        if bones.len() > SLOTS {
            return Err(GeometryProblem::ManyBones(bones.len()).of(&surface.name));
        }
        triangles.push(corners);
    }
    let mut parts: Vec<(BTreeSet<u32>, Vec<[Corner; 3]>)> = Vec::new();
    for triangle in triangles {
        let bones: BTreeSet<u32> = triangle.iter().flat_map(|corner| bones_of(stored, corner)).collect();
        let fits = |(known, _): &&mut (BTreeSet<u32>, _)| known.union(&bones).count() <= SLOTS;
        match parts.iter_mut().find(fits) {
            Some((known, triangles)) => {
                known.extend(bones);
                triangles.push(triangle);
            }
            None => parts.push((bones, vec![triangle])),
        }
    }
    if parts.is_empty() {
        // A list without triangles would be unlike any other, so keep a triangle that shows nothing.
        parts.push((BTreeSet::new(), vec![[0, 0, 0].map(Corner::Old)]));
    }
    let mut built = Vec::new();
    for (bones, triangles) in parts {
        build(stored, &bones, &triangles, &mut built);
    }
    Ok(built)
}

/// Checks a new triangle's corners, and completes them.
fn new_corners(
    stored: &StoredGroup,
    surface: &NewSurface,
    corners: [u32; 3],
) -> Result<[Corner; 3], GeometryProblem> {
    let is_rigid = stored.layout.vtype.weights() == 0;
    let found = corners.map(|corner| stored.find(&surface.vertices[corner as usize]));
    if let [Some(a), Some(b), Some(c)] = found {
        return Ok([a, b, c].map(Corner::Old));
    }
    let positions = corners.map(|corner| surface.vertices[corner as usize].position);
    let mut vertices = Vec::new();
    for (corner, found) in corners.into_iter().zip(found) {
        let mut vertex = surface.vertices[corner as usize].clone();
        if let Some(old) = found {
            vertex = stored.vertices[old as usize].clone();
        } else if vertex.influences.is_empty() != is_rigid {
            return Err(if is_rigid {
                GeometryProblem::Rigid(corner)
            } else {
                GeometryProblem::NoWeights(corner)
            });
        }
        vertex.normal = vertex.normal.or_else(|| Some(normal_of(positions)));
        vertices.push(vertex);
    }
    // Textures repeat, so whole numbers may be added to all three corners together.
    let mut is_shifted = false;
    for axis in 0..2 {
        let Some([min, max]) = stored.layout.texcoord_range(&stored.units, axis) else { continue };
        let own = || vertices.iter().filter_map(|vertex| vertex.texcoord).map(|texcoord| texcoord[axis]);
        if own().any(|coordinate| coordinate < min || coordinate > max) {
            let shift = (own().fold(f32::INFINITY, f32::min) - min).floor();
            vertices
                .iter_mut()
                .filter_map(|vertex| vertex.texcoord.as_mut())
                .for_each(|to| to[axis] -= shift);
            is_shifted = true;
        }
    }
    for (corner, vertex) in corners.into_iter().zip(&vertices) {
        check_texcoords(stored, vertex, corner)?;
    }
    let mut found = found.into_iter().map(|found| found.filter(|_| !is_shifted));
    let mut vertices = vertices.into_iter();
    Ok([(); 3].map(|()| match found.next().flatten() {
        Some(old) => {
            vertices.next();
            Corner::Old(old)
        }
        None => Corner::New(Box::new(vertices.next().unwrap_or_default())),
    }))
}

/// Checks that a vertex's texture coordinates can be stored.
fn check_texcoords(stored: &StoredGroup, vertex: &NewVertex, number: u32) -> Result<(), GeometryProblem> {
    for axis in 0..2 {
        let range = stored.layout.texcoord_range(&stored.units, axis);
        if let (Some([min, max]), Some(texcoord)) = (range, vertex.texcoord)
            // Values that round to the ends can be stored.
            && !(min - 1e-4..=max + 1e-4).contains(&texcoord[axis])
        {
            return Err(GeometryProblem::Texcoord { vertex: number, coordinate: texcoord[axis], min, max });
        }
    }
    Ok(())
}

/// Fills in a new vertex's missing parts from the old vertex in its place.
fn filled(vertex: &NewVertex, old: &NewVertex) -> NewVertex {
    NewVertex {
        position: vertex.position,
        normal: vertex.normal.or(old.normal),
        texcoord: vertex.texcoord.or(old.texcoord),
        color: vertex.color.or(old.color),
        influences: if vertex.influences.is_empty() { &old.influences } else { &vertex.influences }.clone(),
    }
}

/// Returns a flat triangle's normal.
fn normal_of([a, b, c]: [[f32; 3]; 3]) -> [f32; 3] {
    let side = |to: [f32; 3]| [0, 1, 2].map(|axis: usize| f64::from(to[axis]) - f64::from(a[axis]));
    let ([ux, uy, uz], [vx, vy, vz]) = (side(b), side(c));
    unit([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx])
}

fn bones_of(stored: &StoredGroup, corner: &Corner) -> Vec<u32> {
    let influences = match corner {
        Corner::Old(old) => &stored.vertices[*old as usize].influences,
        Corner::New(vertex) => &vertex.influences,
    };
    influences.iter().map(|(bone, _)| *bone).collect()
}

/// Chooses a matrix for each bone, and keeps those already chosen. Also returns how many weights a vertex needs.
fn palette_for(stored: &StoredGroup, bones: &BTreeSet<u32>) -> (Palette, usize) {
    let count = stored.layout.vtype.weights();
    let has =
        |palette: &[Option<u8>], bone: u32| palette.iter().any(|slot| slot.map(u32::from) == Some(bone));
    if bones.iter().all(|bone| has(&stored.palette[..count], *bone)) {
        return (stored.palette, count);
    }
    let mut palette = stored.palette.map(|slot| slot.filter(|bone| bones.contains(&u32::from(*bone))));
    for bone in bones {
        if !has(&palette, *bone)
            && let Some(free) = palette.iter_mut().find(|slot| slot.is_none())
        {
            *free = u8::try_from(*bone).ok();
        }
    }
    let count = palette.iter().rposition(Option::is_some).map_or(1, |last| last + 1);
    (palette, count)
}

/// Builds a part, or several if it has too many vertices.
fn build(stored: &StoredGroup, bones: &BTreeSet<u32>, triangles: &[[Corner; 3]], built: &mut Vec<Part>) {
    let (palette, count) = palette_for(stored, bones);
    let mut vtype = stored.layout.vtype;
    if vtype.weights() > 0 {
        vtype.weight_count = u8::try_from(count - 1).unwrap_or(0);
    }
    let layout = Layout::of(vtype);
    let (mut vertices, mut numbers) = (Vec::new(), HashMap::new());
    let mut largest_difference = 0.0_f64;
    let mut number = |corner: &Corner| {
        let bytes = match corner {
            Corner::Old(old) => as_in(stored, &layout, &palette, *old as usize),
            Corner::New(vertex) => {
                let bytes = layout.encode(vertex, &palette, &stored.units);
                largest_difference = largest_difference.max(difference(&layout, stored, &bytes, vertex));
                bytes
            }
        };
        *numbers.entry(bytes).or_insert_with_key(|bytes| {
            vertices.push(bytes.clone());
            u32::try_from(vertices.len() - 1).unwrap_or(u32::MAX)
        })
    };
    let indexed: Vec<[u32; 3]> =
        triangles.iter().map(|[a, b, c]| [number(a), number(b), number(c)]).collect();
    if vertices.len() > CORNERS_MAX && triangles.len() > 1 {
        let (first, second) = triangles.split_at(triangles.len() / 2);
        build(stored, bones, first, built);
        return build(stored, bones, second, built);
    }
    // A list that reverses the winding stores its triangles the other way round.
    let turned: Vec<[u32; 3]> =
        indexed.iter().map(|&[a, b, c]| if stored.is_reversed { [b, a, c] } else { [a, b, c] }).collect();
    let mut prims = Vec::new();
    let mut corners: Vec<u32> = Vec::new();
    for strip in join(&turned, CORNERS_MAX) {
        let (primitive, own) = match strip {
            Strip::Strip(own) => (PrimitiveType::TRIANGLE_STRIP, own),
            Strip::Triangles(own) => (PrimitiveType::TRIANGLES, own),
        };
        let prim = Prim { primitive, count: u16::try_from(own.len()).unwrap_or(u16::MAX) };
        prims.push(Command::new(Opcode::PRIM, prim.to_argument()).word());
        corners.extend(own);
    }
    // Sort vertices by their first use.
    let mut order: Vec<Option<u32>> = vec![None; vertices.len()];
    let mut sorted: Vec<Vec<u8>> = Vec::new();
    for corner in &mut corners {
        let place = &mut order[*corner as usize];
        *corner = *place.get_or_insert_with(|| {
            sorted.push(vertices[*corner as usize].clone());
            u32::try_from(sorted.len() - 1).unwrap_or(u32::MAX)
        });
    }
    let is_small = vtype.index == IndexFormat::BITS8 && sorted.len() <= 256;
    vtype.index = if is_small { IndexFormat::BITS8 } else { IndexFormat::BITS16 };
    let width = vtype.index.bytes() as usize;
    let indices = corners.iter().flat_map(|corner| corner.to_le_bytes().into_iter().take(width)).collect();
    let layout = Layout::of(vtype);
    let triangles = indexed.iter().filter(|triangle| has_distinct_corners(**triangle)).count();
    built.push(Part { layout, palette, prims, vertices: sorted, indices, triangles, largest_difference });
}

/// Returns an old vertex, with weights for another palette.
fn as_in(stored: &StoredGroup, layout: &Layout, palette: &Palette, old: usize) -> Vec<u8> {
    let bytes = &stored.raw[old];
    if *palette == stored.palette && *layout == stored.layout {
        return bytes.clone();
    }
    let mut weights = vec![0.0; layout.vtype.weights()];
    for (weight, bone) in stored.layout.weights(bytes).into_iter().zip(&stored.palette) {
        let slot = palette.iter().position(|known| known == bone && bone.is_some());
        if let Some(to) = slot.and_then(|slot| weights.get_mut(slot)) {
            *to += weight;
        }
    }
    layout.converted(&stored.layout, bytes, &weights)
}

/// Returns the largest distance along an axis between a stored vertex and its wanted position.
pub(super) fn difference(layout: &Layout, stored: &StoredGroup, bytes: &[u8], vertex: &NewVertex) -> f64 {
    if layout.vtype.position == ComponentFormat::NONE {
        return 0.0;
    }
    let found = layout.position(bytes, stored.units.scale);
    let pairs = found.into_iter().zip(vertex.position);
    pairs.map(|(found, wanted)| (found - f64::from(wanted)).abs()).fold(0.0, f64::max)
}
