//! `pspge info`: describes a file's contents.

use pspge::documents::InfoDocument;
use pspge::documents::info::{
    AnimationInfo, BoneInfo, BoundsInfo, CompanionInfo, ExportedCounts, FieldInfo, LevelInfo, MemberCounts,
    MemberInfo, RecordCount, TextureInfo,
};
use pspge::ge::float::Float;

use crate::batch;
use crate::batch::arguments::BatchArgs;
use crate::input::options::OpenOptions;
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::output::Output;
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::terminal::notes::NoteText;

/// Print the contents of a file: counts, bounds, textures, bones, animations, notes
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,

    #[command(flatten)]
    open: OpenOptions,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    batch::run(args, &args.batch, console)
}

impl Job for Args {
    fn info(&self) -> JobInfo {
        JobInfo {
            prints_json: self.json,
            prints_notes: !self.json,
            ..JobInfo::new("described", "nothing to describe")
        }
    }

    fn members(&self, file: &str) -> Result<Vec<String>, Failure> {
        // This also lists members that cannot be drawn.
        self.open.files.members(file)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let mut info = describe(self, &task.input, session)?;
        for note in &info.notes {
            session.notes.list.push(note.clone());
        }
        // Equal notes come back once, with a count.
        info.notes = session.notes.list.entries().to_vec();
        if self.json {
            session.json(&info)?;
        } else {
            print(&mut session.out, &info)?;
        }
        Ok(Outcome::Done)
    }
}

fn describe(args: &Args, input: &str, session: &mut Session) -> Result<InfoDocument, Failure> {
    let limits = args.open.limits();
    // The document brings notes on the file itself, so these would repeat them.
    let mut notes = session.notes.empty_for_same();
    let (asset, bytes) = args.open.open(input, None, &mut notes)?;
    session.notes.add_ignored_options(notes);
    Ok(InfoDocument::of_asset(input, &bytes, &asset, &limits))
}

/// Puts a space before a name; without a name this is empty.
fn spaced(name: Option<&str>) -> String {
    name.map(|name| format!(" {name}")).unwrap_or_default()
}

fn position(position: [Float; 3]) -> String {
    let [x, y, z] = position.map(|Float(coordinate)| coordinate);
    format!("{:?}", [x, y, z])
}

fn print(out: &mut Output, info: &InfoDocument) -> Result<(), Failure> {
    let version = spaced(info.version.as_deref());
    let game = info.game.as_deref().map(|game| format!(", game {game}")).unwrap_or_default();
    out.line(format_args!("{}{version}{game}", info.format))?;
    out.line(format_args!("  file: {} bytes, hash {}", info.file_bytes, info.file_hash))?;
    print_members(out, info)?;
    for CompanionInfo { role, file, bytes, found } in &info.companions {
        let origin = if *found { "found" } else { "given" };
        out.line(format_args!("  {role}: {file}, {bytes} bytes, {origin}"))?;
    }
    print_counts(out, info)?;
    print_alternatives(out, info)?;
    for RecordCount { kind, count } in &info.records {
        out.line(format_args!("  records {kind}: {count}"))?;
    }
    print_parts(out, info)?;
    for FieldInfo { name, offset, value } in &info.fields {
        out.line(format_args!("  field {name} at 0x{offset:x}: {value}"))?;
    }
    for note in &info.notes {
        out.line(format_args!("  note: {}", NoteText(note)))?;
    }
    Ok(())
}

fn print_members(out: &mut Output, info: &InfoDocument) -> Result<(), Failure> {
    for MemberInfo { index, name, kind, format, drawable, offset, length } in &info.members {
        let format = format.as_deref().unwrap_or(if *length == 0 { "empty" } else { "unknown" });
        let format = kind.as_deref().unwrap_or(format);
        let name = spaced(name.as_deref());
        let drawable = if *drawable { ", drawable" } else { "" };
        out.line(format_args!("  member {index}{name}: {format}, {length} bytes at 0x{offset:x}{drawable}"))?;
    }
    match &info.member_counts {
        Some(MemberCounts { total, drawable, recognised, empty }) => out.line(format_args!(
            "  members: {total}, of which {drawable} drawable, {recognised} recognised, {empty} empty"
        )),
        None => Ok(()),
    }
}

fn print_counts(out: &mut Output, info: &InfoDocument) -> Result<(), Failure> {
    let stored = info.stored.as_ref();
    let counts = [
        ("meshes", info.meshes, None),
        ("groups", info.groups, None),
        ("draws", info.draws, None),
        ("vertices", info.vertices, stored.map(|stored| stored.vertices)),
        ("triangles", info.triangles, stored.map(|stored| stored.triangles)),
        ("materials", info.materials, None),
        ("textures", info.textures, None),
        ("bones", info.bones, stored.map(|stored| stored.bones)),
        ("animations", info.animations, None),
    ];
    for (name, count, stored) in counts {
        if let Some(count) = count {
            let stored = stored.filter(|stored| *stored != count);
            let stored = stored.map(|stored| format!(" ({stored} stored)")).unwrap_or_default();
            out.line(format_args!("  {name}: {count}{stored}"))?;
        }
    }
    for (name, count) in &info.counters {
        out.line(format_args!("  {}: {count}", name.replace('_', " ")))?;
    }
    if let Some(ExportedCounts { meshes, vertices, triangles }) = info.exported {
        out.line(format_args!("  exported: {meshes} meshes, {vertices} vertices, {triangles} triangles"))?;
    }
    if let Some(commands) = info.commands {
        out.line(format_args!("  commands: {commands}"))?;
    }
    if let Some(BoundsInfo { min, max }) = info.bounds {
        out.line(format_args!("  bounds: {} to {}", position(min), position(max)))?;
    }
    match info.payload_bytes {
        Some(bytes) => out.line(format_args!("  payload: {bytes} bytes")),
        None => Ok(()),
    }
}

/// Prints a model's levels of detail. Leaves them out if there is a single level with a single group and no hidden
/// parts.
fn print_alternatives(out: &mut Output, info: &InfoDocument) -> Result<(), Failure> {
    let levels = &info.levels_of_detail;
    if let [LevelInfo { level: 0, groups, hidden_meshes: 0 }] = levels.as_slice()
        && groups.len() < 2
    {
        return Ok(());
    }
    for LevelInfo { level, groups, hidden_meshes } in levels {
        let word = if groups.len() == 1 { "group" } else { "groups" };
        let groups: Vec<String> = groups.iter().map(ToString::to_string).collect();
        let hidden =
            if *hidden_meshes == 0 { String::new() } else { format!(", {hidden_meshes} hidden meshes") };
        out.line(format_args!("  level of detail {level}: {word} {}{hidden}", groups.join(", ")))?;
    }
    Ok(())
}

fn print_parts(out: &mut Output, info: &InfoDocument) -> Result<(), Failure> {
    for texture in &info.texture_list {
        let TextureInfo { index, name, width, height, format, palettes, palette_format } = texture;
        let name = spaced(name.as_deref());
        let palettes = match (palettes, palette_format) {
            (_, None) => String::new(),
            (1, Some(format)) => format!(", palette {format}"),
            (count, Some(format)) => format!(", {count} palettes {format}"),
        };
        out.line(format_args!("  texture {index}{name}: {width}x{height} {format}{palettes}"))?;
    }
    for BoneInfo { id, name, parent, position: at } in &info.bone_list {
        let parent = parent.map_or("none".to_owned(), |parent| parent.to_string());
        let (at, name) = (position(*at), spaced(name.as_deref()));
        out.line(format_args!("  bone {id}: parent {parent}, at {at}{name}"))?;
    }
    for animation in &info.animation_list {
        let AnimationInfo { index, name, frames, frames_per_second, channels, keys } = animation;
        let name = spaced(name.as_deref());
        let speed = frames_per_second.map(|Float(rate)| format!(" at {rate} per second")).unwrap_or_default();
        out.line(format_args!(
            "  animation {index}{name}: {frames} frames{speed}, {channels} channels, {keys} keys"
        ))?;
    }
    Ok(())
}
