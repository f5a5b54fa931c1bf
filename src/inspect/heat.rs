//! Heat maps show how much work each pixel in a colour buffer took.

use std::ops::{ControlFlow, Range};

use crate::debug::pixel::target::PixelTarget;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::limits::Limit;
use crate::ge::memory::Memory;
use crate::ge::never::OrNever;
use crate::ge::registers::Registers;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::framebuffer::{COORDINATES, ColorSurface};
use crate::raster::Rasterizer;
use crate::run::sink::{Sink, Step};
use crate::run::watch::RunEventKind;

use super::answer::HeatAnswer;
use super::draw_pixels::DrawPixels;
use super::error::InspectError;
use super::pictures;
use super::request::{BufferName, HeatKind, Moment};
use super::run::{Run, event_at};

/// How much a plain fragment costs in the map.
const COST_UNIT: u64 = 1000;

/// Returns a value for each pixel in a buffer, 32 bits each, with the largest value and their sum.
///
/// # Errors
/// Fails if the run has no such event, if the buffer is too large, or if it is not in VRAM.
pub(super) fn heat(
    run: &Run,
    kind: HeatKind,
    at: Moment,
    buffer: BufferName,
) -> Result<(HeatAnswer, Vec<u8>), InspectError> {
    let BufferName { address, stride, format, width, height } = buffer;
    if width > COORDINATES || height > COORDINATES {
        let message = format!("a colour buffer has at most {COORDINATES} columns and rows");
        return Err(InspectError::inapplicable(message));
    }
    let surface = PixelTarget { address, stride, format }
        .surface()
        .ok_or_else(|| InspectError::inapplicable("a colour buffer is in VRAM, from 0x04000000 on"))?;
    let until = {
        let session = run.at(at)?;
        Some(event_at(at, &session)).filter(|event| *event < session.end())
    };
    let command = until.and_then(|event| run.dependencies().timeline.get(event)).map(|event| event.command);
    // The map must cover the same commands as the session, so time does not limit this run.
    let mut shot = run.shot.clone().with_limits(run.shot.limits.without(Limit::Time));
    let mut stop = |_: &Memory, step: &Step<'_>| match command {
        Some(command) if step.number >= command => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let (mut raster, size) = (shot.rasterizer(), [width, height]);
    let (largest, total, bytes) = match kind {
        HeatKind::Overdraw => {
            raster.count_overdraw();
            shot.run_here(&mut raster, &mut stop);
            let map = raster.take_overdraw().or_never("the rasterizer counts");
            pictures::of_map(size, |x, y| map.at(&surface, [x, y]))
        }
        HeatKind::Cost => {
            let costs = vec![0_u64; width as usize * height as usize];
            let mut sink = CostSink { raster, arithmetic: shot.arithmetic(), surface, size, costs };
            shot.run_here(&mut sink, &mut stop);
            let value = |x: u32, y: u32| {
                let cost = sink.costs.get(y as usize * width as usize + x as usize);
                u32::try_from(cost.copied().unwrap_or(0)).unwrap_or(u32::MAX)
            };
            pictures::of_map(size, value)
        }
    };
    Ok((HeatAnswer { width, height, largest, total }, bytes))
}

/// Draws, and spreads each draw's cost evenly over its pixels. Only a whole draw's cost is known, so a finer map is
/// not possible.
struct CostSink {
    raster: Rasterizer,
    arithmetic: Arithmetic,
    surface: ColorSurface,
    size: [u32; 2],
    /// The cost at each pixel in the buffer, row by row.
    costs: Vec<u64>,
}

impl CostSink {
    fn add(&mut self, (fragments, runs): (u64, Vec<(u32, Range<u32>)>), draw: impl FnOnce(&mut Rasterizer)) {
        let before = self.raster.cost();
        draw(&mut self.raster);
        let cost = self.raster.cost().saturating_sub(before);
        let each = cost.saturating_mul(COST_UNIT).checked_div(fragments).unwrap_or(0);
        let [width, height] = self.size;
        for (row, columns) in runs.into_iter().filter(|(row, _)| *row < height) {
            for column in columns.start..columns.end.min(width) {
                if let Some(sum) = self.costs.get_mut(row as usize * width as usize + column as usize) {
                    *sum = sum.saturating_add(each);
                }
            }
        }
    }

    /// Returns the fragments under a draw to the buffer, and the runs of columns with their rows.
    fn pixels(&self, memory: &Memory, draw: RunEventKind<'_>) -> (u64, Vec<(u32, Range<u32>)>) {
        let registers = draw.draw_registers();
        let is_drawn = |registers: &&Registers| ColorSurface::from_registers(registers) == self.surface;
        let Some(registers) = registers.filter(is_drawn) else { return (0, Vec::new()) };
        let (mut pixels, mut runs) = (DrawPixels::new(registers), Vec::new());
        draw.to_screen(memory, self.arithmetic, &mut |primitive| {
            pixels.add(primitive, |row, columns| runs.push((row, columns)));
        });
        (pixels.fragments, runs)
    }
}

impl Sink for CostSink {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let pixels = self.pixels(memory, RunEventKind::Draw(draw));
        let draw = Draw { can_wait: false, ..*draw };
        self.add(pixels, |raster| raster.draw(memory, &draw));
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        let pixels = self.pixels(memory, RunEventKind::Immediate(draw));
        self.add(pixels, |raster| raster.draw_immediate(memory, draw));
    }

    crate::run::sink::forward_flushes!(raster);
    crate::run::sink::forward_limits!(raster);
}
