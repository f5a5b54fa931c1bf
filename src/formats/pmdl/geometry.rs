//! Meshes as lists of vertex numbers, to which all draw formats are converted.

/// How a model is organised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SubType {
    /// Static.
    Par0,
    /// Rigged.
    Par1,
    /// Static, in an octree.
    Par2,
}

/// How a model's buffers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DrawFormat {
    /// Interleaved vertices and 16-bit elements.
    General,
    /// Attribute arrays, and display lists for the GX graphics chip.
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

/// How to join a primitive's corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topology {
    Points,
    Lines,
    LineStrip,
    Triangles,
    TriangleStrip,
    TriangleFan,
}

/// A draw within a mesh.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Draw {
    pub(super) topology: Topology,
    /// The skin its weights refer to; `None` if the format has no skins.
    pub(super) skin: Option<usize>,
    /// Vertex numbers within the collection.
    pub(super) corners: Vec<u32>,
}

/// A mesh within a collection.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mesh {
    /// Where its header is in the file.
    pub(super) offset: u64,
    pub(super) collection: usize,
    /// A box around all this mesh's vertices.
    pub(super) bounds: Bounds,
    pub(super) shader: Option<usize>,
    pub(super) draws: Vec<Draw>,
}

impl Mesh {
    /// Returns whether this mesh has any vertices to draw.
    pub(super) fn is_drawn(&self) -> bool {
        self.draws.iter().any(|draw| !draw.corners.is_empty())
    }
}

/// A vertex.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Vertex {
    pub(super) position: [f32; 3],
    pub(super) normal: [f32; 3],
    /// Texture coordinates from the first layer.
    pub(super) texcoord: [f32; 2],
    /// Its range in [`Collection::influences`].
    pub(super) influences: std::ops::Range<usize>,
}

/// How strongly a bone matrix moves a vertex. Never 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Influence {
    /// 0 for the identity matrix, else 1 + the bone's number. This counts within the skin, or within the skeleton if
    /// the format has no skins.
    pub(super) slot: u32,
    pub(super) weight: f32,
}

/// Vertices for several meshes to share.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Collection {
    /// How many texture coordinate layers there are.
    pub(super) layers: u16,
    /// How many weights a vertex has according to the file.
    pub(super) weights: u16,
    /// How many vertices the file has; for `__GX`, how many positions.
    pub(super) vertex_count: u64,
    pub(super) vertices: Vec<Vertex>,
    pub(super) influences: Vec<Influence>,
}

impl Bounds {
    /// Computes the smallest box around points; `None` without points.
    pub(super) fn of(points: impl IntoIterator<Item = [f32; 3]>) -> Option<Self> {
        points.into_iter().map(|point| Self { min: point, max: point }).reduce(|a, b| a.union(&b))
    }

    /// Computes the smallest box around both.
    pub(super) fn union(&self, other: &Self) -> Self {
        let pick = |pick: fn(f32, f32) -> f32, a: [f32; 3], b: [f32; 3]| {
            let ([ax, ay, az], [bx, by, bz]) = (a, b);
            [pick(ax, bx), pick(ay, by), pick(az, bz)]
        };
        Self { min: pick(f32::min, self.min, other.min), max: pick(f32::max, self.max, other.max) }
    }

    /// Returns whether this box contains the other, to within 1e-5 of the largest coordinate.
    pub(super) fn holds(&self, other: &Self) -> bool {
        let size = self.min.iter().chain(&self.max).fold(0.0f32, |size, side| size.max(side.abs()));
        let slack = size * 1e-5;
        let below = |a: &[f32; 3], b: &[f32; 3]| a.iter().zip(b).all(|(a, b)| *a <= *b + slack);
        below(&self.min, &other.min) && below(&other.max, &self.max)
    }

    /// Returns whether this box is finite and not inside out.
    pub(super) fn is_valid(&self) -> bool {
        let finite = self.min.iter().chain(&self.max).all(|side| side.is_finite());
        finite && self.min.iter().zip(&self.max).all(|(min, max)| min <= max)
    }

    pub(super) fn corners(&self) -> [[f32; 3]; 8] {
        let ([a, b, c], [x, y, z]) = (self.min, self.max);
        [[a, b, c], [x, b, c], [a, y, c], [x, y, c], [a, b, z], [x, b, z], [a, y, z], [x, y, z]]
    }
}

impl Draw {
    /// Lists this draw's triangles, including degenerate triangles.
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
                // Odd triangles in a strip have reversed winding.
                Topology::TriangleStrip if number & 1 == 1 => [b, a, c],
                Topology::TriangleFan => [*corners.first()?, b, c],
                _ => [a, b, c],
            })
        })
    }
}

/// Marks a corner whose vertex does not exist.
pub(super) const MISSING: u32 = u32::MAX;

impl Draw {
    /// Removes points, lines and triangles with a missing corner. This turns strips and fans into lists, because
    /// they could not skip an element.
    pub(super) fn without_missing(self) -> Self {
        if !self.corners.contains(&MISSING) {
            return self;
        }
        let whole = |corners: &[u32]| !corners.contains(&MISSING);
        let (topology, corners) = match self.topology {
            Topology::Points => {
                (Topology::Points, self.corners.iter().copied().filter(|&corner| corner != MISSING).collect())
            }
            Topology::Lines => (
                Topology::Lines,
                self.corners.chunks_exact(2).filter(|line| whole(line)).flatten().copied().collect(),
            ),
            Topology::LineStrip => (
                Topology::Lines,
                self.corners.windows(2).filter(|line| whole(line)).flatten().copied().collect(),
            ),
            _ => {
                (Topology::Triangles, self.triangles().filter(|triangle| whole(triangle)).flatten().collect())
            }
        };
        Self { topology, corners, ..self }
    }
}
