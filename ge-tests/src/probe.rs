//! Experiments to decide between rival rules, as display lists for the owner of a PSP to run.
//!
//! A file `cases/probe/NAME.ge` holds a probe for a rule that no data here decide, or for an open point. Its parts
//! begin with lines `;; …`:
//!
//! | part | contents |
//! | --- | --- |
//! | `;; rule: NAME` | the rule or open point in `rules.toml` to decide, then comments to say how |
//! | `;; list only: REASON` | optional: why a frame dump cannot hold the experiment |
//! | `;; setup` | optional: state for all lists below |
//! | `;; experiment` | the list whose picture is not known |
//! | `;; rival NAME: ANSWER` | a list with decided rules alone. The experiment shows its picture if the answer is true. |
//! | `;; data` | optional: vertices and texels for all lists |
//!
//! So no rule has to be switched inside the engine: the PSP's picture equals a rival's, and this confirms the rival.
//! Every list starts on a cleared screen ([`SETUP`]) and need not end, because [`END`] follows it.
//!
//! # Invariants
//! The test `probes` checks that the rivals' pictures differ, and that the experiment, as drawn here, equals one of
//! them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use image::RgbImage;
use pspge::asm;
use pspge::export::recorder;
use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::memory::Memory;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::interpreter::{Ending, Interpreter, Limits};
use pspge::run::sink::NullObserver;

use crate::input;

/// The state before each list: a cleared screen, with identity matrices.
pub const SETUP: &str = "
    .include <psp/init>
    .include <psp/screen>
    .include <psp/identity>
    MATERIALAMBIENT #203040 | MATERIALALPHA 0xff
    .include <psp/clear>
    MATERIALAMBIENT #ffffff | SHADEMODE GOURAUD
";

/// Ends each list, before its data.
pub const END: &str = "\n    FINISH | END\n.align 16\n";

/// The screen's width and height, in pixels.
const SIZE: [u32; 2] = [480, 272];
/// How many pixels are from a row to the next, and the screen's address.
const STRIDE: u32 = 512;
const SCREEN: u32 = 0x0400_0000;

/// The game id to write into the dumps.
const GAME_ID: [u8; 9] = *b"PSPGEPROB";

/// An experiment with its rivals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The file's name without its ending.
    pub name: String,
    /// The rule or open point to decide, as named in `rules.toml`.
    pub rule: String,
    /// What this probe shows, and how.
    pub about: String,
    /// Why a frame dump cannot hold this experiment, so a program has to send the list itself.
    pub list_only: Option<String>,
    /// The experiment's list.
    pub experiment: String,
    /// The possible answers.
    pub rivals: Vec<Rival>,
}

/// A possible answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rival {
    /// A short name.
    pub name: String,
    /// What is true if the experiment's picture is this rival's.
    pub answer: String,
    /// A list to draw this rival's picture with decided rules.
    pub list: String,
}

/// A part of a probe's file: its heading and text.
type Part<'a> = (&'a str, String);

impl Probe {
    /// Reads a probe's text.
    ///
    /// # Errors
    /// If the text does not have the form described in this module.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let mut parts: Vec<Part<'_>> = Vec::new();
        for line in text.lines() {
            match (line.strip_prefix(";; "), parts.last_mut()) {
                (Some(heading), _) => parts.push((heading.trim(), String::new())),
                (None, Some((_, body))) => {
                    body.push_str(line);
                    body.push('\n');
                }
                (None, None) => bail!("{name}: the first line is not `;; rule: …`"),
            }
        }
        let find = |heading: &str| parts.iter().find(|(found, _)| *found == heading).map(|(_, body)| body);
        let shared = |heading: &str| find(heading).map_or("", String::as_str);
        let whole = |body: &str| format!("{SETUP}{}{body}{END}{}", shared("setup"), shared("data"));
        let Some((first, about)) = parts.first() else { bail!("{name}: it is empty") };
        let rule =
            first.strip_prefix("rule: ").with_context(|| format!("{name}: `;; rule: …` is missing"))?;
        let experiment = find("experiment").with_context(|| format!("{name}: there is no experiment"))?;
        let (mut rivals, mut list_only) = (Vec::new(), None);
        for (heading, body) in &parts[1..] {
            if let Some(reason) = heading.strip_prefix("list only: ") {
                list_only = Some(reason.to_owned());
            } else if let Some(heading) = heading.strip_prefix("rival ") {
                let (rival, answer) = heading
                    .split_once(": ")
                    .with_context(|| format!("{name}: `;; rival {heading}` has no answer"))?;
                let (rival, answer) = (rival.to_owned(), answer.to_owned());
                rivals.push(Rival { name: rival, answer, list: whole(body) });
            } else if !["setup", "experiment", "data"].contains(heading) {
                bail!("{name}: unknown part `;; {heading}`");
            }
        }
        let about =
            about.lines().map(|line| line.trim_start_matches(';').trim()).collect::<Vec<_>>().join(" ");
        Ok(Self {
            name: name.to_owned(),
            rule: rule.to_owned(),
            about: about.trim().to_owned(),
            list_only,
            experiment: whole(experiment),
            rivals,
        })
    }

    /// Reads all probes below `ge-tests/cases`, by name.
    ///
    /// # Errors
    /// If a file is no probe.
    pub fn read_all(cases: &Path) -> Result<Vec<Self>> {
        let paths = input::entries(&cases.join("probe"));
        let lists = paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "ge"));
        lists
            .map(|path| {
                let text =
                    String::from_utf8(input::read(path)).with_context(|| path.display().to_string())?;
                Self::parse(&path.file_stem().unwrap_or_default().to_string_lossy(), &text)
            })
            .collect()
    }

    /// Returns the rivals confirmed by an answer.
    ///
    /// # Errors
    /// If a rival's list cannot be drawn.
    pub fn confirmed(&self, answer: &Answer) -> Result<Vec<&Rival>> {
        let mut found = Vec::new();
        for rival in &self.rivals {
            let picture =
                Screen::draw(&rival.list).with_context(|| format!("{} {}", self.name, rival.name))?;
            if answer.is_of(&picture) {
                found.push(rival);
            }
        }
        Ok(found)
    }

    /// Records the experiment as a frame dump, for a PSP to replay. Returns `None` if a dump cannot hold it.
    ///
    /// # Errors
    /// If it does not assemble.
    pub fn dump(&self) -> Result<Option<Vec<u8>>> {
        if self.list_only.is_some() {
            return Ok(None);
        }
        let capture = assemble(&self.experiment).with_context(|| self.name.clone())?;
        let recorded = recorder::record(capture, GAME_ID, Arithmetic::Hardware, &Limits::default())
            .with_context(|| format!("{}: too large for a frame dump", self.name))?;
        Ok(Some(recorded.dump.to_bytes()))
    }
}

/// A PSP's result for an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The picture, without alpha.
    Picture(RgbImage),
    /// A CRC-32 over the screen's bytes, as in `scenes.tsv`.
    Checksum(u32),
}

impl Answer {
    /// Tells whether a screen gives this answer.
    #[must_use]
    pub fn is_of(&self, screen: &Screen) -> bool {
        match self {
            Self::Picture(picture) => *picture == screen.picture(),
            Self::Checksum(checksum) => *checksum == screen.checksum(),
        }
    }
}

/// The screen after a list: 480x272 pixels with 32 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen(Vec<u8>);

impl Screen {
    /// Runs a list, and reads the screen.
    ///
    /// # Errors
    /// If the list does not assemble or does not end.
    pub fn draw(list: &str) -> Result<Self> {
        let mut capture = assemble(list)?;
        let arithmetic = Arithmetic::Hardware;
        let mut raster = Rasterizer::new(RasterOptions { arithmetic, ..RasterOptions::default() });
        let mut interpreter = Interpreter::new(capture.registers.clone(), arithmetic);
        let limits = Limits::default();
        let (memory, start) = (&mut capture.memory, capture.start);
        let report = interpreter.run(memory, start, &mut raster, &mut NullObserver, &limits);
        if report.ending != Ending::Finished {
            bail!("the list ended with {:?} at {}", report.ending, report.at);
        }
        Ok(Self::of_memory(&capture.memory))
    }

    fn of_memory(memory: &Memory) -> Self {
        let [width, height] = SIZE;
        let mut row = vec![0; width as usize * 4];
        let mut bytes = Vec::with_capacity(row.len() * height as usize);
        for y in 0..height {
            memory.read(Address::new(SCREEN + y * STRIDE * 4), &mut row);
            bytes.extend_from_slice(&row);
        }
        Self(bytes)
    }

    /// Returns the picture without alpha.
    ///
    /// # Panics
    /// Never: the screen always has bytes for this size.
    #[must_use]
    pub fn picture(&self) -> RgbImage {
        let [width, height] = SIZE;
        let samples = self.0.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        RgbImage::from_raw(width, height, samples).expect("three samples a pixel")
    }

    /// Returns a CRC-32 over all bytes, as in `scenes.tsv`.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        crc32fast::hash(&self.0)
    }
}

/// Assembles a list.
fn assemble(list: &str) -> Result<pspge::ge::capture::Capture> {
    match asm::assemble(list) {
        Ok(program) => Ok(program.capture()),
        Err(errors) => bail!("{}", errors.report()),
    }
}

/// Reads the answers in a folder by the probe's name: pictures `NAME.png` and `NAME.bmp`, and a table `scenes.tsv`
/// with the columns `file` and `frame_crc32`.
///
/// # Errors
/// If a picture or the table cannot be read.
pub fn answers(folder: &Path, probes: &[Probe]) -> Result<BTreeMap<String, Answer>> {
    let mut found = BTreeMap::new();
    let table = folder.join(pspge::compare::MeasuredScene::TABLE);
    if table.is_file() {
        let text = std::fs::read_to_string(&table).with_context(|| table.display().to_string())?;
        found.extend(checksums(&text).with_context(|| table.display().to_string())?);
    }
    for probe in probes {
        for ending in ["png", "bmp"] {
            let path = folder.join(&probe.name).with_extension(ending);
            if path.is_file() {
                let picture = image::open(&path).with_context(|| path.display().to_string())?;
                found.insert(probe.name.clone(), Answer::Picture(picture.into_rgb8()));
            }
        }
    }
    Ok(found)
}

/// Reads a table of checksums.
fn checksums(table: &str) -> Result<Vec<(String, Answer)>> {
    let mut lines = table.lines().map(|line| line.split('\t').map(str::trim).collect::<Vec<_>>());
    let columns = lines.next().unwrap_or_default();
    let column = |name: &str| {
        columns
            .iter()
            .position(|column| *column == name)
            .with_context(|| format!("there is no column `{name}`"))
    };
    let (file, crc) = (column("file")?, column("frame_crc32")?);
    let mut found = Vec::new();
    for (number, fields) in (2..).zip(lines) {
        let (Some(file), Some(crc)) = (fields.get(file), fields.get(crc)) else { continue };
        if crc.is_empty() {
            continue;
        }
        let checksum =
            u32::from_str_radix(crc, 16).with_context(|| format!("line {number}: `{crc}` is no checksum"))?;
        let name = file.rsplit_once('.').map_or(*file, |(name, _)| name);
        found.push((name.to_owned(), Answer::Checksum(checksum)));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROBE: &str = ";; rule: R\n; How it decides,\n; in two lines.\n;; setup\nA\n;; experiment\nB\n\
                         ;; rival one: first\nC\n;; rival two: second\nD\n;; data\nE\n";

    #[test]
    fn parts_are_joined() {
        let probe = Probe::parse("p", PROBE).expect("a probe");
        assert_eq!(
            (probe.rule.as_str(), probe.about.as_str()),
            ("R", "How it decides, in two lines."),
            "head"
        );
        assert_eq!(probe.experiment, format!("{SETUP}A\nB\n{END}E\n"), "setup, experiment, data");
        let rivals: Vec<_> = probe.rivals.iter().map(|rival| (&*rival.name, &*rival.answer)).collect();
        assert_eq!(rivals, [("one", "first"), ("two", "second")], "rivals");
    }

    #[test]
    fn odd_parts_are_errors() {
        for (from, to, message) in [
            (";; rule: R", "; R", "p: the first line is not `;; rule: …`"),
            (";; rule: R", ";; setup", "p: `;; rule: …` is missing"),
            (";; experiment", ";; other", "p: there is no experiment"),
            ("one: first", "one", "p: `;; rival one` has no answer"),
            (";; data", ";; date", "p: unknown part `;; date`"),
        ] {
            let error = Probe::parse("p", &PROBE.replacen(from, to, 1)).expect_err(to);
            assert_eq!(error.to_string(), message, "{to}");
        }
    }

    #[test]
    fn tables_hold_checksums() {
        let table = "file\tname\tframe_crc32\na.ge\tx\t00000010\nb.ppdmp\ty\t\n";
        let expected = ("a".to_owned(), Answer::Checksum(0x10));
        assert_eq!(checksums(table).expect("a table"), [expected], "rows without a checksum are skipped");
        assert!(checksums("file\tname\n").is_err(), "no column");
        assert!(checksums("file\tframe_crc32\na\txyz\n").is_err(), "no number");
    }
}
