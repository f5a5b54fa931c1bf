//! Tests archives and folders that hold a model's files, and names in encodings other than UTF-8.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::Path;

use zip::ZipArchive;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::support::{copy_sample, empty_folder, output, pspge_in, sample_bytes, text};

/// A model's files, under names that tell nothing.
const SET: [(&str, &str); 4] = [
    ("0000.pmo", "lampwing.pmo"),
    ("0001.ahi", "lampwing.ahi"),
    ("0002.tmh", "lampwing.tmh"),
    ("0003.bin", "lampwing.bin"),
];

pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).expect("a new file");
        writer.write_all(bytes).expect("room");
    }
    writer.finish().expect("room").into_inner()
}

/// Reads a file in an archive.
pub(crate) fn unzip(archive: &[u8], name: &str) -> Vec<u8> {
    let mut archive = ZipArchive::new(Cursor::new(archive)).expect("an archive");
    let mut bytes = Vec::new();
    archive.by_name(name).expect("a file").read_to_end(&mut bytes).expect("readable");
    bytes
}

/// Packs samples into an archive.
fn zip_of(files: &[(&str, &str)]) -> Vec<u8> {
    let bytes: Vec<(&str, Vec<u8>)> = files.iter().map(|(name, file)| (*name, sample_bytes(file))).collect();
    zip(&bytes.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect::<Vec<_>>())
}

/// Replaces a name in an archive by bytes of the same length, which need not be UTF-8.
fn rename(archive: &mut [u8], from: &str, to: &[u8]) {
    assert_eq!(from.len(), to.len(), "names of equal length");
    let places: Vec<usize> = archive
        .windows(from.len())
        .enumerate()
        .filter(|(_, part)| *part == from.as_bytes())
        .map(|at| at.0)
        .collect();
    assert_eq!(places.len(), 2, "{from} is in the file's header and in the list");
    for at in places {
        archive[at..at + to.len()].copy_from_slice(to);
    }
}

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("the folder can be created");
    fs::write(path, bytes).expect("the file can be written");
}

#[test]
fn set_opens_as_one_model_wherever_it_is() {
    let folder = empty_folder("set");
    for (name, file) in [
        ("m.pmo", "lampwing.pmo"),
        ("m.ahi", "lampwing.ahi"),
        ("m.tmh", "lampwing.tmh"),
        ("m.bin", "lampwing.bin"),
    ] {
        copy_sample(file, &folder.join("named").join(name));
    }
    for (name, file) in SET {
        copy_sample(file, &folder.join("set").join(name));
    }
    write(&folder.join("set/readme.txt"), b"about this model");
    write(&folder.join("set.zip"), &zip_of(&SET));
    let inside: Vec<(String, &str)> =
        SET.iter().map(|(name, file)| (format!("model/{name}"), *file)).collect();
    write(
        &folder.join("deep.zip"),
        &zip_of(&inside.iter().map(|(name, file)| (name.as_str(), *file)).collect::<Vec<_>>()),
    );
    output(&folder, "export named/m.pmo -o expected.glb");
    let expected = fs::read(folder.join("expected.glb")).expect("a file");
    for (number, input) in [
        "set",
        "set/0000.pmo",
        "set.zip",
        "set.zip#0000.pmo",
        "set.zip#0",
        "deep.zip",
        "deep.zip#model/0000.pmo",
        "deep.zip#0000.pmo",
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("{number}.glb");
        output(&folder, &format!("export {input} -o {name} --strict"));
        let found = fs::read(folder.join(&name)).expect("a file");
        // Only the names of scene and sources differ.
        assert_eq!(
            (binary(&found), count(&found, "\"animations\"")),
            (binary(&expected), 1),
            "{input}: geometry, textures, skin and animations"
        );
    }
    let exported = pspge_in(&folder, "export set -o set.gltf");
    let notes = text(&exported.stderr);
    assert!(
        exported.status.success()
            && notes.contains("0001.ahi is used as its skeleton: the folder holds no other"),
        "{notes}"
    );
    assert!(folder.join("set.bin").exists(), "the extension decides for a folder, too");
    let info = output(&folder, "info set.zip");
    for line in ["textures: set.zip/0002.tmh", "skeleton: set.zip/0001.ahi", "animations: set.zip/0003.bin"] {
        assert!(info.contains(line), "{line}: {info}");
    }
}

fn binary(glb: &[u8]) -> &[u8] {
    let json = u32::from_le_bytes(glb[12..16].try_into().expect("four bytes")) as usize;
    &glb[20 + json..]
}

fn count(glb: &[u8], wanted: &str) -> usize {
    let json = String::from_utf8_lossy(glb);
    json.matches(wanted).count().min(1)
}

#[test]
fn folder_of_several_models_is_a_batch() {
    let folder = empty_folder("several");
    for (name, file) in SET {
        copy_sample(file, &folder.join("set").join(name));
    }
    copy_sample("anemone.pmdl", &folder.join("set/other.pmdl"));
    let rendered = pspge_in(&folder, "render set -o out --size 16x16");
    let message = text(&rendered.stderr);
    assert!(rendered.status.success() && message.contains("2 drawn, 3 with nothing to draw"), "{message}");
    assert!(message.contains("textures"), "its textures are not guessed: {message}");
}

#[test]
fn members_of_archives_are_picked_by_name() {
    let folder = empty_folder("members");
    write(
        &folder.join("a.zip"),
        &zip_of(&[
            ("x/lampwing.pac", "lampwing.pac"),
            ("y/anemone.pmdl", "anemone.pmdl"),
            ("y/rover.rlb", "rover.rlb"),
        ]),
    );
    let info = output(&folder, "info a.zip");
    assert!(info.starts_with("zip") && info.contains("member 1 y/anemone.pmdl: pmdl"), "{info}");
    assert!(
        info.contains("the archive holds 3 files that can be opened; this is the first, x/lampwing.pac"),
        "{info}"
    );
    for (member, start) in [
        ("x/lampwing.pac", "pac"),
        ("lampwing.pac", "pac"),
        ("LAMPWING.PAC#0", "pmo"),
        ("x/lampwing.pac/0", "pmo"),
        ("x/lampwing.pac#tmh", "tmh"),
        ("1", "pmdl"),
        ("pmdl", "pmdl"),
        ("y/anemone.pmdl", "pmdl"),
    ] {
        let info = output(&folder, &format!("info a.zip#{member}"));
        assert!(info.starts_with(start), "{member}: {info}");
    }
    let wrong = pspge_in(&folder, "info a.zip#anemon.pmdl");
    assert_eq!(wrong.status.code(), Some(3), "no such file");
    assert!(text(&wrong.stderr).contains("did you mean \"y/anemone.pmdl\"?"), "{}", text(&wrong.stderr));
    output(&folder, "render a.zip#* -o out --size 16x16 -q");
    let mut names: Vec<String> = fs::read_dir(folder.join("out"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"))
        .collect();
    names.sort();
    assert_eq!(names[..2], ["a.zip.x-lampwing.pac-0.png", "a.zip.y-anemone.pmdl.png"], "{names:?}");
    assert!(names.len() > 2, "the models of a container in the archive: {names:?}");

    write(&folder.join("one.zip"), &zip_of(&[("lampwing.pac", "lampwing.pac")]));
    assert!(output(&folder, "info one.zip#0").starts_with("pmo"), "a path into the only file");
    write(&folder.join("none.zip"), &zip(&[("a.txt", b"text"), ("b.png", b"\x89PNG\r\n\x1a\n")]));
    let none = pspge_in(&folder, "info none.zip");
    assert!(text(&none.stderr).contains("none of the files in the archive has a known format"), "{none:?}");
    let inner = zip_of(&[("lampwing.pac", "lampwing.pac")]);
    write(&folder.join("nested.zip"), &zip(&[("inner.zip", &inner)]));
    assert_eq!(pspge_in(&folder, "info nested.zip").status.code(), Some(3), "archives do not nest");
    let changed = pspge_in(&folder, "import-textures one.zip . -o changed.zip");
    assert_ne!(changed.status.code(), Some(0), "an archive is not changed");
}

#[test]
fn damaged_file_of_an_archive_does_not_cost_the_others() {
    let folder = empty_folder("damage");
    let mut archive = zip_of(&[("a.pmo", "lampwing.pmo"), ("b.tmh", "lampwing.tmh")]);
    let list = archive.windows(4).rposition(|part| part == b"PK\x01\x02").expect("the list");
    // This byte is near the end of the second file's data.
    archive[list - 300] ^= 0xFF;
    write(&folder.join("a.zip"), &archive);
    let info = pspge_in(&folder, "info a.zip");
    assert!(
        info.status.success() && text(&info.stdout).contains("b.tmh cannot be"),
        "{}",
        text(&info.stdout)
    );
    let alone = pspge_in(&folder, "info a.zip#b.tmh");
    assert_eq!(alone.status.code(), Some(3), "an error if it is meant: {}", text(&alone.stdout));
}

#[test]
fn archive_unpacks_no_more_than_the_limit() {
    let folder = empty_folder("bomb");
    let zeros = vec![0; 1 << 20];
    let names: Vec<String> = (0..40).map(|number| format!("{number}.bin")).collect();
    write(
        &folder.join("bomb.zip"),
        &zip(&names.iter().map(|name| (name.as_str(), zeros.as_slice())).collect::<Vec<_>>()),
    );
    let run = pspge_in(&folder, "info bomb.zip --limits decoded-bytes=8M");
    assert_eq!(run.status.code(), Some(3), "{}", text(&run.stderr));
    assert!(text(&run.stderr).contains("decoded"), "{}", text(&run.stderr));
}

#[test]
fn names_in_shift_jis_are_decoded() {
    let folder = empty_folder("names");
    let mut archive = zip_of(&[("AA.pac", "lampwing.pac"), ("BB.pmdl", "anemone.pmdl")]);
    rename(&mut archive, "AA.pac", b"\x97\xB3.pac");
    write(&folder.join("a.zip"), &archive);
    assert!(output(&folder, "info a.zip").contains("member 0 竜.pac: pac"), "decoded");
    assert!(output(&folder, "info a.zip#竜.pac#0").starts_with("pmo"), "found by its name");
}

#[cfg(unix)]
#[test]
fn paths_need_not_be_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::process::Command;

    let folder = empty_folder("paths");
    let name = |bytes: &'static [u8]| OsStr::from_bytes(bytes);
    // The folder and its files are named with the Shift-JIS letters for dragon.
    let inner = folder.join(name(b"\x97\xB3"));
    for (extension, file) in [("pmo", "lampwing.pmo"), ("tmh", "lampwing.tmh"), ("ahi", "lampwing.ahi")] {
        copy_sample(file, &inner.join(name(b"\x97\xB3")).with_extension(extension));
    }
    copy_sample("lampwing.pac", &inner.join(name(b"\x93\xAA.pac")));
    write(&inner.join("list.ge"), b".include \"more.ge\"");
    write(&inner.join("more.ge"), b"FINISH | END");
    write(&folder.join("list.txt"), b"\x97\xB3/\x97\xB3.pmo\n");
    let run = |arguments: &[&OsStr]| {
        let output = Command::new(env!("CARGO_BIN_EXE_pspge"))
            .args(arguments)
            .current_dir(&folder)
            .output()
            .expect("runs");
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        (text(&output.stdout), text(&output.stderr))
    };
    let (info, _) = run(&[OsStr::new("info"), name(b"\x97\xB3/\x97\xB3.pmo")]);
    assert!(info.contains("textures: 竜/竜.tmh"), "companions are found: {info}");
    let (info, _) = run(&[OsStr::new("info"), name(b"\x97\xB3/\x93\xAA.pac#0")]);
    assert!(info.starts_with("pmo"), "a member: {info}");
    let (info, _) = run(&[OsStr::new("info"), OsStr::new("--files-from"), OsStr::new("list.txt")]);
    assert!(info.contains("pmo 1.0"), "in a list: {info}");
    run(&[OsStr::new("trace"), name(b"\x97\xB3/list.ge")]);
    let arguments = ["render", "-o", "out", "--size", "16x16", "--report", "report.jsonl"].map(OsStr::new);
    let (_, message) = run(&[&arguments[..], &[name(b"\x97\xB3")]].concat());
    assert!(message.contains("4 drawn"), "a folder: {message}");
    assert!(
        folder.join("out/竜.pmo.png").exists() && folder.join("out/頭.pac.png").exists(),
        "names of outputs are text"
    );
    let report = fs::read_to_string(folder.join("report.jsonl")).expect("text");
    assert!(report.contains("竜/竜.pmo"), "{report}");
}

#[test]
fn assembled_list_says_how_to_open_it() {
    let folder = empty_folder("list");
    write(&folder.join("a.ge"), b"BASE 8 | FINISH | END");
    let assembled = pspge_in(&folder, "asm a.ge -o a.bin");
    assert!(text(&assembled.stderr).contains("--format list"), "{assembled:?}");
    let opened = pspge_in(&folder, "trace a.bin");
    assert_eq!(opened.status.code(), Some(3), "no known format");
    assert!(text(&opened.stderr).contains("look like those of a display list (--format list)"), "{opened:?}");
    assert!(output(&folder, "trace a.bin --format list").contains("FINISH"), "so it opens");
}
