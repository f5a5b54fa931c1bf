//! Compares decoded Birth by Sleep models with the oracle.

use pspge::model::Model;
use pspge::scene::render;

use crate::bbs_oracle::OracleDraw;

/// Compares each vertex in every draw.
///
/// # Panics
/// If positions differ by more than `precision` times the model's size, to allow for 16-bit matrices and sums in single
/// precision; or if anything else differs.
pub fn assert_geometry(name: &str, model: &Model, oracle: &[OracleDraw], precision: f64) {
    let decoded = render::geometry(model);
    assert_eq!(decoded.draws().len(), oracle.len(), "{name}: draws");
    let positions = oracle.iter().flat_map(|draw| &draw.positions).flatten();
    let size = positions.fold(0.0, |size: f64, value| size.max(value.abs()));
    for (draw, expected) in decoded.draws().iter().zip(oracle) {
        let what = format!("{name}: draw {} of section {}", draw.number, expected.section);
        assert_eq!(draw.vertices.len(), expected.positions.len(), "{what}: vertices");
        let triangles: Vec<[usize; 3]> =
            draw.triangles.iter().map(|triangle| triangle.map(|corner| corner as usize)).collect();
        assert_eq!(triangles, expected.triangles, "{what}: triangles");
        assert_eq!(draw.has_colors(), !expected.colors.is_empty(), "{what}: colours");
        assert_eq!(draw.has_texcoords(), !expected.uvs.is_empty(), "{what}: texture coordinates");
        assert_eq!(draw.vertex_type.weights(), expected.weights, "{what}: weights");
        for (number, (vertex, position)) in draw.vertices.iter().zip(&expected.positions).enumerate() {
            for (found, expected) in vertex.position.into_iter().zip(position) {
                let apart = (f64::from(found) - expected).abs();
                assert!(apart <= precision * size, "{what}, vertex {number}: {found} for {expected}");
            }
        }
        for (vertex, uv) in draw.vertices.iter().zip(&expected.uvs) {
            for (found, expected) in vertex.texcoord.into_iter().zip(uv) {
                let apart = (f64::from(found) - expected).abs();
                assert!(apart <= 1e-4 * expected.abs().max(1.0), "{what}: {found} for {expected}");
            }
        }
        let colors: Vec<[u8; 4]> = draw.vertices.iter().map(|vertex| vertex.color).collect();
        assert!(expected.colors.is_empty() || colors == expected.colors, "{what}: colours of vertices");
        let part = model.part_at(draw.at).unwrap_or_else(|| panic!("{what}: belongs to no part"));
        // Slots beyond the weight count are unused, so this does not compare them.
        let bones: Vec<Option<u32>> = part.palette.iter().copied().take(expected.weights).collect();
        let wanted: Vec<Option<u32>> =
            expected.bones.iter().map(|&bone| Some(u32::from(bone))).take(expected.weights).collect();
        assert_eq!(bones, wanted, "{what}: bones");
    }
}
