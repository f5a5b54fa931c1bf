//! What can be wrong with a PMDL file.

use thiserror::Error;

use crate::formats::core::error::FormatProblem;

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
    #[error("{name} index {index} is outside the {count} that there are")]
    Index {
        /// What it counts.
        name: &'static str,
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

impl FormatProblem for PmdlProblem {}
