//! The `pspge` command. All of it is in the library, so that Cargo compiles it beside the code of `pspge`.

use std::process::ExitCode;

fn main() -> ExitCode {
    pspge_tools::main()
}
