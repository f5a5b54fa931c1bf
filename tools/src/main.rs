//! The `pspge` command: draws, traces and takes apart what the PSP's Graphics Engine runs.
//!
//! Exit status: 0 for success, 1 where a check failed or a comparison differs, 2 for wrong usage or bad input.
//! Errors are one line on standard error.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod camera;
mod command;
mod failure;
mod files;
mod format_help;
mod input;
mod limits;
mod memory;
mod output;
mod progress;
mod run;

/// The PSP's Graphics Engine without a PSP: draw, trace and take apart display lists and models.
///
/// INPUT is a model (PMO of Monster Hunter or Birth by Sleep, PMDL, MSH), a map (PMP), an archive of Mega Man Legends 2
/// (BIN), a frame dump (PPDMP), textures (TMH, TIM2, Texm), a skeleton (AHI, BON), animations (PAM), a container of
/// these (PAC, ARC, NRes), a ZIP archive that holds one of these, or a list in assembly text; it is recognised by its
/// content. INPUT#MEMBER picks a member of a container, by number, by name or by format; `pspge info` lists them. A
/// single dash reads standard input.
#[derive(Debug, Parser)]
#[command(name = "pspge", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
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
        // Help and version.
        Err(error) => error.exit(),
    };
    let result = match cli.verb {
        Verb::Render(args) => command::render::run(&args),
        Verb::Trace(args) => command::trace::run(&args),
        Verb::Info(args) => command::info::run(&args),
        Verb::Decode(args) => command::decode::run(&args),
        Verb::Export(args) => command::export::run(&args),
        Verb::Textures(args) => command::textures::run(&args),
        Verb::Pack(args) => command::pack::run(&args),
        Verb::Asm(args) => command::asm::run(&args),
        Verb::Disasm(args) => command::disasm::run(&args),
        Verb::Compare(args) => command::compare::run(&args),
        Verb::Bench(args) => command::bench::run(&args),
        Verb::Completions(args) => command::completions::run(&args),
    };
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

/// Wrong usage on one line: what is wrong, and where help is.
fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let problem: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.is_empty() && !line.starts_with("Usage:"))
        .collect();
    if problem.is_empty() || !text.starts_with("error:") {
        return "error: no command is given (pspge --help lists them)".to_owned();
    }
    format!("{} (see --help)", problem.join(" "))
}
