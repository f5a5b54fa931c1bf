//! Opens inputs for tests. If a function fails, it panics with the input's name, to say which input is at fault.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pspge::formats::ppdmp::Dump;
use pspge::formats::{self, Content, Opened, Request};
use pspge::ge::capture::Capture;
use pspge::model::{Model, TextureSet};

/// Reads a file.
///
/// # Panics
/// If the file cannot be read.
#[must_use]
pub fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Lists the files and folders directly in `folder`, sorted by name.
///
/// # Panics
/// If the folder cannot be listed.
#[must_use]
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("can be listed").path()).collect();
    paths.sort();
    paths
}

/// Lists all files in `folder` and its subfolders, ordered by name.
///
/// # Panics
/// If a folder cannot be listed.
#[must_use]
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let expand = |path: PathBuf| if path.is_dir() { files_below(&path) } else { vec![path] };
    entries(folder).into_iter().flat_map(expand).collect()
}

/// Opens an input.
///
/// # Panics
/// If the input is refused.
#[must_use]
pub fn open(request: &Request<'_>) -> Opened {
    formats::open(request).unwrap_or_else(|error| panic!("{}: {error}", label(request)))
}

/// Opens a model.
///
/// # Panics
/// If the input is refused or is not a model.
#[must_use]
pub fn model(request: &Request<'_>) -> Model {
    expect_model(&label(request), open(request).content)
}

/// Expects a model; `name` is for the message if it is something else.
///
/// # Panics
/// If the content is not a model.
#[must_use]
pub fn expect_model(name: &str, content: Content) -> Model {
    match content {
        Content::Model(model) => *model,
        other => panic!("{name}: not a model but {other:?}"),
    }
}

/// Opens a file with textures.
///
/// # Panics
/// If the input is refused or holds something else.
#[must_use]
pub fn textures(request: &Request<'_>) -> TextureSet {
    match open(request).content {
        Content::Textures(set) => set,
        other => panic!("{}: not textures but {other:?}", label(request)),
    }
}

/// Opens a frame dump: its capture, to replay it, and its records.
///
/// # Panics
/// If the input is refused or is not a frame dump.
#[must_use]
pub fn frame_dump(name: &str, bytes: &[u8]) -> (Box<Capture>, Arc<Dump>) {
    match open(&Request::new(name, bytes)).content {
        Content::Frame { capture, recording, .. } => {
            (capture, recording.downcast().expect("the only format of frames"))
        }
        other => panic!("{name}: not a frame dump but {other:?}"),
    }
}

/// Names an input for messages, with its member if the request selects one.
fn label(request: &Request<'_>) -> String {
    let name = request.input.name;
    request.member.map_or_else(|| name.to_owned(), |member| format!("{name}#{member}"))
}
