//! Compiles the C examples with a C compiler and runs them, also with AddressSanitizer.

use std::path::{Path, PathBuf};
use std::process::Command;

use pspge::run::replay;
use pspge::run::sink::NullObserver;
use pspge::{Address, Arithmetic, Limits, Rasterizer, RunSpec};

/// Finds a C compiler, or prints that the test is skipped.
fn compiler() -> Option<String> {
    let name = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let works = Command::new(&name).arg("--version").output().is_ok_and(|output| output.status.success());
    if !works || !cfg!(target_os = "linux") {
        eprintln!("SKIPPED: no C compiler, or not Linux");
        return None;
    }
    Some(name)
}

/// Finds the static library, which Cargo builds next to this test.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let folder = test.parent().and_then(Path::parent).expect("the folder of the profile");
    let places = [folder.join("libpspge_c.a"), folder.join("deps/libpspge_c.a")];
    // A build of tests alone leaves an older library in the first place.
    let age = |place: &PathBuf| std::fs::metadata(place).and_then(|data| data.modified()).ok();
    places.into_iter().max_by_key(age).expect("two places")
}

/// Compiles an example, or prints that the test is skipped.
fn compile(compiler: &str, example: &str, flags: &[&str], program: &Path) -> Option<()> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    let compiled = Command::new(compiler)
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-result", "-O1", "-g"])
        .args(flags)
        .arg("-I")
        .arg(source.join("include"))
        .arg(source.join("examples").join(example))
        .arg(library())
        .args(["-lpthread", "-lm", "-ldl", "-lrt", "-lutil", "-o"])
        .arg(program)
        .output()
        .expect("the compiler starts");
    let messages = String::from_utf8_lossy(&compiled.stderr);
    if !compiled.status.success()
        && flags.iter().any(|flag| flag.contains("sanitize"))
        && messages.contains("asan")
    {
        eprintln!("SKIPPED: the compiler has no AddressSanitizer");
        return None;
    }
    assert!(compiled.status.success(), "the example does not compile: {messages}");
    Some(())
}

/// Compiles an example and runs it on the bundled list. Returns its printed text and its picture.
fn run_example(compiler: &str, example: &str, flags: &[&str]) -> Option<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.path().join("program");
    compile(compiler, example, flags, &program)?;
    let text = std::fs::read_to_string(source.join("examples/signal.ge")).expect("the bundled list");
    let capture = pspge::asm::assemble(&text).expect("a correct list").capture();
    let (image, picture) = (folder.path().join("list.bin"), folder.path().join("picture.ppm"));
    let bytes = capture.memory.slice(capture.start, 4096).expect("the bytes of the list");
    std::fs::write(&image, bytes).expect("the image can be written");
    let output = Command::new(&program)
        .arg(&image)
        .arg(format!("{:x}", capture.start.get()))
        .arg(&picture)
        .output()
        .expect("the example starts");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {printed}{errors}", output.status);
    Some((printed, std::fs::read(&picture).expect("the picture")))
}

/// Draws the bundled list as the command does, in the same picture format.
fn expected() -> Vec<u8> {
    let text = include_bytes!("../examples/signal.ge");
    let asset = pspge::open("signal.ge", text).expect("a list");
    let image = asset.render(&RunSpec::default()).expect("a picture");
    let mut ppm = b"P6\n480 272\n255\n".to_vec();
    ppm.extend(image.pixels().flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]));
    ppm
}

#[test]
fn c_program_draws_what_the_library_draws() {
    let Some(compiler) = compiler() else { return };
    let Some((printed, picture)) = run_example(&compiler, "render.c", &[]) else { return };
    assert!(printed.contains("signal 0x0042"), "{printed}");
    let expected = expected();
    assert_eq!(picture.len(), expected.len(), "the size of the picture");
    let differing = picture.iter().zip(&expected).filter(|(c, rust)| c != rust).count();
    assert_eq!(differing, 0, "differing bytes");
    assert!(expected.iter().skip(16).any(|byte| *byte != 0), "something is drawn");
}

#[test]
fn c_program_answers_calls_of_a_program() {
    let Some(compiler) = compiler() else { return };
    let Some((printed, picture)) = run_example(&compiler, "queue.c", &[]) else { return };
    assert_eq!(picture, expected(), "the picture");
    let expected = "   2 list 35000000, state 3
   2 the thread waits
   8 the thread waits
  12 function 08804000(0x0042, 1, 0x08800030), list state 2
  15 function 08804100(0x0000, 2, 0x0880003c), list state 0
  15 all lists have ended, state 80000100
";
    assert_eq!(printed, expected, "the order of events");
}

#[test]
fn backend_draws_what_a_list_draws() {
    let Some(compiler) = compiler() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = folder.path().join("program");
    let sanitize = ["-fsanitize=address,undefined"];
    let compiled = compile(&compiler, "backend.c", &sanitize, &program)
        .or_else(|| compile(&compiler, "backend.c", &[], &program));
    let Some(()) = compiled else { return };
    let output = Command::new(&program).output().expect("the example starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(printed, "3 draws, much is drawn, 0 bytes differ\n", "{}: {errors}", output.status);
}

#[test]
fn c_program_is_clean_under_address_sanitizer() {
    let Some(compiler) = compiler() else { return };
    for example in ["render.c", "queue.c"] {
        if let Some((_, picture)) = run_example(&compiler, example, &["-fsanitize=address,undefined"]) {
            assert_eq!(picture, expected(), "the picture of {example}");
        }
    }
}

/// Compiles a C++ program, or prints that the test is skipped.
fn compile_cpp(compiler: &str, source: &Path, program: &Path, flags: &[&str]) -> Option<()> {
    let compiled = Command::new(compiler)
        .args(["-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-g"])
        .args(flags)
        .arg("-I")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
        .arg(source)
        .arg(library())
        .args(["-lstdc++", "-lpthread", "-lm", "-ldl", "-lrt", "-lutil", "-o"])
        .arg(program)
        .output()
        .expect("the compiler starts");
    let messages = String::from_utf8_lossy(&compiled.stderr);
    if ["cc1plus", "cannot find -lstdc++", "cannot find -lasan"].iter().any(|text| messages.contains(text)) {
        eprintln!("SKIPPED: no C++ compiler, or none with {flags:?}");
        return None;
    }
    assert!(compiled.status.success(), "the program does not compile: {messages}");
    Some(())
}

#[test]
fn cpp_program_uses_the_wrapper() {
    let Some(compiler) = compiler() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/wrapper.cpp");
    let program = folder.path().join("program");
    let Some(()) = compile_cpp(&compiler, &source, &program, &[]) else { return };
    let output = Command::new(&program).output().expect("the example starts");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let expected = "5 0f000007 08800008 12800000
the saved state cannot be read: it is not a saved state
";
    assert_eq!(printed, expected, "what it prints");
}

/// A C++ host with a moving camera records frames, which replay to its VRAM.
#[test]
fn cpp_host_records_frames() {
    let Some(compiler) = compiler() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/host.cpp");
    let program = folder.path().join("program");
    let flags = ["-fsanitize=address,undefined"];
    if compile_cpp(&compiler, &source, &program, &flags).is_none()
        && compile_cpp(&compiler, &source, &program, &[]).is_none()
    {
        return;
    }
    for seed in 1..=100 {
        let output = Command::new(&program).arg(seed.to_string()).arg(folder.path()).output();
        let output = output.expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "seed {seed}: {}: {errors}", output.status);
        let read = |name: &str| std::fs::read(folder.path().join(name)).expect("a written file");
        let (dump, vram) = (read("frame.ppdmp"), read("vram.bin"));
        let shot = pspge::open("frame.ppdmp", &dump).and_then(|asset| asset.shot(&RunSpec::default()));
        let capture = shot.expect("a frame").capture.clone();
        let (mut memory, sink) = (capture.memory.clone(), &mut Rasterizer::default());
        let watch = &mut NullObserver;
        replay::run_on(&mut memory, &capture, Arithmetic::Hardware, sink, watch, &Limits::none());
        let first = memory.vram().iter().zip(&vram).position(|(replay, host)| replay != host);
        assert_eq!(first, None, "the first byte that differs with seed {seed}");
        assert!(vram[..0x4000].iter().any(|byte| *byte != 0), "something is drawn");
    }
}

/// A program needs to switch no warnings off for the header, whatever standard it uses.
#[test]
fn header_compiles_by_each_standard() {
    let Some(compiler) = compiler() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let standards =
        [("c", &["c99", "c11", "c17", "c2x"][..]), ("c++", &["c++11", "c++14", "c++17", "c++20", "c++2b"])];
    for (language, standards) in standards {
        let source = folder.path().join("program");
        let header = if language == "c" { "pspge.h" } else { "pspge.hpp" };
        let text = format!(
            "#include <pspge_backend.h>\n#include <{header}>\nint main(void) {{ return pspge_abi_version() != PSPGE_ABI_VERSION; }}\n"
        );
        std::fs::write(&source, text).expect("the program can be written");
        for standard in standards {
            let output = Command::new(&compiler)
                .args([
                    "-Wall",
                    "-Wextra",
                    "-Wpedantic",
                    "-Wundef",
                    "-Werror",
                    "-fsyntax-only",
                    "-x",
                    language,
                ])
                .arg(format!("-std={standard}"))
                .arg("-I")
                .args([&include, &source])
                .output()
                .expect("the compiler starts");
            let messages = String::from_utf8_lossy(&output.stderr);
            let is_known =
                !["unrecognized", "invalid value", "cc1plus"].iter().any(|text| messages.contains(text));
            if is_known {
                assert!(output.status.success(), "{standard}: {messages}");
            } else {
                eprintln!("SKIPPED: the compiler does not know {standard}");
            }
        }
    }
}

#[test]
fn example_is_short() {
    let lines = include_str!("../examples/render.c").lines().count();
    assert!(lines < 80, "{lines} lines");
    assert_eq!(
        Address::new(0x0880_0000),
        pspge::asm::assemble("NOP").expect("a list").entry,
        "where lists start"
    );
}
