//! Builds groups of primitives, each drawn by a display list, and the vertex grids in them.

use std::ops::RangeInclusive;

use super::maths::{Vec3, vec3};
use super::surface::normal;

/// Bone numbers with their weights.
pub(crate) type Weights = Vec<(u8, f64)>;

/// A vertex before it is packed.
#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    pub(crate) position: Vec3,
    pub(crate) normal: Vec3,
    /// From 0 to 1 over the texture.
    pub(crate) texcoord: [f64; 2],
    pub(crate) weights: Weights,
}

/// Primitives to draw by a PRIM command.
#[derive(Debug)]
pub(crate) struct Primitive {
    /// Whether this is a strip (type 4) or separate triangles (type 3).
    pub(crate) strip: bool,
    /// 1 if the first triangle is clockwise seen from outside.
    pub(crate) face_order: u8,
    pub(crate) indices: Vec<u16>,
}

/// State for a group's list to set before drawing and to restore afterwards.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RenderState {
    /// Whether to draw every face from both sides.
    pub(crate) two_sided: bool,
    /// Whether to drop texels with an alpha below 128.
    pub(crate) alpha_test: bool,
    /// Whether to blend with the background by alpha.
    pub(crate) blend: bool,
}

/// A list's content: primitives with the same material, bones and state.
#[derive(Debug, Default)]
pub(crate) struct Group {
    /// The material's number in the file.
    pub(crate) material: u8,
    pub(crate) state: RenderState,
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) primitives: Vec<Primitive>,
}

/// A rectangle in a texture, in texels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextureArea {
    pub(crate) left: u16,
    pub(crate) top: u16,
    pub(crate) width: u16,
    pub(crate) height: u16,
}

impl TextureArea {
    /// Computes the texture coordinate for the texel centre at (`s`, `t`), in a texture with this size.
    pub(crate) fn texcoord(self, s: f64, t: f64, width: u16, height: u16) -> [f64; 2] {
        let along = |start: u16, length: u16, part: f64, all: u16| {
            (f64::from(start) + 0.5 + part * f64::from(length - 1)) / f64::from(all)
        };
        [along(self.left, self.width, s, width), along(self.top, self.height, t, height)]
    }

    /// Returns a texel's (`s`, `t`), or `None` outside the rectangle.
    pub(crate) fn surface_coordinate(self, x: u16, y: u16) -> Option<(f64, f64)> {
        let part = |at: u16, start: u16, length: u16| {
            (at >= start && at - start < length).then(|| f64::from(at - start) / f64::from(length - 1))
        };
        Some((part(x, self.left, self.width)?, part(y, self.top, self.height)?))
    }
}

/// A parametric surface to cut a grid from.
pub(crate) struct Sheet<'a> {
    pub(crate) surface: &'a dyn Fn(f64, f64) -> Vec3,
    /// Returns the texture coordinate at (`s`, `t`).
    pub(crate) texcoord: &'a dyn Fn(f64, f64) -> [f64; 2],
    /// Returns the weights for a vertex at a point, with parameter `s`.
    pub(crate) weights: &'a dyn Fn(f64, Vec3) -> Weights,
    /// Whether the surface is mirrored to the model's other side.
    pub(crate) mirrored: bool,
}

impl Group {
    /// Creates a group without primitives.
    pub(crate) fn new(material: u8, state: RenderState) -> Self {
        Self { material, state, ..Self::default() }
    }

    /// Adds a grid over the surface, with a strip for each pair of rows. To reverse its winding, every other strip
    /// runs backwards.
    pub(crate) fn add_sheet(&mut self, sheet: &Sheet<'_>, rows: &[f64], columns: &[f64]) {
        let base = self.vertices.len();
        for &s in rows {
            for &t in columns {
                let point = (sheet.surface)(s, t);
                let out = normal(sheet.surface, s, t);
                let (position, normal) =
                    if sheet.mirrored { (point.mirrored(), out.mirrored()) } else { (point, out) };
                let weights = (sheet.weights)(s, position);
                self.vertices.push(Vertex { position, normal, texcoord: (sheet.texcoord)(s, t), weights });
            }
        }
        for band in 0..rows.len().saturating_sub(1) {
            let backwards = band % 2 == 1;
            let mut indices = Vec::with_capacity(columns.len() * 2);
            for step in 0..columns.len() {
                let column = if backwards { columns.len() - 1 - step } else { step };
                let first = base + band * columns.len() + column;
                indices.extend([to_u16(first), to_u16(first + columns.len())]);
            }
            let face_order = u8::from(backwards != sheet.mirrored);
            self.primitives.push(Primitive { strip: true, face_order, indices });
        }
    }

    /// Adds separate triangles with their own vertices.
    pub(crate) fn add_triangles(&mut self, vertices: Vec<Vertex>, triangles: &[[usize; 3]]) {
        let base = self.vertices.len();
        self.vertices.extend(vertices);
        let indices = triangles.iter().flatten().map(|corner| to_u16(base + corner)).collect();
        self.primitives.push(Primitive { strip: false, face_order: 0, indices });
    }

    /// Counts the triangles.
    pub(crate) fn triangles(&self) -> usize {
        let count = |primitive: &Primitive| {
            if primitive.strip { primitive.indices.len() - 2 } else { primitive.indices.len() / 3 }
        };
        self.primitives.iter().map(count).sum()
    }
}

/// Builds a spike with four sides from its base corners, counter-clockwise seen from the tip, and its tip.
pub(crate) fn spike(
    base: [Vec3; 4],
    tip: Vec3,
    texcoords: [[f64; 2]; 2],
    weights: &Weights,
) -> (Vec<Vertex>, Vec<[usize; 3]>) {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for side in 0..4 {
        let corners = [base[side], base[(side + 1) % 4], tip];
        let out = (corners[1] - corners[0]).cross(corners[2] - corners[0]).unit();
        let first = vertices.len();
        for (corner, position) in corners.into_iter().enumerate() {
            let texcoord = texcoords[usize::from(corner == 2)];
            vertices.push(Vertex { position, normal: out, texcoord, weights: weights.clone() });
        }
        triangles.push([first, first + 1, first + 2]);
    }
    (vertices, triangles)
}

/// Computes half the size of the smallest box, centred on the origin, around all vertices.
pub(crate) fn half_extent<'a>(groups: impl Iterator<Item = &'a Group>) -> Vec3 {
    let points = groups.flat_map(|group| &group.vertices).map(|vertex| vertex.position);
    points.fold(vec3(0.0, 0.0, 0.0), |most, point| {
        vec3(most.x.max(point.x.abs()), most.y.max(point.y.abs()), most.z.max(point.z.abs()))
    })
}

/// Interpolates weights along a chain of bones. Each bone has a position on the chain, in ascending order.
pub(crate) fn chain_weights(bones: &[(u8, f64)], place: f64) -> Weights {
    let at = bones.iter().position(|(_, start)| *start > place).unwrap_or(bones.len());
    match (at.checked_sub(1).map(|index| bones[index]), bones.get(at)) {
        (Some((from, start)), Some(&(to, end))) => {
            let part = (place - start) / (end - start);
            vec![(from, 1.0 - part), (to, part)]
        }
        (Some((bone, _)), None) | (None, Some(&(bone, _))) => vec![(bone, 1.0)],
        (None, None) => Weights::new(),
    }
}

/// Returns the grid rows within the range.
pub(crate) fn rows_between(rows: &[f64], range: RangeInclusive<f64>) -> Vec<f64> {
    rows.iter().copied().filter(|row| range.contains(row)).collect()
}

/// Converts an index, which fits because a group has only a few hundred vertices.
fn to_u16(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}
