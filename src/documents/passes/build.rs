//! Builds the document about a frame's passes from its dependencies.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    CopyInfo, DepthTargetInfo, EdgeInfo, NodeInfo, NodeKind, PaletteUse, PassInfo, PassTexture,
    PassesDocument, ReadInfo, ScreenInfo, TargetUse, WriterBytes,
};
use crate::debug::passes::dependencies::{Dependencies, Origin, Read, ReadKind};
use crate::debug::passes::frame_graph::{Edge, FrameGraph, Node};
use crate::debug::passes::pixel_mask::DrawnBox;
use crate::debug::passes::splitter::PassFacts;
use crate::documents::events::state::surfaces::Rectangle;
use crate::documents::files::texture_index::IndexedTexture;
use crate::documents::note::NoteInfo;
use crate::documents::schema_id::SchemaId;
use crate::ge::address::Address;
use crate::ge::never::OrNever;
use crate::pipeline::framebuffer::ColorSurface;

impl PassesDocument {
    /// Describes the passes in a run.
    #[must_use]
    pub fn new(input: &str, found: &Dependencies) -> Self {
        let graph = FrameGraph::new(found);
        let shown = graph.shown();
        let textures: Vec<IndexedTexture> = found.textures.iter().map(IndexedTexture::of_use).collect();
        let copies = graph.nodes.iter().filter_map(|node| match node {
            Node::Transfer(event) | Node::Copy(event) => Some((*node, *event)),
            Node::Pass(_) | Node::Screen(_) => None,
        });
        let copies = copies.map(|(node, event)| CopyInfo {
            event,
            kind: NodeInfo::from(node).kind,
            text: found
                .timeline
                .get(event)
                .map(ToString::to_string)
                .or_never("a copy is an event of the run"),
            is_shown: shown.contains(&node),
        });
        let passes = (0..).zip(&found.passes).map(|(number, pass)| {
            let node = Node::Pass(number);
            PassInfo {
                is_read: graph.is_read(node),
                is_shown: shown.contains(&node),
                textures: pass_textures(found, pass, &textures),
                ..PassInfo::new(number, pass)
            }
        });
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            draws: found.timeline.draws() as u64,
            events: found.timeline.len() as u64,
            passes: passes.collect(),
            copies: copies.collect(),
            screens: screens(found),
            edges: graph.edges.iter().map(EdgeInfo::from).collect(),
            reads: found.reads.iter().map(|read| ReadInfo::new(found, read)).collect(),
            palettes: palettes(&textures),
            targets: targets(found),
            textures,
            is_complete: found.limit_hit.is_none(),
            notes: NoteInfo::of_report(&found.replayed.report),
        }
    }
}

impl PassInfo {
    /// Describes a pass, without its textures and readers.
    fn new(pass: u32, facts: &PassFacts) -> Self {
        let [first_draw, last_draw] = facts.draws;
        let [first_event, last_event] = facts.events;
        let depth = facts.depth.map(|depth| DepthTargetInfo {
            address: depth.surface.view_address(),
            stride: depth.surface.stride,
            is_tested: depth.is_tested,
            is_written: depth.is_stored,
        });
        Self {
            pass,
            first_draw,
            last_draw,
            first_event,
            last_event,
            draws: facts.draw_count(),
            primitives: facts.primitives,
            pixels: facts.pixels,
            color: facts.color.into(),
            color_written: facts.stores_color,
            drawn: facts.drawn.as_ref().map(Rectangle::from),
            depth,
            clears: facts.clears.clone(),
            textures: Vec::new(),
            is_read: false,
            is_shown: false,
        }
    }
}

impl From<&DrawnBox> for Rectangle {
    fn from(drawn: &DrawnBox) -> Self {
        let side = |at: u32| u16::try_from(at).unwrap_or(u16::MAX);
        Self {
            left: side(drawn.columns.start),
            top: side(drawn.rows.start),
            right: side(drawn.columns.end.saturating_sub(1)),
            bottom: side(drawn.rows.end.saturating_sub(1)),
        }
    }
}

impl From<Node> for NodeInfo {
    fn from(node: Node) -> Self {
        let (kind, pass, event) = match node {
            Node::Pass(pass) => (NodeKind::Pass, Some(pass), None),
            Node::Transfer(event) => (NodeKind::Transfer, None, Some(event)),
            Node::Copy(event) => (NodeKind::Copy, None, Some(event)),
            Node::Screen(event) => (NodeKind::Screen, None, event),
        };
        Self { kind, pass, event }
    }
}

impl From<&Edge> for EdgeInfo {
    fn from(edge: &Edge) -> Self {
        Self {
            from: edge.from.into(),
            to: edge.to.into(),
            kind: edge.kind.name().to_owned(),
            readers: edge.readers.clone(),
            writers: edge.writers.clone(),
            bytes: edge.bytes,
        }
    }
}

impl ReadInfo {
    fn new(found: &Dependencies, read: &Read) -> Self {
        let event = read.reader.and_then(|event| found.timeline.get(event));
        let writers = read.writers.iter().map(|part| WriterBytes { event: part.writer, bytes: part.bytes });
        Self {
            event: read.reader,
            draw: event.and_then(|event| event.draw_number()),
            kind: read.kind.name().to_owned(),
            address: read.address,
            writers: writers.collect(),
            unwritten: read.unwritten,
        }
    }
}

/// Lists the textures that draws in a pass use, with the passes and copies that wrote them.
fn pass_textures(found: &Dependencies, pass: &PassFacts, textures: &[IndexedTexture]) -> Vec<PassTexture> {
    let [first, last] = pass.draws;
    let reads: BTreeMap<u64, &Read> = found
        .reads
        .iter()
        .filter(|read| read.kind == ReadKind::Texture)
        .filter_map(|read| Some((found.timeline.get(read.reader?)?.draw_number()?, read)))
        .filter(|(draw, _)| (first..=last).contains(draw))
        .collect();
    let uses = (0..).zip(textures).filter_map(|(texture, used)| {
        // A texture's draws are in ascending order, so those in this pass are found by two searches.
        let start = used.draws.partition_point(|draw| *draw < first);
        let end = used.draws.partition_point(|draw| *draw <= last);
        let draws = used.draws.get(start..end).filter(|draws| !draws.is_empty())?.to_vec();
        let (mut passes, mut copies) = (BTreeSet::new(), BTreeSet::new());
        for part in draws.iter().filter_map(|draw| reads.get(draw)).flat_map(|read| read.writers.iter()) {
            match found.origins.get(part.writer.index()) {
                Some(Origin::Pass(pass)) => drop(passes.insert(*pass)),
                Some(Origin::Transfer | Origin::Copy) => drop(copies.insert(part.writer)),
                Some(Origin::Upload) | None => {}
            }
        }
        let (passes, copies) = (passes.into_iter().collect(), copies.into_iter().collect());
        Some(PassTexture { texture, draws, passes, copies })
    });
    uses.collect()
}

fn screens(found: &Dependencies) -> Vec<ScreenInfo> {
    let reads = found.reads.iter().filter(|read| read.kind == ReadKind::Screen);
    let mut screens: Vec<ScreenInfo> =
        reads.map(|read| ScreenInfo { event: read.reader, address: read.address }).collect();
    // The display set at the end counts as a screen as well, unless its buffer was the last shown anyway.
    if let Some(display) = found.display
        && screens.last().is_none_or(|screen| screen.address != display.address)
    {
        screens.push(ScreenInfo { event: None, address: display.address });
    }
    screens
}

/// Groups textures by their palettes.
fn palettes(textures: &[IndexedTexture]) -> Vec<PaletteUse> {
    let mut palettes: Vec<PaletteUse> = Vec::new();
    let mut known = BTreeMap::new();
    for (number, texture) in (0..).zip(textures) {
        let Some(hash) = texture.palette_hash else { continue };
        let format = texture.palette_format;
        let position = *known.entry((hash, format.map(|format| format.number()))).or_insert_with(|| {
            let (addresses, textures, draws) = (Vec::new(), Vec::new(), Vec::new());
            palettes.push(PaletteUse { hash, format, addresses, textures, draws });
            palettes.len().saturating_sub(1)
        });
        if let Some(palette) = palettes.get_mut(position) {
            palette.addresses.extend(&texture.palette_addresses);
            palette.textures.push(number);
            palette.draws.extend(&texture.draws);
        }
    }
    for palette in &mut palettes {
        palette.addresses.sort_unstable();
        palette.addresses.dedup();
        palette.draws.sort_unstable();
        palette.draws.dedup();
    }
    palettes
}

/// Groups passes by their colour buffers, and then by their depth buffers.
fn targets(found: &Dependencies) -> Vec<TargetUse> {
    let mut targets: Vec<(TargetUse, Option<DrawnBox>)> = Vec::new();
    let mut add = |target: TargetUse, number: u32, pass: &PassFacts| {
        let is_same = |known: &TargetUse| {
            (known.address, known.stride, known.format) == (target.address, target.stride, target.format)
        };
        let position = targets.iter().position(|(known, _)| is_same(known)).unwrap_or_else(|| {
            targets.push((target, None));
            targets.len().saturating_sub(1)
        });
        let Some((target, drawn)) = targets.get_mut(position) else { return };
        target.passes.push(number);
        target.draws = target.draws.saturating_add(pass.draw_count());
        if let Some(new) = &pass.drawn {
            *drawn = Some(drawn.take().map_or(new.clone(), |drawn| drawn.union(new)));
        }
    };
    let empty = |address, stride, format| TargetUse { address, stride, format, ..TargetUse::default() };
    for (number, pass) in (0..).zip(&found.passes) {
        let ColorSurface { address, stride, format } = pass.color;
        let size = found.replayed.target_sizes.of(address, stride);
        let [width, height] = [0, 1].map(|axis| size.and_then(|size| size.get(axis).copied()));
        let target = empty(Address::vram(address), stride, Some(format));
        add(TargetUse { width, height, ..target }, number, pass);
    }
    for (number, pass) in (0..).zip(&found.passes) {
        if let Some(depth) = pass.depth {
            add(empty(depth.surface.view_address(), depth.surface.stride, None), number, pass);
        }
    }
    let with_box = |(target, drawn): (TargetUse, Option<DrawnBox>)| TargetUse {
        drawn: drawn.as_ref().map(Rectangle::from),
        ..target
    };
    targets.into_iter().map(with_box).collect()
}
