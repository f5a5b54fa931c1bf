//! Overdraw tells how many fragments have written each pixel in VRAM.

use super::fragment_record::FragmentRecord;
use super::recorder::Recorder;
use crate::ge::address::VRAM_SIZE;
use crate::ge::color;
use crate::ge::registers::Registers;
use crate::pipeline::framebuffer::ColorSurface;
use crate::raster::rules::pixel;
use crate::raster::rules::region::RegionTranslation;

/// Counts the fragments that have written colours in VRAM.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct OverdrawMap {
    /// A number for each half-word in linear VRAM, because the smallest pixel is this size.
    counts: Vec<u32>,
}

impl Default for OverdrawMap {
    fn default() -> Self {
        Self { counts: vec![0; (VRAM_SIZE / 2) as usize] }
    }
}

impl OverdrawMap {
    /// Returns how many fragments wrote any of a pixel's bytes.
    #[must_use]
    pub fn at(&self, surface: &ColorSurface, [x, y]: [u32; 2]) -> u32 {
        let first = (surface.offset(x, y) / 2) as usize;
        let words = (color::bytes(surface.format) / 2) as usize;
        self.counts.iter().skip(first).take(words).copied().max().unwrap_or(0)
    }

    fn add(&mut self, surface: &ColorSurface, [x, y]: [u32; 2]) {
        let first = (surface.offset(x, y) / 2) as usize;
        let words = (color::bytes(surface.format) / 2) as usize;
        for count in self.counts.iter_mut().skip(first).take(words) {
            *count = count.saturating_add(1);
        }
    }
}

/// Counts a draw's fragments that write colours.
pub(crate) struct OverdrawRecorder<'a> {
    map: &'a mut OverdrawMap,
    surface: ColorSurface,
    region: RegionTranslation,
    writes_color: bool,
    selected: [u32; 2],
}

impl<'a> OverdrawRecorder<'a> {
    /// Creates a recorder for draws with these registers.
    pub(crate) fn new(map: &'a mut OverdrawMap, registers: &Registers) -> Self {
        Self {
            map,
            surface: ColorSurface::from_registers(registers),
            region: RegionTranslation::from_registers(registers),
            writes_color: pixel::protected_bits(registers) != [255; 4],
            selected: [0; 2],
        }
    }
}

impl Recorder for OverdrawRecorder<'_> {
    fn select(&mut self, x: u32, y: u32) {
        self.selected = [x, y];
    }

    fn record(&mut self, _: impl FnOnce(&mut FragmentRecord)) {}

    fn finish(&mut self, passed: bool) {
        if passed && self.writes_color {
            let [x, y] = self.selected;
            self.map.add(&self.surface, self.region.apply(x, y));
        }
    }
}
