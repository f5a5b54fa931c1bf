//! Makes call sequences from bytes, for fuzzing: any calls in any order, with any arguments a host may pass.
//!
//! Pointers are valid, or null. Everything else is free: lists, numbers, structure sizes, saved state. A panic, an
//! access outside the host's memory or a hang is a finding.

#![expect(clippy::multiple_unsafe_ops_per_block, reason = "a host makes one call after the other")]

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use crate::answers::{VertexInfo, pspge_get_depth, pspge_get_texture, pspge_get_vertices};
use crate::border::pspge_free_string;
use crate::callbacks::{
    CommandInfo, Draw, pspge_set_command_callback, pspge_set_dirty_callback, pspge_set_draw_callback,
};
use crate::config::{Config, FLAG_LINEAR_VRAM, FLAG_REPORTS_CHANGES, Region};
use crate::counts::{Counts, pspge_get_counts, pspge_reset_counts};
use crate::flow::{
    Flow, Pointers, StackEntry, pspge_get_edram_translation, pspge_get_flow, pspge_get_pointers,
    pspge_set_edram_translation, pspge_set_flow, pspge_set_pointers,
};
use crate::instance::{pspge_create, pspge_destroy, pspge_last_error, pspge_reset};
use crate::json::{pspge_notes_json, pspge_pixel_json, pspge_state_json};
use crate::memory::{pspge_memory_changed, pspge_read_memory, pspge_write_memory};
use crate::queue::{
    QueueAnswer, QueueProgress, pspge_queue_advance, pspge_queue_call, pspge_queue_callback_returned,
    pspge_queue_is_over, pspge_queue_set_thread,
};
use crate::recording::{RecordOptions, pspge_record_begin, pspge_record_end, pspge_record_frame};
use crate::registers::{
    pspge_get_matrix, pspge_get_palette, pspge_get_registers, pspge_set_matrix, pspge_set_palette,
    pspge_set_registers, pspge_write_register,
};
use crate::run::{
    RunOptions, RunResult, pspge_execute, pspge_flush, pspge_flush_range, pspge_resume, pspge_run,
    pspge_set_stall, pspge_skip_signal, pspge_transfer,
};
use crate::saved::{pspge_restore_context, pspge_restore_state, pspge_save_context, pspge_save_state};
use crate::target::Target;
use crate::{Pspge, Status};

/// The host's RAM, in bytes.
const RAM_SIZE: usize = 0x2_0000;
/// The host's VRAM, in bytes.
const VRAM_SIZE: usize = 0x20_0000;
/// The extra region's size in bytes, and where it starts.
const REGION_SIZE: usize = 0x1000;
const REGION: u32 = 0x0C00_0000;
/// At most this many calls, because longer sequences get slower without finding more.
const MAX_CALLS: usize = 40;

/// Takes arguments from the bytes, and zeros once they run out.
#[derive(Debug)]
struct Arguments<'b>(&'b [u8]);

impl Arguments<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }

    /// Makes an address, most likely in memory.
    fn address(&mut self) -> u32 {
        let word = self.word();
        match word & 3 {
            0 => 0x0800_0000 + (word >> 8) % 0x2_0000,
            1 => 0x0400_0000 + (word >> 8) % 0x80_0000,
            2 => REGION + (word >> 8) % 0x1000,
            _ => word,
        }
    }

    fn target(&mut self) -> Target {
        Target { address: self.address(), stride: self.word() % 1100, format: self.word() % 5 }
    }
}

/// A newer version's configuration: it has more members, whose bytes may not be 0.
#[repr(C)]
#[derive(Debug)]
struct LargerConfig {
    config: Config,
    rest: [u64; 32],
}

/// A host with an instance and its memory.
#[derive(Debug)]
struct Host {
    ram: *mut [u8],
    vram: *mut [u8],
    region: *mut [u8],
    instance: *mut Pspge,
    saved: Vec<u8>,
}

impl Host {
    fn new(arguments: &mut Arguments<'_>) -> Option<Self> {
        let block = |size| Box::into_raw(vec![0_u8; size].into_boxed_slice());
        let mut host = Self {
            ram: block(RAM_SIZE),
            vram: block(VRAM_SIZE),
            region: block(REGION_SIZE),
            instance: null_mut(),
            saved: Vec::new(),
        };
        let kind = arguments.byte();
        let regions = [Region { address: REGION, bytes: host.region.cast(), size: REGION_SIZE }];
        let mut config = Config {
            flags: match kind & 9 {
                0 => 0,
                1 => FLAG_REPORTS_CHANGES,
                8 => FLAG_LINEAR_VRAM,
                _ => FLAG_LINEAR_VRAM | FLAG_REPORTS_CHANGES,
            },
            arithmetic: u32::from(kind >> 1 & 1),
            // Miri finds fault with Rayon's own threads, so this draws on a single thread there.
            threads: if cfg!(miri) { 0 } else { u32::from(kind >> 2 & 1) * 2 },
            ..Config::default()
        };
        if kind & 0x8 == 0 {
            (config.ram, config.ram_size) = (host.ram.cast(), RAM_SIZE);
        }
        if kind & 0x10 == 0 {
            (config.vram, config.vram_size) = (host.vram.cast(), VRAM_SIZE);
        }
        if kind & 0x20 == 0 {
            (config.regions, config.region_count) = (regions.as_ptr(), 1);
        }
        if kind & 0xC0 == 0xC0 {
            config.struct_size = arguments.byte().into();
        }
        let larger = LargerConfig { config, rest: [if kind & 0xC1 == 0xC1 { 1 } else { 0 }; 32] };
        let config = (&raw const larger).cast();
        // SAFETY: the memory lives as long as the host; a size in this structure is at most the larger structure's.
        let status = unsafe { pspge_create(config, &raw mut host.instance, null_mut()) };
        assert_eq!(status == Status::Ok, !host.instance.is_null(), "an instance if and only if it succeeds");
        (status == Status::Ok).then_some(host)
    }

    /// Writes to the host's RAM as its CPU does.
    fn poke(&self, arguments: &mut Arguments<'_>) {
        let (start, count) = (arguments.word() as usize % RAM_SIZE, usize::from(arguments.byte()));
        // SAFETY: no call is at work, so the host may use its memory.
        let ram = unsafe { &mut *self.ram };
        for byte in ram.iter_mut().skip(start & !3).take(count) {
            *byte = arguments.byte();
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // SAFETY: no call is at work, and nobody else has the instance.
        let status = unsafe { pspge_destroy(self.instance) };
        assert_eq!(status, Status::Ok, "an instance without a call can be destroyed");
        for block in [self.ram, self.vram, self.region] {
            // SAFETY: it comes from `Box::into_raw`, and the instance that used it is gone.
            drop(unsafe { Box::from_raw(block) });
        }
    }
}

/// A callback that stops after every eighth draw.
unsafe extern "C" fn stop_sometimes(instance: *mut c_void, draw: *const Draw) -> c_int {
    // SAFETY: the instance lives during the call, whose callback this is.
    let status = unsafe { pspge_flush(instance.cast()) };
    assert_eq!(status, Status::Busy, "an instance is busy in its callbacks");
    // SAFETY: the draw lives during the callback.
    c_int::from(unsafe { (*draw).number % 8 == 7 })
}

/// A callback that stops before every tenth command, and reads all it may read.
unsafe extern "C" fn stop_rarely(_: *mut c_void, command: *const CommandInfo) -> c_int {
    // SAFETY: the command lives during the callback.
    let command = unsafe { *command };
    // SAFETY: there are 256 words.
    let register = unsafe { *command.state.registers.add(0xFF) };
    // SAFETY: there are 148 words.
    let element = unsafe { *command.state.matrices.add(147) };
    // SAFETY: there are 1024 bytes.
    let _byte = unsafe { *command.state.palette.add(1023) };
    assert!(register >> 24 == 0xFF && element < 1 << 24, "{register:x}, {element:x}");
    c_int::from(command.number % 10 == 9)
}

/// A callback that checks each range.
unsafe extern "C" fn check_range(_: *mut c_void, address: u32, size: u32) {
    assert!(size > 0 && u64::from(address) + u64::from(size) <= 1 << 28, "0x{address:08x}, {size} bytes");
}

/// Makes the calls described by the bytes.
pub fn run(bytes: &[u8]) {
    let mut arguments = Arguments(bytes);
    let Some(mut host) = Host::new(&mut arguments) else { return };
    for _ in 0..MAX_CALLS {
        if arguments.0.is_empty() {
            break;
        }
        let kind = arguments.byte();
        // SAFETY: each pointer is null, or points to memory as large as the function asks for, and no other call is
        // at work.
        let status = unsafe { call(&mut host, kind, &mut arguments) };
        assert_ne!(status, Status::Panic, "call {kind} has panicked");
        assert_ne!(status, Status::Busy, "nobody else uses the instance");
        // SAFETY: the instance lives, and its text is valid until the next call.
        let text = unsafe { std::ffi::CStr::from_ptr(pspge_last_error(host.instance)) };
        assert_eq!(
            status == Status::Ok,
            text.is_empty(),
            "a sentence if and only if a call fails: {status:?}"
        );
    }
}

/// Makes a call.
///
/// # Safety
/// The host's instance lives, and no other call is at work on it.
unsafe fn call(host: &mut Host, kind: u8, arguments: &mut Arguments<'_>) -> Status {
    let instance = host.instance;
    let mut result = RunResult::default();
    let options = RunOptions {
        struct_size: size_of::<RunOptions>(),
        max_commands: 1 + u64::from(arguments.byte()),
        max_vertices: 500,
        max_pixels: 20_000,
        flags: u32::from(arguments.byte() & 0x1F),
        ..RunOptions::default()
    };
    let mut json = null_mut();
    // SAFETY: as the caller ensures.
    unsafe {
        let status = match kind % 40 {
            0..=4 => {
                host.poke(arguments);
                pspge_run(instance, arguments.address(), &raw const options, &raw mut result)
            }
            5 => pspge_resume(instance, &raw const options, null_mut()),
            6 => {
                // These opcodes draw or transfer, which may take long without limits, so they get small operands.
                let word = arguments.word();
                let opcode = word >> 24;
                let is_slow = matches!(opcode, 0x04..=0x07 | 0xEA | 0xF7);
                pspge_execute(instance, if is_slow { word & 0xFF } else { word }, &raw mut result)
            }
            7 => pspge_set_stall(instance, arguments.address()),
            8 => pspge_skip_signal(instance),
            9 if kind >= 128 => pspge_flush_range(instance, arguments.address(), arguments.word()),
            9 => pspge_flush(instance),
            10 => {
                let small = [
                    0xEE00_0000 | arguments.word() & 0x00_7C1F,
                    0xB200_0000,
                    0xB400_0000 | arguments.word() & 0xFF_FFFF,
                ];
                for word in small {
                    pspge_write_register(instance, word);
                }
                pspge_transfer(instance, &raw mut result)
            }
            11 => pspge_write_register(instance, arguments.word()),
            12 => {
                let mut words = [0; 256];
                pspge_get_registers(instance, words.as_mut_ptr());
                words[usize::from(arguments.byte())] ^= arguments.word();
                pspge_set_registers(instance, words.as_ptr())
            }
            13 => {
                let (matrix, count) = (arguments.word() % 6, usize::from(arguments.byte()) % 100);
                let mut elements = [0; 100];
                let status = pspge_get_matrix(instance, matrix, elements.as_mut_ptr(), count);
                if status == Status::Ok {
                    elements[0] = arguments.word() >> 8;
                    pspge_set_matrix(instance, matrix, elements.as_ptr(), count)
                } else {
                    status
                }
            }
            14 => {
                let mut bytes = [0; 1024];
                pspge_get_palette(instance, bytes.as_mut_ptr());
                bytes[usize::from(arguments.byte())] = arguments.byte();
                pspge_set_palette(instance, bytes.as_ptr())
            }
            15 => {
                let mut words = [0; 512];
                pspge_save_context(instance, words.as_mut_ptr());
                words[arguments.word() as usize % 512] = arguments.word();
                pspge_restore_context(instance, words.as_ptr())
            }
            16 => save(host, arguments),
            17 => {
                if !host.saved.is_empty() {
                    let at = arguments.word() as usize % host.saved.len();
                    host.saved[at] ^= arguments.byte();
                }
                pspge_restore_state(instance, host.saved.as_ptr(), host.saved.len())
            }
            18 => set_flow(host, arguments),
            19 => {
                let mut mode = 0;
                pspge_get_edram_translation(instance, &raw mut mode);
                pspge_set_edram_translation(instance, (arguments.word() % 0x1801) & !0xFF)
            }
            20 => {
                let mut bytes = [0; 256];
                pspge_read_memory(instance, arguments.address(), bytes.as_mut_ptr(), arguments.byte().into())
            }
            21 => {
                let bytes = [arguments.byte(); 256];
                pspge_write_memory(instance, arguments.address(), bytes.as_ptr(), arguments.byte().into())
            }
            22 if kind >= 128 => {
                let (width, height) = (arguments.word() % 1200, u32::from(arguments.byte()) / 64);
                let mut values = [0; 4096];
                let height = if width * height > 4096 { 2000 } else { height };
                pspge_get_depth(instance, width, height, values.as_mut_ptr())
            }
            22 => pspge_memory_changed(instance, arguments.address(), arguments.word()),
            23 => {
                pspge_set_draw_callback(instance, Some(stop_sometimes), instance.cast());
                if kind >= 128 {
                    pspge_set_command_callback(instance, Some(stop_rarely), null_mut());
                }
                pspge_set_dirty_callback(instance, Some(check_range), null_mut())
            }
            24 if kind >= 128 => {
                let mut file = vec![0; if arguments.byte() & 1 == 0 { 100 } else { 1 << 20 }];
                let mut size = 0;
                let status =
                    pspge_record_end(instance, file.as_mut_ptr(), file.len(), &raw mut size, null_mut());
                assert!(status != Status::Ok || size > 0 && size <= file.len(), "{size} bytes of a dump");
                status
            }
            24 => {
                pspge_set_command_callback(instance, None, null_mut());
                pspge_set_draw_callback(instance, None, null_mut())
            }
            25 => {
                let mut counts = Counts::default();
                pspge_get_counts(instance, &raw mut counts);
                pspge_reset_counts(instance)
            }
            26 if kind >= 128 => {
                let mut pixels = vec![0; if arguments.byte() == 0 { 0 } else { 65536 }];
                let (mut width, mut height) = (0, 0);
                let (level, size) = (u32::from(arguments.byte()) % 9, pixels.len());
                let pixels = pixels.as_mut_ptr();
                pspge_get_texture(instance, level, pixels, size, &raw mut width, &raw mut height)
            }
            26 => pspge_state_json(instance, &raw mut json),
            27 if kind >= 128 => {
                let mut vertices = [VertexInfo::default(); 16];
                pspge_get_vertices(instance, vertices.as_mut_ptr(), u32::from(arguments.byte()) % 17)
            }
            27 => pspge_notes_json(instance, &raw mut json),
            28 => {
                let target = arguments.target();
                let target = if arguments.byte() & 1 == 0 { std::ptr::null() } else { &raw const target };
                let [x, y] = [arguments.byte(), arguments.byte()].map(u32::from);
                // This address has no memory, because a whole run would have the command's limits, which take
                // seconds.
                pspge_pixel_json(instance, 0x0F00_0000, x, y, target, &raw mut json)
            }
            29 if kind >= 128 => {
                let mut pointers = Pointers::default();
                pspge_get_pointers(instance, &raw mut pointers);
                pointers.vertices = arguments.address();
                pspge_set_pointers(instance, &raw const pointers)
            }
            29 => pspge_reset(instance),
            30 if kind >= 128 => {
                let options = RecordOptions {
                    struct_size: size_of::<RecordOptions>(),
                    frames: u32::from(arguments.byte()) % 3,
                    max_bytes: if arguments.byte().is_multiple_of(8) { 5000 } else { 0 },
                    ..RecordOptions::default()
                };
                pspge_record_begin(instance, &raw const options)
            }
            30 => pspge_run(instance, 0x0800_0000, &raw const options, &raw mut result),
            31 if kind >= 128 => {
                let shown = arguments.target();
                let mut is_over = 0;
                pspge_record_frame(instance, &raw const shown, &raw mut is_over)
            }
            31 => {
                host.poke(arguments);
                pspge_flush(instance)
            }
            _ => queue(host, kind, arguments, &options),
        };
        pspge_free_string(json);
        status
    }
}

/// Saves the state, perhaps into a buffer too small for it.
///
/// # Safety
/// As for [`call`].
unsafe fn save(host: &mut Host, arguments: &mut Arguments<'_>) -> Status {
    let mut size = 0;
    host.saved = vec![0; if arguments.byte() == 0 { 100 } else { 65536 }];
    let capacity = host.saved.len();
    // SAFETY: as the caller ensures.
    let status = unsafe { pspge_save_state(host.instance, host.saved.as_mut_ptr(), capacity, &raw mut size) };
    assert!(size > 0 && size < 65536, "{size} bytes of state");
    host.saved.truncate(size);
    status
}

/// Makes a program's call, or runs its lists.
///
/// # Safety
/// As for [`call`].
unsafe fn queue(host: &Host, kind: u8, arguments: &mut Arguments<'_>, options: &RunOptions) -> Status {
    let options = RunOptions { flags: options.flags & 6, max_commands: 0, ..*options };
    let mut progress = QueueProgress::default();
    let cycles = arguments.byte().into();
    // SAFETY: as the caller ensures.
    unsafe {
        match kind % 40 {
            32 => pspge_queue_callback_returned(host.instance, cycles, &raw const options, &raw mut progress),
            33 => pspge_queue_advance(host.instance, cycles, &raw const options, &raw mut progress),
            34 => pspge_queue_set_thread(host.instance, u32::from(arguments.byte()) % 4),
            _ => {
                let number = u32::from(arguments.byte()) % 18;
                let id = 0x3500_0000 | (u32::from(arguments.byte()) % 65);
                // The first argument is an id, an address or a small number, to suit most functions.
                let first = match arguments.byte() % 3 {
                    0 => id,
                    1 => arguments.address(),
                    _ => arguments.byte().into(),
                };
                let words = [
                    first,
                    arguments.address() * u32::from(arguments.byte() & 1),
                    arguments.byte() as u32 % 3,
                    arguments.address() * u32::from(arguments.byte() & 1),
                ];
                let (mut answer, mut is_over) = (QueueAnswer::default(), 0);
                let status = pspge_queue_call(host.instance, number, words.as_ptr(), &raw mut answer);
                if status != Status::Ok {
                    return status;
                }
                pspge_queue_is_over(host.instance, answer.wait as u32, answer.list, &raw mut is_over);
                pspge_queue_advance(host.instance, cycles, &raw const options, &raw mut progress)
            }
        }
    }
}

/// Changes the list flow.
///
/// # Safety
/// As for [`call`].
unsafe fn set_flow(host: &Host, arguments: &mut Arguments<'_>) -> Status {
    let mut flow = Flow::default();
    // SAFETY: as the caller ensures.
    unsafe { pspge_get_flow(host.instance, &raw mut flow) };
    (flow.pc, flow.offset) = (arguments.address(), arguments.word());
    flow.base = arguments.word() >> 7;
    flow.depth = u32::from(arguments.byte()) % 34;
    flow.pause_at_finish = u32::from(arguments.byte()) % 3;
    flow.stack[usize::from(arguments.byte()) % 32] = StackEntry {
        pc: arguments.address(),
        offset: arguments.word(),
        base: arguments.word() >> 7,
        restores_base: u32::from(arguments.byte()) % 3,
    };
    // SAFETY: as the caller ensures.
    unsafe { pspge_set_flow(host.instance, &raw const flow) }
}
