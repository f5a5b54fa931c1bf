//! Overrides try changes on a run, to find out why a frame looks wrong: other values in registers, draws left out,
//! draws as wireframe or without the texture cache.
//!
//! An override acts on single draws and block transfers. The registers have its values only during the draw, so the
//! rest of the run is not affected. Draws keep their numbers, and vertex pointers advance as they would without
//! overrides.
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! use pspge::ge::overrides::{Change, Override, Scope};
//!
//! let list = "BASE hi(v) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(v) | FRAMEBUFWIDTH width=512
//!             FRAMEBUFPIXFORMAT ABGR8888 | REGION2 x=479 y=271 | SCISSOR2 x=479 y=271 | PRIM primitive=RECTANGLES count=2
//!             FINISH | END | v: .rgba #ff0000ff | .s16 0 0 0 | .align 4 | .rgba #ff0000ff | .s16 9 9 0";
//! let mut capture = pspge::asm::assemble(list)?.capture();
//! capture.overrides.push(Override {
//!     text: "without draw 0".to_owned(),
//!     scope: Scope::draws("0".parse()?),
//!     texture: None,
//!     changes: vec![Change::Skip],
//! });
//! let mut raster = pspge::Rasterizer::default();
//! let (arithmetic, limits) = Default::default();
//! pspge::run::replay::run(&mut capture, arithmetic, &mut raster, &mut pspge::NullObserver, &limits);
//! assert_eq!(capture.memory.vram()[0], 0, "nothing is drawn");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use super::address::Address;
use super::command::Command;
use super::draw_set::DrawSet;
use super::float24::Float24;
use super::opcode::Opcode;
use super::registers::texture::TextureAddress;
use super::registers::{Matrix, Registers};

/// Says which draws and block transfers an override acts on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The draws' numbers, or `None` for no draw.
    pub draws: Option<DrawSet>,
    /// The block transfers' numbers, from 0 in the order of the run, or `None` for no transfer.
    pub transfers: Option<DrawSet>,
}

impl Scope {
    /// Creates a scope for all draws and transfers.
    #[must_use]
    pub fn all() -> Self {
        Self { draws: Some(DrawSet::all()), transfers: Some(DrawSet::all()) }
    }

    /// Creates a scope for these draws and no transfer.
    #[must_use]
    pub const fn draws(draws: DrawSet) -> Self {
        Self { draws: Some(draws), transfers: None }
    }

    fn contains(&self, subject: Subject) -> bool {
        let (set, number) = match subject {
            Subject::Draw(number) => (&self.draws, number),
            Subject::Transfer(number) => (&self.transfers, number),
        };
        set.as_ref().is_some_and(|set| set.contains(number))
    }
}

/// A draw or a block transfer, by its number in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Draw(u64),
    Transfer(u64),
}

/// A change to make during a draw or transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Gives some bits in a register another value.
    Register {
        /// The register.
        opcode: Opcode,
        /// The bits to change, within 24.
        mask: u32,
        /// Their new value, in place.
        bits: u32,
    },
    /// Gives a matrix element another value.
    Element {
        /// The matrix.
        matrix: Matrix,
        /// The element's number, from 0.
        index: usize,
        /// The value.
        value: Float24,
    },
    /// Leaves out the draw or transfer.
    Skip,
    /// Draws triangles as their three edges.
    Wireframe,
    /// Reads texels from memory, not from the texture cache, to tell whether stale texels are the fault.
    Uncached,
}

/// Changes for some draws and transfers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// This override as the user wrote it, for messages.
    pub text: String,
    /// The draws and transfers to change.
    pub scope: Scope,
    /// If given, this override applies only to draws that sample the texture at this address.
    pub texture: Option<Address>,
    /// The changes, in order.
    pub changes: Vec<Change>,
}

impl Override {
    fn applies(&self, subject: Subject, registers: &Registers) -> bool {
        let has_texture =
            |address| registers.is_on(Opcode::TEXENABLE) && TextureAddress::of_level(registers, 0) == address;
        self.scope.contains(subject) && self.texture.is_none_or(has_texture)
    }
}

/// The overrides for a run, in order: later overrides win. Copies share them, so cloning is cheap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    all: Arc<Vec<Override>>,
}

/// The combined effect of all overrides on a draw or transfer.
#[derive(Debug, Default)]
pub(crate) struct Effect {
    /// The registers to draw with, if any override changes them.
    pub(crate) registers: Option<Box<Registers>>,
    /// Whether to leave out this draw or transfer.
    pub(crate) is_skipped: bool,
    /// Whether to draw triangles as their edges.
    pub(crate) is_wireframe: bool,
    /// Whether to read texels from memory, past the texture cache.
    pub(crate) is_uncached: bool,
}

impl Overrides {
    /// Returns whether there are no overrides.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the overrides, in order.
    #[must_use]
    pub fn all(&self) -> &[Override] {
        &self.all
    }

    /// Adds an override, which wins over earlier ones.
    pub fn push(&mut self, added: Override) {
        Arc::make_mut(&mut self.all).push(added);
    }

    /// Returns the texts of all overrides without effect, to warn the user. `counts` says how many draws and
    /// transfers each override has changed, in order.
    #[must_use]
    pub fn unused(&self, counts: &[u64]) -> Vec<String> {
        let is_unused =
            |(position, _): &(usize, &Override)| counts.get(*position).is_none_or(|count| *count == 0);
        self.all.iter().enumerate().filter(is_unused).map(|(_, unused)| unused.text.clone()).collect()
    }

    /// Computes the effect on a draw or transfer with these registers, or returns `None` if no override applies.
    /// Calls `applied` with the position of each override that applies, to count its uses.
    pub(crate) fn effect(
        &self,
        subject: Subject,
        registers: &Registers,
        applied: &mut impl FnMut(usize),
    ) -> Option<Effect> {
        let applies = |(_, known): &(usize, &Override)| known.applies(subject, registers);
        let mut applying = self.all.iter().enumerate().filter(applies).peekable();
        applying.peek()?;
        let mut effect = Effect::default();
        for (position, known) in applying {
            applied(position);
            for change in &known.changes {
                match *change {
                    Change::Skip => effect.is_skipped = true,
                    Change::Wireframe => effect.is_wireframe = true,
                    Change::Uncached => effect.is_uncached = true,
                    // Registers are copied only at the first change to them, because skipping a draw needs no copy.
                    Change::Register { opcode, mask, bits } => {
                        let changed = effect.registers.get_or_insert_with(|| Box::new(registers.clone()));
                        let argument = changed.argument(opcode) & !mask | bits & mask;
                        changed.write(Command::new(opcode, argument));
                    }
                    Change::Element { matrix, index, value } => {
                        let changed = effect.registers.get_or_insert_with(|| Box::new(registers.clone()));
                        changed.set_matrix_element(matrix, index, value);
                    }
                }
            }
        }
        Some(effect)
    }
}

/// Returns the reason why a register cannot be overridden, to explain this to the user, or `None` if it can. Such
/// registers do not act at draws or transfers.
#[doc(hidden)]
#[must_use]
pub fn reason_against(opcode: Opcode) -> Option<&'static str> {
    Some(match opcode {
        Opcode::VADDR | Opcode::IADDR | Opcode::BASE | Opcode::OFFSETADDR | Opcode::ORIGIN => {
            "it acts when it is written, before the draw"
        }
        Opcode::CLUTADDR | Opcode::CLUTADDRUPPER | Opcode::LOADCLUT => {
            "palettes are loaded before the draw, by LOADCLUT"
        }
        Opcode::BBOX | Opcode::BJUMP | Opcode::JUMP | Opcode::CALL | Opcode::RET | Opcode::SIGNAL => {
            "it is part of the list's flow"
        }
        Opcode::FINISH | Opcode::END | Opcode::TEXFLUSH | Opcode::TEXSYNC => "it is part of the list's flow",
        Opcode::VAP | Opcode::BEZIER | Opcode::SPLINE | Opcode::TRANSFERSTART => {
            "it starts the draw or transfer itself"
        }
        _ if Matrix::ALL
            .iter()
            .any(|matrix| opcode == matrix.number_opcode() || opcode == matrix.data_opcode()) =>
        {
            "set the matrix by its name, such as WORLD or WORLD[9]"
        }
        _ => return None,
    })
}
