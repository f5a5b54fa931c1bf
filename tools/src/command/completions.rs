//! `pspge completions`: command-line completion for a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::failure::Failure;
use crate::output;

/// Print a completion script for a shell
///
/// For bash: pspge completions bash > ~/.local/share/bash-completion/completions/pspge
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Shell to complete in
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "pspge", &mut text);
    output::write(std::path::Path::new("-"), &text)
}
