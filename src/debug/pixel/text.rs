//! Formats a pixel's history as text for people.

use std::fmt;

use super::history::{HistoryEntry, PixelHistory, wrote};
use super::verdict::{blend_text, color_text, shape_name, test_text};
use crate::raster::WatchedFragment;
use crate::raster::coverage::{TALL_TRIANGLES, is_tall};
use crate::raster::fragment_record::{
    FragmentRecord, PixelValue, StaleTexel, TestName, TexelRecord, TextureRecord,
};

impl fmt::Display for PixelHistory {
    /// Formats the pixel, each entry with all its steps, and the verdict last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, position: [x, y], address, first, last, .. } = self;
        writeln!(f, "pixel {x},{y} at {address}, in the buffer at {target}")?;
        writeln!(f, "{} before the first event", self.color_text(*first))?;
        for entry in self.shown_entries() {
            writeln!(f)?;
            self.write_entry(f, entry)?;
        }
        writeln!(f)?;
        writeln!(f, "{} after the last event", self.color_text(*last))?;
        write!(f, "verdict: {}", self.verdict())
    }
}

impl PixelHistory {
    fn write_entry(&self, f: &mut fmt::Formatter<'_>, entry: &HistoryEntry) -> fmt::Result {
        writeln!(f, "{}", entry.event)?;
        if entry.fragments().is_empty() {
            return writeln!(f, "  {}", self.verdict_of(entry));
        }
        // A primitive has a fragment for each pixel, so several at these bytes are pixels in a buffer with another
        // format or row length. A single fragment stands for all.
        for fragments in entry.fragments().chunk_by(|a, b| a.number == b.number) {
            let Some(fragment) = fragments.iter().rfind(|fragment| wrote(fragment)).or(fragments.last())
            else {
                continue;
            };
            let (shape, number) = (shape_name(&fragment.primitive), fragment.number);
            let at: Vec<[u32; 2]> = fragments.iter().map(|fragment| fragment.record.position).collect();
            let place = if at == [self.position] {
                String::new()
            } else {
                format!(", {} of its buffer", pixels_text(&at))
            };
            writeln!(f, "  {shape} {number}{place}: {}", self.verdict_of_fragment(fragment))?;
            if is_tall(&fragment.primitive) {
                write_step(f, "rule", format_args!("a tall triangle: {TALL_TRIANGLES}"))?;
            }
            for rule in &entry.rules {
                write_step(f, "rule", rule)?;
            }
            write_steps(f, fragment)?;
        }
        Ok(())
    }
}

/// Names pixels: `pixel 4,5`, or `pixels 4,5 and 5,5`.
fn pixels_text(pixels: &[[u32; 2]]) -> String {
    let names: Vec<String> = pixels.iter().map(|[x, y]| format!("{x},{y}")).collect();
    format!("pixel{} {}", if names.len() == 1 { "" } else { "s" }, names.join(" and "))
}

/// Writes a step: its name, indented, and its text.
fn write_step(f: &mut fmt::Formatter<'_>, name: &str, text: impl fmt::Display) -> fmt::Result {
    writeln!(f, "    {name:<11} {text}")
}

/// Writes a fragment's steps in order.
fn write_steps(f: &mut fmt::Formatter<'_>, fragment: &WatchedFragment) -> fmt::Result {
    let record = &fragment.record;
    let is_outside = record.failed_test().is_some_and(|test| test.test == TestName::Scissor);
    if is_outside {
        return Ok(());
    }
    write_step(f, "before", pixel_text(&record.before))?;
    write_step(f, "vertex", interpolated_text(record))?;
    if let Some(texture) = &record.texture {
        write_texture(f, texture)?;
    }
    if let Some(step) = &record.texture_function {
        let alpha = if step.use_alpha { " with alpha" } else { "" };
        let double = if step.double { ", doubled" } else { "" };
        let [primary, texel, result] = [step.primary, step.texel, step.result].map(color_text);
        let text = format!("{}{alpha}{double}: {primary} and texel {texel} give {result}", step.function);
        write_step(f, "function", text)?;
    }
    if let Some(step) = &record.secondary {
        let text = format!("plus {} gives {}", rgb_text(step.added), color_text(step.result));
        write_step(f, "secondary", text)?;
    }
    if let Some(step) = &record.fog {
        let (fog, result) = (rgb_text(step.fog_color), rgb_text(step.result));
        write_step(f, "fog", format!("{}/255 of the colour, the rest of {fog}: {result}", step.coefficient))?;
    }
    for test in record.tests.iter().filter(|test| test.test != TestName::Scissor) {
        let result = if test.passed { "passes" } else { "fails" };
        write_step(f, "test", format!("{} {result}", test_text(test)))?;
    }
    if let Some(step) = &record.stencil {
        let text = format!("{} changes 0x{:02x} to 0x{:02x}", step.operation, step.before, step.after);
        write_step(f, "stencil", text)?;
    }
    write_blend(f, record)?;
    if let Some(step) = &record.dither {
        write_step(f, "dither", format!("{:+} gives {}", step.offset, rgb_text(step.result)))?;
    }
    if let Some(step) = &record.logic {
        let [source, destination, result] = [step.source, step.destination, step.result].map(rgb_text);
        write_step(f, "logic", format!("{} of {source} and {destination} gives {result}", step.operation))?;
    }
    // If a fragment fails a test, it can store only the stencil, whatever the masks are.
    let write = record.color_write.filter(|_| record.passed);
    if let Some(write) = write.filter(|write| write.protected != [0; 4]) {
        write_step(f, "masks", format!("the bits {} stay", color_text(write.protected)))?;
    }
    if record.after == record.before {
        return Ok(());
    }
    write_step(f, "after", pixel_text(&record.after))
}

fn write_blend(f: &mut fmt::Formatter<'_>, record: &FragmentRecord) -> fmt::Result {
    let Some(step) = &record.blend else { return Ok(()) };
    let [source, destination] = [step.source, step.destination].map(color_text);
    let [[a, b, c], [d, e, f_]] = [step.source_values, step.destination_values];
    let [red, green, blue] = step.result;
    let text = format!(
        "{}: {source} × ({a} {b} {c}) and {destination} × ({d} {e} {f_}) give {red} {green} {blue}",
        blend_text(step)
    );
    write_step(f, "blend", text)
}

fn write_texture(f: &mut fmt::Formatter<'_>, texture: &TextureRecord) -> fmt::Result {
    let [s, t] = texture.coordinates.map(|number| number.unwrap_or(f64::NAN));
    let lod = &texture.lod;
    let detail = f64::from(lod.computed.saturating_add(lod.bias)) / 16.0;
    let detail = if detail < -64.0 { "the largest".to_owned() } else { format!("{detail:.2}") };
    write_step(f, "texture", format!("s {s:.6}, t {t:.6}, level of detail {detail}"))?;
    for (index, level) in texture.levels.iter().enumerate() {
        let weight = match (index, texture.levels.len()) {
            (_, 1) => String::new(),
            (0, _) => format!(", {}/16", 16_u8.saturating_sub(lod.fraction)),
            _ => format!(", {}/16", lod.fraction),
        };
        let [u, v] = level.position.map(sixteenths_text);
        let text = format!("level {}{weight} at {u},{v}: {}", level.level, color_text(level.color));
        write_step(f, "texel", text)?;
        for texel in level.texels.iter().filter(|texel| texel.weight > 0 && level.texels.len() > 1) {
            let ([u, v], weight) = (texel.position, texel.weight);
            let color = color_text(texel.color);
            let stale = stale_text(texel);
            write_step(f, "", format!("{weight}/256 of {color}, texel {u},{v} at {}{stale}", texel.address))?;
        }
        if let [texel] = level.texels[..] {
            let [u, v] = texel.position;
            let entry = texel.palette_entry.map(|entry| format!(", palette entry {entry}"));
            let stale = stale_text(&texel);
            let text = format!("texel {u},{v} at {}{}{stale}", texel.address, entry.unwrap_or_default());
            write_step(f, "", text)?;
        }
    }
    Ok(())
}

/// Returns where a texel came from, if memory no longer has it or if it belongs to another texture.
fn stale_text(texel: &TexelRecord) -> String {
    let text = |StaleTexel { texture, address, draw }: StaleTexel| {
        let place = if address == texel.address { String::new() } else { format!(" ({address})") };
        format!(
            ", a texel of the texture at {texture}{place}, cached since draw {draw} or before: TEXFLUSH is missing"
        )
    };
    texel.stale.map(text).unwrap_or_default()
}

#[expect(clippy::cast_precision_loss, reason = "positions beyond 2^53 are far outside of every texture")]
fn sixteenths_text(position: i64) -> String {
    format!("{:.4}", position as f64 / 16.0).trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns a fragment's interpolated values. If a value was clamped, this also shows it as it was before.
fn interpolated_text(record: &FragmentRecord) -> String {
    let values = &record.interpolated;
    let color = color_text(values.color.map(|channel| channel.value.to_le_bytes()[0]));
    let mut text = format!("colour {color}, depth 0x{:04x}", values.depth.value);
    let clamped = values.color.iter().any(|channel| channel.unclamped != i64::from(channel.value));
    if clamped {
        let [red, green, blue, alpha] = values.color.map(|channel| channel.unclamped);
        text += &format!(", clamped from {red} {green} {blue} {alpha}");
    }
    if values.depth.unclamped != i64::from(values.depth.value) {
        text += &format!(", depth clamped from {}", values.depth.unclamped);
    }
    if let Some(alpha) = record.line_alpha {
        text += &format!(", antialiased alpha 0x{alpha:02x}");
    }
    text
}

fn pixel_text(value: &PixelValue) -> String {
    let PixelValue { color, stencil, depth, .. } = value;
    format!("colour {}, stencil 0x{stencil:02x}, depth 0x{depth:04x}", rgb_text(*color))
}

fn rgb_text([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
