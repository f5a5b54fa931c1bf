//! Reads the repository's files, and the state of its last commit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// A checkout of the repository with git.
#[derive(Clone, Debug)]
pub struct Checkout {
    root: PathBuf,
}

/// A tracked text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Path from the repository's root, with `/`.
    pub path: String,
    /// Its content.
    pub text: String,
}

impl Checkout {
    /// Finds the checkout around this package.
    ///
    /// # Errors
    ///
    /// If this package's folder no longer exists.
    pub fn own() -> Result<Self> {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let root = root.canonicalize().with_context(|| format!("{}", root.display()))?;
        Ok(Self { root })
    }

    /// Its root folder, an absolute path.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads all tracked texts, sorted by path. Leaves out files that are not UTF-8.
    ///
    /// # Errors
    ///
    /// If git cannot list the files, or a file cannot be read.
    pub fn texts(&self) -> Result<Vec<SourceFile>> {
        let list = self.git(&["ls-files", "-z"])?;
        let mut paths: Vec<&str> = list.split('\0').filter(|path| !path.is_empty()).collect();
        paths.sort_unstable();
        let mut texts = Vec::new();
        for path in paths {
            let bytes = fs::read(self.root.join(path)).with_context(|| path.to_owned())?;
            if let Ok(text) = String::from_utf8(bytes) {
                texts.push(SourceFile { path: path.to_owned(), text });
            }
        }
        Ok(texts)
    }

    /// Lists files that differ from the last commit or are unknown to git, each in a line as `git status --porcelain`
    /// prints it. Leaves out ignored files.
    ///
    /// # Errors
    ///
    /// If git fails.
    pub fn uncommitted(&self) -> Result<Vec<String>> {
        Ok(self.git(&["status", "--porcelain"])?.lines().map(str::to_owned).collect())
    }

    /// Returns the last commit's time, in seconds since 1970. Files in archives get this time, so that equal content
    /// gives equal archives.
    ///
    /// # Errors
    ///
    /// If git fails or has no commit.
    pub fn commit_time(&self) -> Result<u64> {
        let time = self.git(&["log", "-1", "--format=%ct"])?;
        time.trim().parse().with_context(|| format!("git printed {time:?} as the time of the last commit"))
    }

    /// Runs git in the root folder, and returns its output.
    fn git(&self, arguments: &[&str]) -> Result<String> {
        let command = format!("git {}", arguments.join(" "));
        let output = Command::new("git").current_dir(&self.root).args(arguments).output();
        let output = output.with_context(|| command.clone())?;
        if !output.status.success() {
            bail!("{command}: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        String::from_utf8(output.stdout).with_context(|| format!("{command}: the output is not UTF-8"))
    }
}
