//! An opened file, which all other work starts from.

use pspge::asm::{IncludeProvider, NoIncludes};
use pspge::debug::Shot;
use pspge::documents::info::InfoDocument;
use pspge::documents::note_list::NoteList;
use pspge::formats::{self, File, FileProvider, FileRole, NoFiles, ParseOptions, Request, Selection};
use pspge::model::AlternativeChoice;
use pspge::{Error, Format, Limits, RunSpec};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{Json, to_object};
use crate::failure::Failure;
use crate::files::{Folder, Includes, with_interrupts};
use crate::options::{OpenOptions, RunOptions};

/// An opened file. Its bytes stay here, because documents hash them and imports write them back.
#[pyclass(frozen, module = "pspge._native")]
pub(crate) struct Asset {
    pub(crate) inner: pspge::Asset,
    /// The file's name as documents show it.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) limits: Limits,
    /// Notes from opening the file.
    pub(crate) notes: NoteList,
}

impl Asset {
    /// Wraps an opened file and collects its notes.
    pub(crate) fn new(inner: pspge::Asset, name: String, bytes: Vec<u8>, limits: Limits) -> Self {
        let mut notes = NoteList::default();
        notes.add_file(inner.notes());
        Self { inner, name, bytes, limits, notes }
    }

    /// Turns Python's options into the library's, for a run of this asset.
    ///
    /// # Errors
    /// If an option is wrong, or if model options are given for an asset that can be drawn but is no model.
    pub(crate) fn spec(&self, options: &RunOptions) -> Result<RunSpec, Failure> {
        if self.inner.is_drawable() && self.inner.model().is_none() {
            self.refuse(options.given_for_models().next())?;
        }
        options.spec(self.limits)
    }

    /// Refuses an option meant for models.
    pub(crate) fn refuse(&self, option: Option<&str>) -> Result<(), Failure> {
        let reason = format_args!("{} is not a model", self.inner.kind());
        option.map_or(Ok(()), |option| Err(Failure::inapplicable(option, reason)))
    }

    /// Prepares a run of this asset at screen size, with the changes to try.
    ///
    /// # Errors
    /// If this asset cannot be drawn, or an option does not apply to it.
    pub(crate) fn shot(&self, options: &RunOptions) -> Result<Shot, Failure> {
        self.inner.shot(&self.spec(options)?).map_err(|error| options.failure(error))
    }

    /// Describes the file for `pspge info`.
    fn info_document(&self) -> InfoDocument {
        let (name, bytes, limits) = (&self.name, &self.bytes, &self.limits);
        let mut info = InfoDocument::of_asset(name, bytes, &self.inner, limits);
        // Equal notes are shown once, with their count.
        let mut notes = NoteList::default();
        std::mem::take(&mut info.notes).into_iter().for_each(|note| notes.push(note));
        info.notes = notes.into_entries();
        info
    }
}

#[pymethods]
impl Asset {
    /// Opens a file. `path` is its name without a member.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "the arguments of a function of Python")]
    fn open(
        py: Python<'_>,
        path: String,
        name: String,
        bytes: Vec<u8>,
        options: OpenOptions,
        folder: Option<Py<PyAny>>,
        texture_folder: Option<Py<PyAny>>,
        includes: Option<Py<PyAny>>,
        all_textures: bool,
    ) -> PyResult<Self> {
        let opened = with_interrupts(py, || {
            let files = Files {
                folder: folder.map(Folder),
                texture_folder: texture_folder.map(Folder),
                includes: includes.map(Includes),
            };
            open(&path, &name, bytes, &options, &files, all_textures)
        })?;
        Ok(opened.map_err(|error| error.of_input(&name))?)
    }

    /// The file's name as documents show it.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The format's name.
    #[getter]
    fn format(&self) -> &'static str {
        self.inner.format()
    }

    /// Whether this is a model.
    #[getter]
    fn is_model(&self) -> bool {
        self.inner.model().is_some()
    }

    /// Whether this can be drawn.
    #[getter]
    fn drawable(&self) -> bool {
        self.inner.is_drawable()
    }

    /// The file's bytes.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    /// Notes from opening the file.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_object(py, &self.notes.entries())
    }

    /// The document of `pspge info`.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.detach(|| Json::of(&self.info_document()))?.object(py)
    }

    /// Paths of all members that can be drawn, including those in nested containers.
    fn drawable_members(
        &self,
        py: Python<'_>,
        path: String,
        member: Option<String>,
    ) -> PyResult<Vec<String>> {
        let members = py.detach(|| {
            let format = Format::from_name(self.inner.format()).filter(|_| member.is_none());
            let member = member.as_deref();
            let request = Request { member, format, limits: self.limits, ..Request::new(&path, &self.bytes) };
            formats::drawable_members(&request).map_err(|error| Failure::format(&error).of_input(&self.name))
        });
        Ok(members?.into_iter().map(|member| member.path).collect())
    }
}

/// The files that may be asked for while opening another file.
struct Files {
    folder: Option<Folder>,
    texture_folder: Option<Folder>,
    includes: Option<Includes>,
}

fn open(
    path: &str,
    name: &str,
    bytes: Vec<u8>,
    options: &OpenOptions,
    files: &Files,
    all_textures: bool,
) -> Result<Asset, Failure> {
    let limits = options.limits()?;
    let companions = [&options.textures, &options.skeleton, &options.mesh_data, &options.animations];
    let [textures, skeleton, mesh_data, animations] = companions.map(|companion| {
        companion.as_ref().map(|(name, bytes)| File { name: name.as_str(), bytes: bytes.as_slice() })
    });
    let parse_options: Vec<&str> = options.parse_option.iter().map(String::as_str).collect();
    let texture_folder = files.texture_folder.as_ref().map(|folder| folder as &dyn FileProvider);
    let folder: &dyn FileProvider = match &files.folder {
        Some(folder) => folder,
        None => &NoFiles,
    };
    let request = Request {
        member: options.member.as_deref(),
        textures,
        texture_folder,
        skeleton,
        mesh_data,
        animations,
        files: folder,
        selection: Selection {
            level_of_detail: options.lod.unwrap_or(0),
            group: options.group.unwrap_or(0),
            hidden: options.hidden,
        },
        parse_options: ParseOptions::new(&parse_options),
        all_textures,
        limits,
        ..Request::new(path, &bytes)
    };
    let format = options.format.as_deref();
    let includes = files.includes.as_ref().map_or(&NoIncludes as &dyn IncludeProvider, |files| files);
    let inner = pspge::open_as(&request, format, includes).map_err(|error| match error {
        Error::UnknownFormat => {
            Failure::usage(format_args!("format={:?}: {error}", format.unwrap_or_default()))
        }
        error => error.into(),
    })?;
    match inner.program() {
        Some(_) => check_list(options)?,
        None => check(&inner, options, files.texture_folder.is_some())?,
    }
    Ok(Asset::new(inner, name.to_owned(), bytes, limits))
}

/// Refuses options that only apply to files of a format, because a list has none.
fn check_list(options: &OpenOptions) -> Result<(), Failure> {
    let given = [
        ("member", options.member.is_some()),
        ("textures", options.textures.is_some()),
        ("skeleton", options.skeleton.is_some()),
        ("mesh_data", options.mesh_data.is_some()),
        ("animations", options.animations.is_some()),
        ("lod", options.lod.is_some()),
        ("group", options.group.is_some()),
        ("hidden", options.hidden),
        ("parse_option", !options.parse_option.is_empty()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(Failure::inapplicable(option, "the file is a display list")),
        None => Ok(()),
    }
}

/// Refuses each given option that cannot apply to the opened file.
fn check(asset: &pspge::Asset, options: &OpenOptions, has_texture_folder: bool) -> Result<(), Failure> {
    let kind = asset.kind();
    if let Some(model) = asset.model() {
        let missing = model.alternatives.missing(options.lod, options.group, options.hidden);
        if let Some(missing) = missing.first() {
            let option = match missing.choice {
                AlternativeChoice::LevelOfDetail(wanted) => format!("lod={wanted}"),
                AlternativeChoice::Group(wanted) => format!("group={wanted}"),
                AlternativeChoice::Hidden => "hidden".to_owned(),
            };
            return Err(Failure::inapplicable(option, &missing.reason));
        }
    } else {
        let given =
            [("lod", options.lod.is_some()), ("group", options.group.is_some()), ("hidden", options.hidden)];
        if let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
            return Err(Failure::inapplicable(option, format_args!("{kind} is not a model")));
        }
    }
    let companions = [
        ("textures", options.textures.is_some() || has_texture_folder, FileRole::Textures),
        ("skeleton", options.skeleton.is_some(), FileRole::Skeleton),
        ("mesh_data", options.mesh_data.is_some(), FileRole::MeshData),
        ("animations", options.animations.is_some(), FileRole::Animations),
    ];
    for (option, is_given, role) in companions {
        if is_given && !asset.opened().is_some_and(|opened| opened.takes(role)) {
            return Err(Failure::inapplicable(option, format_args!("{kind} takes no such file")));
        }
    }
    Ok(())
}
