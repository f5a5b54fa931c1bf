//! Which module of the library may use which: the direction of dependencies, read from the sources.

use crate::tree::{self, Entry};

/// Modules that everyone may use, and that use only one another.
const BASE: &[&str] = &[
    "address",
    "arithmetic",
    "capture",
    "color",
    "command",
    "edram",
    "float24",
    "limits",
    "list",
    "memory",
    "note",
    "opcode",
    "primitive",
    "registers",
];

/// The other modules, and what each may use beside the base.
const LAYERS: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("assembly", &["text"]),
    ("vertex", &[]),
    ("texture", &[]),
    ("framebuffer", &[]),
    ("model", &["texture"]),
    ("scene", &["model"]),
    ("geometry", &["vertex"]),
    ("draw", &["geometry", "vertex"]),
    ("sink", &["draw"]),
    ("interpreter", &["draw", "sink", "geometry", "vertex", "texture"]),
    ("raster", &["draw", "sink", "texture", "framebuffer"]),
    ("trace", &["draw", "sink", "text"]),
    ("decode", &["draw", "sink", "geometry", "vertex", "texture", "scene"]),
    ("formats", &["model"]),
    ("replay", &["interpreter", "sink"]),
    ("replay", &["interpreter", "sink"]),
    // Written through the format's own module, which knows what a reader accepts.
    ("record", &["formats", "framebuffer", "sink", "texture", "vertex"]),
    ("portrait", &["decode", "framebuffer", "interpreter", "model", "raster", "scene", "sink"]),
    (
        "export",
        &[
            "decode",
            "draw",
            "interpreter",
            "model",
            "portrait",
            "raster",
            "replay",
            "scene",
            "sink",
            "texture",
        ],
    ),
];

/// Every use against the direction, and every module that the tables do not know.
pub(crate) fn violations() -> Vec<String> {
    let mut found = Vec::new();
    for entry in tree::sources() {
        let Some(module) = module_of(&entry.path) else { continue };
        let Some(allowed) = allowed(module) else {
            found.push(format!("{}: module `{module}` is in neither table of {}", entry.path, file!()));
            continue;
        };
        for (line, used) in uses(entry) {
            if used != module && !BASE.contains(&used.as_str()) && !allowed.contains(&used.as_str()) {
                found.push(format!("{}:{line}: `{module}` may not use `{used}`", entry.path));
            }
        }
    }
    found
}

/// The module of the library that a file belongs to; `lib.rs` only lists them.
fn module_of(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("src/")?;
    let module = inside.split('/').next()?.trim_end_matches(".rs");
    (module != "lib").then_some(module)
}

fn allowed(module: &str) -> Option<&'static [&'static str]> {
    if BASE.contains(&module) {
        return Some(&[]);
    }
    LAYERS.iter().find(|(name, _)| *name == module).map(|(_, allowed)| *allowed)
}

/// The library's modules that a file names outside its tests, with the lines.
fn uses(entry: &Entry) -> Vec<(usize, String)> {
    // From `src/a/b.rs` the crate's root is two `super` away.
    let parents = "super::".repeat(entry.path.split('/').count() - 1);
    let mut found = Vec::new();
    let mut braces: Option<(usize, usize)> = None;
    for (number, line) in entry.code() {
        let mut rest = line;
        loop {
            if let Some((depth, first)) = braces {
                // Inside `use crate::{…}`: names at depth 1 are modules.
                let (names, after, depth) = grouped(rest, depth);
                found.extend(names.into_iter().map(|name| (first.max(number), name)));
                braces = (depth > 0).then_some((depth, number));
                let Some(after) = after else { break };
                rest = after;
                continue;
            }
            let starts = ["crate::", parents.as_str()];
            let Some((at, start)) =
                starts.iter().filter_map(|start| Some((rest.find(start)?, start))).min_by_key(|(at, _)| *at)
            else {
                break;
            };
            rest = &rest[at + start.len()..];
            if let Some(group) = rest.strip_prefix('{') {
                braces = Some((1, number));
                rest = group;
            } else {
                let name = identifier(rest);
                if !name.is_empty() && name != "super" {
                    found.push((number, name.to_owned()));
                }
            }
        }
    }
    found
}

/// The names that begin a path at depth 1 of a `use` group; what follows the group on this line; the depth at
/// the line's end.
fn grouped(line: &str, mut depth: usize) -> (Vec<String>, Option<&str>, usize) {
    let mut names = Vec::new();
    let mut at_start = true;
    let mut chars = line.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return (names, line.get(at + 1..), 0);
                }
            }
            ',' if depth == 1 => at_start = true,
            _ if char.is_whitespace() => {}
            _ => {
                if at_start && depth == 1 {
                    let name = identifier(&line[at..]);
                    names.push(name.to_owned());
                    for _ in 1..name.len() {
                        chars.next();
                    }
                }
                at_start = false;
            }
        }
    }
    (names, None, depth)
}

fn identifier(text: &str) -> &str {
    let end = text.find(|char: char| char != '_' && !char.is_ascii_alphanumeric()).unwrap_or(text.len());
    &text[..end]
}

#[test]
fn uses_are_read_from_single_paths_groups_and_parents() {
    let text = "//! crate::comment\nuse crate::memory::Memory;\nuse crate::{\n    draw::Draw, sink::{Sink, A},\n};\n\
                let x = super::super::raster::y; // crate\n#[cfg(test)]\nmod tests { use crate::formats; }\n";
    let entry = Entry { path: "src/geometry/clip.rs".into(), bytes: text.into() };
    let names: Vec<(usize, String)> = uses(&entry);
    let names: Vec<(usize, &str)> = names.iter().map(|(line, name)| (*line, name.as_str())).collect();
    assert_eq!(names, [(2, "memory"), (4, "draw"), (4, "sink"), (6, "raster")], "names with their lines");
}
