//! Lists cases to judge: files below a folder, or named in a configuration for PPSSPP's frame tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pspge::compare::MeasuredScene;
use pspge::documents::judgement::CaseFact;

use super::Args;
use super::collection::{Collection, Entry};
use super::column::Column;
use super::frame_tests::FrameTests;
use super::references::{self, PSP, Reference, base_name};
use super::requirement::Requirement;
use super::scenes;
use crate::batch::arguments::Destination;
use crate::batch::inputs::files_of;
use crate::input::name::InputName;
use crate::input::path_text;
use crate::terminal::failure::Failure;

#[derive(Debug)]
pub(super) struct Suite {
    /// The folder or configuration as the user named it.
    pub(super) title: String,
    /// Case names are relative to this folder.
    pub(super) folder: PathBuf,
    /// The cases, ordered by name.
    pub(super) cases: Vec<Case>,
    pub(super) columns: Vec<Column>,
    /// How far a picture may differ, unless an expectation says otherwise.
    pub(super) requirement: Requirement,
    /// How long another renderer may run, in seconds.
    pub(super) timeout: f64,
    /// The folder for results, if the configuration names it.
    pub(super) output: Option<PathBuf>,
    /// References without a case.
    pub(super) unused: Vec<PathBuf>,
}

/// A file to draw, with its references.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Case {
    /// Path below the folder, with slashes.
    pub(super) name: String,
    /// The input as the user could name it.
    pub(super) input: String,
    /// References for each column.
    pub(super) references: Vec<Reference>,
    /// Checksums that a PSP gave, from a table in the case's folder.
    pub(super) measured: Option<MeasuredScene>,
    pub(super) facts: Vec<CaseFact>,
    /// Why this cannot be judged: the manifest names a file that does not exist.
    pub(super) missing: Option<String>,
    /// Whether this file must be drawable. Any other file that cannot be drawn is simply no case.
    pub(super) is_certain: bool,
}

impl Suite {
    /// Lists cases in a folder, or from a configuration.
    ///
    /// # Errors
    /// If it cannot be read, or holds no cases.
    pub(super) fn open(args: &Args, output: Option<&Path>) -> Result<Self, Failure> {
        let input = &path_text::path(&args.input);
        let mut suite = if input.is_dir() {
            Self::of_folder(args, input, output)?
        } else if input.is_file() {
            Self::of_frame_tests(args, input)?
        } else {
            return Err(Failure::file_problem(&args.input, "not-found", "no such folder or configuration"));
        };
        suite.select(args)?;
        Ok(suite)
    }

    fn of_folder(args: &Args, folder: &Path, output: Option<&Path>) -> Result<Self, Failure> {
        let mut columns = if args.renderer.is_empty() { vec![Column::own()] } else { args.renderer.clone() };
        if args.each_reference {
            let suffixes: Vec<&str> = args.reference.iter().map(String::as_str).collect();
            columns = columns_of_each(&columns, &suffixes);
        }
        let collection = Collection::read(folder)?;
        let files = files_below(folder, output);
        let mut scenes = scenes::read(folder, &files)?;
        let mut used = BTreeSet::new();
        let mut cases = Vec::new();
        let mut known = BTreeSet::new();
        for path in files.iter().filter(|path| !references::is_reference(path) && may_be_case(path)) {
            let references: Vec<Reference> = columns
                .iter()
                .map(|column| references::find(path, &files, &suffixes(args, column)))
                .collect();
            used.extend(
                references
                    .iter()
                    .flat_map(|reference| [reference.picture.clone(), reference.depth.clone()])
                    .flatten(),
            );
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_dump = is_dump(path);
            // The manifest names dumps without extensions, so a file of another kind could have such a name by
            // chance.
            let entry = collection.get(base_name(&name)).filter(|_| is_dump).cloned().unwrap_or_default();
            if is_dump {
                known.insert(base_name(&name).to_owned());
            }
            let missing = promised(&entry, &references);
            let measured = scenes.remove(path);
            let about_scene = measured.iter().flat_map(scenes::facts);
            let facts = entry.facts.into_iter().chain(about_scene).collect();
            let in_folder = |path: PathBuf| folder.join(path);
            let references = references.into_iter().map(|Reference { picture, depth }| Reference {
                picture: picture.map(in_folder),
                depth: depth.map(in_folder),
            });
            cases.push(Case {
                name: with_slashes(path),
                input: folder.join(path).display().to_string(),
                references: references.collect(),
                is_certain: is_dump || measured.is_some(),
                measured,
                facts,
                missing,
            });
        }
        // These files are lost. They become cases nevertheless, so that the run reports each as an error.
        let unknown = collection.names().filter(|name| !known.contains(*name));
        let dumps =
            unknown.map(|name| (format!("{name}.ppdmp"), "the manifest names it, but there is no such dump"));
        let lists =
            scenes.keys().map(|path| (with_slashes(path), "the table names it, but there is no such list"));
        for (name, missing) in dumps.chain(lists) {
            cases.push(Case {
                input: folder.join(&name).display().to_string(),
                name,
                references: vec![Reference::default(); columns.len()],
                missing: Some(missing.to_owned()),
                is_certain: true,
                ..Case::default()
            });
        }
        let unused = files.iter().filter(|path| references::is_reference(path) && !used.contains(*path));
        Ok(Self {
            title: args.input.clone(),
            folder: folder.to_owned(),
            cases,
            columns,
            requirement: args.requirement(),
            timeout: args.timeout.unwrap_or(60.0),
            output: None,
            unused: unused.cloned().collect(),
        })
    }

    fn of_frame_tests(args: &Args, path: &Path) -> Result<Self, Failure> {
        let config = FrameTests::read(path)?;
        let columns = columns_of(args, &config)?;
        let folder = &config.tests;
        if !folder.is_dir() {
            let problem = format_args!("testRoot: {} is no folder", folder.display());
            return Err(Failure::input(&path.display().to_string(), "frame-tests", None, problem));
        }
        let mut cases = Vec::new();
        for path in files_below(folder, None).into_iter().filter(|path| is_dump(path) && !is_hidden(path)) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let base = base_name(&name);
            let reference = |column: &Column| {
                let suffix = column.suffixes.iter().flatten().next().map_or(PSP, String::as_str);
                let name = format!("{base}-{suffix}.png");
                let picture = config.references.join(path.parent().unwrap_or(Path::new(""))).join(name);
                Reference { picture: Some(picture).filter(|path| path.is_file()), depth: None }
            };
            cases.push(Case {
                name: with_slashes(&path),
                input: folder.join(&path).display().to_string(),
                references: columns.iter().map(reference).collect(),
                is_certain: true,
                ..Case::default()
            });
        }
        Ok(Self {
            title: args.input.clone(),
            folder: folder.clone(),
            cases,
            columns,
            requirement: if args.has_requirement() {
                args.requirement()
            } else {
                Requirement::MaxMse(config.max_mse)
            },
            timeout: args.timeout.unwrap_or(config.timeout),
            output: Some(config.output),
            unused: Vec::new(),
        })
    }

    /// Keeps only cases selected by filter and shard.
    fn select(&mut self, args: &Args) -> Result<(), Failure> {
        let empty = |problem: &str| Failure::input(&args.input, "empty-folder", None, problem);
        if self.cases.is_empty() {
            return Err(empty("holds no frame dumps, models or lists"));
        }
        self.cases.sort_by(|a, b| a.name.cmp(&b.name));
        if !args.filter.is_empty() {
            self.cases.retain(|case| args.filter.iter().any(|filter| filter.is_in(&case.name)));
            if self.cases.is_empty() {
                return Err(empty("no case has a name that --filter selects"));
            }
        }
        if let Some(shard) = args.shard {
            let mut number = 0..;
            self.cases.retain(|_| number.next().is_some_and(|number| shard.has(number)));
        }
        Ok(())
    }
}

/// Makes columns for a configuration: its variants, or the renderers the user names, each with the references for
/// every suffix.
fn columns_of(args: &Args, config: &FrameTests) -> Result<Vec<Column>, Failure> {
    if args.renderer.is_empty() {
        let headless = config.headless()?;
        let column = |variant: &super::frame_tests::Variant| Column {
            name: variant.name.clone(),
            renderer: super::column::Renderer::Command(variant.command(&headless)),
            suffixes: Some(vec![variant.suffix.clone()]),
            needs_reference: !variant.makes_references,
        };
        return Ok(config.variants.iter().map(column).collect());
    }
    let suffixes: Vec<&str> = config.suffixes().into_iter().collect();
    Ok(columns_of_each(&args.renderer, &suffixes))
}

/// Makes a column for every renderer and reference suffix. If there are several suffixes, the name includes the
/// suffix, to tell columns apart.
fn columns_of_each(renderers: &[Column], suffixes: &[&str]) -> Vec<Column> {
    let named = |column: &Column, suffix: &str| Column {
        name: if suffixes.len() > 1 { format!("{}-{suffix}", column.name) } else { column.name.clone() },
        suffixes: Some(vec![suffix.to_owned()]),
        ..column.clone()
    };
    renderers.iter().flat_map(|column| suffixes.iter().map(move |suffix| named(column, suffix))).collect()
}

/// Lists suffixes for a column's references, the preferred first: those the user names, or else its own name, the
/// hardware's, and none.
fn suffixes<'a>(args: &'a Args, column: &'a Column) -> Vec<&'a str> {
    let named = column.suffixes.as_ref().unwrap_or(&args.reference);
    if named.is_empty() {
        vec![&column.name, PSP, ""]
    } else {
        named.iter().map(|suffix| if suffix == "none" { "" } else { suffix.as_str() }).collect()
    }
}

/// Says which reference a manifest promises that does not exist.
fn promised(entry: &Entry, references: &[Reference]) -> Option<String> {
    let lacks = |promised: Option<bool>, has: fn(&Reference) -> bool| {
        promised == Some(true) && !references.iter().any(has)
    };
    if lacks(entry.has_picture, |reference| reference.picture.is_some()) {
        return Some("the manifest promises a picture of a PSP, but there is none".to_owned());
    }
    lacks(entry.has_depth, |reference| reference.depth.is_some())
        .then(|| "the manifest promises a depth buffer of a PSP, but there is none".to_owned())
}

/// Lists files below a folder, except for results.
fn files_below(folder: &Path, output: Option<&Path>) -> BTreeSet<PathBuf> {
    let output = output.map(|output| crate::batch::arguments::OutputArgs {
        output: output.to_owned(),
        skip_existing: false,
        parents: false,
    });
    let destination = output.as_ref().map_or(Destination::None, Destination::Files);
    files_of(folder, &destination).into_iter().map(|found| found.path).collect()
}

/// Tells by its name whether a file is a frame dump.
fn is_dump(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case("ppdmp") || extension.eq_ignore_ascii_case("zip")
}

/// Tells by its name whether a file may be a case. Texts about the collection are no cases.
fn may_be_case(path: &Path) -> bool {
    const TEXTS: [&str; 14] =
        ["md", "txt", "json", "jsonl", "toml", "html", "xml", "csv", "tsv", "py", "sh", "yml", "yaml", "log"];
    let extension = path.extension().unwrap_or_default();
    !is_hidden(path) && !TEXTS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Whether a file, or a folder above it, has a name that starts with a dot.
fn is_hidden(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().to_string_lossy().starts_with('.'))
}

fn with_slashes(path: &Path) -> String {
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}

impl Case {
    /// Tells by its name whether the file is an archive.
    pub(super) fn is_archive(&self) -> bool {
        self.path().extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"))
    }

    /// Returns the case's file, without the member.
    pub(super) fn path(&self) -> PathBuf {
        path_text::path(InputName::parse(&self.input).path)
    }
}
