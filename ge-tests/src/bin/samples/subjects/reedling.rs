//! The sample in Birth by Sleep's formats: a potted plant that sways, and a garden of them.
//!
//! It uses what the public files of these formats lack: bones, every vertex format, both mesh lists, all blend modes,
//! visibility groups, moving textures, textures of every depth, animations with every kind of channel, instances
//! that share models. Source of the formats: `formats/pmo-bbs.md`.

mod animations;
mod garden;
mod plant;
mod textures;

use crate::formats::bbs::{arc, bon, pmo};

/// The sample's files: names and bytes.
pub(crate) fn files() -> Vec<(&'static str, Vec<u8>)> {
    let plant = plant::model();
    let whole = pmo::write(&plant, None);
    // The same with its leaves' texture in another file.
    let without = pmo::write(&plant, Some(textures::LEAF));
    let leaf = textures::leaf();
    let animations = animations::file(&plant::skeleton());
    let members: [(&str, Option<&[u8]>); 4] = [
        ("reedling.pmo", Some(&without)),
        ("reedling.pam", Some(&animations)),
        ("Leaf.tm2", Some(&leaf)),
        ("common.arc", None),
    ];
    vec![
        ("reedling.arc", arc::write(&members)),
        ("reedling.pmo", whole),
        ("reedling.pam", animations),
        ("reedling.bon", bon::write(&plant::skeleton())),
        ("reedling.pmp", garden::file()),
        ("swatches.tm2", textures::swatches()),
    ]
}
