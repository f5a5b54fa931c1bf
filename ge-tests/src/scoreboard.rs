//! Writes the reference page to compare pspge with PPSSPP's software renderer: how much evidence each reproduces.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use pspge::compare::{self, CompareOptions, Picture};
use pspge::ge::arithmetic::Arithmetic;

use crate::case::Status;
use crate::frames;
use crate::inventory::{Inventory, PublicTest};

/// Returns the page's path.
#[must_use]
pub fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/engine/reference/ge/scoreboard.md")
}

/// Writes the page from all tests' results, and from the recorded frames in a folder.
///
/// # Panics
/// If a frame or its picture is damaged.
#[must_use]
pub fn page(results: &Inventory, recorded: &Path) -> String {
    let mut text = String::from(
        "# Scoreboard\n\n\
        This page is written by the conformance tests: `INSTA_UPDATE=always PSPGE_CORPUS=... cargo test --test \
        conformance`. Without that variable they check that it is up to date.\n\n",
    );
    sums(&mut text, results);
    tests(&mut text, results);
    frame_table(&mut text, recorded);
    text
}

// This ignores the results of `writeln!`, because writing to a String cannot fail.

/// Writes sums over all tests.
fn sums(text: &mut String, results: &Inventory) {
    text.push_str("| evidence of a real PSP | pspge | PPSSPP |\n| --- | ---: | ---: |\n");
    let judged: Vec<&PublicTest> = results.tests().filter(|test| test.verdict.total > 0).collect();
    let passed = judged.iter().filter(|test| test.verdict.passed == test.verdict.total).count();
    let theirs = judged.iter().filter(|test| test.ppsspp == Status::Passes).count();
    let count = judged.len();
    let _ = writeln!(text, "| tests of pspautotests that pass | {passed} of {count} | {theirs} of {count} |");
    let rows = |value: fn(&PublicTest) -> usize| judged.iter().map(|test| value(test)).sum::<usize>();
    let (exact, all) = (rows(|test| test.verdict.passed), rows(|test| test.verdict.total));
    let _ = writeln!(text, "| their rows and pictures that are exact | {exact} of {all} | |");
    let framed: Vec<(usize, usize)> =
        results.tests().filter_map(|test| Some((test.wrong_pixels?, test.frame?.1))).collect();
    let [ours, theirs] = [
        framed.iter().filter(|(ours, _)| *ours == 0).count(),
        framed.iter().filter(|(_, theirs)| *theirs == 0).count(),
    ];
    let count = framed.len();
    let _ = writeln!(
        text,
        "| pictures of recorded frames that are exact | {ours} of {count} | {theirs} of {count} |"
    );
    let [ours, theirs] = [
        framed.iter().map(|(ours, _)| ours).sum::<usize>(),
        framed.iter().map(|(_, theirs)| theirs).sum::<usize>(),
    ];
    let _ = writeln!(text, "| their wrong pixels | {ours} | {theirs} |");
    for (file, measured) in results.measured() {
        let _ = writeln!(
            text,
            "| measured jobs of {file} that are exact | {} of {} | |",
            measured.exact, measured.total
        );
    }
}

/// Writes a row for each test.
fn tests(text: &mut String, results: &Inventory) {
    text.push_str(
        "\n## Tests\n\nRows and pictures of each test that are exact, and wrong pixels of its recorded frame. PPSSPP's \
        results are those of its own list, and of the frame replayed by its software renderer.\n\n\
        | test | rows | wrong pixels | PPSSPP | its wrong pixels |\n| --- | ---: | ---: | --- | ---: |\n",
    );
    for test in results.tests().filter(|test| test.verdict.total > 0 || test.wrong_pixels.is_some()) {
        let pixels = test.wrong_pixels.map_or_else(String::new, |pixels| pixels.to_string());
        let theirs = test.frame.map_or_else(String::new, |(_, pixels)| pixels.to_string());
        let status = match test.ppsspp {
            Status::Passes => "passes",
            Status::Fails => "fails",
            Status::Unknown => "unknown",
        };
        let rows = match test.verdict.total {
            0 => String::new(),
            total => format!("{} of {total}", test.verdict.passed),
        };
        let _ = writeln!(text, "| {} | {rows} | {pixels} | {status} | {theirs} |", test.name);
    }
}

/// Writes a row for each frame from a game.
fn frame_table(text: &mut String, recorded: &Path) {
    text.push_str(
        "\n## Frames of games\n\nNobody has pictures of these frames from a PSP. They are compared with PPSSPP's software \
        renderer, which transforms in single precision, samples triangles at 7/16 of a pixel and rounds colours: see \
        [frames](crate::reference::ge::frames). Area pixels are those of areas, without edges and rounding: see \
        `pspge::compare::areas`.\n\n\
        | frame | differing pixels, hardware | area pixels | differing pixels, single precision | area pixels |\n\
        | --- | ---: | ---: | ---: | ---: |\n",
    );
    for (name, path) in frames::dumps(recorded) {
        let reference = Picture::from_image(frames::reference(&path)).expect("a picture");
        let cells = [Arithmetic::Hardware, Arithmetic::Single].map(|arithmetic| {
            let picture = Picture::from_image(frames::draw(&path, arithmetic)).expect("a picture");
            let options = CompareOptions::default();
            let differing = compare::differing_pixels(&reference, &picture, &options).expect("one size");
            let areas = compare::areas(&reference, &picture, &options).expect("one size");
            format!("{} | {}", differing.len(), areas.pixels)
        });
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
}
