//! Finds imports between the library's files, with a Rust parser.

use std::collections::{BTreeMap, BTreeSet};

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::tree::{self, Entry};

/// A file that names an item in another file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Import {
    /// The importing file.
    pub(crate) from: String,
    /// The line of the first such name, from 1.
    pub(crate) line: usize,
    /// The imported file.
    pub(crate) to: String,
    /// The path as written, resolved from the crate's root.
    pub(crate) path: String,
}

/// Returns all imports between files below `src/`, outside unit tests.
pub(crate) fn all() -> Vec<Import> {
    let modules = Modules::of(tree::sources().map(|entry| entry.path.as_str()));
    let mut imports = Vec::new();
    for entry in tree::sources().filter(|entry| entry.path.starts_with("src/")) {
        imports.extend(of_file(entry, &modules));
    }
    imports
}

/// The library's modules: path from the crate's root, and file.
pub(crate) struct Modules(BTreeMap<Vec<String>, String>);

impl Modules {
    fn of<'a>(paths: impl Iterator<Item = &'a str>) -> Self {
        Self(paths.filter_map(|path| Some((module_path(path)?, path.to_owned()))).collect())
    }

    /// Returns the file for the deepest module on a path.
    fn file(&self, path: &[String]) -> Option<&str> {
        (0..=path.len()).rev().find_map(|end| self.0.get(&path[..end])).map(String::as_str)
    }
}

/// Returns a file's module, as segments from the crate's root; `None` outside the library and for test files. The
/// engine's modules have the same paths in both crates, because the library shows them under their names.
pub(crate) fn module_path(path: &str) -> Option<Vec<String>> {
    let inside = tree::in_library(path)?.strip_suffix(".rs")?;
    let segments: Vec<String> = inside.split('/').map(String::from).collect();
    if path == "src/engine/lib.rs" || segments.iter().any(|segment| segment == "tests") {
        return None;
    }
    Some(if inside == "lib" { Vec::new() } else { segments })
}

/// Returns a file's imports.
pub(crate) fn of_file(entry: &Entry, modules: &Modules) -> Vec<Import> {
    let Some(own) = module_path(&entry.path) else { return Vec::new() };
    let Ok(file) = syn::parse_file(entry.text().unwrap_or_default()) else {
        panic!("{}: not Rust", entry.path)
    };
    let mut paths = Paths { own, modules, inner: 0, found: BTreeMap::new() };
    paths.visit_file(&file);
    let import = |(path, line): (Vec<String>, usize)| {
        let to = modules.file(&path)?.to_owned();
        let path = path.join("::");
        (to != entry.path).then(|| Import { from: entry.path.clone(), line, to, path })
    };
    paths.found.into_iter().filter_map(import).collect()
}

/// Collects the paths named in a file, resolved from the crate's root.
struct Paths<'m> {
    own: Vec<String>,
    modules: &'m Modules,
    /// How many inline modules are around the visited item.
    inner: usize,
    found: BTreeMap<Vec<String>, usize>,
}

impl Paths<'_> {
    fn add(&mut self, segments: &[String], line: usize) {
        if let Some(path) = self.resolve(segments) {
            self.found.entry(path).or_insert(line);
        }
    }

    fn resolve(&self, segments: &[String]) -> Option<Vec<String>> {
        let first = segments.first()?;
        let mut rest = segments;
        let mut base = self.own.clone();
        if first == "crate" || first == "pspge_engine" {
            return Some(segments[1..].to_vec());
        }
        if first == "super" {
            let mut up = 0;
            while rest.first().is_some_and(|segment| segment == "super") {
                rest = &rest[1..];
                up += 1;
            }
            base.truncate(base.len().saturating_sub(up - self.inner.min(up)));
        } else if first == "self" {
            rest = &rest[1..];
        } else {
            // A path without prefix names another file only if it starts at a child module.
            let child: Vec<String> = base.iter().chain([first]).cloned().collect();
            self.modules.0.get(&child)?;
        }
        base.extend(rest.iter().cloned());
        Some(base)
    }

    fn add_tree(&mut self, prefix: &[String], tree: &syn::UseTree) {
        let with = |name: &syn::Ident| -> Vec<String> {
            prefix.iter().cloned().chain((name != "self").then(|| name.to_string())).collect()
        };
        match tree {
            syn::UseTree::Path(path) if prefix.is_empty() => {
                self.add_tree(&[path.ident.to_string()], &path.tree);
            }
            syn::UseTree::Path(path) => self.add_tree(&with(&path.ident), &path.tree),
            syn::UseTree::Name(name) => self.add(&with(&name.ident), name.span().start().line),
            syn::UseTree::Rename(rename) => self.add(&with(&rename.ident), rename.span().start().line),
            syn::UseTree::Glob(glob) => self.add(prefix, glob.span().start().line),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_tree(prefix, tree)),
        }
    }
}

/// Returns whether an item is compiled for tests only.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test")
    })
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.add_tree(&[], &item.tree);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            self.inner += 1;
            visit::visit_item_mod(self, item);
            self.inner -= 1;
        }
    }

    /// `pub(in path)` imports nothing, so this does not look inside.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            let segments: Vec<String> =
                path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.add(&segments, path.span().start().line);
        }
        visit::visit_path(self, path);
    }
}

/// Returns groups of files that import each other, each with the imports to tie it together.
pub(crate) fn cycles(imports: &[Import]) -> Vec<Vec<&Import>> {
    let mut next: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for import in imports {
        next.entry(&import.from).or_default().insert(&import.to);
    }
    let reach = |start: &str| {
        let mut seen = BTreeSet::new();
        let mut open: Vec<&str> = next.get(start).into_iter().flatten().copied().collect();
        while let Some(file) = open.pop() {
            if seen.insert(file.to_owned()) {
                open.extend(next.get(file).into_iter().flatten());
            }
        }
        seen
    };
    let reached: BTreeMap<&str, BTreeSet<String>> = next.keys().map(|file| (*file, reach(file))).collect();
    let mutual = |a: &str, b: &str| {
        let reaches = |a: &str, b: &str| reached.get(a).is_some_and(|files| files.contains(b));
        reaches(a, b) && reaches(b, a)
    };
    let mut done = BTreeSet::new();
    let mut found = Vec::new();
    for start in next.keys() {
        if mutual(start, start) && done.insert(*start) {
            done.extend(next.keys().filter(|file| mutual(start, file)));
            let ties = |import: &&Import| mutual(start, &import.from) && mutual(start, &import.to);
            found.push(imports.iter().filter(ties).collect());
        }
    }
    found
}

#[test]
fn resolves_paths_to_files() {
    let files =
        ["src/lib.rs", "src/ge.rs", "src/ge/memory.rs", "src/run.rs", "src/run/flow.rs", "src/run/tests.rs"];
    let modules = Modules::of(files.into_iter());
    let text = "use crate::ge::memory::{Memory, self};\nuse flow::Flow;\nuse std::fmt;\n\
                fn f() -> super::ge::Word { crate::ge::memory::zero() }\n\
                mod inner { use super::flow::State; }\n\
                #[cfg(test)]\nmod tests { use crate::lib; }\n";
    let entry = Entry { path: "src/run.rs".into(), bytes: text.into() };
    let found: Vec<(usize, String, String)> =
        of_file(&entry, &modules).into_iter().map(|import| (import.line, import.to, import.path)).collect();
    let expected = [
        (4, "src/ge.rs", "ge::Word"),
        (1, "src/ge/memory.rs", "ge::memory"),
        (1, "src/ge/memory.rs", "ge::memory::Memory"),
        (4, "src/ge/memory.rs", "ge::memory::zero"),
        (2, "src/run/flow.rs", "run::flow::Flow"),
        (5, "src/run/flow.rs", "run::flow::State"),
    ];
    let expected: Vec<(usize, String, String)> =
        expected.into_iter().map(|(line, to, path)| (line, to.to_owned(), path.to_owned())).collect();
    assert_eq!(found, expected, "line, file and path of each import");
}

#[test]
fn finds_separate_cycles() {
    let import = |from: &str, to: &str| Import { from: from.into(), line: 1, to: to.into(), path: to.into() };
    let imports = [
        import("a", "b"),
        import("b", "c"),
        import("c", "b"),
        import("c", "d"),
        import("e", "f"),
        import("f", "e"),
    ];
    let groups: Vec<Vec<(&str, &str)>> = cycles(&imports)
        .into_iter()
        .map(|group| group.into_iter().map(|import| (import.from.as_str(), import.to.as_str())).collect())
        .collect();
    assert_eq!(groups, [vec![("b", "c"), ("c", "b")], vec![("e", "f"), ("f", "e")]], "two cycles");
}
