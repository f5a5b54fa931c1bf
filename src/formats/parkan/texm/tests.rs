//! Tests Texm textures.

use image::Rgba;

use super::*;
use crate::formats::tests::parkan::texm as build;
use crate::formats::tests::texts;
use crate::formats::{Content, FileRole, Request, open};

fn view(bytes: &[u8]) -> View<'_> {
    View::new(bytes, 0, "texm", FileRole::Input)
}

fn set(bytes: &[u8], parse_options: ParseOptions<'_>) -> TextureSet {
    let opened = open(&Request { parse_options, ..Request::new("texture", bytes) }).expect("a good texture");
    assert_eq!(opened.format.name(), "texm", "recognised");
    match opened.content {
        Content::Textures(set) => set,
        other => panic!("textures, not {other:?}"),
    }
}

/// Returns the only texture's texels.
fn texels(bytes: &[u8], parse_options: ParseOptions<'_>) -> Vec<[u8; 4]> {
    let set = set(bytes, parse_options);
    assert_eq!(set.textures.len(), 1, "one");
    set.textures[0].decode(&set.memory, 0).pixels().map(|Rgba(color)| *color).collect()
}

fn refused(bytes: &[u8]) -> String {
    read(view(bytes)).expect_err("a bad texture").to_string()
}

#[test]
fn decodes_colors_of_all_formats() {
    let words = |texels: [u16; 2]| texels.map(u16::to_le_bytes).concat();
    let mut palette = [0_u8; 1024];
    palette[4..12].copy_from_slice(&[10, 20, 30, 255, 40, 50, 60, 128]);
    let indexed = [&palette[..], &[1, 2]].concat();
    let usual = ParseOptions::default();
    let direct3d = ParseOptions::new(&[DIRECT3D_TEXELS.name]);
    for (format, data, parse_options, expected) in [
        (0, indexed, usual, [[10, 20, 30, 255], [40, 50, 60, 128]]),
        (565, words([0xF800 | 0x0020, 0x0010]), usual, [[255, 4, 0, 255], [0, 0, 132, 255]]),
        (556, words([0x8000 | 0x0040, 0x0021]), usual, [[132, 8, 0, 255], [0, 0, 134, 255]]),
        (4444, words([0xF123, 0x0FFF]), usual, [[17, 34, 51, 255], [255, 255, 255, 0]]),
        (88, words([0x80FF, 0xFF01]), usual, [[128, 128, 128, 255], [255, 255, 255, 1]]),
        (888, vec![1, 2, 3, 0, 4, 5, 6, 77], usual, [[1, 2, 3, 255], [4, 5, 6, 255]]),
        (8888, vec![255, 1, 2, 3, 128, 4, 5, 6], usual, [[1, 2, 3, 255], [4, 5, 6, 128]]),
        (8888, vec![3, 2, 1, 255, 6, 5, 4, 128], direct3d, [[1, 2, 3, 255], [4, 5, 6, 128]]),
    ] {
        let bytes = build(format, 2, 1, 1, &data);
        assert_eq!(texels(&bytes, parse_options), expected, "format {format}");
    }
}

/// Textures from the first Parkan are grey without their palette. A file from the game or a tool supplies it.
#[test]
fn palettes_of_the_first_parkan_are_given() {
    let bytes = build(2, 2, 1, 1, &[1, 2]);
    let grey = set(&bytes, ParseOptions::default());
    assert_eq!(texels(&bytes, ParseOptions::default()), [[1, 1, 1, 255], [2, 2, 2, 255]], "grey");
    assert!(grey.notes.iter().any(|note| note.kind == FileNoteKind::TextureMissing), "{:?}", grey.notes);
    let game: Vec<u8> = (0..=255).flat_map(|color| [color, 20, 30, 0]).collect();
    let raw: Vec<u8> = (0..=255).flat_map(|color| [30, 20, color]).collect();
    let longer = [&game[..], &[7; 100]].concat();
    for palette in [&game, &raw, &longer] {
        let textures = Some(crate::formats::File { name: "p.col", bytes: palette });
        let opened = open(&Request { textures, ..Request::new("texture", &bytes) }).expect("a palette");
        let Content::Textures(set) = opened.content else { panic!("textures") };
        let texels: Vec<_> =
            set.textures[0].decode(&set.memory, 0).pixels().map(|Rgba(color)| *color).collect();
        assert_eq!(texels, [[30, 20, 1, 255], [30, 20, 2, 255]], "{} bytes", palette.len());
        assert_eq!(texts(&set.notes), Vec::<String>::new(), "no notes");
    }
    for wrong in [&game[..1000], &raw[..767], &bytes, &[1; 1024]] {
        let textures = Some(crate::formats::File { name: "p.col", bytes: wrong });
        let error = open(&Request { textures, ..Request::new("texture", &bytes) }).expect_err("no palette");
        assert_eq!(error.role, FileRole::Textures, "{error}");
    }
}

#[test]
fn loads_levels_and_notes_pages() {
    // 4x2, 2x1, 1x1.
    let mut data: Vec<u8> = (0..11).flat_map(|texel: u8| [texel, 0, 0, 0]).collect();
    data.extend(b"Page\x01\0\0\0");
    data.extend([1, 0, 2, 0, 0, 0, 0xFF, 0xFF]);
    let bytes = build(888, 4, 2, 3, &data);
    let found = set(&bytes, ParseOptions::default());
    assert_eq!(
        texts(&found.notes),
        ["texture 0: at 0xc: 3 levels of detail", "texture 0: at 0x54: page 0 is 2x-1 at 1, 0"],
        "notes"
    );
    let mut loader = Loader::new();
    let texm = read(view(&bytes)).expect("good");
    let loaded = texm.load(0, None, None, ParseOptions::default(), &mut loader).expect("room");
    let (memory, _) = loader.finish();
    assert!(loaded.has_levels() && !loaded.has_alpha, "levels, no alpha");
    let commands: Vec<_> = loaded.commands().iter().map(|command| command.word()).collect();
    assert_eq!(commands[0], 0xC202_0000, "two levels after the first");
    for (word, expected) in [(0xB9, 0x0001), (0xBA, 0x0000)] {
        let found = commands.iter().find(|command| **command >> 24 == word).expect("a size");
        assert_eq!(found & 0xFFFF, expected, "size of a level");
    }
    for (level, first) in loaded.levels.iter().zip([8, 10]) {
        assert_eq!(memory.read_u8(level.address), first, "texels of a level");
        assert_eq!(level.address.get() % 16, 0, "aligned");
    }
    assert_eq!(commands.last().map(|word| word >> 24), Some(0xCB), "flushed at the end");
}

#[test]
fn skips_or_downscales_large_levels() {
    // 1024x2 texels with a second level of 512x1.
    let mut data = vec![0; 1024 * 2];
    data.extend(vec![1; 512]);
    let mut palette = [0_u8; 1024];
    palette[..8].copy_from_slice(&[0, 0, 0, 255, 200, 100, 0, 255]);
    let bytes = build(0, 1024, 2, 2, &[&palette[..], &data].concat());
    let found = set(&bytes, ParseOptions::default());
    let texture = &found.textures[0];
    assert_eq!((texture.width, texture.height), (512, 1), "the second level");
    assert_eq!(texture.file_offset, 32 + 1024 + 2048, "offset of the second level");
    let note = "texture 0: at 0x4: 1024x2 is larger than 512x512; the first 1 levels are left out";
    assert!(texts(&found.notes).iter().any(|found| found == note), "{:?}", texts(&found.notes));

    // The left half 0, the right half 200, 100, 0; rows alternate with black at the right.
    let row: Vec<u8> = (0..1024).map(|x| u8::from(x >= 512)).collect();
    let bytes = build(0, 1024, 2, 1, &[&palette[..], &row, &[0; 1024]].concat());
    let found = set(&bytes, ParseOptions::default());
    let texture = &found.textures[0];
    assert_eq!((texture.width, texture.height, texture.format), (512, 1, TexelFormat::ABGR8888), "scaled");
    let picture = texture.decode(&found.memory, 0);
    assert_eq!(picture.get_pixel(0, 0).0, [0, 0, 0, 255], "left");
    assert_eq!(picture.get_pixel(511, 0).0, [100, 50, 0, 255], "right: average of four");
}

#[test]
fn warns_of_odd_sizes_and_transparent_palettes() {
    let bytes = build(888, 3, 1, 1, &[9; 12]);
    let found = set(&bytes, ParseOptions::default());
    assert!(
        texts(&found.notes)[0]
            .ends_with("the sides are not powers of two; coordinates are scaled, and repeats show a gap")
    );
    assert_eq!(texels(&bytes, ParseOptions::default()), [[9, 9, 9, 255]; 3], "cut to its size");
    let mut palette = [0_u8; 1024];
    palette[..3].copy_from_slice(&[1, 2, 3]);
    let bytes = build(0, 1, 1, 1, &[&palette[..], &[0]].concat());
    assert_eq!(
        texels(&bytes, ParseOptions::default()),
        [[1, 2, 3, 255]],
        "invisible palettes are taken as opaque"
    );
}

#[test]
fn locates_errors() {
    let good = build(565, 2, 2, 2, &[0; 10]);
    assert!(read(view(&good)).is_ok(), "the good one");
    for (at, bytes, message) in [
        (0, &b"TexM"[..], "at 0x0: not a Texm texture"),
        (4, &[0][..], "at 0x4: the texture has no texels: 0x2"),
        (
            4,
            &[0xFF, 0xFF, 0xFF, 0xFF][..],
            "at 0x20: level 0 needs 17179869180 bytes, the texture has 10 left",
        ),
        (28, &[9, 0][..], "at 0x1c: texel format 9 does not exist"),
        (28, &[0, 0][..], "at 0x20: 1024 bytes are needed here, 10 are left"),
    ] {
        let mut wrong = good.clone();
        wrong[at..at + bytes.len()].copy_from_slice(bytes);
        assert_eq!(refused(&wrong), message, "{bytes:x?} at {at}");
    }
    let noted = |bytes: &[u8]| {
        let set = set(bytes, ParseOptions::default());
        assert_eq!(set.textures.len(), 1, "shown all the same");
        let problem = |note: &&FileNote| note.kind != FileNoteKind::UnknownField;
        set.notes
            .iter()
            .find(problem)
            .map(|note| note.to_string().replace("texture 0: ", ""))
            .unwrap_or_default()
    };
    let levels = |count: u8| {
        let mut bytes = good.clone();
        bytes[12] = count;
        noted(&bytes)
    };
    assert_eq!(levels(0), "at 0xc: the header says 0 levels; one is read", "no levels");
    let cut = "at 0x2a: level 2 needs 2 bytes, the texture has 0 left; missing texels are black, and later levels left out";
    assert_eq!(levels(3), cut, "more levels");
    let tail = |tail: &[u8]| noted(&[&good[..], tail].concat());
    assert_eq!(tail(b"x"), "at 0x2a: 1 bytes that are no page table follow the last level", "junk");
    assert_eq!(
        tail(b"Pagx\0\0\0\0"),
        "at 0x2a: 8 bytes that are no page table follow the last level",
        "magic"
    );
    assert_eq!(tail(b"Page\x02\0\0\0\0"), "at 0x2e: a table of 2 pages does not take 9 bytes", "length");
}

#[test]
fn survives_truncated_and_corrupted_files() {
    let mut good = build(0, 4, 4, 3, &[7; 1024 + 21]);
    good.extend(b"Page\x01\0\0\0\0\0\0\0\0\0\0\0");
    for length in 0..good.len() {
        // Half of the largest level suffices.
        let shown = length >= 32 + 1024 + 8;
        assert_eq!(open(&Request::new("texture", &good[..length])).is_ok(), shown, "cut off after {length}");
    }
    for at in 0..40 {
        for value in [0u32, u32::MAX, 0x8000_0000, 1, 600] {
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            let _ = open(&Request::new("texture", &bytes));
        }
    }
}
