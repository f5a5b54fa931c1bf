//! Tests of GIM pictures.

mod build;
mod damage;
mod formats;
mod frames;

use image::Rgba;

use super::GimProblem;
use crate::formats::{Content, Request, open};
use crate::model::Model;

/// Opens a file, which has to be a GIM picture.
fn model(bytes: &[u8]) -> Model {
    let opened = open(&Request::new("picture.gim", bytes)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(opened.format.name(), "gim", "recognised");
    match opened.content {
        Content::Model(model) => *model,
        other => panic!("a model, not {other:?}"),
    }
}

/// Decodes a texture's first level.
fn texels(model: &Model, texture: usize) -> Vec<[u8; 4]> {
    model.textures[texture].decode(&model.memory, 0).pixels().map(|Rgba(color)| *color).collect()
}

/// Returns the name of each texture, empty for those without.
fn names(model: &Model) -> Vec<&str> {
    model.textures.iter().map(|texture| texture.name.as_deref().unwrap_or("")).collect()
}

/// Returns the problem for which a file is refused.
fn refused(bytes: &[u8]) -> GimProblem {
    let error = open(&Request::new("picture.gim", bytes)).expect_err("no picture");
    error.problem_as::<GimProblem>().unwrap_or_else(|| panic!("{error:?}")).clone()
}

fn notes(model: &Model) -> Vec<String> {
    crate::formats::tests::texts(&model.notes)
}
