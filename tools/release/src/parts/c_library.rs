//! Builds the C library as an archive: header, libraries and a pkg-config file that finds them relative to itself.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use semver::Version;

use super::{Build, read};
use crate::archive::{self, Member};
use crate::plan::Part;

/// The template for the pkg-config file, which CMake uses, too.
const TEMPLATE: &str = "tools/capi/pspge.pc.in";

/// Builds the archive. Returns its path.
pub(super) fn build(build: &Build<'_>) -> Result<Vec<PathBuf>> {
    let (workspace, target) = (build.workspace, build.plan.target.as_str());
    // Without the library for Rust, which Cargo would not optimise together with its dependencies.
    let types = ["--package", "pspge-c", "--lib", "--crate-type", "cdylib,staticlib"];
    workspace.build("rustc", &types, target)?;
    let mut members = build.licences()?;
    for name in ["include/pspge.h", "include/pspge.hpp", "include/pspge_backend.h"] {
        let header = read(&workspace.root().join("tools/capi").join(name))?;
        members.push(Member::file(name, header));
    }
    let built = workspace.release_folder(target);
    for (name, is_shared) in libraries(target) {
        let bytes = read(&built.join(name))?;
        // Windows looks for shared libraries next to programs.
        let folder = if name.ends_with(".dll") { "bin" } else { "lib" };
        let path = format!("{folder}/{name}");
        members.push(if *is_shared { Member::program(path, bytes) } else { Member::file(path, bytes) });
    }
    let template = String::from_utf8(read(&workspace.root().join(TEMPLATE))?).context(TEMPLATE)?;
    let text = pkg_config(&template, &build.plan.version, &system_libraries(target)?)?;
    members.push(Member::file("lib/pkgconfig/pspge.pc", text));
    let folder = build.plan.folder(Part::C);
    let files = build.plan.files(Part::C).into_iter().map(|name| build.output.join(name));
    files
        .map(|path| {
            archive::write(&path, &folder, members.clone(), build.time)?;
            Ok(path)
        })
        .collect()
}

/// Lists the libraries which a build for a target writes, and whether each is shared.
fn libraries(target: &str) -> &'static [(&'static str, bool)] {
    if target.contains("windows-gnu") {
        &[("pspge_c.dll", true), ("libpspge_c.dll.a", false), ("libpspge_c.a", false)]
    } else if target.contains("windows") {
        &[("pspge_c.dll", true), ("pspge_c.dll.lib", false), ("pspge_c.lib", false)]
    } else if target.contains("apple") {
        &[("libpspge_c.dylib", true), ("libpspge_c.a", false)]
    } else {
        &[("libpspge_c.so", true), ("libpspge_c.a", false)]
    }
}

/// Fills a template such as `@version@` to make the pkg-config file. `system` has linker options for the static
/// library. The file finds the archive's folder relative to its own, so that users may unpack it anywhere.
fn pkg_config(template: &str, version: &Version, system: &str) -> Result<String> {
    let values = [
        ("prefix", "${pcfiledir}/../..".to_owned()),
        ("lib_folder", "lib".to_owned()),
        ("include_folder", "include".to_owned()),
        ("version", version.to_string()),
        ("private_libs", system.to_owned()),
    ];
    let mut text = template.to_owned();
    for (name, value) in values {
        let place = format!("@{name}@");
        if !text.contains(&place) {
            bail!("{TEMPLATE}: there is no {place}");
        }
        text = text.replace(&place, &value);
    }
    if let Some(line) = text.lines().find(|line| line.contains('@')) {
        bail!("{TEMPLATE}: the place in {line:?} is unknown");
    }
    Ok(text)
}

/// Asks the compiler for the linker options that static libraries for a target need.
fn system_libraries(target: &str) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("empty.rs");
    std::fs::write(&source, "")?;
    let mut command = Command::new("rustc");
    command.args(["--crate-type", "staticlib", "--print", "native-static-libs", "--target", target]);
    let output = command.arg("--out-dir").arg(folder.path()).arg(&source).output().context("rustc")?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let named = text.lines().find_map(|line| line.split_once("native-static-libs: "));
    let (_, libraries) =
        named.with_context(|| format!("rustc names no system libraries of {target}: {text}"))?;
    Ok(libraries.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn pkg_config_files_are_relative_and_complete() {
        let template = "prefix=@prefix@\nlibdir=@lib_folder@\nincludedir=@include_folder@\nVersion: @version@\n\
            Libs: -lpspge_c\nLibs.private: @private_libs@\n";
        let text = pkg_config(template, &Version::new(1, 2, 3), "-lm").expect("a file");
        let expected = "prefix=${pcfiledir}/../..\nlibdir=lib\nincludedir=include\nVersion: 1.2.3\n\
            Libs: -lpspge_c\nLibs.private: -lm\n";
        assert_eq!(text, expected, "all places are filled");
        for wrong in ["Version: @version@", &format!("{template}Other: @other@")] {
            assert!(pkg_config(wrong, &Version::new(1, 2, 3), "-lm").is_err(), "{wrong}");
        }
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let template = std::fs::read_to_string(root.join(TEMPLATE)).expect("the template");
        assert!(
            pkg_config(&template, &Version::new(1, 2, 3), "-lm").is_ok(),
            "the template has these places"
        );
    }

    #[test]
    fn every_target_has_a_shared_and_a_static_library() {
        for target in [
            "x86_64-unknown-linux-gnu",
            "aarch64-apple-darwin",
            "x86_64-pc-windows-msvc",
            "x86_64-pc-windows-gnu",
        ] {
            let count =
                |shared: bool| libraries(target).iter().filter(|(_, is_shared)| *is_shared == shared).count();
            assert!(count(true) == 1 && count(false) >= 1, "{target}");
        }
    }

    #[test]
    fn the_compiler_names_system_libraries() {
        let host = workspace::output(Command::new("rustc").arg("-vV")).expect("a compiler");
        let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host").to_owned();
        assert!(!system_libraries(&host).expect("an answer").is_empty(), "programs need some");
        assert!(system_libraries("no-such-target").is_err(), "an unknown target");
    }
}
