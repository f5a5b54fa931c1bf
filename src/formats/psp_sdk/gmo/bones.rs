//! Reads bones and checks their hierarchy.
//! Source: [GMO bones](crate::reference::formats::psp_sdk#gmo-bones).

use super::chunk::Chunk;
use super::problem::GmoProblem;
use super::raw::{block, command};
use super::reader::{Counts, Reader};
use super::scene::{Bone, Rotation, ScaleKind};
use crate::formats::core::error::FormatError;
use crate::model::matrix::Affine;
use crate::model::skeleton::cut_cycles;

/// How many floats a matrix has in the file.
const MATRIX: u64 = 16;

/// Reads a bone. Cut-off commands are left out.
pub(super) fn read(reader: &mut Reader, chunk: &Chunk<'_>, counts: Counts) -> Bone {
    let mut bone = Bone { name: chunk.name.clone(), ..Bone::default() };
    for child in chunk.children(&mut reader.warnings) {
        let read = read_command(reader, &child, counts, &mut bone);
        reader.or_leave_out("command of a bone", read);
    }
    let (bones, offsets) = (bone.blend_bones.len(), bone.blend_offsets.len());
    if offsets > 0 && offsets != bones {
        reader.warn(chunk.error(GmoProblem::BlendOffsets { bones, offsets }));
    }
    bone
}

fn read_command(
    reader: &mut Reader,
    chunk: &Chunk<'_>,
    counts: Counts,
    bone: &mut Bone,
) -> Result<(), FormatError> {
    let bones = (block::BONE, counts.bones, "bone");
    let placement = &mut bone.placement;
    match chunk.kind {
        command::PARENT_BONE => bone.parent = reader.reference(chunk, 0, bones),
        command::VISIBILITY => bone.is_hidden = chunk.word(0)? == 0,
        command::MORPH_WEIGHTS => {
            let weights = chunk.args.array_prefix::<[u8; 4]>(4, chunk.word(0)?.into());
            bone.morph_weights = weights.iter().map(|weight| f32::from_le_bytes(*weight)).collect();
        }
        command::BLEND_BONES => {
            let stored = chunk.args.array_prefix::<[u8; 4]>(4, chunk.word(0)?.into()).len() as u64;
            bone.blend_bones = (1..=stored).map(|number| reader.reference(chunk, number, bones)).collect();
        }
        command::BLEND_OFFSETS => {
            let stored = chunk.args.array_prefix::<[u8; 64]>(4, chunk.word(0)?.into()).len() as u64;
            for number in 0..stored {
                let first = number.saturating_mul(MATRIX).saturating_add(1);
                bone.blend_offsets.push(affine(chunk.floats(first)?));
            }
        }
        command::PIVOT => placement.pivot = chunk.floats(0)?,
        command::MATRIX => placement.matrix = Some(affine(chunk.floats(0)?)),
        command::TRANSLATE => placement.translation = chunk.floats(0)?,
        command::ROTATE_ZYX => placement.rotation = Rotation::XFirst(chunk.floats(0)?),
        command::ROTATE_YXZ => placement.rotation = Rotation::ZFirst(chunk.floats(0)?),
        command::ROTATE_Q => placement.rotation = Rotation::Quaternion(chunk.floats(0)?),
        command::SCALE | command::SCALE2 | command::SCALE3 => {
            placement.scale = chunk.floats(0)?;
            placement.scale_kind = scale_kind(chunk.kind);
        }
        command::DRAW_PART => {
            bone.parts.extend(reader.reference(chunk, 0, (block::PART, counts.parts, "part")));
        }
        command::MORPH_INDEX => bone.morph_index = chunk.floats(0).map(|[index]| Some(index))?,
        command::GROUP => bone.is_late = chunk.word(1).or_else(|_| chunk.word(0))? != 0,
        _ => reader.keep(chunk),
    }
    Ok(())
}

/// Returns how children inherit the scale that this command sets.
pub(super) const fn scale_kind(command: u16) -> ScaleKind {
    match command {
        command::SCALE2 => ScaleKind::Apart,
        command::SCALE3 => ScaleKind::Own,
        _ => ScaleKind::Matrix,
    }
}

/// Drops a matrix's last row, which is 0, 0, 0, 1.
pub(super) const fn affine(matrix: [f32; 16]) -> Affine {
    let [xx, xy, xz, _, yx, yy, yz, _, zx, zy, zz, _, tx, ty, tz, _] = matrix;
    [xx, xy, xz, yx, yy, yz, zx, zy, zz, tx, ty, tz]
}

/// Checks that every chain of parents ends, and cuts each cycle by making a bone in it a root.
pub(super) fn sort(reader: &mut Reader, chunk: &Chunk<'_>, bones: &mut [Bone]) {
    let mut parents: Vec<Option<usize>> = bones.iter().map(|bone| bone.parent).collect();
    for (number, is_cut) in cut_cycles(&mut parents) {
        let Some(bone) = bones.get_mut(number) else { continue };
        if bone.parent.is_some_and(|parent| parent > number) {
            reader.warn(chunk.error(GmoProblem::BoneOrder(number)));
        }
        if is_cut {
            bone.parent = None;
            reader.warn(chunk.error(GmoProblem::BoneCycle(number)));
        }
    }
}
