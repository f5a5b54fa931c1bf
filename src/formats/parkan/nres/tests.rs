//! Tests of NRes containers.

use super::*;
use crate::formats::tests::parkan::{nres as build, test_entry};
use crate::formats::{Content, FileRole, Format, Member, Request, open};

fn view(bytes: &[u8]) -> View<'_> {
    View::new(bytes, 0, "nres", FileRole::Input)
}

/// Builds a container with two entries, not in the order of their names: 0x10..0x15, 0x18..0x1B; directory at 0x1B.
fn sample() -> Vec<u8> {
    build(&[test_entry(7, "zwei.bin", b"12345"), test_entry(9, "Eins.bin", b"abc")])
}

#[test]
fn parses_entries() {
    let bytes = sample();
    let nres = read(view(&bytes)).expect("a good file");
    assert_eq!(nres.warnings.as_slice(), [], "no warnings");
    let found: Vec<_> = nres
        .entries
        .iter()
        .map(|entry| (entry.type_id, entry.name.as_str(), entry.data.bytes(), entry.data.file_offset(0)))
        .collect();
    assert_eq!(
        found,
        [(7, "zwei.bin", &b"12345"[..], 0x10), (9, "Eins.bin", &b"abc"[..], 0x18)],
        "entries in the order of the directory"
    );
    assert_eq!(types_of(&bytes).collect::<Vec<_>>(), [7, 9], "types");
}

#[test]
fn decodes_code_page_1251() {
    assert_eq!(text(b"\xCF\xE0\xF0\xEA\xE0\xED \xB9\x98\xA8.msh"), "Паркан №\u{98}Ё.msh", "code page 1251");
    assert_eq!(UPPER_HALF.chars().count(), 64, "a character for each byte");
}

#[test]
fn opens_members_by_name() {
    let bytes = build(&[test_entry(1, "Inner.RLB", &sample()), test_entry(2, "b", b"")]);
    let opened = open(&Request::new("outer", &bytes)).expect("a container");
    assert!(matches!(opened.content, Content::Archive { .. }), "no models or textures");
    let member = |index, name: &str, format, offset, length| Member {
        index,
        name: Some(name.to_owned()),
        kind: None,
        format,
        is_drawable: false,
        offset,
        length,
    };
    let inner = sample().len() as u64;
    assert_eq!(
        opened.members,
        [member(0, "Inner.RLB", Format::from_name("nres"), 0x10, inner), member(1, "b", None, 0xB0, 0)],
        "members"
    );
    for path in ["inner.rlb", "0", "Inner.RLB", "nres"] {
        let opened = open(&Request { member: Some(path), ..Request::new("outer", &bytes) });
        assert_eq!(opened.expect("found").members.len(), 2, "{path}");
    }
    let error = open(&Request { member: Some("inner"), ..Request::new("outer", &bytes) });
    assert_eq!(
        error.expect_err("no").to_string(),
        "the container has no member \"inner\"; did you mean \"Inner.RLB\"? There are 0 \"Inner.RLB\", 1 \"b\"",
        "message"
    );
}

#[test]
fn damage_is_noted() {
    let good = sample();
    let directory = 0x1B;
    let long = [b'x'; 36];
    for (at, bytes, message) in [
        (0, &b"NRex"[..], "at 0x0: not an NRes container"),
        (4, &[1, 1, 0, 0][..], "at 0x4: NRes version 0x101 is unknown; it is read like 0x100"),
        (8, &[0xFF; 4][..], "at 0x8: a directory of -1 entries does not fit after the header"),
        (8, &[3, 0, 0, 0][..], "at 0x8: a directory of 3 entries does not fit after the header"),
        (12, &[0, 1, 0, 0][..], "at 0xc: the header says 256 bytes, there are 155"),
        (
            directory + 12,
            &[12, 0, 0, 0][..],
            "at 0x53: entry 0 lies at 0x10 with 12 bytes, which is not between header and directory",
        ),
        (
            directory + 56,
            &[15, 0, 0, 0][..],
            "at 0x53: entry 0 lies at 0xf with 5 bytes, which is not between header and directory",
        ),
        (directory + 56, &[0x16, 0, 0, 0][..], "at 0x93: entry 1 begins inside entry 0"),
        (directory + 20, &long[..], "at 0x2f: the name of entry 0 has no end"),
        (
            directory + 60,
            &[0, 0, 0, 0][..],
            "at 0x97: sort index 0 of entry 1 is not in range or occurs twice",
        ),
        (
            directory + 60,
            &[2, 0, 0, 0][..],
            "at 0x57: sort index 2 of entry 0 is not in range or occurs twice",
        ),
    ] {
        let mut wrong = good.clone();
        wrong[at..at + bytes.len()].copy_from_slice(bytes);
        let said = match read(view(&wrong)) {
            Ok(nres) => {
                assert_eq!(nres.entries.len(), 2, "{message}: both entries");
                nres.warnings.notes().map(|note| note.to_string()).collect()
            }
            Err(error) => vec![error.to_string()],
        };
        assert!(said.iter().any(|said| said.starts_with(message)), "{bytes:x?} at {at:#x}: {said:?}");
        let is_refused = read(view(&wrong)).is_err();
        assert_eq!(is_refused, matches!(at, 0 | 8), "only without a directory: {message}");
    }
}

/// If bytes follow the container, or the size in its header leaves some out, the directory is still found.
#[test]
fn finds_directory_at_either_end() {
    let mut longer = sample();
    longer.extend([0xEE; 9]);
    let mut smaller = sample();
    smaller[12] = 1;
    for bytes in [longer, smaller] {
        let nres = read(view(&bytes)).expect("a container");
        let names: Vec<&str> = nres.entries.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["zwei.bin", "Eins.bin"], "the entries");
        assert!(nres.entries.iter().all(|entry| !entry.is_lost), "with their bytes");
    }
}

#[test]
fn warns_of_unsorted_and_empty_names() {
    let mut bytes = sample();
    // Sort indices in directory order.
    bytes[0x1B + 60] = 0;
    bytes[0x1B + 64 + 60] = 1;
    // The second entry has no name.
    bytes[0x1B + 64 + 20] = 0;
    let nres = read(view(&bytes)).expect("odd, not wrong");
    let notes: Vec<String> = nres.warnings.notes().map(|note| note.to_string()).collect();
    assert_eq!(
        notes,
        [
            "at 0x6f: entry 1 has no name",
            "at 0x1b: the sort indices do not follow the names; names are looked up one by one"
        ],
        "notes"
    );
}
