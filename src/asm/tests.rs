//! Tests of each part of the language and of the error messages.

use super::*;
use crate::ge::address::Address;

fn image(text: &str) -> Vec<u8> {
    assemble(text).and_then(|program| program.image()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn words(text: &str) -> Vec<u32> {
    let image = image(text);
    let (words, rest) = image.as_chunks::<4>();
    assert!(rest.is_empty(), "{text} is whole words");
    words.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn message(text: &str) -> String {
    assemble(text).map(|program| format!("{program:?}")).expect_err(text).to_string()
}

#[test]
fn assembles_commands() {
    for (text, word) in [
        ("TEXENABLE 1", 0x1E00_0001),
        ("PRIM primitive=RECTANGLES count=2", 0x0406_0002),
        ("PRIM count=2 primitive=6", 0x0406_0002),
        ("VTYPE texcoord=BITS16 position=BITS16 through=1", 0x1280_0102),
        ("VTYPE", 0x1200_0000),
        ("VIEWPORTXSCALE 240.5", 0x4243_7080),
        ("VIEWPORTXSCALE value=-1", 0x42BF_8000),
        ("MATERIALAMBIENT #ff8000", 0x5500_80FF),
        ("CLUTFORMAT format=ABGR8888 mask=0xff +0x800000", 0xC580_FF03),
        ("BASE hi(0x08900000)", 0x1008_0000),
        ("VADDR lo(0x08912340)", 0x0191_2340),
        ("TEXLEVEL bias=-16", 0xC8F0_0000),
        ("ZTEST GREATER_EQUAL", 0xDE00_0007),
        ("END", 0x0C00_0000),
        ("RET +0x1", 0x0B00_0001),
    ] {
        assert_eq!(words(text), [word], "{text}");
    }
    assert_eq!(words("FINISH | END 5"), [0x0F00_0000, 0x0C00_0005], "two commands on one line");
    assert_eq!(
        words("WORLDMATRIXDATA 1 0 -1"),
        [0x3B3F_8000, 0x3B00_0000, 0x3BBF_8000],
        "one command per value"
    );
}

#[test]
fn resolves_labels_in_both_directions() {
    let text = "a: JUMP lo(b)\n.word a b-a . b .\nb: JUMP lo(a) // back";
    let expected = [0x0880_0018, 0x0880_0000, 0x18, 0x0880_000C, 0x0880_0018, 0x0880_0014, 0x0880_0000];
    assert_eq!(words(text), expected, "forward and backward labels, and the current address");
}

#[test]
fn assembles_data_directives() {
    for (text, bytes) in [
        (".u8 1 255", &[1u8, 255][..]),
        (".s8 -1, 2", &[255, 2]),
        (".u16 0x1234", &[0x34, 0x12]),
        (".s16 -2 3", &[0xFE, 0xFF, 3, 0]),
        (".f32 1", &[0, 0, 0x80, 0x3F]),
        (".float24 1", &[0, 0x80, 0x3F, 0]),
        (".rgba #01020304 #ff8000", &[1, 2, 3, 4, 255, 128, 0, 255]),
        (r#".ascii "a\n\x41;\"" "b""#, b"a\nA;\"b"),
        (".fill 3 7 | .space 2", &[7, 7, 7, 0, 0]),
        (".u8 1 | .align 4 | .u8 2", &[1, 0, 0, 0, 2]),
        (".set COUNT = 2*3\n.u8 COUNT", &[6]),
        ("", &[]),
    ] {
        assert_eq!(image(text), bytes, "{text}");
    }
}

#[test]
fn places_segments_and_entry() {
    let program = assemble(".org 0x48900010\n.entry e\n.u8 1\n.org 0x04000000\ne: END").expect("well-formed");
    assert_eq!(program.entry, Address::new(0x0400_0000), "the entry");
    let addresses: Vec<u32> = program.segments.iter().map(|segment| segment.address.get()).collect();
    assert_eq!(addresses, [0x0400_0000, 0x0890_0010], "sorted, without the CPU's segment bits");
    let capture = program.capture();
    assert_eq!(capture.start, program.entry, "starts at the entry");
    assert_eq!(capture.memory.read_u32(program.entry), 0x0C00_0000, "the command is in memory");
    assert!(program.image().is_err(), "73 MiB apart");
    assert_eq!(image(".org 0x08800008 | .u8 2 | .org 0x08800004 | .u8 1"), [1, 0, 0, 0, 2], "gaps are zero");
}

#[test]
fn words_error_messages() {
    for (text, expected) in [
        ("\n PRIM cnt=3", "line 2: PRIM has no field 'cnt' (fields: primitive, count)"),
        ("prim count=3", "line 1: unknown command 'prim'; did you mean 'PRIM'?"),
        (".wrd 3", "line 1: unknown directive '.wrd'; did you mean '.word'?"),
        ("start:\nJUMP lo(strat)", "line 2: 'strat' is not defined; did you mean 'start'?"),
        ("a:\na:", "line 2: 'a' is already defined in line 1"),
        ("PRIM count=65536", "line 1: 65536 is out of range for count (0 to 65535)"),
        ("PRIM count=1 count=2", "line 1: field 'count' of PRIM is set twice"),
        ("TEXENABLE", "line 1: TEXENABLE needs a value (enabled)"),
        ("TEXENABLE 1 2", "line 1: expected the end of the statement, found '2'"),
        ("VADDR 0 +1", "line 1: bits 0x1 of VADDR belong to its fields; set the fields instead"),
        (
            "FRAMEBUFPIXFORMAT RGBA",
            "line 1: format has no value 'RGBA' (values: BGR5650, ABGR5551, ABGR4444, ABGR8888)",
        ),
        ("FOGCOLOR #12", "line 1: '#12' is not a colour: it must have six hexadecimal digits"),
        (".u8 1\nEND", "line 2: 0x08800001 is not a multiple of 4, as commands require; use .align 4"),
        (".space later\nlater:", "line 1: this value must not depend on a label that is defined later"),
        (".org 0x10\nEND", "line 2: there is no memory at 0x00000010"),
        (".org 0x0bffffff\n.u8 1 2", "line 2: there is no memory at 0x0c000000"),
        (".word 1\n.org 0x08800002\n.word 2", "line 3: 0x08800002 already holds bytes from line 1"),
        (".org 0x04000000\n.space 0x1000001", "line 2: there is no memory at 0x05000000"),
        (".fill 0xffffffff 1", "line 1: the output exceeds 100663296 bytes"),
        ("END\n.ge 1", "line 2: .ge must be the first statement"),
        (".ge 2", "line 1: version 2 of the assembly language is not supported (only version 1 is)"),
        (".ascii \"abc", "line 1: expected a string in quotes, found an unterminated string"),
        (".entry 2", "line 1: 0x00000002 is not a multiple of 4, as commands require; use .align 4"),
        ("(", "line 1: expected a command, directive or label, found '('"),
    ] {
        assert_eq!(message(text), expected, "{text}");
    }
}

#[test]
fn recognizes_assembly_text() {
    for text in ["; a list\n\n.ge 1", "start:\n  NOP", "PRIM count=3", "\u{feff}.org 0", "a: b:\n.u8 1"] {
        assert!(is_assembly(text.as_bytes()), "{text}");
    }
    for text in ["", "mtllib a.mtl", "{\"a\": 1}", "Subject: a letter", "# Blender", ".gitignore"] {
        assert!(!is_assembly(text.as_bytes()), "{text}");
    }
    assert!(!is_assembly(b"NOP \xff"), "not UTF-8");
}
