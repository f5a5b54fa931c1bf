//! `cargo dev release`: checks a release, builds its files, and prints how to publish them.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Parser, ValueEnum};
use pspge_release::changes;
use pspge_release::checkout::Checkout;
use pspge_release::checksums;
use pspge_release::parts::Build;
use pspge_release::plan::{NOTES_FILE, Part, Plan, destination_of};
use pspge_release::requirements;
use pspge_release::versions;
use pspge_release::workspace::Workspace;

/// Check a release, build its files into the folder release-files of Cargo's target folder, and print how to publish
/// them. Nothing is published.
#[derive(Debug, Parser)]
#[command(name = "cargo dev release")]
struct Args {
    /// Print the files and their destinations, and build nothing
    #[arg(long)]
    list: bool,

    /// Build only these parts
    #[arg(long, value_enum, value_name = "PARTS", value_delimiter = ',')]
    only: Vec<Part>,

    /// Leave these parts out
    #[arg(long, value_enum, value_name = "PARTS", value_delimiter = ',', conflicts_with = "only")]
    skip: Vec<Part>,

    /// Rust target of the command, the C library and the wheel [default: this machine]
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,

    /// Go on if files differ from the last commit: for trying this out, not for a release
    #[arg(long)]
    allow_dirty: bool,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed, the exit status has to do.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<()> {
    let checkout = Checkout::own()?;
    let texts = checkout.texts()?;
    let workspace = Workspace::open(checkout.root())?;
    let version = versions::of_workspace(&texts)?;
    let target = args.target.clone().unwrap_or_else(|| workspace.host().to_owned());
    let plan = Plan { version, target };
    let parts = selected(args)?;
    if args.list {
        return list(&plan, &parts);
    }
    check(args, &checkout, &workspace, &plan, &parts)?;
    let page =
        texts.iter().find(|file| file.path == changes::PAGE).context("the page of changes is missing")?;
    let section = changes::newest(&page.text, &plan.version).context(changes::PAGE)?;

    let output = workspace.target_folder().join("release-files");
    if output.exists() {
        fs::remove_dir_all(&output).with_context(|| output.display().to_string())?;
    }
    fs::create_dir_all(&output).with_context(|| output.display().to_string())?;
    let time = checkout.commit_time()?;
    let build = Build { workspace: &workspace, plan: &plan, output: &output, time };
    if parts.iter().any(|part| requirements::needs_engine(*part)) {
        say("engine for browsers")?;
        build.engine()?;
    }
    let mut files = Vec::new();
    for part in &parts {
        say(&name(*part))?;
        files.extend(build.part(*part).with_context(|| name(*part))?);
    }
    write(&output.join(checksums::FILE), &checksums::lines(&files)?)?;
    write(&output.join(NOTES_FILE), &format!("{}\n", section.text))?;
    if section.is_unpublished() {
        let mut out = io::stdout();
        writeln!(out, "\nnote: {} still says of {} {:?}", changes::PAGE, plan.version, section.remark)?;
        writeln!(out, "      write the date instead, commit, and build again before you publish")?;
    }
    print_result(&plan, &parts, &output, &files)
}

/// Returns the parts selected by options.
fn selected(args: &Args) -> Result<Vec<Part>> {
    let is_selected = |part: &&Part| {
        if args.only.is_empty() { !args.skip.contains(part) } else { args.only.contains(part) }
    };
    let selected: Vec<Part> = Part::value_variants().iter().filter(is_selected).copied().collect();
    if selected.is_empty() {
        bail!("no part is left to build");
    }
    Ok(selected)
}

/// Checks as much as possible before the first build, and fails with all problems at once, to save the user several
/// attempts.
fn check(args: &Args, checkout: &Checkout, workspace: &Workspace, plan: &Plan, parts: &[Part]) -> Result<()> {
    let mut problems = versions::violations(&checkout.texts()?)?;
    if !args.allow_dirty {
        let uncommitted = checkout.uncommitted()?;
        problems.extend(uncommitted.iter().map(|line| format!("not committed: {line}")));
    }
    problems.extend(requirements::missing(workspace, parts, &plan.target));
    if problems.is_empty() {
        return say(&format!("version {}: every place agrees", plan.version));
    }
    bail!("the release of {} cannot be built:\n  {}", plan.version, problems.join("\n  "))
}

/// Prints the files in all parts, with their destinations.
fn list(plan: &Plan, parts: &[Part]) -> Result<()> {
    let mut out = io::stdout();
    for part in parts {
        for file in plan.files(*part) {
            writeln!(out, "{:8} {:24} {file}", name(*part), destination_of(&file).name())?;
        }
    }
    Ok(())
}

/// Prints the built files, and the commands to publish them.
fn print_result(plan: &Plan, parts: &[Part], output: &Path, files: &[PathBuf]) -> Result<()> {
    let mut out = io::stdout();
    writeln!(out, "\n{}", output.display())?;
    let mut names = Vec::new();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = path.metadata().with_context(|| path.display().to_string())?.len();
        writeln!(out, "  {bytes:>10} bytes  {:24} {name}", destination_of(&name).name())?;
        names.push(name);
    }
    writeln!(out, "\nTo publish {}, in the folder above if nothing else is said:", plan.version)?;
    for (explanation, command) in plan.upload(parts, &names) {
        writeln!(out, "  {explanation}:\n    {command}")?;
    }
    Ok(())
}

fn name(part: Part) -> String {
    part.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Prints a heading.
fn say(text: &str) -> Result<()> {
    writeln!(io::stdout(), "== {text}")?;
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| path.display().to_string())
}
