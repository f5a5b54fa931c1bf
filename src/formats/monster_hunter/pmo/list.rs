//! Scans a group's display list before it runs, to make it safe to run in place.
//!
//! # Invariants
//! After its patches, a [`ScannedList`] uses only permitted commands, ends with RET inside the mesh data, and draws
//! only vertices inside it. The size of the data limits the work, even if lists overlap.
//! Source: [lists](crate::reference::formats::pmo#lists) and [limits](crate::reference::formats::pmo#limits),
//! with the GE's [relative addresses](crate::reference::ge::lists#relative-addresses).

use super::problem::PmoProblem;
use crate::formats::core::cursor::{Cursor, View};
use crate::formats::core::error::{FormatError, Warnings};
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View as _;
use crate::ge::registers::flow::{Base, RelativeAddress};
use crate::ge::registers::vertex::{ComponentFormat, IndexFormat, Prim, PrimitiveType, VertexType};
use crate::ge::vertex_layout::VertexLayout;

/// A list after its scan, to run in place.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ScannedList {
    /// Where this list starts in the mesh data.
    pub(super) start: u64,
    /// The list's length in bytes, including RET.
    pub(super) length: u64,
    /// PRIM count.
    pub(super) draws: usize,
    pub(super) vertices: usize,
    pub(super) triangles: usize,
    /// Weights per vertex; the maximum if the vertex type changes.
    pub(super) weights: usize,
    /// Whether this list sets BASE before it uses an address.
    pub(super) sets_base: bool,
    /// State commands in order, to know the state this list leaves.
    pub(super) state: Vec<Command>,
    /// Mesh data offsets for the vertices and indices of the first draw.
    pub(super) first_vertex: Option<u64>,
    pub(super) first_index: Option<u64>,
    /// Bytes in the mesh data to replace before this list runs, by offset.
    pub(super) patches: Vec<(u64, Vec<u8>)>,
}

/// How many commands in a list may fail to run. With more, this is no list, but other data.
const LEFT_OUT_MAX: usize = 8;
/// How many replacements a list may need for its indices.
const PATCHES_MAX: usize = 64;

/// Checks whether a model may use this state command: it holds no address, and the scene does not own it. Games and
/// tools use only a few, but the others do no harm.
fn is_plain_state(opcode: Opcode) -> bool {
    [
        Opcode::LIGHTINGENABLE..=Opcode::LOGICOPENABLE,
        Opcode::SHADEMODE..=Opcode::REVERSENORMAL,
        Opcode::MATERIALUPDATE..=Opcode::MATERIALALPHA,
        Opcode::MATERIALSPECULARCOEF..=Opcode::CULL,
        Opcode::TEXFILTER..=Opcode::TEXWRAP,
        Opcode::TEXFUNC..=Opcode::TEXENVCOLOR,
        Opcode::COLORTEST..=Opcode::STENCILOP,
        Opcode::BLENDMODE..=Opcode::BLENDFIXEDB,
        Opcode::ZWRITEDISABLE..=Opcode::ZWRITEDISABLE,
    ]
    .iter()
    .any(|range| range.contains(&opcode))
}

/// Addresses have 28 bits.
const ADDRESS_MASK: u64 = 0x0FFF_FFFF;

/// Work left to spend on all lists in a file. Every word, index and vertex costs 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorkBudget(u64);

impl WorkBudget {
    /// Suffices for any file if its lists share no data, and allows moderate sharing.
    pub(super) const fn of(data: View<'_>) -> Self {
        Self(data.len().saturating_mul(16).saturating_add(0x1_0000))
    }

    fn spend(&mut self, data: View<'_>, at: u64, work: u64) -> Result<(), FormatError> {
        self.0 = self.0.checked_sub(work).ok_or_else(|| data.error(at, PmoProblem::TooMuchWork))?;
        Ok(())
    }
}

/// Scans the list at offset `start` in the mesh data.
pub(super) fn scan(
    data: View<'_>,
    start: u64,
    budget: &mut WorkBudget,
    warnings: &mut Warnings,
) -> Result<ScannedList, FormatError> {
    // The list runs in place, and CALL ignores the low bits of its address.
    if start & 3 != 0 {
        warnings.push(data.error(start, PmoProblem::Unaligned));
    }
    let start = start & !3;
    let mut scan = ListScanner {
        data,
        scanned: ScannedList { start, ..ScannedList::default() },
        origin: None,
        base: 0,
        layout: None,
        vertex: None,
        index: None,
        index_start: None,
        used: 0,
    };
    let mut cursor = Cursor::new(data, start);
    let (mut may_leave_out, mut first_error) = (0..LEFT_OUT_MAX, None);
    loop {
        let at = cursor.at();
        let word = cursor.word().map_err(|_| data.error(start, PmoProblem::NoReturn))?;
        budget.spend(data, at, 1)?;
        let command = Command::from_word(word);
        if command.opcode() == Opcode::RET {
            scan.finish_vertices(budget, warnings)?;
            scan.scanned.length = cursor.at().saturating_sub(start);
            return match first_error {
                Some(error) if scan.scanned.draws == 0 => Err(error),
                _ => Ok(scan.scanned),
            };
        }
        let Err(error) = scan.command(at, command, budget, warnings) else { continue };
        if may_leave_out.next().is_none() || matches!(error.problem_as(), Some(PmoProblem::TooMuchWork)) {
            return Err(first_error.unwrap_or(error));
        }
        let problem = PmoProblem::CommandLeftOut(Box::new(error.kind.clone()));
        warnings.push(FormatError { kind: problem.into(), ..error.clone() });
        first_error.get_or_insert(error);
        scan.patch(at, &Command::new(Opcode::NOP, 0).word().to_le_bytes());
    }
}

/// Follows the registers that a list sets, to check its draws. Addresses are offsets in the mesh data.
struct ListScanner<'a> {
    data: View<'a>,
    scanned: ScannedList,
    origin: Option<u64>,
    base: u64,
    layout: Option<Layout>,
    vertex: Option<u64>,
    index: Option<u64>,
    /// Offset to the current index data.
    index_start: Option<u64>,
    /// Vertices used since the last VADDR or VTYPE.
    used: u64,
}

/// The vertex type, as far as it matters here.
#[derive(Clone, Copy)]
struct Layout {
    bytes: u64,
    weight: ComponentFormat,
    weights: usize,
    index: IndexFormat,
}

impl ListScanner<'_> {
    fn command(
        &mut self,
        at: u64,
        command: Command,
        budget: &mut WorkBudget,
        warnings: &mut Warnings,
    ) -> Result<(), FormatError> {
        match command.opcode() {
            Opcode::NOP => {}
            Opcode::ORIGIN => self.origin = Some(at),
            // Relative to OFFSETADDR, addresses would be outside the file.
            Opcode::OFFSETADDR => self.origin = None,
            Opcode::BASE => {
                self.base = u64::from(Base::from_argument(command.argument()).high.0) << 24;
                self.scanned.sets_base |= self.vertex.is_none() && self.index.is_none();
            }
            Opcode::VADDR => {
                self.finish_vertices(budget, warnings)?;
                // After a wrong address, draws would show unknown data, so they fail until the next right address.
                self.vertex = None;
                let address = self.address(at, command)?;
                self.vertex = Some(address);
                self.scanned.first_vertex.get_or_insert(address);
            }
            Opcode::IADDR => {
                self.index = None;
                let address = self.address(at, command)?;
                self.index = Some(address);
                self.index_start = Some(address);
                self.scanned.first_index.get_or_insert(address);
            }
            Opcode::VTYPE => {
                self.finish_vertices(budget, warnings)?;
                self.layout = None;
                self.layout = Some(self.layout(at, command, warnings)?);
            }
            Opcode::PRIM => self.draw(at, Prim::from_argument(command.argument()), budget, warnings)?,
            opcode if is_plain_state(opcode) => self.scanned.state.push(command),
            opcode => return Err(self.data.error(at, PmoProblem::Forbidden(opcode))),
        }
        Ok(())
    }

    /// Computes the address set by VADDR or IADDR.
    fn address(&self, at: u64, command: Command) -> Result<u64, FormatError> {
        let origin = self.origin.ok_or_else(|| self.data.error(at, PmoProblem::NoOrigin))?;
        let argument = u64::from(RelativeAddress::from_argument(command.argument()).address.0);
        let address = origin.wrapping_add(self.base | argument) & ADDRESS_MASK;
        if address < self.data.len() {
            Ok(address)
        } else {
            Err(self.data.error(at, PmoProblem::AddressOutside))
        }
    }

    fn layout(&mut self, at: u64, command: Command, warnings: &mut Warnings) -> Result<Layout, FormatError> {
        let vtype = VertexType::from_argument(command.argument());
        let refuse = |reason| Err(self.data.error(at, PmoProblem::VertexType(reason)));
        if matches!(vtype.color.number(), 1..=3) {
            return refuse("its colour format does not exist");
        }
        if vtype.morph_count != 0 {
            return refuse("it has morph frames");
        }
        if vtype.through {
            return refuse("it is in through mode");
        }
        if vtype.position == ComponentFormat::NONE {
            return refuse("it has no position");
        }
        if vtype.to_argument() != command.argument() {
            warnings.push(self.data.error(at, PmoProblem::VertexTypeBits));
        }
        let weights = vtype.weights();
        self.scanned.weights = self.scanned.weights.max(weights);
        let bytes = VertexLayout::new(vtype).frame_bytes().into();
        Ok(Layout { bytes, weight: vtype.weight, weights, index: vtype.index })
    }

    fn draw(
        &mut self,
        at: u64,
        prim: Prim,
        budget: &mut WorkBudget,
        warnings: &mut Warnings,
    ) -> Result<(), FormatError> {
        let not_set = |opcode| self.data.error(at, PmoProblem::NotSet(opcode));
        let layout = self.layout.ok_or_else(|| not_set(Opcode::VTYPE))?;
        let vertex = self.vertex.ok_or_else(|| not_set(Opcode::VADDR))?;
        let is_indexed = layout.index != IndexFormat::NONE;
        let Some(index) = self.index.or((!is_indexed).then_some(0)) else {
            return Err(self.data.error(at, PmoProblem::NoIndices));
        };
        let step = u64::from(layout.index.bytes());
        let room = if is_indexed {
            self.data.len().saturating_sub(index).checked_div(step).unwrap_or(0)
        } else {
            // Successive draws use successive vertices.
            let vertices = self.data.len().saturating_sub(vertex).checked_div(layout.bytes).unwrap_or(0);
            vertices.saturating_sub(self.used)
        };
        let mut prim = prim;
        if u64::from(prim.count) > room {
            // Fewer corners are no triangle.
            if room < 3 {
                return Err(self.data.error(at, PmoProblem::VertexOutside));
            }
            warnings.push(self.data.error(at, PmoProblem::DrawCut { count: prim.count.into(), room }));
            prim.count = u16::try_from(room).unwrap_or(prim.count);
            let command = Command::new(Opcode::PRIM, prim.to_argument());
            self.patch(at, &command.word().to_le_bytes());
        }
        let triangles = match prim.primitive {
            PrimitiveType::TRIANGLE_STRIP => prim.count.saturating_sub(2),
            PrimitiveType::TRIANGLES => prim.count / 3,
            other => return Err(self.data.error(at, PmoProblem::Primitive(other))),
        };
        let count = u64::from(prim.count);
        budget.spend(self.data, at, count)?;
        if !is_indexed {
            self.used = self.used.saturating_add(count);
            self.count_draw(triangles);
            return Ok(());
        }
        // If indices follow the vertices, the vertex data ends there.
        let limit = self.index_start.filter(|&start| start > vertex).unwrap_or(self.data.len());
        let bytes = self.data.slice(index, count.saturating_mul(step))?;
        let width = usize::try_from(step).unwrap_or(1).max(1);
        let length = self.data.len();
        let number_of =
            |element: &[u8]| element.iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
        let end_of =
            |number: u64| number.saturating_add(1).saturating_mul(layout.bytes).saturating_add(vertex);
        let exists = |number: u64| number <= 0xFFFF && end_of(number) <= length;
        let mut known = bytes.chunks_exact(width).find(|element| exists(number_of(element)));
        let (mut outside, mut missing) = (None, None);
        for (offset, element) in (index..).step_by(width).zip(bytes.chunks_exact(width)) {
            let number = number_of(element);
            if !exists(number) {
                // Repeat the previous corner: this makes the corner's triangles empty, and later draws still find
                // their indices.
                missing.get_or_insert((offset, number));
                let Some(known) = known.filter(|_| self.scanned.patches.len() < PATCHES_MAX) else {
                    return Err(self.data.error(offset, PmoProblem::VertexMissing(number)));
                };
                self.patch(offset, known);
                continue;
            }
            known = Some(element);
            if end_of(number) > limit {
                // The engine reads these bytes as a vertex, so this only warns.
                outside.get_or_insert((offset, number));
            } else {
                self.used = self.used.max(number.saturating_add(1));
            }
        }
        if let Some((offset, number)) = missing {
            warnings.push(self.data.error(offset, PmoProblem::IndexLeftOut(number)));
        }
        if let Some((offset, number)) = outside {
            warnings.push(self.data.error(offset, PmoProblem::IndexOutside(number)));
        }
        self.count_draw(triangles);
        self.index = Some(index.saturating_add(bytes.len() as u64));
        Ok(())
    }

    fn count_draw(&mut self, triangles: u16) {
        self.scanned.draws = self.scanned.draws.saturating_add(1);
        self.scanned.triangles = self.scanned.triangles.saturating_add(usize::from(triangles));
    }

    fn patch(&mut self, at: u64, bytes: &[u8]) {
        self.scanned.patches.push((at, bytes.to_vec()));
    }

    /// Counts and checks the vertices used since the last call. Call this before the vertex address or type changes.
    fn finish_vertices(
        &mut self,
        budget: &mut WorkBudget,
        warnings: &mut Warnings,
    ) -> Result<(), FormatError> {
        let count = std::mem::take(&mut self.used);
        let (Some(layout), Some(vertex), 1..) = (self.layout, self.vertex, count) else { return Ok(()) };
        self.scanned.vertices =
            self.scanned.vertices.saturating_add(usize::try_from(count).unwrap_or(usize::MAX));
        if layout.index == IndexFormat::NONE {
            // These draws have advanced the vertex address.
            self.vertex = Some(vertex.saturating_add(count.saturating_mul(layout.bytes)));
        }
        if layout.weights == 0 {
            return Ok(());
        }
        budget.spend(self.data, vertex, count)?;
        let bytes = self.data.slice(vertex, count.saturating_mul(layout.bytes))?;
        let size = usize::try_from(layout.bytes).unwrap_or(usize::MAX).max(1);
        let odd = (vertex..)
            .step_by(size)
            .zip(bytes.chunks_exact(size))
            .find(|(_, vertex)| !weights_sum_to_one(vertex, layout.weight, layout.weights));
        if let Some((at, _)) = odd {
            warnings.push(self.data.error(at, PmoProblem::Weights));
        }
        Ok(())
    }
}

/// Checks whether the weights at the start of a vertex add up to 1.0, with a tolerance for rounding.
fn weights_sum_to_one(vertex: &[u8], format: ComponentFormat, count: usize) -> bool {
    let weight = |bytes: &[u8]| match *bytes {
        [byte] => f32::from(byte) / 128.0,
        [low, high] => f32::from(u16::from_le_bytes([low, high])) / 32768.0,
        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]),
        _ => 0.0,
    };
    let size = usize::try_from(format.bytes()).unwrap_or(1).max(1);
    let sum: f32 = vertex.chunks_exact(size).take(count).map(weight).sum();
    // Allow each weight to be off by 1/128 from rounding.
    let slack = f32::from(u8::try_from(count).unwrap_or(u8::MAX)) / 128.0;
    (sum - 1.0).abs() <= slack
}
