//! Builds the description of an opened file.

use std::collections::BTreeMap;

use super::counts::{RunCounts, exported};
use super::identity::FileIdentity;
use super::parts::{
    AnimationInfo, BoneInfo, CompanionInfo, FieldInfo, LevelInfo, MemberCounts, MemberInfo, TextureInfo,
};
use super::{BoundsInfo, ContentKind, ExportedCounts, InfoDocument, RecordCount, StoredCounts};
use crate::asm::Program;
use crate::asset::Asset;
use crate::documents::note::NoteInfo;
use crate::documents::schema_id::SchemaId;
use crate::export::{self, DrawFilter, RigMode};
use crate::formats::ppdmp::Dump;
use crate::formats::{Content, Opened};
use crate::ge::capture::Capture;
use crate::ge::float::Float;
use crate::ge::limits::Limits;
use crate::model::Model;
use crate::pipeline::bounds::Bounds;

impl InfoDocument {
    /// Describes an opened file. `input` is its name as the user gave it, and `bytes` are its content.
    #[must_use]
    pub fn of_opened(input: &str, bytes: &[u8], opened: &Opened, limits: &Limits) -> Self {
        let file = FileIdentity::of(bytes);
        Self::empty(input, file, opened.format.name()).with_opened(opened, limits, None)
    }

    /// Adds an opened file's contents. A frame's figures come from `run`; without it, this runs the frame.
    fn with_opened(mut self, opened: &Opened, limits: &Limits, run: Option<RunCounts>) -> Self {
        let (info, format) = (&mut self, opened.format);
        info.companions = opened.companions.iter().map(CompanionInfo::from).collect();
        info.members = opened.members.iter().map(MemberInfo::from).collect();
        let is_container = format.is_container() || !opened.members.is_empty();
        info.member_counts = is_container.then(|| MemberCounts::of(&opened.members));
        info.notes = opened.content.notes().iter().map(NoteInfo::of_file).collect();
        match &opened.content {
            Content::Model(model) => info.add_model(model, limits),
            Content::Textures(set) => {
                info.content = ContentKind::Textures;
                info.textures = Some(set.textures.len() as u64);
                info.texture_list = set.textures.iter().map(TextureInfo::from).collect();
            }
            Content::Skeleton { skeleton, version, .. } => {
                info.content = ContentKind::Skeleton;
                info.version = Some((*version).to_owned());
                info.bones = Some(skeleton.bones().len() as u64);
                info.bone_list = BoneInfo::all(skeleton);
            }
            Content::Animations(set) => {
                info.content = ContentKind::Animations;
                info.version.clone_from(&set.version);
                info.bones = Some(set.bones as u64);
                info.animations = Some(set.animations.len() as u64);
                info.animation_list = AnimationInfo::all(&set.animations);
            }
            Content::Frame { recording, capture, .. } => {
                info.content = ContentKind::Frame;
                match run {
                    Some(run) => info.add_counts(run),
                    None => info.add_run(capture, limits),
                }
                if let Some(dump) = recording.downcast_ref() {
                    info.add_dump(dump);
                }
            }
            Content::Archive { .. } => {}
        }
        // If a container and its model count something by the same name, the container's count wins, because it is
        // added last.
        info.counters.extend(opened.counts.iter().cloned());
        self
    }

    /// Describes a display list on its own. `format` is the name of its format, and `bytes` are its file's
    /// content.
    #[must_use]
    pub fn of_program(input: &str, bytes: &[u8], program: &Program, format: &str, limits: &Limits) -> Self {
        let mut info = Self::empty(input, FileIdentity::of(bytes), format);
        info.content = ContentKind::List;
        info.add_run(&program.capture(), limits);
        info
    }

    /// Describes an asset. `input` is its name as the user gave it, and `bytes` are its file's content.
    #[must_use]
    pub fn of_asset(input: &str, bytes: &[u8], asset: &Asset, limits: &Limits) -> Self {
        match (asset.opened(), asset.program()) {
            (Some(opened), _) => Self::of_opened(input, bytes, opened, limits),
            (None, Some(program)) => Self::of_program(input, bytes, program, asset.format(), limits),
            (None, None) => Self::empty(input, FileIdentity::of(bytes), asset.format()),
        }
    }

    /// Describes an asset without running it again, because its figures are known from a run. This leaves out
    /// the counts in [`Self::exported`]. A model's figures do not depend on the run.
    #[cfg(feature = "table")]
    pub(crate) fn of_run(
        input: &str,
        file: FileIdentity,
        asset: &Asset,
        limits: &Limits,
        run: Option<RunCounts>,
    ) -> Self {
        let mut info = Self::empty(input, file, asset.format());
        match (asset.opened(), run) {
            (Some(opened), run) => return info.with_opened(opened, limits, run),
            (None, Some(run)) => {
                info.content = ContentKind::List;
                info.add_counts(run);
            }
            (None, None) => {}
        }
        info
    }

    /// Returns the document for a file without content, for the caller to fill in.
    fn empty(input: &str, file: FileIdentity, format: &str) -> Self {
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            format: format.to_owned(),
            version: None,
            game: None,
            content: ContentKind::Archive,
            file_bytes: file.bytes,
            file_hash: file.hash,
            member_counts: None,
            meshes: None,
            groups: None,
            draws: None,
            vertices: None,
            triangles: None,
            materials: None,
            textures: None,
            bones: None,
            animations: None,
            commands: None,
            stored: None,
            exported: None,
            bounds: None,
            payload_bytes: None,
            records: Vec::new(),
            counters: BTreeMap::new(),
            companions: Vec::new(),
            members: Vec::new(),
            texture_list: Vec::new(),
            bone_list: Vec::new(),
            animation_list: Vec::new(),
            levels_of_detail: Vec::new(),
            fields: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Runs a frame or a list, and adds its counts.
    fn add_run(&mut self, capture: &Capture, limits: &Limits) {
        self.add_counts(RunCounts::of(capture.clone(), limits));
        let [meshes, vertices, triangles] = exported(capture.clone(), limits);
        self.exported = Some(ExportedCounts { meshes, vertices, triangles });
    }

    fn add_counts(&mut self, run: RunCounts) {
        self.draws = Some(run.draws);
        self.vertices = Some(run.vertices);
        self.triangles = Some(run.triangles);
        self.commands = Some(run.commands);
        self.bounds = run.bounds.map(BoundsInfo::from);
        self.notes.extend(run.notes);
    }

    fn add_dump(&mut self, dump: &Dump) {
        self.version = Some(dump.version.to_string());
        self.game = dump.game();
        self.payload_bytes = Some(dump.payload.len() as u64);
        for record in &dump.records {
            let kind = record.kind.to_string();
            match self.records.iter_mut().find(|known| known.kind == kind) {
                Some(known) => known.count = known.count.saturating_add(1),
                None => self.records.push(RecordCount { kind, count: 1 }),
            }
        }
    }

    fn add_model(&mut self, model: &Model, limits: &Limits) {
        let counts = &model.info;
        let run = RunCounts::of(model.to_capture(), limits);
        let filter = DrawFilter { limits: *limits, ..DrawFilter::default() };
        let scene = export::model_scene(model, "", &filter, RigMode::Rigged);
        self.content = ContentKind::Model;
        self.version.clone_from(&counts.version);
        self.meshes = Some(counts.meshes as u64);
        self.groups = Some(counts.groups as u64);
        self.draws = Some(counts.draws as u64);
        self.vertices = Some(scene.vertex_count() as u64);
        self.triangles = Some(scene.triangle_count() as u64);
        self.stored = Some(StoredCounts {
            vertices: counts.vertices as u64,
            triangles: counts.triangles as u64,
            bones: counts.bones as u64,
        });
        self.materials = Some(counts.materials as u64);
        self.textures = Some(counts.textures as u64);
        self.bones = Some(scene.bone_count() as u64);
        self.animations = Some(scene.animations.len() as u64);
        self.commands = Some(run.commands);
        self.bounds = run.bounds.map(BoundsInfo::from);
        self.texture_list = model.textures.iter().map(TextureInfo::from).collect();
        self.bone_list = model.skeleton.as_ref().map(BoneInfo::all).unwrap_or_default();
        self.animation_list = AnimationInfo::all(&model.animations);
        self.levels_of_detail = model.alternatives.levels_of_detail.iter().map(LevelInfo::from).collect();
        self.counters.extend(counts.extra.iter().map(|(name, count)| ((*name).to_owned(), *count)));
        self.fields = model.fields.iter().map(FieldInfo::from).collect();
        self.notes.extend(run.notes);
    }
}

impl From<Bounds> for BoundsInfo {
    fn from(bounds: Bounds) -> Self {
        Self { min: Float::array(bounds.min), max: Float::array(bounds.max) }
    }
}
