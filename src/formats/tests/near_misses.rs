//! Tests of files that no format recognises: cut off, damaged, of other formats.

use super::sample::sample;
use super::{ahi, pac, tmh};
use crate::formats::{Request, open};
use crate::model::FileNote;

/// Returns code and text of the error.
fn error_of(bytes: &[u8]) -> (&'static str, String) {
    let error = open(&Request::new("input", bytes)).expect_err("not a whole file");
    (error.code(), error.to_string())
}

#[test]
fn cut_off_magics_name_their_formats() {
    for (bytes, formats) in [
        (&b"PPSSPP"[..], "the file ends after 6 bytes; ppdmp begins like this"),
        (b"P", "the file ends after 1 byte; ppdmp, zip, pmdl, bbs-pmo, pmp or pam begins like this"),
        (b"PK", "the file ends after 2 bytes; zip begins like this"),
        (b".TM", "the file ends after 3 bytes; tmh begins like this"),
        (b"NR", "the file ends after 2 bytes; nres begins like this"),
    ] {
        assert_eq!(error_of(bytes), ("truncated", formats.to_owned()));
    }
    assert_eq!(error_of(b""), ("empty", "the file is empty".to_owned()));
}

#[test]
fn foreign_files_are_named() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    let text = "not a file of a known format: it is a PNG picture";
    assert_eq!(error_of(png), ("foreign-format", text.to_owned()));
    let unknown = ("unknown-format", "not a file of a known format".to_owned());
    assert_eq!(error_of(&[0xA5; 100]), unknown, "no signature");
}

#[test]
fn containers_are_recognised_before_their_end() {
    let (model, textures) = (sample(), tmh());
    let whole = pac(&[&model, &[], &textures]);
    let cut = |length: usize| error_of(&whole[..length]);
    let table = "at 0x4: looks like pac (Monster Hunter container), but its table is cut off: \
                 3 members need 24 bytes, 10 are left";
    assert_eq!(cut(14), ("truncated", table.to_owned()), "in the table");
    let opened = open(&Request::new("sample", &whole[..whole.len() - 1])).expect("the model is whole");
    let is_cut =
        |note: &FileNote| note.message.contains("member 2") && note.message.contains("is cut or left out");
    assert!(opened.content.notes().iter().any(is_cut), "in a member: {:?}", opened.content.notes());
    let unknown = pac(&[b"????", b"!!!!"]);
    let member = "at 0xc: looks like pac (Monster Hunter container), but member 1 at 0x18 with 4 bytes is not inside \
                  the file";
    assert_eq!(
        error_of(&unknown[..unknown.len() - 1]),
        ("damaged", member.to_owned()),
        "in an unknown member"
    );
    let mut wrong = unknown;
    wrong[4] = 0;
    wrong[5] = 0x7F;
    assert_eq!(error_of(&wrong).0, "unknown-format", "the first member is far away");
}

#[test]
fn skeletons_are_recognised_before_their_end() {
    let whole = ahi();
    let text = "at 0xc: looks like ahi (Monster Hunter skeleton), but 12 bytes are needed here, 2 are left";
    let mut cut = whole[..14].to_vec();
    cut[8] = 14;
    assert_eq!(error_of(&cut), ("truncated", text.to_owned()), "in the list of roots");
    let mut damaged = whole;
    damaged[12] = 1;
    let text = "at 0xc: looks like ahi (Monster Hunter skeleton), but the block has type 0x00000001, \
                not 0x00000000";
    assert_eq!(error_of(&damaged), ("damaged", text.to_owned()), "another block");
}

#[test]
fn archives_are_recognised_before_their_end() {
    // A section of sounds of two sectors, of which one is there.
    let mut archive: Vec<u8> = [5_u32, 0x0F00, 2, 0].iter().flat_map(|word| word.to_le_bytes()).collect();
    let text = "looks like mml2 (Mega Man Legends 2 archive), but";
    let (code, found) = error_of(&archive);
    assert_eq!((code, found.contains(text)), ("truncated", true), "in the header: {found}");
    archive.resize(0x800, 0x5A);
    let (code, found) = error_of(&archive);
    assert_eq!((code, found.contains(text)), ("damaged", true), "in the section: {found}");
    assert!(found.starts_with("at 0x8: "), "the number of sectors: {found}");
}
