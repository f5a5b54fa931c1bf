//! Reads input files and the files next to them.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pspge::formats::{FileError, FileProvider, ProvidedFile};

use crate::input::path_text;
use crate::output;
use crate::terminal::failure::Failure;

/// Larger inputs, in bytes, are refused, because the machine's memory is far smaller.
const LARGEST: u64 = 256 << 20;

/// Reads a file, or standard input if the path is `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    read_bytes(path).map_err(|error| Failure::file(display_name(path), &error))
}

fn display_name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Does the same, but keeps the system's error.
pub(crate) fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = look_at(path)?;
    if path != Path::new("-") {
        output::protect(&path_text::path(path));
    }
    Ok(bytes)
}

/// Reads a file that may turn out to be no input, so it may be overwritten.
pub(crate) fn look_at(path: &Path) -> io::Result<Vec<u8>> {
    let path = &path_text::path(path);
    let mut bytes = Vec::new();
    let length = if path == Path::new("-") {
        io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)?
    } else {
        if path.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
        }
        File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?
    };
    if length as u64 > LARGEST {
        let problem = format!("larger than {} MiB", LARGEST >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    Ok(bytes)
}

/// A folder with possible companions for INPUT.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// INPUT's own path, to leave it out of the folder's names.
    input: Option<PathBuf>,
}

impl Folder {
    /// Opens a folder named on the command line.
    ///
    /// # Errors
    /// If the folder cannot be listed.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        std::fs::read_dir(path).map_err(|error| Failure::file(path.display(), &error))?;
        Ok(Self { path: path.to_owned(), input: None })
    }

    /// Returns the folder around INPUT, or the current folder for standard input.
    pub(crate) fn around(input: &Path) -> Self {
        Self { path: input.parent().map(Path::to_owned).unwrap_or_default(), input: Some(input.to_owned()) }
    }

    /// Lists file names as the system has them, except for INPUT's.
    fn entries(&self) -> impl Iterator<Item = OsString> {
        let folder = if self.path.as_os_str().is_empty() { Path::new(".") } else { &self.path };
        // Companions are optional, so it is no error if INPUT's folder cannot be listed.
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let files = entries.filter(|entry| entry.path().is_file()).map(|entry| entry.file_name());
        files.filter(|name| self.input.as_ref() != Some(&self.path.join(name)))
    }

    /// Lists at most `most` file names as text, sorted.
    fn texts(&self, most: usize) -> Vec<String> {
        let mut names: Vec<String> =
            self.entries().take(most).map(|name| path_text::decoded(&name)).collect();
        names.sort();
        names
    }
}

impl FileProvider for Folder {
    fn folder(&self) -> String {
        path_text::shown(&self.path)
    }

    fn names(&self) -> Vec<String> {
        self.texts(usize::MAX)
    }

    fn few(&self, most: usize) -> Option<Vec<String>> {
        let names = self.texts(most.saturating_add(1));
        (names.len() <= most).then_some(names)
    }

    fn read(&self, name: &str) -> Result<Option<ProvidedFile>, FileError> {
        let mut path = self.path.join(name);
        if !path.is_file() {
            // Only a name with other letters may be in another encoding.
            let is_wanted = |found: &OsString| path_text::decoded(found) == name;
            match self.entries().find(is_wanted).filter(|_| !name.is_ascii()) {
                Some(found) => path = self.path.join(found),
                None => return Ok(None),
            }
        }
        let name = path_text::shown(&path);
        // Files that a model uses are protected once it is open.
        match look_at(&path) {
            Ok(bytes) => Ok(Some(ProvidedFile { name, bytes })),
            Err(error) => Err(FileError { name, message: error.to_string() }),
        }
    }
}
