//! A square, for rust-psp; on other machines this does nothing. START writes the next frame to the memory stick.
//!
//! Copy this file into a program with the packages `psp` and `pspge-capture`, and build it with `cargo psp`.
#![cfg_attr(target_os = "psp", no_std, no_main)]

#[cfg(any(target_os = "psp", pspge_stand_in))]
mod program {
    use core::ffi::c_void;
    use core::ptr::{addr_of_mut, null};

    use psp::sys::{
        ClearBuffer, CtrlButtons, DisplayPixelFormat, GuContextType, GuPrimitive, GuState, GuSyncBehavior,
        GuSyncMode, SceCtrlData, VertexType, sceCtrlReadBufferPositive, sceDisplayWaitVblankStart,
        sceGuClear, sceGuClearColor, sceGuDispBuffer, sceGuDisplay, sceGuDrawArray, sceGuDrawBuffer,
        sceGuEnable, sceGuFinish, sceGuGetMemory, sceGuInit, sceGuScissor, sceGuStart, sceGuSwapBuffers,
        sceGuSync,
    };

    psp::module!("capture_example", 1, 0);

    #[repr(C, align(4))]
    struct Vertex {
        color: u32,
        position: [i16; 3],
    }

    #[repr(C, align(16))]
    struct List([u32; 0x4000]);

    static mut LIST: List = List([0; 0x4000]);

    /// Sends a frame's commands.
    ///
    /// # Safety
    /// The GE is idle, and nobody else uses the list.
    unsafe fn draw_frame(list: *mut c_void) {
        // SAFETY: These calls write into the list, which has room for them.
        unsafe {
            sceGuStart(GuContextType::Direct, list);
            sceGuClearColor(0xFF40_3020);
            sceGuClear(ClearBuffer::COLOR_BUFFER_BIT);
            // The list's own memory is written past the data cache, so nothing has to be written back.
            let corners = sceGuGetMemory(24).cast::<Vertex>();
            corners.write(Vertex { color: 0, position: [176, 72, 0] });
            corners.add(1).write(Vertex { color: 0xFF30_C0F0, position: [304, 200, 0] });
            let vertex_type = VertexType::COLOR_8888 | VertexType::VERTEX_16BIT | VertexType::TRANSFORM_2D;
            sceGuDrawArray(GuPrimitive::Sprites, vertex_type, 2, null(), corners.cast_const().cast());
            sceGuFinish();
        }
    }

    fn psp_main() {
        let list: *mut c_void = addr_of_mut!(LIST).cast();
        // SAFETY: This thread alone uses the GE, and each buffer is in VRAM.
        unsafe {
            sceGuInit();
            sceGuStart(GuContextType::Direct, list);
            sceGuDrawBuffer(DisplayPixelFormat::Psm8888, core::ptr::null_mut(), 512);
            sceGuDispBuffer(480, 272, 0x8_8000 as *mut c_void, 512);
            sceGuScissor(0, 0, 480, 272);
            sceGuEnable(GuState::ScissorTest);
            sceGuFinish();
            sceGuSync(GuSyncMode::Finish, GuSyncBehavior::Wait);
            sceGuDisplay(true);
        }
        loop {
            let mut pad = SceCtrlData::default();
            // SAFETY: The data are valid for writes.
            unsafe { sceCtrlReadBufferPositive(&mut pad, 1) };
            let mut capture = None;
            if pad.buttons.contains(CtrlButtons::START) {
                match pspge_capture::psp::start(c"ms0:/frame.ppdmp") {
                    Ok(started) => capture = Some(started),
                    Err(failure) => psp::dprintln!("{failure}"),
                }
            }
            // SAFETY: The previous frame has been waited for.
            unsafe { draw_frame(list) };
            if let Some(mut capture) = capture {
                let followed = capture.list(list as usize as u32, 0);
                match followed.and_then(|()| capture.finish()) {
                    Ok((_, None)) => psp::dprintln!("captured"),
                    Ok((_, Some(left_out))) => psp::dprintln!("captured, but {left_out}"),
                    Err(failure) => psp::dprintln!("{failure}"),
                }
            }
            // SAFETY: These calls have no requirement.
            unsafe {
                sceGuSync(GuSyncMode::Finish, GuSyncBehavior::Wait);
                sceDisplayWaitVblankStart();
                sceGuSwapBuffers();
            }
        }
    }
}

#[cfg(not(target_os = "psp"))]
fn main() {}
