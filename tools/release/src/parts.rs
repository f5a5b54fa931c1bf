//! Builds each part of a release.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::archive::Member;
use crate::plan::{Part, Plan};
use crate::workspace::{self, Workspace};

pub mod c_library;
pub mod command;
pub mod crates;
pub mod wheel;

/// Everything needed to build a part.
#[derive(Debug)]
pub struct Build<'a> {
    /// The programs, and the folder into which they build.
    pub workspace: &'a Workspace,
    /// Version and target.
    pub plan: &'a Plan,
    /// The folder for finished files.
    pub output: &'a Path,
    /// The time for files in archives, in seconds since 1970.
    pub time: u64,
}

impl Build<'_> {
    /// Builds a part. Returns its files.
    ///
    /// # Errors
    ///
    /// If a program fails or a file cannot be written.
    pub fn part(&self, part: Part) -> Result<Vec<PathBuf>> {
        match part {
            Part::Crates => crates::build(self),
            Part::Page => self.page(),
            Part::Command => command::build(self),
            Part::C => c_library::build(self),
            Part::Wheel => wheel::build(self),
        }
    }

    /// Builds the engine for browsers and the inspector's page. Call this before crates, page and command, because
    /// they contain the engine.
    ///
    /// # Errors
    ///
    /// If `cargo dev web` fails.
    pub fn engine(&self) -> Result<()> {
        workspace::run(self.workspace.cargo().args(["dev", "web"]))
    }

    /// Copies the page written by [`Self::engine`].
    fn page(&self) -> Result<Vec<PathBuf>> {
        let page = self.workspace.root().join("target/web/pspge.html");
        self.plan.files(Part::Page).iter().map(|name| self.copy(&page, name)).collect()
    }

    /// Copies a file into the output folder under a new name. Returns its path there.
    fn copy(&self, from: &Path, name: &str) -> Result<PathBuf> {
        let to = self.output.join(name);
        fs::copy(from, &to).with_context(|| format!("{} to {}", from.display(), to.display()))?;
        Ok(to)
    }

    /// Returns the licences, to put into an archive.
    fn licences(&self) -> Result<Vec<Member>> {
        let licence = |name: &str| Ok(Member::file(name, read(&self.workspace.root().join(name))?));
        ["LICENSE-APACHE", "LICENSE-MIT"].into_iter().map(licence).collect()
    }
}

/// Reads a file. Errors name it.
fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| path.display().to_string())
}
