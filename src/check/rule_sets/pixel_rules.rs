//! Searches for the reason why a draw covers no pixel.
//!
//! This looks at geometry and coverage first. Then it repeats the draw into write-protected buffers with some tests
//! off, to see when pixels pass: first with each test off alone, then with several.

use super::geometry_rules;
use crate::asm::text::describe;
use crate::check::coverage::CoverageCounter;
use crate::check::findings::{Reason, SAME};
use crate::check::pixel_test::PixelTest;
use crate::check::rule::Rule;
use crate::check::subject::Subject;
use crate::check::trial::Trial;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::limits::{LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::raster::pixel_rect::PixelRect;

#[derive(Debug)]
pub(crate) struct PixelSearch {
    arithmetic: Arithmetic,
    coverage: CoverageCounter,
    trial: Trial,
}

impl PixelSearch {
    /// Creates the search for a run. Counting and trials may each use [`Limits::pixels`].
    pub(crate) fn new(arithmetic: Arithmetic, limits: &Limits) -> Self {
        Self { arithmetic, coverage: CoverageCounter::new(limits), trial: Trial::new(arithmetic, limits) }
    }

    /// Finds out why a draw covers no pixel. `flush` completes all earlier draws. Memory stays as it is.
    pub(crate) fn reason(
        &mut self,
        subject: Subject<'_>,
        memory: &mut Memory,
        flush: &mut dyn FnMut(&mut Memory),
    ) -> Reason {
        self.try_reason(subject, memory, flush).unwrap_or_else(|hit| {
            let message = format!("covers 0 pixels; the search for the reason ended: {hit}");
            (Rule::NoPixels, SAME, message)
        })
    }

    fn try_reason(
        &mut self,
        subject: Subject<'_>,
        memory: &mut Memory,
        flush: &mut dyn FnMut(&mut Memory),
    ) -> Result<Reason, LimitHit> {
        let (registers, arithmetic) = (subject.registers(), self.arithmetic);
        let scissor = PixelRect::scissor(registers);
        if scissor.is_empty() {
            let text = scissor_text(registers);
            return Ok((Rule::EmptyScissor, SAME, format!("covers 0 pixels: {text}")));
        }
        let around = subject.around(memory, arithmetic);
        if around.is_empty() {
            return Ok(geometry_rules::reason(subject, memory, arithmetic));
        }
        let covered = self.coverage.count(subject, memory, arithmetic, &scissor)?;
        if covered > 0 {
            // The trials that follow test against memory, so it must hold all earlier draws.
            flush(memory);
            return self.rejecting_tests(subject, memory, covered);
        }
        let unscissored = self.coverage.count(subject, memory, arithmetic, &PixelRect::buffer())?;
        Ok(if unscissored > 0 {
            outside_scissor(registers, unscissored)
        } else {
            geometry_rules::uncovered(subject, memory, arithmetic, &around)
        })
    }

    /// Finds the tests that reject all `covered` pixels.
    fn rejecting_tests(
        &mut self,
        subject: Subject<'_>,
        memory: &mut Memory,
        covered: u64,
    ) -> Result<Reason, LimitHit> {
        let registers: &Registers = subject.registers();
        let tests: Vec<PixelTest> = PixelTest::ALL.into_iter().filter(|test| test.is_on(registers)).collect();
        let mut passing = |relaxed: &[PixelTest]| {
            let mut registers = registers.clone();
            relaxed.iter().for_each(|test| test.relax(&mut registers));
            self.trial.pixels(subject, registers, memory)
        };
        for test in &tests {
            let passed = passing(&[*test])?;
            if passed > 0 {
                let text = test.describe(registers);
                let message = format!("covers 0 pixels: {text} rejects all {passed}");
                return Ok((test.rule(registers), test.cause(registers), message));
            }
        }
        // With all tests off pixels pass. This switches the tests on again in turn, as long as some pixels still
        // pass, so that only tests remain that reject pixels.
        let mut culprits = tests.clone();
        for test in &tests {
            let fewer: Vec<PixelTest> = culprits.iter().copied().filter(|culprit| culprit != test).collect();
            if passing(&fewer)? > 0 {
                culprits = fewer;
            }
        }
        let texts: Vec<String> = culprits.iter().map(|test| test.describe(registers)).collect();
        let message = format!("covers 0 pixels: {} reject all {covered} together", texts.join(" and "));
        Ok((Rule::TestsReject, SAME, message))
    }
}

/// Returns the corners of scissor and region as text.
fn scissor_text(registers: &Registers) -> String {
    let text = |opcode| match registers.argument(opcode) & 0xF_FFFF {
        0 => format!("{opcode} is 0"),
        _ => describe(registers.command(opcode)).to_string(),
    };
    let is_named = |opcode: &Opcode| {
        let is_first = matches!(*opcode, Opcode::SCISSOR1 | Opcode::REGION1);
        !is_first || registers.argument(*opcode) & 0xF_FFFF != 0
    };
    let corners = [Opcode::SCISSOR1, Opcode::SCISSOR2, Opcode::REGION1, Opcode::REGION2];
    let texts: Vec<String> = corners.into_iter().filter(is_named).map(text).collect();
    texts.join(", ")
}

fn outside_scissor(registers: &Registers, pixels: u64) -> Reason {
    let is_zero = |opcode: &Opcode| registers.argument(*opcode) & 0xF_FFFF == 0;
    let zero = [Opcode::SCISSOR2, Opcode::REGION2].into_iter().find(is_zero);
    match zero {
        Some(opcode) => {
            let message = format!("covers 0 pixels: {opcode} is 0, which leaves one pixel of the screen");
            (Rule::EmptyScissor, [opcode.code().into(), 0], message)
        }
        None => {
            let text = scissor_text(registers);
            let message = format!("covers 0 pixels: all {pixels} are outside scissor and region ({text})");
            (Rule::OutsideScissor, SAME, message)
        }
    }
}
