//! Tests `pspge passes` and `pspge memory`: a frame's graph, its resources, and memory as bytes and pictures.

use std::fs;

use ge_tests::snapshot;
use serde_json::Value;

use crate::support::{document, list_folder, output, pspge_in, text};

/// Draws to a small buffer, copies it, samples both, and draws to an unread buffer.
const LIST: &str = "
    FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=63 y=63 | REGION2 x=63 y=63
    ZBUFPTR 0x110000 | ZBUFWIDTH width=64 | FRAMEBUFPTR 0x80000
    BASE hi(small) | VTYPE texcoord=BITS16 position=BITS16 through=1
    CLEARMODE enabled=1 color=1 depth=1 | VADDR lo(large) | PRIM primitive=RECTANGLES count=2
    CLEARMODE enabled=0 | VADDR lo(small) | PRIM primitive=RECTANGLES count=2
    TRANSFERSRC 0x080000 | TRANSFERSRCW width=64 high=4 | TRANSFERDST 0x900000 | TRANSFERDSTW width=64 high=8
    TRANSFERSIZE x=15 y=15 | TRANSFERSTART BITS32
    FRAMEBUFPTR 0xC0000 | VADDR lo(small) | PRIM primitive=RECTANGLES count=2
    FRAMEBUFPTR 0 | TEXENABLE 1 | TEXFORMAT ABGR8888 | TEXSIZE0 width_log2=4 height_log2=4
    TEXADDR0 0x080000 | TEXBUFWIDTH0 width=64 high=4 | VADDR lo(large) | PRIM primitive=RECTANGLES count=2
    TEXADDR0 0x900000 | TEXBUFWIDTH0 width=64 high=8 | VADDR lo(large) | PRIM primitive=RECTANGLES count=2
    FINISH | END
    .align 16
    small: .s16 0 0 0 0 0 8 8 8 8 0
    large: .s16 0 0 0 0 0 16 16 16 16 0
";

#[test]
fn passes_as_text() {
    let folder = list_folder("passes-text", LIST);
    let shown: Vec<String> = ["", " --resources", " --dot"]
        .map(|option| {
            let arguments = format!("passes list.ge{option}");
            format!("$ pspge {arguments}\n{}", output(&folder, &arguments))
        })
        .into();
    snapshot::assert("passes_text", &shown.join("\n"));
}

#[test]
fn passes_as_json() {
    let folder = list_folder("passes-json", LIST);
    let frame = document(&folder, "passes list.ge --json");
    let passes = frame["passes"].as_array().expect("a list");
    let marks: Vec<_> = passes.iter().map(|pass| (&pass["is_read"], &pass["is_shown"])).collect();
    let (yes, no) = (&Value::Bool(true), &Value::Bool(false));
    assert_eq!(marks, [(yes, yes), (no, no), (yes, yes)], "the second one is unused");
    assert_eq!(frame["copies"][0]["event"], 2, "the transfer");
    assert_eq!(passes[2]["textures"][0]["passes"], Value::from(vec![0]), "samples the first pass");
    assert_eq!(passes[2]["textures"][0]["copies"], Value::from(vec![2]), "and its copy: the same texels");
    assert_eq!(passes[0]["drawn"]["right"], 15, "drawn pixels");
}

/// Parses as much DOT as the command writes: names, quoted texts, attribute lists.
fn dot_nodes_and_edges(dot: &str) -> (Vec<String>, Vec<[String; 2]>) {
    let body = dot.strip_prefix("digraph \"list.ge\" {\n").and_then(|rest| rest.strip_suffix("}\n"));
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for line in body.expect("a graph").lines() {
        let statement = line.trim().strip_suffix(';').expect("a statement ends with a semicolon");
        let (head, attributes) = statement.split_once(" [").unwrap_or((statement, "]"));
        let attributes = attributes.strip_suffix(']').expect("a list of attributes");
        let mut is_quoted = false;
        let mut letters = attributes.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' if is_quoted => assert!(letters.next().is_some(), "an escaped letter"),
                '"' => is_quoted = !is_quoted,
                _ => assert!(is_quoted || letter.is_ascii(), "{letter} is quoted"),
            }
        }
        assert!(!is_quoted, "quotes are closed: {line}");
        match head.split_once(" -> ") {
            Some((from, to)) => edges.push([from.to_owned(), to.to_owned()]),
            None if head.contains('=') || matches!(head, "node" | "edge") => {}
            None => nodes.push(head.to_owned()),
        }
    }
    (nodes, edges)
}

#[test]
fn graphs_are_dot() {
    let folder = list_folder("passes-dot", LIST);
    let (nodes, edges) = dot_nodes_and_edges(&output(&folder, "passes list.ge --dot"));
    assert_eq!(nodes, ["pass0", "pass1", "pass2", "event2", "screen"], "nodes");
    assert!(edges.iter().flatten().all(|end| nodes.contains(end)), "ends of edges are nodes");
    assert!(edges.contains(&["event2".to_owned(), "pass2".to_owned()]), "the transfer is sampled");
}

#[test]
fn memory_as_bytes() {
    let folder = list_folder("memory-bytes", LIST);
    let dump = output(&folder, "memory list.ge 0x80000 --at 1 --length 20");
    assert_eq!(dump.lines().count(), 2, "two lines");
    assert!(dump.starts_with("0x04080000  "), "{dump}");
    let missing = pspge_in(&folder, "memory list.ge 0x0bfffff8 --length 16");
    assert!(text(&missing.stdout).contains("-- -- -- -- -- -- -- --"), "bytes without memory");
    assert!(text(&missing.stderr).contains("8 of 16 bytes from 0x0bfffff8 on have no memory"), "and a note");
    output(&folder, "memory list.ge 0x80000 --length 100 -o bytes.bin");
    assert_eq!(fs::read(folder.join("bytes.bin")).expect("written").len(), 100, "the bytes");
    let wrong = pspge_in(&folder, "memory list.ge 0x80000 --at event:99");
    assert_eq!(wrong.status.code(), Some(2), "no such event");
}

#[test]
fn memory_as_facts() {
    let folder = list_folder("memory-facts", LIST);
    let facts = document(&folder, "memory list.ge 0x80000 --length 128 --json");
    let writers: Vec<(u64, u64)> = facts["writers"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|part| (part["length"].as_u64().unwrap_or(0), part["draw"].as_u64().unwrap_or(99)))
        .collect();
    assert!(writers.contains(&(3, 1)) && writers.contains(&(3, 0)), "colours by both draws: {writers:?}");
    assert_eq!(facts["region"], "vram", "the memory");
    assert!(facts["hash"].is_string(), "all bytes exist");
    let before = document(&folder, "memory list.ge 0x80000 --at 0 --json");
    assert_eq!(before["writers"], Value::from(Vec::<Value>::new()), "nobody wrote it before the first draw");
}

#[test]
fn memory_as_picture() {
    let folder = list_folder("memory-picture", LIST);
    output(&folder, "memory list.ge 0x80000 --size 16x16 --stride 64 --pixel-format ABGR8888 -o out.png");
    let picture = image::open(folder.join("out.png")).expect("a picture");
    assert_eq!((picture.width(), picture.height()), (16, 16), "its size");
    output(&folder, "memory list.ge 0x04710000 --size 16x16 --stride 64 --pixel-format DEPTH16 -o depth.png");
    let depth = image::open(folder.join("depth.png")).expect("a picture");
    assert_eq!(depth.color(), image::ColorType::L16, "16-bit grey");
}
