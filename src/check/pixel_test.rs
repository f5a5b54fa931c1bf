//! The tests for a pixel, and how to switch each off.

use crate::asm::text::describe;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::{
    ClearMode, ColorComparison, ColorTest, Comparison, DepthLimit, DepthTest, MaskedTest,
};
use crate::ge::registers::vertex::VertexType;

use super::rule::Rule;

/// A test for pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PixelTest {
    /// MINZ and MAXZ.
    DepthRange,
    /// ALPHATEST.
    Alpha,
    /// COLORTEST.
    Color,
    /// STENCILTEST.
    Stencil,
    /// ZTEST.
    Depth,
}

impl PixelTest {
    /// All tests, in the hardware's order.
    pub(super) const ALL: [Self; 5] =
        [Self::DepthRange, Self::Alpha, Self::Color, Self::Stencil, Self::Depth];

    /// Returns whether this test is on.
    pub(super) fn is_on(self, registers: &Registers) -> bool {
        match self.switch() {
            Some(switch) => !registers.get::<ClearMode>().enabled && registers.is_on(switch),
            None => !registers.get::<VertexType>().through,
        }
    }

    /// Returns the register to switch this test on, or `None` if it is always on.
    const fn switch(self) -> Option<Opcode> {
        match self {
            Self::DepthRange => None,
            Self::Alpha => Some(Opcode::ALPHATESTENABLE),
            Self::Color => Some(Opcode::COLORTESTENABLE),
            Self::Stencil => Some(Opcode::STENCILTESTENABLE),
            Self::Depth => Some(Opcode::ZTESTENABLE),
        }
    }

    /// Switches this test off, to see whether pixels pass without it.
    pub(super) fn relax(self, registers: &mut Registers) {
        match self.switch() {
            Some(switch) => registers.write(Command::new(switch, 0)),
            None => {
                registers.write(Command::new(Opcode::MINZ, 0));
                registers.write(Command::new(Opcode::MAXZ, 0xFFFF));
            }
        }
    }

    /// Returns the rule to report if this test rejects all of a draw's pixels.
    pub(super) fn rule(self, registers: &Registers) -> Rule {
        let masked = |opcode| registers.view::<MaskedTest>(opcode).function == Comparison::NEVER;
        let limit = |opcode| registers.view::<DepthLimit>(opcode).z;
        let (is_never, otherwise) = match self {
            Self::DepthRange if limit(Opcode::MAXZ) == 0 || limit(Opcode::MINZ) > limit(Opcode::MAXZ) => {
                return Rule::EmptyDepthRange;
            }
            Self::DepthRange => (false, Rule::DepthRangeRejects),
            Self::Alpha => (masked(Opcode::ALPHATEST), Rule::AlphaTestRejects),
            Self::Color => {
                let function = registers.get::<ColorTest>().function;
                (function == ColorComparison::NEVER, Rule::ColorTestRejects)
            }
            Self::Stencil => (masked(Opcode::STENCILTEST), Rule::StencilTestRejects),
            Self::Depth => {
                (registers.get::<DepthTest>().function == Comparison::NEVER, Rule::DepthTestRejects)
            }
        };
        if is_never { Rule::TestNever } else { otherwise }
    }

    /// Describes this test together with its registers, such as `the depth test (ZTEST NEVER)`.
    pub(super) fn describe(self, registers: &Registers) -> String {
        let (name, opcodes): (_, &[Opcode]) = match self {
            Self::DepthRange => ("the depth range", &[Opcode::MINZ, Opcode::MAXZ]),
            Self::Alpha => ("the alpha test", &[Opcode::ALPHATEST]),
            Self::Color => ("the colour test", &[Opcode::COLORTEST, Opcode::COLORREF, Opcode::COLORTESTMASK]),
            Self::Stencil => ("the stencil test", &[Opcode::STENCILTEST]),
            Self::Depth => ("the depth test", &[Opcode::ZTEST]),
        };
        let state: Vec<String> =
            opcodes.iter().map(|opcode| describe(registers.command(*opcode)).to_string()).collect();
        format!("{name} ({})", state.join(", "))
    }

    /// Returns the cause for a finding: the test and its function.
    pub(super) fn cause(self, registers: &Registers) -> [u32; 2] {
        let function = match self {
            Self::DepthRange => 0,
            Self::Alpha => registers.argument(Opcode::ALPHATEST) & 7,
            Self::Color => registers.argument(Opcode::COLORTEST) & 3,
            Self::Stencil => registers.argument(Opcode::STENCILTEST) & 7,
            Self::Depth => registers.argument(Opcode::ZTEST) & 7,
        };
        [self as u32, function]
    }
}
