//! Builds the Python wheel for a platform, and the source distribution, both with maturin.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use semver::Version;

use super::Build;
use crate::workspace;

/// Builds wheel and source distribution. Returns both.
pub(super) fn build(build: &Build<'_>) -> Result<Vec<PathBuf>> {
    let folder = tempfile::tempdir()?;
    let maturin = |task: &str| {
        let mut command = Command::new("maturin");
        command.current_dir(build.workspace.root()).arg(task);
        command.args(["--manifest-path", "tools/python/Cargo.toml", "--out"]).arg(folder.path());
        command
    };
    let mut wheel = maturin("build");
    wheel.args(["--profile", workspace::PROFILE, "--locked"]);
    if build.plan.target != build.workspace.host() {
        wheel.args(["--target", &build.plan.target]);
    }
    workspace::run(&mut wheel)?;
    workspace::run(&mut maturin("sdist"))?;
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder.path())? {
        let path = entry?.path();
        let name = path.file_name().context("a built file has a name")?.to_string_lossy().into_owned();
        if let Some(problem) = problem(&name, &build.plan.version) {
            bail!("{name}: {problem}");
        }
        paths.push(build.copy(&path, &name)?);
    }
    paths.sort();
    if paths.len() != 2 {
        bail!("maturin built {} files, not a wheel and a source distribution", paths.len());
    }
    Ok(paths)
}

/// Says why PyPI would refuse a file with this name, or why users would not find it.
fn problem(name: &str, version: &Version) -> Option<String> {
    let rest = name.strip_prefix(&format!("pspge-{version}"));
    match rest {
        None => Some(format!("the name does not start with pspge-{version}")),
        // Such a wheel needs the libraries on this very machine.
        Some(rest) if rest.contains("-linux_") => Some(
            "PyPI takes wheels of `manylinux` and `musllinux` only; build on a system with an older C library, or \
             see `maturin build --help` for `--zig`"
                .to_owned(),
        ),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_pypi_takes() {
        let version = Version::new(0, 1, 0);
        for name in [
            "pspge-0.1.0-cp310-abi3-manylinux_2_34_x86_64.whl",
            "pspge-0.1.0-cp310-abi3-macosx_11_0_arm64.whl",
            "pspge-0.1.0.tar.gz",
        ] {
            assert_eq!(problem(name, &version), None, "{name}");
        }
        for name in ["pspge-0.1.0-cp310-abi3-linux_x86_64.whl", "pspge-0.2.0.tar.gz", "other-0.1.0.tar.gz"] {
            assert!(problem(name, &version).is_some(), "{name}");
        }
    }
}
