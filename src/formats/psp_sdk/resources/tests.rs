//! Tests RCO, PTF and AMD containers.

mod build;
mod pictures;
mod rlz;

use std::io::Cursor;

use image::{ImageFormat, Rgba, RgbaImage};

use super::ResourceProblem;
use crate::formats::tests::texts;
use crate::formats::{
    Content, FormatError, Opened, Problem, Request, drawable_members, open, sniff as format_of,
};
use crate::ge::limits::{Limit, Limits};
use crate::model::{Model, TextureSet};
use build::{Rco, Stored, amd, ptf, zlib};

const GIM: u16 = 5;
const GMO: u16 = 0;

/// Reads a bundled sample.
fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tools/sample/{name}", env!("CARGO_MANIFEST_DIR"))).expect("a sample")
}

/// Builds a BMP in a single colour.
fn bmp() -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    RgbaImage::from_pixel(8, 4, Rgba([9, 8, 7, 255])).write_to(&mut out, ImageFormat::Bmp).expect("room");
    out.into_inner()
}

/// Returns a container with a model, four pictures, a sound and a script.
fn rco() -> Rco {
    let gim = sample("candle.gim");
    Rco {
        models: vec![Stored::packed("beacon", GMO, &sample("beacon.gmo"))],
        images: vec![
            Stored::packed("candle", GIM, &gim),
            Stored::plain("loose", GIM, &gim),
            Stored { compression: 2, bytes: rlz::pack(&gim), ..Stored::plain("strong", GIM, &gim) },
            Stored::plain("swatch", 4, &bmp()),
        ],
        sounds: vec![("chime", b"VAGp and more".to_vec())],
        scripts: vec![("page", b"VSMX".to_vec())],
        ..Rco::default()
    }
}

fn opened(bytes: &[u8], member: Option<&str>, all_textures: bool) -> Result<Opened, FormatError> {
    open(&Request { member, all_textures, ..Request::new("some.rco", bytes) })
}

fn model(bytes: &[u8], member: Option<&str>) -> Model {
    match opened(bytes, member, false).unwrap_or_else(|error| panic!("{error}")).content {
        Content::Model(model) => *model,
        other => panic!("a model, not {other:?}"),
    }
}

fn textures(bytes: &[u8], member: Option<&str>) -> TextureSet {
    match opened(bytes, member, true).unwrap_or_else(|error| panic!("{error}")).content {
        Content::Textures(set) => set,
        other => panic!("textures, not {other:?}"),
    }
}

/// Returns the notes from opening the whole container.
fn notes(bytes: &[u8]) -> Vec<String> {
    texts(opened(bytes, None, false).unwrap_or_else(|error| panic!("{error}")).content.notes())
}

/// Decodes all textures.
fn pictures(model: &Model) -> Vec<RgbaImage> {
    model.textures.iter().map(|texture| texture.decode(&model.memory, 0)).collect()
}

/// Returns each member's name, kind, format and length.
fn members(bytes: &[u8]) -> Vec<(String, String, &'static str, u64)> {
    let members = opened(bytes, None, false).unwrap_or_else(|error| panic!("{error}")).members;
    let listed = members.into_iter().map(|member| {
        let format = member.format.map_or("", crate::formats::Format::name);
        (member.name.expect("a name"), member.kind.unwrap_or_default(), format, member.length)
    });
    listed.collect()
}

/// Every header variant has the same members.
#[test]
fn members_have_names_kinds_and_formats() {
    for (is_big, tables) in [(false, 0), (false, 1), (false, 2), (true, 0), (true, 1), (true, 2)] {
        let rco = Rco { is_big, tables, ..rco() };
        let bytes = rco.bytes();
        assert_eq!(format_of(&bytes).map(crate::formats::Format::name), Some("rco"), "recognised");
        let sizes = [&rco.models[0], &rco.images[0], &rco.images[1], &rco.images[2], &rco.images[3]]
            .map(|member| member.bytes.len() as u64);
        let expected = [
            ("beacon", "model, GMO, zlib", "gmo", sizes[0]),
            ("candle", "image, GIM, zlib", "gim", sizes[1]),
            ("loose", "image, GIM", "gim", sizes[2]),
            ("strong", "image, GIM, RLZ", "gim", sizes[3]),
            ("swatch", "image, BMP", "", sizes[4]),
            ("chime", "sound, VAG, 1 channels", "", 13),
            ("text:0", "text, Japanese, UTF-16", "", 20),
            ("text:1", "text, English, UTF-16", "", 20),
            ("page", "script, VSMX", "", 4),
        ]
        .map(|(name, kind, format, length)| (name.to_owned(), kind.to_owned(), format, length));
        assert_eq!(members(&bytes), expected, "big {is_big}, tables {tables}");
        assert_eq!(
            notes(&bytes),
            ["the container holds 4 models; this is the first"],
            "big {is_big}, tables {tables}: nothing odd"
        );
        assert_eq!(pictures(&model(&bytes, Some("candle"))), pictures(&loose("candle.gim")), "the same");
    }
}

/// Opens a sample as a loose file, outside any container.
fn loose(name: &str) -> Model {
    model(&sample(name), None)
}

#[test]
fn members_open_as_the_loose_files_do() {
    let bytes = rco().bytes();
    let (gim, gmo) = (loose("candle.gim"), loose("beacon.gmo"));
    for member in ["candle", "CANDLE", "1", "2", "loose", "3", "strong", "gim"] {
        let found = model(&bytes, Some(member));
        assert_eq!(pictures(&found), pictures(&gim), "{member}");
        assert_eq!(found.info, gim.info, "{member}");
    }
    for member in [None, Some("beacon"), Some("0"), Some("gmo")] {
        let found = model(&bytes, member);
        assert_eq!(found.info, gmo.info, "{member:?}");
        assert_eq!(pictures(&found), pictures(&gmo), "{member:?}");
        assert_eq!(found.parts.len(), gmo.parts.len(), "{member:?}");
    }
    let paths: Vec<String> = drawable_members(&Request::new("some.rco", &bytes))
        .expect("a container")
        .into_iter()
        .map(|member| member.path)
        .collect();
    assert_eq!(paths, ["beacon", "candle", "loose", "strong"], "what `#*` opens");
}

#[test]
fn all_pictures_open_together() {
    let bytes = rco().bytes();
    let set = textures(&bytes, None);
    let gim = loose("candle.gim");
    assert_eq!(set.textures.len(), gim.textures.len() * 3 + 1, "three GIM and a BMP");
    let names: Vec<&str> = set.textures.iter().filter_map(|texture| texture.name.as_deref()).collect();
    assert!(names[0].starts_with("candle-picture0"), "{names:?}");
    assert_eq!(names.last(), Some(&"swatch"), "{names:?}");
    let (packed, plain) = (&set.textures[0], &set.textures[gim.textures.len()]);
    assert_eq!(packed.decode(&set.memory, 0), gim.textures[0].decode(&gim.memory, 0), "the first");
    assert_eq!(plain.decode(&set.memory, 0), gim.textures[0].decode(&gim.memory, 0), "uncompressed");
    for (number, texture) in set.textures.iter().enumerate() {
        assert_eq!(texture.index, number, "numbered in order");
    }
    let last = set.textures.last().expect("a picture").decode(&set.memory, 0);
    assert_eq!(last, RgbaImage::from_pixel(8, 4, Rgba([9, 8, 7, 255])), "the BMP");
    assert_eq!(textures(&bytes, Some("swatch")).textures.len(), 1, "alone");
    let stored =
        |texture: &crate::model::ModelTexture| texture.storage.as_ref().expect("stored").levels[0].at.packed;
    assert_eq!(stored(packed), Some(packed.file_offset), "in the stream");
    assert_eq!(stored(plain), None, "in the file");
}

#[test]
fn odd_names_are_replaced() {
    let gim = sample("candle.gim");
    let named = |name| Stored { name, ..Stored::packed("", GIM, &gim) };
    let images =
        [Some("twice"), Some("twice"), None, Some("12"), Some("a/b"), Some("image:1")].map(named).to_vec();
    let bytes = Rco { images, ..Rco::default() }.bytes();
    let found: Vec<String> = members(&bytes).into_iter().map(|member| member.0).take(6).collect();
    assert_eq!(found, ["twice", "image:1", "image:2", "image:3", "image:4", "image:5"], "unique");
    for name in &found {
        assert_eq!(model(&bytes, Some(name)).textures.len(), loose("candle.gim").textures.len(), "{name}");
    }
    let error = opened(&bytes, Some("thrice"), false).expect_err("no such member");
    assert!(error.to_string().contains("no member \"thrice\""), "{error}");
}

#[test]
fn members_that_cannot_be_unpacked_cost_no_others() {
    let mut images = rco().images;
    images.insert(0, Stored { compression: 7, ..Stored::plain("odd", GIM, &[5; 40]) });
    images.insert(1, Stored { compression: 1, ..Stored::plain("noise", GIM, &[5; 40]) });
    let mut cut = Stored::packed("cut", GIM, &sample("candle.gim"));
    cut.bytes.truncate(cut.bytes.len() / 2);
    images.insert(2, cut);
    let bytes = Rco { images, ..Rco::default() }.bytes();
    let kinds = members(&bytes);
    assert_eq!(kinds[0].1, "image, GIM, compression 7, not read", "named");
    for (member, expected) in
        [("odd", "compression 7 is not known"), ("noise", "its compressed data are damaged")]
    {
        let error = opened(&bytes, Some(member), false).expect_err("not read");
        assert!(error.to_string().contains(expected), "{error}");
        assert!(error.offset.is_some(), "{error}");
    }
    let found = textures(&bytes, None);
    assert!(found.textures.len() > loose("candle.gim").textures.len() * 2, "the others, and a part");
    let whole = opened(&bytes, None, false).expect("opens");
    let notes = texts(whole.content.notes());
    assert!(notes.iter().any(|note| note.contains("its compressed data are damaged after")), "{notes:?}");
    let chime = opened(&rco().bytes(), Some("chime"), false).expect("listed");
    assert!(texts(chime.content.notes())[0].contains("sound, VAG, 1 channels: not read"), "a sound");
    let text = opened(&rco().bytes(), Some("text:0"), false).expect_err("no bytes");
    assert_eq!(text.problem_as::<ResourceProblem>(), Some(&ResourceProblem::NoBytes), "{text}");
}

#[test]
fn tables_that_cannot_be_read_are_noted() {
    let mut bytes = rco().bytes();
    bytes[0xC] = 0x70;
    let found = notes(&bytes);
    assert!(
        found[0].contains("the tables of the members have compression 7, which is not known"),
        "{found:?}"
    );
    assert_eq!(members(&bytes), [], "nothing is known of them");
    let mut bytes = rco().bytes();
    bytes.truncate(0xA0);
    assert!(opened(&bytes, None, false).is_err(), "no header");
}

#[test]
fn unpacking_stays_within_the_limit() {
    let bytes = rco().bytes();
    let gim = sample("candle.gim").len() as u64;
    let within = |bytes_most: u64| {
        let limits = Limits::default().with(Limit::DecodedBytes, bytes_most);
        open(&Request { member: Some("candle"), limits, ..Request::new("some.rco", &bytes) })
    };
    assert!(within(gim).is_ok(), "just fits");
    let error = within(gim - 1).expect_err("too much");
    assert!(matches!(error.kind, Problem::Limit(hit) if hit.value == gim - 1), "{error}");
    let limits = Limits::default().with(Limit::DecodedBytes, 100);
    let packed = Rco { tables: 1, ..rco() }.bytes();
    let whole = open(&Request { limits, ..Request::new("some.rco", &packed) }).expect("noted");
    assert!(whole.members.is_empty(), "tables beyond the limit");
}

#[test]
fn compressed_members_are_not_replaced() {
    let bytes = rco().bytes();
    let packing = super::super::RCO.packing.expect("compressed parts");
    let set = textures(&bytes, None);
    let at = set.textures[0].file_offset;
    let view = crate::formats::core::cursor::View::new(&bytes, 0, "rco", crate::formats::FileRole::Input);
    let parts = (packing.unpack)(view, &[at].into()).expect("unpacked");
    assert_eq!(parts.get(&at), Some(&sample("candle.gim")), "the file");
    let error = (packing.replace)(view, &parts).expect_err("refused");
    assert_eq!(error.problem_as::<ResourceProblem>(), Some(&ResourceProblem::NotReplaced), "{error}");
    assert!(error.to_string().contains("cannot be replaced yet"), "{error}");
}

/// Replaces each word by several numbers, and cuts the file to every length.
#[test]
fn damaged_files_open_or_give_errors() {
    let small = Stored::packed("swatch", 4, &bmp());
    let plain = Rco { images: vec![small.clone(), small], sounds: rco().sounds, ..Rco::default() };
    let theme = ptf(&[&[(0, 4, 2, zlib(&bmp()), 182)], &[(0, 4, 0, bmp(), 182)]]);
    let chunks = amd(&[("MODEL_DATA", &[1; 20]), ("END", &[])]);
    let packed = |tables| Rco { tables, ..plain.clone() }.bytes();
    let files = [plain.bytes(), packed(1), packed(2), theme, chunks];
    let mut opened_files = 0_usize;
    for bytes in &files {
        let mut attempt = |damaged: &[u8], what: String| match opened(damaged, None, true) {
            Ok(_) => opened_files += 1,
            Err(error) => {
                let offset = error.offset.unwrap_or(0);
                assert!(offset <= damaged.len() as u64, "{what}: {error}");
            }
        };
        for length in 0..bytes.len() {
            attempt(&bytes[..length], format!("cut to {length}"));
        }
        for at in (0..bytes.len() - 4).step_by(2) {
            for value in [0, 1, 0x7FFF_FFFF, u32::MAX, 0x28] {
                let mut damaged = bytes.clone();
                damaged[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
                attempt(&damaged, format!("{value:#x} at {at:#x}"));
            }
        }
    }
    assert!(opened_files > 1000, "{opened_files} open in spite of the damage");
}

#[test]
fn members_of_themes_say_what_they_show() {
    let gim = sample("candle.gim");
    let size = u32::try_from(gim.len()).expect("small");
    let bytes = ptf(&[
        &[(0, GIM, 2, zlib(&gim), size), (2, GIM, 2, vec![1, 0, 0, 0], 4)],
        &[(0, 4, 0, bmp(), 182)],
        &[(3, GIM, 1, rlz::pack(&gim), size), (9, GIM, 2, zlib(&gim), size)],
        &[0, 1, 4, 5, 64, 65, 66, 1000].map(|number| (number, GIM, 2, zlib(&gim), size)),
        &[0, 1, 2, 3].map(|number| (number, GIM, 2, zlib(&gim), size)),
    ]);
    let listed: Vec<_> =
        members(&bytes).into_iter().map(|(name, kind, format, _)| (name, kind, format)).collect();
    let expected = [
        ("preview:icon", "preview, GIM, zlib", "gim"),
        ("preview:color", "preview, number", ""),
        ("wallpaper:0", "wallpaper, BMP", ""),
        ("category:music", "category, GIM, RLZ", "gim"),
        ("category:9", "category, GIM, zlib", "gim"),
        ("icon:0", "icon, GIM, zlib", "gim"),
        ("icon:1", "icon, GIM, zlib", "gim"),
        ("icon:umd", "icon, GIM, zlib", "gim"),
        ("icon:umd-focus", "icon, GIM, zlib", "gim"),
        ("icon:resume-game", "icon, GIM, zlib", "gim"),
        ("icon:resume-game-focus", "icon, GIM, zlib", "gim"),
        ("icon:66", "icon, GIM, zlib", "gim"),
        ("icon:1000", "icon, GIM, zlib", "gim"),
        ("subicon:0", "subicon, GIM, zlib", "gim"),
        ("subicon:0-focus", "subicon, GIM, zlib", "gim"),
        ("subicon:2", "subicon, GIM, zlib", "gim"),
        ("subicon:2-focus", "subicon, GIM, zlib", "gim"),
    ]
    .map(|(name, kind, format)| (name.to_owned(), kind.to_owned(), format));
    assert_eq!(listed, expected, "all");
    assert_eq!(pictures(&model(&bytes, Some("preview:icon"))), pictures(&loose("candle.gim")), "an icon");
    assert_eq!(textures(&bytes, Some("wallpaper:0")).textures.len(), 1, "the wallpaper");
    assert_eq!(pictures(&model(&bytes, Some("category:music"))), pictures(&loose("candle.gim")), "by RLZ");
    assert_eq!(textures(&bytes, None).textures.len(), loose("candle.gim").textures.len() * 15 + 1, "all");
}

#[test]
fn chunks_of_persona_hold_models() {
    let gmo = sample("beacon.gmo");
    let bytes = amd(&[("MODEL_DATA", &gmo), ("OTHER", &[1, 2, 3, 4, 5]), ("EMPTY", &[])]);
    let names: Vec<_> = members(&bytes).into_iter().map(|(name, _, format, _)| (name, format)).collect();
    let expected = [("MODEL_DATA", "gmo"), ("OTHER", ""), ("EMPTY", "")];
    assert_eq!(names, expected.map(|(name, format)| (name.to_owned(), format)), "chunks");
    let plain = loose("beacon.gmo");
    for member in [None, Some("MODEL_DATA"), Some("model_data"), Some("0"), Some("gmo")] {
        let found = model(&bytes, member);
        assert_eq!((&found.info, pictures(&found)), (&plain.info, pictures(&plain)), "{member:?}");
    }
    let mut cut = bytes.clone();
    cut.truncate(gmo.len() + 40);
    assert!(notes(&cut).iter().any(|note| note.contains("3 chunks")), "{:?}", notes(&cut));
    assert_eq!(format_of(b"CHNK\x01\0\0\0\0\0\0\0").map(crate::formats::Format::name), None, "no name");
}
