//! Primitives out of draws: corners that are the same in every bit become one vertex.
//!
//! # Invariants
//! Only corners that something uses become vertices, in the order in which they are first used.

use std::collections::HashMap;

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
    pub(super) primitive: Primitive,
    attributes: Attributes,
    known: HashMap<Vec<u32>, u32>,
    corners: Vec<Corner>,
    /// Primitives left out because a corner is nowhere.
    pub(super) infinite: usize,
}

impl Pile {
    pub(super) fn new(topology: Topology, material: usize, attributes: Attributes) -> Self {
        let primitive = Primitive { topology, material, ..Primitive::default() };
        Self { primitive, attributes, known: HashMap::new(), corners: Vec::new(), infinite: 0 }
    }

    pub(super) const fn attributes(&self) -> Attributes {
        self.attributes
    }

    /// Adds one primitive of one, two or three corners.
    pub(super) fn add(&mut self, corners: &[Corner]) {
        let is_placed = |look: &Look| look.position.iter().all(|coordinate| coordinate.is_finite());
        if !corners.iter().all(|corner| is_placed(&corner.look) && corner.morphs.iter().all(is_placed)) {
            self.infinite += 1;
            return;
        }
        for corner in corners {
            let mut corner = corner.clone();
            for look in std::iter::once(&mut corner.look).chain(&mut corner.morphs) {
                look.normal = unit(look.normal);
                look.texcoord = finite(look.texcoord);
            }
            let index = self.vertex(corner);
            self.primitive.indices.push(index);
        }
    }

    fn vertex(&mut self, corner: Corner) -> u32 {
        let next = u32::try_from(self.corners.len()).unwrap_or(u32::MAX);
        let index = *self.known.entry(self.key(&corner)).or_insert(next);
        if index == next {
            self.corners.push(corner);
        }
        index
    }

    /// The bits of all attributes that are kept.
    fn key(&self, corner: &Corner) -> Vec<u32> {
        let mut key = Vec::new();
        for look in std::iter::once(&corner.look).chain(&corner.morphs) {
            key.extend(look.position.map(f32::to_bits));
            if self.attributes.normals {
                key.extend(look.normal.map(f32::to_bits));
            }
            if self.attributes.texcoords {
                key.extend(look.texcoord.map(f32::to_bits));
            }
            if self.attributes.colors {
                key.push(u32::from_le_bytes(look.color));
            }
        }
        if self.attributes.influences {
            key.extend(corner.influences.iter().flat_map(|one| [u32::from(one.joint), one.weight.to_bits()]));
        }
        key
    }

    /// The primitive; `None` where nothing was added.
    pub(super) fn finish(mut self) -> Option<Primitive> {
        if self.primitive.indices.is_empty() {
            return None;
        }
        let Attributes { normals, texcoords, colors, influences, morphs } = self.attributes;
        let corners = &self.corners;
        let looks = || corners.iter().map(|corner| corner.look);
        self.primitive.positions = looks().map(|look| look.position).collect();
        if normals {
            self.primitive.normals = looks().map(|look| look.normal).collect();
        }
        if texcoords {
            self.primitive.texcoords = looks().map(|look| look.texcoord).collect();
        }
        if colors {
            self.primitive.colors = looks().map(|look| look.color).collect();
        }
        if influences {
            self.primitive.influences = corners.iter().map(|corner| corner.influences.clone()).collect();
        }
        self.primitive.targets = (0..morphs).map(|number| target(corners, number, self.attributes)).collect();
        Some(self.primitive)
    }
}

/// What morph frame `number` adds to the first one.
fn target(corners: &[Corner], number: usize, attributes: Attributes) -> Target {
    let pairs = || corners.iter().filter_map(|corner| Some((corner.look, *corner.morphs.get(number)?)));
    let minus = |a: [f32; 3], b: [f32; 3]| [0, 1, 2].map(|axis| a[axis] - b[axis]);
    let mut target = Target {
        positions: pairs().map(|(base, look)| minus(look.position, base.position)).collect(),
        ..Target::default()
    };
    if attributes.normals {
        target.normals = pairs().map(|(base, look)| minus(look.normal, base.normal)).collect();
    }
    if attributes.texcoords && pairs().any(|(base, look)| base.texcoord != look.texcoord) {
        let minus = |a: [f32; 2], b: [f32; 2]| [a[0] - b[0], a[1] - b[1]];
        target.texcoords = pairs().map(|(base, look)| minus(look.texcoord, base.texcoord)).collect();
    }
    if attributes.colors && pairs().any(|(base, look)| base.color != look.color) {
        target.colors = pairs().map(|(_, look)| look.color).collect();
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

    #[test]
    fn only_what_is_kept_tells_corners_apart() {
        for (texcoords, expected) in [(true, 5), (false, 4)] {
            let attributes = Attributes { texcoords, ..Attributes::default() };
            let mut pile = Pile::new(Topology::Triangles, 0, attributes);
            pile.add(&[corner(0.0, 0.0), corner(1.0, 0.0), corner(2.0, 0.0)]);
            pile.add(&[corner(2.0, 0.0), corner(1.0, 0.5), corner(3.0, 0.0)]);
            let primitive = pile.finish().expect("two triangles");
            assert_eq!(primitive.positions.len(), expected, "texture coordinates kept: {texcoords}");
            assert_eq!(primitive.indices[..4], [0, 1, 2, 2], "shared corners");
        }
    }

    #[test]
    fn signs_of_zero_are_bits() {
        let mut pile = Pile::new(Topology::Points, 0, Attributes::default());
        pile.add(&[corner(0.0, 0.0)]);
        pile.add(&[corner(-0.0, 0.0)]);
        assert_eq!(pile.finish().expect("points").positions.len(), 2, "not the same bits");
    }

    #[test]
    fn triangles_without_a_place_are_counted() {
        let mut pile = Pile::new(Topology::Triangles, 0, Attributes::default());
        pile.add(&[corner(0.0, 0.0), corner(f32::INFINITY, 0.0), corner(1.0, 0.0)]);
        assert_eq!(pile.infinite, 1, "left out");
        assert_eq!(pile.finish(), None, "nothing is left");
    }

    #[test]
    fn morphs_are_differences() {
        let attributes = Attributes { morphs: 1, ..Attributes::default() };
        let mut pile = Pile::new(Topology::Points, 0, attributes);
        let moved = Look { position: [5.0, 1.0, 0.0], ..Look::default() };
        pile.add(&[Corner { morphs: vec![moved], ..corner(2.0, 0.0) }]);
        let targets = pile.finish().expect("a point").targets;
        let positions: Vec<_> = targets.iter().map(|target| target.positions[0]).collect();
        assert_eq!(positions, [[3.0, 1.0, 0.0]], "second frame less first");
    }
}
