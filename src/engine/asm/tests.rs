//! Tests each part of the language and the error messages.

use super::*;
use crate::ge::address::Address;

fn image(text: &str) -> Vec<u8> {
    assemble(text).and_then(|program| Ok(program.image()?)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn words(text: &str) -> Vec<u32> {
    let image = image(text);
    let (words, rest) = image.as_chunks::<4>();
    assert!(rest.is_empty(), "{text} is whole words");
    words.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Returns the only error's line and message.
fn message(text: &str) -> String {
    let errors = assemble(text).map(|program| format!("{program:?}")).expect_err(text);
    assert_eq!((errors.len(), errors.omitted()), (1, 0), "{}", errors.report());
    let error = errors.first();
    format!("{}: {}", error.location.as_ref().map_or(0, |place| place.line), error.kind)
}

/// Returns all errors' places and messages.
fn messages(text: &str) -> Vec<String> {
    let errors = assemble(text).map(|program| format!("{program:?}")).expect_err(text);
    errors
        .iter()
        .map(|error| {
            let place = error.location.clone().unwrap_or_default();
            format!("{}:{}+{}: {}", place.line, place.column, error.length(), error.kind)
        })
        .collect()
}

#[test]
fn syntax_shows_a_list_that_assembles() {
    let (_, list) = SYNTAX.split_once("```text\n").expect("a list");
    let (list, _) = list.split_once("```").expect("its end");
    let program = assemble(list).unwrap_or_else(|error| panic!("{error}"));
    assert!(program.symbols.contains_key("corners"), "it has its vertices");
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
fn the_stall_address_is_that_of_the_text() {
    let stall = |text: &str| {
        let program = assemble(text).expect("well-formed");
        assert_eq!(program.capture().stall, program.stall, "{text}");
        program.stall.map(Address::get)
    };
    assert_eq!(stall("FINISH | END"), None, "none");
    assert_eq!(stall(".stall 0 | FINISH | END"), None, "0 means none");
    assert_eq!(stall(".stall end | FINISH | END | end:"), Some(0x0880_0008), "a label");
    assert_eq!(stall("NOP | .stall . | FINISH | END"), Some(0x0880_0004), "here");
}

#[test]
fn words_error_messages() {
    for (text, expected) in [
        (
            "PRIM count=3",
            "1: PRIM needs primitive= (one of POINTS, LINES, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN, RECTANGLES, CONTINUE)",
        ),
        ("SPLINE u_edge=CLOSE", "1: SPLINE needs u_count= (0 to 255) and v_count= (0 to 255)"),
        ("CLUTFORMAT +0x800000", "1: CLUTFORMAT needs mask= (0 to 255)"),
        ("TEXBUFWIDTH3 width=64", "1: TEXBUFWIDTH3 needs high= (0 to 15)"),
        ("PRIM x", "1: PRIM takes its values by name: primitive=, count="),
        ("\n PRIM cnt=3", "2: PRIM has no field 'cnt' (fields: primitive, count)"),
        ("prim count=3", "1: unknown command 'prim'; did you mean 'PRIM'?"),
        (".wrd 3", "1: unknown directive '.wrd'; did you mean '.word'?"),
        ("start:\nJUMP lo(strat)", "2: 'strat' is not defined; did you mean 'start'?"),
        ("a:\na:", "2: 'a' is already defined at line 1, column 1"),
        ("PRIM primitive=POINTS count=65536", "1: 65536 is out of range for count (0 to 65535)"),
        (
            "v: VADDR v",
            "1: 142606336 is out of range for address (0 to 16777215); of an address lo() takes the low 24 bits",
        ),
        ("VADDR -1", "1: -1 is out of range for address (0 to 16777215)"),
        ("PRIM count=1 count=2", "1: field 'count' of PRIM is set twice"),
        ("TEXENABLE", "1: TEXENABLE needs a value (enabled)"),
        ("TEXENABLE 1 2", "1: expected the end of the statement, found '2'"),
        ("VADDR 0 +1", "1: bits 0x1 of VADDR belong to its fields; set the fields instead"),
        (
            "FRAMEBUFPIXFORMAT RGBA",
            "1: format has no value 'RGBA' (values: BGR5650, ABGR5551, ABGR4444, ABGR8888)",
        ),
        ("FOGCOLOR #12", "1: '#12' is not a colour: it must have six hexadecimal digits"),
        (".u8 1\nEND", "2: 0x08800001 is not a multiple of 4, as commands require; use .align 4"),
        (".space later\nlater:", "1: this value must be known here, but 'later' is defined later"),
        (".org 0x10\nEND", "2: there is no memory at 0x00000010"),
        (".org 0x0bffffff\n.u8 1 2", "2: there is no memory at 0x0c000000"),
        (".word 1\n.org 0x08800002\n.word 2", "3: 0x08800002 already holds bytes from line 1, column 7"),
        (".org 0x04000000\n.space 0x1000001", "2: there is no memory at 0x05000000"),
        (".fill 0xffffffff 1", "1: the output exceeds 100663296 bytes"),
        ("END\n.ge 1", "2: .ge must be the first statement of its text"),
        (".ge 2", "1: version 2 of the assembly language is not supported (only version 1 is)"),
        (".ascii \"abc", "1: expected a string in quotes, found an unterminated string"),
        (".entry 2", "1: 0x00000002 is not a multiple of 4, as commands require; use .align 4"),
        (".set a a", "1: 'a' is not defined"),
        (".stall 2", "1: 0x00000002 is not a multiple of 4, as commands require; use .align 4"),
        (".stall 0\n.stall 4", "2: only one .stall is allowed"),
        (".entry 0\n.entry 4", "2: only one .entry is allowed"),
        ("(", "1: expected a command, directive or label, found '('"),
    ] {
        assert_eq!(message(text), expected, "{text}");
    }
}

#[test]
fn reports_all_mistakes() {
    let text = "prim count=3 | TEXENABLE\nFOO | VADDR lo(gone)\n.u8 256 | .word nowhere";
    assert_eq!(
        messages(text),
        [
            "1:1+4: unknown command 'prim'; did you mean 'PRIM'?",
            "1:25+0: TEXENABLE needs a value (enabled)",
            "2:1+3: unknown command 'FOO'",
            "2:16+4: 'gone' is not defined",
            "3:5+3: 256 is out of range for .u8 (0 to 255)",
            "3:17+7: 'nowhere' is not defined",
        ],
        "those of both passes, in the order of the text"
    );
}

#[test]
fn leaves_out_mistakes_that_follow_from_others() {
    for text in [
        // A constant whose value is wrong, and constants that depend on it.
        ".set A 1/0\n.set B A+1\n.space B\nTEXENABLE A | PRIM primitive=B count=A",
        // A label after a mistake on its line.
        "foo bar: NOP\nJUMP lo(bar)",
        // Addresses after a statement of unknown size.
        ".u8 1 2 ?\nNOP | a: .align 4 | NOP\n.u8 a-0x08800000",
        // The bytes after an address without memory.
        ".org 0x10\nNOP | NOP\nNOP | a: .u8 (a-16)*100",
        // The size of the program.
        ".fill 0xffffffff | NOP | NOP",
        // All names from a text that cannot be included.
        ".include \"gone.ge\"\nJUMP lo(anything) | .space more",
        // The names of a texture that cannot be converted.
        "sky: .texture \"gone.png\" CLUT8\nTEXSIZE0 width_log2=sky.width_log2 height_log2=0",
        "a: NOP\na: .texture \"gone.png\" CLUT8",
    ] {
        assert_eq!(messages(text).len(), 1, "{text}: {:?}", messages(text));
    }
}

#[test]
fn goes_on_after_an_address_that_is_known_again() {
    let text = ".u8 x y\n.org 0x08800100\na: .u8 1\nb: NOP\nc: NOP\n.u8 c-a+255";
    let expected = [
        "1:5+1: 'x' is not defined",
        "4:4+3: 0x08800101 is not a multiple of 4, as commands require; use .align 4",
    ];
    assert_eq!(messages(text), expected, ".org makes addresses known, the second mistake unknown");
}

#[test]
fn forward_references_are_told_from_undefined_names() {
    assert_eq!(messages(".space gone"), ["1:8+4: 'gone' is not defined"], "not defined anywhere");
    assert_eq!(
        messages(".set A B+1\n.set B 2"),
        ["1:8+1: this value must be known here, but 'B' is defined later"],
        "the name, not the whole value"
    );
}

#[test]
fn limits_the_number_of_errors() {
    let errors = assemble(&"FOO\n".repeat(250)).expect_err("250 mistakes");
    assert_eq!((errors.len(), errors.omitted()), (ERRORS_MAX, 150), "listed and counted");
    assert_eq!(
        errors.to_string(),
        "line 1, column 1: unknown command 'FOO' (and 249 more errors)",
        "one line"
    );
    assert!(errors.report().to_string().ends_with("error: 150 more errors are not shown"), "the report");
    let first: AssemblyError = errors.into();
    assert_eq!(first.byte_column(), 1, "`?` keeps the first");
    // Both passes find mistakes.
    let mixed = assemble(&"FOO | JUMP lo(gone)\n".repeat(80)).expect_err("160 mistakes");
    assert_eq!((mixed.len(), mixed.omitted()), (100, 60), "the first ones of the text");
    assert_eq!(mixed.iter().last().and_then(|last| Some(last.location.as_ref()?.line)), Some(50), "in order");
}

#[test]
fn reports_show_the_source() {
    let request = AssemblyRequest::new("list.ge", "NOP\n\tPRIM cnt=3 ; ä\n");
    let errors = assemble_with(&request).expect_err("a mistake");
    let expected = "list.ge:2:7: error: PRIM has no field 'cnt' (fields: primitive, count)\n 2 |     PRIM cnt=3 ; ä\n   |          ^^^";
    assert_eq!(errors.report().to_string(), expected, "as compilers do");
    let message = "list.ge:2:7: PRIM has no field 'cnt' (fields: primitive, count)";
    assert_eq!(errors.to_string(), message, "one line");
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
