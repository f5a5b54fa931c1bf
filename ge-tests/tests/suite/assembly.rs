//! Tests of assembly text: messages on mistakes, the way to words and back, pictures in it.

mod errors;
mod properties;
mod textures;
