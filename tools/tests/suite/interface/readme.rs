//! Checks that the README and the guides tell the truth: runs every `console` block, and compares its output.
//!
//! In a block, a line `$ pspge ...` is a command, run in a copy of the samples' folder; the lines after it are its
//! output, standard error included. A line `...` matches any lines.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{copy_sample, empty_folder, portable_text, pspge_at, samples};

/// A command from the README, with the output shown for it.
struct Example {
    command: String,
    expected: Vec<String>,
}

/// Finds the examples in a text's `console` blocks.
fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut is_console = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_console = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_console) {
            examples.push(Example { command: command.to_owned(), expected: Vec::new() });
        } else if is_console && let Some(example) = examples.last_mut() {
            example.expected.push(line.to_owned());
        }
    }
    examples
}

/// Whether lines are as expected; `...` matches any number of lines.
fn matches(expected: &[String], lines: &[String]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..]))
        }
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, more)| line == first && matches(rest, more))
        }
    }
}

/// Copies the samples into a new folder. The README's commands start in the checkout, so they keep this path.
fn copy_of_samples(name: &str) -> PathBuf {
    let folder = empty_folder(name);
    for entry in fs::read_dir(samples()).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("text");
        copy_sample(&name, &folder.join("tools/sample").join(&name));
    }
    folder
}

#[test]
fn commands_of_the_readme_print_what_it_shows() {
    check_examples("../README.md", 10);
    check_examples("README.md", 3);
}

#[test]
fn commands_of_guides_print_what_they_show() {
    check_examples("../src/guides/wrong_pixel.md", 5);
    check_examples("../src/guides/regression_tests.md", 4);
    check_examples("../src/guides/change_textures.md", 6);
    check_examples("../src/guides/change_models.md", 7);
    check_examples("../src/guides/texture_packs.md", 6);
    check_examples("../src/guides/install.md", 4);
    check_examples("../src/guides/tables.md", 1);
}

/// Runs a text's examples. There must be at least `count`, so that a broken search does not pass.
fn check_examples(path: &str, count: usize) {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("the text");
    let examples = examples(&text);
    assert!(examples.len() >= count, "{path}: only {} examples", examples.len());
    let folder = copy_of_samples(&path.replace("../", "").replace('/', "-"));
    // Texts to be saved to a file start with a comment that names it.
    for block in text.split("```").filter(|block| block.contains("; Save as ")) {
        let (_, rest) = block.split_once("; Save as ").expect("a name");
        let name = rest.split_whitespace().next().expect("a name").trim_end_matches(['.', ',']);
        let (_, body) = block.split_once('\n').expect("a block has lines");
        fs::write(folder.join(name), body).expect("the file can be written");
    }
    for Example { command, expected } in examples {
        let words = shlex::split(&command).unwrap_or_else(|| panic!("{command}: a quote is not closed"));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let [program, arguments @ ..] = &words[..] else { panic!("an empty command") };
        assert_eq!(*program, "pspge", "{command}: only pspge is run");
        let output = pspge_at(&folder, arguments);
        let text = portable_text(&[output.stdout, output.stderr].concat());
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert!(matches(&expected, &lines), "$ {command}\n{text}\nexpected:\n{}", expected.join("\n"));
    }
}

#[test]
fn dots_match_any_lines() {
    let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&lines("a ... d"), &lines("a b c d")), "some lines");
    assert!(matches(&lines("a ..."), &lines("a")), "no line");
    assert!(!matches(&lines("a ... d"), &lines("a b c")), "the last line differs");
    assert!(!matches(&lines("a"), &lines("a b")), "more lines");
}
