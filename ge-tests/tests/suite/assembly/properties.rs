//! Checks on generated inputs that the assembler and the disassembler reverse each other.

use std::collections::BTreeMap;

use ge_tests::snapshot;
use pspge::asm::text::describe;
use pspge::asm::{Image, Walk, assemble, disassemble, is_assembly, parse_command, walk};
use pspge::ge::address::Address;
use pspge::ge::command::Command;
use pspge::ge::opcode::Opcode;

/// Generates pseudorandom numbers (xorshift) from a fixed seed, so that every run tests the same inputs.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let [a, b, c, d, ..] = self.0.to_be_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    fn below(&mut self, end: u32) -> u32 {
        self.word() % end
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from.get(self.below(u32::try_from(from.len()).unwrap_or(1)) as usize).copied().unwrap_or_default()
    }

    /// Generates bytes for data directives: runs of equal values, random words and single bytes.
    fn bytes(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..self.below(12) {
            let count = self.below(120) as usize;
            match self.below(3) {
                0 => bytes.resize(bytes.len() + count, self.word().to_le_bytes()[0]),
                1 => (0..count).for_each(|_| bytes.extend(self.word().to_le_bytes())),
                _ => (0..count % 7).for_each(|_| bytes.push(self.word().to_le_bytes()[0])),
            }
        }
        bytes
    }
}

#[test]
fn described_commands_parse_back() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for opcode in Opcode::all() {
        let single_bits = (0..24).map(|bit| 1 << bit);
        let extremes =
            [0, 0xFF_FFFF, 0x80_0000, 0x7F_FFFF, 0x7F_8000, 0xFF_8000, 0x7F_8001, 0x7F_7FFF, 0x3F_8000];
        let noise: Vec<u32> = (0..200).map(|_| random.word()).collect();
        for argument in single_bits.chain(extremes).chain(noise) {
            let command = Command::new(opcode, argument);
            let text = describe(command).to_string();
            assert_eq!(parse_command(&text), Ok(command), "{text}");
        }
    }
}

/// Tries all 24-bit floats a step away from a round number or from their range's ends.
#[test]
fn described_floats_parse_back_exactly() {
    for high in 0..=0x1FFu32 {
        for low in [0, 1, 2, 0x3FFF, 0x4000, 0x7FFE, 0x7FFF] {
            let command = Command::new(Opcode::VIEWPORTXSCALE, high << 15 | low);
            let text = describe(command).to_string();
            assert_eq!(parse_command(&text), Ok(command), "{text}");
        }
    }
}

#[test]
fn disassembly_assembles_to_same_bytes() {
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    for round in 0..400u32 {
        let bytes = random.bytes();
        let base = Address::new(0x0880_0000 + random.below(64));
        let length = u32::try_from(bytes.len()).expect("a few kilobytes");
        let mut somewhere = || base.offset(random.below(length + 16)).offset(0xFFFF_FFF8);
        let lists = (0..round % 5).map(|_| somewhere()..somewhere()).collect();
        let targets = (0..round % 7).map(|_| (somewhere(), somewhere())).collect::<BTreeMap<_, _>>();
        let image = Image {
            base,
            bytes: &bytes,
            file_offset: u64::from(round),
            entry: (round % 2 == 0).then(&mut somewhere),
            stall: (round % 3 == 0).then(&mut somewhere),
            code: Walk { lists, targets, is_cut_short: false },
        };
        let text = disassemble(&image);
        let back = assemble(&text).and_then(|program| Ok(program.image()?));
        assert_eq!(back, Ok(bytes), "{text}");
        assert!(is_assembly(text.as_bytes()), "a disassembly is recognised as assembly");
    }
}

#[test]
fn disassembled_lists_assemble_to_same_bytes() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    // Flow commands are frequent here, and their targets near, because they decide how a list is walked.
    let flow = [8u32, 9, 10, 11, 12, 14, 15, 16, 19, 20, 1];
    for _ in 0..200 {
        let words = 1 + random.below(300);
        let mut bytes = Vec::new();
        for _ in 0..words {
            let word = match random.below(4) {
                0 => {
                    let opcode = flow.get(random.below(11) as usize).copied().unwrap_or(0);
                    let argument =
                        if opcode == 16 { 0x08_0000 } else { 0x80_0000 + random.below(words * 4 + 8) };
                    opcode << 24 | argument
                }
                _ => random.word(),
            };
            bytes.extend(word.to_le_bytes());
        }
        let base = Address::new(0x0880_0000);
        let image = Image::with_list(base, &bytes, base);
        let text = disassemble(&image);
        let program = assemble(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(program.entry, base, "{text}");
        assert_eq!(program.image(), Ok(bytes), "{text}");
    }
}

/// Nested branches in every state must not keep a walk busy for ever.
#[test]
fn walks_end_on_lists_with_nested_branches() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let words: Vec<u32> = (0..4096)
        .map(|_| match random.below(4) {
            0 => 0x0900_0000 | random.below(0x4000),
            1 => 0x0A00_0000 | random.below(0x4000),
            2 => 0x1300_0000 | random.below(4),
            _ => 0x0B00_0000,
        })
        .collect();
    let read = |at: Address| words.get(at.get() as usize / 4).copied();
    let found = walk(read, &[Address::new(0)], 0);
    assert!(found.is_cut_short, "far more states than steps");
    assert!(!found.lists.is_empty(), "lists found before the cut");
}

#[test]
fn assembler_never_panics_on_random_text() {
    const PIECES: [&str; 40] = [
        "PRIM",
        "VTYPE",
        "BASE",
        "WORLDMATRIXDATA",
        "END",
        "count",
        "=",
        "=",
        " ",
        " ",
        "\n",
        "|",
        ":",
        "start",
        ".",
        ".org",
        ".u8",
        ".fill",
        ".space",
        ".align",
        ".ascii",
        ".entry",
        ".set",
        ".rgba",
        ".f32",
        "lo(",
        "hi(",
        ")",
        "(",
        "-",
        "+",
        "*",
        "/",
        "#ff8000",
        "\"a\\x4",
        "\\é\"",
        "0x0fffffff",
        "1e38",
        "nan(0xffffffff)",
        ";",
    ];
    let mut random = Random(0xA076_1D64_78BD_642F);
    let mut well_formed = 0;
    for _ in 0..10_000 {
        let text: String = (0..random.below(12))
            .map(|_| {
                let noise = char::from_u32(random.below(0x500)).unwrap_or('?').to_string();
                if random.below(10) == 0 {
                    noise
                } else {
                    random.pick(&PIECES).to_owned() + random.pick(&[" ", ""])
                }
            })
            .collect();
        let _ = is_assembly(text.as_bytes());
        let _ = parse_command(&text);
        match assemble(&text) {
            Ok(program) => {
                well_formed += 1;
                assert!(program.segments.iter().all(|segment| !segment.bytes.is_empty()), "{text:?}");
            }
            Err(errors) => {
                let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
                for error in errors.iter() {
                    let line = error.location.as_ref().map_or(0, |place| place.line);
                    assert!((1..=lines.max(1) + 1).contains(&line), "{error} in {text:?}");
                    assert!(!error.to_string().is_empty(), "an error has a message");
                }
            }
        }
    }
    assert!(well_formed > 50, "some texts are valid");
}

/// This list has data between lists, a call, references and a signal.
#[test]
fn disassembly_matches_snapshot() {
    let source = "
        .org 0x08900000
        start:
            BASE hi(vertices)
            FRAMEBUFPTR 0 | FRAMEBUFWIDTH width=512 high=4 | FRAMEBUFPIXFORMAT ABGR8888
            SCISSOR1 | SCISSOR2 x=479 y=271
            CLEARMODE enabled=1 color=1 | CALL lo(draw) | CLEARMODE
            MATERIALAMBIENT #ff8000 | BLENDMODE source=SOURCE_ALPHA destination=ONE_MINUS_SOURCE_ALPHA
            WORLDMATRIXNUMBER 0 | WORLDMATRIXDATA 1 0.1 -2.5e-3
            SIGNAL behavior=RELATIVE_JUMP | END last-(.-4)
            .word 0xdeadbeef
        last: FINISH 7 | END
        .align 64
        draw:
            VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(vertices)
            PRIM primitive=RECTANGLES count=2 +0x800000 | RET
        vertices:
            .rgba #00000000 | .s16 0 0 0 0 | .rgba #00000000 | .s16 480 272 0 0
            .fill 50 0xaa | .ascii \"end\"";
    let program = assemble(source).expect("well-formed");
    let bytes = program.image().expect("small");
    let text = disassemble(&Image::with_list(program.entry, &bytes, program.entry));
    assert_eq!(assemble(&text).and_then(|program| Ok(program.image()?)), Ok(bytes), "round trip");
    snapshot::assert("disassembly", &text);
}
