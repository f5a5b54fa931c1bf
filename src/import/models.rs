//! Writes the geometry of a glTF file in place of a model's.
//!
//! # Method
//! The model is exported once more, without writing it, to learn the names of its bones and materials and the groups that
//! each material is in. So whatever `export` writes can come back, merged or not.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::gltf::{self, Shown};
use crate::export::scene::{BONE, Extra, Extras, Scene};
use crate::export::{DrawFilter, Placement, RigMode, model_scene};
use crate::formats::core::geometry::{GeometryError, GeometryProblem, NewSurface, WrittenModel};
use crate::formats::core::slice::FileSlice;
use crate::formats::{self, Content, File, FileRole, Format, FormatError, Members, Opened};
use crate::model::Model;

/// List no more names of materials in an error.
const NAMES_MAX: usize = 12;
/// The Graphics Engine reaches every texel up to this side.
const SIDE_MAX: u32 = 512;

/// Writes the triangles of a binary glTF file in place of a model's, and returns the file's new bytes. `opened` is the file's
/// content, opened from these bytes and with the companions of the export, in its rest pose. `placement` is that of the
/// export.
///
/// A primitive goes to the model's groups with its material, by name, and a mesh named `mesh_N` only to those of mesh `N`.
/// Groups of materials that the file does not have stay as they are, and so does everything that it has unchanged.
///
/// # Errors
/// If the model's format cannot be written, or the file has what the model cannot have.
///
/// ```
/// use pspge::export::{DrawFilter, Placement, RigMode, gltf::write_glb, model_scene};
/// use pspge::formats::{self, Content, File, Request};
/// use pspge::import::import_model;
///
/// let bytes = std::fs::read("tools/sample/lampwing.pac")?;
/// let opened = formats::open(&Request::new("lampwing.pac", &bytes))?;
/// let Content::Model(model) = &opened.content else { panic!("a model") };
/// let glb = write_glb(&model_scene(model, "lampwing", &DrawFilter::default(), RigMode::Rigged));
/// let file = File { name: "lampwing.pac", bytes: &bytes };
/// let written = import_model(&opened, file, &glb, Placement::default())?;
/// assert!(written.bytes == bytes, "nothing has changed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn import_model(
    opened: &Opened,
    file: File<'_>,
    glb: &[u8],
    placement: Placement,
) -> Result<WrittenModel, GeometryError> {
    let Content::Model(model) = &opened.content else {
        return Err(GeometryProblem::Kind(opened.content.kind().to_owned()).into());
    };
    let members = formats::sniff(file.bytes).map(|format| format.descriptor().members);
    if let Some(Members::Archived { .. }) = members {
        return Err(GeometryProblem::Archive.into());
    }
    let format = formats::sniff(file.bytes).unwrap_or(opened.format);
    if format.descriptor().geometry.is_none() && format.descriptor().replace_member.is_none() {
        return Err(kind_of(format).into());
    }
    let Some(first) = model.parts.first() else {
        return Err(GeometryProblem::Kind("a model without draws".to_owned()).into());
    };
    let place = model.source_of(first.list.start).filter(|(source, _)| source.name == file.name);
    let Some((_, at)) = place else { return Err(GeometryProblem::SecondFile.into()) };
    let names = Names::of(model);
    let shown = gltf::read(glb, placement, &names.bones)?;
    let surfaces: Result<Vec<NewSurface>, GeometryError> =
        shown.into_iter().map(|shown| names.surface(model, shown)).collect();
    replace(FileSlice::whole(file, FileRole::Input), format, at, &surfaces?)
}

fn kind_of(format: Format) -> GeometryProblem {
    GeometryProblem::Kind(format!("a {}", format.descriptor().title))
}

/// Writes surfaces into the model whose byte `at` is in a file, and its containers around it.
fn replace(
    slice: FileSlice<'_>,
    format: Format,
    at: u64,
    surfaces: &[NewSurface],
) -> Result<WrittenModel, GeometryError> {
    let located = |error: FormatError| GeometryProblem::Format(Box::new(error));
    let descriptor = format.descriptor();
    if let Some(write) = descriptor.geometry {
        return write(slice.view(format.name()), surfaces);
    }
    let unknown = || kind_of(format);
    let (true, Some(replace_member)) = (format.is_container(), descriptor.replace_member) else {
        return Err(unknown().into());
    };
    let named = format.members_of(slice).map_err(located)?;
    let holds = |member: &FileSlice<'_>| {
        let end = member.offset.saturating_add(member.bytes.len() as u64);
        (member.offset..end).contains(&at) && member.bytes.len() < slice.bytes.len()
    };
    let found =
        named.iter().enumerate().find_map(|(number, (_, member))| Some((number, (*member).filter(holds)?)));
    let (number, member) = found.ok_or_else(unknown)?;
    let inner = formats::sniff(member.bytes).ok_or_else(unknown)?;
    let mut written = replace(member, inner, at, surfaces)?;
    if written.bytes == member.bytes {
        return Ok(WrittenModel { bytes: slice.bytes.to_vec(), ..written });
    }
    let view = slice.view(format.name());
    written.bytes = replace_member(view, number, &written.bytes).map_err(located)?;
    Ok(written)
}

/// What an export calls the model's bones and materials.
struct Names {
    bones: HashMap<String, u32>,
    /// The groups that each material is in.
    materials: BTreeMap<String, BTreeSet<usize>>,
}

impl Names {
    fn of(model: &Model) -> Self {
        let scene = model_scene(model, "model", &DrawFilter::default(), RigMode::Rigged);
        let mut materials: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            let material = scene.materials.get(primitive.material);
            if let (Some(material), Some(group)) = (material, whole(&primitive.extras, "group")) {
                let group = usize::try_from(group).unwrap_or(usize::MAX);
                materials.entry(material.name.clone()).or_default().insert(group);
            }
        }
        let bones = (0..scene.nodes.len())
            .filter_map(|node| Some((scene.nodes[node].name.clone(), bone_of(&scene, node)?)))
            .collect();
        Self { bones, materials }
    }

    /// Finds the groups for a primitive.
    fn surface(&self, model: &Model, shown: Shown) -> Result<NewSurface, GeometryError> {
        let Shown { material, names, group, mut surface } = shown;
        let material = material.unwrap_or_default();
        // Blender appends numbers to names that are taken.
        let stem =
            material.rsplit_once('.').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
        let found = self.materials.get(&material).or_else(|| self.materials.get(stem?.0));
        let Some(groups) = found else {
            let mut known: Vec<&str> = self.materials.keys().take(NAMES_MAX).map(String::as_str).collect();
            if self.materials.len() > NAMES_MAX {
                known.push("...");
            }
            let known = known.join(", ");
            return Err(GeometryProblem::NoMaterial { name: material, known }.of(&surface.name));
        };
        let part = |group: usize| model.parts.iter().find(|part| part.group == group);
        let mesh = names.iter().flatten().find_map(|name| mesh_number(name));
        let of_mesh = |group: &&usize| mesh.is_some() && part(**group).map(|part| part.mesh) == mesh;
        let own = groups.iter().find(|known| group.is_some_and(|group| **known as u64 == group));
        surface.groups = match own {
            Some(own) => vec![*own],
            None => groups.iter().filter(of_mesh).copied().collect(),
        };
        if surface.groups.is_empty() {
            surface.groups = groups.iter().copied().collect();
        }
        // Exports count coordinates over the texels that exist.
        let texture = surface.groups.first().and_then(|group| model.textures.get(part(*group)?.texture?));
        if let Some(texture) = texture {
            let factors = [texture.width, texture.height].map(|side| {
                let side = u32::from(side).next_power_of_two();
                side as f32 / side.min(SIDE_MAX) as f32
            });
            for texcoord in surface.vertices.iter_mut().filter_map(|vertex| vertex.texcoord.as_mut()) {
                *texcoord = [texcoord[0] / factors[0], texcoord[1] / factors[1]];
            }
        }
        Ok(surface)
    }
}

/// Returns the bone that a node is, or is a further joint of.
fn bone_of(scene: &Scene, node: usize) -> Option<u32> {
    let mut node = scene.nodes.get(node)?;
    loop {
        if let Some(bone) = whole(&node.extras, BONE) {
            return u32::try_from(bone).ok();
        }
        node = scene.nodes.get(node.parent?)?;
    }
}

fn whole(extras: &Extras, wanted: &str) -> Option<u64> {
    extras.iter().find_map(|(name, value)| match value {
        Extra::Whole(number) if *name == wanted => Some(*number),
        _ => None,
    })
}

/// Returns the number in `mesh_N`, which exports call the model's meshes.
fn mesh_number(name: &str) -> Option<usize> {
    let rest = name.strip_prefix("mesh_")?;
    rest.split(['_', '.']).next()?.parse().ok()
}
