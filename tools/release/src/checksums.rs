//! Writes SHA-256 checksums for `sha256sum --check`.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

/// The file for all checksums.
pub const FILE: &str = "SHA256SUMS";

/// Makes a line for each file: checksum, two blanks, name without the folder.
///
/// # Errors
///
/// If a file cannot be read.
pub fn lines(files: &[PathBuf]) -> Result<String> {
    let mut lines = String::new();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let sum = checksum(path).with_context(|| path.display().to_string())?;
        lines.push_str(&format!("{sum}  {name}\n"));
    }
    Ok(lines)
}

/// Returns a file's checksum in hexadecimal digits.
fn checksum(path: &Path) -> io::Result<String> {
    let (mut file, mut hasher) = (File::open(path)?, Sha256::new());
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        hasher.update(&buffer[..count]);
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_sha256sum() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("abc.txt");
        std::fs::write(&path, "abc").expect("a file");
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  abc.txt\n";
        assert_eq!(lines(&[path]).expect("readable"), expected, "the example of the standard");
        assert!(lines(&[folder.path().join("missing")]).is_err(), "a missing file");
    }
}
