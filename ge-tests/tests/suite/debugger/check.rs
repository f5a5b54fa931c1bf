//! Runs the check on random lists and on recorded frames: it must change no result, and raise no false alarm.
//!
//! To check recorded frames, set `PSPGE_CORPUS`. Without it this part prints a message and passes.

use std::collections::BTreeSet;
use std::path::Path;

use ge_tests::random_list::{self, Kind, RandomList};
use ge_tests::{corpus, frames, generate, input};
use pspge::check::{self, CheckOptions, Finding, Machine, Rule, Severity};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::limits::Limits;
use pspge::ge::memory::Memory;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::replay;
use pspge::run::sink::NullObserver;

/// Warnings found in frames from games, and how often in all frames in the corpus. These are mistakes by the games,
/// or by the recorder, without effect on the picture.
const WARNINGS: &[(&str, Rule, u64)] = &[
    ("beam-em-up", Rule::VertexNotFinite, 9),
    ("frontier-gate-boost", Rule::LostCopies, 28),
    ("locoroco-tropuca", Rule::TooFewVertices, 8),
    ("locoroco-tropuca", Rule::UnalignedAddress, 14),
    ("pursuit-force", Rule::LostCopies, 16),
    ("pursuit-force-desert", Rule::LostCopies, 16),
    // This finding is true: draw 15 has a vertex in column 9703.
    ("pursuit-force-desert", Rule::ThroughClamped, 3),
];

#[test]
fn check_draws_as_the_rasterizer_does() {
    for kind in Kind::ALL {
        for seed in 0..6 {
            let mut memory = Memory::default();
            memory.write(random_list::TEXELS, &generate::Random::new(seed + 1).bytes(0x1_0000));
            let capture = RandomList::new(kind, seed).capture(memory);
            let (mut drawn, mut checked) = (capture.clone(), capture);
            let (mut raster, limits) = (Rasterizer::new(RasterOptions::default()), Limits::default());
            replay::run(&mut drawn, Arithmetic::Hardware, &mut raster, &mut NullObserver, &limits);
            let _ = check::check(&mut checked, &CheckOptions::default());
            assert!(drawn.memory.vram() == checked.memory.vram(), "{kind:?} {seed}: VRAM");
        }
    }
}

/// A rule with severity warning or error is wrong if it fires in frames from games, apart from the known mistakes.
#[test]
fn frames_of_games_have_hardly_any_warning() {
    let Some(folder) = corpus::folder("frames") else { return };
    let mut found: Vec<(String, Rule, u64)> = Vec::new();
    for (name, path) in frames::dumps(&folder) {
        let bytes = input::read(&path);
        let asset = pspge::open(&name, &bytes).expect("a dump");
        let is_serious = |finding: &Finding| finding.severity != Severity::Hint;
        for finding in asset.check(&CheckOptions::default()).into_iter().filter(is_serious) {
            assert_ne!(finding.severity, Severity::Error, "{name}: {finding}");
            match found.iter_mut().find(|(known, rule, _)| *known == name && *rule == finding.rule) {
                Some((_, _, count)) => *count += finding.count,
                None => found.push((name.clone(), finding.rule, finding.count)),
            }
        }
    }
    found.sort_by_key(|(name, rule, _)| (name.clone(), rule.code()));
    let found: Vec<(&str, Rule, u64)> =
        found.iter().map(|(name, rule, count)| (name.as_str(), *rule, *count)).collect();
    assert_eq!(found, WARNINGS, "warnings of all frames");
}

/// Scenes that a real PSP drew differently from emulators, with the rule to say so.
const DIFFERENT_SCENES: &[(&str, Rule)] = &[
    ("scene-18.ge", Rule::ThroughClamped),
    ("scene-28.ge", Rule::ThroughClamped),
    ("scene-24.ge", Rule::BoxBehind),
    ("scene-33.ge", Rule::BoxBehind),
    ("scene-41.ge", Rule::BoxBehind),
    ("min/bbox-behind.ge", Rule::BoxBehind),
    ("min/morph.ge", Rule::NegativeColor),
    ("min/through-clamp.ge", Rule::ThroughClamped),
    ("scene-139.ge", Rule::NegativeColor),
    ("scene-143.ge", Rule::NegativeColor),
    ("min/three-textures.ge", Rule::StaleTexels),
    ("min/dxt-then-8888.ge", Rule::StaleTexels),
];

/// The check has to find each difference between a PSP and emulators.
#[test]
fn differences_of_a_psp_are_found() {
    let Some(folder) = corpus::folder("geprobe") else { return };
    let mut found = 0;
    for (name, rule) in DIFFERENT_SCENES {
        let path = folder.join(name);
        if !path.is_file() {
            continue;
        }
        let asset = pspge::open(name, &input::read(&path)).expect("a list");
        let findings = asset.check(&CheckOptions::default());
        assert!(findings.iter().any(|finding| finding.rule == *rule), "{name}: {findings:?}");
        assert!(rule.on(Machine::Psp).is_some(), "{name}: it names the difference");
        found += 1;
    }
    assert!(found > 0, "the folder has scenes");
}

/// Each rule on a PSP's own ways has a list with a finding, in the line with the comment `; finding`, and a list
/// without.
#[test]
fn lists_have_findings_where_they_say_so() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/check");
    let mut names: BTreeSet<String> =
        input::entries(&folder).iter().map(|path| path.display().to_string()).collect();
    for rule in Rule::ALL.iter().filter(|rule| rule.on(Machine::Psp).is_some()) {
        for (ending, is_found) in [("ge", true), ("silent.ge", false)] {
            let path = folder.join(format!("{rule}.{ending}"));
            assert!(names.remove(&path.display().to_string()), "{}: it exists", path.display());
            let bytes = input::read(&path);
            let text = String::from_utf8_lossy(&bytes);
            let marked = (1..).zip(text.lines()).filter(|(_, line)| line.ends_with("; finding"));
            let expected: Vec<u32> = marked.map(|(line, _)| line).collect();
            assert_eq!(expected.len(), usize::from(is_found), "{rule}.{ending}: a line is marked");
            let mut findings =
                pspge::open("list.ge", &bytes).expect("a list").check(&CheckOptions::default());
            findings.retain(|finding| finding.rule.on(Machine::Psp).is_some());
            assert!(findings.iter().all(|finding| finding.rule == *rule), "{rule}.{ending}: {findings:?}");
            let place = |finding: &Finding| finding.place.location.as_ref().map(|location| location.line);
            let found: Vec<u32> = findings.iter().filter_map(place).collect();
            assert_eq!(found, expected, "{rule}.{ending}: {findings:?}");
        }
    }
    assert!(names.is_empty(), "lists for no such rule: {names:?}");
}
