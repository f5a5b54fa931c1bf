//! A host for tests: its memory, and an instance that uses it.

use std::ffi::CStr;
use std::ptr::null_mut;

use pspge::asm::assemble;
use pspge_c::config::Config;
use pspge_c::flow::{Flow, pspge_get_flow};
use pspge_c::instance::{pspge_create, pspge_destroy, pspge_last_error};
use pspge_c::run::{RunEnding, RunOptions, RunResult, pspge_resume, pspge_run};
use pspge_c::saved::{pspge_restore_state, pspge_save_state};
use pspge_c::{Pspge, Status};

pub(crate) const RAM_SIZE: usize = 0x80_0000 + 0x1_0000;
pub(crate) const START: u32 = 0x0880_0000;
pub(crate) const VRAM: u32 = 0x0400_0000;

/// A host: its memory, and an instance that uses it.
pub(crate) struct Host {
    pub(crate) ram: *mut [u8],
    pub(crate) vram: *mut [u8],
    pub(crate) instance: *mut Pspge,
}

impl Host {
    /// Creates a host with a list at `START`.
    pub(crate) fn new(list: &str, flags: u32) -> Self {
        Self::with_threads(list, flags, 0)
    }

    pub(crate) fn with_threads(list: &str, flags: u32, threads: u32) -> Self {
        let ram = Box::into_raw(vec![0; RAM_SIZE].into_boxed_slice());
        let vram = Box::into_raw(vec![0; 0x20_0000].into_boxed_slice());
        let config = Config {
            ram: ram.cast(),
            ram_size: RAM_SIZE,
            vram: vram.cast(),
            vram_size: 0x20_0000,
            flags,
            threads,
            ..Config::default()
        };
        let mut instance = null_mut();
        // SAFETY: the memory lives until the host is dropped.
        let status = unsafe { pspge_create(&raw const config, &raw mut instance, null_mut()) };
        assert_eq!(status, Status::Ok, "create");
        let host = Self { ram, vram, instance };
        let capture = assemble(list).expect("a correct list").capture();
        let bytes = capture.memory.slice(capture.start, 0x1000).expect("the bytes of the list");
        host.ram()[0x80_0000..0x80_1000].copy_from_slice(bytes);
        host
    }

    #[expect(clippy::mut_from_ref, reason = "as in C, nothing but the test's own order keeps uses apart")]
    pub(crate) fn ram(&self) -> &mut [u8] {
        // SAFETY: no call is at work, and each use ends before the next.
        unsafe { &mut *self.ram }
    }

    #[expect(clippy::mut_from_ref, reason = "as in C, nothing but the test's own order keeps uses apart")]
    pub(crate) fn vram(&self) -> &mut [u8] {
        // SAFETY: no call is at work, and each use ends before the next.
        unsafe { &mut *self.vram }
    }

    pub(crate) fn pixel(&self, x: usize, y: usize) -> [u8; 4] {
        // SAFETY: no call is at work.
        let vram = unsafe { &*self.vram };
        let at = (y * 512 + x) * 4;
        [vram[at], vram[at + 1], vram[at + 2], vram[at + 3]]
    }

    pub(crate) fn run(&self, options: &RunOptions) -> RunResult {
        let mut result = empty_result();
        // SAFETY: the instance lives, and nobody else uses its memory.
        let status = unsafe { pspge_run(self.instance, START, options, &raw mut result) };
        assert_eq!(status, Status::Ok, "run: {}", self.error());
        result
    }

    pub(crate) fn resume(&self, options: &RunOptions) -> RunResult {
        let mut result = empty_result();
        // SAFETY: the instance lives, and nobody else uses its memory.
        let status = unsafe { pspge_resume(self.instance, options, &raw mut result) };
        assert_eq!(status, Status::Ok, "resume: {}", self.error());
        result
    }

    pub(crate) fn error(&self) -> String {
        // SAFETY: the instance lives, and the text until the next call.
        unsafe { CStr::from_ptr(pspge_last_error(self.instance)) }.to_string_lossy().into_owned()
    }

    pub(crate) fn flow(&self) -> Flow {
        let mut flow = std::mem::MaybeUninit::uninit();
        // SAFETY: the instance lives.
        assert_eq!(unsafe { pspge_get_flow(self.instance, flow.as_mut_ptr()) }, Status::Ok, "flow");
        // SAFETY: a successful call has written it.
        unsafe { flow.assume_init() }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // SAFETY: nobody uses the instance or the memory any more.
        unsafe {
            assert_eq!(pspge_destroy(self.instance), Status::Ok, "destroy");
            drop(Box::from_raw(self.ram));
            drop(Box::from_raw(self.vram));
        }
    }
}

pub(crate) fn empty_result() -> RunResult {
    RunResult { ending: RunEnding::Hung, ..RunResult::default() }
}

pub(crate) fn options() -> RunOptions {
    RunOptions { struct_size: size_of::<RunOptions>(), ..RunOptions::default() }
}

/// Draws a rectangle with two colours in two draws, with a signal between them.
pub(crate) const LIST: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    BASE hi(corners) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)
    PRIM primitive=RECTANGLES count=2
    SIGNAL behavior=HANDLER_SUSPEND value=0x0042 | END
    PRIM primitive=RECTANGLES count=2
    FINISH id=7 | END
.align 4
corners:
    .rgba #ff0000ff | .s16 0 0 0 | .align 4
    .rgba #ff0000ff | .s16 4 4 0 | .align 4
    .rgba #0000ffff | .s16 4 0 0 | .align 4
    .rgba #0000ffff | .s16 8 4 0 | .align 4
";

pub(crate) fn save(host: &Host) -> Vec<u8> {
    let (mut bytes, mut size) = (vec![0; 65536], 0);
    // SAFETY: the instance lives, and the buffer has this size.
    let status = unsafe { pspge_save_state(host.instance, bytes.as_mut_ptr(), bytes.len(), &raw mut size) };
    assert_eq!(status, Status::Ok, "{}", host.error());
    bytes.truncate(size);
    bytes
}

pub(crate) fn restore(host: &Host, bytes: &[u8]) {
    // SAFETY: the instance lives, and there are as many bytes.
    let status = unsafe { pspge_restore_state(host.instance, bytes.as_ptr(), bytes.len()) };
    assert_eq!(status, Status::Ok, "{}", host.error());
}
