//! Opens parts of files and folders on this machine, as the command's options say.

use std::collections::HashMap;
use std::fs::Metadata;
use std::io::{Cursor, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use pspge::asm;
use pspge::formats::{self, CompanionFile, Format, ListedMember, Member, Request};
use pspge::ge::arithmetic::Arithmetic;
use pspge::inspect::{FileSource, InspectError, InspectedFile, PartFiles, PartSpec};
use pspge::pipeline::texture::content_hash::ContentHash;
use pspge::{Asset, RunSpec};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::batch::arguments::Destination;
use crate::batch::inputs::{Found, files_of};
use crate::input::files;
use crate::input::frame_dump;
use crate::input::options::OpenOptions;
use crate::input::path_text;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

/// How many bytes in a folder's files are read at a time to tell their formats. Further files are listed without a
/// format.
const LOOKED_AT_MAX: u64 = 256 << 20;

/// How many bytes of a folder go into a page as a single file at most, because browsers keep the whole page as text.
const PAGE_MAX: u64 = 128 << 20;

#[derive(Debug)]
pub(crate) struct DiskFile {
    path: String,
    bytes: Vec<u8>,
    options: OpenOptions,
}

impl DiskFile {
    /// Creates a source for a file whose bytes have been read. The page chooses the model options itself.
    pub(crate) fn new(path: &str, bytes: Vec<u8>, options: OpenOptions) -> Self {
        Self { path: path.to_owned(), bytes, options }
    }

    /// Opens a part. With an asset, this is the part's content already.
    pub(crate) fn file(&self, part: &PartSpec, asset: Option<Asset>) -> Result<InspectedFile, InspectError> {
        let asset = asset.map_or_else(|| self.asset(part), Ok)?;
        let (input, options) = (self.input(part), self.options(part));
        let file = InspectedFile::new(&input, &self.bytes, asset, &options.limits());
        Ok(file.with_options(options.words()).in_part(&self.path, part.clone()))
    }

    fn asset(&self, part: &PartSpec) -> Result<Asset, InspectError> {
        let (bytes, notes) = (Some(self.bytes.clone()), &mut Notes::default());
        let (asset, _) = self.options(part).open(&self.input(part), bytes, notes).map_err(refusal)?;
        Ok(asset)
    }

    /// Returns the options that the command takes for a part.
    fn options(&self, part: &PartSpec) -> OpenOptions {
        let mut options = self.options.clone();
        options.model.choose(part);
        options
    }

    /// Returns a part as the command line names it.
    fn input(&self, part: &PartSpec) -> String {
        let path = &self.path;
        part.member.as_ref().map_or_else(|| path.clone(), |member| format!("{path}#{member}"))
    }
}

impl FileSource for DiskFile {
    fn open(&self, part: &PartSpec) -> Result<InspectedFile, InspectError> {
        self.file(part, None)
    }

    fn members(&self, member: Option<&str>) -> Result<Vec<ListedMember>, InspectError> {
        let format = self.options.files.format.as_deref().and_then(Format::from_name);
        let limits = self.options.limits();
        let request = Request { member, format, limits, ..Request::new(&self.path, &self.bytes) };
        formats::list_members(&request).map_err(|error| refusal(Failure::format(&self.path, &error)))
    }

    fn files(&self, part: &PartSpec) -> Result<PartFiles, InspectError> {
        let asset = self.asset(part)?;
        let mut files = vec![(file_name(&self.path).to_owned(), self.bytes.clone())];
        files.extend(companions(&asset).map_err(refusal)?);
        Ok(PartFiles { files, member: part.member.clone() })
    }
}

/// A folder, with its files as members. They are listed again whenever a page asks for them, because files may come
/// and go meanwhile.
#[derive(Debug)]
pub(crate) struct DiskFolder {
    path: String,
    options: OpenOptions,
    found: Mutex<Vec<Found>>,
    described: Mutex<HashMap<String, Described>>,
}

/// Facts from a file's contents, valid as long as its length and time stay the same.
#[derive(Clone, Debug)]
struct Described {
    length: u64,
    modified: Option<SystemTime>,
    row: ListedMember,
}

impl DiskFolder {
    pub(crate) fn new(path: &str, found: Vec<Found>, options: OpenOptions) -> Self {
        Self { path: path.to_owned(), options, found: Mutex::new(found), described: Mutex::default() }
    }

    /// Finds the file that a path leads to, and the part in it. If the file was not there before, this looks into
    /// the folder again.
    fn find(&self, part: &PartSpec) -> Result<(DiskFile, PartSpec), InspectError> {
        let wanted = part.member.as_deref().unwrap_or_default();
        let known = fitting(&lock(&self.found), wanted);
        let (input, member) = known.or_else(|| fitting(&self.look(), wanted)).ok_or_else(|| {
            refusal(Failure::input(
                &self.path,
                "no-member",
                None,
                format_args!("the folder has no file {wanted:?}"),
            ))
        })?;
        let bytes = files::read(Path::new(&input)).map_err(refusal)?;
        let file = DiskFile::new(&input, bytes, self.options.clone());
        Ok((file, PartSpec { member, ..part.clone() }))
    }

    /// Looks which files the folder has now.
    fn look(&self) -> Vec<Found> {
        let found = files_of(&path_text::path(&self.path), &Destination::None);
        lock(&self.found).clone_from(&found);
        found
    }

    /// Lists the files that the folder has now. To tell formats, this reads the contents of files that are new.
    fn list(&self) -> Vec<ListedMember> {
        let found = self.look();
        let mut described = lock(&self.described);
        let mut left = LOOKED_AT_MAX;
        let describe = |(index, found): (usize, &Found)| {
            let name = name_of(found);
            let facts = path_text::path(&found.input).metadata();
            let length = facts.as_ref().map_or(0, Metadata::len);
            let modified = facts.and_then(|facts| facts.modified()).ok();
            let known =
                described.get(&name).filter(|known| (known.length, known.modified) == (length, modified));
            let mut row =
                known.map_or_else(|| described_anew(found, length, &mut left), |known| known.row.clone());
            row.member.index = index;
            (name, Described { length, modified, row })
        };
        let rows: Vec<(String, Described)> = found.iter().enumerate().map(describe).collect();
        let listed = rows.iter().map(|(_, described)| described.row.clone()).collect();
        *described = rows.into_iter().collect();
        listed
    }

    /// Packs all files into an archive, because a page as a single file has no folders. The page compresses it.
    fn archive(&self) -> Result<Vec<u8>, Failure> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        let mut left = PAGE_MAX;
        for found in self.look() {
            let length = path_text::path(&found.input).metadata().map_or(0, |facts| facts.len());
            left = left.checked_sub(length).ok_or_else(|| {
                let most = PAGE_MAX >> 20;
                let problem = format!("the folder has more than {most} MiB, which a page as one file does not hold; name one of its files");
                Failure::input(&self.path, "too-large", None, problem)
            })?;
            let (name, bytes) = self.packed(&found)?;
            let added = writer.start_file(name, plain).and_then(|()| Ok(writer.write_all(&bytes)?));
            added.map_err(|error| Failure::input(&self.path, "archive", None, error))?;
        }
        let written = writer.finish().map_err(|error| Failure::input(&self.path, "archive", None, error))?;
        Ok(written.into_inner())
    }

    /// Returns a file as it goes into the archive. A display list in text becomes a frame dump, because it may name
    /// other files, and because archives hold no text. If it has mistakes, it stays as it is.
    fn packed(&self, found: &Found) -> Result<(String, Vec<u8>), Failure> {
        let bytes = files::read(Path::new(&found.input))?;
        let recorded = if asm::is_assembly(&bytes) { self.recorded(found, bytes.clone()).ok() } else { None };
        let name = name_of(found);
        Ok(recorded.map_or_else(|| (name.clone(), bytes), |dump| (format!("{name}.ppdmp"), dump)))
    }

    fn recorded(&self, found: &Found, text: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let notes = &mut Notes::default();
        let (asset, _) = self.options.open(&found.input, Some(text), notes)?;
        let spec = RunSpec::default().with_arithmetic(Arithmetic::Hardware).limits(self.options.limits());
        let shot = asset.shot(&spec).map_err(|error| Failure::asset(&found.input, &error))?;
        Ok(frame_dump::record(&found.input, shot, notes)?.dump.to_bytes())
    }
}

/// Finds the file that a path leads to in a folder, and the part's path in it.
fn fitting(found: &[Found], wanted: &str) -> Option<(String, Option<String>)> {
    found.iter().find_map(|found| {
        let rest = wanted.strip_prefix(name_of(found).as_str())?;
        let inside = rest.strip_prefix(['/', '#']);
        (rest.is_empty() || inside.is_some()).then(|| (found.input.clone(), inside.map(str::to_owned)))
    })
}

/// Tells a file's format from its contents, if this reads no more bytes than are left.
fn described_anew(found: &Found, length: u64, left: &mut u64) -> ListedMember {
    let is_read = length <= *left;
    let bytes = is_read.then(|| files::look_at(Path::new(&found.input)).ok()).flatten();
    *left = left.saturating_sub(if is_read { length } else { 0 });
    let bytes = bytes.unwrap_or_default();
    let format = formats::sniff(&bytes);
    let is_list = format.is_none() && asm::is_assembly(&bytes);
    let is_drawable = is_list || format.is_some_and(|format| format.descriptor().is_drawable);
    let name = name_of(found);
    let kind = is_list.then(|| "ge".to_owned());
    ListedMember {
        path: name.clone(),
        holds_members: format.is_some_and(formats::holds_members),
        member: Member { index: 0, name: Some(name), kind, format, is_drawable, offset: 0, length },
    }
}

impl FileSource for DiskFolder {
    fn open(&self, part: &PartSpec) -> Result<InspectedFile, InspectError> {
        if part.member.is_none() {
            let names: Vec<String> = lock(&self.found).iter().map(name_of).collect();
            let hash = ContentHash::of(names.join("\n").as_bytes());
            return Ok(InspectedFile::folder(&self.path, hash));
        }
        let (file, inside) = self.find(part)?;
        Ok(file.open(&inside)?.in_part(&self.path, part.clone()))
    }

    fn members(&self, member: Option<&str>) -> Result<Vec<ListedMember>, InspectError> {
        let Some(member) = member else { return Ok(self.list()) };
        let part = PartSpec { member: Some(member.to_owned()), ..PartSpec::default() };
        let (file, inside) = self.find(&part)?;
        let inside = inside.member.as_deref();
        let mut listed = file.members(inside)?;
        let start =
            member.strip_suffix(inside.unwrap_or_default()).unwrap_or(member).trim_end_matches(['/', '#']);
        for row in &mut listed {
            row.path = format!("{start}/{}", row.path);
        }
        Ok(listed)
    }

    fn files(&self, part: &PartSpec) -> Result<PartFiles, InspectError> {
        if part.member.is_none() {
            let name = format!("{}.zip", file_name(self.path.trim_end_matches(['/', '\\'])));
            return Ok(PartFiles { files: vec![(name, self.archive().map_err(refusal)?)], member: None });
        }
        let (file, inside) = self.find(part)?;
        file.files(&inside)
    }
}

/// Locks a mutex whose value is right at any time, even after a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a file's name in its folder, with slashes on every system.
fn name_of(found: &Found) -> String {
    let parts = found.path.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    parts.collect::<Vec<_>>().join("/")
}

fn refusal(failure: Failure) -> InspectError {
    let info = match failure.as_error() {
        Some(error) => error.info.clone(),
        None => pspge::documents::error::ErrorInfo::new("input-output", "the file cannot be read"),
    };
    InspectError { info: Box::new(info) }
}

/// Reads companion files again, because opening keeps only their names and the page must hold their bytes.
fn companions(asset: &Asset) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let read =
        |file: &CompanionFile| Ok((file_name(&file.name).to_owned(), files::read(Path::new(&file.name))?));
    let companions = asset.opened().into_iter().flat_map(|opened| &opened.companions);
    // Companions in an archive come along with it.
    companions.filter(|file| path_text::path(&file.name).exists()).map(read).collect()
}

/// Returns a file's name without its folders, because a page should not reveal the user's folders.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_name_no_folders() {
        assert_eq!(file_name("frames/old/frame.ppdmp"), "frame.ppdmp");
        assert_eq!(file_name("frame.ppdmp"), "frame.ppdmp", "none to leave out");
    }
}
