//! What every model adapter yields: a loaded memory image, the list that draws it, and what belongs to what.
//!
//! # Invariants
//! Everything drawable is reached through [`Model::entry`]; the other fields only describe it. The list at
//! `entry` ends in RET and works from any state: it sets all that it needs, except what the scene owns:
//! framebuffer, viewport, screen offset, scissor, depth function and range, VIEW and PROJ, and CLEARMODE.

use std::ops::Range;

use crate::address::{Address, USER_RAM_BASE};
use crate::capture::Source;
use crate::float24::Float24;
use crate::memory::Memory;

pub mod skeleton;
pub mod texture;

pub use skeleton::{Bone, Skeleton};
pub use texture::{ModelTexture, TexturePalette, TextureSet};

/// Where a scene may put the list that calls a model's: adapters leave this part of memory free.
pub const STAGE: Range<u32> = USER_RAM_BASE..USER_RAM_BASE + 0x1_0000;

/// A model that is ready to be drawn.
#[derive(Clone, Debug)]
pub struct Model {
    /// The memory image with files and lists.
    pub memory: Memory,
    /// First word of the list to CALL. It ends in RET, sets BASE, and leaves the offset register alone.
    pub entry: Address,
    /// Which parts of memory are pieces of which file.
    pub sources: Vec<Source>,
    /// Counts, as the reader found them.
    pub info: ModelInfo,
    /// What is drawn, in drawing order.
    pub parts: Vec<Part>,
    /// Textures, by the numbers that [`Part::texture`] uses.
    pub textures: Vec<ModelTexture>,
    /// The bones, where the model came with some.
    pub skeleton: Option<Skeleton>,
    /// What the user should know: oddities of the file, and what could not be expressed.
    pub notes: Vec<String>,
}

/// Counts of a model file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelInfo {
    /// Name of the format.
    pub format: &'static str,
    /// Version of the format, as the file spells it.
    pub version: Option<String>,
    /// Meshes.
    pub meshes: usize,
    /// Groups of primitives that share vertex layout, material and bones: one list each.
    pub groups: usize,
    /// PRIM commands.
    pub draws: usize,
    /// Vertices, those of each group counted on their own.
    pub vertices: usize,
    /// Triangles, degenerate ones included.
    pub triangles: usize,
    /// Materials.
    pub materials: usize,
    /// Textures that came with the model.
    pub textures: usize,
    /// Bones of the skeleton; without one, bones that the model speaks of.
    pub bones: usize,
    /// Entries of the table that assigns bones to the engine's bone matrices.
    pub bone_entries: usize,
}

/// One group: the list of its own that the model's list calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The words that are executed, RET included.
    pub list: Range<Address>,
    /// The CALL in the model's list that executes them.
    pub call: Address,
    /// Number of the mesh.
    pub mesh: usize,
    /// Number of the group inside the whole model.
    pub group: usize,
    /// Number of the material.
    pub material: usize,
    /// Number of the texture in [`Model::textures`]; `None` where it is drawn without.
    pub texture: Option<usize>,
    /// Which bone of the skeleton, by id, each bone matrix belongs to.
    pub palette: [Option<u8>; 8],
    /// How many of the matrices the vertices use; 0 where they have no weights.
    pub weights: usize,
    /// The factor of the positions per axis. It is in the bone matrices where there are weights, else in WORLD.
    pub scale: [f32; 3],
    /// The bone matrices written just before the part.
    pub uploads: Vec<BoneUpload>,
}

/// The upload of one bone matrix in the model's list, so that a pose can replace it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneUpload {
    /// Number of the bone matrix, 0 to 7.
    pub slot: usize,
    /// The skeleton's bone, by id; `None` where the file never assigned one.
    pub bone: Option<u8>,
    /// Address of the first of the twelve data commands.
    pub at: Address,
}

impl Model {
    /// The part whose list holds `address`, such as the address of a PRIM. Where parts share a list, the first.
    #[must_use]
    pub fn part_at(&self, address: Address) -> Option<&Part> {
        self.parts.iter().find(|part| part.list.contains(&address))
    }

    /// Where in which file the word at `address` stood, if it came from one.
    #[must_use]
    pub fn source_of(&self, address: Address) -> Option<(&Source, u64)> {
        self.sources.iter().find_map(|source| Some((source, source.offset_of(address)?)))
    }

    /// Replaces every bone matrix in the model's list. `skinning(bone)` is the movement of that bone away from
    /// its rest, in the layout of a bone matrix; `None` keeps it at rest.
    pub fn pose(&mut self, mut skinning: impl FnMut(u8) -> Option<[f32; 12]>) {
        for part in &self.parts {
            for upload in &part.uploads {
                let moved = upload.bone.and_then(&mut skinning).unwrap_or(IDENTITY);
                for (i, value) in (0..).zip(scaled(moved, part.scale)) {
                    // Only the argument changes: the upper byte is the data command's.
                    let [a, b, c, _] = Float24::from_f32(value).to_bits().to_le_bytes();
                    self.memory.write(upload.at.offset(i * 4), &[a, b, c]);
                }
            }
        }
    }
}

/// The matrix that changes nothing, in the layout of WORLD, VIEW and BONE.
pub const IDENTITY: [f32; 12] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

/// The matrix that scales by `scale` and then acts as `matrix`.
#[must_use]
pub fn scaled(matrix: [f32; 12], scale: [f32; 3]) -> [f32; 12] {
    let [x, y, z] = scale;
    let factors = [x, x, x, y, y, y, z, z, z, 1.0, 1.0, 1.0];
    let mut out = matrix;
    for (element, factor) in out.iter_mut().zip(factors) {
        *element *= factor;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::ListBuilder;
    use crate::registers::Matrix;

    #[test]
    fn posing_rewrites_arguments_only() {
        let mut memory = Memory::default();
        let start = Address::new(STAGE.end);
        let mut list = ListBuilder::new(start);
        list.matrix(Matrix::Bone, 12, &scaled(IDENTITY, [2.0, 3.0, 4.0]));
        list.store(&mut memory);
        let at = start.offset(4);
        let mut model = Model {
            memory,
            entry: start,
            sources: Vec::new(),
            info: ModelInfo::default(),
            parts: vec![Part {
                list: start..start,
                call: start,
                mesh: 0,
                group: 0,
                material: 0,
                texture: None,
                palette: [None, Some(5), None, None, None, None, None, None],
                weights: 2,
                scale: [2.0, 3.0, 4.0],
                uploads: vec![BoneUpload { slot: 1, bone: Some(5), at }],
            }],
            textures: Vec::new(),
            skeleton: None,
            notes: Vec::new(),
        };
        let mut expected = ListBuilder::new(start);
        let moved = [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 7.0, 8.0, 9.0];
        expected.matrix(Matrix::Bone, 12, &[0.0, 2.0, 0.0, -3.0, 0.0, 0.0, 0.0, 0.0, 4.0, 7.0, 8.0, 9.0]);
        model.pose(|bone| (bone == 5).then_some(moved));
        for (i, &word) in (0..).zip(expected.words()) {
            assert_eq!(model.memory.read_u32(start.offset(i * 4)), word, "word {i}");
        }
    }
}
