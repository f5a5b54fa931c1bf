//! Tests `--renderer psp://FOLDER` with programs that stand in for PSPLINK's, and for the PSP behind them.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::folder;
use crate::support::{command, pspge_in, text};

/// Listens, as `usbhostfs_pc -b PORT` does.
const SERVER: &str = r#"#!/bin/sh
echo "usbhostfs_pc in $(basename "$PWD")" >>"$FAKE_PSP/log"
exec python3 -c '
import socket, sys
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    server.accept()[0].close()
' "$2"
"#;

/// Answers `pspsh -p PORT -e COMMAND`. The player knows pictures for some dumps.
const SHELL: &str = r#"#!/bin/sh
echo "$4" >>"$FAKE_PSP/log"
case "$4" in
"ls host0:/") [ -e "$FAKE_PSP/off" ] || ls "$FAKE_PSP/host0" ;;
reset) rm -f "$FAKE_PSP/hangs" ;;
"host0:/playback.prx host0:/pspge.ppdmp")
    [ -e "$FAKE_PSP/hangs" ] && exit 0
    (
        cd "$FAKE_PSP/host0"
        printf 'VALID: 0\nRUN: 0\n' >__testoutput.txt
        for dump in ../known/*.ppdmp; do
            if cmp -s "$dump" pspge.ppdmp; then
                cp "${dump%.ppdmp}.bmp" __screenshot.bmp
                printf 'VALID: 1\nRUN: 1\n' >__testoutput.txt
            fi
        done
        sleep 0.3
        : >__testfinish.txt
    ) >/dev/null 2>&1 &
    ;;
esac
"#;

/// A folder with cases, and a PSP that knows their pictures.
struct FakePsp {
    folder: PathBuf,
    port: u16,
}

impl FakePsp {
    fn new(name: &str) -> Self {
        let folder = folder(name);
        for part in ["psp/host0", "psp/known", "bin"] {
            fs::create_dir_all(folder.join(part)).expect("a folder");
        }
        fs::write(folder.join("psp/host0/playback.prx"), b"the player").expect("a file");
        for (name, script) in [("usbhostfs_pc", SERVER), ("pspsh", SHELL)] {
            let path = folder.join("bin").join(name);
            fs::write(&path, script).expect("a script");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be run");
        }
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let psp = Self { folder, port: free.expect("a port").port() };
        psp.knows("a", "a");
        psp
    }

    /// Gives the player a picture for a case: another case's, in the framebuffer around the screen.
    fn knows(&self, case: &str, of: &str) {
        let cases = self.folder.join("cases");
        let known = self.folder.join("psp/known");
        fs::copy(cases.join(format!("{case}.ppdmp")), known.join(format!("{case}.ppdmp"))).expect("a dump");
        let picture = image::open(cases.join(format!("{of}.png"))).expect("a picture").to_rgb8();
        let mut buffer = image::RgbImage::new(512, 272);
        image::imageops::replace(&mut buffer, &picture, 0, 0);
        buffer.save(known.join(format!("{case}.bmp"))).expect("a picture");
    }

    fn judge(&self, options: &[&str]) -> (Option<i32>, Vec<Value>) {
        let renderer = ["test", "cases", "--renderer", "psp://psp/host0", "--explain", "0", "--json", "-q"];
        let path = std::env::var("PATH").unwrap_or_default();
        let output = command(&[&renderer, options].concat())
            .current_dir(&self.folder)
            .env("PATH", format!("{}:{path}", self.folder.join("bin").display()))
            .env("FAKE_PSP", self.folder.join("psp"))
            .env("PSPGE_PSP_PORT", self.port.to_string())
            .env("PSPGE_PSP_CONNECT", "3")
            .output()
            .expect("runs");
        let lines = text(&output.stdout);
        assert!(!lines.is_empty(), "{}", text(&output.stderr));
        let parse = |line: &str| serde_json::from_str(line).expect("JSON");
        (output.status.code(), lines.lines().map(parse).collect())
    }

    /// Judges the only case, which gives no picture, and returns the reason.
    fn fault(&self, options: &[&str]) -> String {
        let (status, judgements) = self.judge(options);
        assert_eq!((status, judgements.len()), (Some(1), 1), "{judgements:?}");
        judgements[0]["message"].as_str().unwrap_or_default().to_owned()
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("psp/log")).unwrap_or_default()
    }
}

/// Whether there is a Python to run the script.
fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    if !found {
        eprintln!("python3 is missing; the script for a PSP is not run");
    }
    found
}

#[test]
fn a_psp_draws_one_case_after_another() {
    if !has_python() {
        return;
    }
    let psp = FakePsp::new("psp");
    let cases = psp.folder.join("cases");
    for (case, options) in [("b", "--yaw 40"), ("c", "--yaw 80")] {
        let pack = format!("pack lampwing.pac {options} -o cases/{case}.ppdmp -q");
        let render = format!("render cases/{case}.ppdmp -o cases/{case}.png -q");
        for line in [pack, render] {
            assert!(pspge_in(&psp.folder, &line).status.success(), "{line}");
        }
    }
    assert!(cases.join("c.png").exists(), "three cases");
    psp.knows("b", "a");
    psp.knows("c", "c");
    let (status, judgements) = psp.judge(&["--jobs", "4"]);
    let found: Vec<[&str; 3]> = judgements
        .iter()
        .map(|judgement| ["case", "renderer", "outcome"].map(|name| judgement[name].as_str().unwrap_or("")))
        .collect();
    let expected = [["a.ppdmp", "psp", "passed"], ["b.ppdmp", "psp", "failed"], ["c.ppdmp", "psp", "passed"]];
    assert_eq!((status, found.as_slice()), (Some(1), expected.as_slice()), "{judgements:?}");
    assert!(psp.log().contains("usbhostfs_pc in host0\nls host0:/\n"), "{}", psp.log());
    assert!(!psp.log().contains("reset"), "{}", psp.log());
    assert!(!psp.folder.join("psp/host0/pspge-running").exists(), "nothing runs");
}

#[test]
fn faults_of_a_psp_are_named() {
    if !has_python() {
        return;
    }
    let psp = FakePsp::new("psp-faults");
    let put = |name: &str| fs::write(psp.folder.join("psp").join(name), b"").expect("a file");
    let remove = |name: &str| fs::remove_file(psp.folder.join("psp").join(name)).expect("it was there");
    let contains = |message: &str, part: &str| assert!(message.contains(part), "{part}: {message}");
    put("off");
    contains(&psp.fault(&[]), "psp: the PSP is not connected: start PSPLINK on it");
    remove("off");
    fs::rename(psp.folder.join("psp/known"), psp.folder.join("psp/other")).expect("the folder");
    contains(&psp.fault(&[]), "psp: the player cannot draw the dump: VALID: 0 RUN: 0");
    fs::rename(psp.folder.join("psp/other"), psp.folder.join("psp/known")).expect("the folder");
    // A PSP that hangs is given up when its time is over, and reset by the next run.
    put("hangs");
    contains(&psp.fault(&["--timeout", "6"]), "timed out after 6 s");
    assert!(!psp.log().contains("reset"), "{}", psp.log());
    let (status, judgements) = psp.judge(&[]);
    assert_eq!(status, Some(0), "{judgements:?}");
    assert!(psp.log().contains("reset"), "{}", psp.log());
    fs::remove_file(psp.folder.join("psp/host0/playback.prx")).expect("it was there");
    contains(&psp.fault(&[]), "psp: there is no playback.prx");
    fs::remove_file(psp.folder.join("bin/usbhostfs_pc")).expect("it was there");
    fs::write(psp.folder.join("psp/host0/playback.prx"), b"the player").expect("a file");
    contains(&psp.fault(&[]), "psp: usbhostfs_pc of PSPLINK cannot be run");
}
