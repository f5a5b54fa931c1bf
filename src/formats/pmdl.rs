//! PMDL: the models of the PSPL toolchain's runtime, in all their forms: `PAR0` static, `PAR1` rigged, `PAR2` in an
//! octree; `_GEN` general buffers, `__GX` display lists of another console's graphics chip, `_COL` collision meshes;
//! both byte orders and pointer sizes.
//!
//! `read` checks the file and brings all forms to one: meshes whose draws are corners of vertices. `groups` cuts
//! these to what one list can draw with eight bone matrices, `visibility` says what is tested before what, `lower`
//! writes vertices and lists. Coordinates stay the file's, with z up. Source: the format document on PMDL.

use thiserror::Error;

use super::cursor::View;
use super::error::{FormatError, Warnings};
use crate::ge::address::RAM_SIZE_MAX;
use crate::model::{Field, Model, ModelInfo};

mod actions;
mod curve;
mod general;
mod groups;
mod gx;
mod lower;
mod octree;
mod raw;
mod read;
mod rig;
mod visibility;

use curve::Action;
use octree::Octree;
use rig::Rig;

/// What can be wrong with a PMDL file.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PmdlProblem {
    /// Another magic.
    #[error("not a PMDL file")]
    Magic,
    /// Neither byte order.
    #[error("the byte order is neither _LIT nor _BIG")]
    ByteOrder,
    /// Neither pointer size.
    #[error("pointers of {0} bytes; they have 4 or 8")]
    PointerSize(u32),
    /// Another sub-type than the three known ones.
    #[error("the sub-type is none of PAR0, PAR1 and PAR2")]
    SubType,
    /// Another draw format than the three known ones.
    #[error("the draw format is none of _GEN, __GX and _COL")]
    DrawFormat,
    /// A length or place that is no multiple of 32.
    #[error("the {0} is not a multiple of 32")]
    Alignment(&'static str),
    /// Infinity or no number where there may be none.
    #[error("the {0} is not a finite number")]
    NotFinite(&'static str),
    /// A box inside out, or of numbers that are none.
    #[error("the bounding box is inside out or not finite; that of the vertices is used")]
    Box,
    /// A box that does not hold what it should.
    #[error("the bounding box does not hold its {0}; theirs is used")]
    SmallBox(&'static str),
    /// Sections overlap or change places.
    #[error("the {name} at {offset:#x} begin before {before:#x}, where the section before them ends")]
    SectionOrder {
        /// Which section.
        name: &'static str,
        /// Where it is said to start.
        offset: u64,
        /// Where it may start at the earliest.
        before: u64,
    },
    /// A place outside what it is in.
    #[error("the {name} would be at {offset:#x}, which is not there")]
    Outside {
        /// What should be there.
        name: &'static str,
        /// Where, from the start of the file.
        offset: u64,
    },
    /// A collision model of several collections.
    #[error("{0} collections; a collision model has one")]
    Collections(u32),
    /// More texture coordinates than there can be.
    #[error("{0} layers of texture coordinates; there are at most 8")]
    TexcoordLayers(u16),
    /// Weights that come in fours, and do not.
    #[error("{0} weights per vertex; they come in fours")]
    WeightCount(u16),
    /// Weights where nothing moves.
    #[error("{0} weights per vertex in a model without skins; they are not used")]
    UselessWeights(u16),
    /// A buffer that does not hold whole elements.
    #[error("the {name} buffer of {length} bytes does not hold whole elements of {stride}")]
    PartialElement {
        /// Which buffer.
        name: &'static str,
        /// Its length.
        length: u64,
        /// Bytes of an element.
        stride: u64,
    },
    /// A shader that does not exist.
    #[error("shader {number} does not exist; there are {count}")]
    Shader {
        /// The number.
        number: i32,
        /// How many there are.
        count: usize,
    },
    /// A primitive type that does not exist.
    #[error("primitive type {0} does not exist")]
    Primitive(u32),
    /// Lines or points where there can only be triangles.
    #[error("a collision model of lines or points; it is made of triangles")]
    NoTriangles,
    /// Elements behind the end of their buffer.
    #[error("elements {start} to {end} are drawn, there are {count}")]
    Elements {
        /// The first.
        start: u64,
        /// The one behind the last.
        end: u64,
        /// How many there are.
        count: u64,
    },
    /// An index outside its array.
    #[error("{what} index {index} is outside the {count} that there are")]
    Index {
        /// What it counts.
        what: &'static str,
        /// The index.
        index: u32,
        /// How many there are.
        count: u64,
    },
    /// A vertex buffer shorter than the arrays it should hold.
    #[error("the vertex buffer has {found} bytes, its arrays need {needed}")]
    Arrays {
        /// Bytes that the counts ask for.
        needed: u64,
        /// Bytes there are.
        found: u64,
    },
    /// A GX command that draws nothing.
    #[error("the display list uses GX command {0:#04x}; only draws are known")]
    GxCommand(u8),
    /// A GX vertex format that nothing describes.
    #[error("the display list uses GX vertex format {0}; only format 0 is set up")]
    GxFormat(u8),
    /// A skin with more bones than the runtime takes.
    #[error("a skin of {0} bones; there are at most 8")]
    SkinBones(u32),
    /// A skin that does not exist.
    #[error("skin {skin} does not exist; there are {count}")]
    Skin {
        /// The skin.
        skin: u32,
        /// How many there are.
        count: usize,
    },
    /// A bone that does not exist.
    #[error("bone {bone} does not exist; there are {count}")]
    Bone {
        /// The bone.
        bone: i64,
        /// How many there are.
        count: usize,
    },
    /// More bones than any model has.
    #[error("{0} bones cannot be; there are at most 4096")]
    Bones(u64),
    /// Parents that never end.
    #[error("the bones hang on one another in a circle")]
    Circle,
    /// The lists of children do not agree with the parents.
    #[error("the list of children does not agree with the parents")]
    Children,
    /// A name without an end.
    #[error("the name is not terminated")]
    Name,
    /// Weights that do not add up to one.
    #[error("the weights of a vertex do not add up to one")]
    Weights,
    /// A weight for a bone that the skin does not have.
    #[error("a vertex has a weight for bone {0} of its skin, which has fewer; that part does not move")]
    WeightWithoutBone(u32),
    /// A vertex on more matrices than there are.
    #[error("a vertex hangs on {0} matrices; the heaviest 8 of them share its weight")]
    Influences(usize),
    /// Primitives on more matrices than there are.
    #[error("{0} primitives of the mesh hang on more than 8 matrices; the heaviest share the weights")]
    Reduced(usize),
    /// More weights than there are bones in a skin.
    #[error("{0} weights per vertex; a skin of 8 bones has 9, in 12")]
    TooManyWeights(u16),
    /// An action without a usable length.
    #[error("an action of {0} seconds; it lasts up to an hour")]
    Duration(f32),
    /// Keys that go back in time.
    #[error("the keys of a curve go back in time")]
    KeyOrder,
    /// Location curves that the runtime does not use.
    #[error("the runtime moves only roots; location curves of other bones are not used")]
    ChildLocation,
    /// A second track for a bone.
    #[error("bone {0} has a track already; the first counts")]
    SecondTrack(u32),
    /// A child of an octree node that is neither node nor leaf.
    #[error("a child of the octree node has the type 3, which does not exist")]
    NodeCode,
    /// A node in more than one place.
    #[error("the octree comes to this node twice")]
    NodeTwice,
    /// Nodes within nodes, too many.
    #[error("the octree is more than {0} nodes deep")]
    NodeDepth(usize),
    /// A mesh that does not exist.
    #[error("mesh {mesh} of collection {collection} does not exist")]
    LeafMesh {
        /// The collection.
        collection: u32,
        /// The mesh.
        mesh: u32,
    },
    /// Meshes that the octree forgets.
    #[error("{0} meshes are in no leaf of the octree; each is tested on its own")]
    Unlisted(usize),
    /// More fields than anybody reads.
    #[error("{0} more fields are not listed")]
    Fields(usize),
    /// Sections that use the same data over and over, or more of it than the machine could hold.
    #[error("the file uses the same data over and over, or more than the machine could hold")]
    TooMuchWork,
}

/// How much reading a file may take: each word, index, vertex and key counts one.
#[derive(Clone, Copy, Debug)]
struct Budget(u64);

impl Budget {
    /// Enough for any file whose parts do not share data, and for a good deal of sharing; but no more than twice the
    /// words that fit into the machine.
    fn of(file: View<'_>) -> Self {
        let most = u64::from(RAM_SIZE_MAX / 2);
        Self(file.len().saturating_mul(4).saturating_add(0x1_0000).min(most))
    }

    fn spend(&mut self, file: View<'_>, at: u64, work: u64) -> Result<(), FormatError> {
        self.0 = self.0.checked_sub(work).ok_or_else(|| file.error(at, PmdlProblem::TooMuchWork))?;
        Ok(())
    }
}

/// Which of the three kinds of model it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SubType {
    /// Static.
    Par0,
    /// Rigged.
    Par1,
    /// Static, in an octree.
    Par2,
}

/// Which of the three kinds of buffers it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DrawFormat {
    /// Interleaved vertices and 16-bit elements.
    General,
    /// Arrays, and display lists of another console.
    Gx,
    /// As [`Self::General`] with 32-bit elements, for collisions.
    Collision,
}

/// An axis-parallel box.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    min: [f32; 3],
    max: [f32; 3],
}

/// What is drawn how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Points,
    Lines,
    LineStrip,
    Triangles,
    TriangleStrip,
    TriangleFan,
}

/// A draw of a mesh.
#[derive(Clone, Debug, PartialEq)]
struct Draw {
    shape: Shape,
    /// Which skin its weights mean, where the format has skins.
    skin: Option<usize>,
    /// Vertices of the collection.
    corners: Vec<u32>,
}

/// A mesh of a collection.
#[derive(Clone, Debug, PartialEq)]
struct Mesh {
    /// Where its header stands in the file.
    offset: u64,
    collection: usize,
    /// Holds all its vertices.
    bounds: Bounds,
    shader: Option<usize>,
    draws: Vec<Draw>,
}

impl Mesh {
    /// Whether there is anything in it.
    fn is_drawn(&self) -> bool {
        self.draws.iter().any(|draw| !draw.corners.is_empty())
    }
}

/// A vertex as the engine can take it.
#[derive(Clone, Debug, PartialEq)]
struct Vertex {
    position: [f32; 3],
    normal: [f32; 3],
    /// Of the first layer.
    texcoord: [f32; 2],
    /// Its part of [`Collection::influences`].
    influences: std::ops::Range<usize>,
}

/// A matrix's share of a vertex, not 0.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Influence {
    /// 0 for what does not move; else the skin's bone, or where there are no skins the skeleton's, plus one.
    slot: u32,
    weight: f32,
}

/// Vertices that meshes share.
#[derive(Clone, Debug, Default, PartialEq)]
struct Collection {
    /// Layers of texture coordinates.
    layers: u16,
    /// Weights per vertex, as the file states.
    weights: u16,
    /// Vertices, or where the format keeps them apart positions, as the file counts them.
    counted: u64,
    vertices: Vec<Vertex>,
    influences: Vec<Influence>,
}

/// A model file, read and checked.
#[derive(Debug)]
pub(super) struct Pmdl<'a> {
    file: View<'a>,
    /// As the file spells it: sub-type, draw format, byte order.
    version: String,
    pointer_size: u32,
    sub_type: SubType,
    /// Holds all meshes.
    bounds: Bounds,
    collections: Vec<Collection>,
    meshes: Vec<Mesh>,
    /// Primitives, as the file counts them.
    primitives: u64,
    shaders: Vec<[u8; 20]>,
    rig: Option<Rig>,
    octree: Option<Octree>,
    fields: Vec<Field>,
    warnings: Warnings,
}

/// Whether these are the first bytes of a PMDL file.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&raw::MAGIC)
}

/// Reads a model.
pub(super) fn read(file: View<'_>) -> Result<Pmdl<'_>, FormatError> {
    read::read(file)
}

impl Bounds {
    /// The box around some points; `None` around nothing.
    fn of(points: impl IntoIterator<Item = [f32; 3]>) -> Option<Self> {
        points.into_iter().map(|point| Self { min: point, max: point }).reduce(|a, b| a.union(&b))
    }

    /// The box around two boxes.
    fn union(&self, other: &Self) -> Self {
        let pick = |pick: fn(f32, f32) -> f32, a: [f32; 3], b: [f32; 3]| {
            let ([ax, ay, az], [bx, by, bz]) = (a, b);
            [pick(ax, bx), pick(ay, by), pick(az, bz)]
        };
        Self { min: pick(f32::min, self.min, other.min), max: pick(f32::max, self.max, other.max) }
    }

    /// Whether the other box is inside, give or take what rounding does to a box of this size.
    fn holds(&self, other: &Self) -> bool {
        let size = self.min.iter().chain(&self.max).fold(0.0f32, |size, side| size.max(side.abs()));
        let slack = size * 1e-5;
        let below = |a: &[f32; 3], b: &[f32; 3]| a.iter().zip(b).all(|(a, b)| *a <= *b + slack);
        below(&self.min, &other.min) && below(&other.max, &self.max)
    }

    /// Whether it is a box.
    fn is_sound(&self) -> bool {
        let finite = self.min.iter().chain(&self.max).all(|side| side.is_finite());
        finite && self.min.iter().zip(&self.max).all(|(min, max)| min <= max)
    }

    /// The eight corners.
    fn corners(&self) -> [[f32; 3]; 8] {
        let ([a, b, c], [x, y, z]) = (self.min, self.max);
        [[a, b, c], [x, b, c], [a, y, c], [x, y, c], [a, b, z], [x, b, z], [a, y, z], [x, y, z]]
    }
}

impl Draw {
    /// Its triangles, those included that have no area.
    fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        let corners = self.corners.as_slice();
        let count = match self.shape {
            Shape::Triangles => corners.len() / 3,
            Shape::TriangleStrip | Shape::TriangleFan => corners.len().saturating_sub(2),
            _ => 0,
        };
        (0..count).filter_map(move |number| {
            let start = match self.shape {
                Shape::Triangles => number.saturating_mul(3),
                _ => number,
            };
            let &[a, b, c] = corners.get(start..)?.first_chunk::<3>()?;
            Some(match self.shape {
                // Every second triangle of a strip is wound the other way.
                Shape::TriangleStrip if number & 1 == 1 => [b, a, c],
                Shape::TriangleFan => [*corners.first()?, b, c],
                _ => [a, b, c],
            })
        })
    }
}

/// Whether a triangle has three different corners.
const fn is_whole([a, b, c]: [u32; 3]) -> bool {
    a != b && b != c && a != c
}

impl Pmdl<'_> {
    /// The model, ready to be drawn.
    pub(super) fn lower(self) -> Result<Model, FormatError> {
        lower::lower(self)
    }

    fn actions(&self) -> &[Action] {
        self.rig.as_ref().map_or(&[], |rig| &rig.actions)
    }

    /// What the file holds, as its document counts.
    fn info(&self) -> ModelInfo {
        let draws = || self.meshes.iter().flat_map(|mesh| &mesh.draws);
        let count = |whole: bool| {
            draws().flat_map(Draw::triangles).filter(|&triangle| is_whole(triangle) == whole).count()
        };
        let most = |of: fn(&Collection) -> u16| self.collections.iter().map(of).max().unwrap_or(0).into();
        let bare = self.meshes.iter().any(|mesh| mesh.shader.is_none());
        let number = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        let sum = |counts: &mut dyn Iterator<Item = usize>| number(counts.fold(0, usize::saturating_add));
        let skins = self.rig.as_ref().map_or(&[][..], |rig| &rig.skins);
        let vertices = self.collections.iter().map(|collection| collection.counted);
        ModelInfo {
            format: "pmdl",
            version: Some(self.version.clone()),
            meshes: self.meshes.len(),
            vertices: usize::try_from(vertices.fold(0, u64::saturating_add)).unwrap_or(usize::MAX),
            triangles: count(true),
            materials: self.shaders.len().saturating_add(usize::from(bare)),
            bones: self.rig.as_ref().map_or(0, |rig| rig.skeleton.bones().len()),
            extra: vec![
                ("file_bytes", self.file.len()),
                ("pointer_size", self.pointer_size.into()),
                ("collections", number(self.collections.len())),
                ("primitives", self.primitives),
                ("degenerate_triangles", number(count(false))),
                ("uv_layers", most(|collection| collection.layers)),
                ("weights", most(|collection| collection.weights)),
                ("shaders", number(self.shaders.len())),
                ("skins", number(skins.len())),
                ("skin_bones", sum(&mut skins.iter().map(|skin| skin.bones.len()))),
                ("actions", number(self.actions().len())),
                ("curves", sum(&mut self.actions().iter().map(|action| action.curves().count()))),
                ("keys", sum(&mut self.actions().iter().map(Action::keys))),
                ("octree_nodes", self.octree.as_ref().map_or(0, |octree| number(octree.nodes.len()))),
                ("octree_leaves", self.octree.as_ref().map_or(0, |octree| number(octree.leaves()))),
            ],
            ..ModelInfo::default()
        }
    }
}
