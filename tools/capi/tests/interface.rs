//! Uses the interface as a host does, but from Rust, so that Miri can watch.

#![expect(clippy::multiple_unsafe_ops_per_block, reason = "a host makes one call after the other")]

#[path = "interface/answers.rs"]
mod answers;
#[path = "interface/emulator.rs"]
mod emulator;
#[path = "interface/host.rs"]
mod host;
#[path = "interface/pending.rs"]
mod pending;
#[path = "interface/recording.rs"]
mod recording;
#[path = "interface/script.rs"]
mod script;
#[path = "interface/states.rs"]
mod states;

use std::ffi::{CStr, c_int, c_void};
use std::ptr::{null, null_mut};

use host::{Host, LIST, START, VRAM, empty_result, options};
use pspge::asm::assemble;
use pspge_c::border::pspge_free_string;
use pspge_c::callbacks::{Draw, pspge_set_dirty_callback, pspge_set_draw_callback};
use pspge_c::config::{Config, FLAG_REPORTS_CHANGES, Region};
use pspge_c::counts::{Counts, pspge_get_counts};
use pspge_c::flow::{
    Pointers, pspge_get_edram_translation, pspge_get_pointers, pspge_set_edram_translation, pspge_set_flow,
    pspge_set_pointers,
};
use pspge_c::instance::{pspge_create, pspge_destroy, pspge_reset};
use pspge_c::json::{pspge_notes_json, pspge_pixel_json, pspge_state_json};
use pspge_c::memory::{pspge_memory_changed, pspge_read_memory, pspge_write_memory};
use pspge_c::registers::{
    MATRIX_PROJECTION, MATRIX_WORLD, pspge_get_matrix, pspge_get_palette, pspge_get_registers,
    pspge_set_matrix, pspge_set_palette, pspge_set_registers, pspge_write_register,
};
use pspge_c::run::{
    NO_STALL, RUN_STOP_AT_SIGNAL, RunEnding, RunOptions, pspge_execute, pspge_flush, pspge_run,
    pspge_set_stall, pspge_skip_signal, pspge_transfer,
};
use pspge_c::saved::{pspge_restore_context, pspge_restore_state, pspge_save_context, pspge_save_state};
use pspge_c::target::Target;
use pspge_c::{Pspge, Status};

#[test]
fn list_draws_into_the_memory_of_the_host() {
    let host = Host::new(LIST, 0);
    let result = host.run(&options());
    assert_eq!(
        (result.ending, result.signal & 0xFFFF, result.draws),
        (RunEnding::Finished, 7, 2),
        "{result:?}"
    );
    assert_eq!(
        [host.pixel(3, 3), host.pixel(4, 0), host.pixel(8, 0)],
        [[255, 0, 0, 0], [0, 0, 255, 0], [0; 4]],
        "pixels, with the stencil in place of alpha"
    );
    let mut counts = Counts::default();
    // SAFETY: the instance lives.
    assert_eq!(unsafe { pspge_get_counts(host.instance, &raw mut counts) }, Status::Ok, "counts");
    assert_eq!(
        (counts.draws, counts.vertices, counts.pixels, counts.commands),
        (2, 4, 32, result.commands),
        "counts"
    );
    assert_eq!(result.end_address, result.pc - 4, "the address of END");
    // The host changes a vertex between calls.
    let green = [0, 255, 0, 255];
    let vertices =
        host.ram()[0x80_0000..].windows(4).position(|bytes| bytes == [255, 0, 0, 255]).expect("a vertex");
    for vertex in [0, 12] {
        host.ram()[0x80_0000 + vertices + vertex..][..4].copy_from_slice(&green);
    }
    host.run(&options());
    assert_eq!(host.pixel(0, 0), [0, 255, 0, 0], "another colour");
}

#[test]
fn signals_stop_and_state_survives() {
    let host = Host::new(LIST, 0);
    let stop = RunOptions { flags: RUN_STOP_AT_SIGNAL, ..options() };
    let first = host.run(&stop);
    assert_eq!(
        (first.ending, first.signal, first.end >> 24, first.draws),
        (RunEnding::Signal, 0x0E01_0042, 0x0C, 1),
        "{first:?}"
    );
    let (mut bytes, mut size) = (vec![0; 32768], 0);
    // SAFETY: the instance lives.
    let status = unsafe { pspge_save_state(host.instance, bytes.as_mut_ptr(), 0, &raw mut size) };
    assert_eq!(status, Status::BufferTooSmall, "{}", host.error());
    // SAFETY: the instance lives, and the buffer has this size.
    let status = unsafe { pspge_save_state(host.instance, bytes.as_mut_ptr(), bytes.len(), &raw mut size) };
    assert_eq!(status, Status::Ok, "{}", host.error());
    bytes.truncate(size);
    let other = Host::new(LIST, 0);
    // SAFETY: the instance lives, and the buffer has this size.
    unsafe {
        assert_eq!(pspge_restore_state(other.instance, bytes.as_ptr(), size), Status::Ok, "restore");
        assert_eq!(
            pspge_restore_state(other.instance, bytes.as_ptr(), size - 1),
            Status::BadState,
            "cut off"
        );
    }
    assert_eq!(other.flow(), host.flow(), "the same flow");
    assert_eq!(other.resume(&stop).ending, RunEnding::Finished, "the other goes on");
    assert_eq!([other.pixel(0, 0), other.pixel(4, 0)], [[0; 4], [0, 0, 255, 0]], "only the second draw");
    // SAFETY: the instance lives.
    assert_eq!(unsafe { pspge_skip_signal(host.instance) }, Status::Ok, "{}", host.error());
    assert_eq!(host.flow().pc, first.pc + 4, "after END");
    // SAFETY: the instance lives.
    assert_eq!(unsafe { pspge_skip_signal(host.instance) }, Status::BadArgument, "no signal here");
    assert_eq!(host.resume(&stop).ending, RunEnding::Finished, "it goes on, too");
}

#[test]
fn runs_stop_at_budget_stall_and_missing_memory() {
    let host = Host::new(LIST, 0);
    let few = host.run(&RunOptions { max_commands: 3, ..options() });
    assert_eq!((few.ending, few.commands, few.pc), (RunEnding::Budget, 3, START + 12), "{few:?}");
    // SAFETY: the instance lives.
    unsafe { pspge_set_stall(host.instance, START + 20) };
    let stalled = host.resume(&options());
    assert_eq!(
        (stalled.ending, stalled.commands, stalled.pc),
        (RunEnding::Stalled, 2, START + 20),
        "{stalled:?}"
    );
    // SAFETY: the instance lives.
    unsafe { pspge_set_stall(host.instance, NO_STALL) };
    let mut flow = host.flow();
    assert_eq!(flow.stall, NO_STALL, "no stall");
    flow.pc = 0x0900_0000;
    // SAFETY: the instance lives.
    assert_eq!(unsafe { pspge_set_flow(host.instance, &raw const flow) }, Status::Ok, "{}", host.error());
    let lost = host.resume(&options());
    assert_eq!((lost.ending, lost.pc, lost.notes), (RunEnding::BadAddress, 0x0900_0000, 1), "{lost:?}");
    let mut json = null_mut();
    // SAFETY: the instance lives, and the text until it is freed.
    unsafe {
        assert_eq!(pspge_notes_json(host.instance, &raw mut json), Status::Ok, "notes");
        let text = CStr::from_ptr(json).to_string_lossy().into_owned();
        assert!(text.contains("\"message\"") && text.contains("\"dropped\":0"), "{text}");
        pspge_free_string(json);
    }
}

/// Counts draws, and stops after the first. Meanwhile the instance must be busy.
unsafe extern "C" fn stop_after_first(user: *mut c_void, draw: *const Draw) -> c_int {
    // SAFETY: the test passes these, and the draw lives during the call.
    let (seen, draw) = unsafe { (&mut *user.cast::<(Vec<Draw>, *const Pspge)>(), *draw) };
    seen.0.push(draw);
    // SAFETY: the instance lives.
    assert_eq!(unsafe { pspge_reset(seen.1) }, Status::Busy, "in a callback");
    c_int::from(draw.number == 0)
}

unsafe extern "C" fn record_range(user: *mut c_void, address: u32, size: u32) {
    // SAFETY: the test passes a list.
    unsafe { &mut *user.cast::<Vec<(u32, u32)>>() }.push((address, size));
}

#[test]
fn callbacks_see_draws_and_changes() {
    let host = Host::new(LIST, 0);
    let mut seen: (Vec<Draw>, *const Pspge) = (Vec::new(), host.instance);
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    // SAFETY: both lists outlive the runs.
    unsafe {
        pspge_set_draw_callback(host.instance, Some(stop_after_first), (&raw mut seen).cast());
        pspge_set_dirty_callback(host.instance, Some(record_range), (&raw mut ranges).cast());
    }
    assert_eq!(host.run(&options()).ending, RunEnding::Stopped, "after the first draw");
    assert_eq!(host.resume(&options()).ending, RunEnding::Finished, "the rest");
    let words: Vec<_> =
        seen.0.iter().map(|draw| (draw.number, draw.word, draw.primitive, draw.count)).collect();
    assert_eq!(words, [(0, 0x0406_0002, 6, 2), (1, 0x0406_0002, 6, 2)], "draws");
    assert_eq!(ranges, [(VRAM, 512 * 4 * 272); 2], "the rows of the scissor, once for each call");
    ranges.clear();
    // Single commands start a block transfer of 2 by 2 pixels into RAM.
    let result = &mut empty_result();
    for word in [
        0xB200_0000,
        0xB304_0200,
        0xB480_1000,
        0xB508_0010,
        0xEB00_0000,
        0xEC00_0000,
        0xEE00_0401,
        0xEA00_0001,
    ] {
        // SAFETY: the instance lives.
        assert_eq!(unsafe { pspge_execute(host.instance, word, result) }, Status::Ok, "{}", host.error());
    }
    assert_eq!(ranges, [(0x0880_1000, 16 * 4 + 8)], "the bytes of two rows");
    assert_eq!(host.ram()[0x80_1000..0x80_1008], [255, 0, 0, 0, 255, 0, 0, 0], "the pixels");
    // SAFETY: the instance lives.
    assert_eq!(unsafe { pspge_transfer(host.instance, result) }, Status::Ok, "{}", host.error());
    assert_eq!((ranges.len(), result.commands), (2, 1), "again");
    let mut counts = Counts::default();
    // SAFETY: the instance lives.
    unsafe { pspge_get_counts(host.instance, &raw mut counts) };
    assert_eq!((counts.transferred_pixels, counts.transferred_bytes), (8, 32), "pixels of 32 bits");
}

#[test]
fn commands_draw_without_a_list() {
    let host = Host::new(LIST, FLAG_REPORTS_CHANGES);
    let result = &mut empty_result();
    for at in (0..).step_by(4) {
        let mut word = [0; 4];
        // SAFETY: the instance lives.
        let status = unsafe { pspge_read_memory(host.instance, START + at, word.as_mut_ptr(), 4) };
        assert_eq!(status, Status::Ok, "{}", host.error());
        let word = u32::from_le_bytes(word);
        // SAFETY: the instance lives.
        assert_eq!(unsafe { pspge_execute(host.instance, word, result) }, Status::Ok, "{}", host.error());
        if word >> 24 == 0x0F {
            break;
        }
    }
    assert_eq!((result.draws, host.flow().pc), (2, 0), "the list does not move");
    // SAFETY: the instance lives.
    assert_eq!(unsafe { pspge_flush(host.instance) }, Status::Ok, "{}", host.error());
    assert_eq!([host.pixel(0, 0), host.pixel(7, 3)], [[255, 0, 0, 0], [0, 0, 255, 0]], "pixels");
    // SAFETY: the instance lives.
    unsafe {
        assert_eq!(pspge_memory_changed(host.instance, START, 16), Status::Ok, "{}", host.error());
        assert_eq!(pspge_memory_changed(host.instance, 0x100, 16), Status::BadArgument, "no memory");
    }
    assert_eq!(host.error(), "the 16 bytes from 0x00000100 on are not all in memory", "a sentence");
}

#[test]
fn registers_read_back() {
    let host = Host::new(LIST, 0);
    let instance = host.instance;
    let mut words = [0; 256];
    let mut elements = [0x3F_8000; 12];
    let mut projection = [1; 16];
    let mut palette = [7; 1024];
    let mut context = [0; 512];
    let mut mode = 0;
    // SAFETY: the instance lives, and all pointers have the sizes that the functions name.
    unsafe {
        assert_eq!(pspge_write_register(instance, 0x1F00_0001), Status::Ok, "a register");
        assert_eq!(pspge_get_registers(instance, words.as_mut_ptr()), Status::Ok, "all registers");
        assert_eq!((words[0x1F], words[0x20]), (0x1F00_0001, 0x2000_0000), "words");
        words[0x20] = 0x2000_0001;
        assert_eq!(pspge_set_registers(instance, words.as_ptr()), Status::Ok, "{}", host.error());
        words[0x20] = 0;
        assert_eq!(pspge_set_registers(instance, words.as_ptr()), Status::BadArgument, "another opcode");
        assert_eq!(
            pspge_set_matrix(instance, MATRIX_WORLD, elements.as_ptr(), 12),
            Status::Ok,
            "{}",
            host.error()
        );
        elements.fill(0);
        assert_eq!(
            pspge_get_matrix(instance, MATRIX_WORLD, elements.as_mut_ptr(), 12),
            Status::Ok,
            "a matrix"
        );
        assert_eq!(elements, [0x3F_8000; 12], "elements");
        let count = projection.len() - 1;
        let status = pspge_get_matrix(instance, MATRIX_PROJECTION, projection.as_mut_ptr(), count);
        assert_eq!((status, projection), (Status::BadArgument, [1; 16]), "too few elements");
        assert_eq!(pspge_set_palette(instance, palette.as_ptr()), Status::Ok, "{}", host.error());
        palette.fill(0);
        assert_eq!(pspge_get_palette(instance, palette.as_mut_ptr()), Status::Ok, "palette memory");
        assert_eq!(palette, [7; 1024], "bytes");
        let mut flow = host.flow();
        (flow.offset, flow.base) = (0xFFFF_FF00, 0x08_0000);
        pspge_set_flow(instance, &raw const flow);
        let pointers = Pointers { vertices: 0x0812_3456, indices: 0x0865_4321 };
        assert_eq!(pspge_set_pointers(instance, &raw const pointers), Status::Ok, "pointers");
        context.fill(0x5555_5555);
        assert_eq!(pspge_save_context(instance, context.as_mut_ptr()), Status::Ok, "a context");
        assert_eq!(
            (context[5], context[6], context[7], context[384]),
            (0x0812_3456, 0x0865_4321, 0xFFFF_FF00, 0x0C00_0000),
            "words"
        );
        let untouched =
            |range: std::ops::Range<usize>| context[range].iter().all(|word| *word == 0x5555_5555);
        assert!(untouched(10..17) && untouched(385..512), "words that the firmware does not write");
        assert_eq!(pspge_reset(instance), Status::Ok, "reset");
        let mut restored = Pointers::default();
        assert_eq!(pspge_get_pointers(instance, &raw mut restored), Status::Ok, "pointers");
        assert_eq!(restored, Pointers::default(), "as after power-on");
        pspge_write_register(instance, 0xEA00_0001);
        assert_eq!(pspge_restore_context(instance, context.as_ptr()), Status::Ok, "{}", host.error());
        pspge_get_pointers(instance, &raw mut restored);
        assert_eq!((restored, host.flow().offset), (pointers, 0xFFFF_FF00), "restored");
        pspge_get_registers(instance, words.as_mut_ptr());
        assert_eq!((words[0x1F], words[0x20]), (0x1F00_0001, 0x2000_0001), "restored words");
        assert_eq!((words[0xEA], words[0x10]), (0xEA00_0001, 0x1008_0000), "kept, and the base of the list");
        assert_eq!(pspge_set_edram_translation(instance, 0x300), Status::BadArgument, "not a mode");
        assert_eq!(pspge_set_edram_translation(instance, 0x800), Status::Ok, "{}", host.error());
        assert_eq!(
            (pspge_get_edram_translation(instance, &raw mut mode), mode),
            (Status::Ok, 0x800),
            "the mode"
        );
        flow.depth = 33;
        assert_eq!(pspge_set_flow(instance, &raw const flow), Status::BadArgument, "too deep");
    }
}

#[test]
#[cfg_attr(miri, ignore = "slow: records a whole run")]
fn questions_are_answered_as_json() {
    let host = Host::new(LIST, 0);
    let mut json = null_mut();
    let target = Target { address: VRAM, stride: 512, format: 3 };
    // SAFETY: the instance lives, and texts until they are freed.
    unsafe {
        let status = pspge_pixel_json(host.instance, START, 5, 1, null(), &raw mut json);
        assert_eq!(status, Status::Ok, "{}", host.error());
        let text = CStr::from_ptr(json).to_string_lossy().into_owned();
        assert!(text.contains("pspge.pixel/") && text.contains("0000ff"), "{text}");
        pspge_free_string(json);
        let status = pspge_pixel_json(host.instance, START, 512, 1, &raw const target, &raw mut json);
        assert_eq!(status, Status::NoAnswer, "beyond the stride");
        assert_eq!(host.pixel(5, 1), [0; 4], "the instance has drawn nothing");
        host.run(&options());
        assert_eq!(pspge_state_json(host.instance, &raw mut json), Status::Ok, "{}", host.error());
        let text = CStr::from_ptr(json).to_string_lossy().into_owned();
        assert!(text.contains("\"framebuffer\"") && text.contains("ABGR8888"), "{text}");
        pspge_free_string(json);
    }
}

#[test]
fn wrong_configurations_are_refused() {
    let ram = &mut [0_u8; 16];
    let own = Config::default();
    let cases: [(Config, Status, &str); 8] = [
        (Config { struct_size: 3, ..own }, Status::BadStructSize, "pspge_config has 3 bytes"),
        (Config { flags: 4, ..own }, Status::BadArgument, "flags 0x4 are unknown"),
        (Config { arithmetic: 9, ..own }, Status::BadArgument, "9 is not an arithmetic"),
        (Config { threads: 1000, ..own }, Status::BadArgument, "more than 256"),
        (Config { ram: ram.as_mut_ptr(), ram_size: 16, ..own }, Status::BadMemory, "but has 16 bytes"),
        (Config { vram: ram.as_mut_ptr(), vram_size: 16, ..own }, Status::BadMemory, "VRAM"),
        (Config { ram_size: 0x1_0000, ..own }, Status::NullPointer, "ram is a null pointer"),
        (Config { region_count: 65, ..own }, Status::BadArgument, "65 regions"),
    ];
    for (config, expected, text) in cases {
        let (mut instance, mut message) = (null_mut(), null_mut());
        // SAFETY: all pointers are valid, or the sizes are wrong, which leaves the pointers unused.
        unsafe {
            let status = pspge_create(&raw const config, &raw mut instance, &raw mut message);
            assert_eq!((status, instance), (expected, null_mut()), "{text}");
            let sentence = CStr::from_ptr(message).to_string_lossy().into_owned();
            assert!(sentence.contains(text), "{sentence}");
            pspge_free_string(message);
        }
    }
    // SAFETY: null pointers are checked.
    unsafe {
        assert_eq!(pspge_create(null(), null_mut(), null_mut()), Status::NullPointer, "nowhere to store it");
        assert_eq!(pspge_reset(null()), Status::NullPointer, "no instance");
        assert_eq!(pspge_destroy(null_mut()), Status::Ok, "nothing to destroy");
        pspge_free_string(null_mut());
    }
}

#[test]
fn extra_regions_hold_vertices() {
    let list = LIST.replace("VADDR lo(corners)", "BASE 0xC | VADDR 0");
    let region = Box::into_raw(vec![0_u8; 4096].into_boxed_slice());
    let regions = [Region { address: 0x0C00_0000, bytes: region.cast(), size: 4096 }];
    let config = Config { regions: regions.as_ptr(), region_count: 1, ..Config::default() };
    let mut instance = null_mut();
    let capture = assemble(&list).expect("a correct list").capture();
    let bytes = capture.memory.slice(capture.start, 0x1000).expect("the bytes of the list");
    let start = bytes.windows(4).position(|bytes| bytes == [255, 0, 0, 255]).expect("a vertex");
    let mut result = empty_result();
    let mut pixel = [0; 4];
    // SAFETY: all memory lives until the end, and nobody uses it during a call.
    unsafe {
        assert_eq!(pspge_create(&raw const config, &raw mut instance, null_mut()), Status::Ok, "create");
        (&mut *region)[..48].copy_from_slice(&bytes[start..start + 48]);
        assert_eq!(
            pspge_write_memory(instance, START, bytes.as_ptr(), start),
            Status::Ok,
            "the list, in own memory"
        );
        assert_eq!(pspge_run(instance, START, null(), &raw mut result), Status::Ok, "run");
        assert_eq!(
            (result.ending, result.notes),
            (RunEnding::Finished, 1),
            "only the signal is noted: {result:?}"
        );
        assert_eq!(pspge_read_memory(instance, VRAM, pixel.as_mut_ptr(), 4), Status::Ok, "a pixel");
        assert_eq!(pixel, [255, 0, 0, 0], "drawn from the region");
        assert_eq!(pspge_destroy(instance), Status::Ok, "destroy");
        drop(Box::from_raw(region));
    }
}

#[test]
#[cfg_attr(miri, ignore = "slow: thread pools")]
fn instances_draw_on_several_threads() {
    let alone = Host::new(LIST, 0);
    alone.run(&options());
    let threads: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(|| {
                let host = Host::new(LIST, 0);
                for _ in 0..20 {
                    host.run(&options());
                }
                (0..8).map(|x| host.pixel(x, 2)).collect::<Vec<_>>()
            })
        })
        .collect();
    let expected: Vec<_> = (0..8).map(|x| alone.pixel(x, 2)).collect();
    for thread in threads {
        assert_eq!(thread.join().expect("no panic"), expected, "the same pixels");
    }
}
