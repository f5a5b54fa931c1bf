//! Runs a list with changes: registers for some events, or other texels.

pub mod edit;
pub mod event_scope;
pub mod packed_textures;
pub mod replaced_texture;
