//! `pspge render` of a folder, killed at random moments: what stands under a final name is whole.
//!
//! `PSPGE_KILLS=50 cargo test --release -p pspge-tools --test crash` kills as often as one likes.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn killed_renders_leave_no_damaged_pictures() {
    let kills = std::env::var("PSPGE_KILLS").map_or(5, |text| text.parse().expect("PSPGE_KILLS: a number"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("crash");
    let (inputs, results) = (folder.join("in"), folder.join("out"));
    // The first time it is not there.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&inputs).expect("can be made");
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample");
    for number in 0..12 {
        for name in ["lampwing.pac", "reedling.arc", "rover.rlb"] {
            fs::copy(samples.join(name), inputs.join(format!("{number}-{name}"))).expect("can be copied");
        }
    }
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pspge"));
        command.arg("render").arg(&inputs).arg("-o").arg(&results).args(["--size", "400x300"]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts")
    };
    let began = Instant::now();
    assert!(start().wait().expect("ends").success(), "undisturbed, it works");
    let whole = began.elapsed();
    let wanted = pictures(&results);
    assert_eq!(wanted.len(), 36, "a picture for each input");
    let (mut seed, mut some) = (0x2545_F491u64, 0);
    for _ in 0..kills {
        fs::remove_dir_all(&results).expect("can be removed");
        fs::create_dir(&results).expect("can be made");
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut child = start();
        thread::sleep(
            whole.mul_f64(f64::from(u32::try_from(seed >> 40).expect("24 bits")) / f64::from(1 << 24)),
        );
        // It may have ended by itself.
        let _ = child.kill();
        child.wait().expect("ends");
        let found = pictures(&results);
        some += usize::from(!found.is_empty() && found.len() < wanted.len());
        for picture in found {
            assert!(wanted.contains(&picture), "{}: not the whole picture", picture.0);
        }
    }
    if kills >= 20 {
        assert!(some > kills / 10, "only {some} of {kills} kills came in the middle: {whole:?}");
    }
    // What was begun does not stand in the way.
    assert!(start().wait().expect("ends").success(), "afterwards it works");
    assert_eq!(pictures(&results), wanted, "all of them again");
    // Time for what the system still writes.
    thread::sleep(Duration::from_millis(10));
}

/// The names and bytes of all pictures, in order; each can be decoded.
fn pictures(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut pictures = Vec::new();
    for entry in fs::read_dir(folder).expect("can be listed") {
        let path = entry.expect("can be listed").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with(".pspge-") {
            let picture = image::open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!((picture.width(), picture.height()), (400, 300), "{name}: its size");
            pictures.push((name, fs::read(&path).expect("can be read")));
        }
    }
    pictures.sort();
    pictures
}
