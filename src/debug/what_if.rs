//! Runs a list with changes: registers for some events, or other texels.

pub mod edit;
#[doc(hidden)]
pub mod event_scope;
pub mod packed_textures;
mod placed_texels;
pub mod replaced_texture;
