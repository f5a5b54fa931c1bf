//! `pspge asm`: text to list.

use std::path::{Path, PathBuf};

use pspge::asm;

use crate::failure::Failure;
use crate::{files, output};

/// Turn the text form of a display list into its bytes
///
/// The result runs from the lowest address that the text places anything at to the highest; gaps become zeros.
/// `pspge disasm` gives the text back. The syntax is described in the documentation of `pspge::asm`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Text to read; `-` for standard input
    #[arg(value_name = "IN.ge")]
    input: PathBuf,

    /// File to write; `-` for standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let bytes = files::read(&args.input)?;
    let name = args.input.display();
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        Failure::file(name, format_args!("at 0x{:x}: not UTF-8 text", error.valid_up_to()))
    })?;
    let name = args.input.display();
    let program = asm::assemble(text).map_err(|error| Failure::file(&name, error))?;
    let image = program.image().map_err(|error| Failure::file(&name, error))?;
    output::write(Path::new(&args.output), &image)
}
