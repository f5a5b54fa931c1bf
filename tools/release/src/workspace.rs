//! Asks Cargo about the workspace, and runs programs in it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// The profile of everything that is published: optimised across crates, without debug information.
pub(crate) const PROFILE: &str = "dist";

/// A checkout's workspace.
#[derive(Clone, Debug)]
pub struct Workspace {
    root: PathBuf,
    target_folder: PathBuf,
    host: String,
}

impl Workspace {
    /// Asks Cargo and the compiler about the workspace in this folder.
    ///
    /// # Errors
    ///
    /// If either cannot be run, or its answer is not understood.
    pub fn open(root: &Path) -> Result<Self> {
        let mut metadata = cargo(root);
        metadata.args(["metadata", "--no-deps", "--format-version", "1", "--locked"]);
        let metadata: Value = serde_json::from_str(&output(&mut metadata)?).context("cargo metadata")?;
        let folder = metadata.get("target_directory").and_then(Value::as_str);
        let target_folder = folder.context("cargo metadata names no target folder")?.into();
        let compiler = output(Command::new("rustc").arg("-vV"))?;
        let host = compiler.lines().find_map(|line| line.strip_prefix("host: "));
        let host = host.context("rustc -vV names no host")?.to_owned();
        Ok(Self { root: root.to_owned(), target_folder, host })
    }

    /// The root folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder into which Cargo builds.
    #[must_use]
    pub fn target_folder(&self) -> &Path {
        &self.target_folder
    }

    /// This machine's Rust target.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns the folder into which a release build for a target goes.
    #[must_use]
    pub fn release_folder(&self, target: &str) -> PathBuf {
        if target == self.host {
            self.target_folder.join(PROFILE)
        } else {
            self.target_folder.join(target).join(PROFILE)
        }
    }

    /// Makes a Cargo command in the root folder.
    #[must_use]
    pub fn cargo(&self) -> Command {
        cargo(&self.root)
    }

    /// Builds a package for a target with the profile of releases. The command is `build`, or `rustc` to choose the types of a
    /// library.
    ///
    /// # Errors
    ///
    /// If the build fails.
    pub fn build(&self, command: &str, arguments: &[&str], target: &str) -> Result<()> {
        let mut cargo = self.cargo();
        cargo.args([command, "--profile", PROFILE, "--locked"]).args(arguments);
        if target != self.host {
            cargo.args(["--target", target]);
        }
        run(&mut cargo)
    }
}

/// Makes a Cargo command in a folder.
pub(crate) fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// Runs a command to its end. Its output goes to the terminal.
///
/// # Errors
///
/// If it cannot be run or fails.
pub fn run(command: &mut Command) -> Result<()> {
    let line = line(command);
    let status = command.status().with_context(|| line.clone())?;
    if !status.success() {
        bail!("{line}: failed with {status}");
    }
    Ok(())
}

/// Runs a command to its end, and returns its output. Its messages go to the terminal.
///
/// # Errors
///
/// If it cannot be run, fails, or prints something other than UTF-8.
pub fn output(command: &mut Command) -> Result<String> {
    let line = line(command);
    let output = command.stderr(Stdio::inherit()).output().with_context(|| line.clone())?;
    if !output.status.success() {
        bail!("{line}: failed with {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("{line}: the output is not UTF-8"))
}

/// Writes program and arguments in a line, for messages.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let words = [program].into_iter().chain(command.get_args()).map(OsString::from);
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_name_the_command() {
        let mut missing = Command::new("pspge-no-such-program");
        let error = run(missing.arg("--now")).expect_err("it does not exist").to_string();
        assert_eq!(error, "pspge-no-such-program --now", "program and arguments");
        let error = output(Command::new("rustc").arg("--no-such-option")).expect_err("a wrong option");
        assert!(error.to_string().starts_with("rustc --no-such-option: failed with"), "{error}");
    }

    #[test]
    fn builds_for_other_targets_have_their_own_folder() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let workspace = Workspace::open(root).expect("a workspace");
        let folder = |target| workspace.release_folder(target);
        assert_eq!(folder(workspace.host()), workspace.target_folder().join(PROFILE), "this machine");
        let other = workspace.target_folder().join("riscv64gc-unknown-linux-gnu").join(PROFILE);
        assert_eq!(folder("riscv64gc-unknown-linux-gnu"), other, "another one");
    }
}
