//! Tests of BON: valid skeletons and errors.

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
    assert_eq!(message(8, &[3]), "at 0x10: 480 bytes are needed here, 320 are left", "count");
    assert_eq!(message(0xB0, &[5]), "at 0xb0: bone 1 has the number 5", "number");
    let parent = "at 0xb4: the parent of bone 1 is bone 1, which does not come before it";
    assert_eq!(message(0xB4, &[1]), parent, "parent");
    let finite = "at 0x30: a matrix of bone 0 has an element that is not a finite number";
    assert_eq!(message(0x30, &[0, 0, 0xC0, 0x7F]), finite, "NaN");
    let bind = "at 0x70: the inverse bind matrix of bone 0 does not undo its rest pose";
    assert!(message(0x30, &[0, 0, 0, 0x40]).contains(bind), "a warning only");
}
