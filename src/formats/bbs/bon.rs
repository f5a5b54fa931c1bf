//! BON: skeletons, inside models or in files of their own.
//! Source: [BON skeleton](crate::reference::formats::bbs#bon-skeleton).
//!
//! # Invariants
//! A bone's parent comes before it, so that chains have no cycles. The number of a bone in the file is its
//! index.

use thiserror::Error;
use zerocopy::little_endian::{F32, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::text::text;
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::problem::FormatProblem;
use crate::model::matrix::{Affine, IDENTITY, then};
use crate::model::{Bone, Field, Skeleton};

/// First bytes of every skeleton.
pub(super) const MAGIC: [u8; 4] = *b"BON\0";
/// The parent of a root.
const NO_PARENT: u16 = 0xFFFF;

/// Errors and warnings of BON skeletons.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BonProblem {
    /// Wrong magic.
    #[error("not a BON skeleton")]
    Magic,
    /// A bone with a number that is not its index.
    #[error("bone {index} has the number {stated}")]
    Index {
        /// Its index.
        index: usize,
        /// Its number in the file.
        stated: u16,
    },
    /// A parent that does not come before its child.
    #[error("the parent of bone {bone} is bone {parent}, which does not come before it")]
    Parent {
        /// The child.
        bone: usize,
        /// The parent.
        parent: u16,
    },
    /// Infinity or NaN in a matrix.
    #[error("a matrix of bone {0} has an element that is not a finite number")]
    NotFinite(usize),
    /// An inverse bind transform that is not the inverse of the rest pose.
    #[error("the inverse bind matrix of bone {0} does not undo its rest pose")]
    InverseBind(usize),
}

impl FormatProblem for BonProblem {}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    magic: [u8; 4],
    padding_4: U32,
    bones: U16,
    padding_a: U16,
    skinned: U16,
    first_skinned: U16,
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawBone {
    index: U16,
    padding_2: U16,
    parent: U16,
    padding_6: U16,
    skinning_index: U16,
    padding_a: U16,
    padding_c: U32,
    name: [u8; 16],
    /// Rows: x axis, y axis, z axis, translation, each with an unused fourth element.
    local: [[F32; 4]; 4],
    inverse_bind: [[F32; 4]; 4],
}

const _: () = assert!(size_of::<Header>() == 0x10 && size_of::<RawBone>() == 0xA0, "header and bone");

/// A skeleton, read and checked.
#[derive(Clone, Debug)]
pub(in crate::formats) struct Bon {
    pub(in crate::formats) skeleton: Skeleton,
    /// Transforms from model space in the rest pose to each bone's space.
    pub(in crate::formats) inverse_binds: Vec<Affine>,
    pub(in crate::formats) fields: Vec<Field>,
    pub(in crate::formats) warnings: Warnings,
}

impl Bon {
    /// Counts the bones.
    pub(in crate::formats) fn len(&self) -> usize {
        self.inverse_binds.len()
    }
}

/// Recognises a skeleton by its first bytes.
pub(in crate::formats) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads a skeleton and ignores bytes after it.
pub(in crate::formats) fn read(view: View<'_>) -> Result<Bon, FormatError> {
    let header: Header = view.read(0)?;
    if header.magic != MAGIC {
        return Err(view.error(0, BonProblem::Magic));
    }
    let start = size_of::<Header>() as u64;
    let raw: &[RawBone] = view.array(start, header.bones.get().into())?;
    let mut fields = Vec::new();
    let mut add_field = |name: &str, at: u64, value: u32, always: bool| {
        if always || value != 0 {
            let offset = view.file_offset(at);
            fields.push(Field { name: format!("skeleton: {name}"), offset, value: value.to_string() });
        }
    };
    add_field("skinned bones", 0x0C, header.skinned.get().into(), true);
    add_field("first skinned bone", 0x0E, header.first_skinned.get().into(), true);
    add_field("padding", 4, header.padding_4.get(), false);
    add_field("padding", 0x0A, header.padding_a.get().into(), false);

    let (mut bones, mut inverse_binds, mut skinning) = (Vec::new(), Vec::new(), Vec::new());
    for ((index, bone), at) in raw.iter().enumerate().zip((start..).step_by(size_of::<RawBone>())) {
        let stated = bone.index.get();
        if usize::from(stated) != index {
            return Err(view.error(at, BonProblem::Index { index, stated }));
        }
        let parent = match bone.parent.get() {
            NO_PARENT => None,
            parent if usize::from(parent) < index => Some(usize::from(parent)),
            parent => {
                return Err(view.error(at.saturating_add(4), BonProblem::Parent { bone: index, parent }));
            }
        };
        let name = text(&bone.name);
        skinning.push(bone.skinning_index.get().to_string());
        for (field, value) in [
            (2, u32::from(bone.padding_2.get())),
            (6, bone.padding_6.get().into()),
            (0x0A, bone.padding_a.get().into()),
            (0x0C, bone.padding_c.get()),
        ] {
            add_field(&format!("{name}: padding"), at.saturating_add(field), value, false);
        }
        let matrix = |rows: &[[F32; 4]; 4], field: u64| {
            affine(rows).ok_or_else(|| view.error(at.saturating_add(field), BonProblem::NotFinite(index)))
        };
        let local = matrix(&bone.local, 0x20)?;
        inverse_binds.push(matrix(&bone.inverse_bind, 0x60)?);
        let id = u32::from(stated);
        bones.push(Bone { id, name: Some(name).filter(|name| !name.is_empty()), parent, local });
    }
    fields.push(Field {
        name: "skeleton: skinning indices".to_owned(),
        offset: view.file_offset(start.saturating_add(8)),
        value: skinning.join(" "),
    });
    // Cannot fail, because parents come first.
    let skeleton = Skeleton::new(bones).unwrap_or_default();
    let mut warnings = Warnings::default();
    let rest = skeleton.world(&skeleton.rest());
    for ((number, (rest, bind)), at) in
        rest.iter().zip(&inverse_binds).enumerate().zip((start..).step_by(size_of::<RawBone>()))
    {
        if !is_close(&then(bind, rest), &IDENTITY) {
            warnings.push(view.error(at.saturating_add(0x60), BonProblem::InverseBind(number)));
        }
    }
    Ok(Bon { skeleton, inverse_binds, fields, warnings })
}

/// Returns the first three elements of each row; `None` if one is infinite or NaN.
fn affine(rows: &[[F32; 4]; 4]) -> Option<Affine> {
    let mut out = IDENTITY;
    let elements = rows.iter().flat_map(|[x, y, z, _]| [x, y, z]);
    for (element, value) in out.iter_mut().zip(elements) {
        *element = value.get();
    }
    out.iter().all(|element| element.is_finite()).then_some(out)
}

/// Returns whether matrices are equal within 0.001, which is finer than the GE's own matrices for models of a
/// usual size.
fn is_close(one: &Affine, other: &Affine) -> bool {
    one.iter().zip(other).all(|(one, other)| (one - other).abs() <= 1e-3)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests;
