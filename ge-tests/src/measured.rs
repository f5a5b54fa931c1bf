//! Runs measured jobs: lists and vertices from public hardware tests as plain words, with results from a real PSP.
//! This project does not hold these files; they come from the corpus (`PSPGE_CORPUS/measured/*.txt`).
//!
//! Each line holds a job, in fields separated by `|`. Empty lines and lines beginning with `#` are skipped.
//!
//! | field | contents |
//! | --- | --- |
//! | name | any text; several jobs may share it |
//! | result | a CRC-32 in eight hexadecimal digits; or `1` if some pixel is drawn, `0` if none is; or one value for each point of the last field |
//! | read | `color`, `depth` or `color16`, and the number of rows if it is not 272: `color, 136 rows` |
//! | list | words in hexadecimal |
//! | vertices | words in hexadecimal |
//! | points | only with values: pixels as `x,y` |
//!
//! A value is a pixel's low 16 bits in four hexadecimal digits, or its low byte without the lowest two bits in
//! decimal followed by a minus sign (`240-`), or, for a job that reads depth, a depth in decimal. For the addresses,
//! see [`memory`].
//!
//! # Invariants
//! An odd line is an error for this line alone, with the file's name and the line's number; the file's other lines
//! are read all the same.

pub mod expectation;
pub mod job;
pub mod memory;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use self::job::{Job, LineError};

/// A line in a file with measured jobs.
#[derive(Debug)]
pub struct MeasuredLine {
    /// The file's name without its ending.
    pub file: String,
    /// The line's number in the file, from 1.
    pub number: usize,
    /// The trial's name, to filter by: `measured`, the file, and the job's name, with the buffer unless it is colour.
    /// If jobs share a name, all but the first get a number: ` #2`.
    pub trial: String,
    /// The job to run, or the error in this line.
    pub job: Result<Job, LineError>,
}

impl MeasuredLine {
    /// Runs this job with every engine, to compare the results with the PSP's.
    ///
    /// # Errors
    /// If a result differs from the PSP's, or if this line is wrong; with file and line number.
    pub fn check(&self) -> Result<(), String> {
        let place = |text: &dyn fmt::Display| format!("{}.txt: line {}: {text}", self.file, self.number);
        let job = self.job.as_ref().map_err(|error| place(error))?;
        memory::check(job).map_err(|differences| place(&differences))
    }
}

/// Reads all files in a folder, sorted by name.
///
/// # Errors
/// If the folder or a file cannot be read.
pub fn lines(folder: &Path) -> Result<Vec<MeasuredLine>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "txt") {
            paths.push(path);
        }
    }
    paths.sort();
    let mut lines = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let file = path.file_stem().unwrap_or_default().to_string_lossy();
        lines.extend(parse(&file, &text));
    }
    Ok(lines)
}

/// The file with the names of the corpus's jobs, below `ge-tests/cases`.
const NAMES: &str = "measured.txt";

/// Reads recorded job names: trial names without `measured::`. They let other tests count jobs without a corpus,
/// which may have further jobs.
///
/// # Errors
/// If the file cannot be read.
pub fn names(root: &Path) -> Result<Vec<String>> {
    let path = root.join(NAMES);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(text.lines().filter(|line| !line.starts_with(';')).map(str::to_owned).collect())
}

/// Records job names, for [`names`] to read.
///
/// # Errors
/// If the file cannot be written.
pub fn write_names(root: &Path, lines: &[MeasuredLine]) -> Result<()> {
    let mut text = String::from(
        "; Names of the measured jobs of the corpus. `INSTA_UPDATE=always` with PSPGE_CORPUS records them again.\n",
    );
    for line in lines {
        text += line.trial.strip_prefix("measured::").unwrap_or(&line.trial);
        text.push('\n');
    }
    fs::write(root.join(NAMES), text).with_context(|| NAMES.to_owned())
}

/// Reads a file's text.
fn parse(file: &str, text: &str) -> Vec<MeasuredLine> {
    let mut seen = BTreeMap::<String, usize>::new();
    let jobs = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    jobs.map(|(index, line)| {
        let number = index + 1;
        let job = Job::parse(line);
        let name = job.as_ref().map_or_else(|_| format!("line {number}"), Job::label);
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        let again = if *count > 1 { format!(" #{count}") } else { String::new() };
        MeasuredLine { file: file.to_owned(), number, trial: format!("measured::{file}::{name}{again}"), job }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_lines_are_errors_of_their_own() {
        let text =
            "# comment\n\na b|1|color|0f000000 0c000000|\na b|1|color|0f000000|\nnonsense\na b|1|depth||\n";
        let lines = parse("made", text);
        let trials: Vec<_> = lines.iter().map(|line| line.trial.as_str()).collect();
        assert_eq!(
            trials,
            [
                "measured::made::a b",
                "measured::made::a b #2",
                "measured::made::line 5",
                "measured::made::a b depth"
            ],
            "names"
        );
        assert_eq!(
            lines[2].check().expect_err("too few fields"),
            "made.txt: line 5: 1 fields instead of 5 or 6",
            "place"
        );
    }

    #[test]
    fn differences_name_both_engines() {
        let lines = parse("made", "empty|1|color|0f000000 0c000000|");
        let found = lines[0].check().expect_err("an empty list draws nothing");
        assert_eq!(
            found, "made.txt: line 1: fast engine: found 0, PSP 1; reference engine: found 0, PSP 1",
            "message"
        );
        assert_eq!(parse("made", "empty|0|color|0f000000 0c000000|")[0].check(), Ok(()), "as expected");
    }

    #[test]
    fn lists_without_end_are_differences() {
        let lines = parse("made", "loop|0|color|08000000|");
        let message = lines[0].check().expect_err("no end");
        assert!(message.contains("the list ended with"), "{message}");
    }
}
