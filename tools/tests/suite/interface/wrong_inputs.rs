//! Tests errors and exit statuses for wrong inputs and wrong usage, in `snapshots/wrong_inputs.snap`.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use ge_tests::snapshot;

use crate::support::{command, empty_folder, pspge_in, sample, sample_bytes, text};

/// Makes a ZIP archive with uncompressed members.
fn zip_archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    let length = |bytes: &[u8]| u32::try_from(bytes.len()).expect("small").to_le_bytes();
    let number = |number: usize| u16::try_from(number).expect("small").to_le_bytes();
    for (name, content) in members {
        let start = length(&bytes);
        // Version, flags, method, time, date, checksum, sizes, name length.
        let mut common = [20, 0, 0, 0, 0, 0, 0, 0, 0, 0].to_vec();
        common.extend(crc(content).to_le_bytes());
        common.extend([length(content), length(content)].concat());
        common.extend([number(name.len()), number(0)].concat());
        bytes.extend([b"PK\x03\x04".as_slice(), &common, name.as_bytes(), content].concat());
        directory
            .extend([b"PK\x01\x02\x14\x00".as_slice(), &common, &[0; 10], &start, name.as_bytes()].concat());
    }
    let start = length(&bytes);
    let size = length(&directory);
    bytes.extend(directory);
    let count = number(members.len());
    bytes.extend([b"PK\x05\x06".as_slice(), &[0; 4], &count, &count, &size, &start, &[0; 2]].concat());
    bytes
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |mut sum, byte| {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 0 { sum >> 1 } else { sum >> 1 ^ 0xEDB8_8320 };
        }
        sum
    })
}

/// Writes the files used by the table.
fn write_inputs(folder: &Path) {
    let write = |name: &str, bytes: &[u8]| {
        fs::write(folder.join(name), bytes).expect("the file can be written");
    };
    for name in [
        "lampwing.pac",
        "lampwing.pmo",
        "lampwing.tmh",
        "lampwing.ahi",
        "lampwing.bin",
        "reedling.arc",
        "reedling.pmp",
        "reedling.pam",
        "reedling.bon",
        "swatches.tm2",
        "rover.rlb",
        "rover-24.msh",
        "rover-hull.texm",
        "robot.bin",
        "anemone.pmdl",
        "candle.gim",
        "beacon.gmo",
        "harbour.rco",
    ] {
        let bytes = sample_bytes(name);
        write(name, &bytes);
        write(&format!("cut-{name}"), &bytes[..bytes.len() * 3 / 4]);
        write(&format!("start-{name}"), &bytes[..60]);
    }
    write("empty.pmo", &[]);
    write("zeros.bin", &[0; 200]);
    write("text.txt", b"hello\n");
    write("list.ge", b".base 0x08800000\nPRIM TRIANGELS, 3\n");
    write("unknown.ge", b"hello world\n");
    write("latin.ge", b"; \xFF\n");
    let pmo = sample_bytes("lampwing.pmo");
    write("two.zip", &zip_archive(&[("a.pmo", &pmo), ("b.pmo", &pmo)]));
    write("none.zip", &zip_archive(&[("readme.txt", b"nothing to see")]));
    write("cut.zip", &zip_archive(&[("a.pmo", &pmo)])[..1000]);
    let mut dump = b"PPSSPPGE".to_vec();
    dump.extend(99u32.to_le_bytes());
    dump.resize(200, 0);
    write("newer.ppdmp", &dump);
    dump[8] = 6;
    dump[24..28].fill(0xFF);
    write("many.ppdmp", &dump);
    write("short.ppdmp", &dump[..20]);
    fs::create_dir(folder.join("folder")).expect("the folder can be created");
    fs::create_dir(folder.join("no-textures")).expect("the folder can be created");
}

/// Each command's arguments, separated by blanks.
const TABLE: &str = "\
info absent.pmo
info folder
info empty.pmo
info zeros.bin
info text.txt
info -
info lampwing.pac#9
info lampwing.pac#tm2
info lampwing.pmo#0
info lampwing.pmo --format pmdl
info lampwing.pmo --format doc
render start-lampwing.pmo -o out.png
render start-anemone.pmdl -o out.png
render cut-anemone.pmdl -o out.png
render start-reedling.arc -o out.png
render start-reedling.pmp -o out.png
render cut-rover-24.msh -o out.png
render cut-rover.rlb -o out.png
textures start-lampwing.tmh -o out
textures start-swatches.tm2 -o out
textures start-rover-hull.texm -o out
textures start-candle.gim -o out
render start-beacon.gmo -o out.png
info beacon.gmo --anim rain
render candle.gim -o nowhere/out.png
info start-harbour.rco
render harbour.rco#chart -o out.png
render harbour.rco#beecon -o out.png
info start-lampwing.bin
info start-reedling.bon
info start-reedling.pam
info two.zip#c.pmo
info none.zip
info cut.zip
info newer.ppdmp
info many.ppdmp
info short.ppdmp
info lampwing.pmo --textures lampwing.ahi
info lampwing.pmo --textures no-textures
info lampwing.pmo --skeleton empty.pmo
info lampwing.pmo --anim 9
info reedling.arc --anim nope
render rover.rlb -o out.png --lod 3
export reedling.arc -o out.glb --group 9
pack lampwing.pac -o out.ppdmp --hidden
info lampwing.tmh --lod 1
info rover.rlb --limits decoded-bytes=1,memory=x
info rover.rlb --limits pixel=3
asm unknown.ge -o out.bin
asm list.ge -o out.bin
asm latin.ge -o out.bin
disasm lampwing.tmh
trace lampwing.ahi
render lampwing.tmh -o out.png
render lampwing.pac -o out.png --size 0x0
render lampwing.pac -o nowhere/out.png
render lampwing.pmo -o lampwing.pmo
export lampwing.pac -o out.stl
export lampwing.tmh -o out.glb
pack swatches.tm2 -o out.ppdmp
compare text.txt text.txt
frobnicate
info
";

/// Each error is a line on standard error, and no file is created.
#[test]
fn errors_are_one_line_and_leave_no_files() {
    let folder = empty_folder("table");
    write_inputs(&folder);
    let names = || -> Vec<_> {
        let entries = fs::read_dir(&folder).expect("a folder");
        let mut names: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    let mut table = String::new();
    for line in TABLE.lines() {
        let output = pspge_in(&folder, line);
        let message = text(&output.stderr);
        let status = output.status.code().unwrap_or_default();
        assert!((2..=4).contains(&status), "{line}: status {status}: {message}");
        let errors = message.lines().filter(|line| line.starts_with("error: ")).count();
        // The assembler reports all mistakes in a text.
        assert!(errors == 1 || (errors > 1 && line.starts_with("asm ")), "{line}: {message}");
        assert!(output.stdout.is_empty(), "{line}: standard output is empty");
        table += &format!("$ pspge {line}\n{message}[status {status}]\n");
    }
    let _ = fs::remove_dir(folder.join("out"));
    assert_eq!(names(), before, "no files are created");
    assert!(TABLE.lines().count() >= 40, "the table has at least 40 commands");
    // Messages from the operating system differ between systems.
    if cfg!(target_os = "linux") {
        snapshot::assert("wrong_inputs", &table);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_devices_and_unwritable_folders_give_an_error() {
    let sample = sample("lampwing.pac");
    let error_of = |arguments: &[&str], out: Stdio| {
        let mut command = command(&[arguments[0], &sample]);
        let output = command.args(&arguments[1..]).stdout(out).output().expect("runs");
        assert_eq!(output.status.code(), Some(4), "{arguments:?}");
        text(&output.stderr)
    };
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").expect("the device opens").into();
    let no_space = "No space left on device (os error 28)\n";
    assert_eq!(
        error_of(&["render", "-o", "/dev/full"], Stdio::null()),
        format!("error: /dev/full: {no_space}"),
        "a device"
    );
    for arguments in [
        &["render", "-o", "-"][..],
        &["info"],
        &["trace"],
        &["state"],
        &["passes"],
        &["decode", "--json"],
        &["export", "-o", "-"],
        &["pack", "-o", "-"],
    ] {
        assert_eq!(
            error_of(arguments, full()),
            format!("error: standard output: {no_space}"),
            "{arguments:?}"
        );
    }
    // Even root cannot create files in /proc.
    let message = error_of(&["render", "-o", "/proc/out.png"], Stdio::null());
    assert!(message.starts_with("error: /proc/out.png: ") && !message.contains(".pspge"), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
}

#[test]
fn dash_means_standard_input_and_output() {
    let sample = sample("lampwing.pac");
    let input = || Stdio::from(fs::File::open(&sample).expect("a sample"));
    for arguments in [
        &["render", "-", "-o", "-"][..],
        &["info", "-"],
        &["trace", "-"],
        &["state", "-"],
        &["passes", "-"],
        &["decode", "-"],
        &["export", "-", "-o", "-"],
        &["pack", "-", "-o", "-"],
    ] {
        let run = |arguments: &[&str]| {
            let output = command(arguments).stdin(input()).output().expect("runs");
            assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
            output.stdout
        };
        let streamed = run(arguments);
        assert!(!streamed.is_empty(), "{arguments:?}: standard output is not empty");
        if arguments[0] == "render" {
            assert!(streamed == run(&["render", &sample, "-o", "-"]), "the same picture as from a file");
        }
    }
}

/// Hostile member names change neither the folder nor the names of the files written.
#[test]
fn member_names_cannot_escape_the_output_folder() {
    let folder = empty_folder("escape");
    fs::create_dir_all(folder.join("in/out")).expect("the folders can be created");
    let arc = sample_bytes("reedling.arc");
    for (number, name) in
        ["../../evil", "/evil", concat!("C", ":\\evil"), "..\\evil", "CON", "a\0b", "\u{1b}[31m", ".", ""]
            .iter()
            .enumerate()
    {
        // A member's name has 16 bytes.
        let mut changed = arc.clone();
        for known in ["reedling.pmo", "reedling.bon", "reedling.pam", "reedling.tm2"] {
            while let Some(start) = changed.windows(known.len()).position(|window| window == known.as_bytes())
            {
                let mut bytes = name.as_bytes().to_vec();
                bytes.resize(known.len(), 0);
                changed[start..start + known.len()].copy_from_slice(&bytes);
            }
        }
        assert!(changed != arc, "the names are changed");
        let input = folder.join(format!("in/{number}.arc"));
        fs::write(&input, &changed).expect("the file can be written");
        for arguments in [
            &["textures", "-o", "out"][..],
            &["export", "-o", "out/model.gltf"],
            &["export", "-o", "out/model.obj"],
            &["render", "-o", "out/picture.png"],
            &["info"],
        ] {
            let mut command = command(&arguments[..1]);
            command.arg(&input).args(&arguments[1..]).current_dir(folder.join("in"));
            let output = command.output().expect("runs");
            assert!(matches!(output.status.code(), Some(0 | 3)), "{name:?} {arguments:?}");
            let printed = [output.stdout, output.stderr].concat();
            assert!(!printed.contains(&0x1B), "{name:?} {arguments:?}: no escape sequences");
        }
    }
    for entry in walkdir::WalkDir::new(&folder) {
        let entry = entry.expect("an entry");
        let path = entry.path().strip_prefix(&folder).expect("a path below it").display().to_string();
        assert!(path.is_empty() || path == "in" || path.starts_with("in/"), "{path} is outside");
        assert!(!path.contains("evil") && !path.contains("CON"), "{path} has the name of a member");
    }
    assert!(!Path::new("/evil").exists(), "no file at an absolute path");
}
