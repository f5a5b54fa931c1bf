//! Prints passes and resources.

use std::collections::BTreeMap;

use pspge::documents::PassesDocument;
use pspge::documents::passes::{EdgeInfo, NodeInfo, NodeKind, PassInfo, PassTexture};
use pspge::documents::state::surfaces::Rectangle;
use pspge::documents::texture_index::IndexedTexture;

use crate::command::state::text::ranges;
use crate::output::Output;
use crate::terminal::failure::Failure;

/// Prints passes with the copies between them, and screens.
pub(super) fn print(out: &mut Output, document: &PassesDocument) -> Result<(), Failure> {
    let count = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    };
    let passes = count(document.passes.len(), "pass", "passes");
    let unused = document.passes.iter().filter(|pass| !pass.is_read).count();
    let unused = if unused == 0 { String::new() } else { format!(", {unused} of them unused") };
    out.line(format_args!("{passes} of {} draws{unused}", document.draws))?;
    let mut copies = document.copies.iter().peekable();
    for pass in &document.passes {
        while let Some(copy) = copies.next_if(|copy| copy.event < pass.first_event) {
            print_copy(out, document, &copy.text, &copy_node(copy.kind, copy.event))?;
        }
        print_pass(out, document, pass)?;
    }
    for copy in copies {
        print_copy(out, document, &copy.text, &copy_node(copy.kind, copy.event))?;
    }
    for screen in &document.screens {
        let node = NodeInfo { kind: NodeKind::Screen, pass: None, event: screen.event };
        let when = screen.event.map_or("at the end".to_owned(), |event| format!("from event {event} on"));
        out.line(format_args!("screen {when}: {}", screen.address))?;
        print_inputs(out, document, &node)?;
    }
    if !document.is_complete {
        out.line(format_args!("a limit ended the record; see --limits"))?;
    }
    Ok(())
}

fn copy_node(kind: NodeKind, event: pspge::debug::EventNumber) -> NodeInfo {
    NodeInfo { kind, pass: None, event: Some(event) }
}

fn print_copy(
    out: &mut Output,
    document: &PassesDocument,
    text: &str,
    node: &NodeInfo,
) -> Result<(), Failure> {
    out.line(format_args!("{text}"))?;
    print_inputs(out, document, node)?;
    print_readers(out, document, node)
}

fn print_pass(out: &mut Output, document: &PassesDocument, pass: &PassInfo) -> Result<(), Failure> {
    let draws = numbers(pass.first_draw, pass.last_draw, pass.draws);
    let events = match (pass.first_event, pass.last_event) {
        (first, last) if first == last => format!("event {first}"),
        (first, last) => format!("events {first}-{last}"),
    };
    out.line(format_args!(
        "pass {}: {draws}, {events}, {} primitives, {} pixels",
        pass.pass, pass.primitives, pass.pixels
    ))?;
    let color = &pass.color;
    let drawn = pass.drawn.as_ref().map_or("nothing drawn".to_owned(), rectangle);
    let mask = if pass.color_written { "" } else { ", not written" };
    out.line(format_args!(
        "    colour {}, {} pixels a row, {}{mask}: {drawn}",
        color.address, color.stride, color.format
    ))?;
    if let Some(depth) = &pass.depth {
        let mode = match (depth.is_tested, depth.is_written) {
            (true, true) => "tested and written",
            (true, false) => "tested",
            _ => "written",
        };
        out.line(format_args!("    depth  {}, {} values a row: {mode}", depth.address, depth.stride))?;
    }
    let mut clears: Vec<(String, Vec<u64>)> = Vec::new();
    for clear in &pass.clears {
        let parts = [(clear.color, "colour"), (clear.stencil, "stencil"), (clear.depth, "depth")];
        let parts: Vec<&str> = parts.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
        let parts = parts.join(", ");
        match clears.iter_mut().find(|(known, _)| *known == parts) {
            Some((_, draws)) => draws.push(clear.draw),
            None => clears.push((parts, vec![clear.draw])),
        }
    }
    for (parts, draws) in clears {
        out.line(format_args!("    clears {parts} ({})", draws_text(&draws)))?;
    }
    let drawn = |used: &&PassTexture| !used.passes.is_empty() || !used.copies.is_empty();
    let recorded = pass.textures.iter().filter(|used| !drawn(used)).count();
    if recorded > 0 {
        out.line(format_args!("    textures of the file: {recorded} (see --resources)"))?;
    }
    for used in pass.textures.iter().filter(drawn) {
        print_texture(out, document, pass, used)?;
    }
    let node = NodeInfo { kind: NodeKind::Pass, pass: Some(pass.pass), event: None };
    print_inputs(out, document, &node)?;
    print_readers(out, document, &node)
}

/// Prints a texture that was drawn or copied in this run.
fn print_texture(
    out: &mut Output,
    document: &PassesDocument,
    pass: &PassInfo,
    used: &PassTexture,
) -> Result<(), Failure> {
    let Some(texture) = document.textures.get(used.texture as usize) else { return Ok(()) };
    let passes = used.passes.iter().map(|number| match number {
        number if *number == pass.pass => "its own target".to_owned(),
        number => format!("pass {number}"),
    });
    let copies = used.copies.iter().map(|event| format!("event {event}"));
    let from: Vec<String> = passes.chain(copies).collect();
    out.line(format_args!(
        "    samples {} as {}, {}",
        from.join(", "),
        texture_text(texture),
        draws_text(&used.draws)
    ))
}

/// Prints the other nodes that a node reads. Textures made by passes have their own lines, so they are left out
/// here.
fn print_inputs(out: &mut Output, document: &PassesDocument, node: &NodeInfo) -> Result<(), Failure> {
    let is_input =
        |edge: &&EdgeInfo| edge.to == *node && !(node.kind == NodeKind::Pass && edge.kind == "texture");
    for (from, kinds) in grouped(document.edges.iter().filter(is_input).map(|edge| (&edge.from, edge))) {
        let verb = match node.kind {
            NodeKind::Screen => "shows".to_owned(),
            NodeKind::Pass => format!("uses the {} of", kinds.join(", ")),
            NodeKind::Transfer | NodeKind::Copy => "reads".to_owned(),
        };
        out.line(format_args!("    {verb} {from}"))?;
    }
    Ok(())
}

fn print_readers(out: &mut Output, document: &PassesDocument, node: &NodeInfo) -> Result<(), Failure> {
    let is_reader = |edge: &&EdgeInfo| edge.from == *node && edge.to != *node;
    let readers = grouped(document.edges.iter().filter(is_reader).map(|edge| (&edge.to, edge)));
    let readers: Vec<String> = readers
        .into_iter()
        .map(|(to, kinds)| match kinds.as_slice() {
            [kind] if kind == "screen" || kind == "copy" => to,
            kinds => format!("{to} ({})", kinds.join(", ")),
        })
        .collect();
    if readers.is_empty() {
        return out.line(format_args!("    unused: not read again"));
    }
    out.line(format_args!("    read by {}", readers.join(", ")))
}

/// Groups edges by their other end, with its name and the kinds of edges.
fn grouped<'a>(edges: impl Iterator<Item = (&'a NodeInfo, &'a EdgeInfo)>) -> Vec<(String, Vec<String>)> {
    let mut groups: BTreeMap<(u8, u32), (String, Vec<String>)> = BTreeMap::new();
    for (node, edge) in edges {
        let event = node.event.map_or(u32::MAX, |event| event.0);
        let (order, name) = match node.kind {
            NodeKind::Pass => {
                let pass = node.pass.unwrap_or_default();
                ((0, pass), format!("pass {pass}"))
            }
            NodeKind::Transfer => ((1, event), format!("the transfer of event {event}")),
            NodeKind::Copy => ((1, event), format!("the copy of event {event}")),
            NodeKind::Screen if node.event.is_none() => ((2, event), "the screen at the end".to_owned()),
            NodeKind::Screen => ((2, event), format!("the screen of event {event}")),
        };
        groups.entry(order).or_insert_with(|| (name, Vec::new())).1.push(edge.kind.clone());
    }
    groups.into_values().collect()
}

pub(super) fn print_resources(out: &mut Output, document: &PassesDocument) -> Result<(), Failure> {
    out.line(format_args!("{} textures", document.textures.len()))?;
    for (number, texture) in document.textures.iter().enumerate() {
        let origin = match (texture.rendered, texture.mapped) {
            (_, false) => ", texels missing",
            (true, _) => ", drawn",
            _ => "",
        };
        let addresses = joined(&texture.addresses);
        out.line(format_args!(
            "    {number}: {} at {addresses}{origin}, {}",
            texture_text(texture),
            draws_text(&texture.draws)
        ))?;
    }
    out.line(format_args!("{} palettes", document.palettes.len()))?;
    for palette in &document.palettes {
        let format = palette.format.map(|format| format!(" {format}")).unwrap_or_default();
        let textures: Vec<String> = palette.textures.iter().map(ToString::to_string).collect();
        out.line(format_args!(
            "    {}{format} at {}, textures {}, {}",
            palette.hash,
            joined(&palette.addresses),
            textures.join(","),
            draws_text(&palette.draws)
        ))?;
    }
    out.line(format_args!("{} buffers", document.targets.len()))?;
    for target in &document.targets {
        let format = target.format.map_or("depth".to_owned(), |format| format.to_string());
        let passes: Vec<String> = target.passes.iter().map(ToString::to_string).collect();
        let drawn = target.drawn.as_ref().map_or("nothing drawn".to_owned(), rectangle);
        let size = match (target.width, target.height) {
            (Some(width), Some(height)) => format!(", {width}x{height}"),
            _ => String::new(),
        };
        out.line(format_args!(
            "    {} {format}, {} pixels a row{size}: {drawn}, draws {}, passes {}",
            target.address,
            target.stride,
            target.draws,
            passes.join(",")
        ))?;
    }
    Ok(())
}

fn joined(addresses: &[pspge::Address]) -> String {
    let addresses: Vec<String> = addresses.iter().map(ToString::to_string).collect();
    addresses.join(", ")
}

/// Describes a texture: `64x32 CLUT8 swizzled, 5 levels, hash 0123…, palette 4567…`.
fn texture_text(texture: &IndexedTexture) -> String {
    let IndexedTexture { width, height, format, hash, levels, .. } = texture;
    let swizzled = if texture.swizzled { " swizzled" } else { "" };
    let levels = if *levels > 1 { format!(", {levels} levels") } else { String::new() };
    let palette = texture.palette_hash.map(|hash| format!(", palette {hash}")).unwrap_or_default();
    format!("{width}x{height} {format}{swizzled}{levels}, hash {hash}{palette}")
}

/// Describes a rectangle: `480x272 pixels at 0,0`.
fn rectangle(drawn: &Rectangle) -> String {
    let size = |first: u16, last: u16| u32::from(last).saturating_sub(first.into()) + 1;
    let [width, height] = [size(drawn.left, drawn.right), size(drawn.top, drawn.bottom)];
    format!("{width}x{height} pixels drawn at {},{}", drawn.left, drawn.top)
}

/// Describes draw numbers: `draw 7`, or `draws 3-5,9`.
fn draws_text(draws: &[u64]) -> String {
    format!("draw{} {}", if draws.len() == 1 { "" } else { "s" }, ranges(draws))
}

fn numbers(first: u64, last: u64, count: u64) -> String {
    if count == 1 { format!("draw {first}") } else { format!("draws {first}-{last} ({count})") }
}
