//! Primitives out of draws: corners that are the same in every bit become one vertex.
//!
//! # Invariants
//! Only corners that something uses become vertices, in the order in which they are first used. How vertices are hashed
//! decides nothing but the time: the seed is another one each time, so that no file can choose numbers that meet.

use std::hash::{BuildHasher, Hasher};

use hashbrown::{DefaultHashBuilder, HashTable};

use super::scene::{Influence, Primitive, Target, Topology};

/// What a corner of a primitive has.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Corner {
    pub(super) look: Look,
    pub(super) influences: Vec<Influence>,
    /// The same corner in each further morph frame.
    pub(super) morphs: Vec<Look>,
}

/// What of a corner can morph.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Look {
    pub(super) position: [f32; 3],
    pub(super) normal: [f32; 3],
    pub(super) texcoord: [f32; 2],
    pub(super) color: [u8; 4],
}

/// The vertices of a draw, on their way to be corners.
#[derive(Clone, Debug, Default)]
pub(super) struct Corners {
    /// What they look like, in each morph frame.
    pub(super) frames: Vec<Vec<Look>>,
    /// What moves them; empty where nothing does.
    pub(super) influences: Vec<Vec<Influence>>,
}

impl Corners {
    /// One of them.
    pub(super) fn corner(&self, place: u32) -> Corner {
        let place = place as usize;
        let mut looks = self.frames.iter().map(|looks| looks.get(place).copied().unwrap_or_default());
        Corner {
            look: looks.next().unwrap_or_default(),
            influences: self.influences.get(place).cloned().unwrap_or_default(),
            morphs: looks.collect(),
        }
    }

    /// Everything that any of them looks like.
    pub(super) fn looks(&self) -> impl Iterator<Item = &Look> {
        self.frames.iter().flatten()
    }
}

/// Which attributes a primitive keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Attributes {
    pub(super) normals: bool,
    pub(super) texcoords: bool,
    pub(super) colors: bool,
    pub(super) influences: bool,
    /// Further morph frames.
    pub(super) morphs: usize,
}

/// A primitive under construction.
#[derive(Clone, Debug)]
pub(super) struct Pile {
    vertices: Vertices,
    /// Places of vertices, found by what the vertices are.
    known: HashTable<u32>,
    hashes: DefaultHashBuilder,
    /// Primitives left out because a corner is nowhere.
    pub(super) infinite: usize,
}

/// The vertices of a primitive under construction: only what it keeps, once.
#[derive(Clone, Debug)]
struct Vertices {
    attributes: Attributes,
    primitive: Primitive,
    /// Further morph frames.
    morphs: Vec<Vec<Look>>,
}

impl Pile {
    pub(super) fn new(primitive: Primitive, attributes: Attributes) -> Self {
        let morphs = vec![Vec::new(); attributes.morphs];
        Self {
            vertices: Vertices { attributes, primitive, morphs },
            known: HashTable::new(),
            hashes: DefaultHashBuilder::default(),
            infinite: 0,
        }
    }

    /// What it is, without anything that was added.
    pub(super) const fn kind(&self) -> (Topology, usize, Attributes) {
        let Primitive { topology, material, .. } = self.vertices.primitive;
        (topology, material, self.vertices.attributes)
    }

    /// Adds one primitive of one, two or three corners.
    pub(super) fn add(&mut self, corners: &[Corner]) {
        if !corners.iter().all(|corner| is_placed(&corner.look) && corner.morphs.iter().all(is_placed)) {
            self.infinite += 1;
            return;
        }
        for corner in corners {
            let index = self.vertex(corner);
            self.vertices.primitive.indices.push(index);
        }
    }

    /// As [`Self::add`] with some of a draw's vertices. `found` holds where each of them went, or [`NOWHERE`] as long as
    /// nobody asked.
    pub(super) fn add_places(&mut self, corners: &Corners, places: &[u32], found: &mut [u32]) {
        let looks = |place: u32| corners.frames.iter().filter_map(move |looks| looks.get(place as usize));
        if !places.iter().all(|&place| looks(place).all(is_placed)) {
            self.infinite += 1;
            return;
        }
        for &place in places {
            let index = match found.get_mut(place as usize) {
                Some(known) if *known != NOWHERE => *known,
                Some(known) => {
                    *known = self.vertex(&corners.corner(place));
                    *known
                }
                None => self.vertex(&Corner::default()),
            };
            self.vertices.primitive.indices.push(index);
        }
    }

    fn vertex(&mut self, corner: &Corner) -> u32 {
        let Self { vertices, known, hashes, .. } = self;
        let next = u32::try_from(vertices.primitive.positions.len()).unwrap_or(u32::MAX);
        vertices.push(corner);
        let hash = vertices.hash(next, hashes);
        if let Some(&found) = known.find(hash, |&other| vertices.are_same(other, next)) {
            vertices.pop();
            return found;
        }
        known.insert_unique(hash, next, |&other| vertices.hash(other, hashes));
        next
    }

    /// The primitive; `None` where nothing was added.
    pub(super) fn finish(self) -> Option<Primitive> {
        let Vertices { attributes, mut primitive, morphs } = self.vertices;
        if primitive.indices.is_empty() {
            return None;
        }
        for looks in morphs {
            let target = target(&primitive, &looks, attributes);
            primitive.targets.push(target);
        }
        Some(primitive)
    }
}

/// Not a vertex.
pub(super) const NOWHERE: u32 = u32::MAX;

fn is_placed(look: &Look) -> bool {
    look.position.iter().all(|coordinate| coordinate.is_finite())
}

impl Vertices {
    fn push(&mut self, corner: &Corner) {
        let Attributes { normals, texcoords, colors, influences, .. } = self.attributes;
        let keep = |look: &Look| Look {
            position: look.position,
            normal: if normals { unit(look.normal) } else { [0.0; 3] },
            texcoord: if texcoords { finite(look.texcoord) } else { [0.0; 2] },
            color: if colors { look.color } else { [0; 4] },
        };
        let Look { position, normal, texcoord, color } = keep(&corner.look);
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
            primitive.influences.push(corner.influences.clone());
        }
        for (number, looks) in self.morphs.iter_mut().enumerate() {
            looks.push(corner.morphs.get(number).map(keep).unwrap_or_default());
        }
    }

    fn pop(&mut self) {
        let Primitive { positions, normals, texcoords, colors, influences, .. } = &mut self.primitive;
        positions.pop();
        normals.pop();
        texcoords.pop();
        colors.pop();
        influences.pop();
        for looks in &mut self.morphs {
            looks.pop();
        }
    }

    /// The bits of a vertex in all frames.
    fn bits(&self, number: u32) -> impl Iterator<Item = [u32; 9]> {
        let number = number as usize;
        let Primitive { positions, normals, texcoords, colors, .. } = &self.primitive;
        let first = Look {
            position: positions.get(number).copied().unwrap_or_default(),
            normal: normals.get(number).copied().unwrap_or_default(),
            texcoord: texcoords.get(number).copied().unwrap_or_default(),
            color: colors.get(number).copied().unwrap_or_default(),
        };
        let others = self.morphs.iter().map(move |looks| looks.get(number).copied().unwrap_or_default());
        std::iter::once(first).chain(others).map(|look| {
            let Look { position: [x, y, z], normal: [nx, ny, nz], texcoord: [u, v], color } = look;
            let [x, y, z, nx, ny, nz, u, v] = [x, y, z, nx, ny, nz, u, v].map(f32::to_bits);
            [x, y, z, nx, ny, nz, u, v, u32::from_le_bytes(color)]
        })
    }

    fn influences(&self, number: u32) -> impl Iterator<Item = (u16, u32)> {
        let influences = self.primitive.influences.get(number as usize);
        influences.into_iter().flatten().map(|influence| (influence.joint, influence.weight.to_bits()))
    }

    fn hash(&self, number: u32, hashes: &DefaultHashBuilder) -> u64 {
        let mut hasher = hashes.build_hasher();
        for bits in self.bits(number) {
            bits.into_iter().for_each(|bits| hasher.write_u32(bits));
        }
        for (joint, weight) in self.influences(number) {
            hasher.write_u64(u64::from(joint) << 32 | u64::from(weight));
        }
        hasher.finish()
    }

    fn are_same(&self, a: u32, b: u32) -> bool {
        self.bits(a).eq(self.bits(b)) && self.influences(a).eq(self.influences(b))
    }
}

/// What a morph frame adds to the first one.
fn target(base: &Primitive, looks: &[Look], attributes: Attributes) -> Target {
    let minus = |a: [f32; 3], b: [f32; 3]| [0, 1, 2].map(|axis| a[axis] - b[axis]);
    let positions = looks.iter().zip(&base.positions);
    let mut target = Target {
        positions: positions.map(|(look, base)| minus(look.position, *base)).collect(),
        ..Target::default()
    };
    if attributes.normals {
        let normals = looks.iter().zip(&base.normals);
        target.normals = normals.map(|(look, base)| minus(look.normal, *base)).collect();
    }
    let mut texcoords = looks.iter().zip(&base.texcoords);
    if texcoords.clone().any(|(look, base)| look.texcoord != *base) {
        let minus = |a: [f32; 2], b: [f32; 2]| [a[0] - b[0], a[1] - b[1]];
        target.texcoords = texcoords.by_ref().map(|(look, base)| minus(look.texcoord, *base)).collect();
    }
    if looks.iter().zip(&base.colors).any(|(look, base)| look.color != *base) {
        target.colors = looks.iter().map(|look| look.color).collect();
    }
    target
}

/// A normal with length 1; without a direction it is +z, as the engine's lights take it. Source:
/// `ge-reference.md` §6.2.
fn unit(normal: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = normal.map(f64::from);
    let length = (x * x + y * y + z * z).sqrt();
    if length > 0.0 && length.is_finite() {
        #[expect(clippy::cast_possible_truncation, reason = "rounded to single once, at the end")]
        return [x, y, z].map(|component| (component / length) as f32);
    }
    [0.0, 0.0, 1.0]
}

fn finite(texcoord: [f32; 2]) -> [f32; 2] {
    texcoord.map(|coordinate| if coordinate.is_finite() { coordinate } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(x: f32, u: f32) -> Corner {
        let look = Look { position: [x, 0.0, 0.0], texcoord: [u, 0.0], ..Look::default() };
        Corner { look, ..Corner::default() }
    }

    fn pile(topology: Topology, attributes: Attributes) -> Pile {
        Pile::new(Primitive { topology, ..Primitive::default() }, attributes)
    }

    #[test]
    fn only_what_is_kept_tells_corners_apart() {
        for (texcoords, expected) in [(true, 5), (false, 4)] {
            let attributes = Attributes { texcoords, ..Attributes::default() };
            let mut built = pile(Topology::Triangles, attributes);
            built.add(&[corner(0.0, 0.0), corner(1.0, 0.0), corner(2.0, 0.0)]);
            built.add(&[corner(2.0, 0.0), corner(1.0, 0.5), corner(3.0, 0.0)]);
            let primitive = built.finish().expect("two triangles");
            assert_eq!(primitive.positions.len(), expected, "texture coordinates kept: {texcoords}");
            assert_eq!(primitive.indices[..4], [0, 1, 2, 2], "shared corners");
        }
    }

    #[test]
    fn signs_of_zero_are_bits() {
        let mut built = pile(Topology::Points, Attributes::default());
        built.add(&[corner(0.0, 0.0)]);
        built.add(&[corner(-0.0, 0.0)]);
        assert_eq!(built.finish().expect("points").positions.len(), 2, "not the same bits");
    }

    #[test]
    fn triangles_without_a_place_are_counted() {
        let mut built = pile(Topology::Triangles, Attributes::default());
        built.add(&[corner(0.0, 0.0), corner(f32::INFINITY, 0.0), corner(1.0, 0.0)]);
        assert_eq!(built.infinite, 1, "left out");
        assert_eq!(built.finish(), None, "nothing is left");
    }

    /// A draw's vertices that are asked for by place become the same as corners that are added one by one.
    #[test]
    fn places_are_corners() {
        let attributes = Attributes { texcoords: true, ..Attributes::default() };
        let looks: Vec<Look> = [0.0, 1.0, 0.0, 3.0].map(|x| corner(x, x).look).to_vec();
        let corners = Corners { frames: vec![looks], influences: Vec::new() };
        let mut by_place = pile(Topology::Triangles, attributes);
        let mut by_corner = by_place.clone();
        let mut found = vec![NOWHERE; 4];
        for places in [[0, 1, 3], [2, 3, 1], [1, 0, 9]] {
            by_place.add_places(&corners, &places, &mut found);
            by_corner.add(&places.map(|place| corners.corner(place)));
        }
        assert_eq!(found, [0, 1, 0, 2], "equal vertices went to one place");
        assert_eq!(by_place.finish(), by_corner.finish(), "the same primitive");
    }

    #[test]
    fn morphs_are_differences() {
        let attributes = Attributes { morphs: 1, ..Attributes::default() };
        let mut built = pile(Topology::Points, attributes);
        let moved = Look { position: [5.0, 1.0, 0.0], ..Look::default() };
        built.add(&[Corner { morphs: vec![moved], ..corner(2.0, 0.0) }]);
        let targets = built.finish().expect("a point").targets;
        let positions: Vec<_> = targets.iter().map(|target| target.positions[0]).collect();
        assert_eq!(positions, [[3.0, 1.0, 0.0]], "second frame less first");
    }
}
