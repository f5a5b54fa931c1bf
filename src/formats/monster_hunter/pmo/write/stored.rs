//! Groups as a file stores them: list, vertices and triangles.

use std::collections::HashMap;
use std::ops::Range;

use super::vertex::{Layout, Palette, Units};
use crate::formats::core::geometry::{NewVertex, has_distinct_corners};
use crate::formats::monster_hunter::pmo::list::ScannedList;
use crate::formats::monster_hunter::pmo::meshes::Mesh;
use crate::formats::monster_hunter::pmo::model::Pmo;
use crate::ge::command::Command;
use crate::ge::float24::Float24;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View as _;
use crate::ge::registers::vertex::{IndexFormat, Prim, PrimitiveType, VertexType};

/// How many vertices in the same place to look at. Damaged files could have very many.
const IN_PLACE_MAX: usize = 64;

/// A group whose list draws in a single step, so that it can be rebuilt.
#[derive(Clone, Debug)]
pub(super) struct StoredGroup {
    pub(super) mesh: usize,
    /// Whether the game draws this group. It leaves out transparent groups.
    pub(super) is_drawn: bool,
    /// The list's words, with RET.
    pub(super) words: Vec<u32>,
    /// Which words are PRIM, with any CULL between them.
    pub(super) prims: Range<usize>,
    pub(super) origin_at: usize,
    pub(super) vtype_at: usize,
    pub(super) vaddr_at: usize,
    pub(super) iaddr_at: Option<usize>,
    /// Whether CULL reverses the winding of triangles before the first PRIM.
    pub(super) is_reversed: bool,
    pub(super) palette: Palette,
    pub(super) units: Units,
    pub(super) layout: Layout,
    /// Where list, vertices and indices are in the mesh data.
    pub(super) list: Range<usize>,
    pub(super) vertices_at: Range<usize>,
    pub(super) indices_at: Range<usize>,
    /// The vertices as stored.
    pub(super) raw: Vec<Vec<u8>>,
    pub(super) vertices: Vec<NewVertex>,
    /// For each vertex, the first that looks the same, because an export does not tell them apart.
    pub(super) first: Vec<u32>,
    /// Triangles with different corners, counter-clockwise seen from the front.
    pub(super) triangles: Vec<[u32; 3]>,
    places: HashMap<[i64; 3], Vec<u32>>,
}

/// Reads all groups; `None` for those that cannot be rebuilt.
pub(super) fn read(pmo: &Pmo<'_>) -> Vec<Option<StoredGroup>> {
    let file = &pmo.file;
    let mut palette: Palette = [None; 8];
    let mut groups = Vec::new();
    for (group, scanned) in file.groups.iter().zip(&pmo.lists) {
        let material = group.material.as_ref().ok().and_then(|&material| file.materials.get(material));
        // The game neither draws a transparent group nor applies its bone entries.
        let is_drawn = material.is_some_and(|material| material.diffuse[3] != 0);
        for entry in file.bones_of(group).filter(|_| is_drawn) {
            if let Some(slot) = palette.get_mut(entry.slot) {
                *slot = Some(entry.bone);
            }
        }
        let stored = file
            .meshes
            .get(group.mesh)
            .zip(scanned.as_ref())
            .and_then(|(mesh, scanned)| StoredGroup::read(file.data.bytes(), mesh, scanned, palette));
        groups.push(stored.map(|stored| StoredGroup { mesh: group.mesh, is_drawn, ..stored }));
    }
    groups
}

/// Returns a mesh's multipliers, rounded as the Graphics Engine gets them.
pub(super) fn units(mesh: &Mesh) -> Units {
    let short = |value: f32| Float24::from_f32(value).to_f32();
    Units {
        scale: mesh.scale.map(short),
        uv_scale: mesh.uv_scale.map(short),
        uv_offset: mesh.uv_offset.map(short),
    }
}

impl StoredGroup {
    fn read(data: &[u8], mesh: &Mesh, scanned: &ScannedList, palette: Palette) -> Option<Self> {
        if !scanned.patches.is_empty() {
            return None;
        }
        let start = usize::try_from(scanned.start).ok()?;
        let list = start..start + usize::try_from(scanned.length).ok()?;
        let words: Vec<u32> = data
            .get(list.clone())?
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect();
        let opcode = |word: &u32| Command::from_word(*word).opcode();
        let only = |wanted: Opcode| {
            let mut found = (0..).zip(&words).filter(|(_, word)| opcode(word) == wanted).map(|(at, _)| at);
            found.next().filter(|_| found.next().is_none())
        };
        let has = |wanted: Opcode| words.iter().any(|word| opcode(word) == wanted);
        let first = words.iter().position(|word| opcode(word) == Opcode::PRIM)?;
        let last = words.iter().rposition(|word| opcode(word) == Opcode::PRIM)?;
        let prims = first..last + 1;
        let iaddr_at = if has(Opcode::IADDR) { Some(only(Opcode::IADDR)?) } else { None };
        let (origin_at, vtype_at, vaddr_at) =
            (only(Opcode::ORIGIN)?, only(Opcode::VTYPE)?, only(Opcode::VADDR)?);
        let is_before = |at: usize| at < prims.start;
        if !words[prims.clone()].iter().all(|word| matches!(opcode(word), Opcode::PRIM | Opcode::CULL))
            || ![origin_at, vtype_at, vaddr_at].into_iter().chain(iaddr_at).all(is_before)
            || origin_at > vaddr_at
            || words.iter().any(|word| opcode(word) == Opcode::BASE && word & 0xFF_FFFF != 0)
        {
            return None;
        }
        let argument = |at: usize| Command::from_word(words[at]).argument();
        let vtype = VertexType::from_argument(argument(vtype_at));
        let culls = words[..prims.start].iter().rev().find(|word| opcode(word) == Opcode::CULL);
        let is_reversed = culls.is_some_and(|word| word & 1 == 1);
        let vertex_at = usize::try_from(scanned.first_vertex?).ok()?;
        let index_at = match vtype.index {
            IndexFormat::NONE => None,
            _ => Some(usize::try_from(scanned.first_index?).ok()?),
        };
        let mut reverses = is_reversed;
        let mut draws: Vec<(Prim, bool)> = Vec::new();
        for word in &words[prims.clone()] {
            if opcode(word) == Opcode::CULL {
                reverses = word & 1 == 1;
            } else {
                draws.push((Prim::from_argument(word & 0xFF_FFFF), reverses));
            }
        }
        let count: usize = draws.iter().map(|(draw, _)| usize::from(draw.count)).sum();
        let (corners, indices_at) = corners(data, vtype.index, index_at, count)?;
        let layout = Layout::of(vtype);
        let vertex_count = corners.iter().max().map_or(0, |last| *last as usize + 1);
        let vertices_at = vertex_at..vertex_at + layout.size * vertex_count;
        let raw: Vec<Vec<u8>> =
            data.get(vertices_at.clone())?.chunks_exact(layout.size).map(<[u8]>::to_vec).collect();
        let units = units(mesh);
        let vertices = raw.iter().map(|bytes| layout.decode(bytes, &palette, &units)).collect();
        let mut stored = Self {
            mesh: 0,
            is_drawn: true,
            prims,
            origin_at,
            vtype_at,
            vaddr_at,
            iaddr_at,
            is_reversed,
            palette,
            units,
            layout,
            list,
            vertices_at,
            indices_at,
            raw,
            vertices,
            first: Vec::new(),
            triangles: triangles(&draws, &corners),
            places: HashMap::new(),
            words,
        };
        stored.index();
        Some(stored)
    }

    /// Finds vertices that look the same, and indexes all by place.
    fn index(&mut self) {
        for number in 0..self.vertices.len() {
            let place = self.place(self.vertices[number].position);
            let here = self.places.entry(place).or_default();
            let (layout, vertices, units) = (&self.layout, &self.vertices, &self.units);
            let is_same =
                |other: &&u32| layout.is_same(&vertices[**other as usize], &vertices[number], units);
            let own = u32::try_from(number).unwrap_or(u32::MAX);
            match here.iter().take(IN_PLACE_MAX).find(is_same) {
                Some(first) => self.first.push(*first),
                None => {
                    here.push(own);
                    self.first.push(own);
                }
            }
        }
    }

    /// Returns the nearest stored position, as a key for looking up vertices.
    #[expect(clippy::cast_possible_truncation, reason = "saturates, and only says where to look")]
    fn place(&self, position: [f32; 3]) -> [i64; 3] {
        let step = self.layout.step(self.units.scale);
        [0, 1, 2].map(|axis: usize| (f64::from(position[axis]) / step[axis]).round() as i64)
    }

    /// Returns the key for a vertex's place.
    pub(super) fn place_of(&self, vertex: u32) -> [i64; 3] {
        self.place(self.vertices[vertex as usize].position)
    }

    /// Finds the old vertex that a new vertex equals.
    pub(super) fn find(&self, vertex: &NewVertex) -> Option<u32> {
        let here = self.places.get(&self.place(vertex.position))?;
        let is_same = |old: &&u32| self.layout.is_same(&self.vertices[**old as usize], vertex, &self.units);
        here.iter().take(IN_PLACE_MAX).find(is_same).copied()
    }

    /// Returns whether a triangle's corners are in three places, so that it shows.
    pub(super) fn shows(&self, corners: [u32; 3]) -> bool {
        has_distinct_corners(corners.map(|corner| self.vertices[corner as usize].position))
    }

    /// Changes the scale, after stored positions were rounded anew.
    pub(super) fn rescale(&mut self, scale: [f32; 3]) {
        self.units.scale = scale;
        self.vertices =
            self.raw.iter().map(|bytes| self.layout.decode(bytes, &self.palette, &self.units)).collect();
        self.places.clear();
        for (number, first) in (0..).zip(&self.first) {
            if *first == number {
                let place = self.place(self.vertices[number as usize].position);
                self.places.entry(place).or_default().push(number);
            }
        }
    }

    /// Returns whether all its bytes are inside a range of the mesh data.
    pub(super) fn is_inside(&self, block: &Range<usize>) -> bool {
        let ranges = [&self.list, &self.vertices_at, &self.indices_at];
        ranges
            .into_iter()
            .all(|range| range.is_empty() || block.start <= range.start && range.end <= block.end)
    }
}

/// Reads the indices for all draws, or counts up if there are none.
fn corners(
    data: &[u8],
    format: IndexFormat,
    at: Option<usize>,
    count: usize,
) -> Option<(Vec<u32>, Range<usize>)> {
    let Some(at) = at else {
        return Some(((0..u32::try_from(count).ok()?).collect(), 0..0));
    };
    let width = format.bytes() as usize;
    let range = at..at + width * count;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte));
    Some((data.get(range.clone())?.chunks_exact(width).map(number).collect(), range))
}

/// Splits draws into triangles, and leaves out those that only join strips.
fn triangles(draws: &[(Prim, bool)], mut corners: &[u32]) -> Vec<[u32; 3]> {
    let mut triangles = Vec::new();
    for (draw, is_reversed) in draws {
        let Some((own, rest)) = corners.split_at_checked(usize::from(draw.count)) else { break };
        corners = rest;
        let is_strip = draw.primitive == PrimitiveType::TRIANGLE_STRIP;
        let step = if is_strip { 1 } else { 3 };
        for (number, three) in own.windows(3).step_by(step).enumerate() {
            // Every other triangle in a strip has the opposite winding.
            let is_odd = is_strip && number % 2 == 1;
            let [a, b, c] = [three[0], three[1], three[2]];
            if has_distinct_corners([a, b, c]) {
                triangles.push(if is_odd == *is_reversed { [a, b, c] } else { [b, a, c] });
            }
        }
    }
    triangles
}
