//! Collects the files for the bundled sample models.
//!
//! # Invariants
//! The bytes are the same on every machine, so that a test can compare the committed files with the generated files.
//! This code makes all content itself.

use std::path::{Path, PathBuf};

use crate::formats::pmo::companions::{ahi, pac, tmh};
use crate::formats::pmo::{self, Version};
use crate::modelling::mesh::Group;
use crate::subjects::wyvern::{self, anatomy, animations, textures};
use crate::subjects::{anemone, beacon, candle, harbour, orchard, reedling, robot, rover};

/// Returns all files by name.
pub(crate) fn files() -> Vec<(&'static str, Vec<u8>)> {
    let (meshes, materials) = (wyvern::meshes(), wyvern::materials());
    let model = pmo::write(&meshes, &materials, Version::Unite);
    let later = pmo::write(&meshes, &materials, Version::Portable3rd);
    let images = [
        textures::skin().to_clut8(),
        textures::membrane().to_clut4(),
        textures::glass().to_4444(),
        textures::eye().to_5650(),
    ];
    let texture_file = tmh(&images);
    let skeleton = |version| ahi(&anatomy::skeleton(), version, animations::part_of);
    let (bones, movements) = (skeleton(Version::Unite), animations::unite());
    let archive = pac(&[&model, &bones, &texture_file, &movements]);
    let mut files = vec![
        ("lampwing.pmo", model),
        ("lampwing.ahi", bones),
        ("lampwing.tmh", texture_file),
        ("lampwing.bin", movements),
        ("lampwing.pac", archive),
        ("lampwing-102.pmo", later),
        ("lampwing-102.ahi", skeleton(Version::Portable3rd)),
        ("lampwing-102.bin", animations::portable3rd()),
        ("robot.bin", robot::archive()),
        ("anemone.pmdl", anemone::general()),
        ("anemone-gx.pmdl", anemone::gx()),
        ("orchard.pmdl", orchard::visible()),
        ("orchard-collision.pmdl", orchard::collision()),
    ];
    files.extend(reedling::files());
    files.extend(rover::files());
    files.extend(candle::files());
    files.extend(beacon::files());
    files.extend(harbour::files());
    files
}

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/sample")
}

/// Counts the wyvern's lists, vertices and triangles, to print them.
pub(crate) fn wyvern_counts() -> [usize; 3] {
    let meshes = wyvern::meshes();
    let groups = || meshes.iter().flat_map(|mesh| &mesh.groups);
    [groups().count(), groups().map(|group| group.vertices.len()).sum(), groups().map(Group::triangles).sum()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn committed_files_equal_the_generated_ones_and_are_small() {
        for (name, bytes) in files() {
            assert!(bytes.len() < 100 * 1024, "{name} has {} bytes", bytes.len());
            let committed = std::fs::read(folder().join(name)).unwrap_or_default();
            let same = committed.iter().zip(&bytes).take_while(|(one, other)| one == other).count();
            assert!(
                committed == bytes,
                "{name} differs at {same:#x} ({} bytes committed, {} generated); run `cargo dev sample`",
                committed.len(),
                bytes.len()
            );
        }
    }
}
