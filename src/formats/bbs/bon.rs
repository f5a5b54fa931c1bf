//! BON: skeletons, inside models or in their own files. Source:
//! [BON skeleton](crate::reference::formats::bbs#bon-skeleton).
//!
//! # Invariants
//! Parents come before their children, so that chains have no cycles. A bone's index is its position in the file.

use thiserror::Error;
use zerocopy::little_endian::{F32, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::formats::core::text::decode_padded;
use crate::model::matrix::{Affine, IDENTITY, inverse, then};
use crate::model::{Bone, Field, Skeleton};

/// Magic to recognise a skeleton by.
pub(super) const MAGIC: [u8; 4] = *b"BON\0";
/// Marks a root, which has no parent.
const NO_PARENT: u16 = 0xFFFF;

/// An error or a warning in a BON skeleton.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BonProblem {
    /// Wrong magic.
    #[error("not a BON skeleton")]
    Magic,
    /// The file ends before its first bone.
    #[error("the header says {0} bones, the file has none")]
    NoBones(u16),
    /// The header promises more bones than fit into the file.
    #[error("the header says {stated} bones, the file has room for {actual}; those are used")]
    Count {
        /// The count in the header.
        stated: u16,
        /// How many whole bones this file has.
        actual: usize,
    },
    /// A bone's number differs from its index.
    #[error("bone {index} has the number {stated}; its place in the file counts")]
    Index {
        /// Its index.
        index: usize,
        /// Its number in the file.
        stated: u16,
    },
    /// A parent does not come before its child.
    #[error("the parent of bone {bone} is bone {parent}, which does not come before it; the bone has none")]
    Parent {
        /// The child.
        bone: usize,
        /// The parent.
        parent: u16,
    },
    /// A matrix has an infinite or NaN element.
    #[error(
        "a matrix of bone {0} has an element that is not a finite number; it follows from the other matrix"
    )]
    NotFinite(usize),
    /// The inverse bind matrix does not undo the rest pose.
    #[error("the inverse bind matrix of bone {0} does not undo its rest pose")]
    InverseBind(usize),
    /// The bounding box names a missing bone.
    #[error(
        "the bounding box is in the space of bone {0}, which does not exist; it counts as that of the model"
    )]
    StandardBone(u16),
}

impl FormatProblem for BonProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Magic", "it is named as a skeleton and is none"),
        Refusal::new("NoBones", "the file ends before the first bone"),
    ];
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    magic: [u8; 4],
    padding_4: U32,
    bones: U16,
    padding_a: U16,
    skinned: U16,
    standard: U16,
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
    /// Rows: x axis, y axis, z axis, translation. The fourth element in each is unused.
    local: [[F32; 4]; 4],
    inverse_bind: [[F32; 4]; 4],
}

const _: () = assert!(size_of::<Header>() == 0x10 && size_of::<RawBone>() == 0xA0, "header and bone");

/// A skeleton, checked so that all matrices are finite.
#[derive(Clone, Debug)]
pub(in crate::formats) struct Bon {
    pub(in crate::formats) skeleton: Skeleton,
    /// Transforms each bone's space to model space in the rest pose.
    pub(in crate::formats) rest: Vec<Affine>,
    /// Transforms model space in the rest pose to each bone's space.
    pub(in crate::formats) inverse_binds: Vec<Affine>,
    /// The bone in whose space the bounding box is stored.
    pub(in crate::formats) standard_bone: usize,
    pub(in crate::formats) fields: Vec<Field>,
    pub(in crate::formats) warnings: Warnings,
}

impl Bon {
    pub(in crate::formats) fn len(&self) -> usize {
        self.inverse_binds.len()
    }
}

pub(in crate::formats) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads a skeleton, and ignores bytes after it. A table cut off by the file's end yields fewer bones.
pub(in crate::formats) fn read(view: View<'_>) -> Result<Bon, FormatError> {
    let header: Header = view.read(0)?;
    if header.magic != MAGIC {
        return Err(view.error(0, BonProblem::Magic));
    }
    let mut warnings = Warnings::default();
    let start = size_of::<Header>() as u64;
    let stated = header.bones.get();
    let raw: &[RawBone] = view.array_prefix(start, stated.into());
    if raw.is_empty() && stated > 0 {
        return Err(view.error(8, BonProblem::NoBones(stated)));
    }
    if raw.len() < usize::from(stated) {
        warnings.push(view.error(8, BonProblem::Count { stated, actual: raw.len() }));
    }
    let standard = header.standard.get();
    if usize::from(standard) >= raw.len() {
        warnings.push(view.error(0x0E, BonProblem::StandardBone(standard)));
    }
    let mut fields = Vec::new();
    let mut add_field = |name: &str, at: u64, value: u32, always: bool| {
        if always || value != 0 {
            let offset = view.file_offset(at);
            fields.push(Field { name: format!("skeleton: {name}"), offset, value: value.to_string() });
        }
    };
    add_field("skinned bones", 0x0C, header.skinned.get().into(), true);
    add_field("standard bone", 0x0E, standard.into(), true);
    add_field("padding", 4, header.padding_4.get(), false);
    add_field("padding", 0x0A, header.padding_a.get().into(), false);

    let (mut bones, mut rest, mut inverse_binds, mut skinning) =
        (Vec::new(), Vec::<Affine>::new(), Vec::new(), Vec::new());
    for ((index, bone), at) in raw.iter().enumerate().zip((start..).step_by(size_of::<RawBone>())) {
        let mut warn = |field: u64, problem| warnings.push(view.error(at.saturating_add(field), problem));
        let stated = bone.index.get();
        if usize::from(stated) != index {
            warn(0, BonProblem::Index { index, stated });
        }
        let own = bone.parent.get();
        let parent = Some(usize::from(own)).filter(|&parent| parent < index);
        if parent.is_none() && own != NO_PARENT {
            warn(4, BonProblem::Parent { bone: index, parent: own });
        }
        let name = decode_padded(&bone.name);
        skinning.push(bone.skinning_index.get().to_string());
        for (field, value) in [
            (2, u32::from(bone.padding_2.get())),
            (6, bone.padding_6.get().into()),
            (0x0A, bone.padding_a.get().into()),
            (0x0C, bone.padding_c.get()),
        ] {
            add_field(&format!("{name}: padding"), at.saturating_add(field), value, false);
        }
        let (local, bind) = (affine(&bone.local), affine(&bone.inverse_bind));
        for (field, matrix) in [(0x20, local), (0x60, bind)] {
            if matrix.is_none() {
                warn(field, BonProblem::NotFinite(index));
            }
        }
        let parent_rest = parent.and_then(|parent| rest.get(parent)).copied();
        // A bone without its parent keeps its place, because the inverse bind matrix still knows it.
        let place = bind.as_ref().and_then(inverse);
        let lost = parent.is_none() && own != NO_PARENT;
        let local = match (local, place) {
            (Some(local), _) if !lost => local,
            (_, Some(place)) => {
                parent_rest.as_ref().and_then(inverse).map_or(place, |above| then(&place, &above))
            }
            (local, None) => local.unwrap_or(IDENTITY),
        };
        let own_rest = parent_rest.map_or(local, |parent| then(&local, &parent));
        let bind = bind.unwrap_or_else(|| inverse(&own_rest).unwrap_or(IDENTITY));
        if !is_close(&then(&bind, &own_rest), &IDENTITY) {
            warn(0x60, BonProblem::InverseBind(index));
        }
        rest.push(own_rest);
        inverse_binds.push(bind);
        let id = u32::try_from(index).unwrap_or(u32::MAX);
        bones.push(Bone { id, name: Some(name).filter(|name| !name.is_empty()), parent, local });
    }
    fields.push(Field {
        name: "skeleton: skinning indices".to_owned(),
        offset: view.file_offset(start.saturating_add(8)),
        value: skinning.join(" "),
    });
    // This cannot fail, because parents come first.
    let skeleton = Skeleton::new(bones).unwrap_or_default();
    Ok(Bon { skeleton, rest, inverse_binds, standard_bone: standard.into(), fields, warnings })
}

/// Drops each row's fourth element; `None` if any kept element is infinite or NaN.
fn affine(rows: &[[F32; 4]; 4]) -> Option<Affine> {
    let mut out = IDENTITY;
    let elements = rows.iter().flat_map(|[x, y, z, _]| [x, y, z]);
    for (element, value) in out.iter_mut().zip(elements) {
        *element = value.get();
    }
    out.iter().all(|element| element.is_finite()).then_some(out)
}

/// Compares matrices with a tolerance of 0.001, which is finer than the GE's own matrices at usual model sizes.
fn is_close(one: &Affine, other: &Affine) -> bool {
    one.iter().zip(other).all(|(one, other)| (one - other).abs() <= 1e-3)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests;
