//! Checks errors and notes for invalid PMDL models, made from samples by replacing some words.

use ge_tests::note_text::texts;
use ge_tests::{input, sample};
use pspge::formats::{self, Format, Request};
use pspge::model::Model;

/// An offset in the file, and the word to store there in the file's byte order.
type Patch = (usize, u32);

fn patched(name: &str, patches: &[Patch]) -> Vec<u8> {
    let mut bytes = sample::read(name);
    let big = &bytes[4..8] == b"_BIG";
    for &(at, word) in patches {
        let word = if big { word.to_be_bytes() } else { word.to_le_bytes() };
        bytes[at..at + 4].copy_from_slice(&word);
    }
    bytes
}

fn word(bytes: &[u8], at: usize) -> usize {
    let big = &bytes[4..8] == b"_BIG";
    let word: [u8; 4] = bytes[at..at + 4].try_into().expect("four bytes");
    (if big { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) }) as usize
}

fn open(name: &str, bytes: &[u8]) -> Result<Model, String> {
    // Set the format, to read files with a wrong magic as PMDL, too.
    let request = Request { format: Format::from_name("pmdl"), ..Request::new(name, bytes) };
    let opened = formats::open(&request).map_err(|error| error.to_string())?;
    Ok(input::expect_model(name, opened.content))
}

/// Returns the error for a sample with some words replaced.
fn error(name: &str, patches: &[Patch]) -> String {
    open(name, &patched(name, patches)).expect_err(&format!("{name} with {patches:x?} is refused"))
}

/// Checks that a sample with some words replaced is drawn, with a note that begins like this.
fn assert_noted(name: &str, patches: &[Patch], expected: &str) {
    let notes = notes(name, patches);
    assert!(notes.iter().any(|note| note.contains(expected)), "{patches:x?}: {expected}: {notes:?}");
}

/// Returns the notes for a sample with some words replaced.
fn notes(name: &str, patches: &[Patch]) -> Vec<String> {
    texts(&open(name, &patched(name, patches)).unwrap_or_else(|error| panic!("{name}: {error}")).notes)
}

#[test]
fn wrong_headers_are_reported() {
    let nan = f32::NAN.to_bits();
    for (patch, expected) in [
        ((0x00, 0), "at 0x0: not a PMDL file"),
        ((0x08, 16), "at 0x8: pointers of 16 bytes; they have 4 or 8"),
        ((0x0C, 0), "at 0xc: the sub-type is none of PAR0, PAR1 and PAR2"),
        ((0x10, 0), "at 0x10: the draw format is none of _GEN, __GX and _COL"),
        ((0x2C, 0), "at 0x2c: the collections would be at 0x0, which is out of range"),
        ((0x2C, 0x00FF_FFE0), "at 0x2c: the collections would be at 0xffffe0, which is out of range"),
    ] {
        assert_eq!(error("orchard.pmdl", &[patch]), expected, "{patch:x?}");
    }
    let order = [(0x04, 0), (0x08, 16)];
    assert_eq!(error("orchard.pmdl", &order), "at 0x4: the byte order is neither _LIT nor _BIG", "no order");
    for (patch, expected) in [
        ((0x04, 0), "at 0x4: the byte order is neither _LIT nor _BIG; that of the pointer size is used"),
        (
            (0x34, 0x40),
            "at 0x34: the shader references at 0x40 begin before 0x358, where the section before them ends",
        ),
    ] {
        assert_noted("orchard.pmdl", &[patch], expected);
    }
    assert_noted("orchard-collision.pmdl", &[(0x30, 2)], "at 0x30: 2 collections; a collision model has one");
    for (patch, expected) in [
        ((0x14, nan), "at 0x14: the bounding box is inside out or not finite; that of the vertices is used"),
        ((0x20, 0), "at 0x14: the bounding box does not contain its meshes; the box of the meshes is used"),
    ] {
        assert_eq!(notes("orchard.pmdl", &[patch]), [expected], "{patch:x?}");
    }
    let model = open("orchard.pmdl", &patched("orchard.pmdl", &[(0x3C, 5)])).expect("padding is ignored");
    let padding: Vec<_> = model.fields.iter().filter(|field| field.offset == 0x3C).collect();
    assert_eq!(padding.len(), 1, "the padding is listed: {:?}", model.fields);
    assert_eq!(padding[0].value, "0x00000005", "with its value");
}

#[test]
fn wrong_octrees_are_reported() {
    let bytes = patched("orchard.pmdl", &[]);
    assert_eq!(word(&bytes, 0x40) & 3, 1, "the first child of the root is a node");
    let child = word(&bytes, 0x44);
    for (patches, expected) in [
        (vec![(0x44, 0)], "at 0x40: the octree comes to this node twice".to_owned()),
        (
            vec![(0x44, 0x10_0000)],
            "at 0x44: the octree node would be at 0x100040, which is out of range".into(),
        ),
        (
            vec![(0x40, 0xFFFF)],
            "at 0x40: a child of the octree node has the type 3, which does not exist".into(),
        ),
        (
            // This reads the root's first child as a leaf: its words become a count and meshes.
            vec![(0x40, 2), (0x40 + child, 1), (0x44 + child, 0), (0x48 + child, 99)],
            format!("at {:#x}: mesh 99 of collection 0 does not exist", 0x44 + child),
        ),
    ] {
        assert_noted("orchard.pmdl", &patches, &expected);
    }
    // With an empty root, all meshes are drawn, each with its own visibility test.
    let model = open("orchard.pmdl", &patched("orchard.pmdl", &[(0x40, 0)])).expect("an empty octree");
    let expected = format!(
        "at 0x40: {} meshes are in no leaf of the octree; each is tested on its own",
        model.info.meshes
    );
    assert_eq!(texts(&model.notes), [expected], "one note");
    assert_eq!(model.parts.len(), model.info.meshes, "one part per mesh");
}

#[test]
fn wrong_buffers_are_reported() {
    let bytes = patched("orchard.pmdl", &[]);
    let start = word(&bytes, 0x2C);
    let elements = start + word(&bytes, start + 12);
    let index = start + word(&bytes, start + 20);
    let platform = index + word(&bytes, index + 4);
    let prim = platform + 3 * 4 + 4;
    let vertices = word(&bytes, start + 8) / 32;
    let count = word(&bytes, start + 16) / 2;
    for (patch, expected) in [
        ((start, 9), format!("at {start:#x}: 9 layers of texture coordinates; there are at most 8")),
        (
            (start + 8, 33),
            format!(
                "at {:#x}: the vertex buffer of 33 bytes does not hold whole elements of 32",
                start + word(&bytes, start + 4)
            ),
        ),
        (
            (start + 16, 3),
            format!("at {elements:#x}: the element buffer of 3 bytes does not hold whole elements of 2"),
        ),
        (
            (index + 4, 8),
            format!("at {index:#x}: {} meshes; there is room for the headers of 0", word(&bytes, index)),
        ),
        ((index + 8 + 24, 5), format!("at {:#x}: shader 5 does not exist; there are 5", index + 32)),
        (
            (index + 8 + 24, u32::MAX - 1),
            format!("at {:#x}: shader -2 does not exist; there are 5", index + 32),
        ),
        ((prim, 6), format!("at {prim:#x}: primitive type 6 does not exist")),
        (
            (prim + 8, 0x10_0000),
            format!("at {:#x}: elements 0 to 1048576 are drawn, there are {count}", prim + 4),
        ),
        (
            (elements, 0x0001_FFFF),
            format!("at {elements:#x}: vertex index 65535 is outside the {vertices} that there are"),
        ),
        (
            (start + word(&bytes, start + 4), f32::INFINITY.to_bits()),
            format!("at {:#x}: the position is not a finite number", start + word(&bytes, start + 4)),
        ),
    ] {
        assert_noted("orchard.pmdl", &[patch], &expected);
    }
    let outside = error("orchard.pmdl", &[(start + 4, 0x100_0000)]);
    let expected = format!("no mesh can be drawn: the vertices would be at {:#x}", start + 0x100_0000);
    assert!(outside.contains(&expected), "the only collection: {outside}");
    let small = notes("orchard.pmdl", &[(index + 8, 0)]);
    let expected = format!(
        "at {:#x}: the bounding box does not contain its vertices; the box of the vertices is used",
        index + 8
    );
    assert_eq!(small, [expected], "a box that is too small");
    let bytes = patched("orchard-collision.pmdl", &[]);
    let start = word(&bytes, 0x2C);
    let index = start + word(&bytes, start + 20);
    let prim = index + word(&bytes, index + 4) + 3 * 8 + 4;
    let expected = format!("at {prim:#x}: a collision model of lines or points; it is made of triangles");
    assert_noted("orchard-collision.pmdl", &[(prim, 0)], &expected);
}

#[test]
fn wrong_gx_display_lists_are_reported() {
    let bytes = patched("anemone-gx.pmdl", &[]);
    let start = word(&bytes, 0x2C);
    let buffer = start + word(&bytes, start + 4);
    let index = start + word(&bytes, start + 20);
    let platform = index + word(&bytes, index + 4);
    let list = platform + word(&bytes, platform);
    // The first list begins with a strip's command and count.
    let first = bytes[list + 3];
    let begin = |command: u8| u32::from_be_bytes([command, bytes[list + 1], bytes[list + 2], first]);
    let (positions, texcoords) = (word(&bytes, buffer + 4), word(&bytes, buffer + 8));
    let rig = word(&bytes, buffer);
    // This finds the first position with a bone.
    let mut rigged = buffer + rig + 2 * 4;
    while word(&bytes, rigged) == 0 {
        rigged += 8;
    }
    let needed = 32 + 24 * (positions + 1000) + 16 * texcoords;
    for (patch, expected) in [
        (
            (list, begin(0x61)),
            format!("at {list:#x}: the display list uses GX command 0x61; only draws are known"),
        ),
        (
            (list, begin(0x9B)),
            format!("at {list:#x}: the display list uses GX vertex format 3; only format 0 is set up"),
        ),
        (
            (platform, 0x10_0000),
            format!(
                "at {platform:#x}: mesh 0 cannot be read: the display list would be at {:#x}, which is out of range",
                platform + 0x10_0000
            ),
        ),
        (
            (buffer + 4, u32::try_from(positions + 1000).expect("small")),
            format!("at {buffer:#x}: the vertex buffer has {rig} bytes, its arrays need {needed}"),
        ),
        ((rigged + 8, 77), format!("at {:#x}: bone 77 does not exist; there are 16", rigged + 8)),
    ] {
        assert_noted("anemone-gx.pmdl", &[patch], &expected);
    }
}

#[test]
fn wrong_bones_skins_and_actions_are_reported() {
    let bytes = patched("anemone.pmdl", &[]);
    let bones = word(&bytes, 0x44);
    let bone = |number: usize| 0x48 + 4 * bones + word(&bytes, 0x48 + 4 * number);
    let skins = 0x40 + word(&bytes, 0x40);
    let skin = skins + 8 + 4 * word(&bytes, skins + 4);
    let actions = skins + word(&bytes, skins);
    let action = actions + 8 + 4 * word(&bytes, actions);
    let names = word(&bytes, 0x38);
    let key = action + 16;
    assert_eq!(word(&bytes, action + 8) >> 29, 2, "the first track rotates a bone");
    for (patch, expected) in [
        ((bone(0) + 16, 5), "at 0x40: the parents of the bones form a circle".to_owned()),
        ((bone(1) + 16, 16), format!("at {:#x}: bone 16 does not exist; there are 16", bone(1) + 16)),
        (
            (bone(1), 0x10_0000),
            format!(
                "at {:#x}: name of a bone cannot be read: the name would be at {:#x}, which is out of range",
                bone(1),
                names + 0x10_0000
            ),
        ),
        (
            (0x48, 0x10_0000),
            format!(
                "at 0x48: rig cannot be read: the bone would be at {:#x}, which is out of range",
                0x48 + 4 * bones + 0x10_0000
            ),
        ),
        ((skin, 9), format!("at {skin:#x}: a skin of 9 bones; there are at most 8")),
        ((skin + 4, 50), format!("at {:#x}: bone 50 does not exist; there are 16", skin + 4)),
        (
            (action + 4, f32::INFINITY.to_bits()),
            format!("at {:#x}: an action of inf seconds; it lasts up to an hour", action + 4),
        ),
        ((action + 8, 0x4000_0063), format!("at {:#x}: bone 99 does not exist; there are 16", action + 8)),
        ((key + 8, 9.0f32.to_bits()), format!("at {:#x}: the keys of a curve go back in time", key + 24 + 8)),
        ((key + 12, f32::NAN.to_bits()), format!("at {key:#x}: the key is not finite; it is left out")),
    ] {
        assert_noted("anemone.pmdl", &[patch], &expected);
    }
    // If a child list contradicts the parents, the parents are used.
    let children = notes("anemone.pmdl", &[(bone(0) + 24, 3)]);
    let expected = format!("at {:#x}: the list of children does not agree with the parents", bone(0) + 24);
    assert_eq!(children, [expected], "links");
}

/// The samples have features missing in public files, and must be valid.
#[test]
fn samples_have_no_notes() {
    for name in ["anemone.pmdl", "anemone-gx.pmdl", "orchard.pmdl", "orchard-collision.pmdl"] {
        assert_eq!(notes(name, &[]), Vec::<String>::new(), "{name}");
    }
    let general = open("anemone.pmdl", &patched("anemone.pmdl", &[])).expect("valid");
    assert_eq!(general.info.extra("weights"), Some(12), "nine weights, in fours");
    let stem: Vec<usize> =
        general.parts.iter().filter(|part| part.mesh == 0).map(|part| part.weights).collect();
    assert!(
        stem.len() == 2 && stem.iter().all(|weights| *weights <= 8),
        "nine matrices in two groups: {stem:?}"
    );
    let gx = open("anemone-gx.pmdl", &patched("anemone-gx.pmdl", &[])).expect("valid");
    assert_eq!(gx.info.extra("skins"), Some(0), "no skins");
    let arms: Vec<usize> = gx.parts.iter().filter(|part| part.mesh == 1).map(|part| part.weights).collect();
    assert!(arms.len() == 2 && arms.iter().sum::<usize>() >= 9, "nine bones in two groups: {arms:?}");
}
