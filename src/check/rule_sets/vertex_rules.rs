//! Rules on a draw's vertices and indices.

use crate::check::context::DrawContext;
use crate::check::findings::{Findings, SAME};
use crate::check::rule::Rule;
use crate::check::subject::Subject;
use crate::check::supply::{Supply, Unwritten};
use crate::ge::address::Address;
use crate::ge::capture::{Source, source_of};
use crate::ge::opcode::Opcode;
use crate::ge::registers::vertex::VertexType;
use crate::pipeline::draw::Draw;

/// Where a draw's vertices lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VertexRange {
    /// The first byte of the vertex with the lowest index.
    pub start: Address,
    /// Bytes from there to the end of the vertex with the highest index.
    pub length: u32,
}

impl VertexRange {
    /// Finds this range for a draw, or returns `None` if it has no vertices.
    fn new(draw: &Draw<'_>, context: &DrawContext<'_>) -> Option<Self> {
        let reader = draw.reader(context.memory);
        let indices = (0..draw.count).map(|nth| reader.index(nth));
        let (low, high) = if reader.is_indexed() {
            indices.fold((u32::MAX, 0), |(low, high), index| (low.min(index), high.max(index)))
        } else {
            (0, draw.count.checked_sub(1)?)
        };
        let bytes = reader.layout().bytes();
        let length = high.checked_sub(low)?.saturating_add(1).saturating_mul(bytes);
        (length > 0).then(|| Self { start: draw.vertices.offset(low.wrapping_mul(bytes)), length })
    }
}

/// Checks a draw's vertices. Returns their range.
pub(crate) fn check(
    context: &DrawContext<'_>,
    supply: &mut Supply,
    sources: &[Source],
    findings: &mut Findings,
) -> Option<VertexRange> {
    let Subject::Draw(draw) = context.subject else { return None };
    check_format(context, findings);
    check_values(context, findings);
    check_alignment(draw, context, findings);
    if context.is_indexed() {
        check_indices(draw, context, supply, findings);
    }
    let range = VertexRange::new(draw, context)?;
    check_range(draw, context, range, supply, sources, findings);
    Some(range)
}

/// Checks the morph weights.
fn check_format(context: &DrawContext<'_>, findings: &mut Findings) {
    let vertex_type = context.vertex_type;
    let frames = vertex_type.morph_frames();
    let weights = (0..8).take(frames).map(|frame| context.registers.float(Opcode::MORPHWEIGHT0.plus(frame)));
    if frames > 1 && weights.clone().all(|weight| weight == 0.0) {
        let message = || format!("MORPHWEIGHT0 to MORPHWEIGHT{} are 0", frames.saturating_sub(1));
        findings.add(Rule::ZeroMorph, SAME, context.place, message);
    }
}

/// Checks the numbers in the vertices, as found by the scan.
fn check_values(context: &DrawContext<'_>, findings: &mut Findings) {
    let scan = &context.scan;
    if let Some(number) = scan.not_finite {
        let message = || format!("vertex {number} holds an infinite number or NaN");
        findings.add(Rule::VertexNotFinite, SAME, context.place, message);
    }
    if let Some((number, value)) = scan.clamped {
        let message = || {
            format!(
                "through mode clamps the position of vertex {number}: {value} is outside -2048 to 2047.9375"
            )
        };
        findings.add(Rule::ThroughClamped, SAME, context.place, message);
    }
    if let Some(number) = scan.negative {
        let message = || format!("the morphed colours of vertex {number} add up to less than 0");
        findings.add(Rule::NegativeColor, SAME, context.place, message);
    }
    if let Some((number, sum)) = scan.weights {
        let message = || match scan.weights_count.saturating_sub(1) {
            0 => format!("the weights of vertex {number} add up to {sum}"),
            others => format!(
                "the weights of vertex {number} add up to {sum}, and those of {others} others differ from 1"
            ),
        };
        findings.add(Rule::WeightsSum, SAME, context.place, message);
    }
}

/// Returns how large the largest component in a vertex type is, in bytes, to which vertices must be aligned.
fn alignment(vertex_type: VertexType) -> u32 {
    [
        vertex_type.weight.bytes(),
        vertex_type.texcoord.bytes(),
        vertex_type.color.bytes(),
        vertex_type.normal.bytes(),
        vertex_type.position.bytes(),
    ]
    .into_iter()
    .fold(1, u32::max)
}

fn check_alignment(draw: &Draw<'_>, context: &DrawContext<'_>, findings: &mut Findings) {
    let size = alignment(context.vertex_type);
    if !draw.vertices.get().is_multiple_of(size) {
        let message = || format!("the vertices at {} are not aligned to {size} bytes", draw.vertices);
        findings.add(Rule::UnalignedVertices, [size, 0], context.place, message);
    }
    let size = context.vertex_type.index.bytes();
    if context.is_indexed() && !draw.indices.get().is_multiple_of(size) {
        let message = || format!("the indices at {} are not aligned to {size} bytes", draw.indices);
        findings.add(Rule::UnalignedIndices, [size, 0], context.place, message);
    }
}

fn check_indices(draw: &Draw<'_>, context: &DrawContext<'_>, supply: &mut Supply, findings: &mut Findings) {
    let length = draw.count.saturating_mul(context.vertex_type.index.bytes());
    if !context.memory.is_mapped(draw.indices, length) {
        let message = || format!("{length} bytes of indices at {} pass the end of memory", draw.indices);
        findings.add(Rule::ReadPastMemory, [1, 0], context.place, message);
    }
    let Unwritten { bytes, first: Some(first) } = supply.unwritten(context.memory, draw.indices, length)
    else {
        return;
    };
    let message = || format!("the indices at {} read {bytes} unwritten bytes, from {first} on", draw.indices);
    findings.add(Rule::UnwrittenIndices, SAME, context.place, message);
}

fn check_range(
    draw: &Draw<'_>,
    context: &DrawContext<'_>,
    VertexRange { start, length }: VertexRange,
    supply: &mut Supply,
    sources: &[Source],
    findings: &mut Findings,
) {
    let memory = context.memory;
    if !memory.is_mapped(start, length) {
        let message = || format!("{length} bytes of vertices at {start} pass the end of memory");
        findings.add(Rule::ReadPastMemory, [0, 0], context.place, message);
    }
    let mut missing = supply.unwritten(memory, start, length);
    if missing.bytes > 0 && context.is_indexed() {
        // Gaps between indexed vertices are never read, so only vertices selected by indices are searched.
        let reader = draw.reader(memory);
        let bytes = reader.layout().bytes();
        let own = |nth| supply.unwritten(memory, reader.address(nth), bytes);
        missing = (0..draw.count).map(own).find(|own| own.bytes > 0).unwrap_or_default();
    }
    if let Unwritten { bytes, first: Some(first) } = missing {
        let message = || format!("the vertices at {start} read {bytes} unwritten bytes, from {first} on");
        findings.add(Rule::UnwrittenVertices, SAME, context.place, message);
    } else if let Some((source, _)) = source_of(sources, start) {
        let last = start.offset(length.saturating_sub(1));
        let end = source.address.offset(source.length);
        let follows = || source_of(sources, end).is_some();
        if last >= end && !follows() {
            let past = last.get().saturating_sub(end.get()).saturating_add(1);
            let message =
                || format!("the vertices at {start} pass the end of {} by {past} bytes", source.name);
            findings.add(Rule::VerticesPastFile, SAME, context.place, message);
        }
    }
}
