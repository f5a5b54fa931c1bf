//! The `pspge` command: renders, traces and inspects display lists and models of the PSP.
//!
//! Exit status: 0 for success, 1 if a comparison differs, 2 for wrong usage or bad input. An error is one
//! line on standard error.

use std::process::ExitCode;

use clap::{ArgAction, Parser, Subcommand};

mod camera;
mod command;
mod failure;
mod files;
mod format_help;
mod input;
mod limits;
mod logging;
mod memory;
mod output;
mod progress;
mod run;

/// Render, trace, inspect and convert PSP display lists and models.
///
/// INPUT is recognised by its content: a model (PMO of Monster Hunter or Birth by Sleep, PMDL, MSH), a map
/// (PMP), an archive of Mega Man Legends 2 (BIN), a frame dump (PPDMP), textures (TMH, TIM2, Texm), a
/// skeleton (AHI, BON), animations (PAM), a container of these (PAC, ARC, NRes), a ZIP archive with one of
/// these, or a display list in assembly text. INPUT#MEMBER selects a member of a container by index, name or
/// format; `pspge info` lists the members. `-` is standard input.
#[derive(Debug, Parser)]
#[command(
    name = "pspge",
    bin_name = "pspge",
    version,
    max_term_width = 100,
    after_long_help = "Exit status: 0 for success, 1 if a comparison differs, 2 for wrong usage or bad input."
)]
struct Cli {
    /// Log each step to standard error; -vv logs more
    ///
    /// The environment variable PSPGE_LOG overrides this option. It takes filters of the form TARGET=LEVEL,
    /// separated by commas, for example `pspge::raster=trace,pspge::run=debug`.
    #[arg(short, long, global = true, action = ArgAction::Count, display_order = 998)]
    verbose: u8,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Render(command::render::Args),
    Trace(command::trace::Args),
    Info(command::info::Args),
    Decode(command::decode::Args),
    Export(command::export::Args),
    Textures(command::textures::Args),
    Pack(command::pack::Args),
    Asm(command::asm::Args),
    Disasm(command::disasm::Args),
    Compare(command::compare::Args),
    Bench(command::bench::Args),
    Completions(command::completions::Args),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            eprintln!("{}", one_line(&error));
            return ExitCode::from(2);
        }
        // `--help` and `--version` arrive as errors, too.
        Err(error) => error.exit(),
    };
    let result = logging::install(cli.verbose).and_then(|()| match cli.command {
        Command::Render(args) => command::render::run(&args),
        Command::Trace(args) => command::trace::run(&args),
        Command::Info(args) => command::info::run(&args),
        Command::Decode(args) => command::decode::run(&args),
        Command::Export(args) => command::export::run(&args),
        Command::Textures(args) => command::textures::run(&args),
        Command::Pack(args) => command::pack::run(&args),
        Command::Asm(args) => command::asm::run(&args),
        Command::Disasm(args) => command::disasm::run(&args),
        Command::Compare(args) => command::compare::run(&args),
        Command::Bench(args) => command::bench::run(&args),
        Command::Completions(args) => command::completions::run(&args),
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(message) = failure.message() {
                eprintln!("error: {message}");
            }
            failure.exit_code()
        }
    }
}

/// Returns a usage error as one line that ends with a pointer to the help.
fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let problem: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.is_empty() && !line.starts_with("Usage:"))
        .collect();
    if problem.is_empty() || !text.starts_with("error:") {
        return "error: no command given (pspge --help lists the commands)".to_owned();
    }
    format!("{} (see --help)", problem.join(" "))
}
