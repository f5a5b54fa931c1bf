//! PMO: the models of Monster Hunter Freedom Unite (`1.0`) and Portable 3rd (`102`).
//!
//! A PMO already is a Graphics Engine program: one display list per group of primitives, with vertices and indices
//! behind it. `read` checks the tables around it, `list` looks through the lists, `lower` writes the list that
//! calls them. Source: the format document on Monster Hunter PMO.

use std::collections::HashSet;

use thiserror::Error;

use super::cursor::View;
use super::error::{FormatError, Warnings};
use super::tmh::Tmh;
use crate::ge::opcode::Opcode;
use crate::ge::registers::vertex::PrimitiveType;
use crate::model::{Model, ModelInfo, Skeleton};

mod list;
mod lower;
mod raw;
mod read;

use list::{Block, Budget};

/// What can be wrong with a PMO file.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PmoProblem {
    /// Another magic.
    #[error("not a PMO file")]
    Magic,
    /// Another version than the two known ones.
    #[error("this PMO version is not supported; 1.0 and 102 are")]
    Version,
    /// The header disagrees with the file's length.
    #[error("the header says {said} bytes, there are {real}")]
    FileSize {
        /// What the header says.
        said: u32,
        /// What there is.
        real: u64,
    },
    /// The clipping distance does not cover the scale.
    #[error("the clipping distance is smaller than the scale")]
    ClippingDistance,
    /// Infinity or no number where a scale belongs.
    #[error("a scale or offset is not a finite number")]
    NotFinite,
    /// Sections overlap or change places.
    #[error("the {name} at {offset:#x} begin before {before:#x}, where the section before them does")]
    SectionOrder {
        /// Which section.
        name: &'static str,
        /// Where it is said to start.
        offset: u64,
        /// Where it may start at the earliest.
        before: u64,
    },
    /// A section outside the file.
    #[error("the {name} at {offset:#x} lie behind the end of the file")]
    SectionOutside {
        /// Which section.
        name: &'static str,
        /// Where it is said to start.
        offset: u64,
    },
    /// Mesh data that can only be in another file.
    #[error("the mesh data at {offset:#x} lies behind the end of the file; it may be in a second file")]
    MeshDataElsewhere {
        /// Where it is said to start.
        offset: u64,
    },
    /// The mesh headers reach into the next section.
    #[error("{count} mesh headers do not fit before the tristrip headers")]
    TooManyMeshes {
        /// How many there are said to be.
        count: u64,
    },
    /// A running count that does not continue the one before.
    #[error("the {what} count does not continue the one before: {expected} expected, {found} found")]
    Chain {
        /// What is counted.
        what: &'static str,
        /// The sum so far.
        expected: usize,
        /// What the file says.
        found: usize,
    },
    /// Mesh headers of an unusual size.
    #[error("the mesh headers make sense only {stride:#x} bytes apart")]
    OtherStride {
        /// Bytes from one to the next.
        stride: u64,
    },
    /// The mesh's scale is not that of the model.
    #[error("the mesh has another scale than the model; its own is used")]
    OwnScale,
    /// A texture number below -1.
    #[error("texture number {number} cannot be")]
    TextureNumber {
        /// The number.
        number: i32,
    },
    /// A texture number that the texture file does not have.
    #[error("the material uses texture {number}, the texture file has {count}; it is drawn without")]
    NoTexture {
        /// The number.
        number: usize,
        /// How many textures there are.
        count: usize,
    },
    /// An index outside the remap table.
    #[error("material {index} is outside the remap table")]
    OutsideRemap {
        /// The index.
        index: usize,
    },
    /// A material that does not exist.
    #[error("material {material} of {materials} does not exist")]
    NoMaterial {
        /// The material's number.
        material: usize,
        /// How many there are.
        materials: usize,
    },
    /// More bones than matrices.
    #[error("{0} bones for one tristrip; the Graphics Engine has 8 bone matrices")]
    TooManyBones(u8),
    /// A bone matrix that does not exist.
    #[error("bone matrix {0} does not exist; there are 8")]
    BoneSlot(u8),
    /// A bone that the skeleton lacks.
    #[error("bone {0} is not in the skeleton")]
    NoBone(u8),
    /// Weights for matrices that no bone was ever assigned to.
    #[error("vertices have {weights} weights, only {slots} bone matrices have a bone")]
    Unassigned {
        /// Weights per vertex.
        weights: usize,
        /// Matrices with a bone.
        slots: usize,
    },
    /// Weights that do not add up to one.
    #[error("the weights of a vertex do not add up to one")]
    Weights,
    /// A list that starts behind the end of the mesh data.
    #[error("the display list at 0x{0:x} of the mesh data lies outside it")]
    ListOutside(u64),
    /// A list that does not start on a word.
    #[error("the display list does not start at a multiple of 4")]
    Unaligned,
    /// A list that runs out of the file.
    #[error("the display list has no RET")]
    NoReturn,
    /// A command that has no business in a model.
    #[error("the display list uses {0}, which models may not")]
    Forbidden(Opcode),
    /// VADDR or IADDR before ORIGIN.
    #[error("the display list uses an address before ORIGIN")]
    NoOrigin,
    /// An address outside the mesh data.
    #[error("the display list points outside the mesh data")]
    AddressOutside,
    /// A vertex type that models may not have.
    #[error("the vertex type is not one of a model: {0}")]
    VertexType(&'static str),
    /// Bits of VTYPE without meaning.
    #[error("the vertex type has bits set that mean nothing")]
    VertexTypeBits,
    /// PRIM before VTYPE.
    #[error("the display list draws before it sets VTYPE")]
    NoVertexType,
    /// PRIM before VADDR.
    #[error("the display list draws before it sets VADDR")]
    NoVertices,
    /// An indexed PRIM before IADDR.
    #[error("the display list draws indexed vertices before it sets IADDR")]
    NoIndices,
    /// Something else than triangles.
    #[error("the display list draws {0}; models have triangles and triangle strips")]
    Primitive(PrimitiveType),
    /// Vertices outside the mesh data.
    #[error("the vertices reach outside the mesh data")]
    VertexOutside,
    /// An index outside the vertices.
    #[error("index {0} is outside the vertices")]
    IndexOutside(u64),
    /// The header says another place than the list.
    #[error("the tristrip header gives another place for the {0} than its display list")]
    HeaderPlace(&'static str),
    /// Lists that use the same data over and over.
    #[error("the display lists use the same data over and over")]
    TooMuchWork,
    /// A word of a mesh header that is no harmless command.
    #[error("the mesh's display-list word {0:#010x} is not executed: it is no plain state")]
    MeshWord(u32),
}

/// A model file, read and checked, its lists looked through.
#[derive(Debug)]
pub(super) struct Pmo<'a> {
    file: read::Pmo<'a>,
    /// One per group.
    blocks: Vec<Block>,
    warnings: Warnings,
}

/// What a model may come with.
#[derive(Debug, Default)]
pub(super) struct Companions<'a> {
    /// Textures and the name of their file.
    pub(super) textures: Option<(&'a str, Tmh<'a>)>,
    pub(super) skeleton: Option<Skeleton>,
    /// Name of the second file, where there is one.
    pub(super) mesh_data: Option<&'a str>,
}

/// Whether these are the first bytes of a PMO of any version. Another game's format spells it in capitals.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&raw::MAGIC)
}

/// Reads a model whose mesh data is in the file, or in `second`.
pub(super) fn read<'a>(file: View<'a>, second: Option<View<'a>>) -> Result<Pmo<'a>, FormatError> {
    let mut file = read::read(file, second)?;
    let mut warnings = std::mem::take(&mut file.warnings);
    let mut budget = Budget::of(file.data);
    let mut blocks = Vec::new();
    let mut assigned = [false; 8];
    for group in &file.groups {
        if group.list >= file.data.len() {
            // Where the group's header says so, since the list itself is nowhere.
            let at = group.offset.saturating_add(4);
            return Err(file.file.error(at, PmoProblem::ListOutside(group.list)));
        }
        let block = list::scan(file.data, group.list, &mut budget, &mut warnings)?;
        // The list is the authority, the header a check.
        for (field, what, said, found) in [
            (8, "vertices", group.vertices, block.first_vertex),
            (12, "indices", group.indices, block.first_index),
        ] {
            if found.is_some_and(|found| found != said) {
                let at = group.offset.saturating_add(field);
                warnings.push(file.file.error(at, PmoProblem::HeaderPlace(what)));
            }
        }
        for entry in file.bones.get(group.bones.clone()).unwrap_or_default() {
            if let Some(slot) = assigned.get_mut(entry.slot) {
                *slot = true;
            }
        }
        let slots = assigned.iter().filter(|slot| **slot).count();
        if block.weights > slots {
            let kind = PmoProblem::Unassigned { weights: block.weights, slots };
            return Err(file.file.error(group.offset.saturating_add(1), kind));
        }
        blocks.push(block);
    }
    Ok(Pmo { file, blocks, warnings })
}

impl Pmo<'_> {
    /// The model, ready to be drawn.
    pub(super) fn lower(self, name: &str, companions: Companions<'_>) -> Result<Model, FormatError> {
        if let Some(skeleton) = &companions.skeleton {
            let known: HashSet<u32> = skeleton.bones().iter().map(|bone| bone.id).collect();
            let stranger = self.file.bones.iter().find(|entry| !known.contains(&u32::from(entry.bone)));
            if let Some(entry) = stranger {
                let at = entry.offset.saturating_add(1);
                return Err(self.file.file.error(at, PmoProblem::NoBone(entry.bone)));
            }
        }
        lower::lower(&self, name, companions)
    }

    /// What the file holds, without its companions.
    fn info(&self) -> ModelInfo {
        let sum = |count: fn(&Block) -> usize| self.blocks.iter().map(count).fold(0, usize::saturating_add);
        let mut bones = [false; 256];
        for entry in &self.file.bones {
            if let Some(bone) = bones.get_mut(usize::from(entry.bone)) {
                *bone = true;
            }
        }
        ModelInfo {
            format: "pmo",
            version: Some(self.file.version.name().to_owned()),
            meshes: self.file.meshes.len(),
            groups: self.file.groups.len(),
            draws: sum(|block| block.draws),
            vertices: sum(|block| block.vertices),
            triangles: sum(|block| block.triangles),
            materials: self.file.materials.len(),
            textures: 0,
            bones: bones.iter().filter(|bone| **bone).count(),
            extra: vec![("bone_entries", self.file.bones.len() as u64)],
        }
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
