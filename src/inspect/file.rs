//! An opened file: its content, and the list that a run of it executes.

use crate::asm::Program;
use crate::asset::{self, Asset, Error};
use crate::documents::InfoDocument;
use crate::documents::note::NoteInfo;
use crate::formats::ppdmp::Dump;
use crate::formats::{Content, Opened, Request};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::{Capture, SCREEN};
use crate::ge::limits::Limits;
use crate::ge::overrides::Overrides;
use crate::model::{FileNote, FileNoteKind, Model};
use crate::pipeline::texture::content_hash::ContentHash;
use crate::raster::RasterOptions;
use crate::scene::camera::Camera;
use crate::scene::render::ModelRenderer;

use super::answer::{InputAnswer, InputKind};
use super::error::InspectError;
use super::request::{CameraSpec, PoseSpec, RunSpec};

/// Background of models: dark grey.
pub(super) const BACKGROUND: [u8; 4] = [0x30, 0x30, 0x30, 0xFF];

/// A file that is inspected.
#[derive(Debug)]
pub struct InspectedFile {
    name: String,
    hash: ContentHash,
    asset: Asset,
    /// The contents of a file that is not a frame or a list. Theirs take a run, and a page lists their events itself.
    info: Option<InfoDocument>,
    /// Notes on files that were given with it in vain.
    unused: Vec<FileNote>,
}

impl InspectedFile {
    /// Opens a file with its companions.
    ///
    /// # Errors
    /// As [`crate::open_with`].
    pub fn open(request: &Request<'_>) -> Result<Self, Error> {
        let asset = asset::open_with(request)?;
        Ok(Self::new(request.input.name, request.input.bytes, asset, &request.limits))
    }

    /// Creates the file of a format that is already open. `bytes` are its content.
    #[must_use]
    pub fn from_opened(name: &str, bytes: &[u8], opened: Opened, limits: &Limits) -> Self {
        Self::new(name, bytes, Asset::from_opened(name, opened), limits)
    }

    /// Creates the file of an assembled program. `bytes` are its content.
    #[must_use]
    pub fn from_program(name: &str, bytes: &[u8], program: Program, limits: &Limits) -> Self {
        Self::new(name, bytes, Asset::from_program(name, program), limits)
    }

    fn new(name: &str, bytes: &[u8], asset: Asset, limits: &Limits) -> Self {
        let is_listed = !matches!(asset.content(), None | Some(Content::Frame { .. }));
        let info = is_listed.then(|| InfoDocument::of_asset(name, bytes, &asset, limits));
        Self { name: name.to_owned(), hash: ContentHash::of(bytes), asset, info, unused: Vec::new() }
    }

    /// Notes files that were given with it and do not belong to it.
    pub(super) fn note_unused(&mut self, names: &[&str]) {
        let about = |name| format!("{name} is not used: it does not belong to {}", self.name);
        self.unused =
            names.iter().map(|name| FileNote::new(FileNoteKind::UnusedCompanion, about(name))).collect();
    }

    /// Returns the name under which it was opened.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the content.
    #[must_use]
    pub const fn asset(&self) -> &Asset {
        &self.asset
    }

    /// Returns the facts about the file.
    pub(super) fn answer(&self) -> InputAnswer {
        let kind = match (self.asset.content(), self.asset.program()) {
            (_, Some(_)) => InputKind::List,
            (Some(Content::Model(_)), _) => InputKind::Model,
            (Some(Content::Frame { .. }), _) => InputKind::Frame,
            _ => InputKind::Other,
        };
        InputAnswer {
            name: self.name.clone(),
            hash: self.hash,
            game: self.asset.dump().and_then(Dump::game),
            info: self.info.clone(),
            kind,
            is_runnable: kind != InputKind::Other,
            notes: self.asset.notes().iter().chain(&self.unused).map(NoteInfo::of_file).collect(),
        }
    }

    /// Returns the list that a run executes, without its edits.
    ///
    /// # Errors
    /// If the file has no list, or no such pose.
    pub(super) fn capture(&self, run: &RunSpec, limits: &Limits) -> Result<Capture, InspectError> {
        match self.posed(run.pose)? {
            Some(model) => Ok(renderer(run.camera, arithmetic(run), SCREEN, limits).capture(&model)),
            None => self.asset.to_capture().map_err(|error| InspectError::of_file(&self.name, &error)),
        }
    }

    /// Returns the model in a pose; `None` if the file is no model.
    ///
    /// # Errors
    /// If the model has no such animation, or the animation no such frame.
    pub(super) fn posed(&self, pose: Option<PoseSpec>) -> Result<Option<Model>, InspectError> {
        let Some(model) = self.asset.model() else { return Ok(None) };
        let mut model = model.clone();
        if let Some(PoseSpec { animation, frame }) = pose {
            let frames = model.animations.get(animation).map(|animation| animation.frames);
            let last = f64::from(frames.unwrap_or(0).saturating_sub(1));
            if frames.is_none() || !(0.0..=last).contains(&frame) {
                let message = match frames {
                    None => format!("the model has {} animations", model.animations.len()),
                    Some(frames) => format!("animation {animation} has {frames} frames, counted from 0"),
                };
                return Err(InspectError::new("inapplicable", &message));
            }
            model.animate(animation, frame);
        }
        Ok(Some(model))
    }
}

/// Returns the arithmetic of a run.
pub(super) fn arithmetic(run: &RunSpec) -> Arithmetic {
    run.arithmetic.map(Arithmetic::from).unwrap_or_default()
}

/// Returns a renderer of models with a camera.
pub(super) fn renderer(
    camera: Option<CameraSpec>,
    arithmetic: Arithmetic,
    [width, height]: [u32; 2],
    limits: &Limits,
) -> ModelRenderer {
    let camera = camera.unwrap_or(CameraSpec { yaw: 0.0, pitch: 0.0, zoom: 1.0 });
    ModelRenderer {
        camera: Camera { yaw: camera.yaw, pitch: camera.pitch, zoom: camera.zoom },
        width,
        height,
        background: BACKGROUND,
        options: RasterOptions { arithmetic, ..RasterOptions::default() },
        limits: *limits,
        overrides: Overrides::default(),
    }
}
