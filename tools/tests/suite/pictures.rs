//! Tests of commands that draw, and commands that compare pictures.

mod compare;
mod pack;
mod render;
mod test;
mod texture_pack;
mod textures;
