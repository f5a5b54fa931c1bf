//! Lowers a PMO: loads the file unchanged and writes a list that calls the list of each group.
//!
//! # Invariants
//! Parses no file data. State is written only if it changes. State that the list of a group leaves changed is
//! set again before the next group.
//! Source: [as GE state](crate::reference::formats::pmo#as-ge-state).

use std::collections::HashMap;

use super::list::ScannedList;
use super::model::{Companions, Pmo};
use super::problem::PmoProblem;
use super::read::{Group, Material, Mesh};
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::problem::Problem;
use crate::formats::core::state_writer::{StateWriter, float, off, on, word};
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::list::ListBuilder;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::ge::registers::field::Rgb;
use crate::ge::registers::light::Color;
use crate::ge::registers::pixel::{BlendEquation, BlendFactor, BlendMode, Comparison, MaskedTest};
use crate::ge::registers::texture::{MinificationFilter, TextureFilter, TextureFunc, TextureFunction};
use crate::ge::registers::transform::{Shade, ShadeMode};
use crate::model::matrix::{Affine, IDENTITY, inverse, scaled, then};
use crate::model::{
    Alternatives, FileNote, FileNoteKind, MatrixUpload, Model, ModelTexture, Part, Skeleton, Up,
};

pub(super) fn lower(pmo: &Pmo<'_>, name: &str, companions: Companions<'_>) -> Result<Model, FormatError> {
    let file = &pmo.file;
    let mut warnings = pmo.warnings.clone();
    let mut info = pmo.info();
    let mut loader = Loader::new();
    let data = match file.data_offset {
        Some(offset) => {
            let start = loader.place_around(name, file.file, offset)?;
            start.offset(u32::try_from(offset).unwrap_or(0))
        }
        None => loader.place(companions.mesh_data.unwrap_or(name), file.data, 16)?,
    };
    let textures = match &companions.textures {
        Some((name, tmh)) => {
            for material in &file.materials {
                if let Some(texture) = material.texture.filter(|&texture| texture >= tmh.len()) {
                    let problem = PmoProblem::NoTexture { number: texture, count: tmh.len() };
                    warnings.push(file.file.error(material.offset.saturating_add(8), problem));
                }
            }
            tmh.load(name, &mut loader)?
        }
        None => Vec::new(),
    };
    let (entry, room) = loader.room();
    let mut writer = ModelList::new(entry, &textures, companions.skeleton.as_ref());
    let mut parts = Vec::new();
    let mut palette = [None; 8];
    let mut mesh_before = None;
    for (number, (group, scanned)) in file.groups.iter().zip(&pmo.lists).enumerate() {
        let (Some(mesh), Some(material)) = (file.meshes.get(group.mesh), file.materials.get(group.material))
        else {
            continue;
        };
        if mesh_before.replace(group.mesh) != Some(group.mesh) {
            writer.begin_mesh(pmo, mesh, &mut warnings);
        }
        for entry in file.bones.get(group.bones.clone()).unwrap_or_default() {
            if let Some(slot) = palette.get_mut(entry.slot) {
                *slot = Some(u32::from(entry.bone));
            }
        }
        let list = data.offset(u32::try_from(group.list).unwrap_or(0));
        parts.push(writer.group(number, group, mesh, material, scanned, list, &palette));
        if writer.bytes() > room {
            return Err(file.file.error(group.offset, Problem::OutOfMemory(u64::from(writer.bytes()))));
        }
    }
    writer.state.list_mut().set(Opcode::RET, 0);
    if writer.bytes() > room {
        return Err(file.file.error_of_whole(Problem::OutOfMemory(u64::from(writer.bytes()))));
    }
    writer.state.list().store(loader.memory_mut());

    let mut notes: Vec<FileNote> = warnings.notes().collect();
    if let Some((_, tmh)) = &companions.textures {
        notes.extend(tmh.warnings.notes().map(|note| note.or_in_part("textures")));
    } else if file.materials.iter().any(|material| material.texture.is_some()) {
        let message = "the model uses textures, and none were given: it is drawn without";
        notes.push(FileNote::new(FileNoteKind::TexturesMissing, message));
    }
    info.textures = textures.len();
    if let Some(skeleton) = &companions.skeleton {
        info.bones = skeleton.bones().len();
    }
    let (memory, sources) = loader.finish();
    let skeleton = companions.skeleton;
    let (animations, fields) = (Vec::new(), Vec::new());
    let up = Up::Y;
    let alternatives = Alternatives::default();
    Ok(Model {
        memory,
        entry,
        sources,
        info,
        parts,
        textures,
        skeleton,
        animations,
        alternatives,
        up,
        fields,
        notes,
    })
}

/// Identifies the contents of a matrix: a known bone and the scale. WORLD has no bone.
type MatrixKey = (Option<u32>, [f32; 3]);

/// Writes the list that calls the groups.
struct ModelList<'a> {
    state: StateWriter<MatrixKey>,
    textures: &'a [ModelTexture],
    /// State of the current mesh that overrides [`defaults`].
    mesh_state: Vec<Command>,
    /// World matrices of the bones in the rest pose, by bone id.
    rest: HashMap<u32, Affine>,
}

impl<'a> ModelList<'a> {
    fn new(start: Address, textures: &'a [ModelTexture], skeleton: Option<&Skeleton>) -> Self {
        let mut list = ListBuilder::new(start);
        list.set(Opcode::OFFSETADDR, 0);
        let rest = skeleton.into_iter().flat_map(|skeleton| {
            let ids = skeleton.bones().iter().map(|bone| bone.id);
            ids.zip(skeleton.world(&skeleton.rest()))
        });
        Self { state: StateWriter::new(list), textures, mesh_state: Vec::new(), rest: rest.collect() }
    }

    /// Returns the number of bytes written, plus the last RET.
    fn bytes(&self) -> u32 {
        u32::try_from(self.state.bytes()).unwrap_or(u32::MAX).saturating_add(4)
    }

    fn begin_mesh(&mut self, pmo: &Pmo<'_>, mesh: &Mesh, warnings: &mut Warnings) {
        let old = std::mem::take(&mut self.mesh_state);
        for word in mesh.words {
            let command = Command::from_word(word);
            if is_plain_state(command.opcode()) {
                self.mesh_state.push(command);
            } else if command.opcode() != Opcode::NOP {
                warnings.push(pmo.file.file.error(mesh.offset, PmoProblem::MeshWord(word)));
            }
        }
        // State that only the previous mesh set returns to its reset value. The group sets the defaults.
        for command in old {
            let opcode = command.opcode();
            let wanted_again = self.mesh_state.iter().any(|new| new.opcode() == opcode);
            if !wanted_again && !defaults().iter().any(|default| default.opcode() == opcode) {
                self.state.set(Command::new(opcode, 0));
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "all inputs of a group, used once")]
    fn group(
        &mut self,
        number: usize,
        group: &Group,
        mesh: &Mesh,
        material: &Material,
        scanned: &ScannedList,
        list: Address,
        palette: &[Option<u32>; 8],
    ) -> Part {
        let texture = material.texture.filter(|&number| number < self.textures.len());
        self.set_state(mesh, material, texture);
        let uploads = self.matrices(mesh, scanned, palette);
        let call = self.call(scanned, list);
        // Record the state after the list has run.
        scanned.state.iter().for_each(|&command| self.state.assume(command));
        Part {
            list: list..list.offset(u32::try_from(scanned.length).unwrap_or(0)),
            call,
            mesh: group.mesh,
            group: number,
            material: group.material,
            texture,
            palette: *palette,
            weights: scanned.weights,
            uploads,
        }
    }

    fn set_state(&mut self, mesh: &Mesh, material: &Material, texture: Option<usize>) {
        let wanted = std::mem::take(&mut self.mesh_state);
        for default in defaults() {
            if !wanted.iter().any(|command| command.opcode() == default.opcode()) {
                self.state.set(default);
            }
        }
        wanted.iter().for_each(|&command| self.state.set(command));
        self.mesh_state = wanted;

        let [red, green, blue, alpha] = material.diffuse;
        self.state.set(Color { rgb: Rgb([red, green, blue]) }.to(Opcode::MATERIALAMBIENT));
        self.state.set(Command::new(Opcode::MATERIALALPHA, u32::from(alpha)));
        self.state.set(Command::new(Opcode::TEXENABLE, u32::from(texture.is_some())));
        let texture = texture.and_then(|index| self.textures.get(index));
        // Set even without a texture, so that trace and export get the model's coordinates.
        let [u, v] = texture.map_or([1.0; 2], ModelTexture::coordinate_scale);
        let [scale_u, scale_v] = mesh.uv_scale;
        let [offset_u, offset_v] = mesh.uv_offset;
        for (opcode, value) in [
            (Opcode::TEXSCALEU, scale_u * u),
            (Opcode::TEXSCALEV, scale_v * v),
            (Opcode::TEXOFFSETU, offset_u * u),
            (Opcode::TEXOFFSETV, offset_v * v),
        ] {
            self.state.set(float(opcode, value));
        }
        if let Some(texture) = texture {
            self.state.texture(texture);
        }
    }

    /// Writes the scale into WORLD, or into the bone matrices if the vertices have weights.
    fn matrices(
        &mut self,
        mesh: &Mesh,
        scanned: &ScannedList,
        palette: &[Option<u32>; 8],
    ) -> Vec<MatrixUpload> {
        let world = if scanned.weights == 0 { mesh.scale } else { [1.0; 3] };
        self.state.matrix(Matrix::World, 0, (None, world), || scaled(IDENTITY, world));
        let mut uploads = Vec::new();
        for (slot, &bone) in palette.iter().enumerate().take(scanned.weights) {
            // With the inverse rest matrix, only the scale remains in the rest pose.
            let rest = bone.and_then(|bone| self.rest.get(&bone));
            let binding = || scaled(rest.and_then(inverse).unwrap_or(IDENTITY), mesh.scale);
            let matrix = || match rest {
                Some(rest) => then(&binding(), rest),
                None => binding(),
            };
            if let Some(at) = self.state.matrix(Matrix::Bone, slot, (bone, mesh.scale), matrix) {
                uploads.push(MatrixUpload { matrix: Matrix::Bone, slot, bone, binding: binding(), at });
            }
        }
        uploads
    }

    /// Calls the list of a group and returns the address where the CALL is.
    fn call(&mut self, scanned: &ScannedList, list: Address) -> Address {
        if scanned.sets_base {
            return self.state.call(list);
        }
        // The list expects BASE 0, so the target address has to be in the offset register.
        self.state
            .list_mut()
            .set(Opcode::OFFSETADDR, list.get() >> 8)
            .set(Opcode::BASE, 0)
            .set(Opcode::CALL, list.get() & 0xFF)
            .set(Opcode::OFFSETADDR, 0);
        self.state.here().offset(8u32.wrapping_neg())
    }
}

/// State at the start of every group.
fn defaults() -> [Command; 26] {
    let blend = BlendMode {
        source: BlendFactor::SOURCE_ALPHA,
        destination: BlendFactor::ONE_MINUS_SOURCE_ALPHA,
        equation: BlendEquation::ADD,
    };
    let filter = TextureFilter { minification: MinificationFilter::LINEAR, magnify_linear: true };
    let function = TextureFunc { function: TextureFunction::MODULATE, use_alpha: true, double: false };
    let alpha = MaskedTest { function: Comparison::GREATER, reference: 0, mask: 0xFF };
    [
        off(Opcode::LIGHTINGENABLE),
        on(Opcode::DEPTHCLAMPENABLE),
        off(Opcode::CULLENABLE),
        off(Opcode::FOGENABLE),
        off(Opcode::DITHERENABLE),
        off(Opcode::BLENDENABLE),
        on(Opcode::ALPHATESTENABLE),
        on(Opcode::ZTESTENABLE),
        off(Opcode::ANTIALIASENABLE),
        off(Opcode::PATCHCULLENABLE),
        off(Opcode::COLORTESTENABLE),
        off(Opcode::LOGICOPENABLE),
        off(Opcode::REVERSENORMAL),
        off(Opcode::MATERIALUPDATE),
        // White ambient light: if a list enables lighting, the colours stay the same.
        Command::new(Opcode::AMBIENTCOLOR, 0x00FF_FFFF),
        Command::new(Opcode::AMBIENTALPHA, 0xFF),
        off(Opcode::TEXMAPMODE),
        off(Opcode::TEXWRAP),
        off(Opcode::TEXLEVEL),
        off(Opcode::ZWRITEDISABLE),
        off(Opcode::CULL),
        word(Shade { mode: ShadeMode::GOURAUD }),
        word(blend),
        word(filter),
        word(function),
        alpha.to(Opcode::ALPHATEST),
    ]
}

/// Returns true if a mesh header may set this state: it contains no address and does not belong to the scene.
fn is_plain_state(opcode: Opcode) -> bool {
    [
        Opcode::LIGHTINGENABLE..=Opcode::LOGICOPENABLE,
        Opcode::SHADEMODE..=Opcode::REVERSENORMAL,
        Opcode::MATERIALUPDATE..=Opcode::MATERIALALPHA,
        Opcode::MATERIALSPECULARCOEF..=Opcode::CULL,
        Opcode::TEXFILTER..=Opcode::TEXWRAP,
        Opcode::TEXFUNC..=Opcode::TEXENVCOLOR,
        Opcode::COLORTEST..=Opcode::STENCILOP,
        Opcode::BLENDMODE..=Opcode::BLENDFIXEDB,
        Opcode::ZWRITEDISABLE..=Opcode::ZWRITEDISABLE,
    ]
    .iter()
    .any(|range| range.contains(&opcode))
}
