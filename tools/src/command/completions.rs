//! `pspge completions`: writes command-line completion for a shell.

use clap_complete::Shell;

use crate::output;
use crate::terminal::failure::Failure;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Shell to complete in
    shell: Shell,
}

pub(crate) fn run(args: &Args, mut command: clap::Command) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "pspge", &mut text);
    output::write(std::path::Path::new("-"), &text)
}
