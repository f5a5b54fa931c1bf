//! Texture coordinates and texels, in lanes.

pub(crate) mod emulated_texcoords;
pub(crate) mod filtered_rows;
pub(crate) mod lod_lanes;
pub(crate) mod lod_probe;
pub(crate) mod rectangle_texels;
pub(crate) mod sampler;
pub(crate) mod texcoord_planes;
pub(crate) mod texcoords;
pub(crate) mod texel_copies;
pub(crate) mod texel_expansion;
pub(crate) mod texel_extent;
pub(crate) mod texel_filter;
pub(crate) mod texel_memory;
pub(crate) mod texel_position;
pub(crate) mod texel_rows;
pub(crate) mod texture_cache;
pub(crate) mod texture_state;
