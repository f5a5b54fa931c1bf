//! Runs random programs: no call may panic or hang, and the result must not depend on how often the host lets the GE
//! run.

use ge_tests::generate::Random;
use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::limits::Limit;
use pspge::ge::memory::Memory;
use pspge::ge::registers::Registers;
use pspge::queue::{
    CallbackFunctions, ListId, ListRequest, Machine, Progress, Queue, Stop, Sync, Wait, WaitBan,
};
use pspge::run::interpreter::{Interpreter, Limits, SavedState};
use pspge::run::sink::{NullObserver, NullSink};

/// Memory for lists, arguments, contexts and stacks.
const MEMORY: u32 = 0x08A0_0000;
/// Words per list.
const WORDS: u32 = 96;
/// Addresses for arguments, a context and stacks.
const ARGS: u32 = MEMORY + 0x1000;
const CONTEXT: u32 = MEMORY + 0x2000;
const STACK: u32 = MEMORY + 0x3000;
/// Stops lists that jump in circles. Other lists need fewer commands.
const CYCLES: u64 = 1_000_000;
/// Stops callbacks that call each other forever.
const CALLBACKS: usize = 20;

/// Everything that a program can observe: answers, callbacks and memory.
#[derive(Debug, PartialEq)]
struct Outcome {
    log: Vec<String>,
    queue: Queue,
    state: SavedState,
    words: Vec<u32>,
}

#[derive(Debug)]
struct Program {
    random: Random,
    queue: Queue,
    interpreter: Interpreter,
    memory: Memory,
    limits: Limits,
    /// How many cycles the GE runs at a time.
    slice: u64,
    ids: Vec<u32>,
    waits: Vec<Wait>,
    log: Vec<String>,
}

impl Program {
    /// Runs a program, with this many cycles in each slice.
    fn run(seed: u64, slice: u64) -> Outcome {
        let mut program = Self {
            random: Random::new(seed),
            queue: Queue::new(),
            interpreter: Interpreter::new(Registers::new(), Arithmetic::Hardware),
            memory: Memory::default(),
            limits: Limits::default().with(Limit::Commands, 2000),
            slice,
            ids: vec![0, 9999],
            waits: Vec::new(),
            log: Vec::new(),
        };
        let version = program.random.pick(&[0, 0x0200_0000, 0x0200_0010, 0x0660_0010]);
        program.queue.set_sdk_version(version);
        program.write_lists();
        for _ in 0..60 {
            program.call();
            program.settle();
        }
        program.finish()
    }

    /// Writes lists that jump into each other.
    fn write_lists(&mut self) {
        for number in 0..WORDS {
            let word = self.word();
            self.memory.write_u32(Address::new(MEMORY + number * 4), word);
        }
        for (number, word) in (0..).zip([16, CONTEXT, self.random.below(4), STACK]) {
            self.memory.write_u32(Address::new(ARGS + number * 4), word);
        }
    }

    fn word(&mut self) -> u32 {
        let target = self.random.below(WORDS) * 4;
        let value = self.random.bits() & 0xFF;
        match self.random.below(16) {
            0..=2 => 0x0C00_0000 | value,
            3 | 4 => 0x0F00_0000 | value,
            5..=7 => {
                let behavior = self.random.pick(&[
                    1, 1, 2, 2, 3, 3, 8, 8, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x20, 0x38, 0xF0, 0xEE,
                ]);
                0x0E00_0000 | behavior << 16 | value
            }
            8 => 0x0800_0000 | target,
            9 => 0x0A00_0000 | target,
            10 => 0x0B00_0000,
            11 => 0x1008_0000,
            12 => 0x13A0_0000 | value,
            13 => 0x5C00_0000 | value,
            _ => 0,
        }
    }

    fn address(&mut self) -> u32 {
        let place = MEMORY + self.random.below(WORDS) * 4;
        self.random.pick(&[
            place,
            place,
            place,
            place,
            place | 0x4000_0000,
            place + 1,
            0,
            self.random.clone().bits(),
        ])
    }

    /// Makes a call and notes its result.
    fn call(&mut self) {
        let (address, id, number) =
            (self.address(), ListId(self.random.pick(&self.ids.clone())), self.random.below(3));
        let request = ListRequest {
            list: address,
            stall: self.random.pick(&[0, 0, 0, address, address.wrapping_add(16), number]),
            callback: self.random.pick(&[-1, 0, 0, 1, 99]),
            args: self.random.pick(&[0, 0, ARGS, address]),
        };
        let kind = self.random.below(20);
        let pointer = self.random.pick(&[CONTEXT, ARGS, 0, 1, 0xFFFF_FFFF]);
        let Self { queue, interpreter, memory, limits, .. } = self;
        let machine =
            &mut Machine { interpreter, memory, sink: &mut NullSink, watch: &mut NullObserver, limits };
        let text = match kind {
            0..=6 => {
                let enqueued = if kind < 5 {
                    queue.enqueue(machine, &request)
                } else {
                    queue.enqueue_head(machine, &request)
                };
                self.ids.extend(enqueued.iter().map(|id| id.0));
                format!("{enqueued:?}")
            }
            7 => format!("{:?}", queue.dequeue(id)),
            8..=10 => format!("{:?}", queue.update_stall(machine, id, request.stall)),
            11 | 12 => {
                let sync = if kind == 11 {
                    queue.list_sync(machine, id, number)
                } else {
                    queue.draw_sync(machine, number)
                };
                if let Ok(Sync::Wait(wait)) = sync {
                    self.waits.push(wait);
                }
                format!("{sync:?}")
            }
            13 => format!("{:?}", queue.break_list(machine, number / 2, pointer & 0x8000_0000)),
            14 | 15 => format!("{:?}", queue.continue_list(machine)),
            16 => format!("{:?} {:?}", queue.save_context(machine, pointer), queue.get_cmd(machine, 0x5C)),
            17 => format!("{:?}", queue.restore_context(machine, pointer)),
            18 => {
                let functions =
                    CallbackFunctions { signal: 1, finish: number, ..CallbackFunctions::default() };
                format!("{:?}", queue.set_callback(functions))
            }
            _ => {
                queue.set_may_wait(if number == 0 { Err(WaitBan::Disabled) } else { Ok(()) });
                format!(
                    "{:?} {:?}",
                    queue.unset_callback(number as i32 * 9),
                    queue.get_stack(machine, number as i32, pointer)
                )
            }
        };
        self.log.push(format!("{kind} {request:x?}: {text}"));
        let active: Vec<_> = self.queue.active().collect();
        assert!(active.len() <= pspge::queue::LISTS, "no more lists than entries");
        assert!(
            active.iter().enumerate().all(|(at, id)| !active[..at].contains(id)),
            "each list is active once"
        );
    }

    /// Runs the GE until it is idle, and makes the calls requested by callbacks.
    fn settle(&mut self) {
        let mut progress = self.advance(false);
        let mut callbacks = 0;
        while let Stop::Callback(callback) = progress.stop {
            self.log.push(format!("{callback:x?}"));
            // A callback starts late on purpose, because the GE runs on meanwhile.
            self.advance(false);
            callbacks += 1;
            if callbacks < CALLBACKS {
                for _ in 0..self.random.below(3) {
                    self.call();
                    self.advance(false);
                }
            }
            progress = self.advance(true);
        }
        let Self { queue, waits, .. } = self;
        waits.retain(|wait| !queue.is_over(*wait));
        self.log.push(format!("{:?} {:?}", progress.stop, self.waits));
    }

    /// Runs the GE in slices to its next stop.
    fn advance(&mut self, mut has_returned: bool) -> Progress {
        let mut total = 0;
        loop {
            let Self { queue, interpreter, memory, limits, .. } = self;
            let machine =
                &mut Machine { interpreter, memory, sink: &mut NullSink, watch: &mut NullObserver, limits };
            let progress = if std::mem::take(&mut has_returned) {
                queue.callback_returned(machine, self.slice)
            } else {
                queue.advance(machine, self.slice)
            };
            total += progress.cycles;
            assert!(
                progress.cycles <= self.slice && total < CYCLES,
                "no more cycles than given: {progress:?}"
            );
            if progress.stop != Stop::Cycles {
                return progress;
            }
        }
    }

    fn finish(self) -> Outcome {
        let word = |number: u32| self.memory.read_u32(Address::new(MEMORY + number * 4));
        Outcome {
            words: (0..0x1000).map(word).collect(),
            log: self.log,
            queue: self.queue,
            state: self.interpreter.save(),
        }
    }
}

#[test]
fn random_programs_end_and_do_not_depend_on_slices() {
    let programs = if ge_tests::long_checks::are_wanted() { 5000 } else { 500 };
    for seed in 0..programs {
        let whole = Program::run(seed, CYCLES);
        for slice in [1, 7] {
            let sliced = Program::run(seed, slice);
            let first = whole.log.iter().zip(&sliced.log).find(|(whole, sliced)| whole != sliced);
            assert_eq!(first, None, "program {seed} in slices of {slice}");
            assert!(whole == sliced, "program {seed} in slices of {slice} leaves another state");
        }
    }
}
