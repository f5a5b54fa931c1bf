//! Writing files from an asset: geometry for other programs, and frame dumps.

use pspge::Model;
use pspge::debug::Shot;
use pspge::documents::note_list::NoteList;
use pspge::export::recorder::{self, Recorded};
use pspge::export::scene::Scene;
use pspge::export::{self, DrawFilter, FrameSpace, Merge, RigMode};
use pspge::ge::capture::SCREEN;
use pspge::ge::draw_set::DrawSet;
use pspge::scene::render_target::TILE_SIZE_MAX;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;

use crate::asset::Asset;
use crate::convert::{Json, to_object};
use crate::failure::Failure;
use crate::options::{RunOptions, parse_optional, placement};

/// The game id written to the dumps made here.
const GAME_ID: [u8; 9] = *b"PSPGE0001";

/// A frame dump with a document about it.
pub(crate) struct Report {
    bytes: Vec<u8>,
    document: Json,
}

impl Report {
    pub(crate) fn new(bytes: Vec<u8>, document: &impl Serialize) -> Result<Self, Failure> {
        let document = Json::of(document).map_err(|error| Failure::usage(error.to_string()))?;
        Ok(Self { bytes, document })
    }

    /// Returns both as Python objects.
    pub(crate) fn objects<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyAny>)> {
        Ok((PyBytes::new(py, &self.bytes), self.document.object(py)?))
    }
}

/// Runs a display list to record it as a dump. If a limit ended the recording, this adds a note.
pub(crate) fn record(shot: Shot, notes: &mut NoteList) -> Result<Recorded, Failure> {
    let (arithmetic, limits) = (shot.arithmetic(), shot.limits);
    let recorded = recorder::record(shot.capture, GAME_ID, arithmetic, &limits)
        .ok_or_else(|| Failure::content("too-large", "the draws use more data than a frame dump can hold"))?;
    if let Some(hit) = recorded.limit_hit {
        notes.add_limit(hit);
    }
    Ok(recorded)
}

/// How to export geometry, in addition to the run's options.
#[derive(Clone, Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ExportOptions {
    /// The draws to export from a frame; all if none are named.
    draws: Option<String>,
    /// Whether to export through-mode draws, too.
    through: bool,
    /// Which meshes become a single object: `none`, `material` or `object`.
    merge: Option<String>,
    /// The space for a frame's vertices: `world`, `view` or `screen`.
    space: Option<String>,
    /// The upward axis in the files: `y` or `z`.
    up: String,
    /// A factor for all lengths.
    scale: f64,
}

/// Files by name, and the notes on them.
type Files<'py> = (Vec<(String, Bound<'py, PyBytes>)>, Bound<'py, PyAny>);

#[pymethods]
impl Asset {
    /// Exports to `glb`, `gltf` or `obj`, and returns the files and the notes.
    fn export<'py>(
        &self,
        py: Python<'py>,
        options: RunOptions,
        export_options: ExportOptions,
        format: &str,
        title: &str,
        stem: &str,
    ) -> PyResult<Files<'py>> {
        let exported = py.detach(|| {
            let mut notes = self.notes.clone();
            let scene = self.scene(&options, &export_options, format, title, &mut notes)?;
            let files = match format {
                "glb" => {
                    vec![export::File { name: format!("{stem}.glb"), bytes: export::gltf::write_glb(&scene) }]
                }
                "gltf" => export::gltf::write_gltf(&scene, stem),
                _ => export::obj::write(&scene, stem),
            };
            Ok((files, notes))
        });
        let (files, notes) = exported.map_err(|error: Failure| error.of_input(&self.name))?;
        let files = files.into_iter().map(|file| (file.name, PyBytes::new(py, &file.bytes))).collect();
        Ok((files, to_object(py, &notes.into_entries())?))
    }

    /// Packs this asset into a frame dump that draws the same picture, and returns it with the notes.
    fn pack<'py>(
        &self,
        py: Python<'py>,
        options: RunOptions,
        size: Option<[u32; 2]>,
        background: Option<[u8; 4]>,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyAny>)> {
        let packed = py.detach(|| self.packed(&options, size, background));
        let (bytes, notes) = packed.map_err(|error| error.of_input(&self.name))?;
        Ok((PyBytes::new(py, &bytes), to_object(py, &notes.into_entries())?))
    }
}

impl Asset {
    fn scene(
        &self,
        options: &RunOptions,
        wanted: &ExportOptions,
        format: &str,
        title: &str,
        notes: &mut NoteList,
    ) -> Result<Scene, Failure> {
        let spec = self.spec(options)?;
        let placement = placement(&wanted.up, wanted.scale)?;
        let merge = match wanted.merge.as_deref() {
            None => Merge::usual(self.inner.model().is_some()),
            Some("none") => Merge::None,
            Some("material") => Merge::Material,
            Some("object") => Merge::Object,
            Some(other) => {
                let problem = "use \"none\", \"material\" or \"object\"";
                return Err(Failure::usage(format_args!("merge={other:?}: {problem}")));
            }
        };
        let draws: Option<DrawSet> = parse_optional("draws", wanted.draws.as_deref())?;
        let filter = DrawFilter { draws, through: wanted.through, compares_order: true, limits: self.limits };
        let scene = match self.inner.posed(&spec).map_err(|error| options.failure(error))? {
            Some(model) => {
                wanted.check_model(options, &filter, format)?;
                match format {
                    "obj" => export::model_scene(&model, title, &filter, RigMode::Static),
                    _ => rigged(self.inner.model().unwrap_or(&model), options, title, &filter)?,
                }
            }
            None => {
                let space = match wanted.space.as_deref() {
                    None => FrameSpace::Automatic,
                    Some("world") => FrameSpace::World,
                    Some("view") => FrameSpace::View,
                    Some("screen") => FrameSpace::Screen,
                    Some(other) => {
                        let problem = "use \"world\", \"view\" or \"screen\"";
                        return Err(Failure::usage(format_args!("space={other:?}: {problem}")));
                    }
                };
                let mut shot = self.inner.shot(&spec)?;
                let scene = export::frame_scene(&mut shot.capture, title, &filter, space);
                if let Some(draws) = &filter.draws {
                    draws.check(scene.draws).map_err(|error| Failure::inapplicable("draws", error))?;
                }
                notes.add_unused(&scene.unused_overrides);
                scene
            }
        };
        let scene = Scene { placement, ..scene.merged(merge) };
        notes.add_export(&scene.notes);
        // A reached limit is left out here, because the scene's own notes already tell of it.
        let run_notes = scene.run_notes.iter().filter(|note| note.limit_hit().is_none());
        run_notes.for_each(|note| notes.add_run(&[*note]));
        if scene.meshes.is_empty() {
            return Err(Failure::content("nothing-to-do", "the draws hold nothing to export"));
        }
        Ok(scene)
    }

    fn packed(
        &self,
        options: &RunOptions,
        size: Option<[u32; 2]>,
        background: Option<[u8; 4]>,
    ) -> Result<(Vec<u8>, NoteList), Failure> {
        let mut notes = self.notes.clone();
        let mut spec = self.spec(options)?;
        if self.inner.model().is_none() {
            self.refuse(size.map(|_| "size").or(background.map(|_| "background")))?;
        }
        if let (Some(dump), false) = (self.inner.dump(), options.has_changes()) {
            return Ok((dump.clone().upgraded().to_bytes(), notes));
        }
        let [width, height] = size.unwrap_or(SCREEN);
        if !(1..=TILE_SIZE_MAX).contains(&width) || !(1..=TILE_SIZE_MAX).contains(&height) {
            return Err(Failure::usage(format_args!(
                "size=({width}, {height}): a dump holds at most {TILE_SIZE_MAX}x{TILE_SIZE_MAX} pixels and their depth"
            )));
        }
        if width > SCREEN[0] || height > SCREEN[1] {
            notes.add("beyond-screen", format!("players show the first 480x272 of {width}x{height} pixels"));
        }
        spec.size = [width, height];
        spec.background = background.unwrap_or(spec.background);
        spec.arithmetic = Some(spec.arithmetic.unwrap_or_default());
        let shot = self.inner.shot(&spec).map_err(|error| options.failure(error))?;
        if !shot.capture.events.is_empty() {
            let problem = "recordings of this format cannot be written as frame dumps";
            return Err(Failure::content("not-packable", problem));
        }
        if !shot.capture.overrides.is_empty() {
            let problem = "a frame dump cannot hold changes of registers and draws";
            return Err(Failure::content("not-packable", problem));
        }
        let recorded = record(shot, &mut notes)?;
        notes.add_report(&recorded.replayed.report);
        Ok((recorded.dump.to_bytes(), notes))
    }
}

/// Returns a model's scene at rest, with all animations or only the selected one.
fn rigged(model: &Model, options: &RunOptions, title: &str, filter: &DrawFilter) -> Result<Scene, Failure> {
    let Some(wanted) = &options.anim else {
        return Ok(export::model_scene(model, title, filter, RigMode::Rigged));
    };
    let number = model
        .find_animation(wanted)
        .map_err(|error| Failure::inapplicable(format_args!("anim={wanted:?}"), error))?;
    let mut model = model.clone();
    model.animations = vec![model.animations.swap_remove(number)];
    Ok(export::model_scene(&model, title, filter, RigMode::Rigged))
}

impl ExportOptions {
    /// Refuses given options that cannot apply to a model.
    fn check_model(&self, options: &RunOptions, filter: &DrawFilter, format: &str) -> Result<(), Failure> {
        let whole = "a model is exported as a whole";
        let given = [
            ("draws", filter.draws.is_some(), whole),
            ("through", self.through, whole),
            ("space", self.space.is_some(), whole),
            ("changes to try", options.has_changes(), whole),
            (
                "frame",
                options.frame.is_some() && format != "obj",
                "glTF holds the whole animation; only OBJ is posed",
            ),
        ];
        match given.into_iter().find(|(_, is_given, _)| *is_given) {
            Some((option, _, reason)) => Err(Failure::inapplicable(option, reason)),
            None => Ok(()),
        }
    }
}
