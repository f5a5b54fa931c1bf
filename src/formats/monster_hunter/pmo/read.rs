//! Reads a PMO's headers and tables.
//!
//! # Invariants
//! A file is refused only if no group can be found. Everything else becomes a warning, and reading goes on: indices
//! in [`PmoTables`] may lie outside their tables, so users must check them. Display lists are only located here;
//! `list` checks them.
//! Source: [PMO header](crate::reference::formats::pmo#pmo-header) and the sections after it, [two
//! files](crate::reference::formats::pmo#two-files) and [limits](crate::reference::formats::pmo#limits).

use super::groups::{self, BoneEntry, Group, Material};
use super::meshes::{self, Mesh};
use super::problem::PmoProblem;
use super::raw;
use super::source::{Source, Version, finite};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FileRole, FormatError, Warnings};

/// A model file's tables.
#[derive(Clone, Debug)]
pub(super) struct PmoTables<'a> {
    pub(super) version: Version,
    /// The file with the header.
    pub(super) file: View<'a>,
    /// The mesh data (lists, vertices and indices): the rest of this file, or a second file.
    pub(super) data: View<'a>,
    /// The mesh data's offset in the file; `None` for a second file.
    pub(super) data_offset: Option<u64>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) groups: Vec<Group>,
    pub(super) materials: Vec<Material>,
    pub(super) bones: Vec<BoneEntry>,
    pub(super) warnings: Warnings,
}

impl PmoTables<'_> {
    /// Lists a group's bone entries, as far as they exist.
    pub(super) fn bones_of(&self, group: &Group) -> impl Iterator<Item = &BoneEntry> {
        self.bones.iter().take(group.bones.end).skip(group.bones.start)
    }
}

/// Recognises mesh data: a display list to set its origin, followed by an address or a vertex type.
pub(in crate::formats::monster_hunter) fn is_mesh_data(bytes: &[u8]) -> bool {
    let Some((&[0, 0, 0, 0x14, _, _, _, second], _)) = bytes.split_first_chunk() else { return false };
    matches!(second, 0x01 | 0x02 | 0x10 | 0x12)
}

/// Reads a model. Its mesh data is in the file, or in `second` if given.
pub(super) fn read<'a>(
    file: View<'a>,
    second: Option<View<'a>>,
    version: Version,
) -> Result<PmoTables<'a>, FormatError> {
    let mut warnings = Warnings::default();
    let header = header(file)?;
    let (data, data_offset) = mesh_data(file, header, second, &mut warnings)?;
    let total = file.len().saturating_add(if data_offset.is_none() { data.len() } else { 0 });
    if u64::from(header.file_size.get()) != total {
        warnings.push(file.error(8, PmoProblem::FileSize { stated: header.file_size.get(), actual: total }));
    }
    let scale = header_scale(file, header, &mut warnings);
    let largest = scale.iter().fold(0.0f32, |largest, side| largest.max(*side));
    // Also warns if the distance is NaN.
    if !matches!(header.clipping_distance.get().partial_cmp(&largest), Some(order) if order.is_ge()) {
        warnings.push(file.error(0xC, PmoProblem::ClippingDistance));
    }
    check_sections(file, header, data_offset.is_none(), &mut warnings)?;

    let source = Source { file, version, header, scale };
    let meshes = meshes::read(source, &mut warnings);
    let mut materials = groups::read_materials(source, &mut warnings);
    let mut groups = groups::read(source, &meshes, &materials, &mut warnings);
    // Without any valid material the tables are damaged; draw all groups in white rather than nothing.
    if let Some(first) = groups.first().filter(|_| groups.iter().all(|group| group.material.is_err())) {
        warnings.push(file.error(first.offset, PmoProblem::NoMaterials));
        groups.iter_mut().for_each(|group| group.material = Ok(materials.len()));
        materials.push(Material { is_counted: false, ..Material::WHITE });
    }
    let bones = groups::read_bones(source, &groups, &mut warnings);
    Ok(PmoTables { version, file, data, data_offset, meshes, groups, materials, bones, warnings })
}

/// Reads the version; `None` if no known game uses it.
///
/// # Errors
/// Fails if this is no PMO, or a PMO without display lists.
pub(super) fn version(file: View<'_>) -> Result<Option<Version>, FormatError> {
    match &header(file)?.version {
        b"1.0\0" => Ok(Some(Version::V10)),
        b"102\0" => Ok(Some(Version::V102)),
        b"2.0\0" => Err(file.error(4, PmoProblem::IosVersion)),
        _ => Ok(None),
    }
}

fn header(file: View<'_>) -> Result<&raw::Header, FormatError> {
    match file.array::<raw::Header>(0, 1)? {
        [header] if header.magic == raw::MAGIC => Ok(header),
        _ => Err(file.error(0, PmoProblem::Magic)),
    }
}

/// Finds the mesh data, and its offset if it is in the file. Uses a second file only if the first file's rest does
/// not look like mesh data, because a container may hold both kinds.
/// Source: [two files](crate::reference::formats::pmo#two-files).
fn mesh_data<'a>(
    file: View<'a>,
    header: &raw::Header,
    second: Option<View<'a>>,
    warnings: &mut Warnings,
) -> Result<(View<'a>, Option<u64>), FormatError> {
    // Lists and their addresses are relative to this offset, and the GE ignores the low bits of a list's address.
    let stated = u64::from(header.mesh_data.get());
    let offset = stated & !3;
    if offset != stated {
        warnings.push(file.error(0x34, PmoProblem::Unaligned));
    }
    let own = file.view(offset, file.len().saturating_sub(offset)).ok().filter(|own| !own.is_empty());
    match (own, second) {
        (Some(own), Some(second)) if is_mesh_data(own.bytes()) => {
            // A member from the same container may belong to another model, so stay silent.
            if second.role() == FileRole::MeshData {
                warnings.push(file.error(0x34, PmoProblem::OwnMeshData));
            }
            Ok((own, Some(offset)))
        }
        (_, Some(second)) => Ok((second, None)),
        (Some(own), None) => Ok((own, Some(offset))),
        (None, None) => {
            // If tables are missing too, the file is cut off, and a second file would not help.
            check_sections(file, header, true, warnings)?;
            // In a two-file model, the first file ends exactly at the mesh data's offset.
            let problem = if offset > file.len() {
                PmoProblem::TableOutside { name: "mesh data", offset }
            } else {
                PmoProblem::MeshDataElsewhere { offset }
            };
            Err(file.error(0x34, problem))
        }
    }
}

/// Reads the model's scale, and replaces each infinite or NaN component by the largest other.
fn header_scale(file: View<'_>, header: &raw::Header, warnings: &mut Warnings) -> [f32; 3] {
    let others = header.scale.iter().map(|side| side.get()).filter(|side| side.is_finite());
    let default = others.fold(0.0, f32::max);
    finite(file, 0x10, header.scale, if default > 0.0 { default } else { 1.0 }, warnings)
}

/// Warns about sections out of order or outside the file.
///
/// # Errors
/// Fails if mesh or group headers are outside, because then there is nothing to draw.
/// Source: [limits](crate::reference::formats::pmo#limits).
fn check_sections(
    file: View<'_>,
    header: &raw::Header,
    has_second: bool,
    warnings: &mut Warnings,
) -> Result<(), FormatError> {
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
        // Offset 0 means no remap. Mesh data in a second file is checked elsewhere.
        if (field == 0x28 && offset == 0) || (field == 0x34 && has_second) {
            continue;
        }
        if offset < before {
            warnings.push(file.error(field, PmoProblem::SectionOrder { name, offset, before }));
        }
        if offset < file.len() {
            before = offset;
        } else if field < 0x28 {
            return Err(file.error(field, PmoProblem::TableOutside { name, offset }));
        } else {
            warnings.push(file.error(field, PmoProblem::SectionOutside { name, offset }));
        }
    }
    Ok(())
}
