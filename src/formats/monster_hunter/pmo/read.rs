//! Reads and checks the headers and tables of a PMO file.
//!
//! # Invariants
//! Every index in [`PmoTables`] is inside its table. Display lists are only located here; `list` checks them.
//! Source: [PMO header](crate::reference::formats::pmo#pmo-header) and the sections after it, [two
//! files](crate::reference::formats::pmo#two-files) and [limits](crate::reference::formats::pmo#limits).

use std::ops::Range;

use zerocopy::little_endian::F32;

use super::problem::PmoProblem;
use super::raw;
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};

/// The checked tables of a model file.
#[derive(Clone, Debug)]
pub(super) struct PmoTables<'a> {
    pub(super) version: Version,
    /// The file that holds the header.
    pub(super) file: View<'a>,
    /// The mesh data (lists, vertices and indices): the rest of the file, or a second file.
    pub(super) data: View<'a>,
    /// Offset of the mesh data in the file; `None` for a second file.
    pub(super) data_offset: Option<u64>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) groups: Vec<Group>,
    pub(super) materials: Vec<Material>,
    pub(super) bones: Vec<BoneEntry>,
    pub(super) warnings: Warnings,
}

/// The version of the format; each game has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// `1.0`, Monster Hunter Freedom Unite.
    V10,
    /// `102`, Monster Hunter Portable 3rd.
    V102,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mesh {
    /// File offset of the header.
    pub(super) offset: u64,
    pub(super) scale: [f32; 3],
    pub(super) uv_scale: [f32; 2],
    pub(super) uv_offset: [f32; 2],
    /// GE commands to run before the mesh; 0 if absent.
    pub(super) words: [u32; 2],
    pub(super) groups: Range<usize>,
    first_material: usize,
    materials: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group {
    /// File offset of the header.
    pub(super) offset: u64,
    pub(super) mesh: usize,
    pub(super) material: usize,
    pub(super) bones: Range<usize>,
    /// Offsets in the mesh data.
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoneEntry {
    /// File offset.
    pub(super) offset: u64,
    pub(super) slot: usize,
    pub(super) bone: u8,
}

impl Version {
    /// Returns the version as stored in the file.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::V10 => "1.0",
            Self::V102 => "102",
        }
    }

    /// Returns the possible distances in bytes between mesh headers, best first.
    /// Source: [mesh headers](crate::reference::formats::pmo#mesh-headers).
    const fn strides(self) -> &'static [u64] {
        match self {
            Self::V10 => &[0x18, 0x20],
            Self::V102 => &[0x30],
        }
    }
}

/// Reads a model. Its mesh data is in the file, or in `second` if that is given.
pub(super) fn read<'a>(file: View<'a>, second: Option<View<'a>>) -> Result<PmoTables<'a>, FormatError> {
    let mut warnings = Warnings::default();
    let header: raw::Header = file.read(0)?;
    let version = check_version(file, &header)?;
    let scale = finite(file, 0x10, header.scale)?;
    let total = file.len().saturating_add(second.map_or(0, View::len));
    if u64::from(header.file_size.get()) != total {
        warnings.push(file.error(8, PmoProblem::FileSize { stated: header.file_size.get(), actual: total }));
    }
    let largest = scale.iter().fold(0.0f32, |largest, side| largest.max(*side));
    // Also warns if the distance is NaN.
    if !matches!(header.clipping_distance.get().partial_cmp(&largest), Some(order) if order.is_ge()) {
        warnings.push(file.error(0xC, PmoProblem::ClippingDistance));
    }
    check_sections(file, &header, second.is_some())?;
    let (data, data_offset) = match second {
        Some(second) => (second, None),
        None => {
            let offset = u64::from(header.mesh_data.get());
            (file.view(offset, file.len().saturating_sub(offset))?, Some(offset))
        }
    };

    let meshes = read_meshes(file, version, &header, scale, &mut warnings)?;
    let materials = read_materials(file, &header)?;
    let remap = read_remap(file, &header, &meshes)?;
    let groups = read_groups(file, &header, &meshes, remap, materials.len(), &mut warnings)?;
    let bones = read_bones(file, &header, &groups)?;
    Ok(PmoTables { version, file, data, data_offset, meshes, groups, materials, bones, warnings })
}

fn check_version(file: View<'_>, header: &raw::Header) -> Result<Version, FormatError> {
    if header.magic != raw::MAGIC {
        return Err(file.error(0, PmoProblem::Magic));
    }
    match &header.version {
        b"1.0\0" => Ok(Version::V10),
        b"102\0" => Ok(Version::V102),
        _ => Err(file.error(4, PmoProblem::Version)),
    }
}

fn finite<const N: usize>(file: View<'_>, offset: u64, values: [F32; N]) -> Result<[f32; N], FormatError> {
    let values = values.map(F32::get);
    if values.iter().all(|value| value.is_finite()) {
        Ok(values)
    } else {
        Err(file.error(offset, PmoProblem::NotFinite))
    }
}

/// Checks that the sections are inside the file and in order.
/// Source: [limits](crate::reference::formats::pmo#limits).
fn check_sections(file: View<'_>, header: &raw::Header, has_second: bool) -> Result<(), FormatError> {
    let sections = [
        (0x20, "mesh headers", header.mesh_headers),
        (0x24, "tristrip headers", header.group_headers),
        (0x28, "material remap", header.material_remap),
        (0x2C, "bone data", header.bone_data),
        (0x30, "materials", header.materials),
        (0x34, "mesh data", header.mesh_data),
    ];
    let mut before = size_of::<raw::Header>() as u64;
    for (field, name, offset) in sections {
        let offset = u64::from(offset.get());
        // The file has no remap, or its mesh data is in the second file.
        if (field == 0x28 && offset == 0) || (field == 0x34 && has_second) {
            continue;
        }
        if offset < before {
            return Err(file.error(field, PmoProblem::SectionOrder { name, offset, before }));
        }
        if offset >= file.len() {
            let problem = if field == 0x34 {
                PmoProblem::MeshDataElsewhere { offset }
            } else {
                PmoProblem::SectionOutside { name, offset }
            };
            return Err(file.error(field, problem));
        }
        before = offset;
    }
    Ok(())
}

fn read_meshes(
    file: View<'_>,
    version: Version,
    header: &raw::Header,
    scale: [f32; 3],
    warnings: &mut Warnings,
) -> Result<Vec<Mesh>, FormatError> {
    let mut first_error = None;
    for &stride in version.strides() {
        let mut found = Warnings::default();
        match read_meshes_at(file, version, header, scale, stride, &mut found) {
            Ok(meshes) => {
                if first_error.is_some() {
                    let at = u64::from(header.mesh_headers.get());
                    warnings.push(file.error(at, PmoProblem::OtherStride { stride }));
                }
                warnings.extend(&found);
                return Ok(meshes);
            }
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.unwrap_or_else(|| file.error(4, PmoProblem::Version)))
}

fn read_meshes_at<'a>(
    file: View<'a>,
    version: Version,
    header: &'a raw::Header,
    scale: [f32; 3],
    stride: u64,
    warnings: &mut Warnings,
) -> Result<Vec<Mesh>, FormatError> {
    let start = u64::from(header.mesh_headers.get());
    let count = u64::from(header.mesh_count.get());
    let end = start.saturating_add(stride.saturating_mul(count));
    if end > u64::from(header.group_headers.get()) {
        return Err(file.error(0x1C, PmoProblem::TooManyMeshes { count }));
    }
    let (mut meshes, mut counts_at) = (Vec::new(), Vec::new());
    for number in 0..count {
        let offset = start.saturating_add(stride.saturating_mul(number));
        let (mesh, at) = match version {
            Version::V10 => {
                let raw: raw::Mesh10 = file.read(offset)?;
                let uv_scale = finite(file, offset, raw.uv_scale)?;
                (mesh(offset, raw.counts, scale, uv_scale, [0.0; 2]), offset.saturating_add(0x10))
            }
            Version::V102 => {
                let raw: raw::Mesh102 = file.read(offset)?;
                let own = finite(file, offset, raw.scale)?;
                let uv_scale = finite(file, offset.saturating_add(0x10), raw.uv_scale)?;
                let uv_offset = finite(file, offset.saturating_add(0x18), raw.uv_offset)?;
                let own = own_scale(file, offset, own, scale, warnings);
                (mesh(offset, raw.counts, own, uv_scale, uv_offset), offset.saturating_add(0x28))
            }
        };
        counts_at.push(at);
        meshes.push(mesh);
    }
    let mut table = MeshTable { file, version, header, meshes, counts_at };
    table.chain_groups(warnings)?;
    table.chain_materials(warnings)?;
    Ok(table.meshes)
}

/// The mesh headers, as the cumulative counts are checked or completed.
struct MeshTable<'a> {
    file: View<'a>,
    version: Version,
    header: &'a raw::Header,
    meshes: Vec<Mesh>,
    /// Offset of the counts of each mesh.
    counts_at: Vec<u64>,
}

impl MeshTable<'_> {
    /// Checks that the tristrips of each mesh follow those of the one before. Some tools leave the cumulative counts 0;
    /// then they are computed, provided that the tristrips fill their section.
    fn chain_groups(&mut self, warnings: &mut Warnings) -> Result<(), FormatError> {
        let room = u64::from(self.header.section_after_groups())
            .saturating_sub(self.header.group_headers.get().into());
        let counts = self.meshes.iter().map(|mesh| mesh.groups.len());
        let total = counts.fold(0_u64, |sum, count| sum.saturating_add(count as u64));
        let fills = total.saturating_mul(size_of::<raw::Group>() as u64) == room;
        let are_left_out = self.meshes.iter().all(|mesh| mesh.groups.start == 0)
            && self
                .meshes
                .split_last()
                .is_some_and(|(_, before)| before.iter().any(|mesh| !mesh.groups.is_empty()));
        let mut before = 0_usize;
        for (number, (mesh, &at)) in self.meshes.iter_mut().zip(&self.counts_at).enumerate() {
            let found = mesh.groups.start;
            if are_left_out && fills {
                mesh.groups = before..before.saturating_add(mesh.groups.len());
            } else if found != before {
                let problem = PmoProblem::RunningCount { counter: "tristrip", expected: before, found };
                let warning = self.file.error(at.saturating_add(6), problem);
                if number > 0 {
                    return Err(warning);
                }
                warnings.push(warning);
            }
            before = mesh.groups.end;
        }
        if are_left_out && fills {
            warnings.push(self.counts_left_out("tristrip", 6));
        }
        Ok(())
    }

    /// Does the same for the materials of version 1.0. In version 102, meshes share materials.
    fn chain_materials(&mut self, warnings: &mut Warnings) -> Result<(), FormatError> {
        if self.version == Version::V102 {
            return Ok(());
        }
        let are_left_out = self.meshes.iter().all(|mesh| mesh.first_material == 0)
            && self
                .meshes
                .split_last()
                .is_some_and(|(_, before)| before.iter().any(|mesh| mesh.materials > 0));
        if are_left_out && !self.materials_are_own()? {
            let at = self.counts_at.get(1).copied().unwrap_or_default().saturating_add(2);
            warnings.push(self.file.error(at, PmoProblem::SharedMaterials));
            return Ok(());
        }
        let mut before = 0_usize;
        for (number, (mesh, &at)) in self.meshes.iter_mut().zip(&self.counts_at).enumerate() {
            let found = mesh.first_material;
            if are_left_out {
                mesh.first_material = before;
            } else if number > 0 && found != before {
                let problem = PmoProblem::RunningCount { counter: "material", expected: before, found };
                return Err(self.file.error(at.saturating_add(2), problem));
            }
            before = mesh.first_material.saturating_add(mesh.materials);
        }
        if are_left_out {
            warnings.push(self.counts_left_out("material", 2));
        }
        Ok(())
    }

    /// Returns whether all tristrips name one of their mesh's own materials.
    fn materials_are_own(&self) -> Result<bool, FormatError> {
        let total = self.meshes.last().map_or(0, |mesh| mesh.groups.end) as u64;
        let raw: &[raw::Group] = self.file.array(self.header.group_headers.get().into(), total)?;
        Ok(self.meshes.iter().all(|mesh| {
            let groups = raw.get(mesh.groups.clone()).unwrap_or_default();
            groups.iter().all(|group| usize::from(group.material) < mesh.materials)
        }))
    }

    /// Returns the warning that all cumulative counts are 0; `field` is the offset in the counts.
    fn counts_left_out(&self, counter: &'static str, field: u64) -> FormatError {
        let at = self.counts_at.get(1).copied().unwrap_or_default();
        self.file.error(at.saturating_add(field), PmoProblem::CountsLeftOut(counter))
    }
}

fn mesh(
    offset: u64,
    counts: raw::MeshCounts,
    scale: [f32; 3],
    uv_scale: [f32; 2],
    uv_offset: [f32; 2],
) -> Mesh {
    let first = usize::from(counts.first_group.get());
    Mesh {
        offset,
        scale,
        uv_scale,
        uv_offset,
        words: counts.words.map(zerocopy::U32::get),
        groups: first..first.saturating_add(usize::from(counts.groups.get())),
        first_material: usize::from(counts.first_material.get()),
        materials: usize::from(counts.materials.get()),
    }
}

/// Returns the scale of a mesh of version 102: its own, or that of the header if its own has a zero.
/// Source: [mesh headers](crate::reference::formats::pmo#mesh-headers).
fn own_scale(
    file: View<'_>,
    offset: u64,
    own: [f32; 3],
    header: [f32; 3],
    warnings: &mut Warnings,
) -> [f32; 3] {
    if own.contains(&0.0) {
        return header;
    }
    if own != header {
        warnings.push(file.error(offset, PmoProblem::OwnScale));
    }
    own
}

fn read_materials(file: View<'_>, header: &raw::Header) -> Result<Vec<Material>, FormatError> {
    let start = u64::from(header.materials.get());
    let raw: &[raw::Material] = file.array(start, u64::from(header.material_count.get()))?;
    let step = size_of::<raw::Material>();
    (start..)
        .step_by(step)
        .zip(raw)
        .map(|(offset, raw)| {
            let number = raw.texture.get();
            let texture = match number {
                -1 => None,
                _ => Some(usize::try_from(number).map_err(|_| {
                    file.error(offset.saturating_add(8), PmoProblem::TextureNumber { number })
                })?),
            };
            Ok(Material { offset, diffuse: raw.diffuse, texture })
        })
        .collect()
}

/// Returns the number of entries of the remap table that the mesh headers count.
fn counted_materials(meshes: &[Mesh]) -> usize {
    meshes.iter().map(|mesh| mesh.first_material.saturating_add(mesh.materials)).max().unwrap_or(0)
}

/// Returns the remap table, or `None` if the file has none.
fn read_remap<'a>(
    file: View<'a>,
    header: &raw::Header,
    meshes: &[Mesh],
) -> Result<Option<&'a [u8]>, FormatError> {
    let start = u64::from(header.material_remap.get());
    if start == 0 {
        return Ok(None);
    }
    let counted = counted_materials(meshes);
    // The table ends where the next section begins. Some tools count only a part of it.
    let room = u64::from(header.bone_data.get()).saturating_sub(start);
    let table = file.slice(start, room.max(counted as u64))?;
    let materials = usize::from(header.material_count.get());
    for (at, &material) in (start..).zip(table).take(counted) {
        let material = usize::from(material);
        if material >= materials {
            return Err(file.error(at, PmoProblem::NoMaterial { material, materials }));
        }
    }
    Ok(Some(table))
}

fn read_groups(
    file: View<'_>,
    header: &raw::Header,
    meshes: &[Mesh],
    remap: Option<&[u8]>,
    materials: usize,
    warnings: &mut Warnings,
) -> Result<Vec<Group>, FormatError> {
    let counted = counted_materials(meshes);
    let start = u64::from(header.group_headers.get());
    let count = meshes.last().map_or(0, |mesh| mesh.groups.end) as u64;
    let raw: &[raw::Group] = file.array(start, count)?;
    let mut groups: Vec<Group> = Vec::new();
    // Groups before those of the first mesh are skipped; `read_meshes` has warned of them.
    for (number, mesh) in meshes.iter().enumerate() {
        for (index, raw) in mesh.groups.clone().zip(raw.get(mesh.groups.clone()).unwrap_or_default()) {
            let offset = start.saturating_add((index as u64).saturating_mul(0x10));
            if raw.bones > 8 {
                return Err(file.error(offset.saturating_add(1), PmoProblem::TooManyBones(raw.bones)));
            }
            let first_bone = usize::from(raw.first_bone.get());
            if let Some(before) = groups.last()
                && before.bones.end != first_bone
            {
                let problem = PmoProblem::RunningCount {
                    counter: "bone entry",
                    expected: before.bones.end,
                    found: first_bone,
                };
                return Err(file.error(offset.saturating_add(2), problem));
            }
            let sum = mesh.first_material.saturating_add(usize::from(raw.material));
            let material = match remap {
                Some(table) => table
                    .get(sum)
                    .map(|&material| usize::from(material))
                    .ok_or_else(|| file.error(offset, PmoProblem::OutsideRemap { index: sum }))?,
                None => sum,
            };
            if material >= materials {
                return Err(file.error(offset, PmoProblem::NoMaterial { material, materials }));
            }
            if remap.is_some() && sum >= counted {
                warnings.push(file.error(offset, PmoProblem::UncountedRemap { index: sum, counted }));
            }
            groups.push(Group {
                offset,
                mesh: number,
                material,
                bones: first_bone..first_bone.saturating_add(usize::from(raw.bones)),
                list: u64::from(raw.list.get()),
                vertices: u64::from(raw.vertices.get()),
                indices: u64::from(raw.indices.get()),
            });
        }
    }
    Ok(groups)
}

fn read_bones(file: View<'_>, header: &raw::Header, groups: &[Group]) -> Result<Vec<BoneEntry>, FormatError> {
    let start = u64::from(header.bone_data.get());
    let count = groups.last().map_or(0, |group| group.bones.end) as u64;
    let raw: &[raw::BoneEntry] = file.array(start, count)?;
    (start..)
        .step_by(size_of::<raw::BoneEntry>())
        .zip(raw)
        .map(|(offset, raw)| match raw.slot {
            0..8 => Ok(BoneEntry { offset, slot: usize::from(raw.slot), bone: raw.bone }),
            _ => Err(file.error(offset, PmoProblem::BoneSlot(raw.slot))),
        })
        .collect()
}
