//! Gets a primitive's texels: from a pixel to texture coordinates, to the level of detail, to the sample.

use super::lod::{LodSelection, LodSelector};
use super::lod_spans::LodSpans;
use super::sampler::Sampler;
use super::single;
use super::single::perspective_w::PerspectiveW;
use super::texcoords::Texcoords;
use super::texel_fetch::TexelFetch;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::registers::Registers;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::pipeline::texture::Texture;
use crate::raster::fragments::fragment_record::{LodRecord, TextureRecord};
use crate::raster::fragments::recorder::Recorder;

/// Provides the texels for a primitive.
#[derive(Clone, Debug)]
pub(crate) struct TexelSource<'a> {
    sampler: Sampler<'a>,
    lod: LodSelector,
    coordinates: Coordinates,
}

/// A primitive's texture coordinates, by the rules of its arithmetic.
#[derive(Clone, Debug)]
enum Coordinates {
    /// The hardware's. Triangles take q once per span.
    Hardware(Texcoords, Option<LodSpans>),
    /// Those of emulators.
    Single(single::texcoords::Texcoords, PerspectiveW),
}

impl<'a> TexelSource<'a> {
    /// Sets up texture coordinates and texture. Returns `None` for a triangle without area.
    pub(crate) fn new(registers: &'a Registers, primitive: &ScreenPrimitive) -> Option<Self> {
        let sampler = Sampler::new(registers, primitive.through, primitive.arithmetic);
        Self::with_sampler(sampler, LodSelector::from_registers(registers), primitive)
    }

    /// Sets up texture coordinates. Returns `None` for a triangle without area.
    pub(crate) fn with_sampler(
        sampler: Sampler<'a>,
        lod: LodSelector,
        primitive: &ScreenPrimitive,
    ) -> Option<Self> {
        let shape = &primitive.shape;
        let coordinates = match primitive.arithmetic {
            Arithmetic::Hardware => Coordinates::Hardware(Texcoords::new(shape)?, LodSpans::new(shape)),
            Arithmetic::Single => {
                Coordinates::Single(single::texcoords::Texcoords::new(shape)?, PerspectiveW::new(shape))
            }
        };
        Some(Self { sampler, lod, coordinates })
    }

    /// Samples the texel at a pixel.
    pub(crate) fn at(
        &self,
        source: &mut impl TexelFetch,
        x: u32,
        y: u32,
        recorder: &mut impl Recorder,
    ) -> [u8; 4] {
        let (at, lod) = self.coordinates_at(x, y);
        let selection = self.lod.select_lod(lod);
        recorder.record(|record| {
            let LodSelection { level, fraction, linear } = selection;
            record.texture = Some(TextureRecord {
                coordinates: at.map(|coordinate| Some(coordinate).filter(|number| number.is_finite())),
                lod: LodRecord { computed: lod, bias: self.lod.bias(), level, fraction, linear },
                ..TextureRecord::default()
            });
        });
        let color = self.sampler.sample(source, at, selection, recorder);
        recorder.record(|record| record.texture.iter_mut().for_each(|texture| texture.color = color));
        color
    }

    /// Passes the texels that a pixel samples to `visit`, with their levels, in the order they are fetched.
    pub(crate) fn visit(&self, x: u32, y: u32, visit: &mut impl FnMut(u8, &Texture, [u32; 2])) {
        let (at, lod) = self.coordinates_at(x, y);
        self.sampler.visit(at, self.lod.select_lod(lod), visit);
    }

    /// Returns s and t at a pixel, divided by q, and the level of detail before the bias.
    fn coordinates_at(&self, x: u32, y: u32) -> ([f64; 2], i32) {
        match &self.coordinates {
            Coordinates::Hardware(texcoords, spans) => {
                // Both are closures, because the level mode may need neither.
                let q = || texcoords.q_at(spans.map_or(x, |spans| spans.probe(x, y)), y);
                let largest_step = || texcoords.largest_step(self.sampler.scale());
                (texcoords.at(x, y), self.lod.lod(largest_step, q))
            }
            Coordinates::Single(texcoords, w) => {
                let steps = || {
                    let ([s, t], [width, height]) = (texcoords.steps(x, y), self.sampler.scale());
                    [s * width, t * height]
                };
                (texcoords.at(x, y), self.lod.lod_emulated(steps, || w.at(x, y)))
            }
        }
    }
}
