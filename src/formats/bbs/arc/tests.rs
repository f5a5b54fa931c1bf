//! Tests for ARC: names, references and errors.

use crate::formats::bbs::tests::fixtures::{TestModel, arc, texel, triangle};
use crate::formats::tests::texts;
use crate::formats::{Content, Format, Request, open};

#[test]
fn reads_names_of_members() {
    let bytes = arc(&[("one.bin", Some(b"abc")), ("exactly16letters", Some(b"TIM2")), ("away.pmo", None)]);
    let opened = open(&Request { format: Format::from_name("arc"), ..Request::new("a", &bytes) });
    let opened = opened.expect_err("the texture is cut off");
    assert_eq!(opened.to_string(), "at 0x80: 16 bytes are needed here, 4 are left", "the only texture");
    let bytes = arc(&[("one.bin", Some(b"abc")), ("exactly16letters", Some(b"x")), ("away.pmo", None)]);
    let opened = open(&Request::new("a", &bytes)).expect("a container");
    assert!(matches!(opened.content, Content::Archive { .. }), "no content to draw");
    let members: Vec<_> = opened.members.iter().map(|m| (m.name.as_deref(), m.offset, m.length)).collect();
    let expected =
        [(Some("one.bin"), 0x70, 3), (Some("exactly16letters"), 0x80, 1), (Some("away.pmo"), 0x50, 0)];
    assert_eq!(members, expected, "names, offsets and lengths");
    let error = open(&Request { member: Some("away.pmo"), ..Request::new("a", &bytes) });
    assert_eq!(
        error.expect_err("elsewhere").to_string(),
        "at 0x50: the member \"away.pmo\" of the container is empty",
        "no bytes"
    );
}

#[test]
fn notes_damaged_tables() {
    let good = arc(&[("one.bin", Some(b"abc"))]);
    let message = |place: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[place] = byte;
        match open(&Request { format: Format::from_name("arc"), ..Request::new("a", &bytes) }) {
            Ok(opened) => texts(opened.content.notes()).join("; "),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(message(0, b'X'), "at 0x0: not an ARC container", "magic");
    assert_eq!(message(4, 2), "at 0x4: ARC version 2 is not known; the file is read as version 1", "version");
    let count = "at 0x6: the header says 3 members, the file has room for 1; those are used";
    assert!(message(6, 3).starts_with(count), "entries");
    let outside = "at 0x10: member \"one.bin\", 255 bytes at 0x30, is not inside the file; 16 bytes are";
    assert_eq!(message(0x18, 0xFF), outside, "length");
    let far = "at 0x10: member \"one.bin\", 3 bytes at 0x1000030, is not inside the file; 0 bytes are";
    assert_eq!(message(0x17, 1), far, "offset");
}

#[test]
fn broken_members_leave_the_others() {
    let (bad, good) = (b"PMO\0bad".as_slice(), TestModel::new(vec![triangle()]).bytes());
    let texture = texel([1, 2, 3, 255]);
    let note = |members: &[(&str, Option<&[u8]>)]| {
        let bytes = arc(members);
        let opened = open(&Request::new("a", &bytes)).expect("something to show");
        (opened.content.kind(), texts(opened.content.notes()).join("; "))
    };
    let broken =
        "the model \"bad.pmo\" in the container cannot be used: 160 bytes are needed here, 7 are left";
    let (kind, text) = note(&[("bad.pmo", Some(bad)), ("good.pmo", Some(&good))]);
    assert_eq!((kind, text.contains(broken)), ("a model", true), "{text}");
    let (kind, text) = note(&[("bad.pmo", Some(bad)), ("good.tm2", Some(&texture))]);
    assert_eq!((kind, text.contains(broken)), ("a file of textures", true), "{text}");
    let bytes = arc(&[("bad.pmo", Some(bad))]);
    let error = open(&Request::new("a", &bytes)).expect_err("nothing else");
    assert_eq!(error.to_string(), "at 0x30: 160 bytes are needed here, 7 are left", "the first error");
}
