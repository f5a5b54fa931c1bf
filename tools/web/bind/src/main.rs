//! Writes the JavaScript around a compiled engine: `pspge-web-bind CODE.wasm FOLDER`. `cargo dev web` runs it.

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let code = arguments.next().context("the compiled engine is missing")?;
    let folder = arguments.next().context("the folder of the results is missing")?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(code).out_name("engine").typescript(false).no_modules(true)?;
    bindgen.generate(folder)
}
