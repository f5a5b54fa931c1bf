//! Writes a list for each mesh: its vertices, as they are in the file, and its primitives.
//! Source: [GMO as GE state](crate::reference::formats::psp_sdk#gmo-as-ge-state).
//!
//! # Invariants
//! Primitives use only vertices that exist. Vertices and indices are copied to memory unchanged, unless some indices
//! have to be left out.

use super::problem::GmoProblem;
use super::scene::{Arrays, Draw, Indices, Mesh, Part, Shape};
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::ge::address::Address;
use crate::ge::list::ListBuilder;
use crate::ge::opcode::Opcode;
use crate::ge::registers::transform::PatchDivision;
use crate::ge::registers::vertex::{
    Bezier, ColorFormat, IndexFormat, PrimitiveType, Spline, SplineEdge, VertexType,
};

/// How many vertices a PRIM can draw.
const PRIM_MAX: u64 = 65535;

#[derive(Clone, Debug)]
pub(super) struct MeshList {
    pub(super) range: std::ops::Range<Address>,
    /// The most weights and morph frames that any of its vertices have, and whether any have colours.
    pub(super) weights: usize,
    pub(super) morphs: usize,
    pub(super) has_colors: bool,
    /// How many PRIMs and patches it draws.
    pub(super) draws: usize,
    /// How many vertices a call draws, to bound the work.
    pub(super) work: u64,
}

/// Writes the lists for meshes.
pub(super) struct ListWriter<'a, 'l> {
    pub(super) name: &'a str,
    pub(super) loader: &'l mut Loader,
    pub(super) warnings: &'l mut Warnings,
}

impl ListWriter<'_, '_> {
    /// Copies a part's vertices to memory.
    pub(super) fn vertices(&mut self, part: &Part<'_>) -> Result<Vec<Address>, FormatError> {
        part.arrays.iter().map(|arrays| self.loader.place(self.name, arrays.data, 16)).collect()
    }

    /// Writes a mesh's list; `None` if it draws nothing.
    pub(super) fn mesh(
        &mut self,
        part: &Part<'_>,
        mesh: &Mesh<'_>,
        vertices: &[Address],
    ) -> Result<Option<MeshList>, FormatError> {
        // Indices come first, because the list follows at the next free address.
        let mut runs = Vec::new();
        for draw in &mesh.draws {
            let Some((arrays, start)) = part.arrays.get(draw.arrays).zip(vertices.get(draw.arrays)) else {
                continue;
            };
            if let Some((counts, from)) = self.draw(draw, arrays)? {
                runs.push((draw, arrays, *start, counts, from));
            }
        }
        let mut list = ListBuilder::new(self.loader.room().0);
        let mut found = MeshList {
            range: list.start()..list.start(),
            weights: 0,
            morphs: 1,
            has_colors: false,
            draws: 0,
            work: 0,
        };
        for (draw, arrays, start, counts, from) in runs {
            let vertex_type = arrays.vertex_type;
            let index =
                if matches!(from, Start::Indices(_)) { IndexFormat::BITS16 } else { IndexFormat::NONE };
            list.write(VertexType { index, ..vertex_type });
            match from {
                Start::Vertex(first) => {
                    list.address(Opcode::VADDR, start.offset(first.saturating_mul(arrays.bytes)));
                }
                Start::Indices(address) => {
                    list.address(Opcode::VADDR, start).address(Opcode::IADDR, address);
                }
            }
            match draw.shape {
                Shape::Primitives { kind, .. } => {
                    for count in &counts {
                        list.prim(PrimitiveType::from_number(kind), *count);
                    }
                    found.draws = found.draws.saturating_add(counts.len());
                }
                shape => {
                    list.write(divisions(mesh));
                    patch(&mut list, shape);
                    found.draws = found.draws.saturating_add(1);
                }
            }
            found.weights = found.weights.max(vertex_type.weights());
            found.morphs = found.morphs.max(vertex_type.morph_frames());
            found.has_colors |= vertex_type.color != ColorFormat::NONE;
            // Count only the vertices that can be drawn, not all that the file asks for.
            let drawn = counts.iter().map(|count| u64::from(*count)).fold(0, u64::saturating_add);
            found.work = found.work.saturating_add(if drawn > 0 { drawn } else { draw.shape.vertices() });
        }
        if found.draws == 0 {
            return Ok(None);
        }
        list.set(Opcode::RET, 0);
        if let Some(draw) = mesh.draws.first() {
            found.range = self.loader.store_list(draw.view, &list)?;
        }
        Ok(Some(found))
    }

    /// Finds out how much of a draw can be drawn, and loads its indices. Returns the vertex count of each
    /// PRIM.
    fn draw(
        &mut self,
        draw: &Draw<'_>,
        arrays: &Arrays<'_>,
    ) -> Result<Option<(Vec<u16>, Start)>, FormatError> {
        let (unit, chunk) = match draw.shape {
            Shape::Primitives { kind, vertices, count } => {
                // How many vertices a primitive in a list takes; 0 for strips and fans.
                let unit = match kind {
                    1 | 6 => 2,
                    3 => 3,
                    0 => 1,
                    _ => 0,
                };
                (unit, (u64::from(vertices), u64::from(count)))
            }
            shape => (shape.vertices(), (shape.vertices(), 1)),
        };
        // Single primitives join into a run; each strip or fan is drawn alone.
        let (length, count) = if unit > 0 {
            (unit, chunk.0.saturating_mul(chunk.1).checked_div(unit).unwrap_or(0))
        } else {
            chunk
        };
        if length == 0 {
            return Ok(None);
        }
        match draw.indices {
            Indices::From(first) => {
                let room = u64::from(arrays.count.saturating_sub(first));
                let fitting = room.checked_div(length).unwrap_or(0).min(count);
                // If the vertices end inside the first strip, it is drawn up to there.
                let rest = if unit == 0 && fitting == 0 { room.min(length) } else { 0 };
                if fitting < count {
                    self.left_out(draw, count.saturating_sub(fitting));
                }
                let strips: Vec<u64> = if rest > 0 {
                    vec![rest]
                } else {
                    std::iter::repeat_n(length, usize::try_from(fitting).unwrap_or(0)).collect()
                };
                Ok(self.counts(draw, unit, &strips).map(|counts| (counts, Start::Vertex(first))))
            }
            Indices::List(list) => {
                let size = usize::try_from(length.saturating_mul(2)).unwrap_or(usize::MAX);
                let is_good = |indices: &[u8]| {
                    let (pairs, _) = indices.as_chunks::<2>();
                    pairs.iter().all(|pair| u32::from(u16::from_le_bytes(*pair)) < arrays.count)
                };
                let most = usize::try_from(count).unwrap_or(usize::MAX);
                let pieces = || list.bytes().chunks(size).take(most);
                let is_whole = |piece: &&[u8]| piece.len() == size || unit == 0;
                let good: Vec<&[u8]> = pieces().filter(is_whole).filter(|piece| is_good(piece)).collect();
                let missing = count.saturating_sub(good.len() as u64);
                if missing > 0 {
                    self.left_out(draw, missing);
                }
                let strips: Vec<u64> = good.iter().map(|piece| (piece.len() / 2) as u64).collect();
                let Some(counts) = self.counts(draw, unit, &strips) else { return Ok(None) };
                let address = if missing == 0 {
                    self.loader.place(self.name, list, 2)?
                } else {
                    self.loader.store(list, 0, &good.concat())?
                };
                Ok(Some((counts, Start::Indices(address))))
            }
        }
    }

    fn left_out(&mut self, draw: &Draw<'_>, count: u64) {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        self.warnings.push(draw.view.error(0, GmoProblem::VertexIndex(count)));
    }

    /// Divides primitives into PRIMs. A list is cut between primitives if a PRIM cannot count them all.
    fn counts(&mut self, draw: &Draw<'_>, unit: u64, strips: &[u64]) -> Option<Vec<u16>> {
        let short = |count: u64| u16::try_from(count).unwrap_or(u16::MAX);
        if strips.is_empty() {
            return None;
        }
        if !matches!(draw.shape, Shape::Primitives { .. }) {
            return Some(vec![0]);
        }
        if unit > 0 {
            let mut left = strips.iter().fold(0_u64, |sum, count| sum.saturating_add(*count));
            // Only whole primitives fit into a PRIM.
            let most = PRIM_MAX.saturating_sub(PRIM_MAX.checked_rem(unit).unwrap_or(0));
            let mut counts = Vec::new();
            while left > 0 {
                counts.push(short(left.min(most)));
                left = left.saturating_sub(most);
            }
            return Some(counts);
        }
        // A longer strip cannot be cut without repeating vertices, and no index reaches that many, so its rest is
        // left out.
        let long = strips.iter().filter(|count| **count > PRIM_MAX).count();
        if long > 0 {
            self.left_out(draw, long as u64);
        }
        Some(strips.iter().map(|count| short(*count)).collect())
    }
}

/// Where a draw's vertices come from.
#[derive(Clone, Copy)]
enum Start {
    /// Vertices in order, from this number on.
    Vertex(u32),
    /// Indices at this address.
    Indices(Address),
}

/// Returns how to divide a mesh's patches.
fn divisions(mesh: &Mesh<'_>) -> PatchDivision {
    // Without the command, the PSP's own program chooses by distance.
    let [u, v] = mesh.subdivision.unwrap_or([8.0; 2]).map(|value| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to 64; NaN is 0")]
        let value = value.clamp(1.0, 64.0) as u8;
        value.max(1)
    });
    PatchDivision { u, v }
}

/// Writes the command to draw a patch.
fn patch(list: &mut ListBuilder, shape: Shape) {
    let side = |count: u32| u8::try_from(count).unwrap_or(u8::MAX);
    match shape {
        Shape::Spline { size: [width, height], edges: [u, v] } => {
            list.write(Spline {
                u_count: side(width),
                v_count: side(height),
                u_edge: SplineEdge::from_number(u),
                v_edge: SplineEdge::from_number(v),
            });
        }
        Shape::Bezier { size: [width, height] } => {
            list.write(Bezier { u_count: side(width), v_count: side(height) });
        }
        Shape::Primitives { .. } => {}
    }
}
