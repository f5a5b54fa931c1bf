//! The part of the package `psp` used by `src/psp.rs` and the example, to check them without the console's compiler.
#![no_std]

/// Keeps `psp_main` as a function to start.
#[macro_export]
macro_rules! module {
    ($name:expr, $major:expr, $minor:expr) => {
        pub(crate) const START: (fn(), &str) = (psp_main, $name);
    };
}

/// Prints to the screen.
#[macro_export]
macro_rules! dprintln {
    ($($part:tt)*) => {
        $crate::print(format_args!($($part)*))
    };
}

/// Prints nothing, because there is no screen.
pub fn print(_: core::fmt::Arguments<'_>) {}

/// The kernel's calls.
#[expect(clippy::missing_safety_doc, non_snake_case, reason = "they are those of the package")]
pub mod sys {
    use core::ffi::c_void;
    use core::ops::BitOr;

    macro_rules! flags {
        ($name:ident($number:ty): $($flag:ident = $value:expr),+) => {
            #[derive(Clone, Copy, Debug, Default)]
            pub struct $name($number);
            impl $name {
                $(pub const $flag: Self = Self($value);)+
                pub const fn contains(self, other: Self) -> bool {
                    self.0 & other.0 == other.0
                }
            }
            impl BitOr for $name {
                type Output = Self;
                fn bitor(self, other: Self) -> Self {
                    Self(self.0 | other.0)
                }
            }
        };
    }

    macro_rules! codes {
        ($($name:ident: $($code:ident),+;)+) => {
            $(#[derive(Clone, Copy, Debug)]
            pub enum $name {
                $($code),+
            })+
        };
    }

    macro_rules! calls {
        ($($name:ident($($argument:ty),*) $(-> $result:ty = $value:expr)?;)+) => {
            $(pub unsafe fn $name($(_: $argument),*) $(-> $result)? {
                $($value)?
            })+
        };
    }

    flags!(IoOpenFlags(i32): WR_ONLY = 2, CREAT = 0x200, TRUNC = 0x400);
    flags!(CtrlButtons(u32): START = 8);
    flags!(ClearBuffer(u32): COLOR_BUFFER_BIT = 1);
    flags!(VertexType(i32): COLOR_8888 = 7 << 2, VERTEX_16BIT = 2 << 7, TRANSFORM_2D = 1 << 23);
    codes! {
        IoWhence: Set, Cur, End;
        GeListState: Done, Queued;
        GuContextType: Direct, Call, Send;
        GuSyncMode: Finish, Signal;
        GuSyncBehavior: Wait, NoWait;
        GuState: ScissorTest;
        GuPrimitive: Sprites;
        DisplayPixelFormat: Psm8888;
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct SceUid(pub i32);

    #[derive(Clone, Copy, Debug)]
    pub struct GeContext {
        pub context: [u32; 512],
    }

    #[derive(Clone, Copy, Debug, Default)]
    pub struct SceCtrlData {
        pub timestamp: u32,
        pub buttons: CtrlButtons,
        pub lx: u8,
        pub ly: u8,
        pub rsrv: [u8; 6],
    }

    calls! {
        sceGeSaveContext(*mut GeContext) -> i32 = 0;
        sceGeDrawSync(i32) -> GeListState = GeListState::Done;
        sceIoOpen(*const u8, IoOpenFlags, i32) -> SceUid = SceUid(3);
        sceIoWrite(SceUid, *const c_void, usize) -> i32 = 0;
        sceIoLseek32(SceUid, i32, IoWhence) -> i32 = 0;
        sceIoClose(SceUid) -> i32 = 0;
        sceCtrlReadBufferPositive(*mut SceCtrlData, i32) -> i32 = 0;
        sceDisplayWaitVblankStart() -> i32 = 0;
        sceGuInit();
        sceGuStart(GuContextType, *mut c_void);
        sceGuFinish() -> i32 = 0;
        sceGuSync(GuSyncMode, GuSyncBehavior) -> GeListState = GeListState::Done;
        sceGuDisplay(bool) -> bool = true;
        sceGuSwapBuffers() -> *mut c_void = core::ptr::null_mut();
        sceGuDrawBuffer(DisplayPixelFormat, *mut c_void, i32);
        sceGuDispBuffer(i32, i32, *mut c_void, i32);
        sceGuScissor(i32, i32, i32, i32);
        sceGuEnable(GuState);
        sceGuClearColor(u32);
        sceGuClear(ClearBuffer);
        sceGuGetMemory(i32) -> *mut c_void = core::ptr::null_mut();
        sceGuDrawArray(GuPrimitive, VertexType, i32, *const c_void, *const c_void);
    }
}
