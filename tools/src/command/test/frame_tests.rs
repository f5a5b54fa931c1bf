//! Reads a configuration for PPSSPP's frame tests: folders, the largest error, and variants, each with arguments for
//! the emulator.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::collection::json_failure;
use crate::input::files;
use crate::renderer::command::RendererCommand;
use crate::terminal::failure::Failure;

/// An environment variable to name the emulator.
const VARIABLE: &str = "PPSSPP_HEADLESS";
/// Places to look for the emulator, relative to the current folder, as in PPSSPP's own runner.
const PLACES: [&str; 6] = [
    "Windows/x64/Debug/PPSSPPHeadless.exe",
    "Windows/x64/Release/PPSSPPHeadless.exe",
    "build/PPSSPPHeadless",
    "build-headless/PPSSPPHeadless",
    "PPSSPPHeadless",
    "ppsspp/PPSSPPHeadless",
];

/// No test may take longer, in seconds: a day.
const LONGEST_TIMEOUT: f64 = 24.0 * 60.0 * 60.0;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct FrameTests {
    /// The folder of frame dumps.
    pub(super) tests: PathBuf,
    /// The folder of references; its tree mirrors the dumps'.
    pub(super) references: PathBuf,
    /// The folder for results.
    pub(super) output: PathBuf,
    /// How long a test may take, in seconds.
    pub(super) timeout: f64,
    /// The largest mean squared error to pass with.
    pub(super) max_mse: f64,
    /// The variants, in alphabetical order.
    pub(super) variants: Vec<Variant>,
    /// The emulator named in the configuration.
    headless: Option<PathBuf>,
}

/// A variant: arguments for the emulator, and which references to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) arguments: Vec<String>,
    /// The suffix on its references.
    pub(super) suffix: String,
    /// Whether this variant makes its own references, so that a missing reference is new, not an error.
    pub(super) makes_references: bool,
}

/// A configuration as written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    test_root: String,
    ref_root: String,
    output_root: Option<String>,
    #[serde(default)]
    headless_path: String,
    timeout: Option<f64>,
    max_mse: Option<f64>,
    #[serde(default)]
    variants: serde_json::Map<String, Value>,
}

impl FrameTests {
    /// Reads a configuration. Its paths are relative to its folder.
    ///
    /// # Errors
    /// If it cannot be read, is no JSON, lacks a folder, or has something else than a variant.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let bytes = files::read(path)?;
        let written: Written =
            serde_json::from_slice(&bytes).map_err(|error| json_failure(path, &bytes, &error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::of_written(written, folder)
            .map_err(|problem| Failure::input(&path.display().to_string(), "frame-tests", None, problem))
    }

    fn of_written(written: Written, folder: &Path) -> Result<Self, String> {
        let variants = written.variants.iter().map(|(name, value)| variant(name, value));
        let variants = variants.collect::<Result<Vec<_>, _>>()?;
        if variants.is_empty() {
            return Err("no variants are defined".to_owned());
        }
        Ok(Self {
            tests: folder.join(written.test_root),
            references: folder.join(written.ref_root),
            output: folder.join(written.output_root.as_deref().unwrap_or("out")),
            timeout: written.timeout.filter(|seconds| *seconds > 0.0).unwrap_or(60.0).min(LONGEST_TIMEOUT),
            max_mse: written.max_mse.unwrap_or(0.0),
            variants,
            headless: Some(written.headless_path)
                .filter(|path| !path.is_empty())
                .map(|path| folder.join(path)),
        })
    }

    /// Finds the emulator: as named in the configuration, by the environment, or in a usual place.
    ///
    /// # Errors
    /// If it is in none of these.
    pub(super) fn headless(&self) -> Result<PathBuf, Failure> {
        let variable = std::env::var_os(VARIABLE).map(PathBuf::from);
        let named = self.headless.clone().into_iter().chain(variable);
        let found = named.chain(PLACES.iter().map(PathBuf::from)).find(|path| path.is_file());
        found.and_then(|path| path.canonicalize().ok()).ok_or_else(|| {
            Failure::usage(format_args!(
                "PPSSPPHeadless is not found: set headlessPath in the configuration or {VARIABLE}, or name other \
                 renderers by --renderer, such as --renderer pspge"
            ))
        })
    }

    /// Lists the suffixes on the variants' references, each once.
    pub(super) fn suffixes(&self) -> BTreeSet<&str> {
        self.variants.iter().map(|variant| variant.suffix.as_str()).collect()
    }
}

impl Variant {
    /// Returns a command to draw a dump with this variant.
    pub(super) fn command(&self, headless: &Path) -> RendererCommand {
        let own = ["--screenshot-save={out}", "{in}"].map(str::to_owned);
        RendererCommand::new(headless, self.arguments.iter().cloned().chain(own).collect())
    }
}

/// Reads a variant: its arguments as text, or an object with `args`, `suffix` and `compare-suffix`.
fn variant(name: &str, value: &Value) -> Result<Variant, String> {
    let wrong = || format!("variant {name:?}: expected arguments, or an object with args and compare-suffix");
    let split =
        |text: &str| shlex::split(text).ok_or_else(|| format!("variant {name:?}: a quote is not closed"));
    let (arguments, suffix, compared) = match value {
        Value::String(arguments) => (split(arguments)?, name.to_owned(), name.to_owned()),
        Value::Object(members) => {
            let member = |member: &str| match members.get(member) {
                None => Ok(None),
                Some(Value::String(text)) => Ok(Some(text.clone())),
                Some(_) => Err(wrong()),
            };
            let suffix = member("suffix")?.unwrap_or_else(|| name.to_owned());
            let compared = member("compare-suffix")?.unwrap_or_else(|| suffix.clone());
            (split(&member("args")?.unwrap_or_default())?, suffix, compared)
        }
        _ => return Err(wrong()),
    };
    let makes_references = suffix == compared;
    Ok(Variant { name: name.to_owned(), arguments, suffix: compared, makes_references })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<FrameTests, String> {
        let written = serde_json::from_str(text).map_err(|error| error.to_string())?;
        FrameTests::of_written(written, Path::new("here"))
    }

    #[test]
    fn variants_share_references() {
        let text = r#"{"testRoot": "dumps", "refRoot": "ref", "outputRoot": "out/frametests", "headlessPath": "",
            "timeout": 60, "maxMse": 0.1, "variants": {
                "soft": {"args": "--graphics=software", "compare-suffix": "psp"},
                "gl-4x": "--graphics=opengl --resolution-scale=4"}}"#;
        let config = read(text).expect("a configuration");
        assert_eq!(
            (config.tests.as_path(), config.max_mse),
            (Path::new("here/dumps"), 0.1),
            "folder and error"
        );
        let by_name =
            |name: &str| config.variants.iter().find(|variant| variant.name == name).expect("a variant");
        let soft = by_name("soft");
        assert_eq!((soft.suffix.as_str(), soft.makes_references), ("psp", false), "of the PSP");
        let gl = by_name("gl-4x");
        assert_eq!((gl.suffix.as_str(), gl.makes_references), ("gl-4x", true), "its own");
        let command = gl.command(Path::new("bin/headless"));
        let words = shlex::split(command.text()).expect("a command");
        let expected = ["--graphics=opengl", "--resolution-scale=4", "--screenshot-save={out}", "{in}"];
        assert_eq!(words, [&["bin/headless"], &expected[..]].concat(), "the emulator's arguments");
    }

    #[test]
    fn mistakes_are_named() {
        let wrong = |variants: &str| {
            read(&format!(r#"{{"testRoot": "a", "refRoot": "b", "variants": {variants}}}"#))
                .expect_err("wrong")
        };
        assert_eq!(wrong("{}"), "no variants are defined");
        assert!(wrong(r#"{"x": 5}"#).contains("variant \"x\""), "{}", wrong(r#"{"x": 5}"#));
        assert!(wrong(r#"{"x": "'"}"#).contains("quote"), "a quote");
        assert!(
            read(r#"{"refRoot": "b"}"#).expect_err("no folder").contains("testRoot"),
            "the missing member"
        );
    }
}
