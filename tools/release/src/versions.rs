//! Checks the workspace's version in every place that repeats it.
//!
//! `[workspace.package]` in the root manifest decides. Packages inherit it. Other places must repeat it exactly, or,
//! in examples for a requirement such as `pspge = "0.1"`, must allow it.

use anyhow::{Context, Result};
use semver::{Version, VersionReq};
use toml_edit::{Document, Item, TableLike};

use crate::changes;
use crate::checkout::SourceFile;

mod mentions;

/// The root manifest.
const ROOT: &str = "Cargo.toml";
/// The version for packages outside the workspace, which are never published.
const OUTSIDE: &str = "0.0.0";
/// Packages outside the workspace.
const OUTSIDE_PACKAGES: &[&str] = &["pspge-fuzz"];

/// Reads the workspace's version.
///
/// # Errors
///
/// If the root manifest is missing or does not have it.
pub fn of_workspace(files: &[SourceFile]) -> Result<Version> {
    let root = files.iter().find(|file| file.path == ROOT).context("Cargo.toml is missing")?;
    let manifest = parse(root)?;
    let version = manifest.get("workspace").and_then(|item| item.get("package")?.get("version")?.as_str());
    let version = version.context("Cargo.toml: [workspace.package] has no version")?;
    Version::parse(version).with_context(|| format!("Cargo.toml: version {version:?}"))
}

/// Lists places that disagree with the workspace's version, each in a line. This is empty if all agree.
///
/// # Errors
///
/// If the workspace's version is unknown, or a manifest is malformed.
pub fn violations(files: &[SourceFile]) -> Result<Vec<String>> {
    let version = of_workspace(files)?;
    let mut found = Vec::new();
    for file in files {
        let (_, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let violations = match name {
            "Cargo.toml" => in_manifest(&parse(file)?, file.path == ROOT, &version),
            "Cargo.lock" => in_lock(&parse(file)?, &version),
            "pyproject.toml" => in_python_project(&parse(file)?),
            _ => mentions::violations(file, &version),
        };
        found.extend(violations.into_iter().map(|text| format!("{}: {text}", file.path)));
    }
    match files.iter().find(|file| file.path == changes::PAGE) {
        None => found.push(format!("{} is missing", changes::PAGE)),
        Some(page) => {
            if let Err(error) = changes::newest(&page.text, &version) {
                found.push(format!("{}: {error:#}", changes::PAGE));
            }
        }
    }
    Ok(found)
}

fn parse(file: &SourceFile) -> Result<Document<&str>> {
    Document::parse(file.text.as_str()).with_context(|| file.path.clone())
}

/// Checks a package's version, and the versions of its dependencies inside the repository.
fn in_manifest(manifest: &Document<&str>, is_root: bool, version: &Version) -> Vec<String> {
    let mut found = Vec::new();
    // A manifest with its own workspace is outside ours.
    let is_inside = is_root || manifest.get("workspace").is_none();
    if let Some(package) = manifest.get("package") {
        let inherits = package.get("version").and_then(|item| item.get("workspace")?.as_bool()) == Some(true);
        let own = package.get("version").and_then(Item::as_str);
        if is_inside && !inherits {
            found.push("the package does not inherit `version.workspace = true`".to_owned());
        } else if !is_inside && own != Some(OUTSIDE) {
            found.push(format!("a package outside the workspace has the version {OUTSIDE}"));
        }
    }
    let mut tables: Vec<&dyn TableLike> = vec![manifest.as_table()];
    tables.extend(manifest.get("workspace").and_then(Item::as_table_like));
    let targets = manifest.get("target").and_then(Item::as_table_like);
    tables.extend(targets.iter().flat_map(|table| table.iter()).filter_map(|(_, item)| item.as_table_like()));
    for table in tables {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let dependencies = table.get(kind).and_then(Item::as_table_like);
            for (name, item) in dependencies.iter().flat_map(|table| table.iter()) {
                let number = item.get("version").and_then(Item::as_str);
                let is_ours = item.get("path").is_some();
                if let Some(number) = number.filter(|number| is_ours && *number != version.to_string()) {
                    found.push(format!("the dependency {name} has the version {number}, not {version}"));
                }
            }
        }
    }
    found
}

/// Checks the versions of our own packages in a lock file.
fn in_lock(lock: &Document<&str>, version: &Version) -> Vec<String> {
    let packages = lock.get("package").and_then(Item::as_array_of_tables);
    let mut found = Vec::new();
    for package in packages.iter().flat_map(|packages| packages.iter()) {
        let text = |key: &str| package.get(key).and_then(Item::as_str).unwrap_or_default();
        let (name, locked) = (text("name"), text("version"));
        let expected =
            if OUTSIDE_PACKAGES.contains(&name) { OUTSIDE.to_owned() } else { version.to_string() };
        // Packages from a registry have a source; ours have none.
        if package.get("source").is_none() && locked != expected {
            found.push(format!("{name} has the version {locked}, not {expected}; any build updates it"));
        }
    }
    found
}

/// Checks that a Python project takes its version from its Cargo manifest.
fn in_python_project(project: &Document<&str>) -> Vec<String> {
    let Some(project) = project.get("project") else { return Vec::new() };
    let dynamic = project.get("dynamic").and_then(Item::as_array);
    let is_dynamic = dynamic.is_some_and(|names| names.iter().any(|name| name.as_str() == Some("version")));
    if is_dynamic && project.get("version").is_none() {
        Vec::new()
    } else {
        vec!["`dynamic` has to list `version`, which maturin reads from Cargo.toml".to_owned()]
    }
}

/// Returns the oldest Rust version that the workspace supports, such as `1.92`.
///
/// # Errors
///
/// If the root manifest is missing or does not have it.
pub fn minimum_rust(files: &[SourceFile]) -> Result<String> {
    let root = files.iter().find(|file| file.path == ROOT).context("Cargo.toml is missing")?;
    let manifest = parse(root)?;
    let package = manifest.get("workspace").and_then(|item| item.get("package"));
    let rust = package.and_then(|package| package.get("rust-version")?.as_str());
    Ok(rust.context("Cargo.toml: [workspace.package] has no rust-version")?.to_owned())
}

/// Whether a requirement, as in a dependency, allows this version.
fn allows(requirement: &str, version: &Version) -> bool {
    VersionReq::parse(requirement).is_ok_and(|requirement| requirement.matches(version))
}

#[cfg(test)]
mod tests;
