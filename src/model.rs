//! All model formats share this result: a memory image, a display list to draw it, and a description for users.
//!
//! # Invariants
//! Run the list at [`Model::entry`] to draw everything; the other fields only describe it. The list ends in RET and
//! works in any state, because it sets every register it needs. It leaves some to the scene: framebuffer, viewport,
//! screen offset, scissor, depth function and range, VIEW and PROJ, and CLEARMODE.
//!
//! ```
//! /// Prints the bones of a model.
//! fn print_bones(model: &pspge::Model) {
//!     for bone in model.skeleton.iter().flat_map(|skeleton| skeleton.bones()) {
//!         println!("{} {:?}", bone.id, bone.name);
//!     }
//! }
//! ```

use std::collections::HashMap;
use std::ops::Range;

use crate::ge::address::{Address, USER_RAM_BASE};
use crate::ge::capture::{Capture, Source};
use crate::ge::float24::Float24;
use crate::ge::list::ListBuilder;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::overrides::Overrides;
use crate::ge::registers::{Matrix, Registers};

pub mod alternatives;
pub mod animation;
#[doc(hidden)]
pub mod matrix;
pub mod note;
pub mod pose;
pub mod skeleton;
#[doc(hidden)]
pub mod storage;
pub mod texture;

#[doc(no_inline)]
pub use crate::pipeline::bounds::Bounds;
pub use alternatives::{AlternativeChoice, Alternatives, LevelOfDetail, MissingAlternative};
pub use animation::{Animation, AnimationSet, CommandPatch, FloatPatch, Sampler};
pub use matrix::Affine;
use matrix::then;
pub use note::{FileNote, FileNoteKind, MissingFile};
pub use skeleton::{Bone, Skeleton};
pub use texture::{ModelTexture, TexturePalette, TextureSet};

/// Reserved for the scene's own list and vertices. Adapters leave these addresses free.
pub(crate) const SCENE_MEMORY: Range<u32> = USER_RAM_BASE..USER_RAM_BASE + 0x1_0000;

/// A model, ready to be drawn.
///
/// ```
/// /// Returns the address of the list that draws a model, and the number of meshes.
/// fn summary(model: &pspge::Model) -> (pspge::Address, usize) {
///     (model.entry, model.info.meshes)
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    /// The memory image with files and lists, for a run to read and change.
    pub memory: Memory,
    /// Where the model's list starts. It ends in RET, sets BASE, and leaves the offset register alone.
    pub entry: Address,
    /// Maps memory back to the files it came from.
    pub sources: Vec<Source>,
    /// Counts shown to the user.
    pub info: ModelInfo,
    /// The parts of the model, in drawing order.
    pub parts: Vec<Part>,
    /// Textures, indexed by [`Part::texture`].
    pub textures: Vec<ModelTexture>,
    /// The skeleton, if the model has one.
    pub skeleton: Option<Skeleton>,
    /// Animations for the skeleton and for other values.
    pub animations: Vec<Animation>,
    /// Levels of detail, groups and hidden parts, for a [`Selection`](crate::formats::Selection) to choose from.
    pub alternatives: Alternatives,
    /// The upward axis.
    pub up: Up,
    /// Unknown fields, and fields without effect on drawing.
    pub fields: Vec<Field>,
    /// Oddities in the file, and features the GE cannot express.
    pub notes: Vec<FileNote>,
}

/// The upward axis in model space. Lists draw in model space; cameras and exporters rotate it upright.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// Y is up, and the model faces +z.
    #[default]
    Y,
    /// Z is up, and the model faces -y.
    Z,
}

impl Up {
    /// Returns the rotation from model space to upright space (y up, facing +z), or `None` if both are the same.
    #[must_use]
    pub const fn upright(self) -> Option<Affine> {
        match self {
            Self::Y => None,
            Self::Z => Some([1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
        }
    }
}

/// Counts for a model file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelInfo {
    /// The format's name.
    pub format: &'static str,
    /// The format's version, as stored in the file.
    pub version: Option<String>,
    /// How many meshes it has.
    pub meshes: usize,
    /// How many groups it has. A group shares vertex layout, material and bones, so that a single list draws it.
    pub groups: usize,
    /// How many PRIM commands it has.
    pub draws: usize,
    /// How many vertices it has, summed over groups.
    pub vertices: usize,
    /// How many triangles it has, as the format's tools count them. This includes degenerate triangles, unless
    /// `extra` counts those.
    pub triangles: usize,
    /// How many materials it has.
    pub materials: usize,
    /// How many textures come with the model.
    pub textures: usize,
    /// How many bones the skeleton has. Without a skeleton, this counts the bones referred to.
    pub bones: usize,
    /// Counts specific to this format, with the names from its documentation.
    pub extra: Vec<(&'static str, u64)>,
}

impl ModelInfo {
    /// Looks up a count specific to the format.
    #[must_use]
    pub fn extra(&self, name: &str) -> Option<u64> {
        self.extra.iter().find(|(known, _)| *known == name).map(|(_, count)| *count)
    }
}

/// A field without effect, kept because a user may want to see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name for the field or its structure.
    pub name: String,
    /// Offset in the file.
    pub offset: u64,
    /// The value, as text.
    pub value: String,
}

impl From<&Field> for FileNote {
    fn from(field: &Field) -> Self {
        let message = format!("{}: {}", field.name, field.value);
        Self::new(FileNoteKind::UnknownField, message).at(field.offset)
    }
}

/// A group of primitives with its own list, for the model's list to call.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The executed words, including RET.
    pub list: Range<Address>,
    /// Address of the CALL in the model's list.
    pub call: Address,
    /// Index of the mesh.
    pub mesh: usize,
    /// Index of the group within the model.
    pub group: usize,
    /// Index of the material.
    pub material: usize,
    /// Index into [`Model::textures`]; `None` if untextured.
    pub texture: Option<usize>,
    /// Maps each bone matrix to its bone's id in the skeleton.
    pub palette: [Option<u32>; 8],
    /// How many bone matrices the vertices use; 0 without weights.
    pub weights: usize,
    /// Matrices that move with bones. The model's list writes them before it calls this part.
    pub uploads: Vec<MatrixUpload>,
}

/// A matrix in the model's list that follows a bone. [`Model::pose`] rewrites it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatrixUpload {
    /// Whether this is a WORLD or a BONE matrix.
    pub matrix: Matrix,
    /// Number of the bone matrix, 0 to 7; 0 for WORLD.
    pub slot: usize,
    /// Id of the bone to follow; `None` if the matrix is constant.
    pub bone: Option<u32>,
    /// Transform from vertex space to bone space. The bone's own transform comes after it; without a bone this is
    /// the whole matrix.
    pub binding: Affine,
    /// Where the twelve data commands start.
    pub at: Address,
}

impl Model {
    /// Builds a capture that runs the model's list alone, without camera, render target or clear.
    #[must_use]
    pub fn to_capture(&self) -> Capture {
        let mut memory = self.memory.clone();
        let start = self.write_call(&mut memory);
        Capture {
            memory,
            registers: Registers::new(),
            start,
            stall: None,
            sources: self.sources.clone(),
            events: Vec::new(),
            overrides: Overrides::default(),
        }
    }

    /// Writes a list into a copy of the model's memory, to call the model's list. Returns its address, for a run to
    /// start there.
    pub(crate) fn write_call(&self, memory: &mut Memory) -> Address {
        let mut list = ListBuilder::new(Address::new(SCENE_MEMORY.start));
        list.address(Opcode::CALL, self.entry).finish();
        list.store(memory);
        list.start()
    }

    /// Finds the part to which an address belongs, such as a PRIM's. If parts share a list, this is the first.
    #[must_use]
    pub fn part_at(&self, address: Address) -> Option<&Part> {
        self.parts.iter().find(|part| part.list.contains(&address))
    }

    /// Traces the word at `address` back to its file and file offset; `None` for words from no file.
    #[must_use]
    pub fn source_of(&self, address: Address) -> Option<(&Source, u64)> {
        self.sources.iter().find_map(|source| Some((source, source.offset_of(address)?)))
    }

    /// Poses the skeleton: rewrites matrices in the list, so that the next run draws this pose. `world` holds a
    /// model-space matrix for each bone in skeleton order; missing bones are at rest.
    pub fn pose(&mut self, world: &[Affine]) {
        let Some(skeleton) = &self.skeleton else { return };
        let rest = skeleton.world(&skeleton.rest());
        // If ids repeat, the first bone counts, as in `index_of`. A later insertion wins, so this goes backwards.
        let bones = skeleton.bones().iter().enumerate().rev();
        let indices: HashMap<u32, usize> = bones.map(|(index, bone)| (bone.id, index)).collect();
        for upload in self.parts.iter().flat_map(|part| &part.uploads) {
            let index = upload.bone.and_then(|id| indices.get(&id).copied());
            let bone = index.and_then(|index| world.get(index).or_else(|| rest.get(index)));
            let matrix = bone.map_or(upload.binding, |bone| then(&upload.binding, bone));
            // The list holds twelve data commands in a row, with four bytes each.
            for (i, value) in (0..).zip(matrix) {
                write_float(&mut self.memory, upload.at.offset(i * 4), value);
            }
        }
    }

    /// Moves bones and other animated values to a frame. Does nothing if there is no such animation.
    pub fn animate(&mut self, animation: usize, frame: f64) {
        let Some(animation) = self.animations.get(animation) else { return };
        for FloatPatch { at, value } in animation.sampler.floats(frame) {
            write_float(&mut self.memory, at, value);
        }
        for CommandPatch { at, command } in animation.sampler.commands(frame) {
            self.memory.write(at, &command.word().to_le_bytes());
        }
        let Some(skeleton) = &self.skeleton else { return };
        let world = skeleton.world(&animation.sampler.sample(skeleton, frame));
        self.pose(&world);
    }
}

/// Replaces a command's argument and keeps its opcode.
fn write_float(memory: &mut Memory, at: Address, value: f32) {
    // The opcode is the fourth byte in little-endian order. It stays, because only three bytes are written.
    let [a, b, c, _] = Float24::from_f32(value).to_bits().to_le_bytes();
    memory.write(at, &[a, b, c]);
}

#[cfg(test)]
mod tests {
    use super::matrix::{IDENTITY, scaled, translation};
    use super::*;
    use crate::ge::list::ListBuilder;

    #[derive(Debug)]
    struct Rise;

    impl Sampler for Rise {
        #[expect(clippy::cast_possible_truncation, reason = "small whole numbers")]
        fn sample(&self, _: &Skeleton, frame: f64) -> Vec<Affine> {
            vec![translation([0.0, frame as f32, 0.0])]
        }
    }

    #[test]
    fn animate_rewrites_only_command_arguments() {
        let mut memory = Memory::default();
        let start = Address::new(SCENE_MEMORY.end);
        let binding = scaled(translation([1.0, 0.0, 0.0]), [2.0, 3.0, 4.0]);
        let mut list = ListBuilder::new(start);
        list.matrix(Matrix::Bone, 12, &binding);
        list.store(&mut memory);
        let bone = Bone { id: 5, name: None, parent: None, local: IDENTITY };
        let upload =
            MatrixUpload { matrix: Matrix::Bone, slot: 1, bone: Some(5), binding, at: start.offset(4) };
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
                uploads: vec![upload],
            }],
            textures: Vec::new(),
            skeleton: Skeleton::new(vec![bone]),
            animations: vec![Animation {
                name: None,
                frames: 10,
                frames_per_second: None,
                channels: 1,
                keys: 10,
                sampler: std::sync::Arc::new(Rise),
            }],
            alternatives: Alternatives::default(),
            up: Up::Y,
            fields: Vec::new(),
            notes: Vec::new(),
        };
        for (frame, y) in [(7.0, 7.0), (0.0, 0.0)] {
            let mut expected = ListBuilder::new(start);
            let moved = [2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0, 1.0, y, 0.0];
            expected.matrix(Matrix::Bone, 12, &moved);
            model.animate(0, frame);
            for (i, &word) in (0..).zip(expected.words()) {
                assert_eq!(model.memory.read_u32(start.offset(i * 4)), word, "frame {frame}, word {i}");
            }
        }
    }
}
