//! Errors and warnings for GMO files.

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::model::FileNoteKind;

/// An error or a warning in a GMO file.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum GmoProblem {
    /// This is no GMO file: the magic is wrong.
    #[error("not a GMO model")]
    Magic,
    /// The file has no model.
    #[error("the file has no model")]
    NoModel,
    /// No model has anything to draw, and none has motions.
    #[error("no mesh can be drawn, and there are no motions")]
    NothingDrawn,
    /// Draws share their data too often, so this file would take too much work.
    #[error("more is drawn than a file of this size can describe; parts share their data too often")]
    TooMuchWork,
    /// Bytes that are no chunk follow the last one.
    #[error("the list of chunks ends here, as for the PSP; {0} bytes are not read")]
    Stray(usize),
    /// A chunk is longer than its parent or the file.
    #[error("the chunk is given as {stated} bytes; {actual} are used")]
    ChunkCut {
        /// The stated size in bytes.
        stated: u64,
        /// Bytes used.
        actual: u64,
    },
    /// A chunk's offsets are out of order.
    #[error("the chunk's offsets do not follow one another")]
    ChunkOffsets,
    /// A part cannot be read.
    #[error("the {what} is left out: {reason}")]
    Broken {
        /// The part's name in the message.
        what: &'static str,
        /// Why it cannot be read.
        reason: String,
    },
    /// A reference leads nowhere.
    #[error("the reference {value:#x} leads to no {kind}")]
    Reference {
        /// The reference in the file.
        value: u32,
        /// The kind of block wanted.
        kind: &'static str,
    },
    /// A vertex's stated size contradicts its layout.
    #[error("a vertex is given as {stated} bytes, its layout has {actual}")]
    Stride {
        /// The stated size in bytes.
        stated: u32,
        /// The layout's size in bytes.
        actual: u32,
    },
    /// The stated morph count contradicts the layout.
    #[error("{stated} morph frames are given, the layout has {actual}")]
    Morphs {
        /// The stated count.
        stated: u32,
        /// The layout's count.
        actual: usize,
    },
    /// The layout has no position, or codes that do not exist.
    #[error("the vertex layout {0:#x} cannot be drawn")]
    Layout(u32),
    /// Vertices are cut off.
    #[error("{stated} vertices are given, {actual} are in the file")]
    Vertices {
        /// The stated count.
        stated: u32,
        /// How many are there.
        actual: u64,
    },
    /// The primitive type does not exist.
    #[error("primitive {0} does not exist")]
    Primitive(u32),
    /// Indices or keys are cut off.
    #[error("{stated} {what} are given, {actual} are there")]
    Cut {
        /// `indices` or `keys`.
        what: &'static str,
        /// The stated count.
        stated: u64,
        /// How many are there.
        actual: u64,
    },
    /// Indices lie beyond the vertices.
    #[error("{0} primitives use vertices that do not exist; they are left out")]
    VertexIndex(usize),
    /// Rect meshes and rect patches are drawn by a guess, because their layout is not documented.
    #[error(
        "rectangular meshes and patches are drawn as Bezier patches, because their layout is not documented"
    )]
    RectPatch,
    /// A patch is too large or too small.
    #[error("a patch of {width}x{height} control points cannot be drawn")]
    Patch {
        /// Control points in the u direction.
        width: u32,
        /// Control points in the v direction.
        height: u32,
    },
    /// Parents form a cycle.
    #[error("the parents of bone {0} form a cycle; it is a root")]
    BoneCycle(usize),
    /// A parent comes later than its child.
    #[error("bone {0} comes before its parent")]
    BoneOrder(usize),
    /// The count of offsets differs from that of blend bones.
    #[error("{bones} blend bones have {offsets} offsets; missing ones change nothing")]
    BlendOffsets {
        /// How many blend bones there are.
        bones: usize,
        /// How many offsets there are.
        offsets: usize,
    },
    /// Vertices have weights, but their bone blends no others to move them.
    #[error("vertices have weights, but their bone blends no others; they do not move")]
    NoBlendBones,
    /// A mesh names more bones than its vertices have weights.
    #[error("the mesh names {bones} bones, its vertices have {weights} weights; the others are not used")]
    Subset {
        /// How many bones the mesh names.
        bones: usize,
        /// How many weights its vertices have.
        weights: usize,
    },
    /// Texture data in an unknown format.
    #[error("the texture is in no known format")]
    Image,
    /// A texture cannot be read.
    #[error("the texture cannot be used: {0}")]
    BrokenTexture(String),
    /// A texture's file is missing.
    #[error("the texture {0} is in another file")]
    MissingTexture(String),
    /// This picture exceeds the largest texture, so it is scaled down.
    #[error("the texture has {width}x{height} texels; it is scaled down to 512")]
    TooLarge {
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
    },
    /// Only the first frames of a picture are used.
    #[error("the first {kept} frames of the picture are used: {reason}")]
    Frames {
        /// How many frames are used.
        kept: usize,
        /// Why the next frame is not.
        reason: String,
    },
    /// A texture is animated, but only its first moment is shown.
    #[error("the texture is animated; its first moment is shown")]
    AnimatedTexture,
    /// A render state does not exist.
    #[error("render state {0} does not exist")]
    State(u32),
    /// A blend factor cannot be expressed.
    #[error(
        "the blend factor {0} names a colour that the Graphics Engine cannot use there; the other colour is used"
    )]
    BlendFactor(u32),
    /// Texture coordinates are generated in an undocumented way.
    #[error("texture coordinates are generated in a way that is not documented; the vertices' own are used")]
    TexGen,
    /// A material reflects, but has no layer for it.
    #[error("the material reflects, but has no texture to reflect")]
    Reflection,
    /// A curve's interpolation is unknown.
    #[error("interpolation {0} does not exist; it is taken as linear")]
    Interpolation(u32),
    /// No channel has this many dimensions.
    #[error("a curve of {0} dimensions moves nothing")]
    Dimensions(u32),
    /// A curve has no keys.
    #[error("the curve has no keys")]
    NoKeys,
    /// Key times do not increase.
    #[error("the keys are not in the order of their times; they are sorted")]
    KeyOrder,
    /// A channel does not exist, or cannot have the curve's dimensions.
    #[error("channel {0:#x} cannot be moved")]
    Channel(u32),
    /// A motion lacks its range or rate, so a default is used.
    #[error("the motion has no {0}")]
    MotionDefault(&'static str),
    /// Motions from another model name bones that this model lacks.
    #[error("the motions name {0} bones that the model lacks")]
    MotionBones(usize),
    /// A command has an unknown meaning.
    #[error("command {0:#x} is not known")]
    Command(u16),
    /// A block has an unknown type.
    #[error("block type {0:#x} is not known")]
    Block(u16),
}

impl FormatProblem for GmoProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Magic", "it is named as a model and is none"),
        Refusal::new("NoModel", "no model can be found"),
        Refusal::new("NothingDrawn", "no mesh can be read, and no motion"),
        Refusal::new(
            "TooMuchWork",
            "a limit of this program protects against files that share their data too often",
        ),
    ];

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Stray(_)
            | Self::Broken { .. }
            | Self::VertexIndex(_)
            | Self::Primitive(_)
            | Self::Layout(_)
            | Self::Patch { .. }
            | Self::BrokenTexture(_)
            | Self::Image
            | Self::Reflection => FileNoteKind::LeftOut,
            Self::Vertices { .. } | Self::Cut { .. } | Self::Frames { .. } => FileNoteKind::Incomplete,
            Self::MissingTexture(_) => FileNoteKind::TextureMissing,
            Self::TooLarge { .. } | Self::AnimatedTexture | Self::BlendFactor(_) | Self::Subset { .. } => {
                FileNoteKind::NotExpressed
            }
            Self::RectPatch | Self::TexGen | Self::MotionDefault(_) | Self::Interpolation(_) => {
                FileNoteKind::Guessed
            }
            Self::Command(_) | Self::Block(_) | Self::State(_) | Self::Channel(_) => {
                FileNoteKind::UnknownField
            }
            _ => FileNoteKind::Mismatch,
        }
    }
}
