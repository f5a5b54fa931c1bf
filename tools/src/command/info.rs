//! `pspge info`: the contents of a file.

use std::collections::BTreeMap;

use pspge::export::scene::Scene;
use pspge::export::{self, DrawFilter, FrameSpace, RigMode};
use pspge::formats::ppdmp::Dump;
use pspge::formats::{Content, Member};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::limits::Limits;
use pspge::model::bounds::Bounds;
use pspge::model::{Animation, Field, Model, Skeleton};
use pspge::run::decode::GeometrySink;
use pspge::run::sink::NullObserver;
use serde::Serialize;

use crate::failure::Failure;
use crate::input::{Input, InputArgs};
use crate::output::Output;
use crate::run;

/// Print the contents of a file: counts, bounds, textures, bones, animations, notes
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The description of a file. Entries that do not apply are absent.
///
/// The vertices, triangles, bones and animations of a model are those that `export` writes: vertices of a
/// group that are equal in every bit count once, triangles with a repeated vertex do not count, and a mesh
/// with several instances counts once. For a dump or a list they are the sums over all draws, as `decode`
/// prints them.
#[derive(Debug, Default, Serialize)]
struct Info {
    format: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game_id: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    members: Vec<MemberInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meshes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    draws: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vertices: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    triangles: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stored: Option<StoredCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exported: Option<ExportedCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    materials: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    textures: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bones: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    animations: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    commands: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<BoundsInfo>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    texture_list: Vec<TextureInfo>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bone_list: Vec<BoneInfo>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    animation_list: Vec<AnimationInfo>,
    /// Counts specific to the format.
    #[serde(flatten)]
    extra: BTreeMap<String, u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<FieldInfo>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    records: Vec<RecordCount>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// Counts of a model file as other tools for its format report them, with all levels of detail and duplicate
/// vertices; see [`pspge::model::ModelInfo`].
#[derive(Clone, Copy, Debug, Serialize)]
struct StoredCounts {
    vertices: usize,
    triangles: usize,
    bones: usize,
}

/// Counts of a frame as `export` without options writes it: no clears and no draws in through mode, two
/// triangles for a rectangle, and equal vertices of a draw once.
#[derive(Clone, Copy, Debug, Serialize)]
struct ExportedCounts {
    meshes: usize,
    vertices: usize,
    triangles: usize,
}

impl From<&Scene> for ExportedCounts {
    fn from(scene: &Scene) -> Self {
        Self { meshes: scene.meshes.len(), vertices: scene.vertex_count(), triangles: scene.triangle_count() }
    }
}

/// The number of records of one kind in a dump.
#[derive(Debug, Serialize)]
struct RecordCount {
    kind: String,
    count: usize,
}

/// An axis-aligned bounding box.
#[derive(Debug, Serialize)]
struct BoundsInfo {
    min: [f32; 3],
    max: [f32; 3],
}

impl From<Bounds> for BoundsInfo {
    fn from(bounds: Bounds) -> Self {
        Self { min: bounds.min, max: bounds.max }
    }
}

/// A member of a container.
#[derive(Debug, Serialize)]
struct MemberInfo {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    format: Option<&'static str>,
    offset: u64,
    length: u64,
}

impl From<&Member> for MemberInfo {
    fn from(member: &Member) -> Self {
        let format = member.format.map(pspge::formats::Format::name);
        Self {
            index: member.index,
            name: member.name.clone(),
            kind: member.kind.clone(),
            format,
            offset: member.offset,
            length: member.length,
        }
    }
}

/// A texture.
#[derive(Debug, Serialize)]
struct TextureInfo {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    width: u16,
    height: u16,
    format: String,
    palettes: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    palette_format: Option<String>,
}

/// An animation.
#[derive(Debug, Serialize)]
struct AnimationInfo {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    frames: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    frames_per_second: Option<f32>,
    channels: usize,
    keys: usize,
}

/// A field of the file that has no effect in this library.
#[derive(Debug, Serialize)]
struct FieldInfo {
    name: String,
    offset: u64,
    value: String,
}

/// A bone.
#[derive(Debug, Serialize)]
struct BoneInfo {
    id: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    parent: Option<usize>,
    position: [f32; 3],
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let info = describe(args)?;
    let mut out = Output::new();
    if args.json {
        out.json(&info, true)?;
    } else {
        print(&mut out, &info)?;
    }
    out.finish()
}

fn describe(args: &Args) -> Result<Info, Failure> {
    let limits = args.input.limits();
    let (name, members, counts, content) = match run::open(&args.input)? {
        Input::Program { program, format } => {
            let Geometry { draws, vertices, triangles, bounds, commands, notes } =
                geometry(program.capture(), &limits);
            return Ok(Info {
                format: format.to_owned(),
                draws: Some(draws),
                vertices: Some(vertices),
                triangles: Some(triangles),
                exported: Some(exported(program.capture(), &limits)),
                commands: Some(commands),
                bounds: bounds.map(BoundsInfo::from),
                notes,
                ..Info::default()
            });
        }
        Input::File { format, members, counts, content } => {
            (format.name().to_owned(), members, counts, content)
        }
    };
    let members = members.iter().map(MemberInfo::from).collect();
    let mut info = match content {
        Content::Model(model) => Info { members, ..describe_model(name, &model, &limits) },
        Content::Textures(set) => Info {
            format: name,
            members,
            textures: Some(set.textures.len()),
            texture_list: set.textures.iter().map(texture).collect(),
            notes: set.notes,
            ..Info::default()
        },
        Content::Skeleton { skeleton, version, notes } => Info {
            format: name,
            version: Some(version.to_owned()),
            members,
            bones: Some(skeleton.bones().len()),
            bone_list: bones(&skeleton),
            notes,
            ..Info::default()
        },
        Content::Animations(set) => Info {
            format: name,
            version: set.version,
            members,
            bones: Some(set.bones),
            animations: Some(set.animations.len()),
            animation_list: animations(&set.animations),
            notes: set.notes,
            ..Info::default()
        },
        Content::Frame { recording, capture } => {
            describe_frame(name, recording.downcast_ref(), *capture, &limits)
        }
        Content::Archive => Info { format: name, members, ..Info::default() },
    };
    // The counts of the container replace those of a model in it with the same name.
    info.extra.extend(counts);
    Ok(info)
}

/// Describes a frame; `dump` is its recording, if that is a frame dump.
fn describe_frame(format: String, dump: Option<&Dump>, capture: Capture, limits: &Limits) -> Info {
    let Geometry { draws, vertices, triangles, bounds, commands, mut notes } =
        geometry(capture.clone(), limits);
    let exported = exported(capture, limits);
    let lost = dump.map_or(0, Dump::lost_copies);
    if lost > 0 {
        notes.push(format!("{lost} CPU copies are left out: the file does not record their destination"));
    }
    let mut kinds: Vec<RecordCount> = Vec::new();
    for record in dump.iter().flat_map(|dump| &dump.records) {
        let name = record.kind.to_string();
        match kinds.iter_mut().find(|count| count.kind == name) {
            Some(count) => count.count += 1,
            None => kinds.push(RecordCount { kind: name, count: 1 }),
        }
    }
    Info {
        format,
        version: dump.map(|dump| dump.version.to_string()),
        game_id: dump.and_then(Dump::game),
        draws: Some(draws),
        vertices: Some(vertices),
        triangles: Some(triangles),
        exported: Some(exported),
        commands: Some(commands),
        records: kinds,
        payload_bytes: dump.map(|dump| dump.payload.len()),
        bounds: bounds.map(BoundsInfo::from),
        notes,
        ..Info::default()
    }
}

fn describe_model(format: String, model: &Model, limits: &Limits) -> Info {
    let counts = model.info.clone();
    let texture_list = model.textures.iter().map(texture).collect();
    let bone_list = model.skeleton.as_ref().map(bones).unwrap_or_default();
    let mut notes = model.notes.clone();
    let Geometry { bounds, commands, notes: run_notes, .. } = geometry(model.to_capture(), limits);
    let filter = DrawFilter { limits: *limits, ..DrawFilter::default() };
    let scene = export::model_scene(model, "", &filter, RigMode::Rigged);
    let stored = StoredCounts { vertices: counts.vertices, triangles: counts.triangles, bones: counts.bones };
    notes.extend(run_notes);
    Info {
        format,
        version: counts.version,
        meshes: Some(counts.meshes),
        groups: Some(counts.groups),
        draws: Some(counts.draws),
        vertices: Some(scene.vertex_count()),
        triangles: Some(scene.triangle_count()),
        stored: Some(stored),
        materials: Some(counts.materials),
        textures: Some(counts.textures),
        bones: Some(scene.bone_count()),
        animations: Some(scene.animations.len()),
        commands: Some(commands),
        bounds: bounds.map(BoundsInfo::from),
        texture_list,
        bone_list,
        animation_list: animations(&model.animations),
        extra: counts.extra.into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
        fields: model.fields.iter().map(FieldInfo::from).collect(),
        notes,
        ..Info::default()
    }
}

/// Geometry and notes of a run.
struct Geometry {
    draws: usize,
    vertices: usize,
    triangles: usize,
    bounds: Option<Bounds>,
    commands: u64,
    notes: Vec<String>,
}

/// Runs a list and counts its geometry. The geometry itself, which may be large, is dropped.
fn geometry(mut capture: Capture, limits: &Limits) -> Geometry {
    let mut sink = GeometrySink::new();
    let report = run::run(&mut capture, Arithmetic::Single, &mut sink, &mut NullObserver, limits).report;
    Geometry {
        draws: sink.draws().len(),
        vertices: sink.draws().iter().map(|draw| draw.vertices.len()).sum(),
        triangles: sink.draws().iter().map(|draw| draw.triangles.len()).sum(),
        bounds: sink.bounds(),
        commands: report.commands,
        notes: report.notes.iter().map(ToString::to_string).collect(),
    }
}

/// Counts the geometry that `export` writes for a run.
fn exported(mut capture: Capture, limits: &Limits) -> ExportedCounts {
    let filter = DrawFilter { limits: *limits, ..DrawFilter::default() };
    let scene = export::frame_scene(&mut capture, "", &filter, FrameSpace::Automatic);
    ExportedCounts::from(&scene)
}

fn texture(texture: &pspge::model::ModelTexture) -> TextureInfo {
    TextureInfo {
        index: texture.index,
        name: texture.name.clone(),
        width: texture.width,
        height: texture.height,
        format: texture.format.to_string(),
        palettes: texture.palette.map_or(0, |palette| palette.count()),
        palette_format: texture.palette.map(|palette| palette.format.to_string()),
    }
}

fn animations(animations: &[Animation]) -> Vec<AnimationInfo> {
    let describe = |(index, animation): (usize, &Animation)| AnimationInfo {
        index,
        name: animation.name.clone(),
        frames: animation.frames,
        frames_per_second: animation.frames_per_second,
        channels: animation.channels,
        keys: animation.keys,
    };
    animations.iter().enumerate().map(describe).collect()
}

impl From<&Field> for FieldInfo {
    fn from(field: &Field) -> Self {
        Self { name: field.name.clone(), offset: field.offset, value: field.value.clone() }
    }
}

fn bones(skeleton: &Skeleton) -> Vec<BoneInfo> {
    let world = skeleton.world(&skeleton.rest());
    let positions = world.into_iter().map(|[.., x, y, z]| [x, y, z]);
    skeleton
        .bones()
        .iter()
        .zip(positions)
        .map(|(bone, position)| BoneInfo {
            id: bone.id,
            name: bone.name.clone(),
            parent: bone.parent,
            position,
        })
        .collect()
}

fn print(out: &mut Output, info: &Info) -> Result<(), Failure> {
    let version = info.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
    let game = info.game_id.as_deref().map(|game| format!(", game {game}")).unwrap_or_default();
    out.line(format_args!("{}{version}{game}", info.format))?;
    for member in &info.members {
        let format = member.format.unwrap_or(if member.length == 0 { "empty" } else { "unknown" });
        let format = member.kind.as_deref().unwrap_or(format);
        let name = member.name.as_deref().map(|name| format!(" {name}")).unwrap_or_default();
        out.line(format_args!(
            "  member {}{name}: {format}, {} bytes at 0x{:x}",
            member.index, member.length, member.offset
        ))?;
    }
    let counts = [
        ("meshes", info.meshes),
        ("groups", info.groups),
        ("draws", info.draws),
        ("vertices", info.vertices),
        ("triangles", info.triangles),
        ("materials", info.materials),
        ("textures", info.textures),
        ("bones", info.bones),
        ("animations", info.animations),
    ];
    let stored = |name| match (name, info.stored) {
        ("vertices", Some(stored)) => Some(stored.vertices),
        ("triangles", Some(stored)) => Some(stored.triangles),
        ("bones", Some(stored)) => Some(stored.bones),
        _ => None,
    };
    for (name, count) in counts {
        if let Some(count) = count {
            let stored = stored(name).filter(|stored| *stored != count);
            let stored = stored.map(|stored| format!(" ({stored} stored)")).unwrap_or_default();
            out.line(format_args!("  {name}: {count}{stored}"))?;
        }
    }
    for (name, count) in &info.extra {
        out.line(format_args!("  {}: {count}", name.replace('_', " ")))?;
    }
    if let Some(ExportedCounts { meshes, vertices, triangles }) = info.exported {
        out.line(format_args!("  exported: {meshes} meshes, {vertices} vertices, {triangles} triangles"))?;
    }
    if let Some(commands) = info.commands {
        out.line(format_args!("  commands: {commands}"))?;
    }
    if let Some(bounds) = &info.bounds {
        out.line(format_args!("  bounds: {:?} to {:?}", bounds.min, bounds.max))?;
    }
    if let Some(bytes) = info.payload_bytes {
        out.line(format_args!("  payload: {bytes} bytes"))?;
    }
    for RecordCount { kind, count } in &info.records {
        out.line(format_args!("  records {kind}: {count}"))?;
    }
    for texture in &info.texture_list {
        let TextureInfo { index, name, width, height, format, palettes, .. } = texture;
        let name = name.as_deref().map(|name| format!(" {name}")).unwrap_or_default();
        let palettes = match (palettes, &texture.palette_format) {
            (_, None) => String::new(),
            (1, Some(format)) => format!(", palette {format}"),
            (count, Some(format)) => format!(", {count} palettes {format}"),
        };
        out.line(format_args!("  texture {index}{name}: {width}x{height} {format}{palettes}"))?;
    }
    for bone in &info.bone_list {
        let name = bone.name.as_deref().map(|name| format!(" {name}")).unwrap_or_default();
        let parent = bone.parent.map_or("none".to_owned(), |parent| parent.to_string());
        out.line(format_args!("  bone {}: parent {parent}, at {:?}{name}", bone.id, bone.position))?;
    }
    for animation in &info.animation_list {
        let AnimationInfo { index, name, frames, channels, keys, .. } = animation;
        let name = name.as_deref().map(|name| format!(" {name}")).unwrap_or_default();
        let speed =
            animation.frames_per_second.map(|rate| format!(" at {rate} per second")).unwrap_or_default();
        out.line(format_args!(
            "  animation {index}{name}: {frames} frames{speed}, {channels} channels, {keys} keys"
        ))?;
    }
    for FieldInfo { name, offset, value } in &info.fields {
        out.line(format_args!("  field {name} at 0x{offset:x}: {value}"))?;
    }
    for note in &info.notes {
        out.line(format_args!("  note: {note}"))?;
    }
    Ok(())
}
