//! Writes archives to download: `.tar.gz`, and `.zip` for Windows. Equal content gives equal bytes.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Path inside the archive, with `/`.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Whether it is a program or a shared library.
    pub is_executable: bool,
}

impl Member {
    /// Makes a plain file.
    #[must_use]
    pub fn file(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), bytes: bytes.into(), is_executable: false }
    }

    /// Makes a program or a shared library.
    #[must_use]
    pub fn program(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { is_executable: true, ..Self::file(path, bytes) }
    }

    /// Returns the permissions on Unix.
    fn mode(&self) -> u32 {
        if self.is_executable { 0o755 } else { 0o644 }
    }
}

/// Writes an archive: as `.zip` if `path` has this extension, or else as tar with gzip. Members go into `folder`,
/// sorted by path. `time` is in seconds since 1970; `.zip` does not use it.
///
/// # Errors
///
/// If the archive cannot be written.
pub fn write(path: &Path, folder: &str, mut members: Vec<Member>, time: u64) -> Result<()> {
    members.sort_by(|a, b| a.path.cmp(&b.path));
    let file = File::create(path).with_context(|| path.display().to_string())?;
    let written = if path.extension().is_some_and(|extension| extension == "zip") {
        write_zip(file, folder, &members)
    } else {
        write_tar(file, folder, &members, time)
    };
    written.with_context(|| path.display().to_string())
}

fn write_tar(file: File, folder: &str, members: &[Member], time: u64) -> Result<()> {
    let mut archive = tar::Builder::new(GzEncoder::new(file, Compression::best()));
    for member in members {
        let mut header = tar::Header::new_gnu();
        header.set_mode(member.mode());
        header.set_size(member.bytes.len() as u64);
        header.set_mtime(time);
        archive.append_data(&mut header, format!("{folder}/{}", member.path), &member.bytes[..])?;
    }
    archive.into_inner()?.finish()?.sync_all()?;
    Ok(())
}

fn write_zip(file: File, folder: &str, members: &[Member]) -> Result<()> {
    let mut archive = ZipWriter::new(file);
    for member in members {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .unix_permissions(member.mode());
        archive.start_file(format!("{folder}/{}", member.path), options)?;
        archive.write_all(&member.bytes)?;
    }
    archive.finish()?.sync_all()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn members() -> Vec<Member> {
        vec![Member::program("pspge", *b"\x7fELF"), Member::file("README.md", "# pspge\n")]
    }

    #[test]
    fn archives_hold_their_members_in_one_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.tar.gz");
        write(&path, "a", members(), 1_700_000_000).expect("written");
        let file = File::open(&path).expect("an archive");
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(file));
        let mut found = Vec::new();
        for entry in archive.entries().expect("entries") {
            let mut entry = entry.expect("an entry");
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).expect("content");
            let header = entry.header();
            let mode = header.mode().expect("a mode");
            assert_eq!(header.mtime().expect("a time"), 1_700_000_000, "the given time");
            found.push((entry.path().expect("a path").display().to_string(), mode, bytes));
        }
        let expected = [
            ("a/README.md".to_owned(), 0o644, b"# pspge\n".to_vec()),
            ("a/pspge".to_owned(), 0o755, b"\x7fELF".to_vec()),
        ];
        assert_eq!(found, expected, "sorted, with permissions");

        let path = folder.path().join("a.zip");
        write(&path, "a", members(), 0).expect("written");
        let mut archive =
            zip::ZipArchive::new(File::open(&path).expect("an archive")).expect("a ZIP archive");
        let mut program = archive.by_name("a/pspge").expect("the program");
        let mut bytes = Vec::new();
        program.read_to_end(&mut bytes).expect("content");
        assert_eq!((bytes.as_slice(), program.unix_mode()), (&b"\x7fELF"[..], Some(0o100_755)), "as given");
    }

    #[test]
    fn equal_content_gives_equal_archives() {
        let folder = tempfile::tempdir().expect("a folder");
        for extension in ["tar.gz", "zip"] {
            let [first, second] = ["1", "2"].map(|name| {
                let path = folder.path().join(format!("{name}.{extension}"));
                let mut members = members();
                if name == "2" {
                    members.reverse();
                }
                write(&path, "a", members, 7).expect("written");
                std::fs::read(path).expect("an archive")
            });
            assert!(first == second, "{extension}: the order of members does not count");
        }
        assert!(write(&folder.path().join("missing/a.zip"), "a", members(), 0).is_err(), "no folder");
    }
}
