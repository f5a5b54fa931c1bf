//! Meshes whose draws are corners of vertices: what all draw formats are brought to.

/// Which of the three kinds of model it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SubType {
    /// Static.
    Par0,
    /// Rigged.
    Par1,
    /// Static, in an octree.
    Par2,
}

/// Which of the three kinds of buffers it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DrawFormat {
    /// Interleaved vertices and 16-bit elements.
    General,
    /// Arrays, and display lists of another console.
    Gx,
    /// As [`Self::General`] with 32-bit elements, for collisions.
    Collision,
}

/// An axis-parallel box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) min: [f32; 3],
    pub(super) max: [f32; 3],
}

/// What is drawn how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topology {
    Points,
    Lines,
    LineStrip,
    Triangles,
    TriangleStrip,
    TriangleFan,
}

/// A draw of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Draw {
    pub(super) topology: Topology,
    /// Which skin its weights mean, where the format has skins.
    pub(super) skin: Option<usize>,
    /// Vertices of the collection.
    pub(super) corners: Vec<u32>,
}

/// A mesh of a collection.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mesh {
    /// Where its header stands in the file.
    pub(super) offset: u64,
    pub(super) collection: usize,
    /// Holds all its vertices.
    pub(super) bounds: Bounds,
    pub(super) shader: Option<usize>,
    pub(super) draws: Vec<Draw>,
}

impl Mesh {
    /// Whether there is anything in it.
    pub(super) fn is_drawn(&self) -> bool {
        self.draws.iter().any(|draw| !draw.corners.is_empty())
    }
}

/// A vertex as the engine can take it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Vertex {
    pub(super) position: [f32; 3],
    pub(super) normal: [f32; 3],
    /// Of the first layer.
    pub(super) texcoord: [f32; 2],
    /// Its part of [`Collection::influences`].
    pub(super) influences: std::ops::Range<usize>,
}

/// A matrix's share of a vertex, not 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Influence {
    /// 0 for what does not move; else the skin's bone, or where there are no skins the skeleton's, plus one.
    pub(super) slot: u32,
    pub(super) weight: f32,
}

/// Vertices that meshes share.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Collection {
    /// Layers of texture coordinates.
    pub(super) layers: u16,
    /// Weights per vertex, as the file states.
    pub(super) weights: u16,
    /// Vertices, or where the format keeps them apart positions, as the file counts them.
    pub(super) vertex_count: u64,
    pub(super) vertices: Vec<Vertex>,
    pub(super) influences: Vec<Influence>,
}

impl Bounds {
    /// The box around some points; `None` around nothing.
    pub(super) fn of(points: impl IntoIterator<Item = [f32; 3]>) -> Option<Self> {
        points.into_iter().map(|point| Self { min: point, max: point }).reduce(|a, b| a.union(&b))
    }

    /// The box around two boxes.
    pub(super) fn union(&self, other: &Self) -> Self {
        let pick = |pick: fn(f32, f32) -> f32, a: [f32; 3], b: [f32; 3]| {
            let ([ax, ay, az], [bx, by, bz]) = (a, b);
            [pick(ax, bx), pick(ay, by), pick(az, bz)]
        };
        Self { min: pick(f32::min, self.min, other.min), max: pick(f32::max, self.max, other.max) }
    }

    /// Whether the other box is inside, give or take what rounding does to a box of this size.
    pub(super) fn holds(&self, other: &Self) -> bool {
        let size = self.min.iter().chain(&self.max).fold(0.0f32, |size, side| size.max(side.abs()));
        let slack = size * 1e-5;
        let below = |a: &[f32; 3], b: &[f32; 3]| a.iter().zip(b).all(|(a, b)| *a <= *b + slack);
        below(&self.min, &other.min) && below(&other.max, &self.max)
    }

    /// Whether it is a box.
    pub(super) fn is_valid(&self) -> bool {
        let finite = self.min.iter().chain(&self.max).all(|side| side.is_finite());
        finite && self.min.iter().zip(&self.max).all(|(min, max)| min <= max)
    }

    /// The eight corners.
    pub(super) fn corners(&self) -> [[f32; 3]; 8] {
        let ([a, b, c], [x, y, z]) = (self.min, self.max);
        [[a, b, c], [x, b, c], [a, y, c], [x, y, c], [a, b, z], [x, b, z], [a, y, z], [x, y, z]]
    }
}

impl Draw {
    /// Its triangles, those included that have no area.
    pub(super) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        let corners = self.corners.as_slice();
        let count = match self.topology {
            Topology::Triangles => corners.len() / 3,
            Topology::TriangleStrip | Topology::TriangleFan => corners.len().saturating_sub(2),
            _ => 0,
        };
        (0..count).filter_map(move |number| {
            let start = match self.topology {
                Topology::Triangles => number.saturating_mul(3),
                _ => number,
            };
            let &[a, b, c] = corners.get(start..)?.first_chunk::<3>()?;
            Some(match self.topology {
                // Every second triangle of a strip is wound the other way.
                Topology::TriangleStrip if number & 1 == 1 => [b, a, c],
                Topology::TriangleFan => [*corners.first()?, b, c],
                _ => [a, b, c],
            })
        })
    }
}

/// Whether a triangle has three different corners.
pub(super) const fn has_distinct_corners([a, b, c]: [u32; 3]) -> bool {
    a != b && b != c && a != c
}
