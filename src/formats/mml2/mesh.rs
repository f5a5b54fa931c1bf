//! Reads submeshes: vertices, faces, colours and welded vertices.
//!
//! # Invariants
//! Every corner of a face is a vertex in the submesh. Source: [submeshes](crate::reference::formats::mml2#submeshes)
//! and [colours and welds](crate::reference::formats::mml2#colours-and-welds).

use super::parsed::{Corner, Face, Mesh, Vertex};
use super::pointers::PointerSpace;
use super::problem::Mml2Problem;
use super::raw;
use crate::formats::core::error::{FormatError, Warnings};

/// The bits that select a weld code's effect.
const WELD: u8 = 0xC0;
/// Keeps the vertex in a slot.
const WELD_STORE: u8 = 0x80;
/// Takes the vertex from a slot.
const WELD_USE: u8 = 0xC0;
/// The largest scale exponent, positive and negative.
const MAX_SCALE_EXPONENT: i8 = 15;

/// The colour 1.0, without a weld.
const NEUTRAL: raw::ColorWeld = raw::ColorWeld { rgb: [0x80; 3], weld: 0 };

/// Keeps vertices by slot, for later submeshes to weld to.
#[derive(Debug)]
pub(super) struct WeldSlots([Option<Vertex>; 64]);

impl WeldSlots {
    pub(super) const fn new() -> Self {
        Self([None; 64])
    }
}

/// Everything needed to read a submesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeshSource {
    pub(super) number: usize,
    pub(super) header: raw::Mesh,
    /// Where its header is in the view.
    pub(super) at: u64,
    /// Where its vertex colours are in the view; `None` if they are missing.
    pub(super) colors_at: Option<u64>,
    pub(super) bone: Option<usize>,
    /// How many materials there are; 0 if faces need none.
    pub(super) materials: usize,
}

/// Reads a submesh and updates the weld slots. Faces that cannot be drawn are left out with a warning.
///
/// # Errors
/// If nothing can be drawn, because its vertices are missing or their scale is invalid.
pub(super) fn read(
    space: PointerSpace<'_>,
    source: MeshSource,
    welds: &mut WeldSlots,
    warnings: &mut Warnings,
) -> Result<Mesh, FormatError> {
    let MeshSource { number, header, at, colors_at, bone, .. } = source;
    let (triangles, quads) = (u64::from(header.triangles), u64::from(header.quads));
    if !(-MAX_SCALE_EXPONENT..=MAX_SCALE_EXPONENT).contains(&header.scale) {
        return Err(space.view.error(at.saturating_add(3), Mml2Problem::Scale(header.scale)));
    }
    let face_bytes = size_of::<raw::Face>() as u64;
    let vertex_bytes = u64::from(header.vertices).saturating_mul(4);
    // An empty list's pointer may have any value, so it is not resolved.
    let mut faces = Vec::new();
    for (target, pointer, count, field, is_quad) in [
        ("triangles", header.triangle_data, triangles, 4, false),
        ("quads", header.quad_data, quads, 8, true),
    ] {
        if count == 0 {
            continue;
        }
        let field = at.saturating_add(field);
        let start = match space.resolve(target, pointer.get(), count.saturating_mul(face_bytes), field) {
            Ok(start) => start,
            Err(error) => {
                warnings.push(error);
                continue;
            }
        };
        let raw: &[raw::Face] = space.view.array(start, count)?;
        for (face, face_at) in raw.iter().zip((start..).step_by(size_of::<raw::Face>())) {
            faces.extend(read_face(space, face, face_at, is_quad, source, warnings));
        }
    }
    let vertex_field = at.saturating_add(0xC);
    let start = space.resolve("vertices", header.vertex_data.get(), vertex_bytes, vertex_field)?;
    let words: &[zerocopy::little_endian::U32] = space.view.array(start, header.vertices.into())?;
    let stored: &[raw::ColorWeld] = match colors_at {
        Some(colors_at) => space.view.array(colors_at, header.vertices.into())?,
        None => &[],
    };
    let colors = stored.iter().chain(std::iter::repeat(&NEUTRAL));
    let mut vertices = Vec::new();
    for ((word, color), color_at) in words.iter().zip(colors).zip((colors_at.unwrap_or(0)..).step_by(4)) {
        let position = [0, 1, 2].map(|axis| raw::field(word.get(), axis));
        let own = Vertex { position, color: color.rgb, bone, scale: header.scale, is_welded: false };
        // The low six bits name a slot.
        let slot = usize::from(color.weld & !WELD);
        let weld_at = color_at.saturating_add(3);
        let slot = welds.0.get_mut(slot);
        vertices.push(match (color.weld & WELD, slot) {
            (WELD_STORE, Some(slot)) => {
                *slot = Some(own);
                own
            }
            (WELD_USE, Some(slot)) => match *slot {
                // A welded vertex moves with the kept vertex, but has its own colour.
                Some(other) => Vertex { color: own.color, is_welded: true, ..other },
                None => {
                    warnings.push(space.view.error(weld_at, Mml2Problem::NoWeld(color.weld & !WELD)));
                    own
                }
            },
            _ => {
                if color.weld != 0 {
                    warnings.push(space.view.error(weld_at, Mml2Problem::WeldCode(color.weld)));
                }
                own
            }
        });
    }
    Ok(Mesh {
        number,
        bone,
        scale: header.scale,
        hidden: false,
        alternative: None,
        weld_codes: stored.iter().filter(|color| color.weld & WELD_STORE != 0).count(),
        vertices,
        faces,
        triangles: header.triangles.into(),
        quads: header.quads.into(),
    })
}

fn read_face(
    space: PointerSpace<'_>,
    face: &raw::Face,
    at: u64,
    is_quad: bool,
    source: MeshSource,
    warnings: &mut Warnings,
) -> Option<Face> {
    let word = face.word.get();
    let mut corners = [Corner::default(); 4];
    // The word holds the four vertex numbers, 7 bits each.
    for ((corner, uv), shift) in corners.iter_mut().zip(face.uv).zip([0u32, 7, 14, 21]) {
        let vertex = word.wrapping_shr(shift) & 0x7F;
        *corner = Corner { vertex: usize::try_from(vertex).unwrap_or(usize::MAX), uv };
    }
    let used = if is_quad { 4 } else { 3 };
    let vertices = usize::from(source.header.vertices);
    let index_at = at.saturating_add(8);
    if let Some(corner) = corners.iter().take(used).find(|corner| corner.vertex >= vertices) {
        warnings.push(space.view.error(index_at, Mml2Problem::NoVertex { index: corner.vertex, vertices }));
        return None;
    }
    if !is_quad && corners.get(3).is_some_and(|corner| corner.vertex != 0) {
        warnings.push(space.view.error(index_at, Mml2Problem::FourthCorner));
    }
    let [_, _, _, high] = word.to_le_bytes();
    let material = usize::from(high >> 4 & 3);
    if source.materials > 0 && material >= source.materials {
        let materials = source.materials;
        warnings.push(space.view.error(index_at, Mml2Problem::NoMaterial { material, materials }));
    }
    Some(Face { corners, is_quad, material, flags: high >> 6 })
}
