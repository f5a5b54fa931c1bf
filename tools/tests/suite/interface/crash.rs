//! Kills `pspge render` on a folder at random times, to check that every picture with its final name is complete.
//!
//! To set how many times to kill it, use `PSPGE_KILLS=50 cargo test --release -p pspge-tools --test suite crash`.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{command, copy_sample, empty_folder};

#[test]
fn killed_renders_leave_no_damaged_pictures() {
    let kills = std::env::var("PSPGE_KILLS").map_or(5, |text| text.parse().expect("PSPGE_KILLS: a number"));
    let folder = empty_folder("");
    let (inputs, results) = (folder.join("in"), folder.join("out"));
    for number in 0..12 {
        for name in ["lampwing.pac", "reedling.arc", "rover.rlb"] {
            copy_sample(name, &inputs.join(format!("{number}-{name}")));
        }
    }
    let start = || {
        let mut command = command(&["render", "in", "-o", "out", "--size", "400x300"]);
        command.current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts")
    };
    let began = Instant::now();
    assert!(start().wait().expect("ends").success(), "succeeds without a kill");
    let duration = began.elapsed();
    let expected = pictures(&results);
    assert_eq!(expected.len(), 36, "one picture per input");
    let (mut seed, mut partial) = (0x2545_F491u64, 0);
    for _ in 0..kills {
        fs::remove_dir_all(&results).expect("the folder can be removed");
        fs::create_dir(&results).expect("the folder can be created");
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut child = start();
        thread::sleep(
            duration.mul_f64(f64::from(u32::try_from(seed >> 40).expect("24 bits")) / f64::from(1 << 24)),
        );
        // Killing fails if the process has already ended.
        let _ = child.kill();
        child.wait().expect("ends");
        let found = pictures(&results);
        partial += usize::from(!found.is_empty() && found.len() < expected.len());
        for picture in found {
            assert!(expected.contains(&picture), "{}: the picture is incomplete", picture.0);
        }
    }
    if kills >= 20 {
        assert!(partial > kills / 10, "only {partial} of {kills} kills came during the run: {duration:?}");
    }
    // Leftover temporary files do not disturb the next run.
    assert!(start().wait().expect("ends").success(), "succeeds after kills");
    assert_eq!(pictures(&results), expected, "all pictures are complete");
    // Give the system time to finish writing.
    thread::sleep(Duration::from_millis(10));
}

/// Reads all pictures, to check that each can be decoded. Returns their names and bytes, sorted by name.
fn pictures(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut pictures = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with(".pspge-") {
            let picture = image::open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!((picture.width(), picture.height()), (400, 300), "{name}: size");
            pictures.push((name, fs::read(&path).expect("the picture can be read")));
        }
    }
    pictures.sort();
    pictures
}
