//! Writes a JUnit report: a suite for each renderer, a test for each case. It holds no times, so that equal runs give
//! equal files.

use pspge::documents::judgement::{JudgementDocument, Outcome};
use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};

use super::terminal;

/// Returns the report as XML.
///
/// # Errors
/// If it cannot be written.
pub(in crate::command::test) fn xml(
    title: &str,
    renderers: &[String],
    judgements: &[JudgementDocument],
) -> Result<String, SerializeError> {
    let mut report = Report::new(title);
    for renderer in renderers {
        let mut suite = TestSuite::new(renderer.as_str());
        for judgement in judgements.iter().filter(|judgement| judgement.renderer == *renderer) {
            let mut case = TestCase::new(judgement.case.as_str(), status(judgement));
            case.set_classname(renderer.as_str());
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    report.to_string()
}

fn status(judgement: &JudgementDocument) -> TestCaseStatus {
    let message = judgement.message.as_deref();
    let mut status = match judgement.outcome {
        Outcome::Passed | Outcome::ExpectedFailure => return TestCaseStatus::success(),
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
