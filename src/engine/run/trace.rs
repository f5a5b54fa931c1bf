//! Formats a run as text, with a line for each command and for each draw.
//!
//! # Invariants
//! Lines depend only on the opcode table and the registers, so the same run gives the same text.

use std::fmt;

use crate::asm::text::describe;
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::command_table::Class;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::flow::Base;
use crate::ge::registers::pixel::{BlendMode, ClearMode, DepthTest, MaskedTest};
use crate::ge::registers::surface::{BufferAddress, FramebufferFormat};
use crate::ge::registers::texture::{
    TextureAddress, TextureBufferWidth, TextureFormat, TextureFunc, TextureSize,
};
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat, IndexFormat, VertexType};
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::run::sink::Step;

/// A command's trace line.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// /// Returns the lines of the commands that draw.
/// fn draws(lines: &[pspge::CommandLine]) -> Vec<String> {
///     lines.iter().filter(|line| line.command.opcode() == pspge::Opcode::PRIM).map(ToString::to_string).collect()
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// The word's address.
    pub at: Address,
    /// The word's offset in its file, if it came from a file.
    pub file_offset: Option<u64>,
    /// The word itself.
    pub command: Command,
    /// The address to which this command refers, if it takes one.
    pub target: Option<Address>,
    /// How many CALLs are open, to indent the line.
    pub depth: usize,
}

impl CommandLine {
    /// Creates the line for a command about to be executed.
    #[must_use]
    pub fn new(step: &Step<'_>, file_offset: Option<u64>) -> Self {
        Self { at: step.at, file_offset, command: step.command, target: target(step), depth: step.depth }
    }

    /// Returns the columns before the command's text: where its word is, the word, and the indentation.
    #[must_use]
    pub fn start(&self) -> String {
        let offset = self.file_offset.map_or_else(|| "-".to_owned(), |offset| format!("+0x{offset:06x}"));
        let indent = self.depth.saturating_mul(2);
        format!("{:08x} {offset:9}  {:08x}  {:indent$}", self.at.get(), self.command.word(), "")
    }
}

/// Computes the address to which a command refers, so that readers need not add BASE and offset themselves.
/// Source: `reference/ge/lists.md#relative-addresses`.
fn target(step: &Step<'_>) -> Option<Address> {
    let ignored = match step.command.opcode() {
        Opcode::VADDR | Opcode::IADDR => 0,
        Opcode::JUMP | Opcode::BJUMP | Opcode::CALL => 3,
        _ => return None,
    };
    let high = step.registers.get::<Base>().high.0 << 24;
    Some(Address::new(step.offset.wrapping_add(high | step.command.argument() & !ignored)))
}

impl fmt::Display for CommandLine {
    /// Formats as `08900120 +0x000120  12000b22    VTYPE …`, indented by call depth.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.start(), describe(self.command))?;
        match self.target {
            Some(target) => write!(f, "  ; {target}"),
            None => Ok(()),
        }
    }
}

/// A draw's trace line. This sums up the most relevant state.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct DrawLine<'a> {
    draw: &'a Draw<'a>,
}

impl<'a> DrawLine<'a> {
    /// Creates the line for this draw.
    #[must_use]
    pub const fn new(draw: &'a Draw<'a>) -> Self {
        Self { draw }
    }
}

impl fmt::Display for DrawLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let draw = self.draw;
        let registers = draw.registers;
        let primitive = draw.effective_primitive();
        write!(f, "draw {} at {}: ", draw.number, draw.at)?;
        match draw.patch {
            Some(patch) => write!(f, "{patch} as {primitive}")?,
            None => write!(f, "{primitive} {}", draw.count)?,
        }
        let vertex_type: VertexType = registers.get();
        write!(f, " | {} at {}", vertex_summary(vertex_type), draw.vertices)?;
        if vertex_type.index != IndexFormat::NONE {
            write!(f, ", indices at {}", draw.indices)?;
        }
        state_summary(f, registers)
    }
}

/// An immediate draw's trace line.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ImmediateDrawLine<'a> {
    draw: &'a ImmediateDraw<'a>,
}

impl<'a> ImmediateDrawLine<'a> {
    /// Creates the line for this immediate draw.
    #[must_use]
    pub const fn new(draw: &'a ImmediateDraw<'a>) -> Self {
        Self { draw }
    }
}

impl fmt::Display for ImmediateDrawLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let draw = self.draw;
        let count = draw.vertices.len();
        write!(f, "draw {} at {}: {} {count} | immediate", draw.number, draw.at, draw.primitive)?;
        if draw.is_through() {
            f.write_str(" through")?;
        }
        for vertex in &draw.vertices {
            let pixels = |at: i32| f64::from(at) / 16.0;
            write!(f, " ({} {} {})", pixels(vertex.x), pixels(vertex.y), vertex.z)?;
        }
        state_summary(f, draw.registers)
    }
}

/// Formats clear mode, or texture, tests and switches, then the framebuffer.
fn state_summary(f: &mut fmt::Formatter<'_>, registers: &Registers) -> fmt::Result {
    let clear: ClearMode = registers.get();
    if clear.enabled {
        f.write_str(" | clear")?;
        for (on, name) in [(clear.color, "color"), (clear.stencil, "stencil"), (clear.depth, "depth")] {
            if on {
                write!(f, " {name}")?;
            }
        }
    } else {
        texture_summary(f, registers)?;
        for word in state_words(registers) {
            write!(f, " | {word}")?;
        }
    }
    let target: BufferAddress = registers.view(Opcode::FRAMEBUFPTR);
    let format: FramebufferFormat = registers.get();
    write!(f, " | to 0x{:06x} {}", target.address.0 & 0x1F_FFF0, format.format)
}

/// Formats a vertex type: `texcoord BITS16, position FLOAT`.
fn vertex_summary(vertex: VertexType) -> String {
    let component = |name: &str, format: ComponentFormat| {
        (format != ComponentFormat::NONE).then(|| format!("{name} {format}"))
    };
    let (weights, frames) = (vertex.weights(), vertex.morph_frames());
    let parts = [
        vertex.through.then(|| "through".to_owned()),
        (weights > 0).then(|| format!("{weights} weights {}", vertex.weight)),
        component("texcoord", vertex.texcoord),
        (vertex.color != ColorFormat::NONE).then(|| format!("color {}", vertex.color)),
        component("normal", vertex.normal),
        component("position", vertex.position),
        (frames > 1).then(|| format!("{frames} morph frames")),
        (vertex.index != IndexFormat::NONE).then(|| format!("index {}", vertex.index)),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn texture_summary(f: &mut fmt::Formatter<'_>, registers: &Registers) -> fmt::Result {
    if !registers.is_on(Opcode::TEXENABLE) {
        return Ok(());
    }
    let size: TextureSize = registers.view(Opcode::TEXSIZE0);
    let low: TextureAddress = registers.view(Opcode::TEXADDR0);
    let width: TextureBufferWidth = registers.view(Opcode::TEXBUFWIDTH0);
    let address = Address::new(width.high.0 << 24 | low.address.0).align_down(16);
    let format = registers.get::<TextureFormat>().format;
    let function: TextureFunc = registers.get();
    write!(
        f,
        " | texture {}x{} {format} at {address} {}",
        1 << size.width_log2,
        1 << size.height_log2,
        function.function
    )
}

/// Returns blending, tests and switches that are on, in the words of a draw's line; none in clear mode.
#[doc(hidden)]
pub fn state_words(registers: &Registers) -> Vec<String> {
    if registers.get::<ClearMode>().enabled {
        return Vec::new();
    }
    let switches = [
        (Opcode::LIGHTINGENABLE, "lit"),
        (Opcode::FOGENABLE, "fog"),
        (Opcode::CULLENABLE, "cull"),
        (Opcode::DEPTHCLAMPENABLE, "depth clamp"),
        (Opcode::STENCILTESTENABLE, "stencil"),
        (Opcode::COLORTESTENABLE, "color test"),
        (Opcode::LOGICOPENABLE, "logic"),
        (Opcode::DITHERENABLE, "dither"),
    ];
    let mut words = Vec::new();
    if registers.is_on(Opcode::BLENDENABLE) {
        let blend: BlendMode = registers.get();
        words.push(format!("blend {} {} {}", blend.equation, blend.source, blend.destination));
    }
    if registers.is_on(Opcode::ALPHATESTENABLE) {
        let test: MaskedTest = registers.view(Opcode::ALPHATEST);
        words.push(format!("alpha {} {}", test.function, test.reference));
    }
    if registers.is_on(Opcode::ZTESTENABLE) {
        let test: DepthTest = registers.get();
        let writes = if registers.is_on(Opcode::ZWRITEDISABLE) { " no write" } else { "" };
        words.push(format!("depth {}{writes}", test.function));
    }
    let on = switches.iter().filter(|(opcode, _)| registers.is_on(*opcode));
    words.extend(on.map(|(_, name)| (*name).to_owned()));
    words
}

/// Lists the registers that differ from their reset value as commands, to print a state briefly. This leaves out
/// flow, drawing and matrices.
#[doc(hidden)]
pub fn register_lines(registers: &Registers) -> impl Iterator<Item = Command> {
    Opcode::all()
        .filter(|opcode| {
            !matches!(opcode.info().class, Class::Flow | Class::Draw | Class::Matrix | Class::Unused)
        })
        .map(|opcode| registers.command(opcode))
        .filter(|command| command.argument() != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::registers::vertex::PrimitiveType;
    use crate::pipeline::primitive::ScreenVertex;

    #[test]
    fn immediate_draw_line_lists_vertices() {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::FOGENABLE, 1));
        let draw = ImmediateDraw {
            registers: &registers,
            at: Address::new(0x0880_0010),
            number: 3,
            primitive: PrimitiveType::POINTS,
            vertices: [ScreenVertex { x: 24, y: -16, z: 9, ..ScreenVertex::default() }].into_iter().collect(),
            reversed: false,
            wireframe: false,
            uncached: false,
        };
        assert_eq!(
            ImmediateDrawLine::new(&draw).to_string(),
            "draw 3 at 0x08800010: POINTS 1 | immediate (1.5 -1 9) | fog | to 0x000000 BGR5650",
            "the line"
        );
    }
}
