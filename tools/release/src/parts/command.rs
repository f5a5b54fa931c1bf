//! Builds the command as an archive: program, completions, manual pages, changes and licences.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{Build, read};
use crate::archive::{self, Member};
use crate::changes;
use crate::plan::Part;
use crate::workspace;

/// The shells, and the usual names for their completions.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "pspge.bash"),
    ("elvish", "pspge.elv"),
    ("fish", "pspge.fish"),
    ("powershell", "_pspge.ps1"),
    ("zsh", "_pspge"),
];

/// Builds the archive. Returns its path.
pub(super) fn build(build: &Build<'_>) -> Result<Vec<PathBuf>> {
    let (workspace, target) = (build.workspace, build.plan.target.as_str());
    let package = ["--package", "pspge-tools", "--bin", "pspge"];
    workspace.build("build", &package, target)?;
    let name = if target.contains("windows") { "pspge.exe" } else { "pspge" };
    let program = workspace.release_folder(target).join(name);
    // A program for another machine cannot run here to write its own texts.
    if target != workspace.host() {
        workspace.build("build", &package, workspace.host())?;
    }
    let own = format!("pspge{}", std::env::consts::EXE_SUFFIX);
    let own = workspace.release_folder(workspace.host()).join(own);
    let root = workspace.root();
    let mut members = build.licences()?;
    members.push(Member::program(name, read(&program)?));
    members.push(Member::file("README.md", read(&root.join("tools/README.md"))?));
    members.push(Member::file("CHANGES.md", read(&root.join(changes::PAGE))?));
    for (shell, file) in COMPLETIONS {
        let text = workspace::output(Command::new(&own).args(["completions", shell]))?;
        members.push(Member::file(format!("completions/{file}"), text));
    }
    members.extend(manual_pages(&own)?);
    let folder = build.plan.folder(Part::Command);
    let files = build.plan.files(Part::Command).into_iter().map(|name| build.output.join(name));
    files
        .map(|path| {
            archive::write(&path, &folder, members.clone(), build.time)?;
            Ok(path)
        })
        .collect()
}

/// Lets a program write its manual pages, and returns them.
fn manual_pages(program: &Path) -> Result<Vec<Member>> {
    let folder = tempfile::tempdir()?;
    workspace::run(Command::new(program).args(["man", "--output"]).arg(folder.path()))?;
    let mut members = Vec::new();
    for entry in fs::read_dir(folder.path())? {
        let path = entry?.path();
        let name = path.file_name().context("a manual page has a name")?.to_string_lossy().into_owned();
        members.push(Member::file(format!("man1/{name}"), read(&path)?));
    }
    Ok(members)
}
