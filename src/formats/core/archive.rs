//! Opens archives: chooses a file inside, and offers the files next to it as its companions.
//!
//! # Invariants
//! At most [`Limits::decoded_bytes`] are unpacked for a request. Archives in archives are not opened.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;

use super::descriptor::{Format, Member, Members};
use super::error::{FileRole, FormatError};
use super::files::{FileError, FileProvider, ProvidedFile};
use super::foreign;
use super::members::archived_files::ArchivedFiles;
use super::members::companions::folder_of;
use super::members::components;
use super::problem::Problem;
use super::registry::Registry;
use super::request::Request;
use super::slice::{File, FileSlice};
use super::suggest::Choices;
use crate::ge::limits::{Limit, Limits};
use crate::model::{FileNote, FileNoteKind};

/// How many bytes to unpack to recognise a file from another program, such as a picture.
const START: u64 = 64;

/// An archive that a request names.
#[derive(Debug)]
pub(super) struct Archive<'a> {
    input: FileSlice<'a>,
    pub(super) format: Format,
    files: Box<dyn ArchivedFiles + 'a>,
    limits: Limits,
    /// How many more bytes may be unpacked.
    left: Cell<u64>,
    /// Files already unpacked, by number.
    unpacked: RefCell<BTreeMap<usize, Vec<u8>>>,
    /// Files in known formats, found on first use.
    known: OnceCell<Vec<Known>>,
    /// Files that cannot be unpacked, by number.
    damaged: RefCell<BTreeMap<usize, FormatError>>,
}

/// A file to open in place of its archive.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) number: usize,
    /// The archive's name and the file's.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// The rest of the path, if this leads into the file.
    pub(super) member: Option<String>,
}

/// A file in a known format, inside an archive.
#[derive(Clone, Copy, Debug)]
struct Known {
    number: usize,
    format: Format,
}

impl<'a> Archive<'a> {
    /// Reads an archive's list of files; `None` if the input is no archive.
    ///
    /// # Errors
    /// If the list is damaged.
    pub(super) fn open(registry: &Registry, request: &Request<'a>) -> Result<Option<Self>, FormatError> {
        let input = FileSlice::whole(request.input, FileRole::Input);
        let Some(format) = request.format.or_else(|| registry.sniff(input.bytes)) else { return Ok(None) };
        let Members::Archived { open } = format.descriptor().members else { return Ok(None) };
        Ok(Some(Self {
            input,
            format,
            files: open(input.view(format.name()))?,
            limits: request.limits,
            left: Cell::new(request.limits.decoded_bytes),
            unpacked: RefCell::default(),
            known: OnceCell::new(),
            damaged: RefCell::default(),
        }))
    }

    /// Chooses the file that a path leads to. A file's name wins. Any other path leads into the archive's only
    /// model, if this is a container; else it is a file's number or a format's name. Without a path, this chooses
    /// the first file that is more than a companion for others.
    ///
    /// # Errors
    /// If there is no such file, or it cannot be unpacked.
    pub(super) fn choose(&self, registry: &Registry, path: Option<&str>) -> Result<Chosen, FormatError> {
        if let Some((number, member)) = path.and_then(|path| self.named(path)) {
            return self.chosen(number, member);
        }
        let known = self.known(registry)?;
        let main = mains(known);
        let Some(path) = path else {
            let first =
                main.first().or(known.first()).ok_or_else(|| self.input.error(Problem::NoKnownFile))?;
            return self.chosen(first.number, None);
        };
        if let [only] = main.as_slice()
            && !matches!(only.format.descriptor().members, Members::None)
        {
            return self.chosen(only.number, Some(path.to_owned()));
        }
        let mut parts = components(Some(path));
        let wanted = parts.next().unwrap_or_default();
        let rest = parts.map(str::to_owned).reduce(|path, part| format!("{path}/{part}"));
        let by_number = wanted.parse().ok().filter(|number| *number < self.files.list().len());
        let of_format = || known.iter().find(|known| known.format.name() == wanted);
        match by_number.or_else(|| of_format().map(|known| known.number)) {
            Some(number) => self.chosen(number, rest),
            None => Err(self.missing(path)),
        }
    }

    /// Lists the numbers of files that are more than companions for others.
    ///
    /// # Errors
    /// If a file cannot be unpacked.
    pub(super) fn mains(&self, registry: &Registry) -> Result<Vec<usize>, FormatError> {
        Ok(mains(self.known(registry)?).into_iter().map(|known| known.number).collect())
    }

    /// Describes all files, to list them.
    ///
    /// # Errors
    /// If a file cannot be unpacked.
    pub(super) fn describe(&self, registry: &Registry) -> Result<Vec<Member>, FormatError> {
        let known = self.known(registry)?;
        let describe = |(index, file): (usize, &super::members::archived_files::ArchivedFile)| {
            let format = known.iter().find(|known| known.number == index).map(|known| known.format);
            let is_drawable = format.is_some_and(|format| format.descriptor().is_drawable);
            let (name, offset, length) = (Some(file.name.clone()), file.offset, file.size);
            Member { index, name, kind: None, format, is_drawable, offset, length }
        };
        Ok(self.files.list().iter().enumerate().map(describe).collect())
    }

    /// Unpacks a file to open it.
    ///
    /// # Errors
    /// If it is damaged, or larger than the limit allows.
    pub(super) fn chosen(&self, number: usize, member: Option<String>) -> Result<Chosen, FormatError> {
        let name = format!("{}/{}", self.input.name, self.name(number));
        Ok(Chosen { number, name, bytes: self.unpack(number)?, member })
    }

    /// Returns a file's name with its folders.
    pub(super) fn name(&self, number: usize) -> &str {
        self.files.list().get(number).map_or("", |file| &file.name)
    }

    /// Finds the file that a path names, and returns the rest of the path. Folders may be left out if no other file
    /// has this name.
    fn named(&self, path: &str) -> Option<(usize, Option<String>)> {
        let rest_after = |name: &str| {
            let (start, rest) = path.split_at_checked(name.len())?;
            let is_name = start.eq_ignore_ascii_case(name);
            match rest.strip_prefix(['/', '#']) {
                _ if !is_name || name.is_empty() => None,
                None => rest.is_empty().then_some(None),
                Some(member) => Some(Some(member.to_owned())),
            }
        };
        let list = self.files.list().iter().enumerate();
        let exact = list.clone().find(|(_, file)| file.name == path).map(|(number, _)| (number, None));
        let whole = || list.clone().find_map(|(number, file)| Some((number, rest_after(&file.name)?)));
        let short = || {
            let rest = |name: &str| rest_after(name.get(folder_of(name).len()..)?);
            let mut fitting = list.clone().filter_map(|(number, file)| Some((number, rest(&file.name)?)));
            fitting.next().filter(|_| fitting.next().is_none())
        };
        exact.or_else(whole).or_else(short)
    }

    /// Notes files that could not be unpacked, because they may have been wanted.
    pub(super) fn notes(&self) -> Vec<FileNote> {
        let note = |(number, error): (&usize, &FormatError)| {
            let message = format!("{} cannot be unpacked: {}", self.name(*number), error.kind);
            FileNote::new(FileNoteKind::LeftOut, message)
        };
        self.damaged.borrow().iter().map(note).collect()
    }

    /// Finds files in known formats. Archives in the archive do not count, and damaged files only if there are no
    /// others.
    fn known(&self, registry: &Registry) -> Result<&[Known], FormatError> {
        if let Some(known) = self.known.get() {
            return Ok(known);
        }
        let mut known = Vec::new();
        for number in 0..self.files.list().len() {
            // Ignore damage here: it is found when this file is unpacked in full.
            let start = self.files.unpack(number, START).unwrap_or_default();
            if foreign::by_signature(&start).is_some() {
                continue;
            }
            let format = match self.unpack(number) {
                Ok(bytes) => registry.sniff(&bytes),
                Err(error) if matches!(error.kind, Problem::Limit(_)) => return Err(error),
                Err(error) => {
                    self.damaged.borrow_mut().insert(number, error);
                    continue;
                }
            };
            let is_archive =
                |format: &Format| matches!(format.descriptor().members, Members::Archived { .. });
            match format.filter(|format| !is_archive(format)) {
                Some(format) => known.push(Known { number, format }),
                None => drop(self.unpacked.borrow_mut().remove(&number)),
            }
        }
        match self.damaged.borrow().values().next() {
            Some(error) if known.is_empty() => Err(error.clone()),
            _ => Ok(self.known.get_or_init(|| known)),
        }
    }

    fn unpack(&self, number: usize) -> Result<Vec<u8>, FormatError> {
        if let Some(bytes) = self.unpacked.borrow().get(&number) {
            return Ok(bytes.clone());
        }
        let size = self.files.list().get(number).map_or(0, |file| file.size);
        let limit = || self.input.error(Problem::Limit(self.limits.hit(Limit::DecodedBytes)));
        self.left.set(self.left.get().checked_sub(size).ok_or_else(limit)?);
        // Bound this read, because the declared size may be wrong.
        let bytes = self.files.unpack(number, size.saturating_add(1))?;
        self.unpacked.borrow_mut().insert(number, bytes.clone());
        Ok(bytes)
    }

    fn missing(&self, wanted: &str) -> FormatError {
        let names = self.files.list().iter().map(|file| file.name.as_str());
        let members = Box::new(Choices::new(wanted, names, |_, name| format!("\"{name}\"")));
        self.input.error(Problem::NoMember { wanted: wanted.to_owned(), members })
    }
}

/// Keeps files that are more than companions for others.
fn mains(known: &[Known]) -> Vec<Known> {
    known.iter().copied().filter(|known| known.format.descriptor().serves_as.is_none()).collect()
}

/// A file's folder in its archive.
#[derive(Debug)]
pub(super) struct ArchiveFolder<'a> {
    pub(super) archive: &'a Archive<'a>,
    /// The file's number.
    pub(super) number: usize,
}

impl ArchiveFolder<'_> {
    /// Returns the folder's name, with a slash at its end unless it is empty.
    fn path(&self) -> &str {
        folder_of(self.archive.name(self.number))
    }
}

impl FileProvider for ArchiveFolder<'_> {
    fn folder(&self) -> String {
        format!("{}/{}", self.archive.input.name, self.path())
    }

    fn names(&self) -> Vec<String> {
        let inside = |name: &str| Some(name.strip_prefix(self.path())?.to_owned());
        let files = self.archive.files.list().iter().enumerate().filter(|(number, _)| *number != self.number);
        let mut names: Vec<String> = files.filter_map(|(_, file)| inside(&file.name)).collect();
        names.retain(|name| !name.contains('/'));
        names.sort();
        names
    }

    fn read(&self, name: &str) -> Result<Option<ProvidedFile>, FileError> {
        let wanted = format!("{}{name}", self.path());
        let Some(number) = self.archive.files.list().iter().position(|file| file.name == wanted) else {
            return Ok(None);
        };
        let name = format!("{}/{wanted}", self.archive.input.name);
        match self.archive.unpack(number) {
            Ok(bytes) => Ok(Some(ProvidedFile { name, bytes })),
            Err(error) => Err(FileError { name, message: error.to_string() }),
        }
    }
}

impl Chosen {
    /// Makes the request to open this file.
    pub(super) fn request<'r>(&'r self, request: &Request<'r>, folder: &'r ArchiveFolder<'r>) -> Request<'r> {
        let input = File { name: &self.name, bytes: &self.bytes };
        // A forced format meant the archive, so the file inside is recognised by its content.
        Request { input, member: self.member.as_deref(), format: None, files: folder, ..*request }
    }

    /// Names the file in an error, unless this is about a companion.
    pub(super) fn blame(&self, error: FormatError) -> FormatError {
        FormatError { file: error.file.or_else(|| Some(self.name.clone())), ..error }
    }
}
