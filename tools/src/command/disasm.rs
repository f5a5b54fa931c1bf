//! `pspge disasm`: disassembles display lists to text.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use pspge::asm::text::describe;
use pspge::asm::{self, GuText, Image, Program, Walk};
use pspge::formats::Member;
use pspge::formats::ppdmp::{Dump, Record, RecordKind};
use pspge::ge::address::Address;
use pspge::ge::capture::Source;
use pspge::ge::command::Command;
use pspge::ge::memory::Memory;
use pspge::model::Model;

use crate::batch;
use crate::batch::arguments::{BatchArgs, Destination, OutputArgs};
use crate::input::name::InputName;
use crate::input::options::FileOptions;
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

/// Disassemble the display lists of a file
///
/// A model's text covers the whole file: commands for its lists, data for everything else. `pspge asm` turns it back
/// into the same bytes. A frame dump's text shows the recorded command words; other records become comments. Notes
/// say which bytes are data, and which members in a container are left out; `FILE#*` disassembles each member with a
/// list.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,

    #[command(flatten)]
    open: FileOptions,

    /// The words in which to print the lists
    ///
    /// `libgu` prints calls to the graphics library in the public pspsdk that send the commands, as lines of C;
    /// commands without a call are sent by sceGuSendCommandi. Data are left out, and `pspge asm` does not read this
    /// text.
    #[arg(long = "as", value_name = "WORDS", value_enum, default_value_t)]
    words: Words,

    /// Output file, `-` for standard output; an existing folder or, for several inputs, a folder to create
    #[arg(short, long, value_name = "OUT.ge", default_value = "-")]
    output: PathBuf,
}

/// The words to print a list in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Words {
    /// Commands of the Graphics Engine
    #[default]
    Ge,
    /// Calls of libgu, in C
    Libgu,
}

impl Words {
    fn print(self, image: &Image<'_>) -> String {
        match self {
            Self::Ge => asm::disassemble(image),
            Self::Libgu => image.gu_text(),
        }
    }
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    let output = OutputArgs { output: args.output.clone(), skip_existing: false, parents: false };
    batch::run_into(args, &args.batch, &Destination::Files(&output), console)
}

impl Job for Args {
    fn info(&self) -> JobInfo {
        JobInfo::new("disassembled", "no display list")
    }

    fn suffix(&self) -> String {
        match self.words {
            Words::Ge => ".ge",
            Words::Libgu => ".c",
        }
        .to_owned()
    }

    fn members(&self, file: &str) -> Result<Vec<String>, Failure> {
        self.open.members(file)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let Self { open, words, .. } = self;
        let (asset, _) = open.open(&task.input, None, &mut session.notes)?;
        let text = if let Some(program) = asset.program() {
            disassemble_program(task, program, *words, &mut session.notes)?
        } else if let Some(model) = asset.model() {
            let (text, source) = disassemble_model(task, model, *words, &mut session.notes)?;
            note_members(open, task, asset.members(), &source, &mut session.notes);
            text
        } else if let Some(dump) = asset.dump() {
            disassemble_dump(dump, *words, &mut session.notes)
        } else {
            return Ok(Outcome::Nothing);
        };
        let Some(output) = &task.output else { return Ok(Outcome::Nothing) };
        session.write(output, text.as_bytes())?;
        Ok(Outcome::Done)
    }
}

fn disassemble_program(
    task: &Task,
    program: &Program,
    words: Words,
    notes: &mut Notes,
) -> Result<String, Failure> {
    let image = program.image().map_err(|error| Failure::input(&task.input, "too-large", None, error))?;
    let image = Image { stall: program.stall, ..Image::with_list(program.base(), &image, program.entry) };
    note_data(&image, words, notes);
    Ok(words.print(&image))
}

/// Disassembles the first memory range with lists, which has a file's bytes. Also returns this range, so that the
/// caller can note the parts left out.
fn disassemble_model(
    task: &Task,
    model: &Model,
    words: Words,
    notes: &mut Notes,
) -> Result<(String, Source), Failure> {
    let has_list =
        |source: &&Source| model.parts.iter().any(|part| source.offset_of(part.list.start).is_some());
    let Some(source) = model.sources.iter().find(has_list) else {
        let problem = "the file stores no display list; pspge trace shows the list that draws it";
        return Err(Failure::input(&task.input, "nothing-to-do", None, problem));
    };
    let bytes = source_bytes(&model.memory, source);
    let mut image = Image::new(source.address, &bytes);
    image.file_offset = source.file_offset;
    let entries: Vec<Address> = model.parts.iter().map(|part| part.list.start).collect();
    // BASE keeps address bits 24 to 27 in bits 16 to 19 of its word.
    let base = (source.address.get() >> 8) & 0x000F_0000;
    image.code = asm::walk(|at| source.offset_of(at).map(|_| model.memory.read_u32(at)), &entries, base);
    for other in model.sources.iter().filter(|other| *other != source) {
        let Source { name, length, file_offset, .. } = other;
        let of_file = if *name == source.name { String::new() } else { format!(" of {name}") };
        let part = format!("{length} bytes{of_file} at {file_offset:#x}");
        if has_list(&other) {
            notes.list.add("list-left-out", format!("{part} hold lists, too, but are left out"));
        } else {
            notes.list.inform("part-left-out", format!("{part} hold no list and are left out"));
        }
    }
    note_data(&image, words, notes);
    Ok((words.print(&image), source.clone()))
}

/// Notes how many bytes are data, because no path through the lists leads to them.
fn note_data(image: &Image<'_>, words: Words, notes: &mut Notes) {
    let Walk { lists, is_cut_short, .. } = &image.code;
    let all = image.bytes.len() as u64;
    let base = u64::from(image.base.get());
    let inside = |list: &Range<Address>| {
        let start = u64::from(list.start.get()).max(base);
        u64::from(list.end.get()).min(base + all).saturating_sub(start)
    };
    let commands: u64 = lists.iter().map(inside).sum();
    let data = all.saturating_sub(commands);
    if data > 0 {
        let end = match words {
            Words::Ge => "became data",
            Words::Libgu => "are left out",
        };
        notes.list.inform("bytes-as-data", format!("{data} of {all} bytes are in no list and {end}"));
    }
    if *is_cut_short {
        notes.list.add(
            "walk-cut-short",
            "the lists branch too often to be followed to their ends; some became data",
        );
    }
}

/// Notes which members in a container are left out, unless the user named a member.
fn note_members(open: &FileOptions, task: &Task, members: &[Member], source: &Source, notes: &mut Notes) {
    let InputName { path, member } = InputName::parse(&task.input);
    if member.is_some() {
        return;
    }
    let own = |member: &&Member| {
        (member.offset..member.offset.saturating_add(member.length)).contains(&source.file_offset)
    };
    let own = members.iter().find(own).map(|member| member.index);
    for member in members.iter().filter(|member| Some(member.index) != own && member.length > 0) {
        let input = format!("{path}#{}", member.index);
        let format = member.format.map_or("of an unknown format", |format| format.name());
        let name = member.name.as_deref().map(|name| format!(" \"{name}\"")).unwrap_or_default();
        // Only members with a known format can be opened.
        let opened = member.format.map(|_| open.open(&input, None, &mut Notes::default()));
        let has_list = opened.is_some_and(|opened| opened.is_ok_and(|(asset, _)| asset.is_drawable()));
        let member = format!("member {}{name} ({format})", member.index);
        if has_list {
            let message = format!("{member} is left out (FILE#* disassembles all members)");
            notes.list.add("member-left-out", message);
        } else {
            notes.list.inform("member-without-list", format!("{member} holds no list"));
        }
    }
}

/// Lists a dump's recorded command words in order, as text.
fn disassemble_dump(dump: &Dump, words: Words, notes: &mut Notes) -> String {
    let mut text = String::from(".ge 1\n");
    let mut calls = GuText::default();
    let mut others: BTreeMap<String, u64> = BTreeMap::new();
    for (number, record) in dump.records.iter().enumerate() {
        let Record { kind, start, length } = *record;
        let comment = format!("record {number}: {kind}, {length} bytes at 0x{start:x}");
        match words {
            Words::Ge => text.push_str(&format!("; {comment}\n")),
            Words::Libgu => calls.comment(comment),
        }
        if kind != RecordKind::Registers {
            *others.entry(kind.to_string()).or_default() += 1;
            continue;
        }
        for (offset, word) in dump.words(record) {
            let command = Command::from_word(word);
            if words == Words::Libgu {
                // A call may go on in a later record, because its data are recorded in between.
                calls.push(command, format!("+0x{offset:x}"));
                continue;
            }
            let line = describe(command).to_string();
            text.push_str(&format!("    {line:<51} ; +0x{offset:x} {word:08x}\n"));
        }
    }
    for (kind, count) in others {
        notes
            .list
            .inform("records-as-comments", format!("{count} records of the kind {kind} became comments"));
    }
    match words {
        Words::Ge => text,
        Words::Libgu => calls.finish(),
    }
}

fn source_bytes(memory: &Memory, source: &Source) -> Vec<u8> {
    let mut bytes = vec![0; source.length as usize];
    memory.read(source.address, &mut bytes);
    bytes
}
