//! Finds the companion files declared by the input's format.

use crate::formats::core::descriptor::{Companion, Companions, Format, NameList, Search, sniff};
use crate::formats::core::error::{FileRole, FormatError};
use crate::formats::core::files::{FileError, FileProvider, ProvidedFile};
use crate::formats::core::problem::Problem;
use crate::formats::core::request::Request;
use crate::formats::core::slice::File;
use crate::model::{FileNote, FileNoteKind};

/// Size limit for all files in a library together, in bytes: far more than the machine's memory.
const LIBRARY_MAX: usize = 256 << 20;

/// The most files in a folder that holds a single model.
const SET_MAX: usize = 64;

/// Companion files found for a request.
#[derive(Debug, Default)]
pub(crate) struct Found {
    files: Vec<(FileRole, ProvidedFile)>,
    /// Notes about unreadable or unsuitable files.
    pub(crate) notes: Vec<FileNote>,
}

/// Finds companions the request does not already contain.
pub(crate) fn find(request: &Request<'_>, formats: &[Format]) -> Result<Found, FormatError> {
    let recognised = sniff(formats, request.input.bytes);
    let mut found = Found::default();
    let library = request.format.or(recognised).and_then(library_search);
    match (library, request.texture_folder) {
        (Some(_), Some(folder)) => found.library(folder, |_| true)?,
        (Some(search), None) if request.textures.is_none() && request.library.is_empty() => {
            let usual = search.names(request.input);
            let is_usual = |name: &str| usual.iter().any(|usual| usual.eq_ignore_ascii_case(name));
            if !usual.is_empty() {
                found.library(request.files, is_usual)?;
            }
        }
        (None, Some(folder)) => found.texture_file(folder, request, recognised, formats)?,
        _ => {}
    }
    let companions = recognised.map(|format| format.descriptor().companions).unwrap_or_default();
    for companion in companions.iter().filter(|companion| !is_given(request, companion.role)) {
        if found.files.iter().any(|(role, _)| *role == companion.role) {
            continue;
        }
        // A member's companions are its neighbours in the container, unless the format derives names from the file's
        // name.
        let names = match companion.search {
            Search::Extension(..) if request.member.is_some() => Vec::new(),
            // Trying the usual spellings costs less than listing a large folder for each of its files.
            Search::Extension(extension, _) => spellings(extension)
                .into_iter()
                .map(|extension| format!("{}.{extension}", stem(request.input.name)))
                .collect(),
            Search::Derived(rule, _) => existing(request.files, &(rule.names)(file_name(request.input.name))),
            Search::Names(_) | Search::Listed(_) | Search::Given(_) => Vec::new(),
        };
        if let Search::Extension(_, format) | Search::Derived(_, format) = companion.search {
            found.first_usable(request, companion.role, &names, format.format(), formats);
        }
    }
    if request.member.is_none() {
        found.of_set(request, companions, formats);
    }
    Ok(found)
}

/// Lists names in a folder matched by [`has_name`], in the order of `names`.
fn existing(folder: &dyn FileProvider, names: &[String]) -> Vec<String> {
    if names.is_empty() {
        return Vec::new();
    }
    let listed = folder.names();
    names
        .iter()
        .flat_map(|name| listed.iter().filter(move |listed| has_name(listed, name)))
        .cloned()
        .collect()
}

/// Compares a file's name with a rule's, ignoring case. `.*` at the end matches any extension.
pub(super) fn has_name(file: &str, name: &str) -> bool {
    match name.strip_suffix(".*") {
        Some(wanted) => stem(file).eq_ignore_ascii_case(wanted),
        None => file.eq_ignore_ascii_case(name),
    }
}

/// Guesses the usual name for a file in this role, if the format can derive it from the input's name.
pub(crate) fn usual_name(format: Format, role: FileRole, input: &str) -> Option<String> {
    let companions = format.descriptor().companions.iter().filter(|companion| companion.role == role);
    companions.into_iter().find_map(|companion| match companion.search {
        Search::Extension(extension, _) => Some(format!("{}.{extension}", stem(input))),
        Search::Derived(rule, _) => (rule.names)(file_name(input)).into_iter().next(),
        Search::Names(_) | Search::Listed(_) | Search::Given(_) => None,
    })
}

/// How to name files with materials and textures.
#[derive(Clone, Copy)]
enum LibrarySearch {
    Usual(&'static [&'static str]),
    Listed(NameList),
}

impl LibrarySearch {
    fn names(self, input: File<'_>) -> Vec<String> {
        match self {
            Self::Usual(names) => names.iter().map(|name| name.replace('*', stem(input.name))).collect(),
            Self::Listed(list) => (list.names)(input.bytes),
        }
    }
}

/// Returns how to search for files with materials and textures; `None` if the format has no such files.
fn library_search(format: Format) -> Option<LibrarySearch> {
    format.descriptor().companions.iter().find_map(|companion| match companion.search {
        Search::Names(names) => Some(LibrarySearch::Usual(names)),
        Search::Listed(list) => Some(LibrarySearch::Listed(list)),
        _ => None,
    })
}

/// Checks whether the request already contains a file for this role, or a folder to search.
fn is_given(request: &Request<'_>, role: FileRole) -> bool {
    match role {
        FileRole::Textures => request.textures.is_some() || request.texture_folder.is_some(),
        FileRole::Skeleton => request.skeleton.is_some(),
        FileRole::MeshData => request.mesh_data.is_some(),
        FileRole::Animations => request.animations.is_some(),
        FileRole::Input | FileRole::Library(_) => true,
    }
}

/// Checks whether the user named the file itself, rather than a folder to search.
pub(crate) fn is_named(request: &Request<'_>, role: FileRole) -> bool {
    match role {
        FileRole::Input => true,
        FileRole::Textures => request.textures.is_some(),
        FileRole::Skeleton => request.skeleton.is_some(),
        FileRole::MeshData => request.mesh_data.is_some(),
        FileRole::Animations => request.animations.is_some(),
        FileRole::Library(number) => number < request.library.len(),
    }
}

/// Returns a path's last component.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(std::path::is_separator).next().unwrap_or(path)
}

/// Returns a path's folders, with the separator at their end; empty without folders.
pub(crate) fn folder_of(path: &str) -> &str {
    path.strip_suffix(file_name(path)).unwrap_or_default()
}

/// Returns a path's last component without its extension.
fn stem(path: &str) -> &str {
    let name = file_name(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// Lists the usual spellings: lower case, upper case, and capitalised, because some disks tell them apart.
fn spellings(extension: &str) -> [String; 3] {
    let mut letters = extension.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    [extension.to_owned(), extension.to_ascii_uppercase(), first.into_iter().chain(letters).collect()]
}

/// Returns whether a file is a companion for others.
fn serves(formats: &[Format], bytes: &[u8]) -> bool {
    sniff(formats, bytes).is_some_and(|format| format.descriptor().serves_as.is_some())
}

/// Creates the note for an unreadable companion.
fn unreadable(error: &FileError) -> FileNote {
    let FileError { name, message } = error;
    FileNote::new(FileNoteKind::LeftOut, format!("{name} cannot be read: {message}"))
}

/// Turns a file provider's error into a format error.
fn file_error(error: FileError) -> FormatError {
    let FileError { name, message } = error;
    FormatError {
        format: None,
        role: FileRole::Library(0),
        file: Some(name),
        offset: None,
        kind: Problem::File(message),
    }
}

impl Found {
    /// Adds all files in a folder with wanted names.
    fn library(
        &mut self,
        folder: &dyn FileProvider,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<(), FormatError> {
        let mut bytes = 0_usize;
        for name in folder.names().iter().filter(|name| is_wanted(name)) {
            let Some(file) = folder.read(name).map_err(file_error)? else { continue };
            bytes = bytes.saturating_add(file.bytes.len());
            if bytes > LIBRARY_MAX {
                let message = format!("contains more than {} MiB", LIBRARY_MAX >> 20);
                return Err(file_error(FileError { name: folder.folder(), message }));
            }
            self.files.push((FileRole::Library(self.files.len()), file));
        }
        Ok(())
    }

    /// Adds a texture file from a folder: by a name the format derives from the input's, else by the input's name,
    /// else the first by name.
    fn texture_file(
        &mut self,
        folder: &dyn FileProvider,
        request: &Request<'_>,
        recognised: Option<Format>,
        formats: &[Format],
    ) -> Result<(), FormatError> {
        let companions = recognised.map(|format| format.descriptor().companions).unwrap_or_default();
        let derived = companions.iter().find_map(|companion| match companion.search {
            Search::Derived(rule, _) if companion.role == FileRole::Textures => Some(rule),
            _ => None,
        });
        // A folder may hold textures for other formats, too.
        let wanted = companions.iter().find_map(|companion| match companion.search {
            Search::Derived(_, format) | Search::Extension(_, format)
                if companion.role == FileRole::Textures =>
            {
                Some(format.format())
            }
            _ => None,
        });
        let names = match derived {
            Some(rule) => existing(folder, &(rule.names)(file_name(request.input.name))),
            None => {
                let mut names = folder.names();
                // `false` sorts first, so the file with the input's name is tried before the others.
                names.sort_by_key(|name| stem(name) != stem(request.input.name));
                names
            }
        };
        let has_textures = |file: &ProvidedFile| {
            let found = sniff(formats, &file.bytes);
            found.is_some_and(|found| match wanted {
                Some(format) => found == format,
                None => found.descriptor().serves_as == Some(FileRole::Textures),
            })
        };
        // Unreadable files are only noted, because the user asked for the folder and not for them.
        let notes = &mut self.notes;
        let read = |name: &String| {
            folder.read(name).unwrap_or_else(|error| {
                notes.push(unreadable(&error));
                None
            })
        };
        let Some(file) = names.iter().filter_map(read).find(has_textures) else {
            let message = "contains no file with textures".to_owned();
            return Err(file_error(FileError { name: folder.folder(), message }));
        };
        self.files.push((FileRole::Textures, file));
        Ok(())
    }

    /// Adds the first file next to the input with any of these names and the right content.
    fn first_usable(
        &mut self,
        request: &Request<'_>,
        role: FileRole,
        names: &[String],
        format: Format,
        formats: &[Format],
    ) {
        for name in names.iter().filter(|name| *name != file_name(request.input.name)) {
            // The user did not ask for this file, so it is no error if it cannot be used.
            match request.files.read(name) {
                Ok(Some(file)) if sniff(formats, &file.bytes) == Some(format) => {
                    self.files.push((role, file));
                    return;
                }
                // This name may belong to another companion.
                Ok(Some(file)) if serves(formats, &file.bytes) => {}
                Ok(Some(_)) => {
                    let message = format!("{name} is no file of format {format}: it is not used");
                    self.notes.push(FileNote::new(FileNoteKind::UnusedCompanion, message));
                }
                Ok(None) => {}
                Err(error) => self.notes.push(unreadable(&error)),
            }
        }
    }

    /// Adds companions with unusual names from a folder with few files, if the input is the only file there that is
    /// more than a companion. Such a folder holds a single model, as tools unpack it.
    fn of_set(&mut self, request: &Request<'_>, companions: &[Companion], formats: &[Format]) {
        let name = file_name(request.input.name);
        // If a rule knows this name, it knows that another file alone belongs to another model.
        let is_ruled = |role: FileRole| {
            companions.iter().any(|companion| match companion.search {
                Search::Derived(rule, _) => companion.role == role && !(rule.names)(name).is_empty(),
                _ => false,
            })
        };
        let is_found = |role: FileRole| self.files.iter().any(|(found, _)| *found == role);
        let is_open = |role: FileRole| !is_given(request, role) && !is_found(role);
        let mut wanted: Vec<(FileRole, Format)> = Vec::new();
        for companion in companions.iter().filter(|companion| is_open(companion.role)) {
            if let Search::Extension(_, format) = companion.search
                && wanted.iter().all(|(role, _)| *role != companion.role)
            {
                wanted.push((companion.role, format.format()));
            }
        }
        if wanted.is_empty() {
            return;
        }
        let Some(names) = request.files.few(SET_MAX) else { return };
        let mut known: Vec<(Format, ProvidedFile)> = Vec::new();
        for name in names.iter().filter(|other| *other != name) {
            // The user did not ask for this file, so it is no error if it cannot be read.
            let Ok(Some(file)) = request.files.read(name) else { continue };
            let Some(format) = sniff(formats, &file.bytes) else { continue };
            if format.descriptor().serves_as.is_none() {
                return;
            }
            known.push((format, file));
        }
        for (role, format) in wanted {
            if known.len() == 1 && is_ruled(role) {
                continue;
            }
            let fitting: Vec<&ProvidedFile> =
                known.iter().filter(|(found, _)| *found == format).map(|(_, file)| file).collect();
            match fitting.as_slice() {
                [] => {}
                [only] => {
                    let part = role.part().unwrap_or_default();
                    let message = format!("{} is used as its {part}: the folder holds no other", only.name);
                    self.notes.push(FileNote::new(FileNoteKind::Unusual, message));
                    self.files.push((role, (*only).clone()));
                }
                [first, ..] => {
                    let (count, part) = (fitting.len(), role.part().unwrap_or_default());
                    let name = &first.name;
                    let message = format!("{count} files could be its {part}, such as {name}: none is used");
                    self.notes.push(FileNote::new(FileNoteKind::UnusedCompanion, message));
                }
            }
        }
    }

    /// Combines given and found files. Given files win.
    pub(crate) fn companions<'a>(&'a self, request: &Request<'a>) -> Companions<'a> {
        let found = |wanted: FileRole| {
            let file = self.files.iter().find(|(role, _)| *role == wanted);
            file.map(|(_, file)| File { name: &file.name, bytes: &file.bytes })
        };
        let in_library = self.files.iter().filter(|(role, _)| matches!(role, FileRole::Library(_)));
        let in_library = in_library.map(|(_, file)| File { name: &file.name, bytes: &file.bytes });
        Companions {
            textures: request.textures.or_else(|| found(FileRole::Textures)),
            skeleton: request.skeleton.or_else(|| found(FileRole::Skeleton)),
            mesh_data: request.mesh_data.or_else(|| found(FileRole::MeshData)),
            animations: request.animations.or_else(|| found(FileRole::Animations)),
            library: request.library.iter().copied().chain(in_library).collect(),
        }
    }
}
