//! Files sent by a page: opens their parts, and lists their members.

use crate::formats::{self, File, ListedMember, Registry, Request, Together};
use crate::ge::limits::Limits;

use super::error::InspectError;
use super::file::{FileSource, InspectedFile, PartFiles};
use super::request::{OtherFile, PartSpec};

/// Files that a page has sent together, or that were recorded for it.
#[derive(Debug)]
pub struct GivenFiles {
    files: Vec<(String, Vec<u8>)>,
    limits: Limits,
}

impl GivenFiles {
    /// Creates a source for files with these names and bytes. Their contents tell which file is the main one, and
    /// what the others are for.
    #[must_use]
    pub const fn new(files: Vec<(String, Vec<u8>)>, limits: Limits) -> Self {
        Self { files, limits }
    }

    /// Separates the files in a request's bytes. `name` comes first, then the others, without gaps.
    ///
    /// # Errors
    /// Fails if the files need more bytes than there are.
    pub(super) fn split(
        name: &str,
        others: &[OtherFile],
        bytes: &[u8],
        limits: Limits,
    ) -> Result<Self, InspectError> {
        // The first file's length is not given. It is the rest, so the others are taken from the end.
        let mut rest = bytes;
        let mut files = Vec::with_capacity(others.len().saturating_add(1));
        for OtherFile { name, length } in others.iter().rev() {
            let parts = rest.len().checked_sub(*length).and_then(|start| rest.split_at_checked(start));
            let Some((before, bytes)) = parts else {
                let message =
                    format!("{name} has {length} bytes, and only {} of {} are left", rest.len(), bytes.len());
                return Err(InspectError::new("request", &message));
            };
            files.push((name.clone(), bytes.to_vec()));
            rest = before;
        }
        files.push((name.to_owned(), rest.to_vec()));
        files.reverse();
        Ok(Self::new(files, limits))
    }

    /// Calls `use_request` with a request for a part, and with the names of files that do not belong to it.
    fn with_request<T>(
        &self,
        part: &PartSpec,
        use_request: impl FnOnce(&Request<'_>, &[&str]) -> T,
    ) -> Result<T, InspectError> {
        let files: Vec<File<'_>> = self.files.iter().map(|(name, bytes)| File { name, bytes }).collect();
        let together = Registry::standard().tell_apart(&files);
        let Together { request, unused } =
            together.ok_or_else(|| InspectError::new("no-file", "no file is open"))?;
        let member = part.member.as_deref();
        let request = Request { member, selection: part.selection(), limits: self.limits, ..request };
        Ok(use_request(&request, &unused))
    }
}

impl FileSource for GivenFiles {
    fn open(&self, part: &PartSpec) -> Result<InspectedFile, InspectError> {
        self.with_request(part, |request, unused| {
            let name = request.input.name;
            let opened = InspectedFile::open(request).map_err(|error| InspectError::of_file(name, &error));
            let mut file = opened?.in_part(name, part.clone());
            file.check_alternatives()?;
            file.note_unused(unused);
            Ok(file)
        })?
    }

    fn members(&self, member: Option<&str>) -> Result<Vec<ListedMember>, InspectError> {
        self.with_request(
            &PartSpec { member: member.map(str::to_owned), ..PartSpec::default() },
            |request, _| {
                formats::list_members(request)
                    .map_err(|error| InspectError::of_file(request.input.name, &error.into()))
            },
        )?
    }

    fn files(&self, part: &PartSpec) -> Result<PartFiles, InspectError> {
        Ok(PartFiles { files: self.files.clone(), member: part.member.clone() })
    }
}
