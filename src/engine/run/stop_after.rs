//! Stops a run after a draw or a command.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use super::interpreter::Report;
use super::sink::{Observer, Step};
use crate::ge::memory::Memory;

/// A run's last draw or command, by its number from 0, to look at the state after it. Traces show these numbers.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::run::stop_after::StopAfter;
///
/// assert_eq!("draw:12".parse(), Ok(StopAfter::Draw(12)));
/// assert_eq!("command:40".parse::<StopAfter>()?.to_string(), "command:40");
/// assert!("draw:-1".parse::<StopAfter>().is_err());
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopAfter {
    /// Ends the run after this draw.
    Draw(u64),
    /// Ends the run after this command.
    Command(u64),
}

impl StopAfter {
    /// Names the unit that this number counts, for messages.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Draw(_) => "draw",
            Self::Command(_) => "command",
        }
    }

    /// Returns how many draws or commands a finished run had, if too few for this end to be reached.
    #[must_use]
    pub const fn missing(self, report: &Report) -> Option<u64> {
        let (number, count) = match self {
            Self::Draw(number) => (number, report.draws),
            Self::Command(number) => (number, report.commands),
        };
        if number < count { None } else { Some(count) }
    }
}

impl Observer for StopAfter {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        let is_over = match *self {
            Self::Draw(number) => step.draws > number,
            Self::Command(number) => step.number > number,
        };
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn reads_memory(&self) -> bool {
        false
    }
}

impl FromStr for StopAfter {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |digits: &str| {
            // `parse` alone would accept a sign.
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| is_number)
        };
        let parts = text.split_once(':').and_then(|(unit, digits)| Some((unit, number(digits)?)));
        match parts {
            Some(("draw", number)) => Ok(Self::Draw(number)),
            Some(("command", number)) => Ok(Self::Command(number)),
            _ => Err("expected draw:N or command:N, such as draw:12"),
        }
    }
}

impl fmt::Display for StopAfter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw(number) => write!(f, "draw:{number}"),
            Self::Command(number) => write!(f, "command:{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::address::Address;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::limits::Limits;
    use crate::ge::list::ListBuilder;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;
    use crate::ge::registers::vertex::PrimitiveType;
    use crate::run::interpreter::Interpreter;
    use crate::run::sink::NullSink;

    /// Runs a list with VTYPE, BASE, VADDR, three draws, FINISH and END.
    fn run(mut stop: StopAfter) -> Report {
        let mut list = ListBuilder::new(Address::new(0x0880_0000));
        list.set(Opcode::VTYPE, 2 << 7).address(Opcode::VADDR, Address::new(0x0890_0000));
        for _ in 0..3 {
            list.prim(PrimitiveType::POINTS, 1);
        }
        list.finish();
        let mut memory = Memory::default();
        list.store(&mut memory);
        let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
        interpreter.run(&mut memory, list.start(), &mut NullSink, &mut stop, &Limits::default())
    }

    #[test]
    fn named_draws_and_commands_are_the_last() {
        for (stop, draws, commands) in [
            (StopAfter::Draw(0), 1, 4),
            (StopAfter::Draw(2), 3, 6),
            (StopAfter::Command(0), 0, 1),
            (StopAfter::Command(3), 1, 4),
        ] {
            let report = run(stop);
            assert_eq!((report.draws, report.commands), (draws, commands), "{stop}");
            assert_eq!(stop.missing(&report), None, "{stop} exists");
        }
    }

    #[test]
    fn ends_beyond_the_run_are_missing() {
        for (stop, count) in [(StopAfter::Draw(3), 3), (StopAfter::Command(8), 8)] {
            assert_eq!(stop.missing(&run(stop)), Some(count), "{stop}");
        }
    }
}
