//! Checks the rooms of the inspector's page, which are its source folders: in which direction they depend on each
//! other.

use std::collections::BTreeMap;

use crate::imports::{self, Import};
use crate::tree;

/// The folder with the sources.
const SOURCES: &str = "tools/page/src/";

/// The rooms. Each may import those before it: helpers without state, the open file and the selection, controls,
/// pictures, views in three dimensions, the event list, the panels, and the page around all these.
const ROOMS: &[&str] = &["base", "state", "widgets", "picture", "mesh", "events", "panels", "page"];

/// The most files in a room, because more usually are two rooms.
const FILES_MAX: usize = 25;

/// Returns every import from a later room, every cycle, and every room that is unknown or too large.
pub(crate) fn violations() -> Vec<String> {
    let mut found = Vec::new();
    let mut sizes = BTreeMap::new();
    let mut imports = Vec::new();
    for entry in tree::entries() {
        let Some(name) = entry.path.strip_prefix(SOURCES) else { continue };
        *sizes.entry(room(name)).or_insert(0_usize) += 1;
        imports.extend(imports_of(name, entry.text().unwrap_or_default()));
    }
    let place = |name: &str| ROOMS.iter().position(|known| *known == room(name));
    let is_allowed = |import: &Import| {
        let (from, to) = (place(&import.from), place(&import.to));
        from.zip(to).is_some_and(|(from, to)| to <= from)
    };
    let line = |import: &Import| format!("{SOURCES}{}:{}: imports {}", import.from, import.line, import.path);
    found.extend(imports.iter().filter(|import| !is_allowed(import)).map(line));
    found.extend(
        imports::cycles(&imports).into_iter().flatten().map(|import| format!("cycle: {}", line(import))),
    );
    found.extend(sizes.into_iter().filter(|(room, files)| !ROOMS.contains(room) || *files > FILES_MAX).map(
        |(room, files)| format!("{SOURCES}{room}: {files} files, of at most {FILES_MAX} in one of {ROOMS:?}"),
    ));
    found
}

/// Returns the room for a module such as `base/dom.ts`.
fn room(name: &str) -> &str {
    name.split_once('/').map_or("", |(room, _)| room)
}

/// Lists the page's modules that a source imports.
fn imports_of(name: &str, text: &str) -> Vec<Import> {
    let from = name.rsplit_once('.').map_or(name, |(module, _)| module);
    let import = |(index, line): (usize, &str)| {
        let to = line.rsplit_once(" from \"pspge/")?.1.strip_suffix(".js\";")?;
        // This skips the documents, because they are the engine's types, written before a build.
        (to != "documents").then(|| Import {
            from: from.to_owned(),
            line: index + 1,
            to: to.to_owned(),
            path: to.to_owned(),
        })
    };
    text.lines().enumerate().filter_map(import).collect()
}

#[test]
fn finds_imports() {
    let text = "import { h } from \"pspge/base/dom.js\";\nimport type { A } from \"pspge/documents.js\";\nlet x = 1;\n";
    let found = imports_of("page/app.ts", text);
    assert_eq!(found.len(), 1, "documents are no module");
    assert_eq!((found[0].from.as_str(), found[0].line, found[0].to.as_str()), ("page/app", 1, "base/dom"));
}
