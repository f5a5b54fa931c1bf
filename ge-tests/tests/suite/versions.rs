//! Checks version numbers: every place must repeat the same version, the page of changes must start with it, and the
//! page on installation must name the oldest Rust version for this code.

use pspge_release::changes;
use pspge_release::checkout::{Checkout, SourceFile};
use pspge_release::versions;

/// Pages to name the oldest Rust version.
const RUST_PAGES: &[&str] = &["src/guides/install.md"];

/// Returns the repository's tracked texts. If this is not a checkout, there are none, and a message says so.
fn texts() -> Option<Vec<SourceFile>> {
    let texts = Checkout::own().and_then(|checkout| checkout.texts());
    texts.map_err(|error| eprintln!("SKIPPED: this is not a checkout with git: {error:#}")).ok()
}

#[test]
fn every_place_names_the_version_of_the_workspace() {
    let Some(texts) = texts() else { return };
    assert!(texts.len() > 500, "most files are texts, not {}", texts.len());
    let found = versions::violations(&texts).expect("manifests are well-formed");
    assert!(found.is_empty(), "the version is that of [workspace.package]:\n  {}", found.join("\n  "));
}

#[test]
fn changes_start_with_the_current_version() {
    let Some(texts) = texts() else { return };
    let version = versions::of_workspace(&texts).expect("the workspace has a version");
    let page = texts.iter().find(|file| file.path == changes::PAGE).expect("the page of changes");
    let section = changes::newest(&page.text, &version).expect("a section of the version");
    assert!(section.text.lines().count() > 3, "it says what is new");
}

#[test]
fn pages_name_the_oldest_rust() {
    let Some(texts) = texts() else { return };
    let oldest = versions::minimum_rust(&texts).expect("the workspace has a rust-version");
    for path in RUST_PAGES {
        let page = texts.iter().find(|file| file.path == *path).expect("the page");
        let mut named = page.text.match_indices("Rust 1.").map(|(at, _)| {
            let number = &page.text[at + "Rust ".len()..];
            let end = number.find(|char: char| !char.is_ascii_digit() && char != '.').unwrap_or(number.len());
            number[..end].trim_end_matches('.')
        });
        assert_eq!(named.next(), Some(oldest.as_str()), "{path}: the first version that it names");
        assert!(named.all(|number| number == oldest), "{path}: another version of Rust");
    }
}
