//! Counts lines of Rust in each room: `cargo dev lines`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// Lines of code and of tests. Comments and blank lines count.
#[derive(Clone, Copy, Default)]
struct Lines {
    code: usize,
    tests: usize,
}

/// Prints a line for each room, and the sums.
pub(crate) fn print() -> io::Result<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut rooms: BTreeMap<String, Lines> = BTreeMap::new();
    for folder in ["src", "tools", "ge-tests"] {
        count(&root, folder, &mut rooms)?;
    }
    let mut sum = Lines::default();
    let mut out = io::stdout().lock();
    writeln!(out, "{:28} {:>7} {:>7}", "room", "code", "tests")?;
    for (room, lines) in &rooms {
        writeln!(out, "{room:28} {:>7} {:>7}", lines.code, lines.tests)?;
        sum = Lines { code: sum.code + lines.code, tests: sum.tests + lines.tests };
    }
    writeln!(out, "{:28} {:>7} {:>7}", "all", sum.code, sum.tests)?;
    Ok(true)
}

/// Counts the files in a folder, whose path is relative to the root.
fn count(root: &Path, folder: &str, rooms: &mut BTreeMap<String, Lines>) -> io::Result<()> {
    for entry in std::fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{folder}/{name}");
        if entry.file_type()?.is_dir() {
            if name != "target" && name != "node_modules" {
                count(root, &path, rooms)?;
            }
        } else if name.ends_with(".rs") {
            let text = std::fs::read_to_string(entry.path())?;
            let (all, code) = (text.lines().count(), code_lines(&path, &text));
            let lines = rooms.entry(room_of(&path)).or_default();
            lines.code += code;
            lines.tests += all - code;
        }
    }
    Ok(())
}

/// Counts the lines before a file's tests.
fn code_lines(path: &str, text: &str) -> usize {
    let is_test = |part: &str| matches!(part.trim_end_matches(".rs"), "tests" | "test" | "benches");
    if path.split('/').any(is_test) || path.starts_with("ge-tests/") {
        return 0;
    }
    text.lines().take_while(|line| *line != "#[cfg(test)]").count()
}

/// Returns a file's room: `src/check` for `src/check.rs` and for everything in `src/check`.
fn room_of(path: &str) -> String {
    let depth = if path.starts_with("src/engine/") { 3 } else { 2 };
    let parts: Vec<&str> = path.split('/').take(depth).collect();
    parts.join("/").trim_end_matches(".rs").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_belong_to_rooms() {
        for (path, room) in [
            ("src/check.rs", "src/check"),
            ("src/check/texels.rs", "src/check"),
            ("src/engine/raster/fast/fill.rs", "src/engine/raster"),
            ("src/engine/raster.rs", "src/engine/raster"),
            ("tools/capi/src/run.rs", "tools/capi"),
        ] {
            assert_eq!(room_of(path), room, "{path}");
        }
    }

    #[test]
    fn tests_are_counted_apart() {
        assert_eq!(code_lines("src/a.rs", "one\ntwo\n#[cfg(test)]\nmod tests {}\n"), 2);
        assert_eq!(code_lines("src/a/tests.rs", "one\n"), 0);
        assert_eq!(code_lines("ge-tests/src/a.rs", "one\n"), 0);
    }
}
