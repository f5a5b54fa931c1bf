//! Executes commands from outside a list, for hosts that walk lists themselves.

use std::ops::ControlFlow;

use super::host::{Host, Pair};
use super::{Ending, Interpreter, ListRun, Report};
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::limits::{Limit, Limits};
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::run::sink::Sink;
use crate::run::watch::Watch;

impl Interpreter {
    /// Executes a command as if it were the list's next word, but the list does not move on. JUMP, BJUMP, CALL, RET
    /// and END only write their register, because list flow belongs to the host. Counts go on until
    /// [`Self::begin`], and the sink is not flushed.
    ///
    /// The watcher sees this command like any other. If it stops the run, the command is not executed, and the
    /// report ends with [`Ending::Stopped`]. Otherwise it ends with [`Ending::Finished`] or
    /// [`Ending::LimitReached`].
    pub fn execute<S: Sink>(
        &mut self,
        memory: &mut Memory,
        command: Command,
        sink: &mut S,
        watch: &mut impl Watch<S>,
        limits: &Limits,
    ) -> Report {
        self.execute_on(memory, command, &mut Pair { sink, watch }, limits)
    }

    fn execute_on(
        &mut self,
        memory: &mut Memory,
        command: Command,
        host: &mut dyn Host,
        limits: &Limits,
    ) -> Report {
        let at = self.flow.pc;
        self.run_part(memory, host, limits, false, |run| {
            run.execute_alone(at, command).break_value().unwrap_or(Ending::Finished)
        })
    }
}

impl ListRun<'_> {
    /// Executes a command without list flow.
    fn execute_alone(&mut self, at: Address, command: Command) -> ControlFlow<Ending> {
        if self.report.commands >= self.limits.commands {
            return self.end_at_limit(at, Limit::Commands);
        }
        self.observe(at, command)?;
        if is_list_flow(command.opcode()) {
            self.report.commands = self.report.commands.saturating_add(1);
            self.state.registers_mut().write(command);
            return ControlFlow::Continue(());
        }
        self.perform(at, command)
    }
}

/// Whether a command moves the list to another word or ends it.
const fn is_list_flow(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::JUMP | Opcode::BJUMP | Opcode::CALL | Opcode::RET | Opcode::END)
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::asm::assemble;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::registers::Registers;
    use crate::raster::{RasterOptions, Rasterizer};
    use crate::run::sink::NullObserver;

    #[test]
    fn single_commands_draw_as_the_list_does() {
        let text = "
            FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=63 y=63 | REGION2 x=63 y=63
            BASE hi(corners) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)
            PRIM primitive=RECTANGLES count=2 | JUMP 0 | RET | END
        .align 4
        corners: .rgba #ff0000ff | .s16 1 1 0 | .align 4 | .rgba #ff0000ff | .s16 3 3 0 | .align 4
        ";
        let program = assemble(text).expect("a correct list");
        let mut memory = program.capture().memory;
        let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
        let mut raster = Rasterizer::new(RasterOptions::default());
        let mut report = None;
        for number in 0..11 {
            let command = Command::from_word(memory.read_u32(program.entry.offset(4 * number)));
            let limits = Limits::default();
            let sink = &mut raster;
            report = Some(interpreter.execute(&mut memory, command, sink, &mut NullObserver, &limits));
        }
        raster.flush(&mut memory);
        let report = report.expect("the last command");
        assert_eq!((report.ending, report.commands, report.draws), (Ending::Finished, 11, 1), "{report:?}");
        assert_eq!(interpreter.flow_state().pc, Address::default(), "the list does not move");
        assert_eq!(memory.read_u32(Address::vram((64 + 1) * 4)), 0x0000_00FF, "a pixel");
        let limits = Limits::default().with(Limit::Commands, 11);
        let command = Command::new(Opcode::NOP, 0);
        let report = interpreter.execute(&mut memory, command, &mut raster, &mut NullObserver, &limits);
        assert_eq!(report.ending, Ending::LimitReached, "limits hold here, too");
    }
}
