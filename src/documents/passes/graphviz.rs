//! A frame's passes as a graph in the language DOT, to be drawn by Graphviz.
//!
//! ```
//! use pspge::debug::Shot;
//! use pspge::documents::PassesDocument;
//!
//! let capture = pspge::asm::assemble("FINISH | END")?.capture();
//! let found = Shot::new(capture).dependencies(None);
//! let graph = PassesDocument::new("empty.ge", &found).to_dot();
//! assert!(graph.starts_with("digraph \"empty.ge\" {"));
//! # Ok::<(), pspge::asm::AssemblyError>(())
//! ```

use std::fmt::Write;

use super::{EdgeInfo, NodeInfo, NodeKind, PassInfo, PassesDocument};

impl PassesDocument {
    /// Returns the graph: a box for each pass, an ellipse for each copy, a bold box for each screen, and an arrow
    /// from each to its readers. A node is dashed if its result reaches no screen, to make wasted work visible.
    /// Arrows are solid for textures, and dotted for old values.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut dot = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_dot(&mut dot);
        dot
    }

    fn write_dot(&self, dot: &mut String) -> std::fmt::Result {
        writeln!(dot, "digraph {} {{", quoted(&self.input))?;
        writeln!(dot, "    rankdir=TB;")?;
        writeln!(dot, "    node [shape=box, fontname=\"sans-serif\", fontsize=10];")?;
        writeln!(dot, "    edge [fontname=\"sans-serif\", fontsize=9];")?;
        for pass in &self.passes {
            let style = if pass.is_shown { "solid" } else { "dashed" };
            writeln!(dot, "    pass{} [label={}, style={style}];", pass.pass, quoted(&pass_label(pass)))?;
        }
        for copy in &self.copies {
            let style = if copy.is_shown { "solid" } else { "dashed" };
            let label = copy.text.replacen(": ", "\n", 1);
            let name = name(&NodeInfo { kind: copy.kind, pass: None, event: Some(copy.event) });
            writeln!(dot, "    {name} [label={}, shape=ellipse, style={style}];", quoted(&label))?;
        }
        for screen in &self.screens {
            let name = name(&NodeInfo { kind: NodeKind::Screen, pass: None, event: screen.event });
            let label = match screen.event {
                Some(event) => format!("screen from event {event} on\n{}", screen.address),
                None => format!("screen at the end\n{}", screen.address),
            };
            writeln!(dot, "    {name} [label={}, style=bold];", quoted(&label))?;
        }
        for edge in &self.edges {
            let style = if edge.kind.starts_with("old ") { "dotted" } else { "solid" };
            let [from, to] = [&edge.from, &edge.to].map(name);
            writeln!(dot, "    {from} -> {to} [label={}, style={style}];", quoted(&edge_label(edge)))?;
        }
        writeln!(dot, "}}")
    }
}

fn name(node: &NodeInfo) -> String {
    let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
    match node.kind {
        NodeKind::Pass => format!("pass{}", number(node.pass)),
        NodeKind::Transfer | NodeKind::Copy => format!("event{}", number(node.event.map(|event| event.0))),
        NodeKind::Screen => format!("screen{}", number(node.event.map(|event| event.0))),
    }
}

fn pass_label(pass: &PassInfo) -> String {
    let mut label = format!("pass {}: ", pass.pass);
    match pass.draws {
        1 => label.push_str(&format!("draw {}", pass.first_draw)),
        draws => label.push_str(&format!("draws {}–{} ({draws})", pass.first_draw, pass.last_draw)),
    }
    label.push_str(&format!("\n{} {}, stride {}", pass.color.address, pass.color.format, pass.color.stride));
    if let Some(drawn) = &pass.drawn {
        let size = |first: u16, last: u16| u32::from(last).saturating_sub(first.into()).saturating_add(1);
        let [width, height] = [size(drawn.left, drawn.right), size(drawn.top, drawn.bottom)];
        label.push_str(&format!("\n{width}×{height} pixels at {},{}", drawn.left, drawn.top));
    }
    if let Some(depth) = &pass.depth {
        let mode = match (depth.is_tested, depth.is_written) {
            (true, true) => "tested and written",
            (true, false) => "tested",
            _ => "written",
        };
        label.push_str(&format!("\ndepth {} {mode}", depth.address));
    }
    if !pass.clears.is_empty() {
        let is_cleared = |of: fn(&super::Clear) -> bool| pass.clears.iter().any(of);
        let parts = [
            (is_cleared(|clear| clear.color), "colour"),
            (is_cleared(|clear| clear.stencil), "stencil"),
            (is_cleared(|clear| clear.depth), "depth"),
        ];
        let parts: Vec<&str> = parts.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
        label.push_str(&format!("\nclears {}", parts.join(", ")));
    }
    if !pass.is_read {
        label.push_str("\nunused");
    }
    label
}

fn edge_label(edge: &EdgeInfo) -> String {
    match edge.readers.len() {
        0 | 1 => edge.kind.clone(),
        count if edge.to.kind == NodeKind::Pass => format!("{} of {count} draws", edge.kind),
        _ => edge.kind.clone(),
    }
}

/// Returns a text as a quoted identifier for DOT. Line breaks become breaks in the label.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            letter if letter.is_control() => quoted.push('\u{FFFD}'),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted("a \"b\" \\ c\nd\u{1b}[0m"), "\"a \\\"b\\\" \\\\ c\\nd\u{FFFD}[0m\"");
    }
}
