//! Reads a PMO's tables of groups, materials and bones.
//! Source: [groups](crate::reference::formats::pmo#groups) and the sections after it.

use std::ops::Range;

use super::meshes::Mesh;
use super::problem::PmoProblem;
use super::raw;
use super::source::Source;
use crate::formats::core::error::{FormatError, Warnings};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group {
    /// The header's file offset.
    pub(super) offset: u64,
    pub(super) mesh: usize,
    /// The material's index in the file, or why this group has none.
    pub(super) material: Result<usize, FormatError>,
    /// Entries in the bone data; some may not exist.
    pub(super) bones: Range<usize>,
    /// Offset in the mesh data, as the next two.
    pub(super) list: u64,
    pub(super) vertices: u64,
    pub(super) indices: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Material {
    /// File offset.
    pub(super) offset: u64,
    /// Red, green, blue, alpha.
    pub(super) diffuse: [u8; 4],
    pub(super) texture: Option<usize>,
    /// Whether the header counts it, because tables may go on.
    pub(super) is_counted: bool,
}

impl Material {
    /// Stands in for a missing material.
    pub(super) const WHITE: Self = Self { offset: 0, diffuse: [0xFF; 4], texture: None, is_counted: true };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoneEntry {
    /// File offset.
    pub(super) offset: u64,
    /// Which bone matrix to set; may be 8 or more in a damaged file.
    pub(super) slot: usize,
    pub(super) bone: u8,
}

/// Texture number for untextured materials.
const NO_TEXTURE: u8 = 0xFF;

/// Reads the materials: all counted by the header, and any more up to the next section. If the table is outside the
/// file, uses white materials, so that the model can be drawn.
pub(super) fn read_materials(source: Source<'_>, warnings: &mut Warnings) -> Vec<Material> {
    let Source { file, header, .. } = source;
    let start = u64::from(header.materials.get());
    let counted = usize::from(header.material_count.get());
    if start >= file.len() {
        return vec![Material::WHITE; counted];
    }
    let size = size_of::<raw::Material>() as u64;
    let count = source.clamp("materials", [0x1E, start, size], counted as u64, warnings);
    let raw: &[raw::Material] = file.array(start, count.max(source.room(start, size))).unwrap_or_default();
    let material = |(number, (offset, raw)): (usize, (u64, &raw::Material))| Material {
        offset,
        diffuse: raw.diffuse,
        texture: Some(usize::from(raw.texture)).filter(|_| raw.texture != NO_TEXTURE),
        is_counted: number < counted,
    };
    (start..).step_by(size_of::<raw::Material>()).zip(raw).enumerate().map(material).collect()
}

/// Maps the numbers used by groups to materials.
struct Remap<'a> {
    /// The table up to the next section; `None` if the numbers are material indices.
    table: Option<&'a [u8]>,
    /// How many entries the mesh headers count. Some tools count only a part.
    counted: usize,
    materials: &'a [Material],
}

impl<'a> Remap<'a> {
    fn read(source: Source<'a>, meshes: &[Mesh], materials: &'a [Material]) -> Self {
        let Source { file, header, .. } = source;
        let start = u64::from(header.material_remap.get());
        let counts = meshes.iter().map(|mesh| mesh.first_material.saturating_add(mesh.materials));
        let counted = counts.max().unwrap_or(0);
        let left = file.len().saturating_sub(start);
        // Read all counted entries, even if this runs into the next section.
        let length = source.room(start, 1).max(counted as u64).min(left);
        let table = if start == 0 || left == 0 { None } else { file.slice(start, length).ok() };
        Self { table, counted, materials }
    }

    /// Looks up the material for a number.
    fn material(&self, index: usize) -> Result<usize, PmoProblem> {
        let material = match self.table {
            Some(table) => usize::from(*table.get(index).ok_or(PmoProblem::OutsideRemap { index })?),
            None => index,
        };
        let materials = self.materials.len();
        if material < materials { Ok(material) } else { Err(PmoProblem::NoMaterial { material, materials }) }
    }
}

/// Reads the group headers. Skips groups before the first mesh's.
pub(super) fn read(
    source: Source<'_>,
    meshes: &[Mesh],
    materials: &[Material],
    warnings: &mut Warnings,
) -> Vec<Group> {
    let Source { file, header, .. } = source;
    let remap = Remap::read(source, meshes, materials);
    let start = u64::from(header.group_headers.get());
    let size = size_of::<raw::Group>() as u64;
    let counted = meshes.iter().map(|mesh| mesh.groups.end).max().unwrap_or(0) as u64;
    let count = source.clamp("tristrip headers", [0x24, start, size], counted, warnings);
    let raw: &[raw::Group] = file.array(start, count).unwrap_or_default();
    let numbered = meshes.iter().enumerate().flat_map(|(number, mesh)| {
        let range = mesh.groups.start.min(raw.len())..mesh.groups.end.min(raw.len());
        range
            .clone()
            .zip(raw.get(range).unwrap_or_default())
            .map(move |(index, raw)| (number, mesh, index, raw))
    });
    let mut groups: Vec<Group> = Vec::new();
    // Meshes in a damaged file may share groups. Stop at the table's length, to bound this work.
    for (number, mesh, index, group) in numbered.take(raw.len()) {
        let offset = start.saturating_add((index as u64).saturating_mul(size));
        if group.bones > 8 {
            warnings.push(file.error(offset.saturating_add(1), PmoProblem::TooManyBones(group.bones)));
        }
        let first_bone = usize::from(group.first_bone.get());
        if let Some(before) = groups.last().filter(|before| before.bones.end != first_bone) {
            let (counter, expected) = ("bone entry", before.bones.end);
            let problem = PmoProblem::RunningCount { counter, expected, found: first_bone };
            warnings.push(file.error(offset.saturating_add(2), problem));
        }
        let sum = mesh.first_material.saturating_add(usize::from(group.material));
        let material = remap.material(sum);
        if let Ok(index) = material {
            let mut warn = |table, index, counted| {
                warnings.push(file.error(offset, PmoProblem::Uncounted { table, index, counted }));
            };
            if remap.table.is_some() && sum >= remap.counted {
                warn("remap table", sum, remap.counted);
            }
            if materials.get(index).is_some_and(|material| !material.is_counted) {
                warn("materials", index, usize::from(header.material_count.get()));
            }
        }
        groups.push(Group {
            offset,
            mesh: number,
            material: material.map_err(|problem| file.error(offset, problem)),
            bones: first_bone..first_bone.saturating_add(usize::from(group.bones)),
            list: u64::from(group.list.get()),
            vertices: u64::from(group.vertices.get()),
            indices: u64::from(group.indices.get()),
        });
    }
    groups
}

/// Reads the bone entries counted by the groups, as far as the file has them.
pub(super) fn read_bones(source: Source<'_>, groups: &[Group], warnings: &mut Warnings) -> Vec<BoneEntry> {
    let Source { file, header, .. } = source;
    let start = u64::from(header.bone_data.get());
    let size = size_of::<raw::BoneEntry>() as u64;
    let counted = groups.iter().map(|group| group.bones.end).max().unwrap_or(0) as u64;
    let count = match start {
        _ if start >= file.len() => return Vec::new(),
        _ => source.clamp("bone entries", [0x2C, start, size], counted, warnings),
    };
    let raw: &[raw::BoneEntry] = file.array(start, count).unwrap_or_default();
    let entries = (start..).step_by(size_of::<raw::BoneEntry>()).zip(raw).map(|(offset, &[slot, bone])| {
        let slot = usize::from(slot);
        if slot >= 8 {
            warnings.push(file.error(offset, PmoProblem::BoneSlot(slot)));
        }
        BoneEntry { offset, slot, bone }
    });
    entries.collect()
}
