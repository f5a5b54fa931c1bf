//! Opens texture packs: folders and ZIP archives.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pspge::Asset;
use pspge::formats::ppdmp::Dump;
use pspge::ge::limits::Limits;
use pspge::texture_pack::pack::{ARCHIVE, PackError, PackFiles, TexturePack};
use pspge::texture_pack::settings::SettingsProblem;
use pspge::texture_pack::zip_files::ZipFiles;

use super::files;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

/// A folder with more files than this is no texture pack.
const FILES_MAX: usize = 200_000;

/// Returns which game a frame dump is from, because its number selects options in a pack.
pub(crate) fn game(asset: &Asset) -> Option<String> {
    asset.dump().and_then(Dump::game)
}

/// Opens a pack for a game.
///
/// # Errors
/// If it cannot be read, or has no usable options.
pub(crate) fn open(path: &Path, game: Option<&str>, limits: &Limits) -> Result<TexturePack, Failure> {
    TexturePack::open(pack_files(path, limits)?, game).map_err(|error| failure(path, &error))
}

/// Finds a pack's files. As in PPSSPP, an archive `textures.zip` in a folder counts instead of the folder's files.
///
/// # Errors
/// If the folder cannot be listed, or the archive cannot be read.
pub(crate) fn pack_files(path: &Path, limits: &Limits) -> Result<Arc<dyn PackFiles>, Failure> {
    let inside = path.join(ARCHIVE);
    let archive = if path.is_dir() { inside.is_file().then_some(&*inside) } else { Some(path) };
    if let Some(archive) = archive {
        let name = archive.display().to_string();
        let files = ZipFiles::open(name, files::read(archive)?, *limits);
        return Ok(Arc::new(files.map_err(|error| failure(archive, &error))?));
    }
    let mut names = Vec::new();
    list(path, "", &mut names)?;
    names.sort();
    Ok(Arc::new(Folder { path: path.to_owned(), names }))
}

/// Notes the ini lines that do not count: file, line, reason.
pub(crate) fn add_problems(problems: &[(String, u32, SettingsProblem)], notes: &mut Notes) {
    for (file, line, problem) in problems {
        notes.list.add("texture-pack", format!("{file}:{line}: {problem}"));
    }
}

/// Explains why a pack cannot be used.
pub(crate) fn failure(path: &Path, error: &PackError) -> Failure {
    match error {
        PackError::Settings { file, error } => Failure::input(file, "texture-pack", None, error),
        PackError::File { file, message } => Failure::file_problem(file, "texture-pack", message),
        _ => Failure::input(&path.display().to_string(), "texture-pack", None, error),
    }
}

/// Adds the files in a folder and its subfolders, without following links to folders.
fn list(folder: &Path, within: &str, names: &mut Vec<String>) -> Result<(), Failure> {
    let wrong = |error| Failure::file(folder.display(), &error);
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let entry = entry.map_err(wrong)?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let name = format!("{within}{name}");
        if entry.file_type().map_err(wrong)?.is_dir() {
            list(&entry.path(), &format!("{name}/"), names)?;
        } else {
            names.push(name);
        }
        if names.len() > FILES_MAX {
            let problem = format!("the folder has more than {FILES_MAX} files");
            return Err(Failure::input(&folder.display().to_string(), "texture-pack", None, problem));
        }
    }
    Ok(())
}

#[derive(Debug)]
struct Folder {
    path: PathBuf,
    names: Vec<String>,
}

impl PackFiles for Folder {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn is_archive(&self) -> bool {
        false
    }

    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let path = self.path.join(name);
        if !path.is_file() {
            return Ok(None);
        }
        files::read_bytes(&path).map(Some).map_err(|error| error.to_string())
    }
}
