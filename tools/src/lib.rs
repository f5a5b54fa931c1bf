//! The `pspge` command: renders, traces and inspects display lists and models for the PSP.
//!
//! Errors go to standard error, a line each; `exit_status` says how the process ends.

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{ArgAction, FromArgMatches, Parser, Subcommand};

mod batch;
mod camera;
mod command;
mod emulator;
mod event_name;
mod format_help;
mod frame;
mod frame_command;
mod help;
mod input;
mod job;
mod limits;
mod memory;
mod output;
mod placement;
mod renderer;
mod run;
mod terminal;
mod view;
mod web_page;
mod what_if;

use pspge::formats::Choices;
use terminal::console::Console;
use terminal::exit_status::ExitStatus;

/// Render, trace, inspect and convert PSP display lists and models.
///
/// INPUT is recognised by its content: a model (PMO of Monster Hunter or Birth by Sleep, PMDL, MSH, GMO
/// of the PSP SDK), a map (PMP), an archive of Mega Man Legends 2 (BIN), a frame dump (PPDMP), textures
/// (TMH, TIM2, Texm), a picture of the PSP SDK (GIM), a skeleton (AHI, BON), animations (PAM), a
/// container of these (PAC, ARC, NRes, AMD; RCO and PTF of the PSP's firmware), a ZIP archive of all
/// these, or a display list in assembly text. INPUT#MEMBER selects a member of a container by index,
/// name or format, as in set.zip#name.pac#0; `pspge info` lists the members. `-` is standard input.
#[derive(Debug, Parser)]
#[command(
    name = "pspge",
    bin_name = "pspge",
    version,
    max_term_width = 100,
    after_long_help = terminal::exit_status::HELP
)]
struct Cli {
    /// Log each step to standard error; -vv logs more
    ///
    /// The environment variable PSPGE_LOG overrides this option. It takes filters of the form TARGET=LEVEL,
    /// separated by commas, for example `pspge::raster=trace,pspge::run=debug`.
    #[arg(short, long, global = true, action = ArgAction::Count, display_order = 998, hide_short_help = true)]
    verbose: u8,

    /// Hide notes and summaries; errors are still printed
    #[arg(short, long, global = true, display_order = 996)]
    quiet: bool,

    /// End with status 1 if a note says that something is missing, left out or guessed
    ///
    /// Notes that only inform do not count, for example that a container holds other models. JSON and reports
    /// name the severity of each note: `problem` or `information`.
    #[arg(long, global = true, display_order = 997, hide_short_help = true)]
    strict: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Render(command::render::Args),
    View(command::view::Args),
    Trace(command::trace::Args),
    State(command::state::Args),
    Pixel(command::pixel::Args),
    Draw(command::draw::Args),
    Diff(command::diff::Args),
    Trim(command::trim::Args),
    Reduce(command::reduce::Args),
    Passes(command::passes::Args),
    Memory(command::memory::Args),
    Info(command::info::Args),
    Decode(command::decode::Args),
    Export(command::export::Args),
    Textures(command::textures::Args),
    ImportTextures(command::import_textures::Args),
    ImportModel(command::import_model::Args),
    CheckPack(command::check_pack::Args),
    Table(command::table::Args),
    Pack(command::pack::Args),
    Capture(command::capture::Args),
    Asm(command::asm::Args),
    Disasm(command::disasm::Args),
    Reference(command::reference::Args),
    Check(command::check::Args),
    Compare(command::compare::Args),
    Test(command::test::Args),
    Bench(command::bench::Args),
    Schema(command::schema::Args),
    Completions(command::completions::Args),
    Man(command::man::Args),
}

/// Runs the command with the process's arguments.
#[must_use]
pub fn main() -> ExitCode {
    let line = help::command::<Cli>();
    let arguments = help::with_reference(&line, std::env::args_os().collect());
    let parsed = line.try_get_matches_from(arguments).and_then(|found| Cli::from_arg_matches(&found));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            terminal::console::print(one_line(&error));
            return ExitStatus::Usage.into();
        }
        // `--help` and `--version` arrive as errors, too.
        Err(error) => error.exit(),
    };
    let console = Console { quiet: cli.quiet, strict: cli.strict };
    let result = terminal::logging::install(cli.verbose).and_then(|()| match cli.command {
        Command::Render(args) => command::render::run(&args, console),
        Command::View(args) => command::view::run(&args, console),
        Command::Trace(args) => command::trace::run(&args, console),
        Command::State(args) => command::state::run(&args, console),
        Command::Pixel(args) => command::pixel::run(&args, console),
        Command::Draw(args) => command::draw::run(&args, console),
        Command::Diff(args) => command::diff::run(&args, console),
        Command::Trim(args) => command::trim::run(&args, console),
        Command::Reduce(args) => command::reduce::run(&args, console),
        Command::Passes(args) => command::passes::run(&args, console),
        Command::Memory(args) => command::memory::run(&args, console),
        Command::Info(args) => command::info::run(&args, console),
        Command::Decode(args) => command::decode::run(&args, console),
        Command::Export(args) => command::export::run(&args, console),
        Command::Textures(args) => command::textures::run(&args, console),
        Command::ImportTextures(args) => command::import_textures::run(&args, console),
        Command::ImportModel(args) => command::import_model::run(&args, console),
        Command::CheckPack(args) => command::check_pack::run(&args, console),
        Command::Table(args) => command::table::run(&args, console),
        Command::Pack(args) => command::pack::run(&args, console),
        Command::Capture(args) => command::capture::run(&args, console),
        Command::Asm(args) => command::asm::run(&args, console),
        Command::Disasm(args) => command::disasm::run(&args, console),
        Command::Reference(args) => command::reference::run(&args),
        Command::Check(args) => command::check::run(&args, console),
        Command::Compare(args) => command::compare::run(&args, console),
        Command::Test(args) => command::test::run(&args, console),
        Command::Bench(args) => command::bench::run(&args, console),
        Command::Schema(args) => command::schema::run(&args),
        Command::Completions(args) => command::completions::run(&args, help::command::<Cli>()),
        Command::Man(args) => command::man::run(&args, help::command::<Cli>()),
    });
    match result {
        Ok(()) => ExitStatus::Success.into(),
        Err(failure) => {
            if let Some(error) = failure.as_error() {
                console.print_error(error);
            }
            failure.status().into()
        }
    }
}

/// Puts a usage error into a line that ends with clap's advice or points to the help.
fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let mut lines = text.lines().map(str::trim);
    let problem: Vec<&str> =
        lines.by_ref().take_while(|line| !line.is_empty() && !line.starts_with("Usage:")).collect();
    if problem.is_empty() || !text.starts_with("error:") {
        return "error: no command given (pspge --help lists the commands)".to_owned();
    }
    let tips: Vec<String> = lines
        .filter_map(|line| line.strip_prefix("tip: "))
        .filter(|_| suggests_near(error))
        .map(|tip| format!("{tip}; "))
        .collect();
    format!("{} ({}see --help)", problem.join(" "), tips.concat())
}

/// Whether a suggested subcommand is as near as names in other errors must be, because clap also suggests names that
/// share only a few letters.
fn suggests_near(error: &clap::Error) -> bool {
    let text = |kind| error.get(kind);
    match (text(ContextKind::InvalidSubcommand), text(ContextKind::SuggestedSubcommand)) {
        (Some(ContextValue::String(wanted)), Some(ContextValue::Strings(names))) => {
            let names = names.iter().map(String::as_str);
            Choices::new(wanted, names, |_, name| name.to_owned()).nearest.is_some()
        }
        _ => true,
    }
}
