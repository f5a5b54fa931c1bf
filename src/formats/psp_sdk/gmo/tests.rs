//! Tests GMO models.

mod build;
mod damage;
mod drawing;
mod materials;
mod motions;
mod textures;

use super::GmoProblem;
use crate::formats::{Content, Request, open};
use crate::ge::address::Address;
use crate::ge::opcode::Opcode;
use crate::model::matrix::Affine;
use crate::model::{MatrixUpload, Model};

/// Opens a file, which has to be a GMO model.
fn model(bytes: &[u8]) -> Model {
    let opened = open(&Request::new("model.gmo", bytes)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(opened.format.name(), "gmo", "recognised");
    match opened.content {
        Content::Model(model) => *model,
        other => panic!("a model, not {other:?}"),
    }
}

fn notes(model: &Model) -> Vec<String> {
    crate::formats::tests::texts(&model.notes)
}

/// Reads the words from `start` up to `end`.
fn words(model: &Model, start: Address, end: Address) -> Vec<u32> {
    let mut words = Vec::new();
    let mut at = start;
    while at < end {
        words.push(model.memory.read_u32(at));
        at = at.offset(4);
    }
    words
}

/// Returns the argument last given to this opcode before a part is called.
fn argument(model: &Model, part: usize, opcode: Opcode) -> u32 {
    let words = words(model, model.entry, model.parts[part].call);
    let found = words.iter().rev().find(|word| **word >> 24 == u32::from(opcode.code()));
    found.map_or_else(|| panic!("no {}", opcode.name()), |word| word & 0xFF_FFFF)
}

fn float(model: &Model, part: usize, opcode: Opcode) -> f32 {
    f32::from_bits(argument(model, part, opcode) << 8)
}

/// Reads an uploaded matrix from the list.
fn matrix(model: &Model, upload: &MatrixUpload) -> Affine {
    let words = words(model, upload.at, upload.at.offset(48));
    words.iter().map(|word| f32::from_bits(word << 8)).collect::<Vec<_>>().try_into().expect("twelve")
}

/// Returns all arguments to this opcode in a part's list.
fn in_part(model: &Model, part: usize, opcode: Opcode) -> Vec<u32> {
    let range = &model.parts[part].list;
    let words = words(model, range.start, range.end);
    words
        .into_iter()
        .filter(|word| word >> 24 == u32::from(opcode.code()))
        .map(|word| word & 0xFF_FFFF)
        .collect()
}

/// Checks that numbers are equal, up to the list's precision.
fn assert_near(found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (one, other) in found.iter().zip(expected) {
        assert!((one - other).abs() < 1e-3 * other.abs().max(1.0), "{what}: {found:?} for {expected:?}");
    }
}
