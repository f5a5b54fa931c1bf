//! Lists the public suite's hardware tests (`cases/tests.tsv`) and their results, to show how much of the suite is
//! checked here.
//!
//! # Invariants
//! Every case with evidence from hardware belongs to a test in this table and agrees with it on PPSSPP. If a test has
//! no results for the engine, or if no case checks it, its remark gives the reason.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};

use crate::case::{Case, CaseKind, Evidence, Status};
use crate::verdict::Verdict;

/// The start of such cases' sources.
const SUITE: &str = "pspautotests gpu/";

/// A test in the public suite and its result.
#[derive(Clone, Debug)]
pub struct PublicTest {
    /// Folder and name, for example `filtering/linear`.
    pub name: String,
    /// How many of the test's rows and pictures say something about the engine.
    pub results: usize,
    /// Whether PPSSPP's software renderer passes.
    pub ppsspp: Status,
    /// How many pixels may be wrong in this test's recorded frame here, and how many are in PPSSPP. `None` if no
    /// frame was recorded.
    pub frame: Option<(usize, usize)>,
    /// A remark, for people to read.
    pub note: String,
    /// The rows and pictures of this test's cases, after they ran.
    pub verdict: Verdict,
    /// Wrong pixels in the recorded frame, if it was drawn.
    pub wrong_pixels: Option<usize>,
}

/// Results from the measured jobs in a file in the corpus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeasuredFile {
    /// Jobs that ran.
    pub total: usize,
    /// Jobs with the same results as on a PSP.
    pub exact: usize,
}

/// All tests, by name.
#[derive(Clone, Debug)]
pub struct Inventory {
    tests: BTreeMap<String, PublicTest>,
    /// Results from measured jobs, by file.
    measured: BTreeMap<String, MeasuredFile>,
}

impl Inventory {
    /// Reads the table below `root` and checks that it agrees with the cases.
    ///
    /// # Errors
    /// If a line is malformed, or if a case contradicts the table.
    pub fn read(root: &Path, cases: &[Case]) -> Result<Self> {
        let path = root.join("tests.tsv");
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let mut tests = BTreeMap::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with(';')).skip(1) {
            let test = PublicTest::parse(line).with_context(|| format!("tests.tsv: line {}", index + 1))?;
            tests.insert(test.name.clone(), test);
        }
        let inventory = Self { tests, measured: BTreeMap::new() };
        inventory.check(cases)?;
        Ok(inventory)
    }

    fn check(&self, cases: &[Case]) -> Result<()> {
        let mut checked = BTreeMap::new();
        for case in cases.iter().filter(|case| is_hardware_case(case)) {
            let name = &case.name;
            let source =
                test_name(case).ok_or_else(|| anyhow!("{name}: the source is not a test of the suite"))?;
            let test =
                self.tests.get(source).ok_or_else(|| anyhow!("{name}: tests.tsv has no `{source}`"))?;
            let status = case.settings.ppsspp;
            ensure!(
                status == test.ppsspp || status == Status::Unknown,
                "{name}: contradicts tests.tsv on PPSSPP"
            );
            checked.insert(source, ());
        }
        for test in self.tests.values() {
            let name = &test.name;
            let covered = checked.contains_key(name.as_str());
            ensure!(covered || !test.note.is_empty(), "tests.tsv: `{name}` has no case and no remark");
            ensure!(!covered || test.results > 0, "tests.tsv: `{name}` has a case but no results");
        }
        Ok(())
    }

    /// Lists all tests, by name.
    pub fn tests(&self) -> impl Iterator<Item = &PublicTest> {
        self.tests.values()
    }

    /// Lists results from measured jobs, by file.
    pub fn measured(&self) -> impl Iterator<Item = (&str, MeasuredFile)> {
        self.measured.iter().map(|(file, results)| (file.as_str(), *results))
    }

    /// Adds a case's result.
    pub fn add(&mut self, case: &Case, verdict: &Verdict) {
        if let Some(test) = test_name(case).and_then(|name| self.tests.get_mut(name)) {
            test.verdict.total += verdict.total;
            test.verdict.passed += verdict.passed;
            test.verdict.known += verdict.known;
        }
    }

    /// Adds the result of a measured job.
    pub fn add_measured(&mut self, file: &str, exact: bool) {
        let results = self.measured.entry(file.to_owned()).or_default();
        results.total += 1;
        results.exact += usize::from(exact);
    }

    /// Finds the test for a recorded frame, whose name has a hyphen in place of the slash.
    pub fn for_frame(&mut self, frame: &str) -> Option<&mut PublicTest> {
        self.tests.get_mut(&frame.replacen('-', "/", 1))
    }
}

/// Returns the name of the test that a case follows; `None` if its evidence is not from hardware.
fn test_name(case: &Case) -> Option<&str> {
    is_hardware_case(case).then(|| case.settings.source.strip_prefix(SUITE)).flatten()
}

fn is_hardware_case(case: &Case) -> bool {
    case.settings.kind == CaseKind::Frame && case.settings.evidence == Evidence::Hardware
}

impl PublicTest {
    fn parse(line: &str) -> Result<Self> {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        let &[name, results, ppsspp, wrong, ppsspp_wrong, note] = cells.as_slice() else {
            return Err(anyhow!("{} cells instead of 6", cells.len()));
        };
        let number = |cell: &str| cell.parse::<usize>().with_context(|| format!("`{cell}` is not a number"));
        let ppsspp = match ppsspp {
            "passes" => Status::Passes,
            "fails" => Status::Fails,
            "unknown" => Status::Unknown,
            other => return Err(anyhow!("`{other}` is not a status")),
        };
        let frame = if wrong == "-" { None } else { Some((number(wrong)?, number(ppsspp_wrong)?)) };
        Ok(Self {
            name: name.to_owned(),
            results: number(results)?,
            ppsspp,
            frame,
            note: note.to_owned(),
            verdict: Verdict::default(),
            wrong_pixels: None,
        })
    }

    /// Tells whether this test's cases ran and every result agrees with the hardware.
    fn passes(&self) -> bool {
        self.verdict.total > 0
            && self.verdict.passed == self.verdict.total
            && self.wrong_pixels.unwrap_or(0) == 0
    }
}

impl fmt::Display for Inventory {
    /// Writes a line for each test, the sums, tests that pass here but fail in PPSSPP, and a line for each file with
    /// measured jobs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut sum, mut results) = (Verdict::default(), 0);
        writeln!(
            f,
            "{:<30} {:>6} {:>13} {:>5} {:>11}  {:<17} ",
            "hardware test", "there", "passed here", "known", "wrong pixels", "PPSSPP"
        )?;
        for test in self.tests.values() {
            let Verdict { total, passed, known, .. } = test.verdict;
            let pixels = test.wrong_pixels.map_or_else(String::new, |pixels| pixels.to_string());
            let status = match test.ppsspp {
                Status::Passes => "passes",
                Status::Fails => "fails",
                Status::Unknown => "unknown",
            };
            let theirs = test.frame.map_or_else(String::new, |(_, theirs)| format!(", {theirs} px"));
            let line = format!(
                "{:<30} {:>6} {passed:>6}/{total:<6} {known:>5} {pixels:>12}  {:<17} {}",
                test.name,
                test.results,
                format!("{status}{theirs}"),
                test.note
            );
            writeln!(f, "{}", line.trim_end())?;
            sum.total += total;
            sum.passed += passed;
            sum.known += known;
            results += test.results;
        }
        writeln!(f, "{:<30} {results:>6} {:>6}/{:<6} {:>5}", "all", sum.passed, sum.total, sum.known)?;
        let better = self.tests.values().filter(|test| test.ppsspp == Status::Fails && test.passes());
        let better: Vec<&str> = better.map(|test| test.name.as_str()).collect();
        write!(f, "right here, wrong in PPSSPP ({}): {}", better.len(), better.join(", "))?;
        for (file, MeasuredFile { total, exact }) in &self.measured {
            write!(f, "\nmeasured jobs, {file}: {exact} of {total} exact")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_lines() {
        let test = PublicTest::parse("a/b\t12\tfails\t3\t40\tremark").expect("a test");
        assert_eq!((test.results, test.ppsspp, test.frame), (12, Status::Fails, Some((3, 40))), "numbers");
        assert_eq!(PublicTest::parse("a/b\t0\tpasses\t-\t-\t").expect("a test").frame, None, "no frame");
        for line in ["a/b\t1\tpasses\t-\t-", "a/b\tx\tpasses\t-\t-\t", "a/b\t1\twell\t-\t-\t"] {
            assert!(PublicTest::parse(line).is_err(), "{line:?}");
        }
    }
}
