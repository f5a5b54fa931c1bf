//! A host that replays a frame dump through the C interface, in pieces as an emulator would.

use std::path::Path;
use std::ptr::null_mut;

use pspge::ge::address::{RAM_BASE, RAM_SIZE_MAX, VRAM_BASE, VRAM_SIZE};
use pspge::ge::capture::Action;
use pspge::ge::registers::Matrix;
use pspge::run::replay;
use pspge::run::sink::Step;
use pspge::run::watch::{Outcome, RunEvent, RunEventKind, Watch};
use pspge::{Address, Capture, Limits, Memory, Opcode, Rasterizer, Registers, RunSpec};
use pspge_c::config::{Config, FLAG_REPORTS_CHANGES, Region};
use pspge_c::instance::{pspge_create, pspge_destroy};
use pspge_c::memory::pspge_write_memory;
use pspge_c::queue::{QueueAnswer, QueueCall, QueueProgress, pspge_queue_advance, pspge_queue_call};
use pspge_c::registers::{pspge_set_matrix, pspge_set_palette, pspge_set_registers};
use pspge_c::run::{
    NO_STALL, RUN_KEEP_PENDING, RunEnding, RunOptions, RunResult, pspge_flush, pspge_flush_range,
    pspge_resume, pspge_run, pspge_set_stall,
};
use pspge_c::saved::{pspge_restore_context, pspge_save_context};
use pspge_c::{Pspge, Status};

/// How many stalls lie between two contexts or reads.
const STALLS_PER_EVENT: usize = 16;
/// Where the queue's second list is.
const SECOND_LIST: u32 = 0x0C00_0000;

/// An action by the CPU at a stall.
#[derive(Debug)]
enum Deed {
    Write(u32, Vec<u8>),
    Palette(Box<[u8; 1024]>),
    Registers(Box<Registers>),
    Translate(u32),
}

/// Records the CPU's actions in a replay, and which words are executed.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    /// How many commands come before each deed, with the deed.
    deeds: Vec<(usize, Deed)>,
    words: Vec<u32>,
    palette: Option<Box<[u8; 1024]>>,
    /// The bytes in place before the CPU writes, to notice writes that change nothing.
    before: Vec<u8>,
}

impl Watch<Rasterizer> for Recorder {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> std::ops::ControlFlow<()> {
        self.words.push(step.at.get());
        std::ops::ControlFlow::Continue(())
    }

    fn before(&mut self, _: &mut Rasterizer, memory: &mut Memory, event: &RunEvent<'_>) {
        let RunEventKind::Cpu { event, .. } = event.kind else { return };
        if let Some((to, length)) = event.action.written() {
            self.before.resize(length as usize, 0);
            memory.read(to, &mut self.before);
        }
    }

    fn after(&mut self, _: &mut Rasterizer, memory: &mut Memory, event: &RunEvent<'_>, _: Outcome) {
        let RunEventKind::Cpu { event, .. } = event.kind else { return };
        let deed = match &event.action {
            Action::Restore(registers) => Deed::Registers(registers.clone()),
            Action::Translate(translation) => Deed::Translate(translation.mode()),
            Action::LoadPalette { from, .. } => {
                let mut palette = self.palette.take().unwrap_or_else(|| Box::new([0; 1024]));
                memory.read(*from, &mut palette[..]);
                Deed::Palette(palette)
            }
            action => {
                let Some((to, length)) = action.written() else { return };
                let mut bytes = vec![0; length as usize];
                memory.read(to, &mut bytes);
                // Recorders repeat buffers and textures before each draw, which no program does.
                if bytes == self.before {
                    return;
                }
                Deed::Write(to.get(), bytes)
            }
        };
        self.deeds.push((self.words.len(), deed));
    }

    fn reads_memory(&self) -> bool {
        true
    }
}

/// How a host runs a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pieces {
    Whole,
    Stalls,
    Contexts,
    Reads,
    Queue,
}

pub(crate) const PIECES: [(Pieces, &str); 5] = [
    (Pieces::Whole, "whole"),
    (Pieces::Stalls, "stalls"),
    (Pieces::Contexts, "contexts"),
    (Pieces::Reads, "reads"),
    (Pieces::Queue, "queue"),
];

#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) capture: Capture,
    pub(crate) recorder: Recorder,
    /// VRAM after the replay.
    pub(crate) expected: Vec<u8>,
}

/// A host: its memory and an instance.
#[derive(Debug)]
pub(crate) struct Host {
    ram: *mut [u8],
    vram: *mut [u8],
    extra: *mut [u8],
    pub(crate) instance: *mut Pspge,
}

pub(crate) fn check(status: Status, name: &str) {
    assert_eq!(status, Status::Ok, "{name}");
}

impl Host {
    pub(crate) fn new() -> Self {
        let block = |size: usize| Box::into_raw(vec![0_u8; size].into_boxed_slice());
        let (ram, vram) = (block(RAM_SIZE_MAX as usize), block(VRAM_SIZE as usize));
        Self { ram, vram, extra: block(4096), instance: null_mut() }
    }

    /// Resets memory and registers to a frame's start, with a new instance.
    pub(crate) fn prepare(&mut self, frame: &Frame, threads: u32) {
        let Capture { memory, registers, .. } = &frame.capture;
        let regions = [Region { address: SECOND_LIST, bytes: self.extra.cast(), size: 4096 }];
        let config = Config {
            ram: self.ram.cast(),
            ram_size: RAM_SIZE_MAX as usize,
            vram: self.vram.cast(),
            vram_size: VRAM_SIZE as usize,
            regions: regions.as_ptr(),
            region_count: 1,
            threads,
            flags: FLAG_REPORTS_CHANGES,
            ..Config::default()
        };
        let ram = memory.slice(Address::new(RAM_BASE), RAM_SIZE_MAX as usize).expect("64 MiB of RAM");
        // SAFETY: no call is at work; the memory lives as long as the host.
        unsafe {
            (&mut *self.ram).copy_from_slice(ram);
            (&mut *self.vram).copy_from_slice(memory.vram());
            for (word, at) in [0_u32, 0x0F00_0000, 0x0C00_0000].into_iter().zip((0..).step_by(4)) {
                (&mut *self.extra)[at..at + 4].copy_from_slice(&word.to_le_bytes());
            }
            check(pspge_destroy(self.instance), "destroy");
            check(pspge_create(&raw const config, &raw mut self.instance, null_mut()), "create");
        }
        self.set_registers(registers);
    }

    fn set_registers(&self, registers: &Registers) {
        let words: Vec<u32> = Opcode::all().map(|opcode| registers.command(opcode).word()).collect();
        // SAFETY: the instance lives, and each pointer leads to as many words as its function names.
        unsafe {
            check(pspge_set_registers(self.instance, words.as_ptr()), "registers");
            for (number, matrix) in (0..).zip(Matrix::ALL) {
                let elements: Vec<u32> = registers.matrix(matrix).iter().map(|bits| bits.to_bits()).collect();
                check(pspge_set_matrix(self.instance, number, elements.as_ptr(), elements.len()), "matrix");
            }
            check(pspge_set_palette(self.instance, registers.clut().as_ptr()), "palette");
        }
    }

    /// Returns bytes as the host sees them, if they are in RAM or in the linear view of VRAM.
    pub(crate) fn bytes(&self, address: u32, size: usize) -> Option<&[u8]> {
        let (block, start) = match address {
            RAM_BASE.. => (self.ram, address - RAM_BASE),
            VRAM_BASE.. => (self.vram, address - VRAM_BASE),
            _ => return None,
        };
        // SAFETY: no call is at work while the slice is used.
        unsafe { &*block }.get(start as usize..)?.get(..size)
    }

    fn act(&self, deed: &Deed) {
        match deed {
            Deed::Write(to, bytes) => {
                // SAFETY: the instance lives.
                let status = unsafe { pspge_write_memory(self.instance, *to, bytes.as_ptr(), bytes.len()) };
                check(status, "write");
            }
            Deed::Palette(bytes) => {
                // SAFETY: the instance lives, and the palette has its 1024 bytes.
                check(unsafe { pspge_set_palette(self.instance, bytes.as_ptr()) }, "palette");
            }
            Deed::Registers(registers) => self.set_registers(registers),
            Deed::Translate(mode) => {
                // SAFETY: the instance lives.
                let status = unsafe { pspge_c::flow::pspge_set_edram_translation(self.instance, *mode) };
                check(status, "translation");
            }
        }
    }

    /// Interrupts the list, as a host does every few stalls.
    fn interrupt(&self, pieces: Pieces) {
        let mut words = [0; 512];
        // SAFETY: the instance lives; a context has 512 words.
        unsafe {
            match pieces {
                Pieces::Contexts => {
                    check(pspge_save_context(self.instance, words.as_mut_ptr()), "save");
                    check(pspge_restore_context(self.instance, words.as_ptr()), "restore");
                }
                Pieces::Reads => {
                    check(pspge_flush_range(self.instance, VRAM_BASE, 4096), "flush");
                    let read =
                        self.bytes(VRAM_BASE, 4096).map(|bytes| bytes.iter().map(|byte| u64::from(*byte)));
                    std::hint::black_box(read.map(Iterator::sum::<u64>));
                }
                Pieces::Whole | Pieces::Stalls | Pieces::Queue => {}
            }
        }
    }

    /// Runs the list up to a stall address, and returns how many commands it executed.
    fn run(&self, start: Option<u32>, stall: u32, most: u64) -> (usize, bool) {
        let options = RunOptions {
            struct_size: size_of::<RunOptions>(),
            max_commands: most,
            flags: RUN_KEEP_PENDING,
            ..RunOptions::default()
        };
        let mut result = RunResult::default();
        // SAFETY: the instance lives.
        unsafe {
            check(pspge_set_stall(self.instance, stall), "stall");
            let status = match start {
                Some(start) => pspge_run(self.instance, start, &raw const options, &raw mut result),
                None => pspge_resume(self.instance, &raw const options, &raw mut result),
            };
            check(status, "run");
        }
        let goes_on = matches!(result.ending, RunEnding::Stalled | RunEnding::Budget);
        (usize::try_from(result.commands).expect("a small number"), goes_on)
    }

    fn advance(&self, list: u32, stall: u32, cycles: u64) -> (usize, bool) {
        let options = RunOptions {
            struct_size: size_of::<RunOptions>(),
            flags: RUN_KEEP_PENDING,
            ..RunOptions::default()
        };
        let mut progress = QueueProgress::default();
        self.queue_call(QueueCall::ListUpdateStallAddr, [list, stall, 0, 0]);
        // SAFETY: the instance lives.
        let status =
            unsafe { pspge_queue_advance(self.instance, cycles, &raw const options, &raw mut progress) };
        check(status, "advance");
        (usize::try_from(progress.cycles).expect("a small number"), true)
    }

    fn queue_call(&self, call: QueueCall, arguments: [u32; 4]) -> u32 {
        let mut answer = QueueAnswer::default();
        // SAFETY: the instance lives, and there are four arguments.
        let status =
            unsafe { pspge_queue_call(self.instance, call as u32, arguments.as_ptr(), &raw mut answer) };
        check(status, "queue");
        answer.value
    }

    pub(crate) fn replay(&self, frame: &Frame, pieces: Pieces, every: usize) {
        let Recorder { deeds, words, .. } = &frame.recorder;
        let start = frame.capture.start.get();
        let mut list = 0;
        if pieces == Pieces::Queue {
            // Both lists wait at their first word.
            list = self.queue_call(QueueCall::ListEnQueue, [start, start, u32::MAX, 0]);
            self.queue_call(QueueCall::ListEnQueue, [SECOND_LIST, 0, u32::MAX, 0]);
        }
        let mut deeds = deeds.iter().peekable();
        let (mut done, mut stalls) = (0, 0);
        loop {
            while let Some((_, deed)) = deeds.next_if(|(before, _)| *before <= done) {
                self.act(deed);
            }
            let due = deeds.peek().map_or(usize::MAX, |(before, _)| *before);
            let next = if pieces == Pieces::Whole { due } else { due.min(done + every) };
            let stall = words.get(next).copied();
            let mut goes_on = true;
            // A loop may come to the stall address too early; the host then lets a command pass.
            while goes_on && (done < next || stall.is_none()) {
                let is_there = done > 0 && stall.is_some() && words.get(done).copied() == stall;
                let (stall, most) = if is_there { (None, 1) } else { (stall, 0) };
                let (count, more) = if pieces == Pieces::Queue {
                    self.advance(list, stall.unwrap_or(0), if most == 0 { u64::MAX } else { most })
                } else {
                    self.run((done == 0).then_some(start), stall.unwrap_or(NO_STALL), most)
                };
                done += count;
                goes_on = count > 0 && (more && stall.is_some() || most == 1);
            }
            if !goes_on || stall.is_none() {
                break;
            }
            stalls += 1;
            if stalls % STALLS_PER_EVENT == 0 {
                self.interrupt(pieces);
            }
        }
        // SAFETY: the instance lives.
        check(unsafe { pspge_flush(self.instance) }, "flush");
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // SAFETY: nobody uses the instance or the memory any more.
        unsafe {
            check(pspge_destroy(self.instance), "destroy");
            for block in [self.ram, self.vram, self.extra] {
                drop(Box::from_raw(block));
            }
        }
    }
}

/// Opens a dump and records its replay.
pub(crate) fn open(path: &Path) -> Option<Frame> {
    let bytes = std::fs::read(path).expect("a dump that can be read");
    let asset = pspge::open(&path.to_string_lossy(), &bytes).expect("a dump");
    let shot = asset.shot(&RunSpec::default()).expect("a frame");
    let capture = shot.capture.clone();
    let (mut memory, mut recorder) = (capture.memory.clone(), Recorder::default());
    let arithmetic = pspge::Arithmetic::Hardware;
    let sink = &mut Rasterizer::default();
    replay::run_on(&mut memory, &capture, arithmetic, sink, &mut recorder, &Limits::none());
    (!recorder.words.is_empty()).then(|| Frame { capture, recorder, expected: memory.vram().to_vec() })
}
