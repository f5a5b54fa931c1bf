//! Names well-known formats the library does not read, so that an error tells the user which file was taken.

/// A signature: its offset, its bytes, and the format's name with an article.
type Signature = (usize, &'static [u8], &'static str);

/// Each has at least three bytes, so that a match is no accident.
const SIGNATURES: [Signature; 35] = [
    (0, b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (0, b"\xFF\xD8\xFF", "a JPEG picture"),
    (0, b"GIF8", "a GIF picture"),
    (0, b"DDS ", "a DDS texture"),
    (0, b"II*\0", "a TIFF picture"),
    (0, b"MM\0*", "a TIFF picture"),
    (0, b"\x7FELF", "an ELF program, such as an unpacked EBOOT.BIN"),
    (0, b"~PSP", "an encrypted PSP program, such as EBOOT.BIN"),
    (0, b"\0PBP", "a PBP, such as EBOOT.PBP; unpack it first"),
    (0, b"\0PSF", "a PARAM.SFO"),
    (0x8001, b"CD001", "an ISO image of a disc; take the files out of it first"),
    (0, b"CISO", "a CSO image of a disc; take the files out of it first"),
    (0, b"ZISO", "a ZSO image of a disc; take the files out of it first"),
    (
        0,
        b"\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0",
        "a raw image of a disc; take the files out of it first",
    ),
    (0, b"PSMF", "a PMF film"),
    (0, b"VAGp", "a VAG sound"),
    (0, b"RIFF", "a RIFF file: a sound, a film or a WebP picture"),
    (0, b"OggS", "an Ogg sound"),
    (0, b"ID3", "an MP3 sound"),
    (0, b"\x1F\x8B\x08", "gzip data; unpack it first"),
    (0, b"7z\xBC\xAF\x27\x1C", "a 7z archive; unpack it first"),
    (0, b"Rar!\x1A\x07", "a RAR archive; unpack it first"),
    (0, b"\xFD7zXZ\0", "xz data; unpack it first"),
    (0, b"\x28\xB5\x2F\xFD", "Zstandard data; unpack it first"),
    (0, b"BZh", "bzip2 data; unpack it first"),
    (257, b"ustar", "a tar archive; unpack it first"),
    (0, b"PK\x05\x06", "an empty ZIP archive"),
    (0, b"PK\x07\x08", "a part of a split ZIP archive"),
    (0, b"glTF", "a binary glTF model, as the export writes it"),
    (0, b"%PDF", "a PDF document"),
    (0, b"SQLite format 3\0", "an SQLite database"),
    (0, b"PAR1", "a Parquet table"),
    (0, b"Kaydara FBX Binary", "an FBX model"),
    (0, b"BLENDER", "a Blender file"),
    (0, b"<?xml", "an XML document"),
];

/// Names the well-known format whose signature a file has, with an article.
pub(super) fn by_signature(bytes: &[u8]) -> Option<&'static str> {
    let has = |(at, magic, _): &&Signature| bytes.get(*at..).is_some_and(|rest| rest.starts_with(magic));
    SIGNATURES.iter().find(has).map(|(_, _, name)| *name)
}

/// Names a file's well-known format, with an article; `None` if no signature fits.
pub(super) fn identify(bytes: &[u8]) -> Option<&'static str> {
    if let Some(name) = by_signature(bytes) {
        return Some(name);
    }
    if bytes.len() >= 4 && bytes.iter().all(|byte| *byte == 0) {
        return Some("nothing but zeros");
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let is_text = |char: char| !char.is_control() || matches!(char, '\t' | '\n' | '\r' | '\u{C}');
    if bytes.len() < 4 || !text.chars().all(is_text) {
        return None;
    }
    let start = text.trim_start_matches('\u{FEFF}').trim_start();
    Some(if start.starts_with('{') || start.starts_with('[') { "a JSON document" } else { "a text" })
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn names_well_known_files() {
        for (at, magic, name) in SIGNATURES {
            assert!(magic.len() >= 3, "{name}: the signature is no accident");
            let mut file = vec![1; at];
            file.extend_from_slice(magic);
            file.extend_from_slice(&[0xFF; 16]);
            assert_eq!(identify(&file), Some(name), "{name}");
            assert_eq!(identify(&file[..at + magic.len() - 1]).filter(|found| *found == name), None, "cut");
        }
        assert_eq!(identify(b" {\"a\": 1}"), Some("a JSON document"));
        assert_eq!(identify(b"dear diary\r\n"), Some("a text"));
        assert_eq!(identify(&[0; 64]), Some("nothing but zeros"));
        assert_eq!(identify(&[1, 2, 3, 4, 0xFE]), None, "unknown bytes");
    }
}
