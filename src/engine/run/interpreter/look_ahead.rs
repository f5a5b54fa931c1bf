//! Looks ahead in the list to find which state the next draw takes over from the current draw.
//!
//! A CONTINUE uses the last vertices of the draw before it, and that draw's registers. Vertices without normals or
//! texture coordinates use those read last. Few lists do this, but to be prepared for it, each draw would have to
//! decode vertices and copy all registers. To avoid this cost, the interpreter reads the words up to the next draw,
//! and keeps only data for which that draw has a use.
//!
//! # Invariants
//! An answer other than [`Needs::Everything`] is certain. All words between the two draws are in RAM and only write
//! registers, so the run cannot stop and memory cannot change before the next draw.

use super::{Interpreter, ListRun, flow};
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View;
use crate::ge::registers::flow::Base;
use crate::ge::registers::vertex::{ComponentFormat, Prim, PrimitiveType, VertexType};
use crate::pipeline::vertex::MAX_VERTEX_BYTES;

/// How much of this draw's state to keep for the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs {
    Nothing,
    /// The last vertex's normal and texture coordinates.
    LastAttributes,
    Everything,
}

/// The highest cost a draw's vertices can have: 65,535 vertices with eight morph frames and eight weights each.
const MAX_DRAW_COST: u64 = 0xFFFF * 16;
#[expect(clippy::cast_possible_truncation, reason = "544 bytes")]
const VERTEX_BYTES: u32 = MAX_VERTEX_BYTES as u32;
/// How many words to read ahead. Games write fewer between two draws, unless they upload bones.
const MAX_WORDS: u32 = 256;

/// The state to locate the next draw's vertices, and their type.
struct NextDraw {
    vertex_type: VertexType,
    vertices: Address,
    base: Base,
    offset: u32,
}

impl ListRun<'_> {
    /// Finds the data to keep for the next draw. This PRIM draws `count` vertices with `vertex_bytes` each. Call
    /// this after its costs are charged and before its pointers advance, because the answer depends on both.
    pub(super) fn needs_of_next_draw(&self, count: u32, vertex_bytes: u32) -> Needs {
        self.find_needs(count, vertex_bytes).unwrap_or(Needs::Everything)
    }

    /// Returns `None` if the words ahead are not enough to be certain.
    fn find_needs(&self, count: u32, vertex_bytes: u32) -> Option<Needs> {
        // With a time limit, the run may end after any draw. If a host sends single commands, the list does not
        // tell which comes next.
        if self.limits.time.is_some() || !self.follows_list {
            return None;
        }
        let Self { state, memory, limits, report, .. } = self;
        let Interpreter { registers, flow, overrides, .. } = &**state;
        let own: VertexType = registers.get();
        if own.reads_vram(flow.vertices, flow.indices) || flow.pc.is_vram() || !overrides.is_empty() {
            return None;
        }
        let mut next = NextDraw {
            vertex_type: own,
            vertices: state.advanced(count, vertex_bytes).0,
            base: registers.get(),
            offset: flow.offset,
        };
        // Do not read beyond the stall address, the command limit, or the watcher's next stop, because the run may
        // end there.
        let until_limit =
            limits.commands.saturating_sub(report.commands).min(self.host.undisturbed_commands());
        let until_stall = flow.stall.map_or(u32::MAX, |stall| stall.get().wrapping_sub(flow.pc.get()) / 4);
        let words = u64::from(MAX_WORDS.min(until_stall)).min(until_limit);
        let words = u32::try_from(words).ok()?;
        let bytes = memory.slice(flow.pc, words.saturating_mul(4) as usize)?;
        for (word, at) in bytes.as_chunks::<4>().0.iter().zip((flow.pc.get()..).step_by(4)) {
            let command = Command::from_word(u32::from_le_bytes(*word));
            match command.opcode() {
                Opcode::PRIM => {
                    let Prim { primitive, count } = View::from_argument(command.argument());
                    if count == 0 {
                        continue;
                    }
                    // If the next draw did not take place, a later CONTINUE could still need this draw's state. So
                    // this requires that no limit and no missing memory can prevent it.
                    let is_certain = primitive != PrimitiveType::CONTINUE
                        && report.draws.saturating_add(1) < limits.draws
                        && report.vertex_cost.saturating_add(MAX_DRAW_COST) <= limits.vertices
                        && memory.is_mapped(next.vertices, VERTEX_BYTES);
                    return is_certain.then(|| next.needs_after(own));
                }
                opcode if is_plain(opcode) => next.apply(command, Address::new(at)),
                _ => return None,
            }
        }
        None
    }
}

impl NextDraw {
    /// Follows a command that only writes its register.
    fn apply(&mut self, command: Command, at: Address) {
        let argument = command.argument();
        match command.opcode() {
            Opcode::VTYPE => self.vertex_type = View::from_argument(argument),
            Opcode::BASE => self.base = View::from_argument(argument),
            Opcode::OFFSETADDR => self.offset = argument << 8,
            Opcode::ORIGIN => self.offset = at.get(),
            Opcode::VADDR => self.vertices = flow::relative(self.offset, self.base, argument),
            _ => {}
        }
    }

    /// Returns the data to keep from a draw with the `earlier` vertex type. If both types lack an attribute, its
    /// last value does not change.
    fn needs_after(&self, earlier: VertexType) -> Needs {
        let lacks = |earlier, next| next == ComponentFormat::NONE && earlier != ComponentFormat::NONE;
        let takes = lacks(earlier.texcoord, self.vertex_type.texcoord)
            || lacks(earlier.normal, self.vertex_type.normal);
        if takes { Needs::LastAttributes } else { Needs::Nothing }
    }
}

/// Whether a command only writes its register, or an address that [`NextDraw::apply`] follows. Such commands cannot
/// end the run.
const fn is_plain(opcode: Opcode) -> bool {
    !matches!(
        opcode,
        Opcode::PRIM
            | Opcode::BEZIER
            | Opcode::SPLINE
            | Opcode::VAP
            | Opcode::BBOX
            | Opcode::JUMP
            | Opcode::BJUMP
            | Opcode::CALL
            | Opcode::RET
            | Opcode::SIGNAL
            | Opcode::FINISH
            | Opcode::END
            | Opcode::LOADCLUT
            | Opcode::TRANSFERSTART
    )
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use std::ops::ControlFlow;

    use crate::ge::address::Address;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::command::Command;
    use crate::ge::limits::{Limit, Limits};
    use crate::ge::memory::Memory;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;
    use crate::pipeline::draw::{Draw, ImmediateDraw};
    use crate::run::interpreter::{Ending, Interpreter};
    use crate::run::sink::{NullObserver, Sink, Step};
    use crate::run::watch::Watch;

    const LIST: Address = Address::new(0x0880_0000);
    const WORDS: u32 = 400;

    /// Everything that a draw can see of earlier draws.
    #[derive(Default)]
    struct Seen {
        draws: Vec<String>,
        continued: usize,
    }

    impl Sink for Seen {
        fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
            let vertices: Vec<_> = draw.raw_vertices(memory).collect();
            let registers = draw.carried_vertices().iter().map(|carried| &carried.registers);
            self.continued += registers.len();
            let registers: Vec<_> = registers.collect();
            self.draws.push(format!(
                "{} {:?} {vertices:?} {registers:?}",
                draw.number,
                draw.effective_primitive()
            ));
        }

        fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
            self.draws.push(format!("{} immediate", draw.number));
        }

        fn flush(&mut self, _: &mut Memory) {}
    }

    /// Returns the next number of a pseudorandom sequence, below `end`.
    fn random(seed: &mut u32, end: u32) -> u32 {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (*seed >> 8) % end
    }

    /// Builds a list of draws, and of commands that could change which state a draw hands on.
    fn memory(seed: &mut u32) -> Memory {
        let mut memory = Memory::default();
        for (at, bytes) in [(0x0890_0000, 0x2000), (0x0400_0000, 0x2000)] {
            let noise: Vec<u8> = (0..bytes).map(|_| random(seed, 256).to_le_bytes()[0]).collect();
            memory.write(Address::new(at), &noise);
        }
        for number in 0..WORDS - 2 {
            let (opcode, argument) = match random(seed, 24) {
                0..7 => (Opcode::PRIM, random(seed, 8) << 16 | random(seed, 6)),
                7 => (Opcode::PRIM, 7 << 16 | random(seed, 6)),
                8..12 => {
                    let [texcoord, normal] = [random(seed, 4), random(seed, 4) << 5];
                    (Opcode::VTYPE, texcoord | normal | random(seed, 3) << 7 | random(seed, 2) << 11 | 1 << 7)
                }
                12 | 13 => (Opcode::VADDR, [0x90_0000, 0, 0x90_1000][random(seed, 3) as usize]),
                14 => (Opcode::IADDR, 0x90_0800),
                15 | 16 => (Opcode::BASE, [8, 8, 4, 0xF][random(seed, 4) as usize] << 16),
                17 => (Opcode::OFFSETADDR, random(seed, 2) << 8),
                18 => (Opcode::WORLDMATRIXDATA, random(seed, 1 << 24)),
                19 => (Opcode::MATERIALAMBIENT, random(seed, 1 << 24)),
                20 => (Opcode::VAP, random(seed, 7) << 8),
                21 => (Opcode::TRANSFERSTART, 0),
                22 => (Opcode::LOADCLUT, 1),
                _ => (Opcode::BBOX, random(seed, 3)),
            };
            memory.write_u32(LIST.offset(number * 4), Command::new(opcode, argument).word());
        }
        for (number, opcode) in [(WORDS - 2, Opcode::FINISH), (WORDS - 1, Opcode::END)] {
            memory.write_u32(LIST.offset(number * 4), Command::new(opcode, 0).word());
        }
        memory
    }

    /// Stops a run now and then.
    struct Budget {
        left: u64,
        each: u64,
        /// Whether it tells the interpreter when.
        tells: bool,
    }

    impl Watch<Seen> for Budget {
        fn command(&mut self, _: &Memory, _: &Step<'_>) -> ControlFlow<()> {
            match self.left.checked_sub(1) {
                Some(left) => self.left = left,
                None => {
                    self.left = self.each;
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        }

        fn undisturbed_commands(&self) -> u64 {
            if self.tells { self.left } else { 0 }
        }
    }

    /// Runs a list, resuming it after each stall or stop. Returns the draws and the states at all ends.
    fn run(seed: u32, limits: &Limits, stalls: bool, watch: &mut impl Watch<Seen>) -> (Seen, Vec<String>) {
        let mut seed = seed;
        let mut memory = memory(&mut seed);
        let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
        let (mut seen, mut states) = (Seen::default(), Vec::new());
        let mut at = stalls.then(|| random(&mut seed, 20));
        interpreter.set_stall(at.map(|word| LIST.offset(word * 4)));
        let mut ending = interpreter.run(&mut memory, LIST, &mut seen, watch, limits).ending;
        loop {
            states.push(format!("{ending:?} {:?}", interpreter.save()));
            if ending == Ending::Stopped {
                ending = interpreter.resume(&mut memory, &mut seen, watch, limits).ending;
                continue;
            }
            if ending != Ending::Stalled {
                return (seen, states);
            }
            at = at.map(|word| word + 1 + random(&mut seed, 20)).filter(|word| *word < WORDS);
            interpreter.set_stall(at.map(|word| LIST.offset(word * 4)));
            ending = interpreter.resume(&mut memory, &mut seen, watch, limits).ending;
        }
    }

    /// A host's own commands may differ from the list at the program counter.
    #[test]
    fn commands_of_a_host_do_not_follow_the_list() {
        let mut memory = memory(&mut 1);
        memory.write_u32(LIST, Command::new(Opcode::PRIM, 1).word());
        let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
        let (mut seen, limits) = (Seen::default(), Limits::default());
        interpreter.set_stall(Some(LIST));
        let report = interpreter.run(&mut memory, LIST, &mut seen, &mut NullObserver, &limits);
        assert_eq!(report.ending, Ending::Stalled, "before the first word");
        for (opcode, argument) in [
            (Opcode::BASE, 8 << 16),
            (Opcode::VADDR, 0x90_0000),
            (Opcode::VTYPE, 2 << 7),
            (Opcode::PRIM, 4 << 16 | 3),
            (Opcode::PRIM, 7 << 16 | 1),
        ] {
            interpreter.set_stall(None);
            let command = Command::new(opcode, argument);
            interpreter.execute(&mut memory, command, &mut seen, &mut NullObserver, &limits);
        }
        assert_eq!((seen.draws.len(), seen.continued), (2, 2), "{:?}", seen.draws);
    }

    /// A watcher that may stop the run makes every draw hand on everything.
    #[test]
    fn draws_and_states_are_as_if_everything_was_handed_on() {
        let mut continued = 0;
        for seed in 0..300 {
            let limits = match seed % 4 {
                0 => Limits::default(),
                1 => Limits::default().with(Limit::Draws, u64::from(seed / 4)),
                2 => Limits::default().with(Limit::Vertices, u64::from(seed) * 2),
                _ => Limits::default().with(Limit::Commands, u64::from(seed)),
            };
            let stalls = seed % 3 == 0;
            let stops = &mut |_: &Memory, _: &Step<'_>| ControlFlow::Continue(());
            let expected = run(seed, &limits, stalls, stops);
            let found = run(seed, &limits, stalls, &mut NullObserver);
            assert_eq!(found.0.draws, expected.0.draws, "draws of list {seed}");
            assert_eq!(found.1, expected.1, "states of list {seed}");
            let stopped = |tells| {
                let budget = &mut Budget { left: seed.into(), each: u64::from(seed % 40) + 1, tells };
                run(seed, &limits, stalls, budget)
            };
            let (expected, found) = (stopped(false), stopped(true));
            assert_eq!(found.0.draws, expected.0.draws, "draws of list {seed}, stopped");
            assert_eq!(found.1, expected.1, "states of list {seed}, stopped");
            continued += expected.0.continued;
        }
        assert!(continued > 100, "{continued} vertices continued");
    }
}
