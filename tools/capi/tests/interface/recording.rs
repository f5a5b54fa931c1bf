//! Records hosts' draws, replays the dumps, and compares VRAM.

use std::ptr::{null, null_mut};

use pspge::ge::capture::Display;
use pspge::run::replay;
use pspge::run::sink::NullObserver;
use pspge::{Arithmetic, Limits, Memory, Opcode, Rasterizer, RunSpec};
use pspge_c::Status;
use pspge_c::config::FLAG_REPORTS_CHANGES;
use pspge_c::flow::{pspge_get_edram_translation, pspge_set_edram_translation};
use pspge_c::instance::pspge_reset;
use pspge_c::memory::{pspge_memory_changed, pspge_write_memory};
use pspge_c::queue::{QueueAnswer, QueueCall, QueueProgress, pspge_queue_advance, pspge_queue_call};
use pspge_c::recording::{RecordOptions, pspge_record_begin, pspge_record_end, pspge_record_frame};
use pspge_c::registers::{pspge_get_palette, pspge_set_palette, pspge_write_register};
use pspge_c::run::{
    NO_STALL, RUN_KEEP_PENDING, RUN_NO_DRAWING, RunEnding, RunOptions, RunResult, pspge_execute, pspge_flush,
    pspge_resume, pspge_run, pspge_set_stall,
};
use pspge_c::saved::{pspge_restore_context, pspge_save_context};
use pspge_c::target::Target;

use crate::host::{Host, LIST, VRAM, empty_result, options, restore, save};
use crate::script::{LISTS, List, Random, fill_data, written_data};

/// Ends a recording, asking for its size first.
pub(crate) fn end(host: &Host) -> Vec<u8> {
    let mut size = 0;
    // SAFETY: the instance lives.
    let status = unsafe { pspge_record_end(host.instance, null_mut(), 0, &raw mut size, null_mut()) };
    assert_eq!(status, Status::BufferTooSmall, "{}", host.error());
    let mut bytes = vec![0; size];
    let mut is_exact = 2;
    // SAFETY: the instance lives, and the buffer has this size.
    let status = unsafe {
        pspge_record_end(host.instance, bytes.as_mut_ptr(), size, &raw mut size, &raw mut is_exact)
    };
    assert_eq!((status, size, is_exact), (Status::Ok, bytes.len(), 1), "{}", host.error());
    bytes
}

pub(crate) fn begin(host: &Host, options: &RecordOptions) -> Status {
    let options = RecordOptions { struct_size: size_of::<RecordOptions>(), ..*options };
    // SAFETY: the instance lives.
    unsafe { pspge_record_begin(host.instance, &raw const options) }
}

/// Replays a dump alone. Returns memory, and the buffer it shows.
pub(crate) fn replayed(dump: &[u8]) -> (Memory, Option<Display>) {
    let asset = pspge::open("recorded.ppdmp", dump).expect("a dump");
    let shot = asset.shot(&RunSpec::default()).expect("a frame");
    let (mut memory, sink) = (shot.capture.memory.clone(), &mut Rasterizer::default());
    let watch = &mut NullObserver;
    let replayed =
        replay::run_on(&mut memory, &shot.capture, Arithmetic::Hardware, sink, watch, &Limits::none());
    (memory, replayed.display)
}

/// Returns the first offset in VRAM where the host differs.
fn difference(host: &Host, memory: &Memory) -> Option<usize> {
    // Equal bytes are compared at once, because looking at each is slow without optimisation.
    let differs = host.vram() != memory.vram();
    differs.then(|| host.vram().iter().zip(memory.vram()).position(|(host, replay)| host != replay)).flatten()
}

/// A host that acts at random.
struct Scripted {
    host: Host,
    random: Random,
    next_list: usize,
    saved: Option<Vec<u8>>,
}

impl Scripted {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let (flags, threads) = (random.below(2) * FLAG_REPORTS_CHANGES, random.below(2) * 2);
        let host = Host::with_threads(LIST, flags, threads);
        fill_data(&mut random, host.ram());
        Self { host, random, next_list: LISTS, saved: None }
    }

    /// Stores words, and returns their address.
    fn store(&mut self, words: &[u32]) -> u32 {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        if self.next_list + bytes.len() > 0x2_0000 {
            self.next_list = LISTS;
        }
        let start = self.next_list;
        self.host.ram()[start..start + bytes.len()].copy_from_slice(&bytes);
        self.changed(start, bytes.len());
        self.next_list += bytes.len();
        0x0800_0000 + u32::try_from(start).expect("an offset")
    }

    fn changed(&self, start: usize, size: usize) {
        let [start, size] = [start, size].map(|number| u32::try_from(number).expect("a small number"));
        // SAFETY: the instance lives.
        let status = unsafe { pspge_memory_changed(self.host.instance, 0x0800_0000 + start, size) };
        assert_eq!(status, Status::Ok, "{}", self.host.error());
    }

    /// Writes to main RAM, sometimes to VRAM, to registers, palette memory or the translation.
    fn act(&mut self) {
        let (host, random) = (&self.host, &mut self.random);
        let instance = host.instance;
        match random.below(12) {
            0..=4 => {
                let (start, size) = written_data(random);
                let value = random.below(72).to_le_bytes()[0];
                for byte in host.ram()[start..start + size].iter_mut().step_by(2) {
                    *byte = value.wrapping_add(*byte) % 72;
                }
                self.changed(start, size);
            }
            5 | 6 => {
                let bytes: Vec<u8> =
                    (0..1 + random.below(3000)).map(|number| number.to_le_bytes()[0]).collect();
                let at = VRAM + random.below(0x1_2000);
                // SAFETY: the instance lives.
                let status = unsafe { pspge_write_memory(instance, at, bytes.as_ptr(), bytes.len()) };
                assert_eq!(status, Status::Ok, "{}", host.error());
            }
            7 => {
                let word = [0x2100_0001, 0x1E00_0001, 0x2300_0000, 0xC900_0101][random.below(4) as usize];
                // SAFETY: the instance lives.
                assert_eq!(unsafe { pspge_write_register(instance, word) }, Status::Ok, "a register");
            }
            8 => {
                let mut palette = [0; 1024];
                // SAFETY: the instance lives, and there are 1024 bytes.
                unsafe {
                    assert_eq!(pspge_get_palette(instance, palette.as_mut_ptr()), Status::Ok, "palette");
                    palette[random.below(1024) as usize] ^= 0x5A;
                    assert_eq!(pspge_set_palette(instance, palette.as_ptr()), Status::Ok, "palette");
                }
            }
            9 => {
                let mut words = [0; 512];
                // SAFETY: the instance lives, and there are 512 words.
                unsafe {
                    assert_eq!(pspge_save_context(instance, words.as_mut_ptr()), Status::Ok, "context");
                    assert_eq!(pspge_restore_context(instance, words.as_ptr()), Status::Ok, "context");
                }
            }
            10 => match self.saved.take() {
                None => self.saved = Some(save(host)),
                Some(saved) => restore(host, &saved),
            },
            _ => {
                let mut mode = 0;
                // SAFETY: the instance lives.
                unsafe {
                    pspge_get_edram_translation(instance, &raw mut mode);
                    let next = if mode == 0x400 { 0x800 } else { 0x400 };
                    assert_eq!(pspge_set_edram_translation(instance, next), Status::Ok, "translation");
                }
            }
        }
    }

    /// Runs a list in a random way that the interface offers, and acts in between.
    fn run_list(&mut self) {
        let count = 4 + self.random.below(24);
        let mut list = List::default();
        list.add(&mut self.random, count);
        list.finish();
        let start = self.store(&list.words);
        match self.random.below(10) {
            0 => {
                for word in list.words {
                    // SAFETY: the instance lives.
                    let status = unsafe { pspge_execute(self.host.instance, word, null_mut()) };
                    assert_eq!(status, Status::Ok, "{}", self.host.error());
                }
                // SAFETY: the instance lives.
                assert_eq!(unsafe { pspge_flush(self.host.instance) }, Status::Ok, "flush");
            }
            1 => self.run_queue(start),
            2 => {
                self.run(Some(start), NO_STALL, &RunOptions { flags: RUN_NO_DRAWING, ..options() });
            }
            3 => {
                let options = RunOptions { max_pixels: 200, ..options() };
                let mut result = self.run(Some(start), NO_STALL, &options);
                let mut parts = 0;
                while result.ending == RunEnding::Limit && parts < 200 {
                    parts += 1;
                    result = self.run(None, NO_STALL, &options);
                }
            }
            _ => self.run_in_parts(start, list.words.len()),
        }
    }

    fn run(&self, start: Option<u32>, stall: u32, options: &RunOptions) -> RunResult {
        let mut result = empty_result();
        let instance = self.host.instance;
        // SAFETY: the instance lives.
        unsafe {
            assert_eq!(pspge_set_stall(instance, stall), Status::Ok, "stall");
            let status = match start {
                Some(start) => pspge_run(instance, start, options, &raw mut result),
                None => pspge_resume(instance, options, &raw mut result),
            };
            assert_eq!(status, Status::Ok, "{}", self.host.error());
        }
        result
    }

    fn run_in_parts(&mut self, start: u32, words: usize) {
        let flags = self.random.below(2) * RUN_KEEP_PENDING;
        let words = u32::try_from(words).expect("a small list");
        let mut at = 0;
        loop {
            let next = at + 1 + self.random.below(words);
            let stall = if next >= words { NO_STALL } else { start + next * 4 };
            let first = (at == 0).then_some(start);
            let result = self.run(first, stall, &RunOptions { flags, ..options() });
            if result.ending != RunEnding::Stalled {
                break;
            }
            at = next;
            // SAFETY: the instance lives. The host may write to VRAM only if no draw is pending.
            assert_eq!(unsafe { pspge_flush(self.host.instance) }, Status::Ok, "flush");
            // Acting could restore a state saved in another list, which would lead back there.
            if self.saved.is_none() {
                self.act();
                self.saved = None;
            }
        }
        // SAFETY: the instance lives.
        assert_eq!(unsafe { pspge_flush(self.host.instance) }, Status::Ok, "flush");
    }

    fn run_queue(&mut self, start: u32) {
        let (mut answer, mut progress) = (QueueAnswer::default(), QueueProgress::default());
        // There is no callback, and the list restores a context in main RAM at its end.
        let arguments_at = 0x0806_0000_u32;
        let words = [12_u32, 0x0806_0100];
        for (word, place) in words.into_iter().zip((0x6_0000..).step_by(4)) {
            self.host.ram()[place..place + 4].copy_from_slice(&word.to_le_bytes());
        }
        let with_context = self.random.below(2) * arguments_at;
        let arguments = [start, 0, u32::MAX, with_context];
        let number = QueueCall::ListEnQueue as u32;
        // SAFETY: the instance lives, and there are four arguments.
        unsafe {
            let status = pspge_queue_call(self.host.instance, number, arguments.as_ptr(), &raw mut answer);
            assert_eq!(status, Status::Ok, "{}", self.host.error());
            assert!(answer.value >> 31 == 0, "the list is refused: {:x}", answer.value);
            let status = pspge_queue_advance(self.host.instance, 10_000, null(), &raw mut progress);
            assert_eq!(status, Status::Ok, "{}", self.host.error());
        }
    }
}

/// Records a random host from the middle of its life, and replays the dump.
fn check_seed(seed: u64) {
    let mut scripted = Scripted::new(seed);
    let mut first = List::with_state();
    first.add(&mut scripted.random, 12);
    first.finish();
    let start = scripted.store(&first.words);
    scripted.run(Some(start), NO_STALL, &options());
    assert_eq!(begin(&scripted.host, &RecordOptions::default()), Status::Ok, "{}", scripted.host.error());
    for _ in 0..3 + scripted.random.below(5) {
        if scripted.random.below(3) == 0 {
            scripted.act();
        }
        if scripted.random.below(40) == 0 {
            // SAFETY: the instance lives.
            assert_eq!(unsafe { pspge_reset(scripted.host.instance) }, Status::Ok, "reset");
            let mut list = List::with_state();
            list.finish();
            let start = scripted.store(&list.words);
            scripted.run(Some(start), NO_STALL, &options());
        }
        scripted.run_list();
    }
    let dump = end(&scripted.host);
    let (memory, _) = replayed(&dump);
    assert_eq!(difference(&scripted.host, &memory), None, "the first byte that differs with seed {seed}");
}

#[test]
#[cfg_attr(miri, ignore = "slow: large draws")]
fn recordings_replay_to_the_same_vram() {
    for seed in 1..=100 {
        check_seed(seed);
    }
}

#[test]
#[cfg_attr(miri, ignore = "slow: compares and packs all of VRAM")]
fn frames_end_when_a_buffer_is_shown() {
    let host = Host::new(LIST, 0);
    let two = RecordOptions { frames: 2, game_id: *b"TEST00001\0\0\0\0\0\0\0", ..RecordOptions::default() };
    assert_eq!(begin(&host, &two), Status::Ok, "{}", host.error());
    assert_eq!(begin(&host, &two), Status::BadArgument, "one at a time");
    let shown = Target { address: 0x0408_8000, stride: 512, format: 3 };
    let mut is_over = 9;
    for frame in 0..2 {
        assert_eq!(host.run(&options()).ending, RunEnding::Finished, "a frame");
        // SAFETY: the instance lives.
        let status = unsafe { pspge_record_frame(host.instance, &raw const shown, &raw mut is_over) };
        assert_eq!((status, is_over), (Status::Ok, frame), "{}", host.error());
    }
    let green = [0, 255, 0, 255];
    // Anything after the last frame is not recorded.
    host.vram()[..4].copy_from_slice(&green);
    let dump = end(&host);
    assert_eq!(&dump[12..21], b"TEST00001", "the id of the program");
    let (memory, display) = replayed(&dump);
    assert_eq!(memory.vram()[..4], [255, 0, 0, 0], "the last frame");
    assert_eq!(display.map(|shown| shown.address.get()), Some(0x0408_8000), "the buffer on the screen");
    let mut size = 0;
    // SAFETY: the instance lives.
    let status = unsafe { pspge_record_end(host.instance, null_mut(), 0, &raw mut size, null_mut()) };
    assert_eq!((status, host.error().as_str()), (Status::BadArgument, "no recording is under way"), "gone");
}

#[test]
#[cfg_attr(miri, ignore = "slow: compares and packs all of VRAM")]
fn large_recordings_are_given_up() {
    let host = Host::new(LIST, 0);
    host.vram()[..0x2000].fill(7);
    let small = RecordOptions { max_bytes: 0x1000, ..RecordOptions::default() };
    assert_eq!(begin(&host, &small), Status::Ok, "{}", host.error());
    assert_eq!(host.run(&options()).ending, RunEnding::Finished, "the host draws as ever");
    assert_eq!(host.pixel(3, 3), [255, 0, 0, 7], "a pixel, whose stencil stays");
    let mut size = 0;
    // SAFETY: the instance lives.
    let status = unsafe { pspge_record_end(host.instance, null_mut(), 0, &raw mut size, null_mut()) };
    assert_eq!(status, Status::NoAnswer, "{}", host.error());
    assert!(host.error().contains("4096 bytes"), "{}", host.error());
    let unknown = RecordOptions { game_id: [200; 16], ..RecordOptions::default() };
    assert_eq!(begin(&host, &unknown), Status::BadArgument, "not an id");
}

/// Unfinished strips, attributes of the last vertex and immediate vertices come from before the recording.
#[test]
#[cfg_attr(miri, ignore = "slow: compares and packs all of VRAM")]
fn recordings_begin_with_what_draws_hand_on() {
    for immediate in [false, true] {
        let host = Host::new(LIST, 0);
        let scripted = &mut Scripted { host, random: Random(77), next_list: LISTS, saved: None };
        fill_data(&mut scripted.random, scripted.host.ram());
        let mut list = List::with_state();
        let corner = |list: &mut List, x: u32, y: u32, primitive: u32| {
            list.push(Opcode::VTYPE, 0);
            list.push(Opcode::VSCX, 2048 * 16 + x * 16);
            list.push(Opcode::VSCY, 2048 * 16 + y * 16);
            list.push(Opcode::VCV, 0x00FF_00FF);
            list.push(Opcode::VAP, 0xFF | primitive << 8);
        };
        let vertices = |list: &mut List, offset: u32| {
            list.push(Opcode::VTYPE, 1 << 23 | 2 << 7);
            list.push(Opcode::BASE, 0x08_0000);
            list.push(Opcode::VADDR, 0x04_0000 + offset);
        };
        if immediate {
            corner(&mut list, 1, 1, 3);
            corner(&mut list, 60, 1, 7);
        } else {
            vertices(&mut list, 0);
            list.push(Opcode::PRIM, 4 << 16 | 2);
        }
        list.finish();
        let start = scripted.store(&list.words);
        scripted.run(Some(start), NO_STALL, &options());
        assert_eq!(begin(&scripted.host, &RecordOptions::default()), Status::Ok, "{}", scripted.host.error());
        let before = scripted.host.vram().to_vec();
        let mut list = List::default();
        if immediate {
            corner(&mut list, 1, 60, 7);
        } else {
            vertices(&mut list, 120);
            list.push(Opcode::PRIM, 7 << 16 | 1);
        }
        list.finish();
        let start = scripted.store(&list.words);
        scripted.run(Some(start), NO_STALL, &options());
        assert!(scripted.host.vram() != before, "a triangle is completed");
        let (memory, _) = replayed(&end(&scripted.host));
        assert_eq!(difference(&scripted.host, &memory), None, "immediate: {immediate}");
    }
}
