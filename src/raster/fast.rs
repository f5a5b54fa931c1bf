//! The fast rasterizer: the reference's pixels, many at a time.
//!
//! A draw's registers are looked up once ([`state`]). Draws into the same surfaces form a [`group`], whose rows are cut
//! into bands, one thread for each at a time. In a band ([`fill`]) primitives become fragments, up to 128 in a batch of
//! arrays ([`batch`]), and each stage handles several at a time in vectors ([`words`]), compiled for several instruction
//! sets: [`values`] interpolates, [`coordinates`] and [`texel`] sample, [`pixel`] does the rest, which is [`shade`],
//! [`stencil`], [`blend`] and [`stored`]. Textures that are looked at often are decoded once ([`image`]). Depth is taken out of VRAM's permuted order ([`depth`]) until somebody else
//! looks at VRAM.
//!
//! # Invariants
//! Every byte is what [`super::reference`] leaves, however rows are cut. Whatever the arrays cannot do in its order goes
//! to the reference: textures that overlap what is drawn, surfaces that overlap one another or run over the end of
//! VRAM.

use std::ops::Range;

use super::reference;
use super::threads::Threads;
use crate::ge::address::{Address, Region, VRAM_SIZE, VramView};
use crate::ge::arithmetic::simd::{Instructions, Simd, dispatch};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;

mod bands;
mod batch;
mod blend;
mod coordinates;
mod depth;
mod draw_call;
mod fill;
mod group;
mod image;
mod pass_extent;
mod pipeline_state;
mod pixel;
mod shade;
mod source;
mod span;
mod state;
mod stencil;
mod stored;
mod target;
mod texel;
mod texel_memory;
mod values;
mod words;

use bands::{Band, bands};
pub(super) use depth::Out;
use depth::Stage;
pub(super) use draw_call::Job;
use fill::{Drawing, Work};
use group::Group;
use image::{Images, Places};
pub(super) use pass_extent::overlap;
pub(super) use pipeline_state::Prepared;
use source::Tables;
use target::Target;
use texel_memory::Bytes;

/// What is kept from draw to draw.
#[derive(Debug, Default)]
pub(super) struct Fast {
    instructions: Instructions,
    /// Rows of a band; 0 where the number of threads decides.
    band_rows: u32,
    stage: Stage,
    tables: Tables,
    images: Images,
    /// Where the images of a group's draws are.
    places: Vec<Places>,
    work: Vec<Box<Work>>,
}

impl Clone for Fast {
    /// Working memory holds nothing that outlives a draw.
    fn clone(&self) -> Self {
        Self { stage: self.stage.clone(), ..Self::new(self.instructions, self.band_rows) }
    }
}

impl Fast {
    /// Draws with the given instructions, in bands of so many rows.
    pub(super) fn new(instructions: Instructions, band_rows: u32) -> Self {
        Self { instructions, band_rows, ..Self::default() }
    }

    /// Looks up the registers of a draw; `None` where the scissor leaves nothing of it.
    pub(super) fn prepare(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        through: bool,
    ) -> Option<Box<Prepared>> {
        let prepared = Prepared::new(memory, registers, through, &mut self.tables)?;
        if prepared.has_copies() && !self.stage.vram().is_empty() {
            self.settle(memory);
            return Prepared::new(memory, registers, through, &mut self.tables);
        }
        Some(prepared)
    }

    /// Draws the primitives of draws, one draw after the other. Returns how many pixels passed all tests.
    pub(super) fn draw<'j>(
        &mut self,
        memory: &mut Memory,
        threads: &Threads,
        jobs: impl Iterator<Item = Job<'j>>,
    ) -> u64 {
        let mut passed = 0;
        let mut group = Group::default();
        for job in jobs {
            if job.prepared.is_tangled() {
                passed += self.finish(memory, threads, &mut group);
                self.settle(memory);
                let pixels = |primitive| reference::draw_primitive(memory, job.registers, primitive);
                passed += job.primitives.iter().map(pixels).sum::<u64>();
            } else if !group.push(job, memory.translation()) {
                passed += self.finish(memory, threads, &mut group);
                group.push(job, memory.translation());
            }
        }
        passed + self.finish(memory, threads, &mut group)
    }

    /// Fills everything in a group and empties it.
    fn finish(&mut self, memory: &mut Memory, threads: &Threads, group: &mut Group<'_>) -> u64 {
        let translation = memory.translation();
        let Some(footprint) = group.footprint() else { return 0 };
        let surfaces = footprint.surfaces(translation);
        let out = self.stage.vram();
        if overlap(&out, &surfaces.color) || group.reads().any(|read| overlap(&out, &read)) {
            self.settle(memory);
        }
        self.images.make_room();
        let mut wanted = Vec::new();
        self.places.clear();
        self.places.extend(group.draws().iter().map(|draw| match &draw.prepared.source {
            Some(source) => self.images.find(memory, source, draw.pixels, &mut wanted),
            None => Places::default(),
        }));
        let (ram, vram) = memory.ram_and_vram_mut([surfaces.color.clone(), surfaces.depth.clone(), out]);
        let depth = match &footprint.depth {
            Some(depth) => self.stage.load(vram, depth, translation, &footprint.rows, footprint.right),
            None => &mut [],
        };
        let Some((low, color, high)) = split(vram, &surfaces.color) else { return 0 };
        let bytes = Bytes { ram, low, high: (high, surfaces.color.end) };
        self.images.decode(threads, bytes, &mut wanted);
        let target = Target {
            color,
            color_stride: footprint.color.stride as usize,
            format: footprint.color.format,
            depth,
            depth_stride: footprint.depth.map_or(0, |depth| depth.stride as usize),
            first: footprint.rows.start,
            end: footprint.rows.end,
        };
        let height = if footprint.can_be_cut() {
            bands::height(footprint.rows.len(), self.band_rows, threads.count())
        } else {
            footprint.rows.len()
        };
        let mut bands = bands(target, height, &mut self.work);
        let (draws, places, images, instructions) =
            (group.draws(), &self.places, &self.images, self.instructions);
        threads.for_each(&mut bands, |band| {
            let draws = draws.iter().zip(places);
            band.passed = dispatch!(instructions, simd => fill_band(simd, band, draws, images, bytes));
        });
        let passed = bands.iter().map(|band| band.passed).sum();
        group.clear();
        passed
    }

    /// Makes VRAM show everything drawn.
    pub(super) fn settle(&mut self, memory: &mut Memory) {
        let (_, vram) = memory.ram_and_vram_mut([self.stage.vram()]);
        self.stage.settle(vram);
    }

    /// Makes some bytes of VRAM show everything drawn.
    pub(super) fn settle_bytes(&mut self, memory: &mut Memory, bytes: &Range<usize>) {
        if overlap(bytes, &self.stage.vram()) {
            self.settle(memory);
        }
    }
}

/// The bytes of linear VRAM that some addresses may mean; `None` where they mean none.
pub(super) fn vram_bytes(start: Address, length: u32) -> Option<Range<usize>> {
    let all = 0..VRAM_SIZE as usize;
    match start.region() {
        Region::Vram(VramView::Linear, offset) => {
            let bytes = offset as usize..offset as usize + length as usize;
            // What follows the linear view is another view of the same bytes.
            Some(if bytes.end > all.end { all } else { bytes })
        }
        _ if start.is_vram() || start.offset(length).is_vram() => Some(all),
        _ => None,
    }
}

/// Fills the part of draws that lies in a band.
#[inline(always)]
fn fill_band<'a, S: Simd>(
    simd: S,
    band: &mut Band<'_>,
    draws: impl Iterator<Item = (&'a Job<'a>, &'a Places)>,
    images: &Images,
    bytes: Bytes<'_>,
) -> u64 {
    let Band { target, work, .. } = band;
    let fill = |(draw, places): (&Job<'_>, &Places)| {
        let images = images.levels(places);
        Drawing::new(*draw, bytes, &images, work).primitives(simd, target)
    };
    draws.map(fill).sum()
}

/// What lies in front of a range, the range, and what lies behind it.
fn split<'a>(vram: &'a mut [u8], range: &Range<usize>) -> Option<(&'a [u8], &'a mut [u8], &'a [u8])> {
    let (low, rest) = vram.split_at_mut_checked(range.start)?;
    let (middle, high) = rest.split_at_mut_checked(range.end - range.start)?;
    Some((low, middle, high))
}
