//! Records frames that a host replays in pieces, then replays the recordings alone.

#![expect(clippy::multiple_unsafe_ops_per_block, reason = "a host makes one call after the other")]

use std::path::Path;
use std::ptr::{null, null_mut};

use pspge::ge::address::{VRAM_BASE, VRAM_SIZE};
use pspge::run::replay;
use pspge::run::sink::NullObserver;
use pspge::{Arithmetic, Limits, Rasterizer, RunSpec};
use pspge_c::Status;
use pspge_c::recording::{pspge_record_begin, pspge_record_end};

use host::{Host, PIECES, Pieces, check, open};

#[path = "../examples/pieces/host.rs"]
mod host;

/// Frames with few pixels or many kinds of commands.
const FRAMES: &[&str] = &[
    "wall-e.ppdmp",
    "beam-em-up.ppdmp",
    "monster-hunter-3rd.ppdmp",
    "locoroco-tropuca.ppdmp",
    "boku-no-natsuyasumi-4.ppdmp",
    "shinsengumi-bakumatsuden.ppdmp",
    "frontier-gate-boost.ppdmp",
    "hot-pixel.ppdmp",
    "project-diva-teardrops.ppdmp",
    "taiko-no-tatsujin.ppdmp",
];

#[test]
fn frames_in_pieces_record_to_the_same_vram() {
    let Some(corpus) = std::env::var_os("PSPGE_CORPUS") else {
        eprintln!("SKIPPED: PSPGE_CORPUS is not set");
        return;
    };
    let mut host = Host::new();
    for (name, number) in FRAMES.iter().zip(0..) {
        let path = Path::new(&corpus).join("frames").join(name);
        let Some(frame) = open(&path) else { panic!("{name} has no commands") };
        let (pieces, kind) = PIECES[number % PIECES.len()];
        host.prepare(&frame, 1);
        let mut size = 0;
        // SAFETY: the instance lives, and the buffer has the size asked for.
        let dump = unsafe {
            check(pspge_record_begin(host.instance, null()), "begin");
            host.replay(&frame, pieces, 200);
            let status = pspge_record_end(host.instance, null_mut(), 0, &raw mut size, null_mut());
            assert_eq!(status, Status::BufferTooSmall, "{name}");
            let mut bytes = vec![0; size];
            check(
                pspge_record_end(host.instance, bytes.as_mut_ptr(), size, &raw mut size, null_mut()),
                "end",
            );
            bytes
        };
        let shot = pspge::open(name, &dump).and_then(|asset| asset.shot(&RunSpec::default()));
        let capture = shot.expect("a frame").capture.clone();
        let (mut memory, sink) = (capture.memory.clone(), &mut Rasterizer::default());
        let watch = &mut NullObserver;
        replay::run_on(&mut memory, &capture, Arithmetic::Hardware, sink, watch, &Limits::none());
        let vram = host.bytes(VRAM_BASE, VRAM_SIZE as usize).expect("all VRAM");
        let first = memory.vram().iter().zip(vram).position(|(replay, host)| replay != host);
        assert_eq!(first, None, "the first byte that differs in {name} ({kind})");
        // A context leaves out anything that a frame writes past the last bone.
        assert!(
            pieces == Pieces::Contexts || vram == frame.expected,
            "{name} ({kind}) as the library draws it"
        );
    }
}
