//! Tests lists whose results a PSP gave as checksums.

use std::fs;

use serde_json::Value;

use super::{PASSES, judge, judge_one, renderer, test};
use crate::support::{empty_folder, pspge_in, text};

#[test]
fn checksums_of_a_psp_are_references() {
    let folder = empty_folder("checksums");
    fs::create_dir_all(folder.join("cases/scenes")).expect("a folder");
    fs::write(folder.join("cases/scenes/list.ge"), PASSES).expect("a list");
    // These are the screen's rows, without the columns that no screen shows, from the command that shows memory.
    let shown = pspge_in(&folder, "memory cases/scenes/list.ge 0x04000000 --length 557056 -o frame.bin -q");
    assert!(shown.status.success(), "{}", text(&shown.stderr));
    let mut sum = flate2::Crc::new();
    for row in fs::read(folder.join("frame.bin")).expect("bytes").chunks(2048) {
        sum.update(&row[..1920]);
    }
    let table = |frame: u32| {
        let lines = format!("frame_crc32\tfile\tname\n{frame:08X}\tlist.ge\tpasses\n\tgone.ge\t\n");
        fs::write(folder.join("cases/scenes/scenes.tsv"), lines).expect("a table");
    };
    table(sum.sum());
    let (status, judgements) = judge(&folder, &["cases"]);
    assert_eq!((status, judgements.len()), (Some(1), 2), "{judgements:?}");
    assert_eq!(judgements[0]["message"], "the table names it, but there is no such list", "a missing list");
    assert_eq!(
        (&judgements[1]["outcome"], &judgements[1]["message"]),
        (&"passed".into(), &Value::Null),
        "equal"
    );
    assert_eq!(
        judgements[1]["facts"][0],
        serde_json::json!({"name": "scene", "value": "passes"}),
        "its name"
    );
    let output = test(&folder, &["cases", "--filter", "list"]);
    assert!(text(&output.stderr).contains("pspge: 1 passed; 1 of 1 checksums of a PSP"), "{output:?}");
    table(!sum.sum());
    // No rule makes a checksum nearly equal.
    let (status, judgement) = judge_one(&folder, &["cases", "--filter", "list", "--require", "area"]);
    assert_eq!((status, &judgement["outcome"]), (Some(1), &"failed".into()), "{judgement}");
    let message = format!("frame {:08X} instead of {:08X}", sum.sum(), !sum.sum());
    assert_eq!(judgement["message"], message.as_str(), "both checksums");
    let other = renderer("");
    let (_, judgement) = judge_one(&folder, &["cases", "--filter", "list", "--renderer", &other]);
    assert_eq!(judgement["outcome"], "without-reference", "memory of another renderer is unknown");
    fs::write(folder.join("cases/scenes/scenes.tsv"), "file\tframe_crc32\nlist.ge\tfoo\n").expect("a table");
    let wrong = test(&folder, &["cases"]);
    let message = text(&wrong.stderr);
    assert!(
        message.contains("scenes.tsv") && message.contains("line 2: frame_crc32: 'foo' is no number"),
        "{message}"
    );
}
