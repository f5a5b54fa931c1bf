//! Columns about vertices: layout, matrices, lighting, shading and culling.

use arrow_array::types::{UInt8Type, UInt32Type};

use super::columns::{DrawColumn, code, color, flag, float, number, used_floats};
use super::row::DrawRow;
use crate::documents::state::State;
use crate::ge::float::Float;
use crate::table::column::Column;

pub(super) fn columns() -> Vec<DrawColumn> {
    [layout(), geometry(), material(), lighting()].into_iter().flatten().collect()
}

/// Returns a matrix, or `None` in through mode, which transforms no vertices.
fn transformed<'a>(state: &State, matrix: &'a [Float]) -> Option<&'a [Float]> {
    (!state.vertex.through).then_some(matrix)
}

fn layout() -> Vec<DrawColumn> {
    vec![
        flag("vertex_through", "Whether positions are pixels, which are not transformed.", |state| {
            state.vertex.through
        }),
        code("vertex_position", "Storage of positions.", |state| state.vertex.position.text()),
        code("vertex_normal", "Storage of normals.", |state| state.vertex.normal.text()),
        code("vertex_color", "Storage of colours.", |state| state.vertex.color.text()),
        code("vertex_texcoord", "Storage of texture coordinates.", |state| state.vertex.texcoord.text()),
        code("vertex_weight", "Storage of weights.", |state| state.vertex.weight.text()),
        number::<UInt8Type>("vertex_weights", "Number of weights, 0 to 8.", |state| state.vertex.weights),
        number::<UInt8Type>("vertex_morph_frames", "Number of morph frames, 1 to 8.", |state| {
            state.vertex.morph_frames
        }),
        code("vertex_index", "Width of indices.", |state| state.vertex.index.text()),
        number::<UInt32Type>("vertex_bytes", "Bytes of a vertex, all morph frames included.", |state| {
            state.vertex.bytes
        })
        .unit("bytes"),
    ]
}

/// Matrices, morphing, patches, shading and culling.
fn geometry() -> Vec<DrawColumn> {
    vec![
        used_floats(
            "matrices_world",
            "Model space to world space: four rows of three. A row vector is multiplied from the left. Null in through mode.",
            |state| transformed(state, state.matrices.world.as_flattened()),
        ),
        used_floats(
            "matrices_view",
            "World space to view space: four rows of three. Null in through mode.",
            |state| transformed(state, state.matrices.view.as_flattened()),
        ),
        used_floats(
            "matrices_projection",
            "View space to clip space: four rows of four. Null in through mode.",
            |state| transformed(state, state.matrices.projection.as_flattened()),
        ),
        used_floats(
            "morph_weights",
            "The weights of the eight morph frames. Null without morphing.",
            |state| (state.vertex.morph_frames > 1).then_some(&state.morph.weights),
        ),
        code("shading_mode", "Whether colours are interpolated.", |state| state.shading.mode.text()),
        flag("shading_antialias", "Whether lines are antialiased.", |state| state.shading.antialias),
        flag("culling_enabled", "Whether faces are culled.", |state| state.culling.enabled),
        code("culling_drop", "The faces that culling drops, by their winding on the screen.", |state| {
            state.culling.drop.text()
        }),
        number::<UInt8Type>(
            "patch_u_divisions",
            "Divisions of patches in the u direction; 0 acts as 1.",
            |state| state.patch.u_divisions,
        ),
        number::<UInt8Type>(
            "patch_v_divisions",
            "Divisions of patches in the v direction; 0 acts as 1.",
            |state| state.patch.v_divisions,
        ),
        code("patch_primitive", "The primitive that patches are drawn as.", |state| {
            state.patch.primitive.text()
        }),
        flag("patch_reversed", "Whether normals of patches are negated and front faces swapped.", |state| {
            state.patch.reversed
        }),
        flag("patch_cull", "Whether faces of patches are culled.", |state| state.patch.cull),
    ]
}

fn material() -> Vec<DrawColumn> {
    vec![
        color("material_emissive", "Red, green and blue of the emitted light.", |state| {
            &state.material.emissive
        }),
        color(
            "material_ambient",
            "Red, green, blue and alpha of the ambient colour, which vertices without a colour take.",
            |state| &state.material.ambient,
        ),
        color("material_diffuse", "Red, green and blue of the diffuse colour.", |state| {
            &state.material.diffuse
        }),
        color("material_specular", "Red, green and blue of the specular colour.", |state| {
            &state.material.specular
        }),
        float("material_exponent", "Exponent of specular and powered diffuse light.", |state| {
            state.material.exponent
        }),
        flag("material_update_ambient", "Whether the vertex colour replaces the ambient colour.", |state| {
            state.material.update_ambient
        }),
        flag("material_update_diffuse", "Whether the vertex colour replaces the diffuse colour.", |state| {
            state.material.update_diffuse
        }),
        flag(
            "material_update_specular",
            "Whether the vertex colour replaces the specular colour.",
            |state| state.material.update_specular,
        ),
    ]
}

fn lighting() -> Vec<DrawColumn> {
    vec![
        flag("lighting_enabled", "Whether vertices are lit.", |state| state.lighting.enabled),
        color("lighting_ambient", "Red, green, blue and alpha of the ambient light.", |state| {
            &state.lighting.ambient
        }),
        flag(
            "lighting_separate_specular",
            "Whether specular light goes to the secondary colour, which is added after texturing.",
            |state| state.lighting.separate_specular,
        ),
        flag("lighting_reverse_normals", "Whether normals are negated.", |state| {
            state.lighting.reverse_normals
        }),
        Column::list::<UInt8Type>(
            "lighting_lights",
            "Numbers of the lights that are on, 0 to 3, also if lighting is off.",
            |row: &DrawRow, out| {
                let lights = (0..).zip(&row.state.lighting.lights);
                out.extend(lights.filter(|(_, light)| light.enabled).map(|(number, _)| number));
            },
        ),
    ]
}
