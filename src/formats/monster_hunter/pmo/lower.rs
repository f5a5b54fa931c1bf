//! Lowers a PMO: loads the file, unchanged except for commands and indices that cannot run, and writes a list to
//! call each group's list.
//!
//! Lighting and fog stay off, whatever the draw flags say, because the game's scene owns the lights and the fog's
//! colour and distances, and no file holds them. A made-up light would darken textures, into which most models'
//! shading is painted. The flags are listed among the model's fields, so that they are not lost.
//!
//! # Invariants
//! Parses no file data. State is written only if it changes. If a group's list leaves state changed, it is set again
//! before the next group.
//! Source: [as GE state](crate::reference::formats::pmo#as-ge-state).

use std::collections::{BTreeSet, HashMap};

use super::groups::{Group, Material};
use super::list::ScannedList;
use super::meshes::Mesh;
use super::model::{Companions, Pmo};
use super::problem::PmoProblem;
use super::read::PmoTables;
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
use crate::ge::registers::pixel::{
    BlendEquation, BlendFactor, BlendMode, ColorComparison, ColorTest, Comparison, MaskedTest,
};
use crate::ge::registers::texture::{MinificationFilter, TextureFilter, TextureFunc, TextureFunction};
use crate::ge::registers::transform::{Shade, ShadeMode};
use crate::model::matrix::{Affine, IDENTITY, inverse, scaled, then};
use crate::model::{
    Alternatives, Field, FileNote, FileNoteKind, MatrixUpload, Model, ModelTexture, Part, Skeleton, Up,
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
        None => {
            // The model's own file comes first in memory, so that its place is known.
            loader.place(name, file.file, 16)?;
            loader.place(companions.mesh_data.unwrap_or(name), file.data, 16)?
        }
    };
    let textures = match &companions.textures {
        Some((name, tmh)) => {
            for material in file.materials.iter().filter(|material| material.is_counted) {
                if let Some(texture) = material.texture.filter(|&texture| texture >= tmh.len()) {
                    let problem = PmoProblem::NoTexture { number: texture, count: tmh.len() };
                    warnings.push(file.file.error(material.offset.saturating_add(8), problem));
                }
            }
            tmh.load(name, &mut loader)?
        }
        None => Vec::new(),
    };
    let bones = known_bones(file, companions.skeleton.as_ref(), &mut warnings);
    let (entry, room) = loader.room();
    let mut writer = ModelList::new(entry, &textures, companions.skeleton.as_ref());
    let mut parts = Vec::new();
    let mut palette = [None; 8];
    let mut transparent = Vec::new();
    for (number, (group, scanned)) in file.groups.iter().zip(&pmo.lists).enumerate() {
        let material = group.material.as_ref().ok().and_then(|&material| file.materials.get(material));
        if material.is_some_and(|material| material.diffuse[3] == 0) {
            // The game neither draws this group nor applies its bone entries.
            transparent.push(group.offset);
            continue;
        }
        for entry in file.bones_of(group) {
            if let Some(slot) = palette.get_mut(entry.slot) {
                *slot = Some(u32::from(entry.bone)).filter(|_| bones.contains(&entry.bone));
            }
        }
        let (Some(mesh), Some(material), Some(scanned)) = (file.meshes.get(group.mesh), material, scanned)
        else {
            continue;
        };
        for (at, bytes) in &scanned.patches {
            loader.memory_mut().write(data.offset(u32::try_from(*at).unwrap_or(0)), bytes);
        }
        let list = data.offset(u32::try_from(scanned.start).unwrap_or(0));
        parts.push(writer.group(number, group, mesh, material, scanned, list, &palette));
        if writer.bytes() > room {
            return Err(file.file.error(group.offset, Problem::OutOfMemory(u64::from(writer.bytes()))));
        }
    }
    if let Some(&first) = transparent.first() {
        warnings.push(file.file.error(first, PmoProblem::Transparent(transparent.len())));
    }
    let fields = draw_flags(file, &mut warnings);
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
    Ok(Model {
        memory,
        entry,
        sources,
        info,
        parts,
        textures,
        skeleton: companions.skeleton,
        animations: Vec::new(),
        alternatives: Alternatives::default(),
        up: Up::Y,
        fields,
        notes,
    })
}

/// Collects the bones known to the skeleton, or all if there is no skeleton. Warns about the others.
fn known_bones(file: &PmoTables<'_>, skeleton: Option<&Skeleton>, warnings: &mut Warnings) -> BTreeSet<u8> {
    let ids = skeleton.map(|skeleton| skeleton.bones().iter().map(|bone| bone.id).collect::<BTreeSet<_>>());
    let (mut known, mut unknown) = (BTreeSet::new(), BTreeSet::new());
    for entry in &file.bones {
        if ids.as_ref().is_none_or(|ids| ids.contains(&u32::from(entry.bone))) {
            known.insert(entry.bone);
        } else if unknown.insert(entry.bone) {
            warnings.push(file.file.error(entry.offset.saturating_add(1), PmoProblem::NoBone(entry.bone)));
        }
    }
    known
}

/// Lists the draw flags for lighting and fog, because they are not drawn, and warns about unknown flags.
/// Source: [draw flags](crate::reference::formats::pmo#draw-flags).
fn draw_flags(file: &PmoTables<'_>, warnings: &mut Warnings) -> Vec<Field> {
    const KNOWN: u32 = Mesh::FLAGS_COUNT | Mesh::LIGHTING | Mesh::FOG | Mesh::BLENDING;
    let mut fields = Vec::new();
    for (number, mesh) in file.meshes.iter().enumerate() {
        if mesh.flags & !KNOWN != 0 {
            warnings.push(file.file.error(mesh.flags_at, PmoProblem::DrawFlags(mesh.flags)));
        }
        if mesh.has(Mesh::BLENDING) && mesh.blend_mode().is_none() {
            let at = mesh.flags_at.saturating_add(4);
            warnings.push(file.file.error(at, PmoProblem::BlendWord(mesh.blend_word)));
        }
        let switches = [(Mesh::LIGHTING, "lighting"), (Mesh::FOG, "fog")];
        let names: Vec<&str> =
            switches.into_iter().filter(|&(bit, _)| mesh.has(bit)).map(|(_, name)| name).collect();
        if !names.is_empty() {
            let value = format!("{}; drawn without, because the scene is not known", names.join(" and "));
            let offset = file.file.file_offset(mesh.flags_at);
            fields.push(Field { name: format!("mesh {number}: draw flags"), offset, value });
        }
    }
    fields
}

/// Identifies a matrix: a known bone and the scale. WORLD has no bone.
type MatrixKey = (Option<u32>, [f32; 3]);

/// Writes the list to call the groups.
struct ModelList<'a> {
    state: StateWriter<MatrixKey>,
    textures: &'a [ModelTexture],
    /// World matrices in the rest pose, by bone id.
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
        Self { state: StateWriter::new(list), textures, rest: rest.collect() }
    }

    /// Counts the bytes written, plus the last RET.
    fn bytes(&self) -> u32 {
        u32::try_from(self.state.bytes()).unwrap_or(u32::MAX).saturating_add(4)
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
        // A texture file may leave out textures, so look the number up.
        let texture = material
            .texture
            .and_then(|number| self.textures.iter().position(|texture| texture.index == number));
        self.set_state(mesh, material, texture);
        let uploads = self.matrices(mesh, scanned, palette);
        let call = self.call(scanned, list);
        // The called list leaves this state changed.
        scanned.state.iter().for_each(|&command| self.state.assume(command));
        Part {
            list: list..list.offset(u32::try_from(scanned.length).unwrap_or(0)),
            call,
            mesh: group.mesh,
            group: number,
            material: group.material.clone().unwrap_or_default(),
            texture,
            palette: *palette,
            weights: scanned.weights,
            uploads,
        }
    }

    fn set_state(&mut self, mesh: &Mesh, material: &Material, texture: Option<usize>) {
        let own = mesh_state(mesh);
        for default in defaults() {
            let of_mesh = own.iter().find(|command| command.opcode() == default.opcode());
            self.state.set(of_mesh.copied().unwrap_or(default));
        }
        let [red, green, blue, alpha] = material.diffuse;
        self.state.set(Color { rgb: Rgb([red, green, blue]) }.to(Opcode::MATERIALAMBIENT));
        self.state.set(Command::new(Opcode::MATERIALALPHA, u32::from(alpha)));
        self.state.set(Command::new(Opcode::TEXENABLE, u32::from(texture.is_some())));
        let texture = texture.and_then(|index| self.textures.get(index));
        // Set this even without a texture, so that trace and export get the model's coordinates. The game sends the
        // mesh's values as they are, so coordinates count over the padded size if a texture's sides are no powers of
        // two.
        let [scale_u, scale_v] = mesh.uv_scale;
        let [offset_u, offset_v] = mesh.uv_offset;
        for (opcode, value) in [
            (Opcode::TEXSCALEU, scale_u),
            (Opcode::TEXSCALEV, scale_v),
            (Opcode::TEXOFFSETU, offset_u),
            (Opcode::TEXOFFSETV, offset_v),
        ] {
            self.state.set(float(opcode, value));
        }
        if let Some(texture) = texture {
            self.state.texture(texture);
        }
    }

    /// Uploads the matrices. The scale goes into WORLD, or into the bone matrices if the vertices have weights.
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
            // After the inverse rest matrix, only the scale remains in the rest pose.
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

    /// Calls a group's list, and returns the address of the CALL.
    fn call(&mut self, scanned: &ScannedList, list: Address) -> Address {
        if scanned.sets_base {
            return self.state.call(list);
        }
        // This list expects BASE 0, so the target address has to go into the offset register.
        self.state
            .list_mut()
            .set(Opcode::OFFSETADDR, list.get() >> 8)
            .set(Opcode::BASE, 0)
            .set(Opcode::CALL, list.get() & 0xFF)
            .set(Opcode::OFFSETADDR, 0);
        // Two words back: past the last OFFSETADDR to the CALL.
        self.state.here().offset(8u32.wrapping_neg())
    }
}

/// State to set before every group, unless its mesh overrides it.
fn defaults() -> [Command; 30] {
    let blend = BlendMode {
        source: BlendFactor::SOURCE_ALPHA,
        destination: BlendFactor::ONE_MINUS_SOURCE_ALPHA,
        equation: BlendEquation::ADD,
    };
    let filter = TextureFilter { minification: MinificationFilter::LINEAR, magnify_linear: true };
    let function = TextureFunc { function: TextureFunction::MODULATE, use_alpha: true, double: false };
    // The game's own test. Textures with 1-bit alpha get hard edges instead of a fringe.
    let alpha = MaskedTest { function: Comparison::GREATER_EQUAL, reference: 0x80, mask: 0xFF };
    let color = ColorTest { function: ColorComparison::NOT_EQUAL };
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
        // White: a glowing mesh's blend word then adds colours. The game's own value is inferred.
        Command::new(Opcode::BLENDFIXEDB, 0x00FF_FFFF),
        // The only colour test, off until a mesh needs it: not black.
        word(color),
        Command::new(Opcode::COLORREF, 0),
        Command::new(Opcode::COLORTESTMASK, 0x00FF_FFFF),
        alpha.to(Opcode::ALPHATEST),
    ]
}

/// Lists a mesh's state to override [`defaults`]. The game tests blended meshes for alpha above 0, and glowing
/// meshes by colour too.
/// Source: [draw flags](crate::reference::formats::pmo#draw-flags).
fn mesh_state(mesh: &Mesh) -> Vec<Command> {
    if !mesh.has(Mesh::BLENDING) {
        return Vec::new();
    }
    let alpha = MaskedTest { function: Comparison::GREATER, reference: 0, mask: 0xFF };
    let mut state = vec![on(Opcode::BLENDENABLE), alpha.to(Opcode::ALPHATEST)];
    state.extend(mesh.blend_mode());
    if mesh.blend_word == GLOW {
        state.push(on(Opcode::COLORTESTENABLE));
    }
    state
}

/// Blend word for glowing meshes: source alpha, fixed factor B, add.
const GLOW: u32 = 0xDF00_00A2;
