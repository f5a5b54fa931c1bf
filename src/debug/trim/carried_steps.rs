//! These steps repeat the state that earlier draws leave for the first draws in an excerpt.
//!
//! Registers and memory do not hold all state. Vertices without texture coordinates or normals take those of the
//! last vertex that had them, CONTINUE goes on with an unfinished primitive's vertices, and a Bezier patch decides
//! which normal replaces (0, 0, 0). To set this state again, there are draws that write no pixels.
//!
//! # Invariants
//! The steps end with the same registers as at the excerpt's start. They write no pixels, because nothing is inside
//! the scissor and the masks protect all bits.

use super::excerpt::{Excerpt, Item, ItemDraw, ItemStep};
use crate::debug::memory::free_ram::FreeRam;
use crate::debug::session::carried::Carried;
use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::command::Command;
use crate::ge::limits::Limits;
use crate::ge::memory::Memory;
use crate::ge::never::OrNever;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View;
use crate::ge::registers::surface::ImmediateVertex;
use crate::ge::registers::vertex::{
    Bezier, ColorFormat, ComponentFormat, IndexFormat, Prim, PrimitiveType, VertexType,
};
use crate::ge::registers::{Registers, delta};
use crate::pipeline::draw::{CarriedState, CarriedVertex};
use crate::pipeline::geometry::zero_normal::ZeroNormal;
use crate::pipeline::primitive::ScreenVertex;
use crate::pipeline::texture;
use crate::pipeline::vertex::{LastAttributes, Vertex, VertexLayout};
use crate::run::interpreter::{ImmediateAssembler, Interpreter};
use crate::run::sink::{NullObserver, NullSink};

/// The parts of this state on which steps depend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    attributes: bool,
    vertices: bool,
    zero_normal: bool,
    immediate: bool,
}

/// Follows commands, to find on which parts of the state before them they depend.
#[derive(Clone, Debug)]
pub(crate) struct CarriedUse {
    needs: Needs,
    has_texcoord: bool,
    has_normal: bool,
    is_first_draw: bool,
    is_first_vertex: bool,
    is_before_bezier: bool,
}

impl Default for CarriedUse {
    fn default() -> Self {
        Self {
            needs: Needs::default(),
            has_texcoord: false,
            has_normal: false,
            is_first_draw: true,
            is_first_vertex: true,
            is_before_bezier: true,
        }
    }
}

impl CarriedUse {
    /// Looks at the next command with its registers. `is_draw` says whether it draws vertices from memory.
    pub(crate) fn see(&mut self, command: Command, registers: &Registers, is_draw: bool) {
        if command.opcode() == Opcode::VAP && std::mem::take(&mut self.is_first_vertex) {
            let vertex = ImmediateVertex::from_argument(command.argument());
            self.needs.immediate = vertex.primitive == PrimitiveType::CONTINUE;
        }
        if !is_draw {
            return;
        }
        let vertex_type: VertexType = registers.get();
        let is_textured = texture::is_used(registers);
        let has_normals = !vertex_type.through && (is_textured || registers.is_on(Opcode::LIGHTINGENABLE));
        let lacks = |format: ComponentFormat| format == ComponentFormat::NONE;
        self.needs.attributes |= is_textured && lacks(vertex_type.texcoord) && !self.has_texcoord;
        self.needs.attributes |= has_normals && lacks(vertex_type.normal) && !self.has_normal;
        self.has_texcoord |= !lacks(vertex_type.texcoord);
        self.has_normal |= !lacks(vertex_type.normal);
        self.needs.zero_normal |= has_normals && self.is_before_bezier;
        self.is_before_bezier &= command.opcode() != Opcode::BEZIER;
        if std::mem::take(&mut self.is_first_draw) && command.opcode() == Opcode::PRIM {
            let primitive = Prim::from_argument(command.argument()).primitive;
            self.needs.vertices = primitive == PrimitiveType::CONTINUE;
        }
    }

    /// Looks at an excerpt's steps.
    fn of_items(start: &Registers, items: &[Item]) -> Self {
        let mut uses = Self::default();
        let mut registers = start.clone();
        for item in items {
            let (command, is_draw) = match &item.step {
                ItemStep::Command(command) => (*command, false),
                ItemStep::Draw(draw) => (draw.command, true),
                ItemStep::Action(_) => continue,
            };
            registers.write(command);
            uses.see(command, &registers, is_draw);
        }
        uses
    }

    /// Returns which parts of the state the commands need, if they differ from `known`, the state without further
    /// steps; `None` if that is unknown.
    pub(crate) fn needs(&self, carried: &Carried, known: Option<&Carried>) -> Needs {
        let Carried { draws, immediate } = carried;
        let mut needs = self.needs;
        let Some(known) = known else { return needs };
        needs.attributes &= draws.last != known.draws.last;
        needs.zero_normal &= draws.zero_normal != known.draws.zero_normal;
        needs.vertices &= !is_same_primitive(draws, &known.draws) || !has_same_registers(draws, &known.draws);
        needs.immediate &= !is_same_immediate(immediate, &known.immediate);
        needs
    }
}

/// Returns whether two states are the same for all draws after them.
#[cfg(feature = "export")]
pub(crate) fn is_same(a: &Carried, b: &Carried) -> bool {
    a.draws.last == b.draws.last
        && a.draws.zero_normal == b.draws.zero_normal
        && is_same_primitive(&a.draws, &b.draws)
        && has_same_registers(&a.draws, &b.draws)
        && is_same_immediate(&a.immediate, &b.immediate)
}

/// Returns the steps to set the state, as far as the steps `items` depend on it. If they do not, there are none.
/// Vertices become `data` in free RAM. Returns `None` if no steps can set the state, or if there is no room.
pub(super) fn steps(
    carried: &Carried,
    start: &Registers,
    items: &[Item],
    free: &mut FreeRam,
    data: &mut Vec<(Address, Vec<u8>)>,
) -> Option<Vec<Item>> {
    let needs = CarriedUse::of_items(start, items).needs(carried, Some(&Carried::default()));
    steps_for(needs, carried, start, free, data)
}

/// Returns the steps to set the needed parts of the state; else as [`steps`].
pub(crate) fn steps_for(
    needs: Needs,
    carried: &Carried,
    start: &Registers,
    free: &mut FreeRam,
    data: &mut Vec<(Address, Vec<u8>)>,
) -> Option<Vec<Item>> {
    if needs == Needs::default() {
        return Some(Vec::new());
    }
    let mut steps = Steps { items: Vec::new(), registers: start.clone(), free: *free, data: Vec::new() };
    let muted = muted(start);
    steps.set(&muted);
    if needs.zero_normal {
        steps.bezier(carried.draws.zero_normal)?;
    }
    if needs.attributes {
        steps.vertex(&muted, PrimitiveType::POINTS, attributes_only(carried.draws.last))?;
    }
    if needs.vertices {
        steps.unfinished(&muted, &carried.draws)?;
    }
    if needs.immediate {
        steps.unfinished_immediate(&carried.immediate);
    }
    steps.set(start);
    let found = steps.result(start)?;
    let (wanted, is_found) = (&carried.draws, &found.draws);
    let is_set = (!needs.attributes || is_found.last == wanted.last)
        && (!needs.zero_normal || is_found.zero_normal == wanted.zero_normal)
        && (!needs.vertices || is_same_primitive(is_found, wanted))
        && (!needs.immediate || is_same_immediate(&found.immediate, &carried.immediate));
    if !is_set {
        return None;
    }
    *free = steps.free;
    data.append(&mut steps.data);
    Some(steps.items)
}

/// Returns whether the vertices of unfinished primitives were read under the same registers.
fn has_same_registers(a: &CarriedState, b: &CarriedState) -> bool {
    a.vertices.iter().zip(&b.vertices).all(|(a, b)| a.registers == b.registers)
}

fn is_same_primitive(a: &CarriedState, b: &CarriedState) -> bool {
    let vertices = |state: &CarriedState| state.vertices.iter().map(|kept| kept.vertex).collect::<Vec<_>>();
    a.primitive == b.primitive && a.reversed == b.reversed && vertices(a) == vertices(b)
}

fn is_same_immediate(a: &ImmediateAssembler, b: &ImmediateAssembler) -> bool {
    let switches = |assembler: &ImmediateAssembler| ImmediateVertex { alpha: 0, ..assembler.first };
    switches(a) == switches(b) && a.leftover == b.leftover && a.reversed == b.reversed
}

/// Returns registers with which no pixels are written.
fn muted(registers: &Registers) -> Registers {
    let mut muted = registers.clone();
    for (opcode, argument) in [
        (Opcode::SCISSOR1, 0xF_FFFF),
        (Opcode::SCISSOR2, 0),
        (Opcode::MASKRGB, 0xFF_FFFF),
        (Opcode::MASKALPHA, 0xFF),
        (Opcode::ZWRITEDISABLE, 1),
        (Opcode::CLEARMODE, 0),
        (Opcode::TEXENABLE, 0),
    ] {
        muted.write(Command::new(opcode, argument));
    }
    muted
}

/// Returns a vertex at the origin with these attributes.
fn attributes_only(last: LastAttributes) -> Vertex {
    Vertex { texcoord: last.texcoord, normal: last.normal, ..Vertex::default() }
}

struct Steps {
    items: Vec<Item>,
    /// The registers after these steps.
    registers: Registers,
    free: FreeRam,
    data: Vec<(Address, Vec<u8>)>,
}

impl Steps {
    fn push(&mut self, command: Command) {
        self.registers.write(command);
        self.items.push(command.into());
    }

    /// Adds the commands that lead to these registers.
    fn set(&mut self, target: &Registers) {
        for command in delta::commands(&self.registers, target) {
            self.push(command);
        }
    }

    /// Adds a draw for vertices with these bytes.
    fn draw(&mut self, command: Command, bytes: Vec<u8>) -> Option<()> {
        let vertices = self.free.take(u32::try_from(bytes.len()).ok()?)?;
        let advance = u32::try_from(bytes.len()).ok()?;
        self.data.push((vertices, bytes));
        self.registers.write(command);
        self.items.push(ItemDraw { command, vertices, indices: None, advance }.into());
        Some(())
    }

    /// Adds a draw with a single vertex under these muted registers.
    fn vertex(&mut self, registers: &Registers, primitive: PrimitiveType, vertex: Vertex) -> Option<()> {
        let read: VertexType = registers.get();
        let has_weights = read.weight != ComponentFormat::NONE;
        let vertex_type = VertexType {
            texcoord: ComponentFormat::FLOAT,
            color: if read.color == ColorFormat::NONE { ColorFormat::NONE } else { ColorFormat::ABGR8888 },
            normal: ComponentFormat::FLOAT,
            position: ComponentFormat::FLOAT,
            weight: if has_weights { ComponentFormat::FLOAT } else { ComponentFormat::NONE },
            index: IndexFormat::NONE,
            morph_count: 0,
            ..read
        };
        let mut target = registers.clone();
        target.write(vertex_type.to(Opcode::VTYPE));
        self.set(&target);
        self.draw(Prim { primitive, count: 1 }.to(Opcode::PRIM), encode(vertex_type, &vertex))
    }

    /// Adds a patch that leaves this sign for zero normals.
    fn bezier(&mut self, sign: ZeroNormal) -> Option<()> {
        let vertex_type = VertexType { position: ComponentFormat::FLOAT, ..VertexType::default() };
        self.push(vertex_type.to(Opcode::VTYPE));
        self.push(Command::new(Opcode::PATCHFACING, 0));
        let (along_u, along_v) = match sign {
            ZeroNormal::Positive => ([2.0, 3.0, 0.0], [3.0, 2.0, 0.0]),
            ZeroNormal::Negative => ([3.0, 2.0, 0.0], [2.0, 3.0, 0.0]),
            ZeroNormal::Zero => ([3.0, 3.0, 0.0], [3.0, 3.0, 0.0]),
        };
        // The corner is the last of 4x4 points. Its sign depends on the points before it along u and v.
        let point = |number: u32| match number {
            14 => along_u,
            11 => along_v,
            _ => [3.0, 3.0, 0.0_f32],
        };
        let bytes = (0..16).flat_map(point).flat_map(f32::to_le_bytes).collect();
        self.draw(Bezier { u_count: 4, v_count: 4 }.to(Opcode::BEZIER), bytes)
    }

    /// Adds an unfinished primitive's vertices, after those that make its state complete.
    fn unfinished(&mut self, muted_start: &Registers, state: &CarriedState) -> Option<()> {
        let mut primitive = state.primitive;
        let attributes = attributes_only(state.last);
        let dummies = match (state.vertices.is_empty(), state.reversed) {
            (true, _) => complete_count(primitive),
            (false, true) => 1,
            (false, false) => 0,
        };
        for _ in 0..dummies {
            self.vertex(muted_start, primitive, attributes)?;
            primitive = PrimitiveType::CONTINUE;
        }
        for CarriedVertex { vertex, registers } in &state.vertices {
            self.vertex(&muted(registers), primitive, *vertex)?;
            primitive = PrimitiveType::CONTINUE;
        }
        Some(())
    }

    /// Adds an unfinished immediate primitive's vertices.
    fn unfinished_immediate(&mut self, state: &ImmediateAssembler) {
        let mut next = state.first;
        let dummies = match (state.leftover.is_empty(), state.reversed) {
            (true, _) => complete_count(next.primitive),
            (false, true) => 1,
            (false, false) => 0,
        };
        let untransformed = VertexType { through: false, ..self.registers.get() };
        self.push(untransformed.to(Opcode::VTYPE));
        let vertices = (0..dummies).map(|_| ScreenVertex::default()).chain(state.leftover.iter().copied());
        for vertex in vertices.collect::<Vec<_>>() {
            for command in immediate_vertex(&vertex) {
                self.push(command);
            }
            self.push(ImmediateVertex { alpha: vertex.color[3], ..next }.to(Opcode::VAP));
            next.primitive = PrimitiveType::CONTINUE;
        }
    }

    /// Runs the steps and returns the state that they leave, to check it.
    fn result(&self, start: &Registers) -> Option<Carried> {
        let mut memory = Memory::default();
        for (address, bytes) in &self.data {
            memory.write(*address, bytes);
        }
        let excerpt = Excerpt {
            memory: memory.into(),
            registers: start.clone(),
            items: self.items.clone(),
            free: self.free,
            shown: None,
        };
        let mut capture = excerpt.to_capture()?;
        let mut interpreter = Interpreter::new(capture.registers, Arithmetic::Hardware);
        let limits = Limits::default();
        interpreter.run(&mut capture.memory, capture.start, &mut NullSink, &mut NullObserver, &limits);
        let (draws, immediate) = interpreter.carried();
        Some(Carried { draws: draws.clone(), immediate: immediate.clone() })
    }
}

/// Returns how many vertices make a complete primitive that leaves none for the next.
const fn complete_count(primitive: PrimitiveType) -> u32 {
    match primitive {
        PrimitiveType::LINES | PrimitiveType::RECTANGLES => 2,
        PrimitiveType::TRIANGLES => 3,
        _ => 1,
    }
}

/// Encodes a vertex. Its components are floats, and its colour has 32 bits.
fn encode(vertex_type: VertexType, vertex: &Vertex) -> Vec<u8> {
    let layout = VertexLayout::new(vertex_type);
    let mut bytes = vec![0; layout.bytes() as usize];
    let mut put = |at: u32, component: Vec<u8>| {
        let start = at as usize;
        if let Some(target) = bytes.get_mut(start..start.saturating_add(component.len())) {
            target.copy_from_slice(&component);
        }
    };
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let weights = vertex.weights.get(..vertex_type.weights()).or_never("a vertex has room for eight weights");
    put(0, floats(weights));
    put(layout.texcoord(), floats(&vertex.texcoord));
    if vertex_type.color != ColorFormat::NONE {
        put(layout.color(), vertex.color.to_vec());
    }
    put(layout.normal(), floats(&vertex.normal));
    put(layout.position(), floats(&vertex.position));
    bytes
}

/// Returns the commands that set the registers for an immediate vertex outside through mode.
fn immediate_vertex(vertex: &ScreenVertex) -> Vec<Command> {
    // Negative positions need an offset to fit in the register. The GE subtracts it again.
    let offset = |position: i32| if position < 0 { 0xFFFF } else { 0 };
    let coordinate = |position: i32| position.wrapping_add(offset(position)).cast_unsigned() & 0xFFFF;
    let [s, t, q] = vertex.texture.map(|value| value.to_bits() >> 8);
    let rgb = |[red, green, blue]: [u8; 3]| u32::from_le_bytes([red, green, blue, 0]);
    let [red, green, blue, _] = vertex.color;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a byte divided by 256")]
    let fog = (vertex.fog * 256.0) as u32;
    [
        (Opcode::OFFSETX, offset(vertex.x).cast_unsigned()),
        (Opcode::OFFSETY, offset(vertex.y).cast_unsigned()),
        (Opcode::VSCX, coordinate(vertex.x)),
        (Opcode::VSCY, coordinate(vertex.y)),
        (Opcode::VSCZ, vertex.z.into()),
        (Opcode::VTCS, s),
        (Opcode::VTCT, t),
        (Opcode::VTCQ, q),
        (Opcode::VCV, rgb([red, green, blue])),
        (Opcode::VFC, fog),
        (Opcode::VSCV, rgb(vertex.secondary)),
    ]
    .map(|(opcode, argument)| Command::new(opcode, argument))
    .into()
}
