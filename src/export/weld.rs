//! Welding: builds a primitive from draws and stores vertices with equal bits only once.
//!
//! # Invariants
//! Only referenced vertices are stored, in order of first use. The hash affects only speed. It is randomly seeded,
//! so that crafted files cannot force collisions.

use std::hash::{BuildHasher, Hasher};

use bitflags::bitflags;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::scene::{Influence, MorphTarget, Primitive, Topology};
use crate::ge::never::OrNever;
use crate::model::matrix::single;

/// A vertex with all its morph frames and skin weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Vertex {
    /// The vertex in the first morph frame.
    pub(super) base: FrameVertex,
    pub(super) influences: Vec<Influence>,
    /// The vertex in each further morph frame.
    pub(super) morphs: Vec<FrameVertex>,
}

/// Attributes that can morph, in a single morph frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FrameVertex {
    pub(super) position: [f32; 3],
    pub(super) normal: [f32; 3],
    pub(super) texcoord: [f32; 2],
    pub(super) color: [u8; 4],
}

/// A draw's vertices before welding.
#[derive(Clone, Debug, Default)]
pub(super) struct DrawVertices {
    /// The vertices in each morph frame.
    pub(super) frames: Vec<Vec<FrameVertex>>,
    /// Skin weights by vertex; empty if the draw has no skin.
    pub(super) influences: Vec<Vec<Influence>>,
}

impl DrawVertices {
    /// Returns the vertex at `index`. A missing vertex gets default attributes.
    pub(super) fn vertex(&self, index: u32) -> Vertex {
        let index = index as usize;
        let mut frames = self.frames.iter().map(|vertices| vertices.get(index).copied().unwrap_or_default());
        Vertex {
            base: frames.next().or_never("a draw has a frame"),
            influences: self.influences.get(index).cloned().unwrap_or_default(),
            morphs: frames.collect(),
        }
    }
}

bitflags! {
    /// Attributes a primitive may leave out.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(super) struct Attributes: u8 {
        const NORMALS = 1;
        const TEXCOORDS = 1 << 1;
        const COLORS = 1 << 2;
        const INFLUENCES = 1 << 3;
    }
}

/// Which attributes and morph frames each vertex has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct VertexFormat {
    pub(super) attributes: Attributes,
    /// Number of morph frames after the first.
    pub(super) morphs: usize,
}

/// Builds a primitive and welds its vertices.
#[derive(Clone, Debug)]
pub(super) struct PrimitiveBuilder {
    vertices: WeldedVertices,
    /// Finds stored vertices by a hash over their bits.
    known: HashTable<u32>,
    hash_builder: DefaultHashBuilder,
    /// Counts points, lines and triangles dropped because a position is not finite.
    pub(super) non_finite: usize,
}

/// The distinct vertices, with only the attributes their format asks for.
#[derive(Clone, Debug)]
struct WeldedVertices {
    attributes: Attributes,
    primitive: Primitive,
    /// The vertices in each further morph frame.
    morphs: Vec<Vec<FrameVertex>>,
}

impl PrimitiveBuilder {
    pub(super) fn new(primitive: Primitive, format: VertexFormat) -> Self {
        let morphs = vec![Vec::new(); format.morphs];
        Self {
            vertices: WeldedVertices { attributes: format.attributes, primitive, morphs },
            known: HashTable::new(),
            hash_builder: DefaultHashBuilder::default(),
            non_finite: 0,
        }
    }

    /// Returns the topology, material and vertex format to tell whether a draw fits into this primitive.
    pub(super) const fn key(&self) -> (Topology, usize, VertexFormat) {
        let WeldedVertices { attributes, primitive: Primitive { topology, material, .. }, morphs } =
            &self.vertices;
        (*topology, *material, VertexFormat { attributes: *attributes, morphs: morphs.len() })
    }

    /// Adds a point, line or triangle, given as 1, 2 or 3 vertices. This drops it if a position is not finite.
    pub(super) fn add(&mut self, vertices: &[Vertex]) {
        if !vertices.iter().all(|vertex| has_position(&vertex.base) && vertex.morphs.iter().all(has_position))
        {
            self.non_finite += 1;
            return;
        }
        for vertex in vertices {
            let index = self.weld(vertex);
            self.vertices.primitive.indices.push(index);
        }
    }

    /// Does the same as [`Self::add`], but takes indices into a draw's vertices.
    ///
    /// `welded` remembers where each vertex went, so that a shared vertex is hashed only once. Start with
    /// [`UNWELDED`].
    pub(super) fn add_indexed(&mut self, vertices: &DrawVertices, indices: &[u32], welded: &mut [u32]) {
        let frames = |index: u32| vertices.frames.iter().filter_map(move |frame| frame.get(index as usize));
        if !indices.iter().all(|&index| frames(index).all(has_position)) {
            self.non_finite += 1;
            return;
        }
        for &index in indices {
            let index = match welded.get_mut(index as usize) {
                Some(known) if *known != UNWELDED => *known,
                Some(known) => {
                    *known = self.weld(&vertices.vertex(index));
                    *known
                }
                None => self.weld(&Vertex::default()),
            };
            self.vertices.primitive.indices.push(index);
        }
    }

    /// Stores a vertex unless an equal vertex is stored already. Returns its index.
    fn weld(&mut self, vertex: &Vertex) -> u32 {
        let Self { vertices, known, hash_builder, .. } = self;
        // Only stored vertices can be hashed, because the format drops attributes. So this stores the vertex first,
        // and takes it back if it is known.
        let next = u32::try_from(vertices.primitive.positions.len()).unwrap_or(u32::MAX);
        vertices.push(vertex);
        let hash = vertices.hash(next, hash_builder);
        if let Some(&found) = known.find(hash, |&other| vertices.have_equal_bits(other, next)) {
            vertices.pop();
            return found;
        }
        known.insert_unique(hash, next, |&other| vertices.hash(other, hash_builder));
        next
    }

    /// Completes the primitive; `None` if it is empty.
    pub(super) fn finish(self) -> Option<Primitive> {
        let WeldedVertices { attributes, mut primitive, morphs } = self.vertices;
        if primitive.indices.is_empty() {
            return None;
        }
        for vertices in morphs {
            let target = morph_target(&primitive, &vertices, attributes);
            primitive.targets.push(target);
        }
        Some(primitive)
    }
}

/// Marks a draw's vertex as not welded yet.
pub(super) const UNWELDED: u32 = u32::MAX;

fn has_position(vertex: &FrameVertex) -> bool {
    vertex.position.iter().all(|coordinate| coordinate.is_finite())
}

impl WeldedVertices {
    fn push(&mut self, vertex: &Vertex) {
        let has = |attribute: Attributes| self.attributes.contains(attribute);
        let (normals, texcoords) = (has(Attributes::NORMALS), has(Attributes::TEXCOORDS));
        let (colors, influences) = (has(Attributes::COLORS), has(Attributes::INFLUENCES));
        let keep = |vertex: &FrameVertex| FrameVertex {
            position: vertex.position,
            normal: if normals { unit(vertex.normal) } else { [0.0; 3] },
            texcoord: if texcoords { finite(vertex.texcoord) } else { [0.0; 2] },
            color: if colors { vertex.color } else { [0; 4] },
        };
        let FrameVertex { position, normal, texcoord, color } = keep(&vertex.base);
        let primitive = &mut self.primitive;
        primitive.positions.push(position);
        if normals {
            primitive.normals.push(normal);
        }
        if texcoords {
            primitive.texcoords.push(texcoord);
        }
        if colors {
            primitive.colors.push(color);
        }
        if influences {
            primitive.influences.push(vertex.influences.clone());
        }
        for (number, vertices) in self.morphs.iter_mut().enumerate() {
            vertices.push(vertex.morphs.get(number).map(keep).unwrap_or_default());
        }
    }

    fn pop(&mut self) {
        let Primitive { positions, normals, texcoords, colors, influences, .. } = &mut self.primitive;
        positions.pop();
        normals.pop();
        texcoords.pop();
        colors.pop();
        influences.pop();
        for vertices in &mut self.morphs {
            vertices.pop();
        }
    }

    /// Returns a vertex as bits for each morph frame. Skin weights are left to [`Self::influence_bits`].
    fn bits(&self, index: u32) -> impl Iterator<Item = [u32; 9]> {
        let index = index as usize;
        let Primitive { positions, normals, texcoords, colors, .. } = &self.primitive;
        let first = FrameVertex {
            position: positions.get(index).copied().unwrap_or_default(),
            normal: normals.get(index).copied().unwrap_or_default(),
            texcoord: texcoords.get(index).copied().unwrap_or_default(),
            color: colors.get(index).copied().unwrap_or_default(),
        };
        let others = self.morphs.iter().map(move |frame| frame.get(index).copied().unwrap_or_default());
        std::iter::once(first).chain(others).map(|vertex| {
            let FrameVertex { position: [x, y, z], normal: [nx, ny, nz], texcoord: [u, v], color } = vertex;
            // Bits tell 0 from −0 and let NaN equal itself, so that equal vertices also have equal hashes.
            let [x, y, z, nx, ny, nz, u, v] = [x, y, z, nx, ny, nz, u, v].map(f32::to_bits);
            [x, y, z, nx, ny, nz, u, v, u32::from_le_bytes(color)]
        })
    }

    /// Returns joints and weights as bits.
    fn influence_bits(&self, index: u32) -> impl Iterator<Item = (u16, u32)> {
        let influences = self.primitive.influences.get(index as usize);
        influences.into_iter().flatten().map(|influence| (influence.joint, influence.weight.to_bits()))
    }

    fn hash(&self, index: u32, hash_builder: &DefaultHashBuilder) -> u64 {
        let mut hasher = hash_builder.build_hasher();
        for bits in self.bits(index) {
            bits.into_iter().for_each(|bits| hasher.write_u32(bits));
        }
        for (joint, weight) in self.influence_bits(index) {
            hasher.write_u64(u64::from(joint) << 32 | u64::from(weight));
        }
        hasher.finish()
    }

    fn have_equal_bits(&self, a: u32, b: u32) -> bool {
        self.bits(a).eq(self.bits(b)) && self.influence_bits(a).eq(self.influence_bits(b))
    }
}

/// Subtracts the first frame from a morph frame. Texture coordinates and colours are stored only if any differ.
/// Colours stay values, because writers convert them before they subtract.
fn morph_target(base: &Primitive, vertices: &[FrameVertex], attributes: Attributes) -> MorphTarget {
    let minus = |a: [f32; 3], b: [f32; 3]| [0, 1, 2].map(|axis| a[axis] - b[axis]);
    let positions = vertices.iter().zip(&base.positions);
    let mut target = MorphTarget {
        positions: positions.map(|(vertex, base)| minus(vertex.position, *base)).collect(),
        ..MorphTarget::default()
    };
    if attributes.contains(Attributes::NORMALS) {
        let normals = vertices.iter().zip(&base.normals);
        target.normals = normals.map(|(vertex, base)| minus(vertex.normal, *base)).collect();
    }
    let mut texcoords = vertices.iter().zip(&base.texcoords);
    if texcoords.clone().any(|(vertex, base)| vertex.texcoord != *base) {
        let minus = |a: [f32; 2], b: [f32; 2]| [a[0] - b[0], a[1] - b[1]];
        target.texcoords = texcoords.by_ref().map(|(vertex, base)| minus(vertex.texcoord, *base)).collect();
    }
    if vertices.iter().zip(&base.colors).any(|(vertex, base)| vertex.color != *base) {
        target.colors = vertices.iter().map(|vertex| vertex.color).collect();
    }
    target
}

/// Normalises a normal. A zero or infinite normal becomes +z, because no fixed choice is right: how the hardware
/// lights a zero normal depends on earlier draws. Source:
/// [zero normals](crate::reference::ge::lighting#zero-normals).
fn unit(normal: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = normal.map(f64::from);
    let length = (x * x + y * y + z * z).sqrt();
    if length > 0.0 && length.is_finite() {
        return [x, y, z].map(|component| single(component / length));
    }
    [0.0, 0.0, 1.0]
}

/// Replaces coordinates that are not finite by zero.
fn finite(texcoord: [f32; 2]) -> [f32; 2] {
    texcoord.map(|coordinate| if coordinate.is_finite() { coordinate } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(x: f32, u: f32) -> Vertex {
        let base = FrameVertex { position: [x, 0.0, 0.0], texcoord: [u, 0.0], ..FrameVertex::default() };
        Vertex { base, ..Vertex::default() }
    }

    fn builder(topology: Topology, attributes: Attributes, morphs: usize) -> PrimitiveBuilder {
        let primitive = Primitive { topology, ..Primitive::default() };
        PrimitiveBuilder::new(primitive, VertexFormat { attributes, morphs })
    }

    #[test]
    fn ignores_attributes_outside_the_format() {
        for (attributes, expected) in [(Attributes::TEXCOORDS, 5), (Attributes::empty(), 4)] {
            let mut builder = builder(Topology::Triangles, attributes, 0);
            builder.add(&[vertex(0.0, 0.0), vertex(1.0, 0.0), vertex(2.0, 0.0)]);
            builder.add(&[vertex(2.0, 0.0), vertex(1.0, 0.5), vertex(3.0, 0.0)]);
            let primitive = builder.finish().expect("two triangles");
            assert_eq!(primitive.positions.len(), expected, "stored attributes: {attributes:?}");
            assert_eq!(primitive.indices[..4], [0, 1, 2, 2], "shared vertices");
        }
    }

    #[test]
    fn keeps_zeros_of_different_sign_apart() {
        let mut builder = builder(Topology::Points, Attributes::empty(), 0);
        builder.add(&[vertex(0.0, 0.0)]);
        builder.add(&[vertex(-0.0, 0.0)]);
        assert_eq!(builder.finish().expect("points").positions.len(), 2, "different bits");
    }

    #[test]
    fn drops_and_counts_triangles_with_infinite_positions() {
        let mut builder = builder(Topology::Triangles, Attributes::empty(), 0);
        builder.add(&[vertex(0.0, 0.0), vertex(f32::INFINITY, 0.0), vertex(1.0, 0.0)]);
        assert_eq!(builder.non_finite, 1, "dropped triangles");
        assert_eq!(builder.finish(), None, "an empty primitive");
    }

    #[test]
    fn indexed_and_explicit_vertices_give_the_same_primitive() {
        let frame: Vec<FrameVertex> = [0.0, 1.0, 0.0, 3.0].map(|x| vertex(x, x).base).to_vec();
        let vertices = DrawVertices { frames: vec![frame], influences: Vec::new() };
        let mut indexed = builder(Topology::Triangles, Attributes::TEXCOORDS, 0);
        let mut explicit = indexed.clone();
        let mut welded = vec![UNWELDED; 4];
        for indices in [[0, 1, 3], [2, 3, 1], [1, 0, 9]] {
            indexed.add_indexed(&vertices, &indices, &mut welded);
            explicit.add(&indices.map(|index| vertices.vertex(index)));
        }
        assert_eq!(welded, [0, 1, 0, 2], "equal vertices have one index");
        assert_eq!(indexed.finish(), explicit.finish(), "the same primitive");
    }

    #[test]
    fn morph_targets_hold_differences() {
        let mut builder = builder(Topology::Points, Attributes::empty(), 1);
        let moved = FrameVertex { position: [5.0, 1.0, 0.0], ..FrameVertex::default() };
        builder.add(&[Vertex { morphs: vec![moved], ..vertex(2.0, 0.0) }]);
        let targets = builder.finish().expect("a point").targets;
        let positions: Vec<_> = targets.iter().map(|target| target.positions[0]).collect();
        assert_eq!(positions, [[3.0, 1.0, 0.0]], "second frame minus first");
    }
}
