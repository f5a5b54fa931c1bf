//! Builds frame dumps with notes.

use pspge::formats::ppdmp::{DumpWriter, RecordKind, save_context};
use pspge::ge::command::Command;
use pspge::ge::note::NoteKind;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::Registers;
use pspge::model::FileNoteKind;

use super::{NoteInput, NoteSource};

/// Returns an input for each kind of note on dumps and their replay.
pub(super) fn inputs() -> Vec<NoteInput> {
    let lost_copy = dump(|writer| writer.push(RecordKind::MemCpyData, &[1; 8]));
    // The texture was drawn before, so the recorded texels are older.
    let drawn_texture = dump(|writer| {
        let mut record = [0x0400_0000_u32, 512, 0, 0].to_vec();
        record.resize(4 + 64, 0xFF00_00FF);
        writer.push_words(RecordKind::Framebuf(0), &record);
        draw(writer);
    });
    let kept = NoteKind::KeptDrawn { copies: 1, bytes: 1 }.code();
    vec![
        NoteInput::new(NoteSource::File, FileNoteKind::LeftOut.code(), "lost-copy.ppdmp", lost_copy),
        NoteInput::new(NoteSource::Run, kept, "drawn-texture.ppdmp", drawn_texture),
    ]
}

/// Builds a dump to draw a rectangle and then do something else.
fn dump(build: impl FnOnce(&mut DumpWriter)) -> Vec<u8> {
    let registers = Registers::with([
        (Opcode::FRAMEBUFWIDTH, 512),
        (Opcode::FRAMEBUFPIXFORMAT, 3),
        (Opcode::SCISSOR2, 479 | 271 << 10),
        (Opcode::REGION2, 479 | 271 << 10),
    ]);
    let mut writer = DumpWriter::new(*b"TEST00001");
    writer.push(RecordKind::Init, &save_context(&registers));
    draw(&mut writer);
    build(&mut writer);
    writer.push_words(RecordKind::Display, &[0x0400_0000, 512, 3]);
    writer.finish().to_bytes()
}

/// Draws a white rectangle in through mode.
fn draw(writer: &mut DumpWriter) {
    let corners: Vec<u8> = [0_u16, 0, 0, 200, 100, 0].iter().flat_map(|part| part.to_le_bytes()).collect();
    writer.push(RecordKind::Vertices, &corners);
    let words = [
        (Opcode::MATERIALAMBIENT, 0xFF_FFFF),
        (Opcode::VTYPE, 1 << 23 | 2 << 7),
        (Opcode::PRIM, 6 << 16 | 2),
    ];
    let words: Vec<u32> = words.map(|(opcode, argument)| Command::new(opcode, argument).word()).to_vec();
    writer.push_words(RecordKind::Registers, &words);
}
