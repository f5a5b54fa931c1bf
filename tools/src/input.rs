//! Opens an input: reads a file and its companions, and recognises its format.

use std::path::{Path, PathBuf};

use pspge::formats::{self, File, Format, Member, ParseOptions, Request};
use pspge::{Asset, Error};

mod alternatives;
pub(crate) mod animation;
mod applies;
pub(crate) mod name;
pub(crate) mod options;

use self::name::InputName;
use self::options::{FileOptions, ModelOptions, OpenOptions};
use crate::input::files::{Folder, read};
use crate::input::includes::DiskIncludes;
use crate::output;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

pub(crate) mod files;
pub(crate) mod frame_dump;
pub(crate) mod includes;
pub(crate) mod path_text;
pub(crate) mod texture_pack;

impl OpenOptions {
    /// Reads an input and its companion files, poses a model, and adds notes on the file. If the file has been read
    /// already, this takes its bytes. Also returns them.
    ///
    /// # Errors
    /// If a file cannot be read, is damaged or not recognised, or an option cannot apply to it.
    pub(crate) fn open(
        &self,
        input: &str,
        bytes: Option<Vec<u8>>,
        notes: &mut Notes,
    ) -> Result<(Asset, Vec<u8>), Failure> {
        open(input, bytes, &self.files, &self.model, false, notes)
    }

    /// Lists paths of all drawable members in a container, including containers within it. The input may name a
    /// member; then this is the container.
    ///
    /// # Errors
    /// If the file cannot be read, is no container, or is damaged.
    pub(crate) fn members(&self, input: &str) -> Result<Vec<String>, Failure> {
        let InputName { path, member } = InputName::parse(input);
        let bytes = read(Path::new(path))?;
        let format = self.files.format.as_deref().and_then(Format::from_name);
        let request = Request { member, format, limits: self.limits(), ..Request::new(path, &bytes) };
        let members = formats::drawable_members(&request).map_err(|error| Failure::format(input, &error))?;
        Ok(members.into_iter().map(|member| member.path).collect())
    }
}

impl FileOptions {
    /// Reads an input that is not drawn as a model.
    ///
    /// # Errors
    /// As [`OpenOptions::open`].
    pub(crate) fn open(
        &self,
        input: &str,
        bytes: Option<Vec<u8>>,
        notes: &mut Notes,
    ) -> Result<(Asset, Vec<u8>), Failure> {
        open(input, bytes, self, &ModelOptions::default(), false, notes)
    }

    /// Reads a model made from an input, with other mesh data than the input's if it has some in a second file.
    ///
    /// # Errors
    /// If the model cannot be read.
    pub(crate) fn open_with_mesh_data(
        &self,
        input: &str,
        bytes: &[u8],
        mesh_data: Option<File<'_>>,
    ) -> Result<(), Failure> {
        let Some(_) = mesh_data else {
            self.open(input, Some(bytes.to_vec()), &mut Notes::default())?;
            return Ok(());
        };
        let InputName { path, member } = InputName::parse(input);
        let parse_options: Vec<&str> = self.parse_option.iter().map(String::as_str).collect();
        let request = Request {
            member,
            mesh_data,
            parse_options: ParseOptions::new(&parse_options),
            limits: self.limits(),
            ..Request::new(path, bytes)
        };
        formats::open(&request).map_err(|error| Failure::format(input, &error))?;
        Ok(())
    }

    /// Use this to open all textures in a container instead of its model, for formats that distinguish them.
    pub(crate) fn open_textures(
        &self,
        input: &str,
        bytes: Option<Vec<u8>>,
        notes: &mut Notes,
    ) -> Result<(Asset, Vec<u8>), Failure> {
        open(input, bytes, self, &ModelOptions::default(), true, notes)
    }

    /// Lists paths of all members in a container; other files have none. The input may name a member; then this is
    /// the container.
    ///
    /// # Errors
    /// As [`OpenOptions::open`].
    pub(crate) fn members(&self, input: &str) -> Result<Vec<String>, Failure> {
        let (asset, _) = read_input(input, None, self, &ModelOptions::default(), false)?;
        let has_slices = asset.opened().is_some_and(|opened| opened.format.is_container());
        let label = |member: &Member| match &member.name {
            // Several kinds of parts are numbered from 0.
            Some(name) if !has_slices => member.format.map(|_| name.clone()),
            _ => Some(member.index.to_string()),
        };
        let labels = asset.members().iter().filter(|member| member.length > 0).filter_map(label);
        let within = InputName::parse(input).member.map(|path| format!("{path}/")).unwrap_or_default();
        Ok(labels.map(|label| format!("{within}{label}")).collect())
    }
}

/// Opens an input in a tracing span. Also returns the file's bytes.
fn open(
    input: &str,
    bytes: Option<Vec<u8>>,
    files: &FileOptions,
    model: &ModelOptions,
    all_textures: bool,
    notes: &mut Notes,
) -> Result<(Asset, Vec<u8>), Failure> {
    let span =
        tracing::info_span!(target: "pspge::input", "open", file = %input, format = tracing::field::Empty);
    span.in_scope(|| {
        let (mut asset, bytes) = read_input(input, bytes, files, model, all_textures)?;
        span.record("format", tracing::field::display(asset.format()));
        applies::check(files, model, input, &asset, notes)?;
        if let Some(content) = asset.model_mut() {
            animation::pose(model, input, content)?;
        }
        notes.list.add_file(asset.notes());
        Ok((asset, bytes))
    })
}

fn read_input(
    input: &str,
    bytes: Option<Vec<u8>>,
    files: &FileOptions,
    model: &ModelOptions,
    all_textures: bool,
) -> Result<(Asset, Vec<u8>), Failure> {
    let InputName { path, member } = InputName::parse(input);
    let bytes = bytes.map_or_else(|| read(Path::new(path)), Ok)?;
    let folder = files.textures.as_deref().filter(|path| path.is_dir()).map(Folder::open).transpose()?;
    let companion = |path: &Option<PathBuf>| -> Result<Option<Companion>, Failure> {
        let read = |path: &PathBuf| Ok(Companion { bytes: read(path)?, name: path.display().to_string() });
        path.as_ref().map(read).transpose()
    };
    let textures = if folder.is_some() { None } else { companion(&files.textures)? };
    let skeleton = companion(&files.skeleton)?;
    let mesh_data = companion(&files.mesh_data)?;
    let animations = companion(&files.animations)?;
    let parse_options: Vec<&str> = files.parse_option.iter().map(String::as_str).collect();
    let request = Request {
        member,
        textures: textures.as_ref().map(Companion::file),
        texture_folder: folder.as_ref().map(|folder| folder as &dyn formats::FileProvider),
        skeleton: skeleton.as_ref().map(Companion::file),
        mesh_data: mesh_data.as_ref().map(Companion::file),
        animations: animations.as_ref().map(Companion::file),
        files: &Folder::around(&path_text::path(path)),
        selection: model.selection(),
        parse_options: ParseOptions::new(&parse_options),
        all_textures,
        limits: files.limits(),
        ..Request::new(path, &bytes)
    };
    let format = files.format.as_deref();
    let opened = pspge::open_as(&request, format, &DiskIncludes::default()).map_err(|error| match error {
        Error::UnknownFormat => {
            Failure::usage(format_args!("--format {}: {error}", format.unwrap_or_default()))
        }
        // Lists have no members, so the name without `#MEMBER` is enough.
        Error::Format(_) => Failure::asset(input, &error),
        _ => Failure::asset(path, &error),
    });
    let asset = opened?;
    for companion in asset.opened().into_iter().flat_map(|opened| &opened.companions) {
        output::protect(&path_text::path(&companion.name));
    }
    Ok((asset, bytes))
}

/// A companion file given on the command line.
#[derive(Debug)]
struct Companion {
    name: String,
    bytes: Vec<u8>,
}

impl Companion {
    fn file(&self) -> File<'_> {
        File { name: &self.name, bytes: &self.bytes }
    }
}
