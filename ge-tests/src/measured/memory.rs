//! Puts list, vertices and textures into memory, runs a job, and reads the results.
//!
//! The list is at 0x08800000, vertices are at 0x08900000, the texture is at 0x08A00000. VRAM is zero before the run,
//! except for the depth buffer in jobs with depths as values: it holds 4660. This reads colour at 0x04000000 and
//! depth at 0x04688000, from rows with 512 pixels, of which 480 count.

use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::memory::{Memory, RamSize};
use pspge::ge::registers::Registers;
use pspge::raster::{Engine, RasterOptions, Rasterizer};
use pspge::run::interpreter::{Ending, Interpreter, Limits};
use pspge::run::sink::NullObserver;

use super::expectation::Expectation;
use super::job::{Buffer, Job};

/// The list's address.
const LIST: u32 = 0x0880_0000;
/// The address for vertices, and for textures and palettes brought along by a job.
const VERTICES: u32 = 0x0890_0000;
/// The address for the texture shared by all other textured jobs.
const TEXTURE: u32 = 0x08A0_0000;
/// The colour buffer's address.
const COLOR: u32 = 0x0400_0000;
/// The depth buffer's address, in the view through which the engine stores depth.
const DEPTH: u32 = 0x0468_8000;
/// How many pixels are from a row to the next.
const STRIDE: u32 = 512;
/// How many columns to read.
const COLUMNS: u32 = 480;

/// Depth before the run, in jobs with depths as values, to tell pixels not drawn from those drawn with depth 0.
const NOT_DRAWN: u16 = 4660;

/// The job with a wide and low texture.
const WIDE_TEXTURE_JOB: &str = "exp167";

/// Runs a job with the fast engine and with the reference engine, and returns how they differ from the PSP's result.
pub(super) fn check(job: &Job) -> Result<(), String> {
    let engines = [("fast", Engine::default()), ("reference", Engine::Reference)];
    let found = engines.into_iter().filter_map(|(name, engine)| {
        run(job, engine).err().map(|difference| format!("{name} engine: {difference}"))
    });
    let found: Vec<String> = found.collect();
    if found.is_empty() { Ok(()) } else { Err(found.join("; ")) }
}

/// Runs a job with an engine.
fn run(job: &Job, engine: Engine) -> Result<(), String> {
    let mut memory = Memory::new(RamSize::Small);
    memory.write(Address::new(LIST), &bytes(&job.list));
    memory.write(Address::new(TEXTURE), &bytes(&texture(&job.name)));
    memory.write(Address::new(VERTICES), &bytes(&job.vertices));
    if matches!((job.buffer, &job.expectation), (Buffer::Depth, Expectation::Points(_))) {
        let depths = (STRIDE * job.rows) as usize;
        memory.write(Address::new(DEPTH), &NOT_DRAWN.to_le_bytes().repeat(depths));
    }
    let arithmetic = Arithmetic::Hardware;
    let mut raster = Rasterizer::new(RasterOptions { arithmetic, engine, ..RasterOptions::default() });
    let mut interpreter = Interpreter::new(Registers::new(), arithmetic);
    let limits = Limits::default();
    let report = interpreter.run(&mut memory, Address::new(LIST), &mut raster, &mut NullObserver, &limits);
    if report.ending != Ending::Finished {
        return Err(format!("the list ended with {:?} at {}", report.ending, report.at));
    }
    let pixels = Pixels { memory: &memory, buffer: job.buffer };
    let difference = job.expectation.difference(&pixels.rows(job.rows), |x, y| pixels.at(x, y));
    difference.map_or(Ok(()), Err)
}

/// Returns the texels for a job's texture.
fn texture(name: &str) -> Vec<u32> {
    let experiment = name.split(['/', ' ']).next().unwrap_or(name);
    if experiment == WIDE_TEXTURE_JOB {
        return texels(512, 32, |u, v| 0xFF00_0000 | (u >> 8) << 16 | (8 * v) << 8 | (u & 0xFF));
    }
    texels(256, 256, |x, y| 0xFF00_0000 | y << 8 | x)
}

fn texels(width: u32, height: u32, texel: impl Fn(u32, u32) -> u32 + Copy) -> Vec<u32> {
    (0..height).flat_map(|y| (0..width).map(move |x| texel(x, y))).collect()
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A buffer after a run.
struct Pixels<'a> {
    memory: &'a Memory,
    buffer: Buffer,
}

impl Pixels<'_> {
    /// Returns the bytes for all columns in the first rows.
    fn rows(&self, rows: u32) -> Vec<u8> {
        let (_, size) = self.layout();
        let mut row = vec![0; (COLUMNS * size) as usize];
        let mut all = Vec::new();
        for y in 0..rows {
            self.memory.read(self.address(0, y), &mut row);
            all.extend_from_slice(&row);
        }
        all
    }

    /// Reads a pixel.
    fn at(&self, x: u32, y: u32) -> u32 {
        let address = self.address(x, y);
        match self.buffer {
            Buffer::Color => self.memory.read_u32(address),
            Buffer::Color16 | Buffer::Depth => u32::from(self.memory.read_u16(address)),
        }
    }

    fn address(&self, x: u32, y: u32) -> Address {
        let (start, size) = self.layout();
        Address::new(start + (STRIDE * y + x) * size)
    }

    /// Returns the buffer's address and how many bytes a pixel has.
    const fn layout(&self) -> (u32, u32) {
        match self.buffer {
            Buffer::Color => (COLOR, 4),
            Buffer::Color16 => (COLOR, 2),
            Buffer::Depth => (DEPTH, 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textures_depend_on_the_job() {
        let square = texture("negq/q 0");
        assert_eq!((square.len(), square[256 * 3 + 7]), (0x1_0000, 0xFF00_0307), "column and row");
        let wide = texture("exp167/0");
        assert_eq!(
            (wide.len(), wide[512 * 3 + 0x107]),
            (0x4000, 0xFF01_1807),
            "column, its high bit and row"
        );
    }
}
