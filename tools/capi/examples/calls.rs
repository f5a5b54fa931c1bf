//! Measures small calls in the C interface: commands in a list and alone, the callback for changed memory, and a
//! small draw with one and two threads.
//!
//! `cargo run --profile dist -p pspge-c --example calls`. Nothing else should run on the machine.

use std::ffi::c_void;
use std::io::Write;
use std::ptr::{null, null_mut};
use std::time::Instant;

use pspge_c::callbacks::pspge_set_dirty_callback;
use pspge_c::config::{Config, FLAG_REPORTS_CHANGES};
use pspge_c::instance::{pspge_create, pspge_destroy};
use pspge_c::memory::pspge_write_memory;
use pspge_c::registers::pspge_write_register;
use pspge_c::run::{
    RUN_KEEP_PENDING, RunOptions, RunResult, pspge_execute, pspge_flush, pspge_resume, pspge_run,
};
use pspge_c::{Pspge, Status};

const START: u32 = 0x0880_0000;

/// Draws a rectangle of 16 by 16 pixels with depth.
const RECTANGLE: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    ZBUFPTR 0x110000 | ZBUFWIDTH width=512 | ZTESTENABLE 1 | ZTEST ALWAYS | MAXZ 0xFFFF
    BASE hi(corners) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)
    PRIM primitive=RECTANGLES count=2
    FINISH | END
.align 4
corners:
    .rgba #ff0000ff | .s16 0 0 100 | .align 4
    .rgba #ff0000ff | .s16 16 16 100 | .align 4
";

fn check(status: Status) {
    assert_eq!(status, Status::Ok, "a call of the interface");
}

/// Creates an instance with its own memory and a list.
fn create(threads: u32, list: &[u8]) -> *mut Pspge {
    let config = Config { threads, flags: FLAG_REPORTS_CHANGES, ..Config::default() };
    let mut instance = null_mut();
    // SAFETY: the configuration lends no memory, and both pointers are to locals.
    check(unsafe { pspge_create(&raw const config, &raw mut instance, null_mut()) });
    // SAFETY: the instance lives, and pointer and length come from a slice.
    check(unsafe { pspge_write_memory(instance, START, list.as_ptr(), list.len()) });
    instance
}

/// Returns how many nanoseconds a call takes in the fastest round.
fn time(calls: u32, mut call: impl FnMut()) -> f64 {
    let mut least = f64::MAX;
    for _ in 0..20 {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        least = least.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(calls));
    }
    least
}

unsafe extern "C" fn ignore_range(_: *mut c_void, _: u32, _: u32) {}

fn main() {
    let mut out = std::io::stdout().lock();
    let mut print = |name: &str, time: f64| {
        writeln!(out, "{name}: {time:.1} ns").expect("standard output");
    };
    let commands = 100_000_u32;
    let words = (0..commands).map(|number| 0x5300_0000 | number).chain([0x0F00_0000, 0x0C00_0000]);
    let list: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    let instance = create(1, &list);
    let result = &mut RunResult::default();
    // SAFETY: the instance lives until the end of this function. Pointers are null or to locals.
    let run = time(5, || check(unsafe { pspge_run(instance, START, null(), result) }));
    print("a command in a list", run / f64::from(commands));
    // SAFETY: as above.
    print(
        "pspge_execute, a register",
        time(100_000, || check(unsafe { pspge_execute(instance, 0x5300_0001, result) })),
    );
    // SAFETY: as above.
    print(
        "pspge_write_register",
        time(100_000, || check(unsafe { pspge_write_register(instance, 0x5300_0001) })),
    );
    let one = RunOptions {
        struct_size: size_of::<RunOptions>(),
        max_commands: 1,
        flags: RUN_KEEP_PENDING,
        ..RunOptions::default()
    };
    // SAFETY: as above.
    check(unsafe { pspge_run(instance, START, &raw const one, result) });
    // SAFETY: as above.
    print(
        "pspge_resume for a command",
        time(4000, || check(unsafe { pspge_resume(instance, &raw const one, result) })),
    );
    // SAFETY: no call uses the instance after this.
    check(unsafe { pspge_destroy(instance) });
    let program = pspge::asm::assemble(RECTANGLE).expect("a correct list");
    let capture = program.capture();
    let list = capture.memory.slice(capture.start, 256).expect("the bytes of the list");
    for threads in [1, 2] {
        let instance = create(threads, list);
        // SAFETY: as above.
        let mut run = || check(unsafe { pspge_run(instance, START, null(), result) });
        let plain = time(2000, &mut run);
        print(&format!("a list with 16 by 16 pixels, {threads} threads"), plain);
        // SAFETY: as above.
        check(unsafe { pspge_set_dirty_callback(instance, Some(ignore_range), null_mut()) });
        let called = time(2000, || {
            // SAFETY: as above.
            check(unsafe { pspge_run(instance, START, null(), result) });
        });
        print("  with a callback for changed memory, longer by", called - plain);
        let pending = RunOptions { max_commands: 0, ..one };
        let kept = time(2000, || {
            // SAFETY: as above.
            check(unsafe { pspge_run(instance, START, &raw const pending, result) });
        });
        print("  with draws that stay pending", kept);
        // SAFETY: as above.
        check(unsafe { pspge_flush(instance) });
        // SAFETY: no call uses the instance after this.
        check(unsafe { pspge_destroy(instance) });
    }
}
