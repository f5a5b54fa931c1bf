//! Display lists on their own: assembly text, or the words of a list.

use pspge::asm::{self, Assembly, AssemblyRequest, LIST_BYTES_MAX, Program};

use super::content::Input;
use crate::failure::Failure;
use crate::includes::DiskIncludes;

/// Assembles the text of a display list, with the files that it includes.
pub(super) fn assemble(name: &str, bytes: &[u8]) -> Result<Input, Failure> {
    let files = DiskIncludes::default();
    let request = AssemblyRequest { files: &files, ..AssemblyRequest::new(name, "") };
    let program = assemble_request(bytes, &request)?.program;
    Ok(Input::Program { program, format: "ge" })
}

/// Assembles the bytes of a text as the request says, whose own text is ignored.
pub(crate) fn assemble_request(bytes: &[u8], request: &AssemblyRequest<'_>) -> Result<Assembly, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Failure::input(request.name, "not-text", error.valid_up_to() as u64, "this byte is not UTF-8 text")
    })?;
    let name = if request.name == "-" { "standard input" } else { request.name };
    asm::assemble_with(&AssemblyRequest { name, text, ..*request })
        .map_err(|errors| Failure::assembly(name, &errors))
}

/// Places the words of a list at the start of user memory.
pub(super) fn raw_list(name: &str, bytes: Vec<u8>) -> Result<Input, Failure> {
    let program = Program::of_list(bytes)
        .map_err(|error| Failure::input(name, "too-large", LIST_BYTES_MAX as u64, error))?;
    Ok(Input::Program { program, format: "list" })
}
