//! Writes a JUnit report: a suite for each renderer, a test for each case, with its time.

use std::time::Duration;

use pspge::documents::judgement::{JudgementDocument, Outcome};
use pspge::ge::arithmetic::Arithmetic;
use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestRerun, TestSuite};

use super::terminal;
use crate::command::test::judge::DRAWS_DIFFERENTLY;
use crate::command::test::suite::Suite;

/// Returns the report as XML.
///
/// # Errors
/// If it cannot be written.
pub(in crate::command::test) fn xml(
    suite: &Suite,
    judgements: &[JudgementDocument],
    times: &[Duration],
) -> Result<String, SerializeError> {
    let mut report = Report::new(suite.title.as_str());
    report.set_time(times.iter().sum());
    for column in &suite.columns {
        let mut tests = TestSuite::new(column.name.as_str());
        if let Some(arithmetic) = column.arithmetic() {
            let name = match arithmetic {
                Arithmetic::Hardware => "hardware",
                Arithmetic::Single => "single",
            };
            tests.add_property(("arithmetic", name));
        }
        let mut total = Duration::ZERO;
        let judgements = judgements.iter().zip(times);
        for (judgement, time) in judgements.filter(|(judgement, _)| judgement.renderer == column.name) {
            let mut case = TestCase::new(judgement.case.as_str(), status(judgement));
            case.set_classname(column.name.as_str());
            case.set_time(*time);
            total += *time;
            tests.add_test_case(case);
        }
        tests.set_time(total);
        report.add_test_suite(tests);
    }
    report.to_string()
}

fn status(judgement: &JudgementDocument) -> TestCaseStatus {
    let message = judgement.message.as_deref();
    let mut status = match judgement.outcome {
        Outcome::Passed | Outcome::ExpectedFailure => return success(judgement),
        Outcome::WithoutReference | Outcome::Skipped => TestCaseStatus::skipped(),
        Outcome::Failed | Outcome::UnexpectedPass => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Outcome::Error => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    if let Some(message) = message {
        status.set_message(message);
    }
    status.set_type(judgement.outcome.name());
    let explanation = terminal::explanation(judgement).join("\n");
    if !explanation.is_empty() {
        status.set_description(explanation);
    }
    status
}

/// Returns the status for a test that passes, with its first run if that did not.
fn success(judgement: &JudgementDocument) -> TestCaseStatus {
    let mut status = TestCaseStatus::success();
    if let Some(note) = judgement.notes.iter().find(|note| note.code == DRAWS_DIFFERENTLY) {
        let mut rerun = TestRerun::new(NonSuccessKind::Failure);
        rerun.set_message(note.message.as_str());
        status.add_rerun(rerun);
    }
    status
}
