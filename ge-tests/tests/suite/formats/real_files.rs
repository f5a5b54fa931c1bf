//! Opens the real files in the corpus: each must open with the same counts as from an independent parser, and only
//! problems with a reason may refuse its damaged copies.
//!
//! To run these tests, set `PSPGE_CORPUS` to the folder with `models`. Without it they print a message and pass.

use std::collections::BTreeSet;
use std::sync::Mutex;

use ge_tests::damage::{assert_located, count_parallel};
use ge_tests::real_files::{self, COPIES, problem_name};
use ge_tests::{corpus, snapshot};
use pspge::formats::{self, Registry, Request};

/// Files refused by other programs, too.
const REFUSED: [&str; 1] = ["pmdl/bad_par0_gx_be32_exporter_index_bug.pmdl"];

#[test]
fn real_files_open_and_damaged_copies_are_refused_with_a_reason() {
    let Some(models) = corpus::folder("models") else { return };
    let mut files = real_files::read(&models);
    for file in files.iter_mut().filter(|file| file.is_known()) {
        let name = file.name.clone();
        assert_eq!(
            file.opened.is_err(),
            REFUSED.contains(&name.as_str()),
            "{name}: {:?}",
            file.opened.as_ref().err()
        );
        for (column, published, here) in file.compared() {
            assert_eq!(here, published, "{name}: {column}");
        }
        let refused = Mutex::new(Vec::new());
        let opened = count_parallel(COPIES, |number| {
            let bytes = file.damaged(number);
            let Err(error) = formats::open(&Request::new(&name, &bytes)) else { return true };
            assert_located(&name, &error, bytes.len());
            assert!(
                error.kind.refusal().is_some(),
                "{name}, copy {number}: {:?} has no reason to refuse",
                error.kind
            );
            refused.lock().expect("no panic").push(problem_name(&error.kind));
            false
        });
        let refused = refused.into_inner().expect("no panic");
        assert_eq!(opened + refused.len(), COPIES, "{name}: every copy is opened or refused");
        for problem in refused {
            *file.refused_copies.entry(problem).or_default() += 1;
        }
    }
    let page = real_files::page(&files);
    if snapshot::accepts_changes() {
        std::fs::write(real_files::page_path(), page).expect("the page can be written");
        return;
    }
    let accepted = std::fs::read_to_string(real_files::page_path()).unwrap_or_default();
    assert_eq!(page, accepted, "the page changed; INSTA_UPDATE=always accepts it");
}

#[test]
fn each_problem_is_listed_once() {
    for format in Registry::standard().formats() {
        let problems: BTreeSet<&str> =
            format.descriptor().refusals.iter().map(|refusal| refusal.problem).collect();
        assert_eq!(problems.len(), format.descriptor().refusals.len(), "{format}: each problem once");
    }
}
