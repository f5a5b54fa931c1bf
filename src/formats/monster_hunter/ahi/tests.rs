//! Tests the skeleton reader with generated files.

use super::*;
use crate::formats::FileRole;

/// Builds a skeleton in version MHP3rd from bones (id, parent, child, sibling) and root ids.
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

/// Reads a file. Returns the parents by index, and the warnings.
fn repaired(bytes: &[u8]) -> (Vec<Option<usize>>, Vec<String>) {
    let ahi = read_bytes(bytes).expect("readable");
    assert_eq!(ahi.rest.len(), ahi.skeleton.bones().len(), "one rest for each bone");
    let parents = ahi.skeleton.bones().iter().map(|bone| bone.parent).collect();
    (parents, ahi.warnings.as_slice().iter().map(ToString::to_string).collect())
}

#[test]
fn damaged_links_are_repaired_with_notes() {
    for (bones, roots, parents, message) in [
        (
            [[5, 6, -1, -1], [6, 5, 5, -1], [9, -1, -1, -1]],
            [9, 9],
            vec![Some(1), None, None],
            "at 0x8c: the parents of the bones form a cycle: bone 6 becomes a root",
        ),
        (
            [[5, 5, -1, -1], [6, -1, -1, -1], [9, -1, -1, -1]],
            [6, 9],
            vec![None; 3],
            "at 0x30: the parents of the bones form a cycle: bone 5 becomes a root",
        ),
        (
            [[5, 7, -1, -1], [6, -1, -1, -1], [9, -1, -1, -1]],
            [6, 9],
            vec![None; 3],
            "at 0x30: bone 7 does not exist",
        ),
        (
            [[5, 6, -1, -1], [6, -1, 5, -1], [6, -1, -1, -1]],
            [6, 6],
            vec![Some(1), None],
            "at 0xe4: bone id 6 is negative or a duplicate: the bone is left out",
        ),
        (
            [[5, 6, -1, -1], [6, -1, 5, -1], [-9, -1, -1, -1]],
            [6, 6],
            vec![Some(1), None],
            "at 0xe4: bone id -9 is negative or a duplicate: the bone is left out",
        ),
        (CHAIN, [6, 8], vec![Some(1), None, None], "at 0x1c: bone 8 does not exist"),
    ] {
        let (found, warnings) = repaired(&file(&bones, &roots));
        assert_eq!(found, parents, "{message}");
        assert!(warnings.iter().any(|warning| warning == message), "{message}: {warnings:?}");
    }
}

#[test]
fn damaged_headers_are_read_with_notes() {
    for (at, value, bones, message) in [
        (4usize, 0u32, 3, "at 0x4: the header counts -1 bones, the file has 3"),
        (4, 0x7FFF_FFFF, 3, "at 0x4: the header counts 2147483646 bones, the file has 3"),
        (4, 2, 3, "at 0x4: the header counts 1 bones, the file has 3"),
        (8, 0, 3, "at 0x8: the block has 0 bytes, not 308"),
        (12, 1, 3, "at 0xc: the block has type 0x00000001, not 0x00000000"),
        (16, 4, 3, "at 0x10: the list of root bones counts 4, and its size holds 2; the size counts"),
        (20, 16, 3, "at 0x14: the block has 16 bytes, not 20"),
        (0x20, 2, 2, "at 0x20: the block has type 0x00000002, not 0x40000001"),
        (
            0x20,
            0x4000_0002,
            3,
            "at 0x20: 1 bones have type 0x40000002, whose meaning is unknown; this one links to bone -1",
        ),
        (0x28, 0x10C, 1, "at 0x28: the block has 268 bytes, not 92"),
        (0x28, 0, 3, "at 0x28: the block has 0 bytes, not 92"),
        (
            0x3C,
            f32::NAN.to_bits(),
            3,
            "at 0x3c: a scale, rotation or translation of bone 5 is not a finite number and is ignored",
        ),
    ] {
        let mut bytes = file(&CHAIN, &[6, 9]);
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let (parents, warnings) = repaired(&bytes);
        assert_eq!(parents.len(), bones, "{message}");
        assert!(warnings.iter().any(|warning| warning == message), "{message}: {warnings:?}");
    }
    let mut bytes = file(&CHAIN, &[6, 9]);
    bytes[0] = 1;
    let error = read_bytes(&bytes).expect_err("another root block");
    assert_eq!(error.to_string(), "at 0x0: not an AHI file: its root block has type 0x80000001", "message");
    bytes[0] = 0;
    bytes[16..24].copy_from_slice(&[0xFF; 8]);
    let error = read_bytes(&bytes).expect_err("no list of roots");
    let message =
        "at 0x10: the list of root bones has 4294967295 bytes and -1 entries, which are not in the file";
    assert_eq!(error.to_string(), message, "message");
}

#[test]
fn rest_poses_turn_and_scale() {
    let mut bytes = file(&CHAIN, &[6, 9]);
    // Bone 6 is scaled by 2 along y. Bone 5 below it is turned by 90 degrees around z and moved up by 2.
    let mut set = |at: usize, value: f32| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    let bone = |number: usize| 0x2C + number * 0x5C;
    set(bone(1) + 0x14, 2.0);
    set(bone(0) + 0x28, std::f32::consts::FRAC_PI_2);
    let ahi = read_bytes(&bytes).expect("a good file");
    let world = ahi.skeleton.world(&[])[0];
    // The bone's own y axis points to -x, and is twice as long.
    for (found, expected) in world.iter().zip([0.0, 1.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 6.0, 0.0]) {
        assert!((found - expected).abs() < 1e-6, "{world:?}");
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
        let bones = read_bytes(&good[..length]).map_or(0, |ahi| ahi.skeleton.bones().len());
        assert_eq!(bones, (length + 8).saturating_sub(0x20) / 0x5C, "cut off after {length} bytes");
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
