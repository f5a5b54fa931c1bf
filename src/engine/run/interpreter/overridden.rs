//! Carries out draws and block transfers under [`Overrides`](crate::ge::overrides::Overrides).
//!
//! # Invariants
//! An override changes only the draw itself. Afterwards pointers, carried state and event numbers are the same as
//! without it, even if it draws nothing. If a limit stops a draw, it does not count: it has no number, and nothing
//! advances.

use std::ops::ControlFlow;

use super::{Ending, FlowState, Interpreter, ListRun, Trial};
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::overrides::{Effect, Subject};
use crate::ge::registers::vertex::{Bezier, Prim, Spline, VertexType};
use crate::pipeline::draw::{CarriedState, Draw};
use crate::pipeline::geometry::patch::Patch;
use crate::pipeline::vertex::VertexLayout;

/// The vertex pointer, index pointer and carried state after a draw without its override, to continue from as if
/// nothing was changed.
type AfterDraw = (Address, Address, CarriedState);

impl ListRun<'_> {
    /// Executes a command with the overrides that apply to it, then undoes their effects on later draws.
    #[cold]
    pub(super) fn execute_overridden(&mut self, at: Address, command: Command) -> ControlFlow<Ending> {
        let opcode = command.opcode();
        let subject = match opcode {
            Opcode::PRIM | Opcode::BEZIER | Opcode::SPLINE | Opcode::VAP => Subject::Draw(self.report.draws),
            Opcode::TRANSFERSTART => Subject::Transfer(self.report.transfers),
            _ => return self.execute(at, command),
        };
        let after = self.after_draw(at, opcode);
        let draws_vertices = subject != Subject::Transfer(self.report.transfers) && opcode != Opcode::VAP;
        if draws_vertices && after.is_none() {
            // Such a command does not draw and has no number, so an edit cannot mean it.
            return self.execute(at, command);
        }
        let overrides = self.state.overrides.clone();
        let mut applied = Vec::new();
        let effect = overrides.effect(subject, &self.state.registers, &mut |position| applied.push(position));
        let Some(Effect { registers, is_skipped, is_wireframe, is_uncached }) = effect else {
            return self.execute(at, command);
        };
        self.trial = Trial { keeps_number: draws_vertices, is_skipped, is_wireframe, is_uncached };
        let original = registers.map(|registers| std::mem::replace(&mut self.state.registers, registers));
        let events = self.report.events;
        let flow = self.execute(at, command);
        self.trial = Trial::default();
        if let Some(original) = original {
            self.state.registers = original;
        }
        // A limit may have ended the run before this event, or a VAP may not complete its primitive. Then there is
        // no event to count.
        if self.report.events == events {
            return flow;
        }
        // The changed registers may have led to other pointers and carried vertices, so this sets those of the draw
        // without its override.
        if let Some(after) = after {
            let Interpreter { flow, carried, .. } = &mut *self.state;
            (flow.vertices, flow.indices, *carried) = after;
        }
        let counts = &mut self.report.overridden;
        counts.resize(overrides.all().len(), 0);
        for position in applied {
            if let Some(count) = counts.get_mut(position) {
                *count = count.saturating_add(1);
            }
        }
        flow
    }

    /// Returns the state after drawing vertices from memory; `None` if this command draws none.
    fn after_draw(&self, at: Address, opcode: Opcode) -> Option<AfterDraw> {
        let registers = &self.state.registers;
        let (primitive, count, patch) = match opcode {
            Opcode::PRIM => {
                let Prim { primitive, count } = registers.get();
                (primitive, u32::from(count), None)
            }
            Opcode::BEZIER | Opcode::SPLINE => {
                let patch: Patch = if opcode == Opcode::BEZIER {
                    registers.get::<Bezier>().into()
                } else {
                    registers.get::<Spline>().into()
                };
                (Patch::primitive(registers), patch.points(), Some(patch))
            }
            _ => return None,
        };
        let FlowState { vertices, indices, .. } = self.state.flow;
        let bytes = VertexLayout::new(registers.get::<VertexType>()).bytes();
        if count == 0 || !self.memory.is_mapped(vertices, bytes.max(1)) {
            return None;
        }
        let draw = Draw {
            registers,
            at,
            number: self.report.draws,
            primitive,
            patch,
            count,
            vertices,
            indices,
            carried: &self.state.carried,
            wireframe: false,
            uncached: false,
            can_wait: false,
        };
        let carried = draw.carry(self.memory);
        let (vertices, indices) = self.state.advanced(count, bytes);
        Some((vertices, indices, carried))
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use crate::asm::{assemble, parse_setting};
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::capture::Capture;
    use crate::ge::limits::Limits;
    use crate::ge::memory::Memory;
    use crate::ge::opcode::Opcode;
    use crate::ge::overrides::{Change, Override, Scope};
    use crate::pipeline::draw::{Draw, ImmediateDraw};
    use crate::run::interpreter::Report;
    use crate::run::replay;
    use crate::run::sink::{NullObserver, Sink};

    /// Draws vertices in a row, a patch, an immediate point, and a transfer.
    const LIST: &str = "
        BASE hi(v) | VTYPE position=BITS16 through=1 | VADDR lo(v)
        PRIM primitive=POINTS count=2 | PRIM primitive=POINTS count=3 | PRIM primitive=POINTS count=0
        VTYPE position=BITS16 through=1 index=BITS8 | IADDR lo(i) | PRIM primitive=LINES count=2
        VTYPE position=BITS16 | BEZIER u_count=4 v_count=4 | PRIM primitive=POINTS count=1
        VAP primitive=POINTS
        TRANSFERSRC 0 | TRANSFERSRCW width=8 high=4 | TRANSFERDST 0x100 | TRANSFERDSTW width=8 high=4
        TRANSFERSIZE x=7 y=0 | TRANSFERSTART 1 | TRANSFERDST 0x200 | TRANSFERSTART 1
        FINISH | END
        .align 4
        i: .u8 0 1 | .align 4
        v: .space 400";

    /// Records draws as a sink sees them: number, primitive, count, vertex pointer, index pointer, fog, wireframe.
    #[derive(Default)]
    struct Seen(Vec<String>);

    impl Sink for Seen {
        fn draw(&mut self, _: &mut Memory, draw: &Draw<'_>) {
            let fog = draw.registers.is_on(Opcode::FOGENABLE);
            let Draw { number, count, vertices, indices, wireframe, .. } = draw;
            let primitive = draw.effective_primitive();
            self.0.push(format!("{number} {primitive} {count} {vertices} {indices} {fog} {wireframe}"));
        }

        fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
            self.0.push(format!("{} immediate {}", draw.number, draw.wireframe));
        }

        fn flush(&mut self, _: &mut Memory) {}
    }

    /// Runs the list with changes to some draws and transfers. Returns the draws, the memory and the report.
    fn run(overrides: &[(&str, &str, Vec<Change>)]) -> (Vec<String>, Memory, Report) {
        let mut capture = assemble(LIST).expect("a program").capture();
        capture.memory.vram_mut()[..32].fill(0x55);
        for (draws, transfers, changes) in overrides {
            let set = |text: &str| (!text.is_empty()).then(|| text.parse().expect("a set"));
            let scope = Scope { draws: set(draws), transfers: set(transfers) };
            let (text, changes) = (String::new(), changes.clone());
            capture.overrides.push(Override { text, scope, texture: None, changes });
        }
        let mut seen = Seen::default();
        let report = run_capture(&mut capture, &mut seen);
        (seen.0, capture.memory, report)
    }

    fn run_capture(capture: &mut Capture, sink: &mut impl Sink) -> Report {
        replay::run(capture, Arithmetic::Hardware, sink, &mut NullObserver, &Limits::default()).report
    }

    fn set(text: &str) -> Vec<Change> {
        parse_setting(text).expect("a setting")
    }

    #[test]
    fn the_draw_alone_changes() {
        let (plain, ..) = run(&[]);
        assert_eq!(plain.len(), 6, "{plain:?}");
        let cases = [
            ("FOGENABLE=1", 1, "1 POINTS 3 0x0880006c 0x00000000 true false"),
            ("PRIM.primitive=LINES", 1, "1 LINES 3 0x0880006c 0x00000000 false false"),
            ("PRIM.count=7", 1, "1 POINTS 7 0x0880006c 0x00000000 false false"),
            ("VTYPE.position=FLOAT", 1, "1 POINTS 3 0x0880006c 0x00000000 false false"),
            ("VTYPE.index=NONE", 2, "2 LINES 2 0x0880007e 0x0880005c false false"),
        ];
        for (setting, number, changed) in cases {
            let (draws, _, report) = run(&[(&number.to_string(), "", set(setting))]);
            let mut expected = plain.clone();
            expected[number] = changed.to_owned();
            assert_eq!(draws, expected, "{setting}");
            assert_eq!(report.overridden, [1], "{setting}");
        }
    }

    /// A draw that loses its vertices is left out: pointers and numbers are as without the override.
    #[test]
    fn emptied_draws_keep_their_numbers() {
        let (mut expected, _, plain) = run(&[]);
        expected.remove(1);
        let empty = Change::Register { opcode: Opcode::PRIM, mask: 0xFFFF, bits: 0 };
        let (draws, _, report) = run(&[("1", "", vec![empty])]);
        assert_eq!(draws, expected, "only one draw is missing");
        assert_eq!((report.draws, report.events), (plain.draws, plain.events), "it is counted");
    }

    /// A draw stopped by a limit does not count, whatever an override makes of it.
    #[test]
    fn draws_that_a_limit_stops_have_no_number() {
        let mut capture = assemble(LIST).expect("a program").capture();
        let scope = Scope::draws("1".parse().expect("a set"));
        let changes = set("PRIM.count=9");
        capture.overrides.push(Override { text: String::new(), scope, texture: None, changes });
        let limits = Limits { vertices: 5, ..Limits::default() };
        let report =
            replay::run(&mut capture, Arithmetic::Hardware, &mut Seen::default(), &mut NullObserver, &limits)
                .report;
        assert_eq!((report.draws, report.events, report.overridden), (1, 1, vec![]), "the first draw");
    }

    #[test]
    fn skipped_draws_keep_their_numbers() {
        let (plain, _, plain_report) = run(&[]);
        for number in 0..plain.len() {
            let (mut draws, _, report) = run(&[(&number.to_string(), "", vec![Change::Skip])]);
            assert_eq!(report.draws, plain_report.draws, "{number}: draws are counted");
            draws.insert(number, plain[number].clone());
            assert_eq!(draws, plain, "{number}: only one draw is missing");
        }
    }

    #[test]
    fn transfers_are_counted_apart_from_draws() {
        let written = |memory: &Memory| [0x100, 0x200].map(|at| memory.vram()[at]);
        let (_, memory, report) = run(&[]);
        assert_eq!((written(&memory), report.transfers), ([0x55, 0x55], 2), "both");
        let (_, memory, report) = run(&[("", "0", vec![Change::Skip])]);
        assert_eq!((written(&memory), report.transfers), ([0, 0x55], 2), "without the first");
        let (_, memory, report) = run(&[("0", "1", set("TRANSFERDST=0x400"))]);
        assert_eq!((written(&memory), memory.vram()[0x400]), ([0x55, 0], 0x55), "to another place");
        assert_eq!(report.overridden, [2], "the draw counts, too");
    }

    #[test]
    fn later_overrides_win() {
        let both = [("1", "", set("FOGENABLE=1")), ("1-2", "", set("FOGENABLE=0"))];
        assert_eq!(run(&both).0, run(&[]).0, "off again");
        let (draws, _, report) = run(&[("0-", "", vec![Change::Wireframe]), ("9", "", vec![Change::Skip])]);
        assert!(draws.iter().all(|draw| draw.ends_with("true")), "{draws:?}");
        assert_eq!(report.overridden, [6, 0], "six draws, and none");
    }
}
