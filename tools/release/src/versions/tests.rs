//! Tests the version check, on files made here.

use super::*;

/// Makes a repository in which all places agree on 1.2.3.
fn repository() -> Vec<SourceFile> {
    [
        (
            "Cargo.toml",
            "[workspace.package]\nversion = \"1.2.3\"\nrust-version = \"1.92\"\n\
             [workspace.dependencies]\npspge = { path = \".\", version = \"1.2.3\" }\nserde = \"1.0\"\n\
             [package]\nname = \"pspge\"\nversion.workspace = true\n",
        ),
        (
            "Cargo.lock",
            "[[package]]\nname = \"pspge\"\nversion = \"1.2.3\"\n\n\
             [[package]]\nname = \"serde\"\nversion = \"1.0.9\"\nsource = \"registry\"\n",
        ),
        ("tools/Cargo.toml", "[package]\nname = \"pspge-tools\"\nversion.workspace = true\n"),
        ("tools/fuzz/Cargo.toml", "[package]\nname = \"pspge-fuzz\"\nversion = \"0.0.0\"\n[workspace]\n"),
        ("tools/fuzz/Cargo.lock", "[[package]]\nname = \"pspge-fuzz\"\nversion = \"0.0.0\"\n"),
        ("tools/python/pyproject.toml", "[project]\nname = \"pspge\"\ndynamic = [\"version\"]\n"),
        (
            "tools/capi/include/pspge.h",
            "#define PSPGE_VERSION_MAJOR 1\n#define PSPGE_VERSION_MINOR 2\n#define PSPGE_VERSION_PATCH 3\n\
             #define PSPGE_VERSION_STRING \"1.2.3\"\n#define PSPGE_VERSION_COUNT 3\n",
        ),
        (
            "src/guides/install.md",
            "pspge = \"1.2\"\npspge-tools = { version = \"1\", features = [] }\n$ pspge --version\npspge 1.2.3\n\
             pspge-tools@1.2.3, pspge-1.2.3-x86_64.tar.gz, pspge==1.2.3; ruby 2.0.0\n",
        ),
        ("src/guides/changes.md", "# Changes\n\n## 1.2.3\n\nNew.\n\n## 1.0.0\n\nFirst.\n"),
    ]
    .map(|(path, text)| SourceFile { path: path.to_owned(), text: text.to_owned() })
    .into()
}

/// Replaces text in a file of the repository, and returns the violations.
fn violations_with(path: &str, old: &str, new: &str) -> Vec<String> {
    let mut files = repository();
    let file = files.iter_mut().find(|file| file.path == path).expect("a file");
    assert!(file.text.contains(old), "{path} contains {old}");
    file.text = file.text.replacen(old, new, 1);
    violations(&files).expect("well-formed files")
}

#[test]
fn agreeing_places_have_no_violation() {
    let files = repository();
    assert_eq!(of_workspace(&files).expect("a version"), Version::new(1, 2, 3), "of the workspace");
    assert_eq!(minimum_rust(&files).expect("a version"), "1.92", "of Rust");
    assert_eq!(violations(&files).expect("well-formed files"), [""; 0], "all agree");
}

#[test]
fn each_place_that_disagrees_is_named() {
    for (path, old, new, violation) in [
        ("Cargo.toml", "path = \".\", version = \"1.2.3\"", "path = \".\", version = \"1.2.2\"", "not 1.2.3"),
        ("Cargo.lock", "1.2.3", "1.2.2", "pspge has the version 1.2.2"),
        ("tools/Cargo.toml", "version.workspace = true", "version = \"1.2.3\"", "does not inherit"),
        ("tools/fuzz/Cargo.toml", "0.0.0", "1.2.3", "outside the workspace"),
        ("tools/fuzz/Cargo.lock", "0.0.0", "1.2.3", "not 0.0.0"),
        ("tools/python/pyproject.toml", "dynamic = [\"version\"]", "version = \"1.2.3\"", "`dynamic`"),
        ("tools/python/pyproject.toml", "dynamic = ", "version = \"1.2.3\"\ndynamic = ", "`dynamic`"),
        ("tools/capi/include/pspge.h", "MAJOR 1", "MAJOR 2", "line 1 defines MAJOR as 2, not 1"),
        ("tools/capi/include/pspge.h", "MINOR 2", "MINOR 1", "line 2 defines MINOR"),
        ("tools/capi/include/pspge.h", "PATCH 3", "PATCH 4", "line 3 defines PATCH"),
        ("tools/capi/include/pspge.h", "\"1.2.3\"", "\"1.2.4\"", "line 4 names version 1.2.4"),
        ("src/guides/install.md", "\"1.2\"", "\"1.3\"", "line 1 shows the requirement \"1.3\""),
        ("src/guides/install.md", "version = \"1\"", "version = \"2\"", "line 2 shows the requirement \"2\""),
        ("src/guides/install.md", "pspge 1.2.3", "pspge 1.2.2", "line 4 names version 1.2.2"),
        ("src/guides/install.md", "@1.2.3", "@1.1.0", "line 5 names version 1.1.0"),
        ("src/guides/install.md", "-1.2.3-x86", "-1.1.0-x86", "line 5 names version 1.1.0"),
        ("src/guides/install.md", "==1.2.3", "==1.1.0", "line 5 names version 1.1.0"),
        ("src/guides/changes.md", "## 1.2.3\n\nNew.\n\n", "", "first section is that of 1.0.0"),
        ("src/guides/changes.md", "## 1.2.3", "## 1.2.4", "first section is that of 1.2.4"),
    ] {
        let found = violations_with(path, old, new);
        assert_eq!(found.len(), 1, "{path}: {new}: {found:?}");
        assert!(found[0].starts_with(path) && found[0].contains(violation), "{path}: {new}: {found:?}");
    }
}

#[test]
fn a_new_version_needs_all_places() {
    let found = violations_with(
        "Cargo.toml",
        "[workspace.package]\nversion = \"1.2.3\"",
        "[workspace.package]\nversion = \"2.0.0\"",
    );
    for path in ["Cargo.toml", "Cargo.lock", "pspge.h", "install.md", "changes.md"] {
        assert!(found.iter().any(|line| line.contains(path)), "{path}: {found:?}");
    }
}

#[test]
fn dependencies_of_targets_count() {
    let added = "version.workspace = true\n[target.'cfg(unix)'.build-dependencies]\npspge = { path = \"..\", version = \"1\" }\n";
    let found = violations_with("tools/Cargo.toml", "version.workspace = true\n", added);
    assert_eq!(
        found,
        ["tools/Cargo.toml: the dependency pspge has the version 1, not 1.2.3"],
        "exactly equal"
    );
}

#[test]
fn malformed_files_are_errors() {
    let mut files = repository();
    files[1].text = "[[package".to_owned();
    assert!(violations(&files).is_err(), "a lock file");
    files.retain(|file| file.path != "Cargo.toml");
    assert!(of_workspace(&files).is_err(), "no root manifest");
    let mut files = repository();
    files.retain(|file| file.path != changes::PAGE);
    assert_eq!(
        violations(&files).expect("well-formed files"),
        ["src/guides/changes.md is missing"],
        "no changes"
    );
}
