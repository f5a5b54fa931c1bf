//! Tests LZ, sections and member names.

use super::*;
use crate::formats::{FileRole, Format, Request, drawable_members, open as open_file, sniff as format_of};

mod build;

use build::{archive, entities, section};

fn view(bytes: &[u8]) -> View<'_> {
    View::new(bytes, 0x100, "mml2", FileRole::Input)
}

/// Returns a file's error message.
fn error_of(bytes: &[u8], member: Option<&str>) -> String {
    let request = Request { format: Format::from_name("mml2"), member, ..Request::new("test", bytes) };
    open_file(&request).expect_err("the file is invalid").to_string()
}

/// Returns a file's notes, or its error.
fn said_of(bytes: &[u8]) -> Vec<String> {
    let request = Request { format: Format::from_name("mml2"), ..Request::new("test", bytes) };
    match open_file(&request) {
        Ok(opened) => opened.content.notes().iter().map(ToString::to_string).collect(),
        Err(error) => vec![format!("refused {error}")],
    }
}

/// Unpacks, and returns the bytes with the first warning.
fn unpacked(packed: &[u8], flags: u64, size: u64) -> (Vec<u8>, Option<String>) {
    let mut warnings = Warnings::default();
    let unpacked = lz::unpack(view(packed), flags, size, &mut warnings).expect("some bytes");
    (unpacked.bytes, warnings.as_slice().first().map(ToString::to_string))
}

#[test]
fn sign_extends_ten_bit_fields() {
    let word = 0x3FF | 0x1FF << 10 | 0x200 << 20 | 3 << 30;
    assert_eq!([0, 1, 2].map(|number| raw::field(word, number)), [-1, 511, -512], "ten bits each");
}

#[test]
fn unpacks_lz_data() {
    // Two literal tokens, a copy of three halfwords from offset 2 that overlaps its output, and another literal.
    let mut packed = 0x2000_0000u32.to_le_bytes().to_vec();
    for token in [0x4241u16, 0x4443, 2 << 3 | 1, 0x4645] {
        packed.extend(token.to_le_bytes());
    }
    packed.push(0xEE);
    let whole = lz::unpack(view(&packed), 4, 12, &mut Warnings::default()).expect("good data");
    assert_eq!(whole.bytes, b"ABCDCDCDCDEF", "copied from the output");
    assert_eq!(whole.consumed, 12, "the rest is not read");
    for (flags, size, message) in [
        (4, 11, "at 0x100: the packed data unpack to 12 bytes, not 11"),
        (4, 14, "at 0x100: the packed data unpack to 12 bytes, not 14"),
        (4, 8, "at 0x100: the packed data unpack to 10 bytes, not 8"),
        (3, 12, "at 0x100: 3 bytes of LZ flags are not a whole number of words inside the section"),
        (16, 12, "at 0x100: 16 bytes of LZ flags are not a whole number of words inside the section"),
        (0, 12, "at 0x100: the packed data unpack to 0 bytes, not 12"),
    ] {
        assert_eq!(unpacked(&packed, flags, size).1.as_deref(), Some(message), "{flags} bytes of flags");
    }
    assert_eq!(unpacked(&packed, 4, 14).0, b"ABCDCDCDCDEF", "what there is");
    packed[0..4].copy_from_slice(&0xC000_0000u32.to_le_bytes());
    assert_eq!(
        unpacked(&packed, 4, 12).1.as_deref(),
        Some("at 0x104: the packed data copy from 0x848, but only 0x0 bytes are unpacked so far"),
        "the window starts at the output's start"
    );
}

#[test]
fn lz_token_ffff_advances_the_window() {
    // 0x1002 literals, then a token to move the window, then a copy of two halfwords from the window's new start.
    let count = 0x1002u32;
    let mut flags = vec![0u32; 0x83];
    let mut tokens: Vec<u16> = (0..0x1002).collect();
    for bit in [count, count + 1] {
        flags[(bit / 32) as usize] |= 0x8000_0000 >> (bit % 32);
    }
    tokens.extend([0xFFFF, 0]);
    let mut packed: Vec<u8> = flags.iter().flat_map(|word| word.to_le_bytes()).collect();
    packed.extend(tokens.iter().flat_map(|token| token.to_le_bytes()));
    let size = 0x2004 + 4;
    let (bytes, warning) = unpacked(&packed, 0x83 * 4, size);
    assert_eq!((&bytes[0x2004..], warning), (&[0x00, 0x10, 0x01, 0x10][..], None), "from 0x2000 on");
}

#[test]
fn damaged_section_does_not_lose_the_others() {
    let good = archive(&[section(1, 0x8001_0000, &[1, 2, 3, 4])]);
    assert_eq!(format_of(&good), Format::from_name("mml2"), "recognised");
    for (at, value, message) in [
        (
            4,
            0x7D1u32,
            "at 0x4: 2001 bytes do not fit into the section, which has room for 2000; these are read",
        ),
        (8, 0, "at 0x8: no section follows one of 0 sectors of 2 KiB; it is read with 2048 bytes"),
        (8, 3, "at 0x8: no section follows one of 3 sectors of 2 KiB; it is read with 2048 bytes"),
        (
            8,
            u32::MAX,
            "at 0x8: no section follows one of 4294967295 sectors of 2 KiB; it is read with 2048 bytes",
        ),
    ] {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        assert_eq!(said_of(&bytes), [message], "{value:#x} at {at:#x}");
    }
    let mut two = archive(&[section(1, 0x8001_0000, &[1]), section(10, 0, &entities(1))]);
    two[0] = 64;
    let lost = "at 0x0: section type 64 does not exist; types are 1 to 63. The chain goes on at the next section that is found";
    assert_eq!(said_of(&two), [lost], "the model of the other section is drawn");
    let cut = said_of(&good[..0x820]);
    assert!(cut[0].starts_with("at 0x800: the file ends after 32 bytes of a section header"), "{cut:?}");
    assert_eq!(error_of(&[0; 0x800], None), "the archive has no sections", "zeros");
    let nearest = "the container has no member \"section:1\"; did you mean \"section:0\"? There are section:0, textures";
    assert_eq!(error_of(&good, Some("section:1")), nearest, "one section");
    let none = "the container has no member \"0\"; there are section:0, textures";
    assert_eq!(error_of(&good, Some("0")), none, "no model");
}

#[test]
fn lists_models_as_drawable_members() {
    let bytes = archive(&[section(1, 0x8001_0000, &[1]), section(10, 0, &entities(2))]);
    let members = drawable_members(&Request::new("test", &bytes)).expect("an archive");
    let paths: Vec<&str> = members.iter().map(|member| member.path.as_str()).collect();
    assert_eq!(paths, ["entity:0", "entity:1"], "no sections");
    let opened = open_file(&Request::new("test", &bytes)).expect("an archive");
    let Content::Model(model) = opened.content else { panic!("a model") };
    let note = "the container holds 2 models; this is the first";
    assert!(model.notes.iter().any(|found| found.message == note), "{:?}", model.notes);
}

#[test]
fn finds_members_by_name() {
    let two = entities(2);
    let bytes = archive(&[section(1, 0x8001_0000, &[1]), section(10, 0, &two), section(10, 0, &entities(1))]);
    let opened = open_file(&Request::new("test", &bytes)).expect("an archive");
    let names: Vec<&str> = opened.members.iter().filter_map(|member| member.name.as_deref()).collect();
    let expected =
        ["entity:0", "entity:1", "entity:2", "section:0", "section:1", "section:2", "terminator:0"];
    assert_eq!(names, expected, "entities of all lists, then sections and terminators");
    for (member, kind) in [
        ("0", 0x100),
        ("1", 0x101),
        ("2", 0x100),
        ("entity:2", 0x100),
        ("section:1", 0x100),
        ("section:1/1", 0x101),
        ("section:2/0", 0x100),
    ] {
        let opened = open_file(&Request { member: Some(member), ..Request::new("test", &bytes) });
        let Content::Model(model) = opened.expect(member).content else { panic!("{member}: a model") };
        let field = model.fields.iter().find(|field| field.name == "entity type").expect("always there");
        assert_eq!(field.value, format!("{kind:#010x}"), "{member}");
    }
    for member in ["3", "section:1/2", "section:0/0", "player", "weapon", "section:", "entity:x", ""] {
        let expected = format!("the container has no member \"{member}\"; ");
        assert!(error_of(&bytes, Some(member)).starts_with(&expected), "{member}: unknown member");
    }
}

#[test]
fn damaged_parts_of_entities_are_left_out() {
    // The model header follows the list with a single entity; see `build`.
    let model = 0x30 + 4 + 16;
    for (at, value, message) in [
        (
            model + 4,
            0x1000u32,
            "at 0x48: level of detail 0 cannot be read: the pointer 0x1000 to submeshes is outside the data or misaligned; they are left out",
        ),
        (
            model + 0x20,
            2,
            "at 0x64: the pointer 0x2 to colours is outside the data or misaligned; they are left out",
        ),
        (model + 0x30, 0, "at 0x74: the model's scale is zero on an axis; that of another is used"),
        (
            model + 0x10,
            4,
            "at 0x58: the pointer 0x0 to hierarchy is outside the data or misaligned; they are left out",
        ),
    ] {
        let mut bytes = archive(&[section(10, 0, &entities(1))]);
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let said = said_of(&bytes);
        assert!(said.iter().any(|said| said == message), "{value:#x} at {at:#x}: {said:?}");
    }
    // The first entity has no model any more, and the second is drawn.
    let mut bytes = archive(&[section(10, 0, &entities(2))]);
    bytes[0x38..0x3C].copy_from_slice(&[0xFF; 4]);
    let said = said_of(&bytes);
    assert!(said.iter().any(|said| said.contains("entity 0 cannot be read")), "{said:?}");
    // With an invalid count, the section is not a list of entities, so the archive has no model.
    let mut bytes = archive(&[section(10, 0, &entities(1))]);
    bytes[0x30] = 0;
    let opened = open_file(&Request::new("test", &bytes)).expect("an archive");
    assert!(matches!(opened.content, Content::Archive { .. }), "animations for other files");
}
