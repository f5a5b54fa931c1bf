//! Takes pictures there and back through every sample format.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use image::Rgba;

use super::*;
use crate::formats::psp_sdk::ResourceProblem;
use crate::formats::{self, Request};
use crate::ge::registers::texture::{PixelFormat, TexelFormat};

fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/sample");
    let mut files: Vec<PathBuf> = walk(&folder);
    match std::env::var_os("PSPGE_CORPUS") {
        Some(corpus) => files.extend(walk(&Path::new(&corpus).join("models"))),
        None => eprintln!("skipped: models of the corpus, without PSPGE_CORPUS"),
    }
    files.sort();
    files
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(walk(&path)) } else { found.push(path) }
    }
    found
}

fn open(name: &str, bytes: &[u8]) -> Option<Opened> {
    formats::open(&Request { all_textures: true, ..Request::new(name, bytes) }).ok()
}

fn shown(opened: &Opened) -> Vec<NewPicture> {
    let Some((memory, textures)) = stored_textures(&opened.content) else { return Vec::new() };
    let of = |texture: &ModelTexture| {
        let count = texture.palette.map_or(1, |palette| palette.count());
        let pictures: Vec<NewPicture> = (0..count)
            .map(|palette| NewPicture {
                texture: texture.index,
                palette,
                picture: texture.decode(memory, palette),
            })
            .collect();
        pictures
    };
    textures.iter().flat_map(of).collect()
}

#[test]
fn unchanged_pictures_change_no_byte() {
    let mut count = 0;
    for path in samples() {
        let bytes = std::fs::read(&path).expect("readable");
        let name = path.display().to_string();
        let Some(opened) = open(&name, &bytes) else { continue };
        let pictures = shown(&opened);
        if pictures.is_empty() {
            continue;
        }
        let file = File { name: &name, bytes: &bytes };
        let same = import_textures(&opened, file, &pictures, ImportOptions::default());
        assert!(same.as_ref() == Ok(&bytes), "{name}: {:?}", same.err());
        count += pictures.len();
    }
    assert!(count > 30, "{count} pictures");
}

/// Rotates a picture's channels, so that all its pixels change.
fn turned(picture: &RgbaImage) -> RgbaImage {
    let mut turned = picture.clone();
    for Rgba([red, green, blue, _]) in turned.pixels_mut() {
        (*red, *green, *blue) = (*blue, *red, *green);
    }
    turned
}

/// Returns whether an error says that the format's compressed members cannot be changed.
fn is_read_only(error: &FormatError) -> bool {
    error.problem_as() == Some(&ResourceProblem::NotReplaced)
}

/// Returns which bytes may change, because they hold texels or palettes.
fn places(opened: &Opened) -> Vec<std::ops::Range<u64>> {
    let (_, textures) = stored_textures(&opened.content).expect("textures");
    let mut places = Vec::new();
    for storage in textures.iter().filter_map(|texture| texture.storage.as_ref()) {
        for level in &storage.levels {
            let rows = match storage.texels {
                TexelStorage::Block(_) => level.height.div_ceil(4),
                _ if level.swizzled => level.height.next_multiple_of(8),
                _ => level.height,
            };
            places.push((level.at, u64::from(level.row_bytes) * u64::from(rows)));
        }
        for palette in storage.palettes.iter().flatten() {
            places.push((palette.at, u64::from(palette.colors * palette.color.bytes)));
        }
    }
    // A packed part changes as a whole.
    let part = |at: u64| opened.members.iter().find(|member| member.offset == at).expect("a member").length;
    let range = |(at, length): &(StoredOffset, u64)| match at.packed {
        Some(packed) => packed..packed + part(packed),
        None => at.offset..at.offset + length,
    };
    places.iter().map(range).collect()
}

#[test]
fn changed_pictures_come_back_and_nothing_else_changes() {
    let mut formats = BTreeSet::new();
    let (mut count, mut exact, mut left_out, mut read_only) = (0, 0, 0, 0);
    for path in samples() {
        let bytes = std::fs::read(&path).expect("readable");
        let name = path.display().to_string();
        let Some(opened) = open(&name, &bytes) else { continue };
        let mut pictures = shown(&opened);
        for new in &mut pictures {
            new.picture = turned(&new.picture);
        }
        // Textures that the file does not store are refused, so leave these out and try the others again.
        let file = File { name: &name, bytes: &bytes };
        let written = loop {
            if pictures.is_empty() {
                break None;
            }
            match import_textures(&opened, file, &pictures, ImportOptions::default()) {
                Ok(written) => break Some(written),
                Err(ImportError { picture: Some(picture), problem: ImportProblem::NotStored }) => {
                    left_out += 1;
                    pictures.remove(picture);
                }
                Err(ImportError { problem: ImportProblem::Format(error), .. }) if is_read_only(&error) => {
                    read_only += 1;
                    break None;
                }
                Err(error) => panic!("{name}: {error}"),
            }
        };
        let Some(written) = written else { continue };
        let again = open(&name, &written).unwrap_or_else(|| panic!("{name}: opens again"));
        let (memory, textures) = stored_textures(&again.content).expect("textures");
        for new in &pictures {
            let texture =
                textures.iter().find(|texture| texture.index == new.texture).expect("it is still there");
            let found = fidelity(&texture.decode(memory, new.palette), &new.picture);
            // Formats with 16 bits and blocks round; all others have room for as many colours as before.
            let format = texture.palette.map_or(texture.format, |palette| match palette.format {
                PixelFormat::ABGR8888 => TexelFormat::ABGR8888,
                _ => TexelFormat::BGR5650,
            });
            let most = match format {
                TexelFormat::ABGR8888 => 3,
                TexelFormat::DXT1 | TexelFormat::DXT3 | TexelFormat::DXT5 => 12,
                _ => 8,
            };
            let label = format!("{name}, texture {} with palette {}", new.texture, new.palette);
            assert!(found.largest_difference <= most, "{label}: {:?} {found:?}", texture.format);
            exact += usize::from(found == Fidelity::default());
            formats.insert(texture.format.number());
        }
        count += pictures.len();
        assert_eq!(written.len(), bytes.len(), "{name}: the size");
        let places = places(&opened);
        for (at, (old, new)) in (0..).zip(bytes.iter().zip(&written)) {
            let may_change = old == new || places.iter().any(|place| place.contains(&at));
            assert!(may_change, "{name}: byte {at:#x} changed");
        }
    }
    assert!(exact * 10 > count * 7, "{exact} of {count} pictures are exact");
    assert!(left_out < 4, "{left_out} pictures are not stored as textures");
    assert!(read_only > 0, "the compressed members of a sample are refused");
    // All formats in the samples, which lack only indices with 16 and 32 bits and a kind of blocks.
    assert!(formats.len() >= 7, "formats {formats:?}");
}

#[test]
fn packed_parts_stay_as_short_as_those_of_the_game() {
    let (mut parts, mut same) = (0, 0);
    for path in samples() {
        let bytes = std::fs::read(&path).expect("readable");
        let name = path.display().to_string();
        let Some(opened) = open(&name, &bytes) else { continue };
        let Some(packing) = opened.format.descriptor().packing else { continue };
        let file = View::new(&bytes, 0, opened.format.name(), FileRole::Input);
        let textures = stored_textures(&opened.content).map_or(&[][..], |(_, textures)| textures);
        let storages = textures.iter().filter_map(|texture| texture.storage.as_ref());
        let packed: BTreeSet<u64> =
            storages.flat_map(|storage| &storage.levels).filter_map(|level| level.at.packed).collect();
        let contents = (packing.unpack)(file, &packed).expect("unpacked");
        for (at, contents) in contents {
            let one = BTreeMap::from([(at, contents)]);
            let again = match (packing.replace)(file, &one) {
                Err(error) if is_read_only(&error) => continue,
                again => again.expect("packed"),
            };
            assert_eq!(again.len(), bytes.len(), "{name}: part {at:#x} does not grow");
            let view = View::new(&again, 0, "mml2", FileRole::Input);
            let found = (packing.unpack)(view, &BTreeSet::from([at]));
            assert!(found == Ok(one), "{name}: part {at:#x} unpacks to the same");
            parts += 1;
            same += usize::from(again == bytes);
        }
    }
    eprintln!("{same} of {parts} packed parts are the same, to the byte");
    assert!(parts > 0, "the sample has packed images");
}
