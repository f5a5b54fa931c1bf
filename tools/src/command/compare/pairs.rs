//! Pairs inputs to compare: two files, or files in two folders.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use crate::batch::arguments::{Destination, OutputArgs};
use crate::batch::inputs::{Found, files_of};
use crate::input::path_text;
use crate::terminal::failure::Failure;

/// Two inputs to compare with each other. A side may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// Path below the folders, or the first input's name.
    pub(super) name: String,
    pub(super) first: Option<String>,
    pub(super) second: Option<String>,
}

/// Reduces a path to the part used for pairing.
type Key = fn(&Path) -> PathBuf;

#[derive(Debug)]
pub(super) struct Pairs {
    pairs: Vec<Pair>,
    /// Finds a pair's number by the input that names it.
    numbers: HashMap<String, usize>,
    /// Whether they come from two folders.
    pub(super) is_batch: bool,
}

impl Pairs {
    /// Pairs two inputs, or the files in two folders.
    ///
    /// # Errors
    /// If A or B alone is a folder, both are standard input, or both folders are empty.
    pub(super) fn list(first: &str, second: &str, output: Option<&Path>) -> Result<Self, Failure> {
        let folders = [first, second].map(|input| path_text::path(input).is_dir());
        match folders {
            [false, false] if first == "-" && second == "-" => {
                Err(Failure::usage("A and B cannot both be standard input"))
            }
            [false, false] => {
                let input = |name: &str| Some(name.to_owned());
                let pair = Pair { name: first.to_owned(), first: input(first), second: input(second) };
                Ok(Self::new(vec![pair], false))
            }
            [true, true] => {
                let pairs = pair_up(&below(first, output), &below(second, output));
                if pairs.is_empty() {
                    return Err(Failure::input(first, "empty-folder", None, "both folders hold no files"));
                }
                Ok(Self::new(pairs, true))
            }
            [true, false] => {
                Err(Failure::usage(format_args!("A ({first}) is a folder, but B ({second}) is not")))
            }
            [false, true] => {
                Err(Failure::usage(format_args!("B ({second}) is a folder, but A ({first}) is not")))
            }
        }
    }

    fn new(pairs: Vec<Pair>, is_batch: bool) -> Self {
        let numbers = pairs.iter().enumerate().map(|(number, pair)| (pair.input().to_owned(), number));
        Self { numbers: numbers.collect(), pairs, is_batch }
    }

    /// Returns an input to name each pair: the first, or the second if the first is missing.
    pub(super) fn inputs(&self) -> Vec<Found> {
        let found = |pair: &Pair| Found {
            input: pair.input().to_owned(),
            path: PathBuf::from(&pair.name),
            is_in_folder: self.is_batch,
            is_found: self.is_batch,
        };
        self.pairs.iter().map(found).collect()
    }

    pub(super) fn of(&self, input: &str) -> Option<&Pair> {
        self.pairs.get(*self.numbers.get(input)?)
    }

    /// Returns how many characters the longest name has, to align columns.
    pub(super) fn widest_name(&self) -> usize {
        self.pairs.iter().map(|pair| pair.name.chars().count()).max().unwrap_or(0)
    }
}

impl Pair {
    fn input(&self) -> &str {
        self.first.as_deref().or(self.second.as_deref()).unwrap_or(&self.name)
    }
}

/// Lists files below a folder, with their paths in it.
fn below(folder: &str, output: Option<&Path>) -> BTreeMap<PathBuf, String> {
    let output =
        output.map(|output| OutputArgs { output: output.to_owned(), skip_existing: false, parents: false });
    let destination = output.as_ref().map_or(Destination::None, Destination::Files);
    let files = files_of(&path_text::path(folder), &destination);
    files.into_iter().map(|found| (found.path, found.input)).collect()
}

/// Pairs files by their paths. Equal paths go first; then names that add an extension to the other, as in `x.ppdmp`
/// and `x.ppdmp.png`; then names that differ only in their extension. A name that could pair with several others
/// stays alone.
fn pair_up(first: &BTreeMap<PathBuf, String>, second: &BTreeMap<PathBuf, String>) -> Vec<Pair> {
    let (whole, stem): (Key, Key) = (Path::to_path_buf, |path| path.with_extension(""));
    let mut partners: BTreeMap<&Path, &Path> = BTreeMap::new();
    // Each round pairs only files left by earlier rounds, to let the closest names win.
    for [key_of_first, key_of_second] in [[whole, whole], [whole, stem], [stem, whole], [stem, stem]] {
        let taken: BTreeSet<&Path> = partners.values().copied().collect();
        let left = by_key(first.keys().filter(|path| !partners.contains_key(path.as_path())), key_of_first);
        let right = by_key(second.keys().filter(|path| !taken.contains(path.as_path())), key_of_second);
        for (key, paths) in left {
            if let ([a], Some([b])) = (paths.as_slice(), right.get(&key).map(Vec::as_slice)) {
                partners.insert(a, b);
            }
        }
    }
    let taken: BTreeSet<&Path> = partners.values().copied().collect();
    let name = |path: &Path| path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    let mut pairs = Vec::new();
    for (path, input) in first {
        let partner = partners.get(path.as_path()).and_then(|partner| second.get(*partner)).cloned();
        pairs.push(Pair { name: name(path), first: Some(input.clone()), second: partner });
    }
    for (path, input) in second.iter().filter(|(path, _)| !taken.contains(path.as_path())) {
        pairs.push(Pair { name: name(path), first: None, second: Some(input.clone()) });
    }
    pairs.sort_by(|a, b| a.name.cmp(&b.name));
    pairs
}

fn by_key<'p>(paths: impl Iterator<Item = &'p PathBuf>, key: Key) -> BTreeMap<PathBuf, Vec<&'p Path>> {
    let mut groups: BTreeMap<PathBuf, Vec<&Path>> = BTreeMap::new();
    for path in paths {
        groups.entry(key(path)).or_default().push(path);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paired(first: &[&str], second: &[&str]) -> Vec<String> {
        let files =
            |names: &[&str]| names.iter().map(|name| (PathBuf::from(name), (*name).to_owned())).collect();
        let side = |side: Option<String>| side.unwrap_or_else(|| "-".to_owned());
        let pairs = pair_up(&files(first), &files(second));
        pairs.into_iter().map(|pair| format!("{} {}", side(pair.first), side(pair.second))).collect()
    }

    #[test]
    fn equal_paths_belong_together() {
        let pairs = paired(&["a.png", "b/c.png", "d.png"], &["a.png", "b/c.png", "e.png"]);
        assert_eq!(pairs, ["a.png a.png", "b/c.png b/c.png", "d.png -", "- e.png"], "and the others alone");
    }

    #[test]
    fn dumps_belong_to_pictures_of_their_name() {
        assert_eq!(paired(&["x.ppdmp"], &["x.ppdmp.png"]), ["x.ppdmp x.ppdmp.png"], "as render names it");
        assert_eq!(paired(&["x.png"], &["x.ppdmp"]), ["x.png x.ppdmp"], "the extension differs");
        assert_eq!(paired(&["a/x.pac"], &["b/x.png"]), ["a/x.pac -", "- b/x.png"], "other folders");
    }

    #[test]
    fn ambiguous_names_stay_alone() {
        let pairs = paired(&["x.pac", "x.pmo"], &["x.png"]);
        assert_eq!(pairs, ["x.pac -", "x.pmo -", "- x.png"], "two files for one picture");
        let pairs = paired(&["x.pac", "x.pmo"], &["x.pac.png", "x.pmo.png"]);
        assert_eq!(pairs, ["x.pac x.pac.png", "x.pmo x.pmo.png"], "the names tell them apart");
    }
}
