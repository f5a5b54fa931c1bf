//! Checks that the C header writes the same files as the crate.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pspge::Capture;
use pspge_capture::LeftOut;

use crate::machine;

/// Finds the C compiler, or prints that this test is skipped.
pub(crate) fn compiler() -> Option<String> {
    let name = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let works = Command::new(&name).arg("--version").output().is_ok_and(|output| output.status.success());
    if !works || !cfg!(target_os = "linux") {
        eprintln!("SKIPPED: no C compiler, or not Linux");
        return None;
    }
    Some(name)
}

/// The folder with the programs in C.
pub(crate) fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

/// Compiles sources against a stand-in for the SDK. Returns `None` if the compiler does not know all of the `flags`.
pub(crate) fn compile(compiler: &str, flags: &[&str], sources: &[PathBuf], program: &Path) -> Option<()> {
    let output = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Werror", "-O1", "-g", "-I"])
        .arg(programs().join("sdk"))
        .arg("-I")
        .arg(programs())
        .arg("-I")
        .arg(machine::repository().join("tools/homebrew/c"))
        .args(flags)
        .args(sources)
        .arg("-o")
        .arg(program)
        .output()
        .expect("the compiler starts");
    let messages = String::from_utf8_lossy(&output.stderr);
    let lacks = ["exec 'cc1plus", "execute 'cc1plus", "-lasan", "-lubsan", "unrecognized command"];
    if !output.status.success() && lacks.iter().any(|part| messages.contains(part)) {
        eprintln!("SKIPPED: the compiler lacks {flags:?}");
        return None;
    }
    assert!(output.status.success(), "{flags:?}: {messages}");
    Some(())
}

/// Writes the memory and registers for the program to read in place of a console's.
fn write_image(folder: &Path, capture: &Capture) {
    let mut image = capture.memory.vram().to_vec();
    let ram = machine::MEMORY;
    let mut bytes = vec![0; ram.len()];
    capture.memory.read(pspge::ge::address::Address::new(ram.start), &mut bytes);
    image.extend(bytes);
    // Zeros at its end are left out, because each run of a program reads the whole image.
    while image.len() > capture.memory.vram().len() && image.ends_with(&[0; 0x1000]) {
        image.truncate(image.len() - 0x1000);
    }
    std::fs::write(folder.join("image.bin"), image).expect("the image can be written");
    let context: Vec<u8> = machine::context(capture).iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(folder.join("context.bin"), context).expect("the context can be written");
}

fn run(program: &Path, folder: &Path, lists: &[String]) -> String {
    let Output { status, stdout, stderr } = Command::new(program)
        .current_dir(folder)
        .args(["image.bin", "context.bin", "frame.ppdmp"])
        .args(lists)
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&stderr);
    assert!(status.success() && errors.is_empty(), "{status}: {errors}");
    String::from_utf8(stdout).expect("a text")
}

#[test]
fn header_writes_what_the_crate_writes() {
    let Some(compiler) = compiler() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = |name: &str| programs().join(name);
    let wrap = "-Wl,--wrap=sceGeListEnQueue,--wrap=sceGeListUpdateStallAddr";
    let sanitize = "-fsanitize=address,undefined";
    let variants = [
        ("plain", vec!["-std=c99", "-Wpedantic"]),
        ("wrapped", vec!["-std=c99", "-Wpedantic", "-DPSPGE_CAPTURE_WRAP", wrap]),
        ("of C++", vec!["-std=c++17", "-Wpedantic", "-x", "c++"]),
        ("sanitized", vec!["-std=c11", sanitize, "-fno-sanitize-recover=all"]),
    ];
    let mut built = Vec::new();
    for (name, flags) in variants {
        let program = folder.path().join(name);
        let sources = [source("replay.c"), source("machine.c")];
        built.extend(compile(&compiler, &flags, &sources, &program).map(|()| program));
    }
    let mut compared = 0;
    for (name, list) in machine::lists() {
        let (expected, left_out) = machine::capture(&list);
        let printed = left_out.map_or_else(|| "0 \n".to_owned(), |what| format!("1 {what}\n"));
        write_image(folder.path(), &list);
        for program in &built {
            let found = run(program, folder.path(), &[format!("{:x}", list.start.get())]);
            let dump = std::fs::read(folder.path().join("frame.ppdmp")).expect("the dump");
            assert_eq!(found, printed, "{name}: {}", program.display());
            assert!(dump == expected, "{name}: {} writes another dump", program.display());
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared} dumps");
}

/// A list that stalls, and a list used by two parts of a frame.
#[test]
fn lists_go_on_where_they_stalled() {
    let Some(compiler) = compiler() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = folder.path().join("program");
    let sources = ["replay.c", "machine.c"].map(|name| programs().join(name));
    let Some(()) = compile(&compiler, &["-std=c99"], &sources, &program) else { return };
    let list = pspge::asm::assemble(machine::ALL).expect("a correct list").capture();
    write_image(folder.path(), &list);
    let start = list.start.get();
    let mut dumps = Vec::new();
    for lists in [format!("{start:x}"), format!("{start:x}-{:x}", start + 0x40)] {
        assert_eq!(run(&program, folder.path(), &[lists]), "0 \n", "the frame is whole");
        dumps.push(std::fs::read(folder.path().join("frame.ppdmp")).expect("the dump"));
    }
    assert!(dumps[0] == dumps[1], "a stall makes no difference");
    let twice = [format!("{start:x}"), format!("{start:x}")];
    assert_eq!(run(&program, folder.path(), &twice), "0 \n", "a frame of two lists");
    let dump = std::fs::read(folder.path().join("frame.ppdmp")).expect("the dump");
    let frame = machine::open(&dump).to_capture().expect("a frame");
    let mut once = list.clone();
    once.memory.vram_mut().copy_from_slice(&machine::vram_after(&list));
    assert!(machine::vram_after(&frame) == machine::vram_after(&once), "both lists are drawn");
    // Both lists use the same textures, so this dump is hardly larger than for a single list.
    assert!(dump.len() < dumps[0].len() + 4096, "equal data are stored once: {}", dump.len());
}

/// Lists that wait at their last stall address or jump over it, and similar lists that do neither.
#[test]
fn messages_tell_of_stall_addresses() {
    let Some(compiler) = compiler() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sources = ["replay.c", "machine.c"].map(|name| programs().join(name));
    let wrapped = ["-DPSPGE_CAPTURE_WRAP", "-Wl,--wrap=sceGeListEnQueue,--wrap=sceGeListUpdateStallAddr"];
    for (number, flags) in [&[][..], &wrapped].into_iter().enumerate() {
        let program = folder.path().join(number.to_string());
        let Some(()) = compile(&compiler, flags, &sources, &program) else { return };
        for (text, expected) in [
            ("NOP | .stall . | FINISH | END", Some(LeftOut::UnfinishedList)),
            ("NOP | FINISH | END | .stall .", None),
            ("BASE hi(on) | JUMP lo(on) | .stall . | NOP | on: FINISH | END", Some(LeftOut::StallPassed)),
            ("BASE hi(on) | CALL lo(on) | FINISH | END | .stall . | NOP | on: RET", None),
        ] {
            let list = pspge::asm::assemble(text).expect("a correct list").capture();
            let (dump, left_out) = machine::capture(&list);
            assert_eq!(left_out, expected, "{text}: of the crate");
            write_image(folder.path(), &list);
            let stall = list.stall.expect("a stall address").get();
            let printed = run(&program, folder.path(), &[format!("{:x}={stall:x}", list.start.get())]);
            let message = expected.map_or_else(|| "0 \n".to_owned(), |what| format!("1 {what}\n"));
            assert_eq!(printed, message, "{text}: of the header");
            let written = std::fs::read(folder.path().join("frame.ppdmp")).expect("the dump");
            assert!(written == dump, "{text}: the same file");
        }
    }
}

#[test]
fn header_compiles_by_each_standard() {
    let Some(compiler) = compiler() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = "#define PSPGE_CAPTURE_IMPLEMENTATION\n#include \"pspge_capture.h\"\n#include \"pspge_capture.h\"\n\
                int main(void) { return pspge_capture_end() == 0; }\n";
    for (name, standards) in
        [("program.c", &["c99", "c11", "gnu99", "gnu17"][..]), ("program.cpp", &["c++11", "c++17", "c++20"])]
    {
        let source = folder.path().join(name);
        std::fs::write(&source, text).expect("the program can be written");
        for standard in standards {
            let standard = format!("-std={standard}");
            let flags =
                [standard.as_str(), "-Wpedantic", "-Wundef", "-Wshadow", "-DPSPGE_CAPTURE_WRAP", "-c"];
            compile(&compiler, &flags, std::slice::from_ref(&source), &folder.path().join("program.o"));
        }
    }
}
