//! Assembly text.

mod errors;
mod properties;
mod textures;
