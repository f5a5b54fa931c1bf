//! Counts a model's contents, as facts to show.

use super::curve::{Curve, Interpolation};
use super::read::Gmo;
use super::scene::{Arrays, Draw, Indices, Scene, Shape};
use crate::model::ModelInfo;

/// Counts the parts of a model. The caller fills in the counts of drawn parts later.
pub(super) fn of(gmo: &Gmo<'_>, scene: &Scene<'_>) -> ModelInfo {
    let draws = || scene.parts.iter().flat_map(|part| part.meshes.iter().flat_map(|mesh| &mesh.draws));
    let arrays = || scene.parts.iter().flat_map(|part| &part.arrays);
    let curves = || scene.motions.iter().flat_map(|motion| motion.curves.iter().flatten());
    let of_shape = |kinds: &[u8]| draws().filter(|draw| is_kind(draw, kinds)).count() as u64;
    let most = |value: fn(&Arrays<'_>) -> usize| arrays().map(value).max().unwrap_or(0) as u64;
    let of_curve = |kind: Interpolation| curves().filter(|curve| curve.interpolation == kind).count() as u64;
    let count = |items: usize| items as u64;
    let blended = scene.bones.iter().map(|bone| bone.blend_bones.len()).max().unwrap_or(0);
    ModelInfo {
        format: "gmo",
        version: Some("1.00".to_owned()),
        meshes: scene.parts.iter().map(|part| part.meshes.len()).sum(),
        groups: 0,
        draws: 0,
        vertices: arrays().map(|arrays| arrays.count as usize).fold(0, usize::saturating_add),
        triangles: draws().map(triangles).fold(0, usize::saturating_add),
        materials: scene.materials.len(),
        textures: scene.textures.len(),
        bones: scene.bones.len(),
        extra: vec![
            ("models", count(gmo.scenes.len())),
            ("parts", count(scene.parts.len())),
            ("lines", draws().map(lines).fold(0, u64::saturating_add)),
            ("lists", of_shape(&[0, 1, 3, 6])),
            ("strips", of_shape(&[2, 4])),
            ("fans", of_shape(&[5])),
            (
                "patches",
                draws().filter(|draw| !matches!(draw.shape, Shape::Primitives { .. })).count() as u64,
            ),
            ("indexed", draws().filter(|draw| matches!(draw.indices, Indices::List(_))).count() as u64),
            ("weights", most(|arrays| arrays.vertex_type.weights())),
            ("morph_frames", most(|arrays| arrays.vertex_type.morph_frames())),
            ("blend_bones", count(blended)),
            ("layers", scene.materials.iter().map(|material| count(material.layers.len())).sum()),
            ("motions", count(scene.motions.len())),
            ("curves", count(curves().count())),
            ("curves_constant", of_curve(Interpolation::Constant)),
            ("curves_linear", of_curve(Interpolation::Linear)),
            ("curves_hermite", of_curve(Interpolation::Hermite)),
            ("curves_cubic", of_curve(Interpolation::Cubic)),
            ("curves_spherical", of_curve(Interpolation::Spherical)),
            ("curves_half", count(curves().filter(|curve: &&Curve| curve.is_half).count())),
        ],
    }
}

fn is_kind(draw: &Draw<'_>, kinds: &[u8]) -> bool {
    matches!(draw.shape, Shape::Primitives { kind, .. } if kinds.contains(&kind))
}

/// Counts a draw's triangles as the format's document does.
fn triangles(draw: &Draw<'_>) -> usize {
    let Shape::Primitives { kind, vertices, count } = draw.shape else { return 0 };
    let each = match kind {
        // A list may be a single primitive with many vertices, or many with three.
        3 => return usize::try_from(draw.shape.vertices() / 3).unwrap_or(usize::MAX),
        4 | 5 => vertices.saturating_sub(2),
        _ => 0,
    };
    (each as usize).saturating_mul(count as usize)
}

fn lines(draw: &Draw<'_>) -> u64 {
    let Shape::Primitives { kind, vertices, count } = draw.shape else { return 0 };
    match kind {
        1 => draw.shape.vertices() / 2,
        2 => u64::from(vertices.saturating_sub(1)).saturating_mul(count.into()),
        _ => 0,
    }
}
