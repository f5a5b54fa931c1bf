//! Tests for BON: valid skeletons and errors.

use crate::formats::bbs::tests::fixtures::bon;
use crate::formats::tests::texts;
use crate::formats::{Content, Format, Request, open};

fn good() -> Vec<u8> {
    bon(&[(None, [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), (Some(0), [0.0, 4.0, 0.0], [1.0, 6.0, 3.0])])
}

#[test]
fn reads_bones_and_parents() {
    let opened = open(&Request::new("a", &good())).expect("a skeleton");
    let Content::Skeleton { skeleton, version, notes } = opened.content else { panic!("a skeleton") };
    assert_eq!(version, "BBS", "the game");
    let names: Vec<_> = skeleton.bones().iter().map(|bone| (bone.name.as_deref(), bone.parent)).collect();
    assert_eq!(names, [(Some("bone0"), None), (Some("bone1"), Some(0))], "names and parents");
    assert_eq!(skeleton.world(&skeleton.rest())[1][9..], [1.0, 6.0, 3.0], "the chain");
    assert!(texts(&notes).iter().any(|note| note == "at 0x18: skeleton: skinning indices: 0 1"), "{notes:?}");
    assert!(texts(&notes).iter().all(|note| !note.contains("inverse")), "{notes:?}");
}

#[test]
fn reports_errors_with_offsets() {
    let message = |place: usize, bytes: &[u8]| {
        let mut broken = good();
        broken[place..place + bytes.len()].copy_from_slice(bytes);
        let request = Request { format: Format::from_name("bon"), ..Request::new("a", &broken) };
        match open(&request) {
            Ok(opened) => texts(opened.content.notes()).join("; "),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(message(0, b"X"), "at 0x0: not a BON skeleton", "magic");
    let count = "at 0x8: the header says 3 bones, the file has room for 2; those are used";
    assert!(message(8, &[3]).starts_with(count), "count");
    let none = open(&Request::new("a", &good()[..0x80])).expect_err("no bone");
    assert_eq!(none.to_string(), "at 0x8: the header says 2 bones, the file has none", "no bone");
    let number = "at 0xb0: bone 1 has the number 5; its place in the file counts";
    assert!(message(0xB0, &[5]).starts_with(number), "number");
    let parent = "at 0xb4: the parent of bone 1 is bone 1, which does not come before it; the bone has none";
    assert!(message(0xB4, &[1]).starts_with(parent), "parent");
    let finite =
        "a matrix of bone 0 has an element that is not a finite number; it follows from the other matrix";
    assert!(message(0x30, &[0, 0, 0xC0, 0x7F]).starts_with(&format!("at 0x30: {finite}")), "NaN");
    assert!(message(0x70, &[0, 0, 0xC0, 0x7F]).starts_with(&format!("at 0x70: {finite}")), "NaN");
    let bind = "at 0x70: the inverse bind matrix of bone 0 does not undo its rest pose";
    assert!(message(0x30, &[0, 0, 0, 0x40]).contains(bind), "a warning only");
    let standard = "at 0xe: the bounding box is in the space of bone 2, which does not exist; it counts as that of the model";
    assert!(message(0x0E, &[2]).starts_with(standard), "bone of the box");
}

/// A bone's matrices each follow from the other, so one damaged matrix can be computed.
#[test]
fn damaged_bones_keep_their_place() {
    for (place, damage) in [(0xD0, [0, 0, 0xC0, 0x7F]), (0x110, [0, 0, 0xC0, 0x7F]), (0xB4, [9, 0, 0, 0])] {
        let mut bytes = good();
        bytes[place..place + 4].copy_from_slice(&damage);
        let opened = open(&Request::new("a", &bytes)).expect("a skeleton");
        let Content::Skeleton { skeleton, .. } = opened.content else { panic!("a skeleton") };
        assert_eq!(skeleton.world(&skeleton.rest())[1][9..], [1.0, 6.0, 3.0], "damage at {place:#x}");
    }
}
