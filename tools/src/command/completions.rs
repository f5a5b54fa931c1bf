//! `pspge completions`: completions for a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::failure::Failure;
use crate::output;

/// Print completions for a shell
///
/// For bash, for example: pspge completions bash > ~/.local/share/bash-completion/completions/pspge
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "pspge", &mut text);
    output::write(std::path::Path::new("-"), &text)
}
