//! Finds a list's commands by following it without executing it, to tell commands from data.
//!
//! # Invariants
//! A walk always ends: it reads at most [`STEPS_MAX`] words and visits at most [`STATES_MAX`] states. It follows
//! both ways of a conditional jump.
//!
//! Source: [relative addresses](crate::reference::ge::lists#relative-addresses), [jumps and
//! calls](crate::reference::ge::lists#jumps-and-calls), [SIGNAL](crate::reference::ge::lists#signal).

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::rc::Rc;

use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View;
use crate::ge::registers::flow::{Signal, SignalBehavior};

/// How many words a walk reads before it gives up.
#[doc(hidden)]
pub const STEPS_MAX: usize = 1 << 22;
/// How many states (jump target, BASE, offset, call stack) a walk visits before it gives up.
#[doc(hidden)]
pub const STATES_MAX: usize = 1 << 18;
/// After this many zero words (NOP) in a row, the walk takes memory for empty and stops.
const NOP_RUN_MAX: u32 = 1024;
/// How deep the call stack may be, which is unknown for the hardware. Source:
/// `reference/ge/lists.md#jumps-and-calls`.
const STACK_DEPTH: u32 = 32;

/// The result of a walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// Ranges of commands, sorted by address, without overlap.
    pub lists: Vec<Range<Address>>,
    /// The address a command refers to, by the command's own address, to label it. This has entries for VADDR,
    /// IADDR, JUMP, BJUMP, CALL, and the END of a jump or call signal. A command is absent if it refers to different
    /// addresses on different paths.
    pub targets: BTreeMap<Address, Address>,
    /// Whether the walk gave up before it had seen everything.
    pub is_cut_short: bool,
}

/// Follows the lists that start at `entries`. `base` is the BASE argument to start with.
///
/// `read` returns the word at a multiple of 4, or `None` to end the path there.
#[doc(hidden)]
pub fn walk(read: impl Fn(Address) -> Option<u32>, entries: &[Address], base: u32) -> Walk {
    let mut walker = Walker {
        read,
        paths: Vec::new(),
        visited: HashSet::new(),
        ranges: Vec::new(),
        targets: BTreeMap::new(),
        steps: 0,
    };
    for entry in entries {
        let path = Path { pc: entry.align_down(4), base, offset: 0, skips_finish: false, calls: None };
        walker.branch(path);
    }
    while let Some(path) = walker.paths.pop() {
        walker.follow(path);
    }
    let is_cut_short = walker.is_exhausted();
    if is_cut_short {
        tracing::warn!(target: "pspge::asm::walk", words = walker.steps, states = walker.visited.len(), "walk gave up");
    }
    tracing::debug!(target: "pspge::asm::walk", words = walker.steps, targets = walker.targets.len(), "walk ended");
    Walk {
        lists: merge_ranges(walker.ranges),
        targets: walker.targets.into_iter().filter_map(|(at, target)| Some((at, target?))).collect(),
        is_cut_short,
    }
}

/// The state for RET to restore. Only calls by signal save BASE.
#[derive(Clone, Copy, Debug, Hash)]
struct StackFrame {
    pc: Address,
    offset: u32,
    base: Option<u32>,
}

/// The call stack, as a linked list so that paths can share its lower frames.
#[derive(Debug)]
struct CallStack {
    top: StackFrame,
    below: Option<Rc<Self>>,
    depth: u32,
    /// Hash over the whole stack, to compare states quickly.
    hash: u64,
}

/// A path through the lists, with the state at its current command.
#[derive(Clone, Debug)]
struct Path {
    pc: Address,
    base: u32,
    offset: u32,
    /// Whether the next FINISH does not end the list, because a SYNC signal was executed.
    skips_finish: bool,
    calls: Option<Rc<CallStack>>,
}

/// Where to go on after a command.
enum Successor {
    /// The next word.
    Word,
    /// The word at the path's new address.
    Jump,
    /// The path ends.
    Stop,
}

impl Path {
    const fn relative(&self, argument: u32) -> Address {
        let low = ((self.base & 0x000F_0000) << 8) | argument;
        Address::new(self.offset.wrapping_add(low))
    }

    /// Hashes this state to 64 bits, to remember it in little memory. Collisions are too rare to matter.
    fn fingerprint(&self) -> u64 {
        let calls = self.calls.as_ref().map(|calls| calls.hash);
        hash((self.pc, self.base, self.offset, self.skips_finish, calls))
    }

    fn call(&mut self, base: Option<u32>, target: Address) -> Successor {
        let top = StackFrame { pc: self.pc.offset(4), offset: self.offset, base };
        let below = self.calls.as_ref();
        let depth = below.map_or(0, |calls| calls.depth).saturating_add(1);
        // If the stack is full, the call is ignored.
        if depth > STACK_DEPTH {
            return Successor::Word;
        }
        let hash = hash((top, below.map(|calls| calls.hash)));
        self.calls = Some(Rc::new(CallStack { top, below: self.calls.take(), depth, hash }));
        self.pc = target;
        Successor::Jump
    }

    fn ret(&mut self) -> Successor {
        let Some(calls) = self.calls.take() else { return Successor::Word };
        self.pc = calls.top.pc;
        self.offset = calls.top.offset;
        self.base = calls.top.base.unwrap_or(self.base);
        self.calls.clone_from(&calls.below);
        Successor::Jump
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

struct Walker<R> {
    read: R,
    /// Paths still to follow.
    paths: Vec<Path>,
    /// Fingerprints for all states after a jump, to follow each only once.
    visited: HashSet<u64>,
    ranges: Vec<Range<Address>>,
    targets: BTreeMap<Address, Option<Address>>,
    steps: usize,
}

impl<R: Fn(Address) -> Option<u32>> Walker<R> {
    /// Records a path's state. Returns false if this state was visited before.
    fn mark_visited(&mut self, path: &Path) -> bool {
        self.visited.insert(path.fingerprint())
    }

    fn is_exhausted(&self) -> bool {
        self.steps >= STEPS_MAX || self.visited.len() >= STATES_MAX
    }

    fn branch(&mut self, path: Path) {
        if self.mark_visited(&path) {
            self.paths.push(path);
        }
    }

    fn add_target(&mut self, at: Address, target: Address) {
        let known = self.targets.entry(at).or_insert(Some(target));
        if *known != Some(target) {
            *known = None;
        }
    }

    /// Follows a path to its end, or to a state visited before.
    fn follow(&mut self, mut path: Path) {
        let mut start = path.pc;
        let mut nop_run = 0_u32;
        while !self.is_exhausted() {
            let Some(word) = (self.read)(path.pc) else { break };
            self.steps = self.steps.saturating_add(1);
            nop_run = if word == 0 { nop_run.saturating_add(1) } else { 0 };
            if nop_run >= NOP_RUN_MAX {
                // The preceding zero words are left out too, because they do not belong to the list.
                path.pc = Address::new(path.pc.get().saturating_sub((NOP_RUN_MAX - 1) * 4));
                break;
            }
            let at = path.pc;
            match self.step(&mut path, Command::from_word(word)) {
                Successor::Word => {
                    // If the next address is lower, it has wrapped around.
                    path.pc = at.offset(4);
                    if path.pc < at {
                        break;
                    }
                }
                next => {
                    self.add_range(start..at.offset(4));
                    if matches!(next, Successor::Stop) || !self.mark_visited(&path) {
                        return;
                    }
                    start = path.pc;
                    nop_run = 0;
                }
            }
        }
        self.add_range(start..path.pc);
    }

    fn add_range(&mut self, range: Range<Address>) {
        if !range.is_empty() {
            self.ranges.push(range);
        }
    }

    fn step(&mut self, path: &mut Path, command: Command) -> Successor {
        let argument = command.argument();
        match command.opcode() {
            Opcode::BASE => path.base = argument,
            Opcode::OFFSETADDR => path.offset = argument << 8,
            Opcode::ORIGIN => path.offset = path.pc.get(),
            Opcode::VADDR | Opcode::IADDR => self.add_target(path.pc, path.relative(argument)),
            opcode @ (Opcode::JUMP | Opcode::BJUMP | Opcode::CALL) => {
                let target = path.relative(argument & !3);
                self.add_target(path.pc, target);
                let target = target.align_down(4);
                if opcode == Opcode::CALL {
                    return path.call(None, target);
                }
                // A walk does not know which way this goes, so it follows both.
                if opcode == Opcode::BJUMP {
                    self.branch(Path { pc: target, ..path.clone() });
                    return Successor::Word;
                }
                path.pc = target;
                return Successor::Jump;
            }
            Opcode::RET => return path.ret(),
            Opcode::END => return self.end(path, command),
            _ => {}
        }
        Successor::Word
    }

    /// Executes END, whose meaning depends on the word before. Source: `reference/ge/lists.md#end`.
    fn end(&mut self, path: &mut Path, end: Command) -> Successor {
        let at = Address::new(path.pc.get().wrapping_sub(4));
        let before = (self.read)(at).map(Command::from_word).unwrap_or_default();
        match before.opcode() {
            Opcode::FINISH if path.skips_finish => path.skips_finish = false,
            Opcode::FINISH => return Successor::Stop,
            Opcode::SIGNAL => return self.signal(path, Signal::from_argument(before.argument()), end),
            _ => {}
        }
        Successor::Word
    }

    fn signal(&mut self, path: &mut Path, signal: Signal, end: Command) -> Successor {
        let value = (u32::from(signal.value) << 16) | (end.argument() & 0xFFFF);
        let from = match signal.behavior {
            SignalBehavior::SYNC => {
                path.skips_finish = true;
                return Successor::Word;
            }
            SignalBehavior::RET => return path.ret(),
            SignalBehavior::JUMP | SignalBehavior::CALL => 0,
            SignalBehavior::RELATIVE_JUMP | SignalBehavior::RELATIVE_CALL => path.pc.get().wrapping_sub(4),
            SignalBehavior::OFFSET_JUMP | SignalBehavior::OFFSET_CALL => path.offset,
            _ => return Successor::Word,
        };
        let target = Address::new(from.wrapping_add(value & !3)).align_down(4);
        self.add_target(path.pc, target);
        let calls = [SignalBehavior::CALL, SignalBehavior::RELATIVE_CALL, SignalBehavior::OFFSET_CALL];
        if calls.contains(&signal.behavior) {
            return path.call(Some(path.base), target);
        }
        path.pc = target;
        Successor::Jump
    }
}

/// Sorts ranges and merges those that overlap or touch.
fn merge_ranges(mut ranges: Vec<Range<Address>>) -> Vec<Range<Address>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<Address>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::asm::assemble;

    /// A walk's result, with label names for addresses.
    struct Found {
        lists: Vec<(String, String)>,
        targets: Vec<String>,
        is_cut_short: bool,
    }

    fn walk_text(text: &str) -> Found {
        let program = assemble(text).unwrap_or_else(|error| panic!("{error}"));
        let name = |address: Address| {
            let found = program.symbols.iter().find(|(_, at)| **at == address);
            found.map_or_else(|| address.to_string(), |(name, _)| name.clone())
        };
        let memory = program.capture().memory;
        let length = program.segments.iter().map(|segment| segment.bytes.len()).sum::<usize>();
        let end = program.base().offset(u32::try_from(length).unwrap_or(0));
        let walk = walk(|at| (at < end).then(|| memory.read_u32(at)), &[program.entry], 0);
        Found {
            lists: walk.lists.iter().map(|list| (name(list.start), name(list.end))).collect(),
            targets: walk.targets.values().map(|target| name(*target)).collect(),
            is_cut_short: walk.is_cut_short,
        }
    }

    fn pairs<const N: usize>(pairs: [(&str, &str); N]) -> Vec<(String, String)> {
        pairs.map(|(start, end)| (start.to_owned(), end.to_owned())).to_vec()
    }

    #[test]
    fn follows_calls_and_jumps() {
        let found = walk_text(
            "start: BASE hi(sub) | CALL lo(sub) | CALL lo(sub) | JUMP lo(last)
             a: .word 1 2 3
             sub: VADDR lo(a) | RET
             sub_end: .word 4
             last: BJUMP lo(far) | FINISH | END
             last_end: .word 5
             far: FINISH | END
             far_end:",
        );
        let expected = pairs([("start", "a"), ("sub", "sub_end"), ("last", "last_end"), ("far", "far_end")]);
        assert_eq!(found.lists, expected, "code, not data");
        assert_eq!(
            found.targets,
            ["sub", "sub", "last", "a", "far"],
            "targets in the order of their commands"
        );
        assert!(!found.is_cut_short, "the walk saw everything");
    }

    #[test]
    fn resolves_origin_and_offset() {
        let found = walk_text(
            "start: ORIGIN | JUMP next-start
             .word 9
             next: OFFSETADDR 0x88000 | VADDR 0 | JUMP last-start
             .word 9
             last: FINISH | END",
        );
        assert_eq!(
            found.targets,
            ["next", "start", "last"],
            "relative to ORIGIN, then to the offset register"
        );
    }

    #[test]
    fn follows_signals() {
        let found = walk_text(
            "start: SIGNAL behavior=SYNC | END | FINISH | END
             SIGNAL behavior=CALL value=sub/65536 | END lo(sub)-0x800000
             here: SIGNAL behavior=RELATIVE_JUMP | END far-here
             gap: .word 9
             sub: SIGNAL behavior=RET | END
             gap2: .word 9
             far: FINISH | END
             far_end:",
        );
        let expected = pairs([("start", "gap"), ("sub", "gap2"), ("far", "far_end")]);
        assert_eq!(found.lists, expected, "followed through signals");
    }

    #[test]
    fn ends_at_loops_and_in_zeroed_memory() {
        let found = walk_text("start: ORIGIN | JUMP 0 | end:");
        assert_eq!(found.lists, pairs([("start", "end")]), "an endless loop");
        assert!(!found.is_cut_short, "the walk ends when it revisits a state");
        let found = walk_text("start: TEXENABLE 1 | end: .space 65536");
        assert_eq!(found.lists, pairs([("start", "end")]), "zeroed memory is not part of a list");
    }
}
