//! Writes geometry from a glTF file in place of a model's.
//!
//! # Method
//! This exports the model once more, without writing it, to learn its bone and material names and which groups use
//! each material. So anything that `export` writes can come back, merged or not.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::archived::Archived;
use super::gltf::{self, Shown};
use super::place::{Place, kind_of, located};
use crate::export::scene::{BONE, Extra, Extras, Scene};
use crate::export::{DrawFilter, Placement, RigMode, model_scene};
use crate::formats::core::geometry::{GeometryError, GeometryProblem, NewSurface, WrittenModel};
use crate::formats::core::slice::FileSlice;
use crate::formats::{self, Content, File, FileRole, Format, Opened};
use crate::ge::capture::Source;
use crate::model::Model;

/// An error lists no more material names than this.
const NAMES_MAX: usize = 12;
/// The Graphics Engine reaches every texel up to this side.
const SIDE_MAX: u32 = 512;

/// Returns the path of a model's second file, with lists and vertices. It is beside the first, because the opener
/// looks for it there.
#[doc(hidden)]
#[must_use]
pub fn mesh_data_path(model: &Path) -> PathBuf {
    model.with_extension("mesh")
}

/// Writes triangles from a binary glTF file in place of a model's, and returns the file's new bytes. `opened` is the
/// file's content in its rest pose, opened from these bytes and with the same companions as for the export.
/// `mesh_data` is the file with lists and vertices, for a model in two files whose second is not a member of the
/// first. `placement` must be the same as for the export.
///
/// A primitive goes to the model's groups with its material, by name, and a mesh named `mesh_N` only to those in
/// mesh `N`. Groups whose materials the glTF file lacks stay as they are, and so do unchanged groups.
///
/// # Errors
/// If the model's format cannot be written, or the glTF file has features that the model cannot have.
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
/// let written = import_model(&opened, file, None, &glb, Placement::default())?;
/// assert!(written.bytes == bytes, "nothing has changed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn import_model(
    opened: &Opened,
    file: File<'_>,
    mesh_data: Option<File<'_>>,
    glb: &[u8],
    placement: Placement,
) -> Result<WrittenModel, GeometryError> {
    let Content::Model(model) = &opened.content else {
        return Err(GeometryProblem::Kind(opened.content.kind().to_owned()).into());
    };
    let Some(name) = &opened.archived else {
        let format = formats::sniff(file.bytes).unwrap_or(opened.format);
        return Target { model, file, format, mesh_data }.write(glb, placement);
    };
    let mut archive = Archived::open(file).map_err(located)?;
    let own = archive.unpack(name).map_err(located)?.unwrap_or_default();
    let second_name = data_source(model).map(|source| &source.name).filter(|second| *second != name);
    let second = second_name.map(|name| archive.unpack(name)).transpose().map_err(located)?.flatten();
    let archived = second_name.zip(second.as_ref()).map(|(name, bytes)| File { name, bytes });
    let target = Target {
        model,
        file: File { name, bytes: &own },
        format: formats::sniff(&own).unwrap_or(opened.format),
        mesh_data: archived.or(mesh_data),
    };
    let mut written = target.write(glb, placement)?;
    if let Some(File { name, bytes }) = archived
        && let Some(new) = written.mesh_data.take()
    {
        archive.replace(name, bytes, new);
    }
    archive.replace(name, &own, std::mem::take(&mut written.bytes));
    written.bytes = archive.finish().map_err(located)?;
    Ok(written)
}

/// Returns the file that holds a model's lists.
fn data_source(model: &Model) -> Option<&Source> {
    Some(model.source_of(model.parts.first()?.list.start)?.0)
}

/// A model, and the files it comes from.
struct Target<'a> {
    model: &'a Model,
    file: File<'a>,
    format: Format,
    mesh_data: Option<File<'a>>,
}

impl Target<'_> {
    /// Writes geometry into the model, and puts the model back into the containers around it.
    fn write(&self, glb: &[u8], placement: Placement) -> Result<WrittenModel, GeometryError> {
        let Self { model, file, format, .. } = *self;
        if format.descriptor().geometry.is_none() && format.descriptor().replace_member.is_none() {
            return Err(kind_of(format).into());
        }
        // Readers for writable formats load the model's own file first.
        let (Some(source), Some(data)) = (model.sources.first(), data_source(model)) else {
            return Err(GeometryProblem::Kind("a model without draws".to_owned()).into());
        };
        let whole = FileSlice::whole(file, FileRole::Input);
        let place = Place::find(whole, Some(format), source.file_offset)?;
        let inner = place.format.ok_or_else(|| kind_of(format))?;
        let write = inner.descriptor().geometry.ok_or_else(|| kind_of(inner))?;
        let second = if data.address == source.address { None } else { Some(self.second(whole, data)?) };
        let names = Names::of(model);
        let shown = gltf::read(glb, placement, &names.bones)?;
        let surfaces: Result<Vec<NewSurface>, GeometryError> =
            shown.into_iter().map(|shown| names.surface(model, shown)).collect();
        let second_view = second.as_ref().map(|(_, place)| place.slice.view(inner.name()));
        let mut written = write(place.slice.view(inner.name()), second_view, &surfaces?)?;
        written.bytes = place.put(whole, Some(format), written.bytes)?;
        if let (Some((outer, place)), Some(bytes)) = (second, written.mesh_data.take()) {
            if outer.role == FileRole::Input {
                let now = FileSlice { bytes: &written.bytes, ..whole };
                written.bytes = place.put(now, Some(format), bytes)?;
            } else {
                written.mesh_data = Some(place.put(outer, formats::sniff(outer.bytes), bytes)?);
            }
        }
        Ok(written)
    }

    /// Finds the lists and vertices of a model in two files: inside the given file, or in `mesh_data`. Also returns
    /// the file that holds them.
    fn second<'s>(
        &'s self,
        whole: FileSlice<'s>,
        data: &Source,
    ) -> Result<(FileSlice<'s>, Place<'s>), GeometryError> {
        let (outer, format) = if data.name == self.file.name {
            (whole, Some(self.format))
        } else {
            let given = self.mesh_data.filter(|given| given.name == data.name);
            let second = given.ok_or(GeometryProblem::SecondFile)?;
            (FileSlice::whole(second, FileRole::MeshData), formats::sniff(second.bytes))
        };
        Ok((outer, Place::find(outer, format, data.file_offset)?))
    }
}

/// The names that an export gives to the model's bones and materials, to find them again.
struct Names {
    bones: HashMap<String, u32>,
    /// Maps each material to the groups that use it.
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

    /// Finds the groups for a primitive, by material, mesh name and extras.
    fn surface(&self, model: &Model, shown: Shown) -> Result<NewSurface, GeometryError> {
        let Shown { material, names, group, mut surface } = shown;
        let material = material.unwrap_or_default();
        // Blender appends numbers to names already taken.
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
        // Exported coordinates are relative to the texels that the engine reaches, but the model's count over the
        // padded size.
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

/// Returns the bone for a node, which may be a further joint of this bone.
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

/// Returns the number in `mesh_N`, the name that exports give to the model's meshes.
fn mesh_number(name: &str) -> Option<usize> {
    let rest = name.strip_prefix("mesh_")?;
    rest.split(['_', '.']).next()?.parse().ok()
}
