//! `pspge asm`: assembles text to the bytes of a display list.

use std::path::{Path, PathBuf};

use pspge::asm;

use crate::failure::Failure;
use crate::{files, output};

/// Assemble a display list from text
///
/// The result covers all bytes from the lowest address of the text to the highest; gaps are filled with
/// zeros. `pspge disasm` is the inverse. The documentation of the library module `pspge::asm` describes the
/// syntax.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Assembly text; `-` for standard input
    #[arg(value_name = "IN.ge")]
    input: PathBuf,

    /// Output file; `-` for standard output
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
