//! Builds a potted plant that sways, and a garden of such plants, in Birth by Sleep's formats.
//!
//! They cover features missing in these formats' public files: bones, every vertex format, both mesh lists, all blend
//! modes, visibility groups, scrolling textures, textures with every depth, animations with every type of channel, and
//! instances that share models.

mod animations;
mod garden;
mod plant;
mod textures;

use crate::formats::bbs::{arc, bon, pmo};

/// Returns all files by name.
pub(crate) fn files() -> Vec<(&'static str, Vec<u8>)> {
    let plant = plant::model();
    let whole = pmo::write(&plant, None);
    // This is the same model, with the leaf texture in another file.
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
