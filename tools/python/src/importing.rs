//! The way back: writing changed pictures and geometry into the files they came from.

use std::collections::BTreeMap;
use std::path::Path;

use pspge::documents::texture_import::NamedTextures;
use pspge::documents::{ModelImportDocument, TextureImportDocument};
use pspge::formats::File;
use pspge::image::RgbaImage;
use pspge::import::textures::stored_textures;
use pspge::import::{
    GeometryError, GeometryProblem, ImportError, ImportOptions, ImportProblem, import_model, import_textures,
    mesh_data_path,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::asset::Asset;
use crate::convert::Json;
use crate::failure::Failure;
use crate::options::placement;

/// How many names an error lists at most.
const NAMES_MAX: usize = 4;

/// A picture to replace a texture: the texture's name, the picture's file, its bytes of red, green, blue and alpha,
/// and its size.
type GivenPicture = (String, String, Vec<u8>, [u32; 2]);

/// A written file, its second file if it has one, and a document about them.
type Written<'py> = (Bound<'py, PyBytes>, Option<Bound<'py, PyBytes>>, Bound<'py, PyAny>);

#[pymethods]
impl Asset {
    /// Names each texture's picture, without an extension.
    fn texture_names(&self, py: Python<'_>, stem: &str) -> Vec<String> {
        py.detach(|| self.named_textures(stem).textures.into_keys().collect())
    }

    /// Returns the file with textures replaced by pictures. `file` is the file's name without a member.
    fn import_textures<'py>(
        &self,
        py: Python<'py>,
        file: &str,
        stem: &str,
        pictures: Vec<GivenPicture>,
        dither: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let written = py.detach(|| self.with_pictures(file, stem, pictures, dither));
        Ok(PyBytes::new(py, &written.map_err(|error| error.of_input(&self.name))?))
    }

    /// Describes a file with replaced textures. `after` is that file, opened again to check it.
    fn imported_textures<'py>(
        &self,
        py: Python<'py>,
        after: &Self,
        stem: &str,
        pictures: Vec<GivenPicture>,
        output: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let document = py.detach(|| {
            let given = decoded(pictures)?;
            let given: BTreeMap<&str, (&str, &RgbaImage)> =
                given.iter().map(|(name, file, picture)| (&**name, (&**file, picture))).collect();
            let judged = self.named_textures(stem).judge(&after.named_textures(stem), &given);
            let notes = self.notes.entries().to_vec();
            let bytes = [self.bytes.as_slice(), after.bytes.as_slice()];
            let document = TextureImportDocument::new(&self.name, output, bytes, judged, notes);
            Json::of(&document).map_err(|error| Failure::usage(error.to_string()))
        });
        document?.object(py)
    }

    /// Returns the file with other geometry.
    #[expect(clippy::too_many_arguments, reason = "the arguments of a function of Python")]
    fn import_model<'py>(
        &self,
        py: Python<'py>,
        file: &str,
        mesh_data: Option<(String, Vec<u8>)>,
        geometry: (String, Vec<u8>),
        up: &str,
        scale: f64,
        output: &str,
    ) -> PyResult<Written<'py>> {
        let written = py.detach(|| {
            let placement = placement(up, scale)?;
            let kind = || GeometryProblem::Kind(self.inner.kind().to_owned()).into();
            let opened = self.inner.opened().ok_or_else(|| geometry_failure(&geometry.0, &kind()))?;
            let input = File { name: file, bytes: &self.bytes };
            let second = mesh_data.as_ref().map(|(name, bytes)| File { name, bytes });
            let written = import_model(opened, input, second, &geometry.1, placement)
                .map_err(|error| geometry_failure(&geometry.0, &error))?;
            let second_name =
                written.mesh_data.as_ref().map(|_| mesh_data_path(Path::new(output)).display().to_string());
            let before = (self.bytes.as_slice(), second.map(|second| second.bytes));
            let names = [self.name.as_str(), &geometry.0, output];
            let notes = self.notes.entries().to_vec();
            let document = ModelImportDocument::new(names, second_name, before, &written, notes);
            let document = Json::of(&document).map_err(|error| Failure::usage(error.to_string()))?;
            Ok((written, document))
        });
        let (written, document) = written.map_err(|error: Failure| error.of_input(&self.name))?;
        let second = written.mesh_data.map(|bytes| PyBytes::new(py, &bytes));
        Ok((PyBytes::new(py, &written.bytes), second, document.object(py)?))
    }
}

impl Asset {
    fn named_textures(&self, stem: &str) -> NamedTextures {
        NamedTextures::of(self.inner.content(), stem, &self.limits)
    }

    fn with_pictures(
        &self,
        file: &str,
        stem: &str,
        pictures: Vec<GivenPicture>,
        dither: bool,
    ) -> Result<Vec<u8>, Failure> {
        let opened = self.inner.opened().filter(|opened| stored_textures(&opened.content).is_some());
        let Some(opened) = opened else {
            let problem = ImportProblem::NoTextures(self.inner.kind());
            return Err(Failure::content(problem.code(), problem));
        };
        let shown = self.named_textures(stem);
        let mut files = Vec::new();
        let mut new = Vec::new();
        for (name, file, picture) in decoded(pictures)? {
            let Some(picture) = shown.new_picture(&name, picture) else {
                let names: Vec<&str> = shown.textures.keys().take(NAMES_MAX).map(String::as_str).collect();
                let more = if shown.textures.len() > NAMES_MAX { ", ..." } else { "" };
                let problem =
                    format_args!("no texture has the name {name}: there are {}{more}", names.join(", "));
                return Err(Failure::content("no-texture", problem));
            };
            new.push(picture);
            files.push(file);
        }
        let input = File { name: file, bytes: &self.bytes };
        import_textures(opened, input, &new, ImportOptions { dither }).map_err(|error| {
            let ImportError { picture, problem } = &error;
            let failure = match problem {
                ImportProblem::Format(error) => return Failure::format(error),
                _ => Failure::content(problem.code(), problem),
            };
            match picture.and_then(|picture| files.get(picture)) {
                Some(file) => failure.of_input(file),
                None => failure,
            }
        })
    }
}

/// Turns the pictures given by Python into images.
fn decoded(pictures: Vec<GivenPicture>) -> Result<Vec<(String, String, RgbaImage)>, Failure> {
    let decode = |(name, file, bytes, [width, height]): GivenPicture| {
        let picture = RgbaImage::from_raw(width, height, bytes);
        let problem = || Failure::usage(format_args!("{file}: the picture has too few bytes"));
        Ok((name, file.clone(), picture.ok_or_else(problem)?))
    };
    pictures.into_iter().map(decode).collect()
}

/// Explains why geometry cannot be written.
fn geometry_failure(geometry: &str, error: &GeometryError) -> Failure {
    let problem = &error.problem;
    match problem {
        GeometryProblem::Format(error) => Failure::format(error),
        _ if problem.is_of_model() => Failure::content(problem.code(), error),
        _ => Failure::content(problem.code(), error).of_input(geometry),
    }
}
