//! Tests the experiments for rules that no data decide. Each such rule has a probe, or a reason why there is none,
//! and its rivals give different pictures, of which pspge draws one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ge_tests::frames;
use ge_tests::probe::{self, Answer, Probe, Screen};
use ge_tests::rules::data::{Certainty, RuleTable};
use pspge::ge::arithmetic::Arithmetic;

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}

fn probes() -> Vec<Probe> {
    Probe::read_all(&cases()).unwrap_or_else(|error| panic!("{error:#}"))
}

fn draw(name: &str, list: &str) -> Screen {
    Screen::draw(list).unwrap_or_else(|error| panic!("{name}: {error:#}"))
}

#[test]
fn every_undecided_rule_has_an_experiment() {
    let table = RuleTable::read(&cases().join("rules.toml")).unwrap_or_else(|error| panic!("{error:#}"));
    let probes = probes();
    let probed: BTreeSet<&str> = probes.iter().map(|probe| probe.rule.as_str()).collect();
    for rule in &table.rules {
        let name = rule.rule.as_str();
        let (has_probe, has_reason) = (probed.contains(name), !rule.no_probe.is_empty());
        match rule.certainty {
            Certainty::Undecided => {
                assert!(has_probe != has_reason, "{name}: an experiment, or a reason why there is none");
            }
            // A PSP could still confirm this rule, so a probe may exist.
            Certainty::Alike => assert!(!has_reason, "{name}: data decide it"),
            _ => assert!(!has_probe && !has_reason, "{name}: a PSP or the replay tool has decided it"),
        }
    }
    let open = table.open_points.iter().map(|point| point.point.as_str());
    let names: BTreeSet<&str> = table.rules.iter().map(|rule| rule.rule.as_str()).chain(open).collect();
    let unknown: Vec<_> = probed.difference(&names).collect();
    assert!(unknown.is_empty(), "experiments for rules and open points that do not exist: {unknown:?}");
}

#[test]
fn rivals_give_different_pictures() {
    for Probe { name, experiment, rivals, .. } in probes() {
        let drawn: Vec<Screen> =
            rivals.iter().map(|rival| draw(&format!("{name}, rival {}", rival.name), &rival.list)).collect();
        assert!(drawn.len() > 1, "{name}: there are at least two rivals");
        for (first, screen) in drawn.iter().enumerate() {
            let equal = drawn.iter().position(|other| other.picture() == screen.picture());
            assert_eq!(equal, Some(first), "{name}: rival {} looks like another one", rivals[first].name);
        }
        let screen = draw(&name, &experiment);
        let found = drawn.iter().position(|rival| rival.checksum() == screen.checksum());
        assert!(found.is_some(), "{name}: the experiment shows none of its rivals");
        let found = drawn.iter().position(|rival| rival.picture() == screen.picture());
        eprintln!("{name}: {}", found.map_or("none", |found| rivals[found].answer.as_str()));
    }
}

/// A PSP gets experiments as frame dumps, so these must draw the same.
#[test]
fn dumps_show_the_same_picture() {
    let folder = new_folder();
    for probe in probes() {
        let path = folder.join(&probe.name).with_extension("ppdmp");
        let dump = probe.dump().unwrap_or_else(|error| panic!("{}: {error:#}", probe.name));
        assert_eq!(dump.is_none(), probe.list_only.is_some(), "{}: a dump or a reason", probe.name);
        let Some(dump) = dump else { continue };
        std::fs::write(&path, dump).expect("a dump can be written");
        let expected = draw(&probe.name, &probe.experiment).picture();
        assert!(frames::draw(&path, Arithmetic::Hardware) == expected, "{}: another picture", probe.name);
    }
}

#[test]
fn answers_confirm_rivals() {
    let (folder, probes) = (new_folder(), probes());
    let (pictured, measured) = (&probes[0], &probes[1]);
    let last = pictured.rivals.last().expect("rivals");
    let picture = draw(&pictured.name, &last.list).picture();
    picture.save(folder.join(&pictured.name).with_extension("png")).expect("a picture can be written");
    let first = &measured.rivals[0];
    let checksum = draw(&measured.name, &first.list).checksum();
    let table = format!("file\tframe_crc32\n{}.ge\t{checksum:08x}\n", measured.name);
    std::fs::write(folder.join("scenes.tsv"), table).expect("a table can be written");
    let answers = probe::answers(&folder, &probes).unwrap_or_else(|error| panic!("{error:#}"));
    assert_eq!(answers.len(), 2, "a picture and a checksum");
    for (probe, rival) in [(pictured, last), (measured, first)] {
        let confirmed = probe.confirmed(&answers[&probe.name]).unwrap_or_else(|error| panic!("{error:#}"));
        assert_eq!(confirmed, [rival], "{}", probe.name);
    }
    let wrong = probes[0].confirmed(&Answer::Checksum(0)).unwrap_or_else(|error| panic!("{error:#}"));
    assert!(wrong.is_empty(), "no rival has this checksum");
}

/// Makes an empty folder for this test alone.
fn new_folder() -> PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("probes-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}
