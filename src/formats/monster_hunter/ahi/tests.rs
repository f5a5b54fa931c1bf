//! Tests of the skeleton reader with generated files.

use super::*;
use crate::formats::FileRole;

/// Builds a skeleton of version MHP3rd with bones (id, parent, child, sibling) and root ids.
fn file(bones: &[[i32; 4]], roots: &[i32]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut words = |values: &[i32]| values.iter().for_each(|v| file.extend_from_slice(&v.to_le_bytes()));
    let count = |count: usize| i32::try_from(count).expect("few");
    let (bone_count, root_count) = (count(bones.len()), count(roots.len()));
    let size = 24 + 4 * root_count + 0x5C * bone_count;
    words(&[ROOT_P3RD.cast_signed(), bone_count + 1, size, 0, root_count, 12 + 4 * root_count]);
    words(roots);
    for bone in bones {
        words(&[BONE.cast_signed(), 1, 0x5C]);
        words(bone);
        let one = 1.0f32.to_bits().cast_signed();
        words(&[one, one, one, one, 0, 0, 0, one, 0, 2.0f32.to_bits().cast_signed(), 0, one, -1, 0]);
        words(&[i32::from_le_bytes(*b"Bone"), 0]);
    }
    file
}

fn read_bytes(bytes: &[u8]) -> Result<Ahi, FormatError> {
    read(View::new(bytes, 0, "ahi", FileRole::Input))
}

const CHAIN: [[i32; 4]; 3] = [[5, 6, -1, -1], [6, -1, 5, -1], [9, -1, -1, -1]];

#[test]
fn accepts_parents_after_children() {
    let bytes = file(&CHAIN, &[6, 9]);
    assert!(sniff(&bytes), "recognised");
    let ahi = read_bytes(&bytes).expect("a good file");
    assert_eq!(ahi.warnings.as_slice(), [], "no warnings");
    let bones = ahi.skeleton.bones();
    assert_eq!((bones[0].id, bones[0].parent, bones[1].parent), (5, Some(1), None), "linked by id");
    assert_eq!(bones[2].name.as_deref(), Some("Bone"), "name");
    assert_eq!(ahi.skeleton.world(&[])[0][9..], [0.0, 4.0, 0.0], "translations add up");
}

#[test]
fn errors_name_the_offset() {
    for (bones, roots, message) in [
        ([[5, 6, -1, -1], [6, 5, 5, -1], [9, -1, -1, -1]], [9, 9], "the parents of the bones form a cycle"),
        ([[5, 7, -1, -1], [6, -1, 5, -1], [9, -1, -1, -1]], [6, 9], "at 0x30: bone 7 does not exist"),
        (
            [[5, 6, -1, -1], [6, -1, 5, -1], [6, -1, -1, -1]],
            [6, 6],
            "at 0xe4: bone id 6 is negative or a duplicate",
        ),
        (
            [[5, 6, -1, -1], [6, -1, 5, -1], [-9, -1, -1, -1]],
            [6, 6],
            "at 0xe4: bone id -9 is negative or a duplicate",
        ),
        (CHAIN, [6, 8], "at 0x1c: bone 8 does not exist"),
    ] {
        let error = read_bytes(&file(&bones, &roots)).expect_err(message);
        assert_eq!(error.to_string(), message, "{bones:?}");
    }
    for (at, value, message) in [
        (0usize, 1u32, "at 0x0: not an AHI file: its root block has type 0x00000001"),
        (4, 0, "at 0x4: 0 is not a valid number of bones or roots"),
        (4, 0x7FFF_FFFF, "at 0x4: 2147483647 is not a valid number of bones or roots"),
        (12, 1, "at 0xc: the block has type 0x00000001, not 0x00000000"),
        (16, 4, "at 0x10: 4 is not a valid number of bones or roots"),
        (20, 16, "at 0x14: the block has 16 bytes, not 20"),
        (0x28, 0x10C, "at 0x28: the block has 268 bytes, not 92"),
    ] {
        let mut bytes = file(&CHAIN, &[6, 9]);
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let error = read_bytes(&bytes).expect_err(message);
        assert_eq!(error.to_string(), message, "word at {at:#x}");
    }
}

#[test]
fn warns_of_inconsistent_links() {
    for (bones, roots) in [
        // A child without a parent, a sibling with another parent, a root with a parent.
        ([[5, 6, 9, -1], [6, -1, 5, -1], [9, -1, -1, -1]], [6, 9]),
        ([[5, 6, -1, 9], [6, -1, 5, -1], [9, -1, -1, -1]], [6, 9]),
        (CHAIN, [6, 5]),
    ] {
        let ahi = read_bytes(&file(&bones, &roots)).expect("still usable");
        let [warning] = ahi.warnings.as_slice() else { panic!("one warning: {:?}", ahi.warnings) };
        assert_eq!(warning.kind, AhiProblem::Links.into(), "{bones:?} {roots:?}");
    }
}

#[test]
fn survives_hostile_bytes() {
    let good = file(&CHAIN, &[6, 9]);
    for length in 0..good.len() {
        assert!(read_bytes(&good[..length]).is_err(), "cut off after {length} bytes");
    }
    let mut seed = 7u32;
    for at in 0..good.len() - 3 {
        for round in 0..8 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = [0, u32::MAX, 0x8000_0000].get(round).copied().unwrap_or(seed);
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            if let Ok(ahi) = read_bytes(&bytes) {
                assert_eq!(ahi.skeleton.world(&[]).len(), ahi.skeleton.bones().len(), "{at:#x}");
            }
        }
    }
}
