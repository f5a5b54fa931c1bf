//! Reads packs from ZIP archives.

use std::borrow::Cow;
use std::fmt;
use std::io::{Cursor, Read};
use std::sync::Mutex;

use zip::ZipArchive;

use super::pack::{PackError, PackFiles};
use crate::ge::limits::Limits;

/// The files in an archive. Each is unpacked when it is read.
pub struct ZipFiles {
    name: String,
    archive: Mutex<ZipArchive<Cursor<Vec<u8>>>>,
    limits: Limits,
}

impl fmt::Debug for ZipFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ZipFiles").field("name", &self.name).finish_non_exhaustive()
    }
}

impl ZipFiles {
    /// Opens an archive. `name` is for messages.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(name: String, bytes: Vec<u8>, limits: Limits) -> Result<Self, PackError> {
        match ZipArchive::new(Cursor::new(bytes)) {
            Ok(archive) => Ok(Self { name, archive: Mutex::new(archive), limits }),
            Err(error) => Err(PackError::File { file: name, message: error.to_string() }),
        }
    }
}

impl PackFiles for ZipFiles {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn is_archive(&self) -> bool {
        true
    }

    fn names(&self) -> Vec<String> {
        let Ok(archive) = self.archive.lock() else { return Vec::new() };
        // Nobody can ask for names that cannot be read, so these are left out.
        let files = archive.file_names().filter_map(|name| name.ok().map(Cow::into_owned));
        let mut names: Vec<String> = files.filter(|name| !name.ends_with('/')).collect();
        names.sort();
        names
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let mut archive = self.archive.lock().map_err(|error| error.to_string())?;
        let file = match archive.by_name(name) {
            Ok(file) => file,
            Err(zip::result::ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let most = self.limits.decoded_bytes;
        let mut bytes = Vec::new();
        // The declared size may be wrong, so this counts the bytes as they are unpacked.
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        if bytes.len() as u64 > most {
            return Err(format!("larger than {most} bytes when unpacked"));
        }
        Ok(Some(bytes))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;
    use crate::ge::limits::Limit;

    #[test]
    fn files_are_unpacked_within_the_limit() {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for name in ["textures.ini", "a/b.png"] {
            writer.start_file(name, SimpleFileOptions::default()).expect("a new member");
            writer.write_all(&[7; 1000]).expect("room");
        }
        let bytes = writer.finish().expect("room").into_inner();
        let open = |limits| ZipFiles::open("pack.zip".to_owned(), bytes.clone(), limits).expect("an archive");
        let files = open(Limits::default());
        assert_eq!(
            (files.names(), files.is_archive()),
            (vec!["a/b.png".to_owned(), "textures.ini".to_owned()], true)
        );
        assert_eq!(files.read("a/b.png"), Ok(Some(vec![7; 1000])));
        assert_eq!(files.read("b.png"), Ok(None), "no such file");
        let small = open(Limits::default().with(Limit::DecodedBytes, 999));
        assert!(small.read("a/b.png").is_err(), "a byte too large");
        assert!(ZipFiles::open(String::new(), bytes[..50].to_vec(), Limits::default()).is_err(), "damaged");
    }
}
