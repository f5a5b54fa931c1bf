//! Round trips through every format of the samples.

use std::path::{Path, PathBuf};

use image::Rgba;

use super::*;
use crate::formats::{self, Request};

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

/// Lists all pictures that the file shows as textures.
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

/// Turns a picture's colours, so that all its pixels change.
fn turned(picture: &RgbaImage) -> RgbaImage {
    let mut turned = picture.clone();
    for Rgba([red, green, blue, _]) in turned.pixels_mut() {
        (*red, *green, *blue) = (*blue, *red, *green);
    }
    turned
}

/// Returns the bytes of texels and palettes that may change.
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
    let plain = places.iter().filter(|(at, _)| at.packed.is_none());
    plain.map(|(at, length)| at.offset..at.offset + length).collect()
}

#[test]
fn changed_pictures_come_back_and_nothing_else_changes() {
    let mut formats = BTreeSet::new();
    for path in samples() {
        let bytes = std::fs::read(&path).expect("readable");
        let name = path.display().to_string();
        let Some(opened) = open(&name, &bytes) else { continue };
        let mut pictures = shown(&opened);
        for new in &mut pictures {
            new.picture = turned(&new.picture);
        }
        // Those that the file does not store are refused, and left out for the others.
        let file = File { name: &name, bytes: &bytes };
        let written = loop {
            if pictures.is_empty() {
                break None;
            }
            match import_textures(&opened, file, &pictures, ImportOptions::default()) {
                Ok(written) => break Some(written),
                Err(ImportError { picture: Some(picture), problem }) => {
                    eprintln!("{name}: picture {picture}: {problem}");
                    pictures.remove(picture);
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
            let Fidelity { differing_pixels, largest_difference } =
                fidelity(&texture.decode(memory, new.palette), &new.picture);
            let share = differing_pixels as f64 / f64::from(new.picture.width() * new.picture.height());
            eprintln!(
                "{name} {} {}: {:?} {share:.3} {largest_difference}",
                new.texture, new.palette, texture.format
            );
            formats.insert(format!("{:?}", texture.format));
        }
        let places = places(&opened);
        let is_packed = opened.format.name() == "mml2" && written.len() != bytes.len();
        for (at, (old, new)) in (0..).zip(bytes.iter().zip(&written)).filter(|_| !is_packed) {
            let may_change = places.iter().any(|place| place.contains(&at));
            assert!(
                old == new || may_change || opened.format.name() == "mml2",
                "{name}: byte {at:#x} changed"
            );
        }
        assert_eq!(written.len() % 4, bytes.len() % 4, "{name}");
    }
    eprintln!("{formats:?}");
}
