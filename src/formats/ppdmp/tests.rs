//! Tests generated dumps: all versions and record kinds, truncated and corrupted files.

use super::dump::MAGIC;
use super::*;
use crate::formats::core::cursor::View;
use crate::formats::{Content, FileRole, FormatError, Problem, Request, open};
use crate::ge::address::{Address, RAM_BASE};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::{Action, Capture};
use crate::ge::command::Command;
use crate::ge::edram::Translation;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::texture::PixelFormat;
use crate::run::interpreter::Limits;
use crate::run::replay::{self, Replayed};
use crate::run::sink::{NullObserver, NullSink};

const GAME: [u8; 9] = *b"TEST00001";
const SCREEN: [u32; 3] = [0x0400_0000, 512, 3];

fn words(list: &[(Opcode, u32)]) -> Vec<u32> {
    list.iter().map(|&(opcode, argument)| Command::new(opcode, argument).word()).collect()
}

/// Builds a dump from the pushed records, after an INIT to set two buffer widths.
fn dump(build: impl FnOnce(&mut DumpWriter)) -> Dump {
    let mut registers = Registers::new();
    registers.write(Command::new(Opcode::TEXBUFWIDTH0, 0x08_0040));
    registers.write(Command::new(Opcode::TRANSFERSRCW, 0x08_0200));
    let mut writer = DumpWriter::new(GAME);
    writer.push(RecordKind::Init, &save_context(&registers));
    build(&mut writer);
    writer.finish()
}

/// Builds a dump with every kind of record.
fn everything() -> Dump {
    dump(|writer| {
        writer.push(RecordKind::Clut, &[7; 1024]);
        writer.push_words(RecordKind::Display, &SCREEN);
        writer.push_words(RecordKind::EdramTrans, &[0x200]);
        writer.push_words(RecordKind::MemSet, &[0x0400_1000, 0x55, 16]);
        writer.push_words(RecordKind::MemCpyDest, &[0x4400_2000]);
        writer.push(RecordKind::MemCpyData, &[1, 2, 3, 4]);
        writer.push(RecordKind::Texture(0), &[3; 64]);
        writer.push_words(RecordKind::Framebuf(1), &[0x0410_0000, 128, 0, 0, 0xAABB_CCDD]);
        writer.push(RecordKind::Indices, &[0, 1, 2]);
        writer.push(RecordKind::Vertices, &[0; 36]);
        writer.push_words(
            RecordKind::Registers,
            &words(&[(Opcode::VTYPE, 0x180), (Opcode::PRIM, 3 << 16 | 3)]),
        );
        writer.push_words(RecordKind::ClutAddr, &[0x0415_0000, 0]);
        writer.push(RecordKind::Clut, &[9; 32]);
        writer.push(RecordKind::TransferSrc, &[4; 64]);
        writer.push_words(RecordKind::Registers, &words(&[(Opcode::TRANSFERSTART, 1)]));
        writer.push_words(RecordKind::Display, &[0x8_8000, 512, 0]);
    })
}

/// Builds a dump's file in the given version.
fn file(dump: &Dump, version: u32) -> Vec<u8> {
    let mut records = Vec::new();
    for record in &dump.records {
        records.push(record.kind.code());
        records.extend(record.length.to_le_bytes());
        records.extend(record.start.to_le_bytes());
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(version.to_le_bytes());
    if version >= 4 {
        bytes.extend(dump.game_id);
        bytes.extend([0; 3]);
    }
    for length in [dump.records.len(), dump.payload.len()] {
        bytes.extend(u32::try_from(length).expect("small").to_le_bytes());
    }
    for block in [records, dump.payload.clone()] {
        let block = if version >= 5 {
            structured_zstd::encoding::compress_to_vec(
                &block[..],
                structured_zstd::encoding::CompressionLevel::Fastest,
            )
        } else {
            snap::raw::Encoder::new().compress_vec(&block).expect("small")
        };
        bytes.extend(u32::try_from(block.len()).expect("small").to_le_bytes());
        bytes.extend(block);
    }
    bytes
}

fn parse(bytes: &[u8]) -> Result<Dump, FormatError> {
    read(View::new(bytes, 0, "ppdmp", FileRole::Input), &Limits::default())
}

fn capture(dump: &Dump) -> Capture {
    dump.capture("test").expect("can be run")
}

fn run(capture: &mut Capture) -> Replayed {
    replay::run(capture, Arithmetic::Hardware, &mut NullSink, &mut NullObserver, &Limits::default())
}

/// Returns a dump's list without FINISH and END.
fn list(dump: &Dump) -> Vec<Command> {
    let capture = capture(dump);
    let mut at = capture.start;
    std::iter::from_fn(|| {
        let command = Command::from_word(capture.memory.read_u32(at));
        at = at.offset(4);
        (command.opcode() != Opcode::FINISH).then_some(command)
    })
    .collect()
}

fn commands(list: &[(Opcode, u32)]) -> Vec<Command> {
    list.iter().map(|&(opcode, argument)| Command::new(opcode, argument)).collect()
}

/// Returns the address for record `nth`'s data.
fn payload_address(dump: &Dump, nth: usize) -> u32 {
    RAM_BASE + dump.records[nth].start
}

#[test]
fn kind_codes_round_trip() {
    for code in 0..=u8::MAX {
        if let Some(kind) = RecordKind::from_code(code) {
            assert_eq!(kind.code(), code, "{kind}");
        }
    }
    assert_eq!(RecordKind::from_code(0x1A), Some(RecordKind::Framebuf(2)), "level 2");
    assert_eq!(RecordKind::from_code(12), None, "unused");
}

#[test]
fn reads_all_supported_versions() {
    let dump = everything();
    for version in OLDEST_VERSION..=VERSION {
        let read = parse(&file(&dump, version)).expect("well-formed");
        assert_eq!(
            (read.version, &read.records, &read.payload),
            (version, &dump.records, &dump.payload),
            "{version}"
        );
        assert_eq!(
            read.game().as_deref(),
            (version >= 4).then_some("TEST00001"),
            "game of version {version}"
        );
    }
    for version in [0, 1, 7] {
        let error = parse(&file(&dump, version)).expect_err("not supported");
        assert_eq!((error.offset, error.kind), (Some(8), PpdmpProblem::Version(version).into()), "{version}");
    }
}

#[test]
fn written_dumps_round_trip() {
    let dump = everything();
    assert_eq!(parse(&dump.to_bytes()), Ok(dump), "the same");
    let empty = DumpWriter::new(GAME).finish();
    assert_eq!(parse(&empty.to_bytes()), Ok(empty), "no records");
}

/// Draws may read textures beyond their recorded bytes, so the payload must keep its layout.
#[test]
fn upgrading_keeps_payload_layout() {
    let mut old = everything();
    let words = [0x0400_0000, 16, (Flags::UNCHANGED | Flags::RENDER_TARGET).bits(), 0];
    let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    let start = u32::try_from(old.payload.len()).expect("small");
    old.payload.extend(bytes);
    old.records.push(Record { kind: RecordKind::Framebuf(0), start, length: 16 });
    old.records.push(Record { kind: RecordKind::Texture(0), start: start + 12, length: 2 });
    for version in OLDEST_VERSION..=VERSION {
        old.version = version;
        let newest = old.upgraded();
        assert_eq!((newest.version, &newest.records), (VERSION, &old.records), "version {version}");
        let flags = newest.word(&newest.records[old.records.len() - 2], 2);
        let known = if version < VERSION { Flags::empty() } else { Flags::UNCHANGED };
        assert_eq!(flags, (known | Flags::RENDER_TARGET).bits(), "version {version}: reliable flags");
        assert_eq!(newest.payload.len(), old.payload.len(), "version {version}");
    }
}

#[test]
fn rejects_truncated_files() {
    let dump = everything();
    for version in [3, 6] {
        let bytes = file(&dump, version);
        for length in 0..bytes.len() {
            let error = parse(&bytes[..length]).expect_err("too short");
            assert!(error.offset.is_none_or(|offset| offset <= length as u64), "{length} bytes: {error}");
            assert!(matches!(error.kind, Problem::Truncated { .. }), "{length} bytes: {error}");
        }
    }
}

#[test]
fn survives_corrupted_files() {
    let dump = everything();
    for version in [2, 6] {
        let bytes = file(&dump, version);
        for at in 8..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            if let Ok(dump) = parse(&damaged) {
                // A parsed dump must convert or return an error, so this only looks for panics.
                let _ = dump.capture("damaged");
            }
        }
    }
}

#[test]
fn checks_declared_sizes_first() {
    let bytes = file(&everything(), 6);
    for (at, block) in [(24, Block::Records), (28, Block::Payload)] {
        let mut huge = bytes.clone();
        huge[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let error = parse(&huge).expect_err("too large");
        assert_eq!(error.offset, Some(at as u64), "{error}");
        let is_too_large = matches!(error.problem_as(), Some(PpdmpProblem::TooLarge { block: found, .. }) if *found == block);
        assert!(is_too_large, "{error}");
    }
    for version in [2, 6] {
        let mut short = file(&everything(), version);
        let at = if version >= 4 { 28 } else { 16 };
        short[at] ^= 1;
        let error = parse(&short).expect_err("another length than declared");
        assert!(error.problem_as::<PpdmpProblem>().is_some(), "version {version}: {error}");
    }
}

#[test]
fn errors_name_the_invalid_record() {
    let wrong = |change: &dyn Fn(&mut Dump)| {
        let mut dump = everything();
        change(&mut dump);
        let error = parse(&dump.to_bytes()).expect_err("wrong");
        assert_eq!(error.offset, Some(dump.records_offset()), "{error}");
        error.kind.to_string()
    };
    assert_eq!(
        wrong(&|dump| dump.records[0].length = 100),
        "record 0: INIT has 100 bytes and needs 2048",
        "short"
    );
    assert!(
        wrong(&|dump| dump.records[5].start = u32::MAX)
            .starts_with("record 5: 4 bytes at 0xffffffff do not lie"),
        "outside"
    );
    let word = |dump: &mut Dump, record: usize, word: usize, value: u32| {
        let at = dump.records[record].start as usize + word * 4;
        dump.payload[at..at + 4].copy_from_slice(&value.to_le_bytes());
    };
    assert_eq!(wrong(&|dump| word(dump, 2, 2, 4)), "record 2: display format 4 does not exist", "display");
    assert_eq!(
        wrong(&|dump| word(dump, 3, 0, 1)),
        "record 3: eDRAM translation 0x1 does not exist",
        "translation"
    );
    let mut bytes = Vec::new();
    let unknown = {
        let mut dump = everything();
        dump.records.truncate(1);
        // Encoded by hand, because no `RecordKind` has this code.
        let records = [12, 0, 0, 0, 0, 0, 0, 0, 0];
        bytes.extend(&dump.to_bytes()[..24]);
        for length in [1, 0_u32] {
            bytes.extend(length.to_le_bytes());
        }
        for block in [&records[..], &[]] {
            let block = structured_zstd::encoding::compress_to_vec(
                block,
                structured_zstd::encoding::CompressionLevel::Fastest,
            );
            bytes.extend(u32::try_from(block.len()).expect("small").to_le_bytes());
            bytes.extend(block);
        }
        parse(&bytes).expect_err("type 12").to_string()
    };
    assert_eq!(unknown, "at 0x20: record 0: type 12 is unknown", "unknown type");
}

/// The decoder's own texts show types of its code.
#[test]
fn says_in_words_why_a_block_does_not_decompress() {
    let bytes = everything().to_bytes();
    let mut reasons = std::collections::BTreeSet::new();
    for at in 0x20..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0xFF;
        if let Err(error) = parse(&damaged) {
            let text = error.to_string();
            assert!(!text.contains(['{', '}']) && !text.contains("Error"), "byte {at}: {text}");
            reasons.insert(text.split_once(": ").map_or("", |(_, reason)| reason).to_owned());
        }
    }
    assert!(reasons.iter().any(|reason| reason.contains("the Zstandard frame")), "{reasons:?}");
}

/// Dumps built in code are not checked by [`read`].
#[test]
fn rejects_invalid_records_of_built_dumps() {
    for start in [u32::MAX - 8, u32::MAX] {
        let mut dump = everything();
        let number =
            dump.records.iter().position(|record| record.kind == RecordKind::Registers).expect("some");
        dump.records[number].start = start;
        assert_eq!(dump.words(&dump.records[number]).count(), 0, "no words there");
        let error = dump.capture("wrong").expect_err("outside");
        assert!(error.to_string().starts_with(&format!("record {number}: ")), "{error}");
    }
}

#[test]
fn inserts_pointers_to_textures_and_vertices() {
    let dump = dump(|writer| {
        writer.push(RecordKind::Texture(0), &[1; 16]);
        writer.push(RecordKind::Indices, &[2; 4]);
        writer.push(RecordKind::Vertices, &[3; 4]);
        let recorded = [
            (Opcode::TEXADDR0, 0x12_3450),
            (Opcode::TEXBUFWIDTH0, 0x08_0080),
            (Opcode::TEXBUFWIDTH0, 0x09_0080),
            (Opcode::JUMP, 0x1234),
            (Opcode::TEXENABLE, 1),
        ];
        writer.push_words(RecordKind::Registers, &words(&recorded));
        // The texture and the address's top byte are unchanged, so only VADDR is written.
        writer.push(RecordKind::Texture(0), &[1; 16]);
        writer.push(RecordKind::Vertices, &[4; 4]);
        writer.push_words(RecordKind::Registers, &words(&[(Opcode::NOP, 0)]));
    });
    let [texture, indices, vertices, again] = [1, 2, 3, 6].map(|nth| payload_address(&dump, nth));
    let expected = [
        // The width in the context plays no part.
        (Opcode::TEXBUFWIDTH0, 0x08_0000),
        (Opcode::TEXADDR0, texture),
        (Opcode::BASE, 0x08_0000),
        (Opcode::IADDR, indices),
        (Opcode::VADDR, vertices),
        (Opcode::NOP, 0),
        (Opcode::TEXBUFWIDTH0, 0x08_0080),
        // The same width again, and the jump.
        (Opcode::NOP, 0),
        (Opcode::NOP, 0),
        (Opcode::TEXENABLE, 1),
        (Opcode::VADDR, again),
        (Opcode::NOP, 0),
    ];
    assert_eq!(list(&dump), commands(&expected), "the list");
    let capture = capture(&dump);
    let first = capture.start.offset(5 * 4);
    let source = capture.source_of(first).map(|(source, offset)| (source.name.as_str(), offset));
    assert_eq!(source, Some(("test", dump.records[4].start.into())), "offset in the payload");
    assert_eq!(capture.source_of(capture.start), None, "the first word is inserted");
}

#[test]
fn copies_vram_textures_unless_rendered_or_unchanged() {
    let target = Address::new(0x0410_0000);
    for (version, flags, copied) in
        [(6, 0, true), (6, 1, false), (6, 2, false), (5, 2, true), (5, 3, false), (6, 4, true)]
    {
        let mut dump = dump(|writer| {
            writer.push_words(RecordKind::Framebuf(0), &[0x4410_0000, 64, flags, 0, 0xAABB_CCDD]);
            writer.push_words(RecordKind::Registers, &words(&[(Opcode::NOP, 0)]));
        });
        dump.version = version;
        let expected = [(Opcode::TEXBUFWIDTH0, 0x04_0040), (Opcode::TEXADDR0, 0x10_0000), (Opcode::NOP, 0)];
        assert_eq!(list(&dump), commands(&expected), "version {version}, flags {flags}");
        let mut capture = capture(&dump);
        run(&mut capture);
        let expected = if copied { 0xAABB_CCDD } else { 0 };
        assert_eq!(capture.memory.read_u32(target), expected, "version {version}, flags {flags}");
    }
}

/// Source: [copies into VRAM](crate::reference::ge::frame_dumps#copies-into-vram).
#[test]
fn copies_stop_at_the_end_of_vram() {
    let dump = dump(|writer| {
        writer.push_words(RecordKind::Framebuf(0), &[0x441F_FFF8, 64, 0, 0, 1, 2, 3, 4]);
        writer.push_words(RecordKind::MemSet, &[0x041F_FF00, 7, 0x200]);
        writer.push_words(RecordKind::MemCpyDest, &[0x0441_FFFC]);
        writer.push(RecordKind::MemCpyData, &[5; 8]);
    });
    let capture = capture(&dump);
    let lengths: Vec<(bool, u32)> = capture
        .events
        .iter()
        .filter_map(|event| match event.action {
            Action::CopyUndrawn { length, .. } => Some((true, length)),
            Action::Copy { length, .. } | Action::Fill { length, .. } => Some((false, length)),
            _ => None,
        })
        .collect();
    assert_eq!(lengths, [(true, 8), (false, 0x100), (false, 8)], "only textures leave out drawn bytes");
}

#[test]
fn display_without_address_shows_the_last_target() {
    let dump = dump(|writer| {
        writer.push_words(
            RecordKind::Registers,
            &words(&[
                (Opcode::FRAMEBUFPTR, 0x4_0000),
                (Opcode::FRAMEBUFWIDTH, 256),
                (Opcode::VTYPE, 0x80_0100),
            ]),
        );
        writer.push(RecordKind::Vertices, &[0; 16]);
        writer
            .push_words(RecordKind::Registers, &words(&[(Opcode::PRIM, 1), (Opcode::FRAMEBUFPTR, 0x8_0000)]));
        writer.push_words(RecordKind::Display, &[0, 512, 3]);
    });
    let mut capture = capture(&dump);
    assert_eq!(capture.final_display(), None, "known after the replay");
    let display = run(&mut capture).display.expect("the target of the draw");
    assert_eq!(
        (display.address, display.stride),
        (Address::vram(0x4_0000), 256),
        "not that of the registers"
    );
    assert_eq!(display.format, PixelFormat::BGR5650, "its own format");
}

#[test]
fn loads_palettes_from_ram_and_vram() {
    let dump = dump(|writer| {
        writer.push(RecordKind::Clut, &[7; 1024]);
        writer.push_words(
            RecordKind::Registers,
            &words(&[(Opcode::CLUTADDR, 0x15_0000), (Opcode::CLUTADDRUPPER, 0x04_0000)]),
        );
        writer.push_words(RecordKind::ClutAddr, &[0x0415_0000, 0]);
        writer.push(RecordKind::Clut, &[9; 32]);
        writer.push_words(RecordKind::Registers, &words(&[(Opcode::LOADCLUT, 1)]));
        writer.push(RecordKind::Clut, &[5; 64]);
        writer.push_words(RecordKind::Registers, &words(&[(Opcode::LOADCLUT, 1)]));
    });
    let mut capture = capture(&dump);
    assert!(
        matches!(capture.events[0].action, Action::LoadPalette { length: 1024, .. }),
        "first palette memory"
    );
    let registers = run(&mut capture).registers;
    assert_eq!(
        registers.clut()[..33],
        [[5; 32].as_slice(), &[7]].concat(),
        "the last load over the first contents"
    );
    assert_eq!(capture.memory.read_u8(Address::new(0x0415_001F)), 9, "the palette in VRAM");
    let address = payload_address(&dump, 6);
    assert_eq!(registers.argument(Opcode::CLUTADDR), address & 0xFF_FFFF, "address of the last palette");
}

#[test]
fn transfers_read_recorded_source() {
    let dump = dump(|writer| {
        writer.push(RecordKind::TransferSrc, &[4; 64]);
        writer.push_words(RecordKind::Registers, &words(&[(Opcode::TRANSFERSTART, 1)]));
    });
    let address = payload_address(&dump, 1);
    let expected =
        [(Opcode::TRANSFERSRCW, 0x08_0200), (Opcode::TRANSFERSRC, address), (Opcode::TRANSFERSTART, 1)];
    assert_eq!(list(&dump), commands(&expected), "the width stays");
}

#[test]
fn cpu_writes_only_change_vram() {
    let mut capture = capture(&everything());
    let replayed = run(&mut capture);
    assert_eq!(capture.memory.read_u32(Address::vram(0x100C)), 0x5555_5555, "MEMSET");
    assert_eq!(capture.memory.read_u32(Address::vram(0x2000)), 0x0403_0201, "MEMCPY");
    assert_eq!(capture.memory.translation(), Translation::Width512, "EDRAMTRANS");
    let display = replayed.display.expect("DISPLAY");
    assert_eq!(
        (display.address, display.format),
        (Address::vram(0x8_8000), PixelFormat::BGR5650),
        "the last one"
    );
    let dump = dump(|writer| {
        writer.push(RecordKind::MemCpyData, &[1; 4]);
        writer.push_words(RecordKind::MemSet, &[0x0890_0000, 1, 4]);
        writer.push_words(RecordKind::MemCpyDest, &[0x0890_0000]);
        writer.push(RecordKind::MemCpyData, &[1; 4]);
    });
    assert_eq!(dump.capture("test").map(|capture| capture.events.len()), Ok(0), "no writes to VRAM");
    assert_eq!(dump.lost_copies(), 1, "the one without a target");
}

#[test]
fn rejects_disproportionate_work() {
    let mut dump = dump(|writer| writer.push_words(RecordKind::MemSet, &[0x0400_0000, 1, u32::MAX]));
    let fill = dump.records[1];
    dump.records.resize(600, fill);
    let problem = dump.capture("test").expect_err("600 times all of VRAM");
    assert!(problem.to_string().starts_with("record 513: the CPU writes more than"), "{problem}");
    let mut dump = self::dump(|writer| writer.push_words(RecordKind::Registers, &[0; 0x10_0000]));
    let batch = dump.records[1];
    dump.records.resize(20, batch);
    let problem = dump.capture("test").expect_err("80 MiB of words").to_string();
    assert!(problem.ends_with("do not fit into the machine's memory"), "{problem}");
}

#[test]
fn later_init_restores_all_registers() {
    let dump = dump(|writer| {
        writer.push_words(RecordKind::Registers, &words(&[(Opcode::TEXENABLE, 1), (Opcode::FOGENABLE, 1)]));
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::FOGENABLE, 1));
        writer.push(RecordKind::Init, &save_context(&registers));
    });
    let registers = run(&mut capture(&dump)).registers;
    assert!(!registers.is_on(Opcode::TEXENABLE) && registers.is_on(Opcode::FOGENABLE), "as saved");
}

/// Collects a dump's notes, without their offset.
fn notes(dump: &Dump) -> Vec<String> {
    let (_, notes) = dump.capture_with_notes("test").expect("valid");
    assert!(notes.iter().all(|note| note.offset == Some(dump.records_offset())), "located at the records");
    notes.into_iter().map(|note| format!("{} {}", note.kind.code(), note.message)).collect()
}

#[test]
fn notes_what_records_lack_and_replays_leave_out() {
    let display = [0x0400_0000, 512, 3];
    let whole = dump(|writer| writer.push_words(RecordKind::Display, &display));
    assert_eq!(notes(&whole), Vec::<String>::new(), "nothing is missing");
    let odd = dump(|writer| {
        writer.push(RecordKind::Clut, &[1; 1040]);
        writer.push(RecordKind::MemCpyData, &[1; 8]);
        writer.push_words(RecordKind::MemSet, &[0x041F_FF00, 7, 0x180]);
        writer.push(RecordKind::Registers, &[0, 0, 0, 0x08, 1, 2]);
        writer.push(RecordKind::Init, &[0; 2048]);
        writer.push(RecordKind::Vertices, &[0; 4]);
    });
    let expected = [
        "left-out 1 CPU copies of 8 bytes are left out: the file does not record their destination",
        "left-out record 3: 1 CPU writes pass the end of VRAM: 128 bytes are left out",
        "left-out record 4: 1 records of commands end inside a word: 2 bytes are left out",
        "left-out record 1: 1 initial palettes are longer than palette memory: 16 bytes are left out",
        "left-out record 4: 1 commands like JUMP are left out: a recording has no control flow",
        "left-out record 6: no command uses the data of 1 records",
        "guessed no DISPLAY record: the framebuffer of the last registers is shown",
        "unusual record 5: 1 saved contexts in the form of old recorders: their matrices are read as floats",
    ];
    assert_eq!(notes(&odd), expected, "each in its order");
}

#[test]
fn notes_palettes_that_are_missing() {
    let draw = words(&[(Opcode::TEXENABLE, 1), (Opcode::TEXFORMAT, 4), (Opcode::PRIM, 1)]);
    let mut writer = DumpWriter::new(*b"TEST00001");
    writer.push_words(RecordKind::Registers, &draw);
    writer.push_words(RecordKind::Registers, &words(&[(Opcode::LOADCLUT, 1), (Opcode::PRIM, 1)]));
    writer.push_words(RecordKind::Display, &[0, 512, 3]);
    let expected = [
        "incomplete no INIT record: all registers are 0 at the start",
        "incomplete record 0: 1 draws look up a palette before any palette is recorded: its colours are 0",
    ];
    assert_eq!(notes(&writer.finish()), expected, "the first draw");
}

#[test]
fn recognises_dumps_by_content() {
    let bytes = everything().to_bytes();
    let opened = open(&Request::new("frame", &bytes)).expect("a dump");
    assert_eq!(opened.format.name(), "ppdmp", "recognised");
    assert!(matches!(opened.content, Content::Frame { .. }), "can be run");
}
