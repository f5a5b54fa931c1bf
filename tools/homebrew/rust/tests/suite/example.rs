//! The examples: the C example runs against a stand-in for libgu, the Rust example is checked against a stand-in for
//! `psp`.

use std::path::Path;
use std::process::Command;

use crate::header::{compile, compiler, programs};
use crate::machine;

/// The example is linked to the addresses it has on a console, so that 28-bit pointers lead to its memory.
#[test]
fn example_captures_its_second_frame() {
    let Some(compiler) = compiler() else { return };
    if !cfg!(target_arch = "x86_64") {
        eprintln!("SKIPPED: the example is linked to low addresses for x86-64 only");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let example = machine::repository().join("tools/homebrew/c/example.c");
    let memory = "-DPSPGE_CAPTURE_MEMORY(address)=((const uint8_t *)(uintptr_t)(address))";
    let place = "-Wl,-Ttext-segment=0x08800000";
    let wrap = "-Wl,--wrap=sceGeListEnQueue,--wrap=sceGeListUpdateStallAddr";
    let variants = [
        vec!["-std=c99", "-no-pie", place, memory],
        vec!["-no-pie", place, memory, "-DPSPGE_CAPTURE_WRAP", wrap],
    ];
    for flags in variants {
        let program = folder.path().join("program");
        let sources = [example.clone(), programs().join("console.c")];
        let Some(()) = compile(&compiler, &flags, &sources, &program) else { return };
        std::fs::create_dir_all(folder.path().join("ms0:")).expect("a memory stick");
        let output = Command::new(&program).current_dir(folder.path()).output().expect("the program starts");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}: {printed}", output.status);
        let is_wrapped = flags.len() > 4;
        assert_eq!(printed, "capture 0 \n", "wrapped: {is_wrapped}");
        let dump = std::fs::read(folder.path().join("ms0:/frame.ppdmp")).expect("the dump");
        let image = machine::open(&dump).render(&pspge::RunSpec::default()).expect("a picture");
        let pixel = |x, y| image.get_pixel(x, y).0;
        assert_eq!(pixel(0, 0), [0x20, 0x30, 0x40, 255], "the clear colour");
        // The second frame's square is a pixel further to the right.
        assert_eq!(pixel(176, 72), [0x20, 0x30, 0x40, 255], "left of the square");
        assert_eq!(
            [pixel(177, 72), pixel(185, 72)],
            [[0xA0, 0x40, 0x20, 255], [0xF0, 0xC0, 0x30, 255]],
            "two texels"
        );
    }
}

#[test]
fn rust_example_compiles() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut externs: Vec<String> = Vec::new();
    for (name, source) in [
        ("psp", "tests/programs/psp/lib.rs"),
        ("pspge_capture", "src/lib.rs"),
        ("square", "examples/square.rs"),
    ] {
        let output = Command::new(&compiler)
            .args(["--edition", "2024", "--crate-type", "rlib", "--crate-name", name, "--emit", "metadata"])
            .args(["--cfg", "pspge_stand_in", "-D", "warnings", "-A", "dead_code", "--out-dir"])
            .arg(folder.path())
            .arg("-L")
            .arg(folder.path())
            .args(externs.iter().flat_map(|package| ["--extern", package]))
            .arg(package.join(source))
            .output();
        let Ok(output) = output else {
            eprintln!("SKIPPED: no compiler for Rust is installed");
            return;
        };
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        externs.push(name.to_owned());
    }
}
