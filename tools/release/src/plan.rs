//! Plans a release's parts: their files, and where to upload them.

use clap::ValueEnum;
use semver::Version;

use crate::checksums;

/// A part of a release. The order is that in which parts are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The library and the command, as crates.io takes them
    Crates,
    /// The inspector as one page
    Page,
    /// The command for one platform, with completions and manual pages
    Command,
    /// The C library for one platform, with header and pkg-config file
    C,
    /// The Python wheel for one platform, and the source distribution
    Wheel,
}

/// A place for uploads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Rust's registry.
    CratesIo,
    /// The release on GitHub with the version's tag.
    GitHub,
    /// Python's registry.
    PyPi,
}

impl Destination {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CratesIo => "crates.io",
            Self::GitHub => "the release on GitHub",
            Self::PyPi => "PyPI",
        }
    }
}

/// The packages on crates.io, in the order of their dependencies.
pub const PACKAGES: [&str; 3] = ["pspge-engine", "pspge", "pspge-tools"];
/// The text for the release on GitHub: the version's section in the page of changes.
pub const NOTES_FILE: &str = "release-notes.md";

/// A release's version and platform.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The version, the same for all parts.
    pub version: Version,
    /// The Rust target for command, C library and wheel, such as `x86_64-unknown-linux-gnu`.
    pub target: String,
}

impl Plan {
    /// Names a part's files. For Python, maturin puts the platform in place of `*`.
    #[must_use]
    pub fn files(&self, part: Part) -> Vec<String> {
        let version = &self.version;
        match part {
            Part::Crates => PACKAGES.iter().map(|package| format!("{package}-{version}.crate")).collect(),
            Part::Page => vec![format!("pspge-{version}.html")],
            Part::Command | Part::C => {
                let extension = if self.target.contains("windows") { "zip" } else { "tar.gz" };
                vec![format!("{}.{extension}", self.folder(part))]
            }
            Part::Wheel => vec![format!("pspge-{version}-*.whl"), format!("pspge-{version}.tar.gz")],
        }
    }

    /// Names the folder inside a part's archive.
    #[must_use]
    pub fn folder(&self, part: Part) -> String {
        let name = if part == Part::C { "pspge-c" } else { "pspge" };
        format!("{name}-{}-{}", self.version, self.target)
    }

    /// Returns commands to publish files in these parts, each with an explanation. Run them in the files' folder,
    /// except for the first commands, which run in the checkout.
    #[must_use]
    pub fn upload(&self, parts: &[Part], files: &[String]) -> Vec<(String, String)> {
        let version = &self.version;
        let mut commands = Vec::new();
        if parts.contains(&Part::Crates) {
            let packages: Vec<String> = PACKAGES.iter().map(|package| format!("-p {package}")).collect();
            commands.push((
                "crates.io, in the checkout, after `cargo login`; the engine is built, so it is not committed".to_owned(),
                format!("cargo publish --locked --allow-dirty {}", packages.join(" ")),
            ));
        }
        let goes_to = |file: &&String, destination| destination_of(file) == destination;
        let python: Vec<&str> =
            files.iter().filter(|file| goes_to(file, Destination::PyPi)).map(String::as_str).collect();
        if !python.is_empty() {
            commands.push(("PyPI".to_owned(), format!("maturin upload {}", python.join(" "))));
        }
        let downloads: Vec<&str> =
            files.iter().filter(|file| goes_to(file, Destination::GitHub)).map(String::as_str).collect();
        commands.push((
            "the tag, in the checkout".to_owned(),
            format!("git tag v{version} && git push origin v{version}"),
        ));
        commands.push((
            "the release on GitHub".to_owned(),
            format!(
                "gh release create v{version} --verify-tag --title {version} --notes-file {NOTES_FILE} {} {}",
                downloads.join(" "),
                checksums::FILE
            ),
        ));
        commands
    }
}

/// Chooses a file's destination by its name.
#[must_use]
pub fn destination_of(file: &str) -> Destination {
    // A source distribution has no platform in its name: `pspge-0.1.0.tar.gz`.
    let source = file.strip_prefix("pspge-").and_then(|rest| rest.strip_suffix(".tar.gz"));
    if file.ends_with(".crate") {
        Destination::CratesIo
    } else if file.ends_with(".whl")
        || source.is_some_and(|version| Version::parse(version).is_ok_and(|version| version.pre.is_empty()))
    {
        Destination::PyPi
    } else {
        Destination::GitHub
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(target: &str) -> Plan {
        Plan { version: Version::new(0, 1, 0), target: target.to_owned() }
    }

    #[test]
    fn each_part_lists_its_files() {
        let plan = plan("x86_64-unknown-linux-gnu");
        let files = |part| plan.files(part).join(" ");
        assert_eq!(
            files(Part::Crates),
            "pspge-engine-0.1.0.crate pspge-0.1.0.crate pspge-tools-0.1.0.crate",
            "three packages"
        );
        assert_eq!(files(Part::Command), "pspge-0.1.0-x86_64-unknown-linux-gnu.tar.gz", "an archive");
        assert_eq!(files(Part::C), "pspge-c-0.1.0-x86_64-unknown-linux-gnu.tar.gz", "another name");
        assert_eq!(files(Part::Page), "pspge-0.1.0.html", "every platform");
        assert_eq!(files(Part::Wheel), "pspge-0.1.0-*.whl pspge-0.1.0.tar.gz", "wheel and source");
        let windows = self::plan("x86_64-pc-windows-msvc");
        assert_eq!(windows.files(Part::Command), ["pspge-0.1.0-x86_64-pc-windows-msvc.zip"], "a ZIP archive");
    }

    #[test]
    fn files_have_one_destination() {
        for part in Part::value_variants() {
            let expected = match part {
                Part::Crates => Destination::CratesIo,
                Part::Wheel => Destination::PyPi,
                Part::Page | Part::Command | Part::C => Destination::GitHub,
            };
            for target in ["x86_64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-msvc"] {
                for file in plan(target).files(*part) {
                    assert_eq!(destination_of(&file), expected, "{file}");
                }
            }
        }
    }

    #[test]
    fn commands_name_the_built_files_once() {
        let plan = plan("x86_64-unknown-linux-gnu");
        let wheel = "pspge-0.1.0-cp310-abi3-manylinux_2_34_x86_64.whl".to_owned();
        let parts = Part::value_variants();
        let mut files: Vec<String> = parts.iter().flat_map(|part| plan.files(*part)).collect();
        files.retain(|file| !file.contains('*'));
        files.push(wheel.clone());
        let commands: Vec<String> =
            plan.upload(parts, &files).into_iter().map(|(_, command)| command).collect();
        assert_eq!(
            commands[0], "cargo publish --locked --allow-dirty -p pspge-engine -p pspge -p pspge-tools",
            "all packages in one command"
        );
        assert_eq!(commands[1], format!("maturin upload pspge-0.1.0.tar.gz {wheel}"), "source and wheel");
        assert_eq!(
            commands[3],
            "gh release create v0.1.0 --verify-tag --title 0.1.0 --notes-file release-notes.md pspge-0.1.0.html \
             pspge-0.1.0-x86_64-unknown-linux-gnu.tar.gz pspge-c-0.1.0-x86_64-unknown-linux-gnu.tar.gz SHA256SUMS",
            "the other files"
        );
        let commands = plan.upload(&[Part::Page], &plan.files(Part::Page));
        assert_eq!(commands.len(), 2, "tag and release only: {commands:?}");
    }
}
