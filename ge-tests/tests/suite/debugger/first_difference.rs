//! Puts wrong rules into a copy of the rasterizer. Two runs must then differ first at the first draw spoilt by such a
//! rule.
//!
//! To run these tests, set `PSPGE_CORPUS`. Without it they print a message and pass.

use std::sync::atomic::{AtomicUsize, Ordering};

use ge_tests::damage::count_parallel;
use ge_tests::{corpus, frames, input};
use pspge::debug::diff::first_difference::{Side, first_difference};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::command::Command;
use pspge::ge::limits::Limits;
use pspge::ge::memory::Memory;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::Registers;
use pspge::pipeline::draw::{Draw, ImmediateDraw};
use pspge::raster::Rasterizer;
use pspge::run::replay;
use pspge::run::sink::{NullObserver, Sink};

/// A renderer's mistake, made by other registers: the opcode, and its argument under the wrong rule.
type WrongRule = (&'static str, Opcode, fn(u32) -> u32);

/// Ten mistakes made by real renderers.
const RULES: [WrongRule; 10] = [
    ("alpha test: greater instead of greater or equal", Opcode::ALPHATEST, |test| {
        if test & 7 == 7 { test & !7 | 6 } else { test }
    }),
    ("depth test: less instead of less or equal, and the reverse", Opcode::ZTEST, |test| match test & 7 {
        5 => test & !7 | 4,
        7 => test & !7 | 6,
        _ => test,
    }),
    ("fog is left out", Opcode::FOGENABLE, |_| 0),
    ("dithering is left out", Opcode::DITHERENABLE, |_| 0),
    ("depth is written even if its writes are off", Opcode::ZWRITEDISABLE, |_| 0),
    ("textures are not filtered", Opcode::TEXFILTER, |_| 0),
    ("the last column of the scissor is left out", Opcode::SCISSOR2, |corner| corner.wrapping_sub(1)),
    ("the texture function does not double", Opcode::TEXFUNC, |function| function & !0x1_0000),
    ("blending is left out", Opcode::BLENDENABLE, |_| 0),
    ("the other face is culled", Opcode::CULL, |cull| cull ^ 1),
];

/// The largest dump whose VRAM to sum after each draw, because without optimisation this takes minutes.
const DRAWS_MAX: usize = if cfg!(debug_assertions) { 50 } else { 250 };

/// A rasterizer with a wrong rule, to note VRAM's content after each draw.
struct WrongRasterizer {
    inner: Rasterizer,
    rule: Option<WrongRule>,
    /// A checksum over VRAM after each draw; `None` if nobody needs it. It uses instructions for checksums, so it
    /// takes a tenth of a hash's time.
    hashes: Option<Vec<u32>>,
}

impl WrongRasterizer {
    fn new(rule: Option<WrongRule>, hashes: bool) -> Self {
        Self { inner: Rasterizer::default(), rule, hashes: hashes.then(Vec::new) }
    }

    fn registers(&self, registers: &Registers) -> Registers {
        let mut changed = registers.clone();
        let Some((_, opcode, wrong)) = self.rule else { return changed };
        changed.write(Command::new(opcode, wrong(registers.argument(opcode)) & 0xFF_FFFF));
        changed
    }

    fn hash(&mut self, memory: &mut Memory) {
        if let Some(hashes) = &mut self.hashes {
            self.inner.flush(memory);
            hashes.push(crc32fast::hash(memory.vram()));
        }
    }
}

impl Sink for WrongRasterizer {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let registers = self.registers(draw.registers);
        self.inner.draw(memory, &Draw { registers: &registers, ..*draw });
        self.hash(memory);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        let registers = self.registers(draw.registers);
        self.inner.draw_immediate(memory, &ImmediateDraw { registers: &registers, ..draw.clone() });
        self.hash(memory);
    }

    pspge::run::sink::forward_flushes!(inner);
    pspge::run::sink::forward_limits!(inner);
}

/// Hashes VRAM after each draw.
fn hashes(capture: &Capture, rule: Option<WrongRule>) -> Vec<u32> {
    let mut sink = WrongRasterizer::new(rule, true);
    let limits = Limits::default();
    replay::run(&mut capture.clone(), Arithmetic::Hardware, &mut sink, &mut NullObserver, &limits);
    sink.hashes.unwrap_or_default()
}

#[test]
fn wrong_rules_are_found_at_their_first_draw() {
    let folder = corpus::folder("frames");
    let dumps: Vec<_> = folder.iter().flat_map(|folder| frames::dumps(folder)).collect();
    if dumps.is_empty() {
        return;
    }
    let found: [AtomicUsize; RULES.len()] = Default::default();
    count_parallel(dumps.len(), |number| {
        let (name, path) = &dumps[number];
        let (capture, _) = input::frame_dump(&path.display().to_string(), &input::read(path));
        let right = hashes(&capture, None);
        if right.len() > DRAWS_MAX {
            return false;
        }
        for (rule, found) in RULES.into_iter().zip(&found) {
            let wrong = hashes(&capture, Some(rule));
            let expected = right.iter().zip(&wrong).position(|(right, wrong)| right != wrong);
            let (mut exact, mut spoilt) =
                (WrongRasterizer::new(None, false), WrongRasterizer::new(Some(rule), false));
            let difference = first_difference(
                Side { capture: (*capture).clone(), arithmetic: Arithmetic::Hardware, sink: &mut exact },
                Side { capture: (*capture).clone(), arithmetic: Arithmetic::Hardware, sink: &mut spoilt },
                &Limits::default(),
            );
            let draw = difference.as_ref().and_then(|difference| {
                let [event, _] = &difference.events;
                event.as_ref()?.draw_number()
            });
            assert_eq!(draw, expected.map(|draw| draw as u64), "{name}: {}: {difference:?}", rule.0);
            assert!(difference.is_none_or(|difference| difference.byte_count > 0), "{name}: bytes differ");
            found.fetch_add(usize::from(expected.is_some()), Ordering::Relaxed);
        }
        true
    });
    for (rule, found) in RULES.iter().zip(found) {
        // Small dumps do not show all rules.
        assert!(found.into_inner() > 0 || cfg!(debug_assertions), "{}: no dump shows it", rule.0);
    }
}
