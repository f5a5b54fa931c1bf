//! Explains why a dump is not whole, or which mistake a program makes.

use core::fmt;

/// Something missing from a dump. The rest is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeftOut {
    /// The frame does not fit into a dump.
    TooLarge,
    /// Texels are outside the memory that the program may read.
    Texture,
    /// Vertices are outside the memory that the program may read, so their draw is left out.
    Vertices,
    /// Indices are outside the memory that the program may read.
    Indices,
    /// A palette is outside the memory that the program may read.
    Palette,
    /// A transfer into main memory, which a dump cannot hold.
    TransferToMemory,
    /// A transfer's source is outside the memory that the program may read.
    TransferSource,
    /// An END belongs to no FINISH or SIGNAL, and the GE hangs.
    OrphanEnd,
    /// A kernel signal that sets a texture address.
    AddressSignal,
    /// A list goes on outside the memory that the program may read.
    ListOutside,
    /// A list has more than two million commands.
    TooManyCommands,
    /// A list was sent before another had ended.
    TwoLists,
    /// The frame ended while a list waited at its stall address.
    UnfinishedList,
    /// A list has not waited at its stall address, because it jumps over it. The dump is whole, but a PSP may
    /// execute other words than those in the dump.
    StallPassed,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLarge => "the frame is too large: later draws are left out",
            Self::Texture => "a texture is outside the memory of the program",
            Self::Vertices => "the vertices of a draw are outside the memory of the program",
            Self::Indices => "indices of a draw are outside the memory of the program",
            Self::Palette => "a palette is outside the memory of the program",
            Self::TransferToMemory => "a block transfer into main memory is left out",
            Self::TransferSource => "the source of a block transfer is outside the memory of the program",
            Self::OrphanEnd => "a list has an END without FINISH or SIGNAL, at which the GE hangs",
            Self::AddressSignal => "a signal that sets the address of a texture is left out",
            Self::ListOutside => "a list leaves the memory of the program",
            Self::TooManyCommands => "a list has too many commands; does it jump in a circle?",
            Self::TwoLists => "a list was sent before the end of the one before: its rest is left out",
            Self::UnfinishedList => {
                "a list waits at its stall address, where a PSP hangs in sceGeDrawSync: its rest is left out"
            }
            Self::StallPassed => {
                "a list jumps over its stall address, where a PSP does not wait for the words after it"
            }
        })
    }
}
