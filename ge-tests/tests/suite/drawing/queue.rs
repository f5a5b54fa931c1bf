//! Replays how programs used the kernel's queue of lists on a real PSP, to compare everything that the queue returns.
//!
//! `queue/README.md` in the corpus describes the files. After each step, the GE runs to its next stop and callbacks
//! run in turn, because all lists in these programs are short.

mod case;
mod player;
mod random;

use case::Node;
use player::Player;

#[test]
fn queue_answers_as_a_psp_does() {
    let Some(folder) = ge_tests::corpus::folder("queue") else { return };
    let entries = std::fs::read_dir(&folder).expect("a folder of cases");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "case"));
    paths.sort();
    assert!(!paths.is_empty(), "there are cases in {}", folder.display());
    let index = std::fs::read_to_string(folder.join("index.tsv")).expect("an index");
    let mut failures = Vec::new();
    for path in &paths {
        let read = |extension| {
            let path = path.with_extension(extension);
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        let nodes = Node::parse(&read("case"));
        let expected = read("expected");
        let mut player = Player::new(&expected);
        player.play(&nodes);
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let expectations =
            index.lines().find_map(|line| line.strip_prefix(&*name)?.strip_prefix('\t')?.rsplit('\t').next());
        let compared = player.compared.to_string();
        assert!(
            expectations.is_none_or(|count| count == compared),
            "{name}: {compared} results were compared"
        );
        failures.extend(player.failures.into_iter().map(|failure| format!("{name}: {failure}")));
    }
    assert!(failures.is_empty(), "{} differences:\n{}", failures.len(), failures.join("\n"));
}
