//! Sums up judgements, and finds changes since an earlier run.

use std::collections::{BTreeMap, BTreeSet};

use pspge::documents::judgement::{JudgementDocument, MatchFigures, MatchTier, Outcome};
use serde::Serialize;

/// Sums over a renderer's judgements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Totals {
    pub(super) passed: u64,
    pub(super) failed: u64,
    pub(super) expected_failures: u64,
    pub(super) unexpected_passes: u64,
    pub(super) errors: u64,
    pub(super) without_reference: u64,
    pub(super) skipped: u64,
    /// Pictures where all values are equal.
    pub(super) exact_pictures: u64,
    pub(super) compared_pictures: u64,
    pub(super) exact_depths: u64,
    pub(super) compared_depths: u64,
    /// Checksums equal to a PSP's.
    pub(super) exact_checksums: u64,
    pub(super) compared_checksums: u64,
    pub(super) differing_pixels: u64,
    pub(super) area_pixels: u64,
}

impl Totals {
    pub(super) fn of<'j>(judgements: impl IntoIterator<Item = &'j JudgementDocument>) -> Self {
        let mut totals = Self::default();
        for judgement in judgements {
            totals.add(judgement);
        }
        totals
    }

    /// Sums up judgements for the renderer called `name`.
    pub(super) fn of_renderer(judgements: &[JudgementDocument], name: &str) -> Self {
        Self::of(judgements.iter().filter(|judgement| judgement.renderer == name))
    }

    fn add(&mut self, judgement: &JudgementDocument) {
        let outcomes = match judgement.outcome {
            Outcome::Passed => &mut self.passed,
            Outcome::Failed => &mut self.failed,
            Outcome::Error => &mut self.errors,
            Outcome::ExpectedFailure => &mut self.expected_failures,
            Outcome::UnexpectedPass => &mut self.unexpected_passes,
            Outcome::WithoutReference => &mut self.without_reference,
            Outcome::Skipped => &mut self.skipped,
        };
        *outcomes += 1;
        if let Some(figures) = &judgement.picture {
            self.compared_pictures += 1;
            self.exact_pictures += u64::from(figures.tier == MatchTier::Exact);
            self.differing_pixels += figures.differing_pixels;
            self.area_pixels += figures.area_pixels;
        }
        if let Some(figures) = &judgement.depth {
            self.compared_depths += 1;
            self.exact_depths += u64::from(figures.tier == MatchTier::Exact);
        }
        for result in &judgement.measurements {
            self.compared_checksums += 1;
            self.exact_checksums += u64::from(result.is_equal());
        }
    }

    /// Counts judgements that make the run fail.
    pub(super) const fn failures(&self) -> u64 {
        self.failed + self.errors + self.unexpected_passes
    }

    /// Lists how often each outcome occurred, without those that did not.
    pub(super) fn outcomes(&self) -> Vec<(&'static str, u64)> {
        let all = [
            ("passed", self.passed),
            ("failed", self.failed),
            ("errors", self.errors),
            ("unexpected passes", self.unexpected_passes),
            ("expected failures", self.expected_failures),
            ("without reference", self.without_reference),
            ("skipped", self.skipped),
        ];
        all.into_iter().filter(|(_, count)| *count > 0).collect()
    }
}

/// How a case did in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct CaseState {
    pub(super) outcome: Outcome,
    pub(super) differing_pixels: u64,
}

impl CaseState {
    fn of(judgement: &JudgementDocument) -> Self {
        let pixels =
            |figures: &Option<MatchFigures>| figures.as_ref().map_or(0, |figures| figures.differing_pixels);
        let differing_pixels = pixels(&judgement.picture) + pixels(&judgement.depth);
        Self { outcome: judgement.outcome, differing_pixels }
    }
}

/// A case judged otherwise than in an earlier run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Change {
    pub(super) case: String,
    pub(super) renderer: String,
    /// How it did before; `None` for a new case.
    pub(super) before: Option<CaseState>,
    /// How it does now; `None` if the case is gone.
    pub(super) now: Option<CaseState>,
}

/// An earlier run, for the report to compare with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Earlier {
    /// Sums for each renderer.
    pub(super) totals: Vec<(String, Totals)>,
    /// Cases judged otherwise now.
    pub(super) changes: Vec<Change>,
}

impl Earlier {
    /// Compares a run with an earlier run, for renderers judged in both. If the user selected cases, this leaves out
    /// all others, because they are not gone. Returns `None` if nothing has changed.
    pub(super) fn new(
        mut earlier: Vec<JudgementDocument>,
        now: &[JudgementDocument],
        selects_cases: bool,
    ) -> Option<Self> {
        let names = |judgements: &[JudgementDocument]| -> BTreeSet<String> {
            judgements.iter().map(|judgement| judgement.renderer.clone()).collect()
        };
        let common: BTreeSet<String> = names(&earlier).intersection(&names(now)).cloned().collect();
        let cases: BTreeSet<&str> = now.iter().map(|judgement| judgement.case.as_str()).collect();
        let is_common = |judgement: &JudgementDocument| common.contains(&judgement.renderer);
        earlier.retain(|judgement| {
            is_common(judgement) && (!selects_cases || cases.contains(judgement.case.as_str()))
        });
        let now: Vec<JudgementDocument> =
            now.iter().filter(|judgement| is_common(judgement)).cloned().collect();
        let changes = changes(&earlier, &now);
        let totals = common.iter().map(|name| (name.clone(), Totals::of_renderer(&earlier, name)));
        (!changes.is_empty()).then(|| Self { totals: totals.collect(), changes })
    }
}

/// Lists cases judged otherwise than in an earlier run, ordered by name.
fn changes(before: &[JudgementDocument], now: &[JudgementDocument]) -> Vec<Change> {
    let mut states: BTreeMap<(&str, &str), [Option<CaseState>; 2]> = BTreeMap::new();
    for (run, judgements) in [before, now].into_iter().enumerate() {
        for judgement in judgements {
            let known = states.entry((&judgement.case, &judgement.renderer)).or_default();
            if let Some(state) = known.get_mut(run) {
                *state = Some(CaseState::of(judgement));
            }
        }
    }
    let changed = states.into_iter().filter(|(_, [before, now])| before != now);
    let change = |((case, renderer), [before, now]): ((&str, &str), [Option<CaseState>; 2])| Change {
        case: case.to_owned(),
        renderer: renderer.to_owned(),
        before,
        now,
    };
    changed.map(change).collect()
}

/// Returns a sort key for judgements, to put the worst first.
pub(super) fn badness(judgement: &JudgementDocument) -> impl Ord + use<> {
    let rank = match judgement.outcome {
        Outcome::Error => 0,
        Outcome::UnexpectedPass => 1,
        Outcome::Failed => 2,
        Outcome::ExpectedFailure => 3,
        Outcome::WithoutReference => 4,
        Outcome::Skipped => 5,
        Outcome::Passed => 6,
    };
    let sum = |value: fn(&MatchFigures) -> u64| {
        let figures = [&judgement.picture, &judgement.depth].into_iter().flatten();
        // Subtracting turns large sums into small keys, which sort first.
        u64::MAX - figures.map(value).sum::<u64>()
    };
    let figures = [
        sum(|figures| figures.area_pixels),
        sum(|figures| figures.differing_pixels),
        sum(|figures| figures.largest_difference.into()),
    ];
    (rank, figures, judgement.case.clone(), judgement.renderer.clone())
}

#[cfg(test)]
mod tests {
    use pspge::documents::draw_report::ArithmeticName;
    use pspge::documents::schema_id::SchemaId;

    use super::*;

    fn judgement(case: &str, outcome: Outcome, pixels: u64) -> JudgementDocument {
        JudgementDocument {
            schema: SchemaId::new(),
            input: case.to_owned(),
            case: case.to_owned(),
            renderer: "pspge".to_owned(),
            arithmetic: Some(ArithmeticName::Hardware),
            outcome,
            message: None,
            reference: None,
            depth_reference: None,
            picture: Some(MatchFigures {
                tier: if pixels == 0 { MatchTier::Exact } else { MatchTier::Different },
                differing_pixels: pixels,
                ..MatchFigures::identical([8, 8], 3)
            }),
            depth: None,
            measurements: Vec::new(),
            expectation: None,
            explanation: None,
            facts: Vec::new(),
            file_hash: None,
            notes: Vec::new(),
        }
    }

    #[test]
    fn changes_are_those_of_outcome_and_pixels() {
        let before = [judgement("a", Outcome::Passed, 0), judgement("b", Outcome::Failed, 5)];
        let now = [judgement("b", Outcome::Failed, 4), judgement("c", Outcome::Passed, 0), before[0].clone()];
        let changed = changes(&before, &now);
        let names: Vec<_> = changed.iter().map(|change| change.case.as_str()).collect();
        assert_eq!(names, ["b", "c"], "fewer pixels, and a new case");
        assert_eq!(changed[1].before, None, "it is new");
        assert_eq!(changes(&now, &now), [], "nothing");
    }

    #[test]
    fn runs_are_compared_as_far_as_both_go() {
        let earlier = vec![judgement("a", Outcome::Failed, 5), judgement("b", Outcome::Passed, 0)];
        let now = [judgement("a", Outcome::Passed, 0)];
        let changed = |selects| {
            let earlier = Earlier::new(earlier.clone(), &now, selects).expect("a change");
            earlier.changes.into_iter().map(|change| change.case).collect::<Vec<_>>()
        };
        assert_eq!(
            (changed(false), changed(true)),
            (vec!["a".to_owned(), "b".to_owned()], vec!["a".to_owned()])
        );
        let other = JudgementDocument { renderer: "other".to_owned(), ..now[0].clone() };
        assert_eq!(Earlier::new(earlier, &[other], false), None, "another renderer");
        assert_eq!(Earlier::new(Vec::new(), &now, false), None, "the first run");
    }

    #[test]
    fn the_worst_come_first() {
        let mut judgements = [
            judgement("passed", Outcome::Passed, 0),
            judgement("few", Outcome::Failed, 1),
            judgement("expected", Outcome::ExpectedFailure, 99),
            judgement("many", Outcome::Failed, 9),
            judgement("error", Outcome::Error, 0),
        ];
        judgements.sort_by_key(badness);
        let names = judgements.each_ref().map(|judgement| judgement.case.as_str());
        assert_eq!(names, ["error", "many", "few", "expected", "passed"]);
        let totals = Totals::of(&judgements);
        assert_eq!((totals.failures(), totals.exact_pictures, totals.compared_pictures), (3, 2, 5), "sums");
        assert_eq!(totals.outcomes().len(), 4, "kinds");
    }
}
