//! Registers for buffers, block transfers and immediate vertices.
//!
//! Source: [buffers](crate::reference::ge::commands#buffers-and-addresses),
//! [transfers](crate::reference::ge::commands#pixels-and-transfers),
//! [immediate vertices](crate::reference::ge::lists#immediate-vertices),
//! [units](crate::reference::ge::memory#units).

use super::field::{Hex, codes, register};
use super::texture::PixelFormat;
use super::transform::{CullFace, ShadeMode};
use super::vertex::PrimitiveType;

register! {
    /// A buffer's offset in VRAM: FRAMEBUFPTR, ZBUFPTR.
    BufferAddress {
        /// VRAM offset; the lowest four bits and those above 20 are ignored.
        address: Hex = 0..=23,
    }
}

register! {
    /// A buffer's row length: FRAMEBUFWIDTH, ZBUFWIDTH.
    BufferWidth {
        /// Pixels from one row to the next; the lowest two bits and those above 10 are ignored.
        width: u16 = 0..=15,
        /// Ignored address bits that programs write.
        high: Hex = 16..=23,
    }
}

register! {
    /// Framebuffer format.
    FramebufferFormat = FRAMEBUFPIXFORMAT {
        /// How pixels are stored.
        format: PixelFormat = 0..=1,
    }
}

register! {
    /// Low address bits for a block transfer: TRANSFERSRC, TRANSFERDST.
    #[doc(hidden)]
    TransferAddress {
        /// Address bits 0–23; the lowest four are ignored.
        address: Hex = 0..=23,
    }
}

register! {
    /// Row length and upper address bits for a block transfer: TRANSFERSRCW, TRANSFERDSTW.
    #[doc(hidden)]
    TransferWidth {
        /// Pixels from one row to the next: a multiple of 8; above 1024 acts as 0.
        width: u16 = 0..=15,
        /// Address bits 24–31.
        high: Hex = 16..=23,
    }
}

register! {
    /// A position inside a block transfer's source or destination, or the size to copy.
    #[doc(hidden)]
    TransferPosition {
        /// Column, or width less one.
        x: u16 = 0..=9,
        /// Row, or height less one.
        y: u16 = 10..=19,
    }
}

codes! {
    /// How large a block transfer's pixels are.
    #[doc(hidden)]
    TransferPixelSize: 1 bits {
        /// 2 bytes.
        BITS16 = 0,
        /// 4 bytes.
        BITS32 = 1,
    }
}

register! {
    /// Starts a block transfer.
    #[doc(hidden)]
    TransferStart = TRANSFERSTART {
        /// Pixel size.
        pixel_size: TransferPixelSize = 0..=0,
    }
}

register! {
    /// A coordinate for an immediate vertex: VSCX, VSCY, VSCZ.
    #[doc(hidden)]
    ImmediateCoordinate {
        /// 12.4 pixels, or depth.
        value: u16 = 0..=15,
    }
}

register! {
    /// Emits an immediate vertex.
    #[doc(hidden)]
    ImmediateVertex = VAP {
        /// Alpha.
        alpha: u8 = 0..=7,
        /// Primitive to start with this vertex, if any.
        primitive: PrimitiveType = 8..=10,
        /// Antialiasing.
        antialias: bool = 11..=11,
        /// Clip mask, meaning unknown.
        clip: Hex = 12..=17,
        /// Shading.
        shade: ShadeMode = 18..=18,
        /// Culling.
        cull: bool = 19..=19,
        /// The faces to cull.
        cull_face: CullFace = 20..=20,
        /// Texturing.
        texture: bool = 21..=21,
        /// Fog.
        fog: bool = 22..=22,
        /// Dither.
        dither: bool = 23..=23,
    }
}
