//! Writes a model's decoded geometry as text for a person to review: for each draw counts, bounds, the first vertices
//! and a sample from the primitives.
//!
//! Numbers are rounded to four decimals, to be readable. To notice changes outside the sample, too, each draw has a
//! digest over every bit in all its vertices and primitives.

use std::fmt::Write as _;

use pspge::model::Model;
use pspge::pipeline::bounds::Bounds;
use pspge::run::decode::{DecodedDraw, DecodedVertex};
use pspge::scene::render::geometry;

/// How many vertices to show per draw.
const SHOWN_VERTICES: usize = 3;

/// Describes a model's geometry at rest.
///
/// # Panics
/// If a draw belongs to no part.
#[must_use]
pub fn describe(model: &Model) -> String {
    let decoded = geometry(model);
    let draws = decoded.draws();
    let sum = |count: fn(&DecodedDraw) -> usize| draws.iter().map(count).sum::<usize>();
    let mut text = format!(
        "{} draws: {} vertices, {} triangles, {} lines, {} points\nbounds {}\n",
        draws.len(),
        sum(|draw| draw.vertices.len()),
        sum(|draw| draw.triangles.len()),
        sum(|draw| draw.pairs.len()),
        sum(|draw| draw.points.len()),
        bounds_text(decoded.bounds()),
    );
    for draw in draws {
        text.push('\n');
        text += &describe_draw(draw, model);
    }
    text
}

fn describe_draw(draw: &DecodedDraw, model: &Model) -> String {
    let part = model.part_at(draw.at).expect("every draw belongs to a part");
    let mut text = format!(
        "draw {}: {}, mesh {}, group {}, material {}, {}\n",
        draw.number,
        draw.primitive,
        part.mesh,
        part.group,
        part.material,
        part.texture.map_or_else(|| "no texture".to_owned(), |texture| format!("texture {texture}")),
    );
    let mut line = |name: &str, content: &str| {
        let _ = writeln!(text, "  {name:<10} {content}");
    };
    let lists =
        [(draw.triangles.len(), "triangles"), (draw.pairs.len(), "lines"), (draw.points.len(), "points")];
    let counts =
        lists.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!(", {count} {name}"));
    line("counts", &format!("{} vertices{}", draw.vertices.len(), counts.collect::<String>()));
    line("bounds", &bounds_text(Bounds::of(draw.vertices.iter().map(|vertex| vertex.position))));
    let weights = draw.vertex_type.weights();
    if weights > 0 {
        let bone = |bone: &Option<u32>| bone.map_or_else(|| "none".to_owned(), |bone| bone.to_string());
        line("bones", &part.palette[..weights].iter().map(bone).collect::<Vec<_>>().join(" "));
    }
    for (index, vertex) in draw.vertices.iter().enumerate().take(SHOWN_VERTICES) {
        line(&format!("vertex {index}"), &vertex_text(vertex, draw));
    }
    for (name, primitives) in [
        ("triangles", sample(&draw.triangles)),
        ("lines", sample(&draw.pairs)),
        ("points", sample(&draw.points.iter().map(|point| [*point]).collect::<Vec<_>>())),
    ] {
        if let Some(primitives) = primitives {
            line(name, &primitives);
        }
    }
    line("digest", &format!("{:016x}", digest(draw)));
    text
}

/// Formats a vertex's position, and the other components in the draw's vertex type.
fn vertex_text(vertex: &DecodedVertex, draw: &DecodedDraw) -> String {
    let mut text = format!("at {}", numbers(&vertex.position));
    if draw.has_normals() {
        text += &format!(", normal {}", numbers(&vertex.normal));
    }
    if draw.has_texcoords() {
        text += &format!(", uv {}", numbers(&vertex.texcoord));
    }
    if draw.has_colors() {
        let [red, green, blue, alpha] = vertex.color;
        text += &format!(", color #{red:02x}{green:02x}{blue:02x}{alpha:02x}");
    }
    let weights = draw.vertex_type.weights();
    if weights > 0 {
        text += &format!(", weights {}", numbers(&vertex.weights[..weights]));
    }
    text
}

/// Returns the first three, the middle and the last primitive as vertex numbers; `None` if the list is empty.
fn sample<const N: usize>(primitives: &[[u32; N]]) -> Option<String> {
    let last = primitives.len().checked_sub(1)?;
    let mut shown = vec![0, 1, 2, primitives.len() / 2, last];
    shown.retain(|index| *index <= last);
    shown.sort_unstable();
    shown.dedup();
    let mut text = String::new();
    let mut next = 0;
    for index in shown {
        if index > 0 {
            text += if index > next { " … " } else { " " };
        }
        text += &primitives[index].map(|vertex| vertex.to_string()).join("-");
        next = index + 1;
    }
    Some(text)
}

fn bounds_text(bounds: Option<Bounds>) -> String {
    bounds.map_or_else(
        || "none".to_owned(),
        |bounds| {
            let axis = |(name, axis): (&str, usize)| {
                format!("{name} {} to {}", number(bounds.min[axis]), number(bounds.max[axis]))
            };
            [("x", 0), ("y", 1), ("z", 2)].map(axis).join(", ")
        },
    )
}

fn numbers(values: &[f32]) -> String {
    values.iter().map(|value| number(*value)).collect::<Vec<_>>().join(" ")
}

/// Rounds a number to four decimals, without trailing zeros and without a negative zero, to keep the text stable.
fn number(value: f32) -> String {
    let text = format!("{value:.4}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Computes FNV-1a over words: all components for all vertices, then the vertex numbers for all primitives.
fn digest(draw: &DecodedDraw) -> u64 {
    let mix = |hash: u64, bits: u32| (hash ^ u64::from(bits)).wrapping_mul(0x0000_0100_0000_01B3);
    let mut hash = 0xCBF2_9CE4_8422_2325;
    for vertex in &draw.vertices {
        let components =
            vertex.position.iter().chain(&vertex.normal).chain(&vertex.texcoord).chain(&vertex.weights);
        hash = components.fold(hash, |hash, value| mix(hash, value.to_bits()));
        hash = mix(hash, u32::from_le_bytes(vertex.color));
    }
    let lists = [draw.triangles.as_flattened(), draw.pairs.as_flattened(), &draw.points];
    lists.into_iter().flatten().fold(hash, |hash, vertex| mix(hash, *vertex))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_numbers() {
        let values = [1.5, -0.000_01, 130.996_54, -0.25, 100.0, f32::NAN, f32::INFINITY];
        assert_eq!(numbers(&values), "1.5 0 130.9965 -0.25 100 NaN inf", "at most four decimals");
    }

    #[test]
    fn samples_first_middle_and_last_primitives() {
        let triangles: Vec<[u32; 3]> = (0..9).map(|first| [first, first + 1, first + 2]).collect();
        let text = sample(&triangles).expect("not empty");
        assert_eq!(text, "0-1-2 1-2-3 2-3-4 … 4-5-6 … 8-9-10", "nine triangles");
        assert_eq!(sample(&triangles[..2]).as_deref(), Some("0-1-2 1-2-3"), "two triangles");
        assert_eq!(sample::<1>(&[]), None, "an empty list");
    }
}
