//! Rules on the records in a frame dump.

use crate::check::finding::Place;
use crate::check::findings::{Findings, SAME};
use crate::check::rule::Rule;
use crate::formats::ppdmp::{Dump, Record, RecordKind, is_flow};
use crate::ge::address::{Address, Region, VRAM_SIZE};
use crate::ge::command::Command;
use crate::ge::registers::CLUT_BYTES;

/// Bytes before the texels in a FRAMEBUF record.
const FRAMEBUF_HEADER: u32 = 16;

pub(crate) fn check(dump: &Dump, findings: &mut Findings) {
    let lost = dump.lost_copies() as u64;
    if let Some(first) = dump.records.iter().find(|record| record.kind == RecordKind::MemCpyData) {
        let message = format!("copies of the CPU without a target address are not replayed ({lost})");
        findings.add_counted(Rule::LostCopies, &place(first), lost, message);
    }
    if dump.records.iter().all(|record| record.kind != RecordKind::Display) {
        let message = || "no record selects the framebuffer that the screen shows".to_owned();
        findings.add(Rule::NoDisplay, SAME, &Place::default(), message);
    }
    let last_commands = dump.records.iter().rposition(|record| record.kind == RecordKind::Registers);
    let mut copy_target = None;
    for (number, record) in dump.records.iter().enumerate() {
        if record.kind == RecordKind::MemCpyDest {
            copy_target = Some(Address::new(dump.word(record, 0)));
        }
        let is_after_commands = last_commands.is_none_or(|last| number > last);
        let reason = ignored(dump, number, record, is_after_commands).or_else(|| {
            past_vram(dump, record, copy_target).then_some("its last bytes pass the end of VRAM")
        });
        if let Some(reason) = reason {
            let message =
                || format!("record {number} ({}) is ignored, or a part of it: {reason}", record.kind);
            findings.add(Rule::IgnoredRecord, [record.kind.code().into(), 0], &place(record), message);
        }
    }
}

/// Returns a record's place, which is its data's offset in the uncompressed payload.
fn place(record: &Record) -> Place {
    Place { file_offset: Some(record.start.into()), ..Place::default() }
}

/// Returns why a replay ignores a record, or `None` if it uses it.
fn ignored(dump: &Dump, number: usize, record: &Record, is_after_commands: bool) -> Option<&'static str> {
    let goes_to_vram = |word| Address::new(dump.word(record, word)).is_vram();
    match record.kind {
        RecordKind::Init
        | RecordKind::MemCpyData
        | RecordKind::Display
        | RecordKind::ClutAddr
        | RecordKind::EdramTrans => None,
        RecordKind::Registers if record.length < 4 => Some("it has no command"),
        RecordKind::Registers if !record.length.is_multiple_of(4) => {
            Some("its last bytes are no whole command")
        }
        RecordKind::Registers => {
            let is_control = |(_, word)| is_flow(Command::from_word(word).opcode());
            dump.words(record).any(is_control).then_some("a recording has no control flow")
        }
        RecordKind::MemSet | RecordKind::MemCpyDest if !goes_to_vram(0) => {
            Some("only writes to VRAM are replayed")
        }
        RecordKind::MemSet if dump.word(record, 2) == 0 => Some("its length is 0"),
        RecordKind::MemSet | RecordKind::MemCpyDest => None,
        RecordKind::Framebuf(_) if !goes_to_vram(0) => Some("its address is not in VRAM"),
        // The replay loads this palette without a command, so the arm below does not apply to it.
        RecordKind::Clut if is_initial_palette(dump, number) => {
            (record.length as usize > CLUT_BYTES).then_some("it is longer than palette memory")
        }
        RecordKind::Vertices
        | RecordKind::Indices
        | RecordKind::Clut
        | RecordKind::TransferSrc
        | RecordKind::Texture(_)
        | RecordKind::Framebuf(_)
            if is_after_commands =>
        {
            Some("no command follows that uses its data")
        }
        RecordKind::Vertices
        | RecordKind::Indices
        | RecordKind::Clut
        | RecordKind::TransferSrc
        | RecordKind::Texture(_)
        | RecordKind::Framebuf(_) => None,
    }
}

/// Returns whether this record makes the CPU write past the end of VRAM.
fn past_vram(dump: &Dump, record: &Record, copy_target: Option<Address>) -> bool {
    let [first, _, length] = [0, 1, 2].map(|word| dump.word(record, word));
    let (to, length) = match record.kind {
        RecordKind::MemSet => (Some(Address::new(first)), length),
        RecordKind::MemCpyData => (copy_target, record.length),
        RecordKind::Framebuf(_) => (Some(Address::new(first)), record.length.saturating_sub(FRAMEBUF_HEADER)),
        _ => return false,
    };
    match to.map(Address::region) {
        Some(Region::Vram(_, offset)) => offset.saturating_add(length) > VRAM_SIZE,
        _ => false,
    }
}

/// Returns whether this palette record follows the initial context. It then holds the contents of palette memory.
fn is_initial_palette(dump: &Dump, number: usize) -> bool {
    let before = number.checked_sub(1).and_then(|before| dump.records.get(before));
    before.is_some_and(|before| before.kind == RecordKind::Init)
}
