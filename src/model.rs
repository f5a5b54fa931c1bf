//! What every model adapter yields: a loaded memory image, the list that draws it, and what belongs to what.
//!
//! # Invariants
//! Everything drawable is reached through [`Model::entry`]; the other fields only describe it. The list at
//! `entry` ends in RET and works from any state: it sets all that it needs, except what the scene owns:
//! framebuffer, viewport, screen offset, scissor, depth function and range, VIEW and PROJ, and CLEARMODE.

use std::ops::Range;

use crate::ge::address::{Address, USER_RAM_BASE};
use crate::ge::capture::{Capture, Source};
use crate::ge::float24::Float24;
use crate::ge::list::ListBuilder;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::{Matrix, Registers};

pub mod animation;
pub mod bounds;
pub mod matrix;
pub mod skeleton;
pub mod texture;

pub use animation::{Animation, AnimationSet, FloatPatch, Sampler};
use matrix::{Affine, then};
pub use skeleton::{Bone, Skeleton};
pub use texture::{ModelTexture, TexturePalette, TextureSet};

/// Where a scene may put the list that calls a model's: adapters leave this part of memory free.
pub const SCENE_MEMORY: Range<u32> = USER_RAM_BASE..USER_RAM_BASE + 0x1_0000;

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
    /// What the bones can do.
    pub animations: Vec<Animation>,
    /// Which way is up.
    pub up: Up,
    /// Fields of the file whose meaning is not known, or that the engine has no use for.
    pub fields: Vec<Field>,
    /// What the user should know: oddities of the file, and what could not be expressed.
    pub notes: Vec<String>,
}

/// Which way is up in a model's space. Lists draw in that space; what looks at a model turns it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// Y is up, and the model faces +z.
    #[default]
    Y,
    /// Z is up, and the model faces -y.
    Z,
}

impl Up {
    /// From the model's space to one in which y is up and the model faces +z; `None` where that is its own.
    #[must_use]
    pub const fn upright(self) -> Option<Affine> {
        match self {
            Self::Y => None,
            Self::Z => Some([1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
        }
    }
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
    /// Triangles, as the format's tools count them: with degenerate ones, unless there is a count for these.
    pub triangles: usize,
    /// Materials.
    pub materials: usize,
    /// Textures that came with the model.
    pub textures: usize,
    /// Bones of the skeleton; without one, bones that the model speaks of.
    pub bones: usize,
    /// Counts that only this format has, by the names its documents use.
    pub extra: Vec<(&'static str, u64)>,
}

impl ModelInfo {
    /// The count that only this format has, by its name.
    #[must_use]
    pub fn extra(&self, name: &str) -> Option<u64> {
        self.extra.iter().find(|(known, _)| *known == name).map(|(_, count)| *count)
    }
}

/// A field that is kept and shown, and does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// What it is called, or belongs to.
    pub name: String,
    /// Where it stands in the file.
    pub offset: u64,
    /// What it holds.
    pub value: String,
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
    pub palette: [Option<u32>; 8],
    /// How many of the matrices the vertices use; 0 where they have no weights.
    pub weights: usize,
    /// Matrices that the model's list writes before it calls the part, and that move with the bones.
    pub uploads: Vec<MatrixUpload>,
}

/// A matrix in the model's list that moves with a bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatrixUpload {
    /// The matrix memory: WORLD, or BONE.
    pub matrix: Matrix,
    /// Number of the bone matrix, 0 to 7; 0 for WORLD.
    pub slot: usize,
    /// The skeleton's bone, by id; `None` where nothing moves it.
    pub bone: Option<u32>,
    /// From the space of the vertices to that of the bone: the uploaded matrix acts as this one, and then as the bone's.
    /// Without a bone it is uploaded as it is.
    pub binding: Affine,
    /// Address of the first of the twelve data commands.
    pub at: Address,
}

impl Model {
    /// Returns a capture that runs the model's list alone: without camera, render target or clear.
    #[must_use]
    pub fn to_capture(&self) -> Capture {
        let mut memory = self.memory.clone();
        let mut list = ListBuilder::new(Address::new(SCENE_MEMORY.start));
        list.address(Opcode::CALL, self.entry).finish();
        list.store(&mut memory);
        let sources = self.sources.clone();
        Capture { memory, registers: Registers::new(), start: list.start(), sources, events: Vec::new() }
    }

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

    /// Moves the bones: `world` has the matrix of each bone of the skeleton in model space, in its order. Bones beyond
    /// rest.
    pub fn pose(&mut self, world: &[Affine]) {
        let Some(skeleton) = &self.skeleton else { return };
        let rest = skeleton.world(&skeleton.rest());
        for upload in self.parts.iter().flat_map(|part| &part.uploads) {
            let index = upload.bone.and_then(|id| skeleton.index_of(id));
            let bone = index.and_then(|index| world.get(index).or_else(|| rest.get(index)));
            let matrix = bone.map_or(upload.binding, |bone| then(&upload.binding, bone));
            for (i, value) in (0..).zip(matrix) {
                write_float(&mut self.memory, upload.at.offset(i * 4), value);
            }
        }
    }

    /// Moves the bones, and what else moves, to where they are at a frame of an animation. Does nothing where there
    /// is no such animation.
    pub fn animate(&mut self, animation: usize, frame: f64) {
        let Some(animation) = self.animations.get(animation) else { return };
        for FloatPatch { at, value } in animation.sampler.floats(frame) {
            write_float(&mut self.memory, at, value);
        }
        let Some(skeleton) = &self.skeleton else { return };
        let world = skeleton.world(&animation.sampler.sample(skeleton, frame));
        self.pose(&world);
    }
}

/// Changes the argument of the command at `at`. The upper byte, which says which command it is, stays.
fn write_float(memory: &mut Memory, at: Address, value: f32) {
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
