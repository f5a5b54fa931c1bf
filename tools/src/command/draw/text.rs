//! Prints a draw as a page.

use pspge::documents::DrawReportDocument;
use pspge::documents::draw_report::{
    ArithmeticName, OutcodeName, PrimitiveInfo, SourceVertexInfo, VertexInfo, VertexStagesInfo,
};
use pspge::documents::state::vertex::VertexFormat;
use pspge::ge::float::Float;
use pspge::ge::registers::vertex::{ColorFormat, ComponentFormat};
use pspge::raster::FragmentCounts;

use crate::output::Output;
use crate::terminal::failure::Failure;

/// Prints at most this many vertices and primitives, unless the user asks for all.
const FIRST: usize = 3;

/// Prints the summary, then vertices and primitives: all, or the first few of each.
pub(super) fn print(
    out: &mut Output,
    document: &DrawReportDocument,
    all_vertices: bool,
    all_primitives: bool,
) -> Result<(), Failure> {
    print_summary(out, document)?;
    let vertices = shown(document.vertices.len(), all_vertices);
    let is_patch = document.patch.is_some();
    if is_patch {
        for point in document.source_vertices.iter().take(shown(document.source_vertices.len(), all_vertices))
        {
            out.line(format_args!("\ncontrol point {}{}", point.number, place(point)))?;
            print_source(out, point, &document.state.vertex)?;
        }
        print_rest(out, document.source_vertices.len(), "control points", "--vertices", all_vertices)?;
    }
    for vertex in document.vertices.iter().take(vertices) {
        let source = document.source_vertices.get(vertex.number as usize).filter(|_| !is_patch);
        out.line(format_args!("\nvertex {}{}", vertex.number, source.map(place).unwrap_or_default()))?;
        if let Some(source) = source {
            print_source(out, source, &document.state.vertex)?;
        }
        print_vertex(out, vertex)?;
    }
    print_rest(out, document.vertices.len(), "vertices", "--vertices", all_vertices)?;
    out.line(format_args!(""))?;
    for primitive in document.primitives.iter().take(shown(document.primitives.len(), all_primitives)) {
        print_primitive(out, primitive)?;
    }
    print_rest(out, document.primitives.len(), "primitives", "--primitives", all_primitives)
}

/// Returns how many elements to print from a list.
fn shown(length: usize, all: bool) -> usize {
    if all { length } else { length.min(FIRST) }
}

/// Tells how to see the rest of a list.
fn print_rest(out: &mut Output, length: usize, name: &str, option: &str, all: bool) -> Result<(), Failure> {
    match length.saturating_sub(shown(length, all)) {
        0 => Ok(()),
        rest => out.line(format_args!("{rest} more {name}: {option}")),
    }
}

fn print_summary(out: &mut Output, document: &DrawReportDocument) -> Result<(), Failure> {
    out.line(format_args!("{}", document.text))?;
    let arithmetic = match document.arithmetic {
        ArithmeticName::Hardware => "hardware",
        ArithmeticName::Single => "single",
    };
    let event = &document.event;
    let (number, command) = (event.event, event.command);
    let draw = event.draw.unwrap_or_default();
    out.line(format_args!(
        "event {number}, command {command}, draw {draw} of {}; {arithmetic} arithmetic",
        document.draws
    ))?;
    let (target, scissor) = (&document.state.framebuffer, &document.state.scissor);
    out.line(format_args!(
        "target      {}, {} pixels a row, {}; scissor {},{} to {},{}",
        target.address,
        target.stride,
        target.format.unwrap_or_default(),
        scissor.left,
        scissor.top,
        scissor.right,
        scissor.bottom
    ))?;
    out.line(format_args!("vertices    {}{}", document.vertices.len(), extent(&document.vertices)))?;
    let fates: Vec<String> =
        document.fates.iter().map(|known| format!("{} {}", known.count, known.fate)).collect();
    let fates = if fates.is_empty() { String::new() } else { format!(": {}", fates.join(", ")) };
    out.line(format_args!("primitives  {}{fates}", document.primitives.len()))?;
    for rule in &document.rules {
        out.line(format_args!("rule        {rule}"))?;
    }
    let counts = &document.fragments;
    out.line(format_args!("fragments   {}", fragments_text(counts)))?;
    out.line(format_args!(
        "writes      colour {}, depth {}; {} fragments changed a pixel; {} texels read",
        counts.color_writes, counts.depth_writes, counts.changed, counts.texels
    ))?;
    let overdraw = &document.overdraw;
    if let Some(touched) = &document.touched {
        out.line(format_args!("pixels      {} from {touched}", overdraw.pixels))?;
        match &document.written {
            Some(written) if written == touched => {}
            Some(written) => out.line(format_args!("            written ones from {written}"))?,
            None => out.line(format_args!("            none of them written"))?,
        }
        let (largest, mean) = (overdraw.largest, overdraw.mean.0);
        out.line(format_args!("overdraw    {largest} at the most, {mean:.2} fragments a pixel on average"))?;
    }
    if let Some(time) = &document.time {
        out.line(format_args!(
            "time        {:.1} µs, measured: median of {} runs of the fast engine with one thread (fastest {:.1} µs)",
            time.median_us, time.runs, time.fastest_us
        ))?;
    }
    Ok(())
}

/// Describes how far vertices extend on the screen.
fn extent(vertices: &[VertexStagesInfo]) -> String {
    let Some(first) = vertices.first() else { return String::new() };
    let start = (first.pixel.map(|at| [at.0; 2]), [first.depth; 2]);
    let ([x, y], depth) = vertices.iter().fold(start, |([x, y], depth), vertex| {
        let widened = |[low, high]: [f32; 2], at: f32| [low.min(at), high.max(at)];
        let [column, row] = vertex.pixel;
        ([widened(x, column.0), widened(y, row.0)], [depth[0].min(vertex.depth), depth[1].max(vertex.depth)])
    });
    format!(
        " on the screen from {},{} to {},{}, depth 0x{:04x} to 0x{:04x}",
        x[0], y[0], x[1], y[1], depth[0], depth[1]
    )
}

/// Describes fragments: `28000 covered, 12000 killed by depth, 16000 passed`.
fn fragments_text(counts: &FragmentCounts) -> String {
    let tests = [
        ("the scissor", counts.scissor),
        ("the depth range", counts.depth_range),
        ("alpha", counts.alpha),
        ("colour", counts.color),
        ("stencil", counts.stencil),
        ("depth", counts.depth),
    ];
    let mut text = format!("{} covered", counts.covered);
    for (test, count) in tests.into_iter().filter(|(_, count)| *count > 0) {
        text += &format!(", {count} killed by {test}");
    }
    text + &format!(", {} passed", counts.passed)
}

/// Describes where a vertex is in memory.
fn place(vertex: &SourceVertexInfo) -> String {
    match (vertex.index, vertex.address) {
        (Some(index), Some(address)) => format!(", index {index} at {address}"),
        _ => ", from an earlier draw".to_owned(),
    }
}

fn print_source(out: &mut Output, vertex: &SourceVertexInfo, format: &VertexFormat) -> Result<(), Failure> {
    for (number, frame) in vertex.frames.iter().enumerate() {
        let name = if vertex.frames.len() > 1 { format!("frame {number}") } else { "memory".to_owned() };
        out.line(format_args!("    {name:9} {}", components(frame, format)))?;
    }
    if vertex.frames.first() != Some(&vertex.model) {
        out.line(format_args!("    {:9} {}", "model", components(&vertex.model, format)))?;
    }
    Ok(())
}

/// Lists the components that this vertex format has.
fn components(vertex: &VertexInfo, format: &VertexFormat) -> String {
    let mut text = format!("position {}", numbers(&vertex.position));
    if format.normal != ComponentFormat::NONE {
        text += &format!(", normal {}", numbers(&vertex.normal));
    }
    if format.texcoord != ComponentFormat::NONE {
        text += &format!(", texcoord {}", numbers(&vertex.texcoord));
    }
    if format.color != ColorFormat::NONE {
        text += &format!(", colour {}", color(&vertex.color));
    }
    let weights = vertex.weights.get(..usize::from(format.weights)).unwrap_or_default();
    if format.weight != ComponentFormat::NONE {
        text += &format!(", weights {}", numbers(weights));
    }
    text
}

fn print_vertex(out: &mut Output, vertex: &VertexStagesInfo) -> Result<(), Failure> {
    let mut row = |name: &str, text: String| out.line(format_args!("    {name:9} {text}"));
    if let (Some(world), Some(view), Some(clip)) = (&vertex.world, &vertex.view, &vertex.clip) {
        row("world", numbers(world))?;
        row("view", numbers(view))?;
        row("clip", numbers(clip))?;
    }
    let ([column, row_of], [x, y]) = (vertex.pixel, vertex.grid);
    row(
        "screen",
        format!("{},{} ({x},{y} in 1/16 pixel), depth 0x{:04x}", column.0, row_of.0, vertex.depth),
    )?;
    row(
        "colour",
        format!("{}, secondary {}, fog {}", color(&vertex.color), color(&vertex.secondary), vertex.fog.0),
    )?;
    row("texture", format!("{}, 1/w {}", numbers(&vertex.texture), vertex.reciprocal_w.0))?;
    if !vertex.outcode.is_empty() {
        row("outside", vertex.outcode.iter().map(outcode_name).collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}

const fn outcode_name(name: &OutcodeName) -> &'static str {
    match name {
        OutcodeName::Left => "left",
        OutcodeName::Right => "right",
        OutcodeName::Top => "top",
        OutcodeName::Bottom => "bottom",
        OutcodeName::Near => "near plane",
        OutcodeName::Far => "far plane",
        OutcodeName::WNotPositive => "w not positive",
        OutcodeName::OutsideScreen => "screen space",
        OutcodeName::OutsideDepth => "depth",
    }
}

fn print_primitive(out: &mut Output, primitive: &PrimitiveInfo) -> Result<(), Failure> {
    let vertices: Vec<String> = primitive.vertices.iter().map(ToString::to_string).collect();
    out.line(format_args!(
        "primitive {} (vertices {}) {}",
        primitive.number,
        vertices.join(" "),
        primitive.reason
    ))
}

/// Writes numbers with blanks between them.
fn numbers(numbers: &[Float]) -> String {
    numbers.iter().map(|number| number.0.to_string()).collect::<Vec<_>>().join(" ")
}

/// Writes a colour in hexadecimal.
fn color(channels: &[u8]) -> String {
    channels.iter().fold("#".to_owned(), |text, channel| text + &format!("{channel:02x}"))
}
