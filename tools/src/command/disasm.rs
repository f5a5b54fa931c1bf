//! `pspge disasm`: disassembles display lists to text.

use std::path::{Path, PathBuf};

use pspge::asm::text::describe;
use pspge::asm::{self, Image, Program};
use pspge::formats::Content;
use pspge::formats::ppdmp::{Dump, Record, RecordKind};
use pspge::ge::address::Address;
use pspge::ge::capture::Source;
use pspge::ge::command::Command;
use pspge::ge::memory::Memory;
use pspge::model::Model;

use crate::failure::Failure;
use crate::input::{Input, InputArgs};
use crate::{output, run};

/// Disassemble the display lists of a file
///
/// The text of a model covers the whole file: commands for its lists, data for everything else. `pspge asm`
/// turns it back into the same bytes. The text of a frame dump is the recorded command words; other records
/// become comments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Output file; `-` for standard output
    #[arg(short, long, value_name = "OUT.ge", default_value = "-")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let text = match run::open(&args.input)? {
        Input::Program { program, .. } => disassemble_program(args, &program)?,
        Input::File { content: Content::Model(model), .. } => disassemble_model(args, &model)?,
        Input::File { format, content, .. } => match content.recording::<Dump>() {
            Some(dump) => disassemble_dump(&dump),
            None => {
                let message = format_args!("at 0x0: a file of format {format} holds no display list");
                return Err(Failure::file(&args.input.input, message));
            }
        },
    };
    output::write(Path::new(&args.output), text.as_bytes())
}

fn disassemble_program(args: &Args, program: &Program) -> Result<String, Failure> {
    let image = program.image().map_err(|error| Failure::file(&args.input.input, error))?;
    Ok(asm::disassemble(&Image::with_list(program.base(), &image, program.entry)))
}

/// Disassembles the memory range that holds the lists; it has the bytes of the model's file.
fn disassemble_model(args: &Args, model: &Model) -> Result<String, Failure> {
    let source = model
        .sources
        .iter()
        .find(|source| model.parts.iter().any(|part| source.offset_of(part.list.start).is_some()))
        .or(model.sources.first())
        .ok_or_else(|| Failure::file(&args.input.input, "at 0x0: the model holds no display list"))?;
    let bytes = source_bytes(&model.memory, source);
    let mut image = Image::new(source.address, &bytes);
    image.file_offset = source.file_offset;
    let entries: Vec<Address> = model.parts.iter().map(|part| part.list.start).collect();
    let base = (source.address.get() >> 8) & 0x000F_0000;
    image.code = asm::walk(|at| source.offset_of(at).map(|_| model.memory.read_u32(at)), &entries, base);
    Ok(asm::disassemble(&image))
}

/// Returns the recorded command words of a dump as text, in order.
fn disassemble_dump(dump: &Dump) -> String {
    let mut text = String::from(".ge 1\n");
    for (number, record) in dump.records.iter().enumerate() {
        let Record { kind, start, length } = *record;
        text.push_str(&format!("; record {number}: {kind}, {length} bytes at 0x{start:x}\n"));
        if kind == RecordKind::Registers {
            for (offset, word) in dump.words(record) {
                let line = describe(Command::from_word(word)).to_string();
                text.push_str(&format!("    {line:<51} ; +0x{offset:x} {word:08x}\n"));
            }
        }
    }
    text
}

/// Returns the bytes of a file as loaded into memory.
fn source_bytes(memory: &Memory, source: &Source) -> Vec<u8> {
    let mut bytes = vec![0; source.length as usize];
    memory.read(source.address, &mut bytes);
    bytes
}
