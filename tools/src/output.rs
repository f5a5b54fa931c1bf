//! Where results go: standard output, files, pictures.
//!
//! # Invariants
//! A file appears under its name only when it is whole: it is written under another one beside it first. No file that
//! was read is ever written over. An interruption leaves no half-written file.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once};

use image::{DynamicImage, ImageFormat};

use crate::failure::Failure;

/// Standard output, buffered.
pub(crate) struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    pub(crate) fn new() -> Self {
        Self(BufWriter::new(io::stdout().lock()))
    }

    /// Prints a line, without anything that a terminal would obey: names come from files.
    pub(crate) fn line(&mut self, text: std::fmt::Arguments<'_>) -> Result<(), Failure> {
        let is_command = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t');
        let text = text.to_string();
        let written = if text.contains(is_command) {
            writeln!(self.0, "{}", text.replace(is_command, "\u{FFFD}"))
        } else {
            writeln!(self.0, "{text}")
        };
        written.map_err(|error| closed(&error))
    }

    /// Prints a value as JSON: on one line, or indented.
    pub(crate) fn json(&mut self, value: &impl serde::Serialize, pretty: bool) -> Result<(), Failure> {
        let written = if pretty {
            serde_json::to_writer_pretty(&mut self.0, value)
        } else {
            serde_json::to_writer(&mut self.0, value)
        };
        written.map_err(|error| closed(&error.into()))?;
        self.line(format_args!(""))
    }

    /// Writes everything out.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.0.flush().map_err(|error| closed(&error))
    }
}

fn closed(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::OutputClosed,
        _ => Failure::file("standard output", error),
    }
}

/// Writes a file; a single dash is standard output.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_with(path, |out| out.write_all(bytes))
}

/// Writes a file whose contents come piece by piece; a single dash is standard output.
pub(crate) fn write_with(
    path: &Path,
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    if path == Path::new("-") {
        let mut output = io::stdout().lock();
        return contents(&mut output).and_then(|()| output.flush()).map_err(|error| closed(&error));
    }
    if INPUTS.lock().is_ok_and(|inputs| path.canonicalize().is_ok_and(|path| inputs.contains(&path))) {
        return Err(Failure::file(path.display(), "is an input, and is not written over"));
    }
    let failed = |error: io::Error| Failure::file(path.display(), error);
    if path.is_dir() {
        return Err(Failure::file(path.display(), "is a folder"));
    }
    // Devices and pipes are written as they are.
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return std::fs::File::create(path).and_then(|mut file| contents(&mut file)).map_err(failed);
    }
    // Through a link, to where it leads.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Failure::file(path.display(), format_args!("there is no folder {}", folder.display())));
    }
    let mut file = new_file().tempfile_in(folder).map_err(|error| failed(bare(&error)))?;
    let _unfinished = Unfinished::new(file.path());
    contents(&mut file).map_err(failed)?;
    file.persist(&path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// What went wrong, without the name that nobody asked for.
fn bare(error: &io::Error) -> io::Error {
    let inner = error.get_ref().and_then(std::error::Error::source).and_then(|source| source.downcast_ref());
    let code = inner.and_then(io::Error::raw_os_error).or_else(|| error.raw_os_error());
    code.map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}

/// Files that do not have their final names yet.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file that goes away where the program is interrupted.
struct Unfinished(PathBuf);

impl Unfinished {
    fn new(path: &Path) -> Self {
        static HANDLER: Once = Once::new();
        HANDLER.call_once(|| {
            // Without a handler an interruption leaves the file, which hurts nobody much.
            let _ = ctrlc::set_handler(|| {
                for path in UNFINISHED.lock().iter().flat_map(|unfinished| unfinished.iter()) {
                    let _ = std::fs::remove_file(path);
                }
                // As shells report an interruption.
                std::process::exit(130);
            });
        });
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            unfinished.insert(path.to_owned());
        }
        Self(path.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            unfinished.remove(&self.0);
        }
    }
}

/// How the file is made that becomes the result.
fn new_file() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pspge-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file: what the user's mask leaves.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

/// Files that were read.
static INPUTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Keeps a file from being written over.
pub(crate) fn protect(path: &Path) {
    if let (Ok(mut inputs), Ok(path)) = (INPUTS.lock(), path.canonicalize()) {
        inputs.insert(path);
    }
}

/// Writes a picture as PNG; a single dash is standard output.
pub(crate) fn write_png(path: &Path, picture: &DynamicImage) -> Result<(), Failure> {
    let mut bytes = io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).map_err(|error| Failure::file(path.display(), error))?;
    write(path, bytes.get_ref())
}
