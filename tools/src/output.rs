//! Writes results: standard output, files and PNG pictures.
//!
//! # Invariants
//! * Kept output takes little memory, because long output goes to a temporary file without a name.
//! * A file gets its name only when complete; until then it is a temporary file in the same folder.
//! * A file is never overwritten if this run has read it, or has written it before.
//! * An interrupt leaves no temporary file.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once};

use tempfile::{NamedTempFile, SpooledTempFile, TempDir};

use crate::terminal::colors::{Mark, Stream};
use crate::terminal::failure::Failure;
use crate::terminal::interrupt;
use crate::terminal::progress::BesideBar;

/// Keeps this many bytes of output in memory. Longer output goes to a temporary file.
const KEPT_IN_MEMORY: usize = 256 << 10;

/// Standard output, or in a batch an input's kept output.
pub(crate) enum Output {
    Stdout(BufWriter<BesideBar<Stdout>>),
    /// Output to print later.
    Kept(BufWriter<SpooledTempFile>),
}

/// An input's complete output in a batch.
#[derive(Debug)]
pub(crate) struct KeptOutput(SpooledTempFile);

impl Output {
    pub(crate) fn new() -> Self {
        Self::Stdout(BufWriter::new(BesideBar(io::stdout())))
    }

    pub(crate) fn kept() -> Self {
        Self::Kept(BufWriter::new(SpooledTempFile::new(KEPT_IN_MEMORY)))
    }

    /// Returns the kept output, or `None` if nothing was printed.
    ///
    /// # Errors
    /// If the temporary file cannot be written.
    pub(crate) fn into_kept(self) -> Result<Option<KeptOutput>, Failure> {
        let Self::Kept(writer) = self else { return Ok(None) };
        let finish = || {
            let mut file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
            let is_empty = file.stream_position()? == 0;
            file.rewind()?;
            Ok((!is_empty).then_some(KeptOutput(file)))
        };
        finish().map_err(|error| temporary_failure(&error))
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(stdout) => stdout,
            Self::Kept(file) => file,
        }
    }

    /// Describes an error in this output.
    fn failure(&self, error: &io::Error) -> Failure {
        match self {
            Self::Stdout(_) => stdout_failure(error),
            Self::Kept(_) => temporary_failure(error),
        }
    }

    /// Prints an input's output, after a line with its name if `has_title`.
    pub(crate) fn part(&mut self, input: &str, kept: KeptOutput, has_title: bool) -> Result<(), Failure> {
        if has_title {
            self.marked_line("==> ", Mark::Title, input, " <==")?;
        }
        let KeptOutput(mut file) = kept;
        let mut piece = [0; 1 << 13];
        loop {
            let length = file.read(&mut piece).map_err(|error| temporary_failure(&error))?;
            let Some(bytes @ [_, ..]) = piece.get(..length) else { return Ok(()) };
            self.writer().write_all(bytes).map_err(|error| self.failure(&error))?;
        }
    }

    /// Prints a line. Control characters are replaced, because names from files may contain escape sequences.
    pub(crate) fn line(&mut self, text: std::fmt::Arguments<'_>) -> Result<(), Failure> {
        let text = printable(text.to_string());
        writeln!(self.writer(), "{text}").map_err(|error| self.failure(&error))
    }

    /// Prints a line with a word in a colour.
    pub(crate) fn marked_line(
        &mut self,
        before: &str,
        mark: Mark,
        word: &str,
        after: &str,
    ) -> Result<(), Failure> {
        let [before, word, after] = [before, word, after].map(|text| printable(text.to_owned()));
        let word = mark.paint(&word, Stream::Stdout);
        writeln!(self.writer(), "{before}{word}{after}").map_err(|error| self.failure(&error))
    }

    /// Prints a value as JSON: indented if `pretty`, else in a line.
    pub(crate) fn json(&mut self, value: &impl serde::Serialize, pretty: bool) -> Result<(), Failure> {
        let written = if pretty {
            serde_json::to_writer_pretty(self.writer(), value)
        } else {
            serde_json::to_writer(self.writer(), value)
        };
        written.map_err(|error| self.failure(&error.into()))?;
        self.line(format_args!(""))
    }

    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.writer().flush().map_err(|error| self.failure(&error))
    }
}

/// Replaces control characters except line ends and tabs.
fn printable(text: String) -> String {
    let is_control = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t');
    if text.contains(is_control) { text.replace(is_control, "\u{FFFD}") } else { text }
}

/// Describes an error on standard output. A closed pipe is no error, because its reader has seen enough.
fn stdout_failure(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::OutputClosed,
        _ => Failure::file("standard output", error),
    }
}

/// Describes an error in the temporary file for kept output.
fn temporary_failure(error: &io::Error) -> Failure {
    Failure::file(format_args!("a temporary file in {}", std::env::temp_dir().display()), error)
}

/// Writes a file; `-` is standard output.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_with(path, |out| out.write_all(bytes))
}

/// Writes a file whose contents a function produces in pieces; `-` is standard output.
///
/// # Errors
/// If the file is an input or an output of this run, is a folder, or cannot be written.
pub(crate) fn write_with(
    path: &Path,
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    if path == Path::new("-") {
        let mut output = io::stdout().lock();
        return contents(&mut output).and_then(|()| output.flush()).map_err(|error| stdout_failure(&error));
    }
    check_not_input(path)?;
    claim_and_replace(path, true, contents)
}

/// Use this to write a file that this run may have read or written before.
///
/// # Errors
/// If it is a folder, or cannot be written.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    claim_and_replace(path, false, |out| out.write_all(bytes))
}

/// Adds a line of JSON to a file, in a single call, so that an interruption cuts off at most this line.
pub(crate) fn write_json_line(file: &mut File, value: &impl serde::Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)
}

/// Writes a file, and gives it its name only when complete.
fn claim_and_replace(
    path: &Path,
    claims: bool,
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::file(path.display(), &error);
    if path.is_dir() {
        return Err(Failure::file_problem(path.display(), "is-folder", "is a folder"));
    }
    // Devices and pipes are written directly, because a rename would replace them by a file.
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return File::create(path).and_then(|mut file| contents(&mut file)).map_err(failed);
    }
    let mut file = PendingFile::create(path, claims)?;
    contents(&mut file).map_err(failed)?;
    file.finish()
}

/// A file that gets its name only when complete. Until then it is a temporary file in the same folder, removed if it
/// is not finished.
#[derive(Debug)]
pub(crate) struct PendingFile {
    file: NamedTempFile,
    path: PathBuf,
    _cleanup: InterruptCleanup,
}

impl PendingFile {
    /// Creates an output file for this run.
    ///
    /// # Errors
    /// If the file is an input or an output of this run, is no ordinary file, or cannot be created.
    pub(crate) fn new(path: &Path) -> Result<Self, Failure> {
        check_not_input(path)?;
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            let (code, problem) = if path.is_dir() {
                ("is-folder", "is a folder")
            } else {
                ("not-a-file", "is not an ordinary file")
            };
            return Err(Failure::file_problem(path.display(), code, problem));
        }
        Self::create(path, true)
    }

    fn create(path: &Path, claims: bool) -> Result<Self, Failure> {
        // A link stays a link, because its target is replaced instead.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            let problem = format_args!("the folder {} does not exist", folder.display());
            return Err(Failure::file_problem(path.display(), "not-found", problem));
        }
        if claims {
            claim(&path)?;
        }
        let file = temporary_file_builder()
            .tempfile_in(folder)
            .map_err(|error| Failure::file(path.display(), &without_path(&error)))?;
        let cleanup = InterruptCleanup::new(file.path());
        Ok(Self { file, path, _cleanup: cleanup })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Self { file, path, .. } = self;
        file.persist(&path).map_err(|error| Failure::file(path.display(), &error.error))?;
        Ok(())
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Removes the temporary file's path from an error, because it would confuse the user.
fn without_path(error: &io::Error) -> io::Error {
    let inner = error.get_ref().and_then(std::error::Error::source).and_then(|source| source.downcast_ref());
    let code = inner.and_then(io::Error::raw_os_error).or_else(|| error.raw_os_error());
    code.map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}

/// A folder for temporary files, removed in the end and on an interrupt.
pub(crate) struct TemporaryFolder {
    folder: TempDir,
    _cleanup: InterruptCleanup,
}

impl TemporaryFolder {
    /// Creates a folder where the system keeps temporary files.
    ///
    /// # Errors
    /// If it cannot be created.
    pub(crate) fn new() -> Result<Self, Failure> {
        let folder = TempDir::with_prefix("pspge-").map_err(|error| temporary_failure(&error))?;
        let cleanup = InterruptCleanup::new(folder.path());
        Ok(Self { folder, _cleanup: cleanup })
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Temporary files and folders that exist now, to remove on an interrupt.
static TEMPORARY_FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn remove_temporary_files() {
    for path in TEMPORARY_FILES.lock().iter().flat_map(|files| files.iter()) {
        // This may be a file or a folder, so both are tried.
        let _ = std::fs::remove_file(path).or_else(|_| std::fs::remove_dir_all(path));
    }
}

/// While this exists, an interrupt removes the temporary file or folder.
#[derive(Debug)]
struct InterruptCleanup(PathBuf);

impl InterruptCleanup {
    fn new(path: &Path) -> Self {
        static ACTION: Once = Once::new();
        ACTION.call_once(|| interrupt::before_end(remove_temporary_files));
        if let Ok(mut files) = TEMPORARY_FILES.lock() {
            files.insert(path.to_owned());
        }
        Self(path.to_owned())
    }
}

impl Drop for InterruptCleanup {
    fn drop(&mut self) {
        if let Ok(mut files) = TEMPORARY_FILES.lock() {
            files.remove(&self.0);
        }
    }
}

/// Builds temporary files with the permissions of ordinary new files, because by default only the user could read
/// them.
fn temporary_file_builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pspge-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The user's mask reduces this, as for any new file.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

/// Files written by this run.
static OUTPUTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Marks a file as an output. Fails if it is marked already, because several inputs may give files with the same
/// name.
fn claim(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok()).unwrap_or_default();
    let path = folder.join(path.file_name().unwrap_or_default());
    if OUTPUTS.lock().is_ok_and(|mut outputs| !outputs.insert(path.clone())) {
        let problem = "this run has already written this file, for another input";
        return Err(Failure::file_problem(path.display(), "same-output", problem));
    }
    Ok(())
}

/// Files read by this run.
static INPUTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Marks a file as an input, so that it is never overwritten.
pub(crate) fn protect(path: &Path) {
    if let (Ok(mut inputs), Ok(path)) = (INPUTS.lock(), path.canonicalize()) {
        inputs.insert(path);
    }
}

/// Fails if a file is an input to this run.
pub(crate) fn check_not_input(path: &Path) -> Result<(), Failure> {
    if INPUTS.lock().is_ok_and(|inputs| path.canonicalize().is_ok_and(|path| inputs.contains(&path))) {
        let problem = "this file is an input and is not overwritten";
        return Err(Failure::file_problem(path.display(), "is-input", problem));
    }
    Ok(())
}

/// Creates a folder, and those above it if they are missing.
pub(crate) fn create_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder.display(), &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_output_leaves_memory() {
        let lines = |count: usize| {
            let mut out = Output::kept();
            for number in 0..count {
                assert!(out.line(format_args!("line {number}")).is_ok(), "line {number}");
            }
            out.into_kept().expect("it can be kept")
        };
        assert!(lines(0).is_none(), "nothing was printed");
        for (count, is_long) in [(10, false), (KEPT_IN_MEMORY / 8, true)] {
            let KeptOutput(mut file) = lines(count).expect("some output");
            assert_eq!(file.is_rolled(), is_long, "{count} lines");
            let mut text = String::new();
            file.read_to_string(&mut text).expect("the text is complete");
            let expected: String = (0..count).map(|number| format!("line {number}\n")).collect();
            assert!(text == expected, "{count} lines");
        }
    }
}
