//! Finds a case's references: pictures and depth buffers next to it, or in a folder `ref`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Picture extensions, most usual first.
const PICTURES: [&str; 9] = ["png", "bmp", "tga", "webp", "qoi", "ppm", "pgm", "jpg", "jpeg"];
/// Marks pictures captured on a real PSP.
pub(super) const PSP: &str = "psp";
/// How names of depth buffers end.
const DEPTH: &str = "depth.bin";
/// The name for a folder of references.
const FOLDER: &str = "ref";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) picture: Option<PathBuf>,
    pub(super) depth: Option<PathBuf>,
}

impl Reference {
    /// Whether both picture and depth buffer are missing.
    pub(super) const fn is_none(&self) -> bool {
        self.picture.is_none() && self.depth.is_none()
    }
}

/// Tells by its name whether a file may be a reference rather than a case.
pub(super) fn is_reference(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_depth = path.to_str().is_some_and(|path| path.ends_with(&format!("-{DEPTH}")));
    is_depth || PICTURES.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Finds a case's references among a folder's files. `case` and `files` are paths in this folder. The first suffix
/// wins that has a picture or a depth buffer; the empty suffix means the name alone.
pub(super) fn find(case: &Path, files: &BTreeSet<PathBuf>, suffixes: &[&str]) -> Reference {
    let folder = case.parent().unwrap_or(Path::new(""));
    let folders = folders(folder);
    let find = |name: &str| folders.iter().map(|folder| folder.join(name)).find(|path| files.contains(path));
    for suffix in suffixes {
        for stem in stems(case) {
            let stem = if suffix.is_empty() { stem } else { format!("{stem}-{suffix}") };
            let reference = Reference {
                picture: PICTURES.iter().find_map(|extension| find(&format!("{stem}.{extension}"))),
                depth: find(&format!("{stem}-{DEPTH}")),
            };
            if !reference.is_none() {
                return reference;
            }
        }
    }
    Reference::default()
}

/// Lists the folders to search for references to cases in `folder`: the folder itself, `ref` below it, and folders
/// that mirror the tree: `ref/a` for `a`, and for `dumps/a`.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    for ancestor in folder.ancestors() {
        let inside = folder.strip_prefix(ancestor).unwrap_or(Path::new(""));
        let references = ancestor.join(FOLDER);
        folders.push(references.join(inside));
        let mut parts = inside.components();
        if parts.next().is_some() {
            folders.push(references.join(parts.as_path()));
        }
    }
    folders
}

/// Lists names to look for when searching a case's references: for `a.ppdmp.zip` first `a`, then `a.ppdmp`, then the
/// whole name, because `pspge render` names pictures in folders like this.
fn stems(case: &Path) -> Vec<String> {
    let name = case.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut stems = vec![base_name(&name).to_owned()];
    if let Some((stem, _)) = name.rsplit_once('.') {
        stems.push(stem.to_owned());
    }
    stems.push(name);
    stems.dedup();
    stems
}

/// Removes the extensions `.zip` and `.ppdmp` from a file name, or else its only extension.
pub(super) fn base_name(name: &str) -> &str {
    let without = |name, extension: &str| {
        let length = str::len(name).checked_sub(extension.len())?;
        let (stem, end) = name.split_at_checked(length)?;
        (end.eq_ignore_ascii_case(extension) && !stem.is_empty()).then_some(stem)
    };
    let stem = without(name, ".zip").unwrap_or(name);
    match without(stem, ".ppdmp") {
        Some(stem) => stem,
        None if stem.len() < name.len() => stem,
        None => name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or(name, |(stem, _)| stem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(case: &str, files: &[&str], suffixes: &[&str]) -> [Option<String>; 2] {
        let files = files.iter().map(PathBuf::from).collect();
        let Reference { picture, depth } = find(Path::new(case), &files, suffixes);
        [picture, depth].map(|path| path.map(|path| path.display().to_string()))
    }

    fn picture(case: &str, files: &[&str]) -> Option<String> {
        let [picture, _] = found(case, files, &[PSP, ""]);
        picture
    }

    #[test]
    fn siblings_and_folders_of_references() {
        assert_eq!(picture("a.ppdmp", &["a.png"]).as_deref(), Some("a.png"), "next to it");
        assert_eq!(
            picture("a.ppdmp", &["a.png", "a-psp.png"]).as_deref(),
            Some("a-psp.png"),
            "the hardware's"
        );
        assert_eq!(picture("a.ppdmp", &["ref/a-psp.png"]).as_deref(), Some("ref/a-psp.png"), "a folder");
        assert_eq!(
            picture("x/a.ppdmp", &["ref/x/a-psp.png"]).as_deref(),
            Some("ref/x/a-psp.png"),
            "mirrored"
        );
        assert_eq!(
            picture("dumps/x/a.zip", &["ref/x/a.png"]).as_deref(),
            Some("ref/x/a.png"),
            "a collection"
        );
        assert_eq!(
            picture("a.ppdmp", &["a.ppdmp.png"]).as_deref(),
            Some("a.ppdmp.png"),
            "as render names it"
        );
        assert_eq!(picture("a.ppdmp", &["b.png", "x/a.png"]), None, "others");
    }

    #[test]
    fn depth_belongs_to_the_picture_of_its_suffix() {
        let files = ["ref/a-psp.png", "ref/a-psp-depth.bin", "a.png", "a-depth.bin"];
        let expected = [Some("ref/a-psp.png".to_owned()), Some("ref/a-psp-depth.bin".to_owned())];
        assert_eq!(found("a.ppdmp", &files, &[PSP, ""]), expected, "of the PSP");
        assert_eq!(found("a.ppdmp", &files, &["gl", ""])[1].as_deref(), Some("a-depth.bin"), "of no suffix");
    }

    #[test]
    fn extensions_of_dumps_are_left_out() {
        for (name, base) in [
            ("a.b.ppdmp", "a.b"),
            ("a.PPDMP.ZIP", "a"),
            ("a.zip", "a"),
            ("a.pmo", "a"),
            (".x", ".x"),
            ("a", "a"),
        ] {
            assert_eq!(base_name(name), base, "{name}");
        }
    }
}
