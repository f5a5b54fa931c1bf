//! The sample in Birth by Sleep's formats: a potted plant that sways, and a garden of them.
//!
//! It uses what the public files of these formats lack: bones, every vertex format, both mesh lists, all blend modes,
//! visibility groups, moving textures, textures of every depth, animations with every kind of channel, instances
//! that share models. Source of the formats: `formats/pmo-bbs.md`.

mod garden;
mod model;
mod motion;
mod pictures;
mod plant;
mod skeleton;

use super::words::{pad, put_u16, put_u32};
use model::Model;

/// The sample's files: names and bytes.
pub(crate) fn files() -> Vec<(&'static str, Vec<u8>)> {
    let plant = plant::model();
    let whole = alone(&plant, None);
    // The same with its leaves' texture in another file.
    let without = alone(&plant, Some(pictures::LEAF));
    let leaf = pictures::leaf();
    let motion = motion::file(&plant::skeleton());
    let members: [(&str, Option<&[u8]>); 4] = [
        ("reedling.pmo", Some(&without)),
        ("reedling.pam", Some(&motion)),
        ("Leaf.tm2", Some(&leaf)),
        ("common.arc", None),
    ];
    vec![
        ("reedling.arc", archive(&members)),
        ("reedling.pmo", whole),
        ("reedling.pam", motion),
        ("reedling.bon", skeleton::file(&plant::skeleton())),
        ("reedling.pmp", garden::file()),
        ("swatches.tm2", pictures::swatches()),
    ]
}

/// A model with its textures behind it, but for the one of this name.
fn alone(model: &Model, elsewhere: Option<&str>) -> Vec<u8> {
    let mut file = model.bytes();
    for (number, texture) in model.textures.iter().enumerate() {
        if Some(texture.name) == elsewhere {
            continue;
        }
        pad(&mut file, 16);
        let offset = file.len();
        Model::set_texture(&mut file, 0, number, offset);
        file.extend(&texture.file);
    }
    file
}

/// A container; members without bytes stand in another one.
fn archive(members: &[(&str, Option<&[u8]>)]) -> Vec<u8> {
    let mut file = b"ARC\0".to_vec();
    put_u16(&mut file, 1);
    put_u16(&mut file, members.len());
    file.resize(0x10, 0);
    let mut offset = 0x10 + 0x20 * members.len();
    for (name, bytes) in members {
        let length = bytes.map_or(0, <[u8]>::len);
        let (folder, at) = if bytes.is_some() { (0, offset) } else { (0x4546_4645, 0) };
        for value in [folder, at, length, 0] {
            put_u32(&mut file, value);
        }
        let end = file.len() + 16;
        file.extend(name.as_bytes());
        file.resize(end, 0);
        offset += length.next_multiple_of(16);
    }
    for bytes in members.iter().filter_map(|(_, bytes)| *bytes) {
        file.extend(bytes);
        pad(&mut file, 16);
    }
    file
}
