//! Checks in which direction the library's rooms depend on each other.

use crate::imports::{self, Import};
use crate::tree;

/// The rooms, each with the rooms it may use besides `ge`.
///
/// Each room opens with a sentence about its contents. An import against this table means that code is in the wrong
/// room: move the shared part down, or pass it in as an argument.
const ROOMS: &[(&str, &[&str])] = &[
    ("reference", &[]),
    ("ge", &[]),
    ("asm", &["pipeline"]),
    ("pipeline", &[]),
    ("run", &["asm", "pipeline"]),
    ("queue", &["pipeline", "run"]),
    ("raster", &["pipeline", "run"]),
    ("model", &["pipeline"]),
    ("scene", &["model", "pipeline", "raster", "run"]),
    ("formats", &["model"]),
    ("export", &["formats", "model", "pipeline", "raster", "run", "scene"]),
    ("import", &["asm", "export", "formats", "model", "pipeline"]),
    ("check", &["asm", "formats", "model", "pipeline", "raster", "run", "scene"]),
    ("texture_pack", &["pipeline", "raster", "run"]),
    ("debug", &["asm", "pipeline", "raster", "run", "texture_pack"]),
    ("recording", &["debug", "export", "formats", "pipeline", "raster", "run"]),
    ("asset", &["asm", "check", "debug", "export", "formats", "model", "pipeline", "raster", "run", "scene"]),
    (
        "documents",
        &[
            "asm",
            "asset",
            "check",
            "compare",
            "debug",
            "export",
            "formats",
            "import",
            "model",
            "pipeline",
            "raster",
            "run",
            "scene",
            "texture_pack",
        ],
    ),
    ("compare", &["asset", "scene"]),
    (
        "inspect",
        &[
            "asm",
            "asset",
            "compare",
            "debug",
            "documents",
            "export",
            "formats",
            "model",
            "pipeline",
            "raster",
            "run",
            "scene",
        ],
    ),
    ("table", &["asset", "documents", "formats", "model", "pipeline", "raster", "run", "scene"]),
];

/// The debugger's rooms. Each may import those before it.
const DEBUG_ROOMS: &[&str] = &[
    "timeline", "memory", "session", "shot", "draw", "pixel", "passes", "trim", "reduce", "diff", "what_if",
];

/// Returns every import against the order of the debugger's rooms, and every room missing in the table.
pub(crate) fn debug_violations() -> Vec<String> {
    let place = |room: &str| DEBUG_ROOMS.iter().position(|known| *known == room);
    let violation = |import: &Import| {
        let (from, to) = (debug_room(&import.from)?, debug_room(&import.to)?);
        let is_allowed = place(from).zip(place(to)).is_some_and(|(from, to)| to <= from);
        (!is_allowed).then(|| {
            format!("{}:{}: `{from}` may not use `{to}` ({})", import.from, import.line, import.path)
        })
    };
    imports::all().iter().filter_map(violation).collect()
}

/// Returns the room for a file in the debugger; `None` for other files.
fn debug_room(path: &str) -> Option<&str> {
    Some(path.strip_prefix("src/debug/")?.split('/').next()?.trim_end_matches(".rs"))
}

/// Returns every import against the table, and every room missing in it.
pub(crate) fn violations() -> Vec<String> {
    imports::all().iter().filter_map(violation).collect()
}

fn violation(import: &Import) -> Option<String> {
    let (from, to) = (room(&import.from)?, room(&import.to)?);
    let place = || format!("{}:{}: imports {}", import.from, import.line, import.path);
    let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == from) else {
        return Some(format!("{}: `{from}` is not in the table of rooms", place()));
    };
    let is_allowed = from == to || to == "ge" && from != "ge" || allowed.contains(&to);
    (!is_allowed).then(|| format!("{}: `{from}` may not use `{to}`", place()))
}

/// Returns a file's room; `None` for the crate's root.
fn room(path: &str) -> Option<&str> {
    let name = tree::in_library(path)?.split('/').next()?.trim_end_matches(".rs");
    (name != "lib").then_some(name)
}

/// Returns each cycle between files as the imports that tie it together.
pub(crate) fn cycles() -> Vec<String> {
    let imports = imports::all();
    let line =
        |import: &Import| format!("{}:{}: imports {} ({})", import.from, import.line, import.to, import.path);
    imports::cycles(&imports)
        .into_iter()
        .enumerate()
        .flat_map(|(number, group)| {
            group.into_iter().map(move |import| format!("cycle {}: {}", number + 1, line(import)))
        })
        .collect()
}
