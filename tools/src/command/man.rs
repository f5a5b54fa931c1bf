//! `pspge man`: writes manual pages.

use std::path::PathBuf;

use crate::output;
use crate::terminal::failure::Failure;

/// Write manual pages: one for pspge and one for each command
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Output folder; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args, command: clap::Command) -> Result<(), Failure> {
    output::create_folder(&args.output)?;
    clap_mangen::generate_to(command, &args.output)
        .map_err(|error| Failure::file(args.output.display(), &error))
}
