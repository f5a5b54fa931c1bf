//! Tests the needs of emulators: pending draws, skipped frames, endings, callbacks, memory in their own shape.

use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

use pspge_c::Status;
use pspge_c::callbacks::{CommandInfo, pspge_set_command_callback};
use pspge_c::config::{Config, FLAG_LINEAR_VRAM, FLAG_REPORTS_CHANGES};
use pspge_c::flow::{pspge_get_edram_translation, pspge_set_edram_translation, pspge_set_flow};
use pspge_c::instance::{pspge_create, pspge_destroy, pspge_reset};
use pspge_c::memory::pspge_read_memory;
use pspge_c::run::{
    NO_STALL, RUN_KEEP_PENDING, RUN_NO_DRAWING, RUN_STOP_AT_SKIPPED_FINISH, RunEnding, RunOptions, RunResult,
    pspge_flush, pspge_flush_range, pspge_run, pspge_set_stall,
};

use crate::host::{Host, LIST, START, VRAM, empty_result, options, restore, save};

/// Two rectangles with depth, and a strip that a stall cuts.
const DEPTH_LIST: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    ZBUFPTR 0x110000 | ZBUFWIDTH width=512 | ZTESTENABLE 1 | ZTEST GREATER_EQUAL | MAXZ 0xFFFF
    BASE hi(corners) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)
    PRIM primitive=RECTANGLES count=2
    PRIM primitive=RECTANGLES count=2
    NOP
    PRIM primitive=TRIANGLE_STRIP count=3
    PRIM primitive=CONTINUE count=1
    FINISH | END
.align 4
corners:
    .rgba #ff0000ff | .s16 0 0 100 | .align 4
    .rgba #ff0000ff | .s16 400 200 100 | .align 4
    .rgba #0000ffff | .s16 40 0 90 | .align 4
    .rgba #0000ffff | .s16 480 272 90 | .align 4
    .rgba #00ff00ff | .s16 20 20 110 | .align 4
    .rgba #00ffffff | .s16 60 20 110 | .align 4
    .rgba #ffff00ff | .s16 20 60 110 | .align 4
    .rgba #ffffffff | .s16 60 60 110 | .align 4
";

#[test]
#[cfg_attr(miri, ignore = "slow: large draws")]
fn pending_draws_change_no_pixel() {
    let whole = Host::new(DEPTH_LIST, 0);
    whole.run(&options());
    // SAFETY: no call is at work.
    let expected = unsafe { &*whole.vram };
    assert!(expected.iter().any(|byte| *byte != 0), "something is drawn");
    for threads in [1, 2] {
        let host = Host::with_threads(DEPTH_LIST, FLAG_REPORTS_CHANGES, threads);
        let pending = RunOptions { flags: RUN_KEEP_PENDING, max_commands: 1, ..options() };
        let mut result = host.run(&pending);
        let mut parts = 1;
        while result.ending == RunEnding::Budget {
            result = host.resume(&pending);
            parts += 1;
        }
        assert_eq!((result.ending, parts), (RunEnding::Finished, 19), "{result:?}");
        // SAFETY: the instance lives.
        let status = unsafe { pspge_flush_range(host.instance, VRAM, 512 * 4 * 60) };
        assert_eq!(status, Status::Ok, "{}", host.error());
        assert_eq!(host.pixel(30, 30), whole.pixel(30, 30), "a part can be read");
        // SAFETY: the instance lives.
        assert_eq!(unsafe { pspge_flush(host.instance) }, Status::Ok, "{}", host.error());
        // SAFETY: no call is at work.
        assert!(unsafe { &*host.vram } == expected, "the same VRAM with {threads} threads");
    }
}

#[test]
fn skipped_frames_run_without_drawing() {
    let host = Host::new(LIST, 0);
    let result = host.run(&RunOptions { flags: RUN_NO_DRAWING, ..options() });
    assert_eq!((result.ending, result.draws), (RunEnding::Finished, 2), "{result:?}");
    assert_eq!(host.pixel(3, 3), [0; 4], "nothing is drawn");
    assert_eq!(host.run(&options()).ending, RunEnding::Finished, "the next frame");
    assert_eq!(host.pixel(3, 3), [255, 0, 0, 0], "is drawn");
}

#[test]
fn endings_name_their_end() {
    let host = Host::new(
        "SIGNAL behavior=SYNC | END | FINISH 5 | END | NOP
         SIGNAL behavior=HANDLER_PAUSE value=3 | END | FINISH 6 | END
         SIGNAL behavior=0xEE | END | NOP | FINISH 7 | END",
        0,
    );
    let stop = RunOptions { flags: RUN_STOP_AT_SKIPPED_FINISH, ..options() };
    let skipped = host.run(&stop);
    assert_eq!(
        (skipped.ending, skipped.signal, skipped.end, skipped.end_address),
        (RunEnding::FinishSkipped, 0x0F00_0005, 0x0C00_0000, START + 12),
        "{skipped:?}"
    );
    let paused = host.resume(&stop);
    assert_eq!(
        (paused.ending, paused.signal, paused.end_address, paused.pc),
        (RunEnding::Paused, 0x0F00_0006, START + 32, START + 36),
        "{paused:?}"
    );
    let hung = host.resume(&stop);
    assert_eq!(
        (hung.ending, hung.signal, hung.end_address, hung.commands),
        (RunEnding::Hung, 0x0EEE_0000, START + 40, 2),
        "{hung:?}"
    );
    let again = host.resume(&stop);
    assert_eq!(again, RunResult { commands: 0, notes: 0, ..hung }, "the GE waits forever");
    let saved = save(&host);
    // SAFETY: the instance lives.
    assert_eq!(unsafe { pspge_reset(host.instance) }, Status::Ok, "reset");
    restore(&host, &saved);
    assert_eq!(host.resume(&stop).ending, RunEnding::Hung, "a saved state hangs, too");
    let flow = host.flow();
    // SAFETY: the instance lives.
    assert_eq!(unsafe { pspge_set_flow(host.instance, &raw const flow) }, Status::Ok, "{}", host.error());
    let finished = host.resume(&stop);
    assert_eq!((finished.ending, finished.signal), (RunEnding::Finished, 0x0F00_0007), "{finished:?}");
    // SAFETY: the instance lives.
    unsafe { pspge_set_stall(host.instance, 0) };
    assert_eq!(host.flow().stall, NO_STALL, "0 is no stall address");
    assert_eq!(host.run(&options()).ending, RunEnding::Paused, "the SYNC is skipped without the flag");
}

/// Notes the third command, and stops before it.
unsafe extern "C" fn look_at_third(user: *mut c_void, command: *const CommandInfo) -> c_int {
    // SAFETY: the test passes a list, and the command lives during the callback.
    let (seen, command) = unsafe { (&mut *user.cast::<Vec<(u64, u32, u32)>>(), *command) };
    // SAFETY: there are 256 registers.
    let width = unsafe { *command.state.registers.add(0x9D) };
    seen.push((command.number, command.word, width));
    c_int::from(command.number == 2)
}

#[test]
fn callback_sees_each_command_and_registers() {
    let host = Host::new(LIST, 0);
    let mut seen: Vec<(u64, u32, u32)> = Vec::new();
    // SAFETY: the list outlives the runs.
    unsafe { pspge_set_command_callback(host.instance, Some(look_at_third), (&raw mut seen).cast()) };
    let stopped = host.run(&options());
    assert_eq!(
        (stopped.ending, stopped.commands, stopped.pc),
        (RunEnding::Stopped, 2, START + 8),
        "{stopped:?}"
    );
    assert_eq!(seen[..2], [(0, 0x9D00_0200, 0x9D00_0000), (1, 0xD200_0003, 0x9D00_0200)], "{seen:x?}");
    let rest = host.resume(&options());
    assert_eq!(rest.ending, RunEnding::Finished, "it goes on without asking again: {rest:?}");
    assert_eq!(seen.len() as u64, stopped.commands + rest.commands, "once for each command");
}

#[test]
#[cfg_attr(miri, ignore = "slow: moves all of VRAM")]
fn linear_views_show_depth_in_order() {
    for (flag, at) in [(0, 0x0460_0000 + 0x11_0000), (FLAG_LINEAR_VRAM, 0x0400_0000 + 0x11_0000)] {
        let host = Host::new(DEPTH_LIST, flag);
        host.run(&options());
        let (mut values, mut mode) = ([0_u8; 8], 0);
        // SAFETY: the instance lives, and the buffer has this size.
        unsafe {
            assert_eq!(pspge_read_memory(host.instance, at, values.as_mut_ptr(), 8), Status::Ok, "read");
            assert_eq!(values, [100, 0, 100, 0, 100, 0, 100, 0], "flag {flag}");
            assert_eq!(pspge_set_edram_translation(host.instance, 0x200), Status::Ok, "{}", host.error());
            pspge_get_edram_translation(host.instance, &raw mut mode);
        }
        assert_eq!(mode, 0x200, "the program sees its mode");
    }
}

#[test]
#[cfg_attr(miri, ignore = "slow: much memory")]
fn ram_above_64_mib_is_used() {
    let size = (64 << 20) + 0x2_0000;
    let ram = Box::into_raw(vec![0_u8; size].into_boxed_slice());
    let config = Config { ram: ram.cast(), ram_size: size, ..Config::default() };
    let mut instance = null_mut();
    let mut result = empty_result();
    // SAFETY: the memory lives until the end, and nobody uses it during a call.
    unsafe {
        assert_eq!(pspge_create(&raw const config, &raw mut instance, null_mut()), Status::Ok, "create");
        let list: Vec<u8> = [0x0F00_0000_u32, 0x0C00_0000].into_iter().flat_map(u32::to_le_bytes).collect();
        (&mut *ram)[(64 << 20) + 0x1_0000..][..8].copy_from_slice(&list);
        assert_eq!(pspge_run(instance, 0x0C01_0000, null(), &raw mut result), Status::Ok, "run");
        assert_eq!((result.ending, result.end_address), (RunEnding::Finished, 0x0C01_0004), "{result:?}");
        assert_eq!(pspge_destroy(instance), Status::Ok, "destroy");
        drop(Box::from_raw(ram));
    }
}
