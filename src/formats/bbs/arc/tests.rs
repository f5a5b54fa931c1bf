//! Tests of ARC: names, references and errors.

use crate::formats::bbs::tests::fixtures::arc;
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
fn reports_errors_with_offsets() {
    let good = arc(&[("one.bin", Some(b"abc"))]);
    let message = |place: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[place] = byte;
        open(&Request { format: Format::from_name("arc"), ..Request::new("a", &bytes) })
            .expect_err("broken")
            .to_string()
    };
    assert_eq!(message(0, b'X'), "at 0x0: not an ARC container", "magic");
    assert_eq!(message(4, 2), "at 0x4: ARC version 2 is not supported; 1 is", "version");
    assert_eq!(message(6, 2), "at 0x10: 64 bytes are needed here, 48 are left", "entries");
    let outside = "at 0x10: member \"one.bin\", 255 bytes at 0x30, is not inside the file";
    assert_eq!(message(0x18, 0xFF), outside, "length");
    let mut bytes = good.clone();
    bytes[0x18] = 0xFF;
    bytes[0x21..0x23].copy_from_slice(b"\n\x1B");
    let error = open(&Request { format: Format::from_name("arc"), ..Request::new("a", &bytes) });
    let line = outside.replace("one", "o\u{FFFD}\u{FFFD}");
    assert_eq!(error.expect_err("broken").to_string(), line, "control characters are replaced");
}
