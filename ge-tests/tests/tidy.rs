//! Tests the repository's rules. Each test checks a single rule and lists its violations.
//!
//! Rules check the tracked files (or, without git, all files). Exceptions are in tables here, each with a reason.
//! Continuous integration has no other rules.

#[path = "tidy/citations.rs"]
mod citations;
#[path = "tidy/imports.rs"]
mod imports;
#[path = "tidy/layers.rs"]
mod layers;
#[path = "tidy/page.rs"]
mod page;
#[path = "tidy/tree.rs"]
mod tree;

use pspge::ge::command_table::Evidence;
use pspge::ge::opcode::Opcode;

/// The longest file allowed, in lines, because longer files usually contain two ideas.
const MAX_LINES: usize = 600;
/// Longer files to allow, with the reason.
const LONG_FILES: &[(&str, &str)] = &[("src/engine/ge/opcode.rs", "one row for each of 256 commands")];

/// The largest tracked file allowed, in bytes.
const MAX_FILE_BYTES: usize = 256 * 1024;

/// Allowed names at the top level, besides dotfiles.
const TOP_LEVEL: &[&str] = &[
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "ge-tests",
    "snapshots",
    "src",
    "tools",
];

/// Where reference pictures come from: a real PSP (`hw`), or this engine (`self`).
const WITNESSES: &[&str] = &["hw", "self"];

/// Packages that may have `unsafe` code: the C interface, and the calls to a console's kernel. Their lints demand a
/// reason for each block.
const UNSAFE_PACKAGES: &[&str] = &["tools/capi/", "tools/homebrew/rust/"];

/// Calls to avoid outside tests, because programs have to end by returning.
const PANICS: &[&str] =
    &[".unwrap()", ".expect(\"", "panic!(", "todo!(", "unimplemented!(", "unreachable!(", "dbg!("];

/// The start of paths that exist on a single machine.
const MACHINE_FOLDERS: &[&str] = &["home", "tmp", "work", "root", "Users"];

/// Fails with the rule and its first violations, if there are any.
fn report(rule: &str, found: &[String]) {
    let first = found[..found.len().min(40)].join("\n  ");
    assert!(found.is_empty(), "{rule}\nViolations: {}\n  {first}", found.len());
}

/// Returns the place of every line in tracked text for which `wrong`, given path and line, is true.
fn text_lines(wrong: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for entry in tree::entries() {
        for (index, line) in entry.text().unwrap_or_default().split('\n').enumerate() {
            if wrong(&entry.path, line) {
                found.push(format!("{}:{}", entry.path, index + 1));
            }
        }
    }
    found
}

#[test]
fn file_list_is_complete() {
    assert!(tree::entry("src/lib.rs").is_some(), "the file list lacks src/lib.rs");
    assert!(tree::sources().count() > 30, "the file list lacks most sources");
}

#[test]
fn files_are_short() {
    let mut found = Vec::new();
    for entry in tree::sources() {
        let lines = entry.text().unwrap_or_default().lines().count();
        let excused = LONG_FILES.iter().any(|(path, _)| *path == entry.path);
        if lines > MAX_LINES && !excused {
            found.push(format!("{}: {lines} lines", entry.path));
        } else if lines <= MAX_LINES && excused {
            found.push(format!("{}: no longer long; remove it from the list", entry.path));
        }
    }
    report("A source file has at most 600 lines (aim at 150 to 400), or a reason in LONG_FILES.", &found);
}

#[test]
fn files_start_with_module_docs() {
    let opens = |entry: &&tree::Entry| !entry.bytes.starts_with(b"//! ");
    let found: Vec<String> = tree::sources().filter(opens).map(|entry| entry.path.clone()).collect();
    report("A source file starts with `//!` and a description.", &found);
}

#[test]
fn rooms_import_only_lower_rooms() {
    report(
        "A room imports only the rooms in its row of tests/tidy/layers.rs. If two rooms need the same code, it belongs \
         in the lower one.",
        &layers::violations(),
    );
}

#[test]
fn debugger_imports_only_lower_rooms() {
    report(
        "A room of the debugger imports only those before it in DEBUG_ROOMS of tests/tidy/layers.rs.",
        &layers::debug_violations(),
    );
}

#[test]
fn page_imports_only_lower_rooms() {
    report(
        "A room of the inspector's page has at most 25 files, and imports only those before it in ROOMS of \
         tests/tidy/page.rs, without cycles.",
        &page::violations(),
    );
}

#[test]
fn imports_have_no_cycles() {
    report(
        "No two files import each other, directly or through others. Break a cycle by moving the type that both need \
         into a file below them.",
        &layers::cycles(),
    );
}

#[test]
fn citations_lead_to_reference_pages() {
    report(
        "A citation names a page below src/engine/reference/ and one of its headings.",
        &citations::violations(),
    );
}

#[test]
fn no_panics_outside_tests() {
    let mut found = Vec::new();
    for entry in tree::sources().filter(|entry| is_product(&entry.path)) {
        for (number, line) in entry.code() {
            for word in PANICS.iter().filter(|word| line.contains(**word)) {
                found.push(format!("{}:{number}: {word}", entry.path));
            }
        }
    }
    report("Code outside tests does not panic on purpose: use a default, a note or an error.", &found);
}

#[test]
fn unit_tests_are_last() {
    let mut found = Vec::new();
    for entry in tree::sources().filter(|entry| is_product(&entry.path)) {
        let mut lines = entry.text().unwrap_or_default().lines();
        let last = lines.by_ref().any(|line| line.trim() == "#[cfg(test)]");
        let module = lines.find(|line| !line.trim_start().starts_with("#["));
        if last && !module.is_some_and(|line| line.starts_with("mod ")) {
            found.push(entry.path.clone());
        }
    }
    report("`#[cfg(test)]` occurs once, at the end of a file, on a module of tests.", &found);
}

#[test]
fn no_unsafe_code() {
    let mut found = Vec::new();
    let may_be_unsafe = |path: &str| UNSAFE_PACKAGES.iter().any(|package| path.starts_with(package));
    for entry in tree::sources().filter(|entry| !may_be_unsafe(&entry.path)) {
        for (number, line) in entry.code() {
            let mut words = line.split(|char: char| char != '_' && !char.is_ascii_alphanumeric());
            if words.any(|word| word == "unsafe") {
                found.push(format!("{}:{number}", entry.path));
            }
        }
    }
    let forbidden = tree::entry("Cargo.toml").and_then(tree::Entry::text);
    if !forbidden.is_some_and(|text| text.contains("unsafe_code = \"forbid\"")) {
        found.push("Cargo.toml: the workspace does not forbid `unsafe`".into());
    }
    for entry in tree::entries().iter().filter(|entry| entry.path.ends_with("Cargo.toml")) {
        let demanded: &[&str] = if may_be_unsafe(&entry.path) {
            &[
                "undocumented_unsafe_blocks = \"deny\"",
                "unsafe_op_in_unsafe_fn = \"deny\"",
                "missing_safety_doc = \"deny\"",
            ]
        } else {
            &["[lints]\nworkspace = true"]
        };
        let text = entry.text().unwrap_or_default();
        let missing = demanded.iter().filter(|lint| !text.contains(**lint));
        found.extend(missing.map(|lint| format!("{}: lacks {lint:?}", entry.path)));
    }
    report(
        "No `unsafe` but in the C interface and for consoles; every package uses the workspace's lints.",
        &found,
    );
}

#[test]
fn lint_exceptions_have_reasons() {
    let mut found = Vec::new();
    for entry in tree::sources() {
        let text = entry.text().unwrap_or_default();
        for opening in ["allow(", "expect("].map(|word| format!("[{word}")) {
            for (at, _) in
                text.match_indices(opening.as_str()).filter(|(at, _)| text[..*at].ends_with(['#', '!']))
            {
                let attribute = text[at..].split(")]").next().unwrap_or_default();
                let number = text[..at].matches('\n').count() + 1;
                if !attribute.contains("reason = ") {
                    found.push(format!("{}:{number}", entry.path));
                }
            }
        }
    }
    report(
        "A lint exception is `#[expect(lint, reason = \"…\")]`, or an `allow` with a reason if the lint does not \
         always fire.",
        &found,
    );
}

#[test]
fn opcodes_name_their_evidence() {
    let mut found = Vec::new();
    for opcode in Opcode::all() {
        let named = match opcode.info().evidence {
            Evidence::Hardware(test) => test.contains('/'),
            Evidence::Document(section) => {
                section.contains('#') && citations::leads_somewhere(&format!("ge/{section}"))
            }
        };
        if !named {
            found.push(format!("{opcode} ({:#04x})", opcode.code()));
        }
        if opcode.info().doc.trim().is_empty() {
            found.push(format!("{opcode} ({:#04x}): no documentation", opcode.code()));
        }
    }
    report("Every row of the opcode table names a hardware test or a section of the reference.", &found);
}

#[test]
fn pictures_name_their_witness() {
    let sources = tree::entry("snapshots/frames/SOURCES.md").and_then(tree::Entry::text).unwrap_or_default();
    let mut found = Vec::new();
    for entry in tree::entries() {
        let Some(frame) = entry.path.strip_prefix("snapshots/").filter(|path| path.ends_with(".png")) else {
            continue;
        };
        let name = frame.trim_end_matches(".png");
        if !WITNESSES.iter().any(|witness| name.ends_with(&format!(".{witness}"))) {
            found.push(format!("{}: the name does not tell its source (.hw.png, .self.png)", entry.path));
        }
        let inside = frame.strip_prefix("frames/").unwrap_or(frame);
        if !sources.lines().any(|line| line.contains(inside)) {
            found.push(format!("{}: no line in snapshots/frames/SOURCES.md names {inside}", entry.path));
        }
    }
    report("A reference picture names its source, in its file name and in SOURCES.md.", &found);
}

/// Lists all cases' folders.
fn cases() -> impl Iterator<Item = &'static str> {
    tree::entries()
        .iter()
        .filter_map(|entry| entry.path.strip_prefix("ge-tests/cases/")?.strip_suffix("/case.toml"))
}

#[test]
fn cases_are_complete_and_snapshots_are_used() {
    let case_exists = |case: &str| tree::entry(&format!("ge-tests/cases/{case}/case.toml")).is_some();
    let mut found = Vec::new();
    for entry in tree::entries() {
        let Some(inside) = entry.path.strip_prefix("ge-tests/cases/") else { continue };
        let Some((case, _)) = inside.rsplit_once('/') else { continue };
        if case.contains('/') && !case_exists(case) {
            found.push(format!("{}: its folder has no case.toml", entry.path));
        }
    }
    for entry in tree::entries() {
        let Some(name) = entry.path.strip_prefix("snapshots/") else { continue };
        let Some((stem, _)) = name.rsplit_once(".snap").or_else(|| name.rsplit_once(".png")) else {
            continue;
        };
        let stem = WITNESSES.iter().fold(stem, |stem, witness| {
            stem.strip_suffix(witness).and_then(|stem| stem.strip_suffix('.')).unwrap_or(stem)
        });
        // `lists/group__case.snap` and `frames/group/case.hw.png` belong to a case; other snapshots belong to the
        // test that names them.
        let case = stem.split_once('/').map_or(stem, |(_, case)| case).replace("__", "/");
        let short = case.rsplit('/').next().unwrap_or(&case);
        let names =
            [format!("\"{stem}\""), format!("\"{short}\""), format!("/{short}."), format!("fn {short}(")];
        let named = |entry: &tree::Entry| {
            entry.text().is_some_and(|text| names.iter().any(|name| text.contains(name.as_str())))
        };
        // A case's trace is `trace_group_case.snap`.
        let is_trace = stem
            .strip_prefix("trace_")
            .is_some_and(|trace| cases().any(|case| case.replace('/', "_") == trace));
        if !is_trace && !case_exists(&case) && !tree::sources().any(named) {
            found.push(format!("{}: no case and no test refers to it", entry.path));
        }
    }
    report("A case folder has its case.toml, and a snapshot belongs to a case or a test.", &found);
}

#[test]
fn tracked_files_are_small() {
    let large = tree::entries().iter().filter(|entry| entry.bytes.len() > MAX_FILE_BYTES);
    let found: Vec<String> =
        large.map(|entry| format!("{}: {} bytes", entry.path, entry.bytes.len())).collect();
    report("No tracked file is over 256 KiB.", &found);
}

#[test]
fn no_trailing_blanks() {
    // In a table, a line may end in a tab because its last cell is empty.
    let ends_badly = |path: &str, line: &str| {
        let line = if path.ends_with(".tsv") { line.trim_end_matches('\t') } else { line };
        line.ends_with([' ', '\t', '\r'])
    };
    report("No line ends in a blank or a carriage return.", &text_lines(ends_badly));
}

#[test]
fn no_absolute_paths() {
    let found = text_lines(|_, line| names_a_machine_folder(line));
    report("No tracked text names a folder of one machine.", &found);
}

#[test]
fn top_level_is_known() {
    let known = |name: &str| TOP_LEVEL.contains(&name) || name.starts_with('.');
    let tops = tree::entries().iter().filter_map(|entry| entry.path.split('/').next());
    let mut found: Vec<String> = tops.filter(|name| !known(name)).map(String::from).collect();
    found.dedup();
    report("The top level contains only the names in TOP_LEVEL and dotfiles.", &found);
}

/// Returns whether a source file belongs to the library or the programs.
fn is_product(path: &str) -> bool {
    ["src/", "tools/src/", "tools/capi/src/", "tools/homebrew/rust/src/"]
        .iter()
        .any(|folder| path.starts_with(folder))
}

/// Returns whether a line contains a machine's absolute path, for Unix or Windows.
fn names_a_machine_folder(line: &str) -> bool {
    let begins = |at: usize| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|char| {
            char.is_alphanumeric() || matches!(char, '.' | '_' | '-' | '/' | '}' | '*' | ')')
        })
    };
    let unix = MACHINE_FOLDERS.iter().any(|folder| {
        let path = format!("/{folder}/");
        line.match_indices(path.as_str()).any(|(at, _)| begins(at))
    });
    let windows = line.match_indices(":\\").any(|(at, _)| {
        let drive = line[..at].chars().next_back().is_some_and(|char| char.is_ascii_uppercase());
        drive && begins(at - 1)
    });
    unix || windows
}

#[test]
fn machine_folders_are_recognised() {
    for (line, expected) in [
        (["see /", "home/me/x"].concat(), true),
        (["`/", "tmp/x`"].concat(), true),
        (["C", ":\\x"].concat(), true),
        (["../", "work/x"].concat(), false),
        (["target/", "tmp/x"].concat(), false),
        ("Evidence:\\n".to_owned(), false),
    ] {
        assert_eq!(names_a_machine_folder(&line), expected, "{line}");
    }
}
