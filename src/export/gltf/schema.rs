//! glTF 2.0 as JSON objects, as far as scenes need them. The glTF 2.0 specification, section 5 (Properties
//! Reference), explains names and meanings.
//!
//! # Invariants
//! No logic. Empty properties are omitted.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

/// Named values for applications to interpret.
pub(super) type Extras = Option<Value>;

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    pub(super) asset: Asset,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) extensions_used: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scene: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) scenes: Vec<Scene>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) cameras: Vec<Camera>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) samplers: Vec<Sampler>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffers: Vec<Buffer>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Asset {
    pub(super) version: &'static str,
    pub(super) generator: &'static str,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Scene {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) nodes: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Extras,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Node {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<usize>,
    /// A matrix with four columns of four, to use instead of the other transforms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) matrix: Option<[f32; 16]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skin: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) camera: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Extras,
}

#[derive(Debug, Serialize)]
pub(super) struct Camera {
    #[serde(rename = "type")]
    pub(super) projection: &'static str,
    pub(super) perspective: Perspective,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Perspective {
    pub(super) aspect_ratio: f32,
    pub(super) yfov: f32,
    pub(super) znear: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) zfar: Option<f32>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Mesh {
    pub(super) name: String,
    pub(super) primitives: Vec<Primitive>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) weights: Vec<f32>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Primitive {
    /// Indices of accessors, by attribute name.
    pub(super) attributes: BTreeMap<String, usize>,
    pub(super) indices: usize,
    pub(super) material: usize,
    pub(super) mode: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) targets: Vec<BTreeMap<String, usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Extras,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    pub(super) name: String,
    pub(super) pbr_metallic_roughness: MetallicRoughness,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) emissive_factor: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) emissive_texture: Option<TextureReference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alpha_mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alpha_cutoff: Option<f32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) double_sided: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<MaterialExtensions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Extras,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MetallicRoughness {
    pub(super) base_color_factor: [f32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) base_color_texture: Option<TextureReference>,
    pub(super) metallic_factor: f32,
    pub(super) roughness_factor: f32,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct TextureReference {
    pub(super) index: usize,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit")]
    pub(super) unlit: Empty,
}

/// Serialises as `{}`.
#[derive(Debug, Default, Serialize)]
pub(super) struct Empty {}

#[derive(Debug, Serialize)]
pub(super) struct Texture {
    pub(super) sampler: usize,
    pub(super) source: usize,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) buffer_view: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Extras,
}

#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sampler {
    pub(super) mag_filter: u32,
    pub(super) min_filter: u32,
    pub(super) wrap_s: u32,
    pub(super) wrap_t: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) name: String,
    pub(super) inverse_bind_matrices: usize,
    pub(super) skeleton: usize,
    pub(super) joints: Vec<usize>,
}

#[derive(Debug, Serialize)]
pub(super) struct Animation {
    pub(super) name: String,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<AnimationSampler>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Extras,
}

#[derive(Debug, Serialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: ChannelTarget,
}

#[derive(Debug, Serialize)]
pub(super) struct ChannelTarget {
    pub(super) node: usize,
    pub(super) path: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct AnimationSampler {
    pub(super) input: usize,
    pub(super) interpolation: &'static str,
    pub(super) output: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: usize,
    pub(super) component_type: u32,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) normalized: bool,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) accessor_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) min: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max: Option<Vec<f64>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
}
