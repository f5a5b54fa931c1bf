//! Scenes that a real PSP drew for another project, as display lists with the CRCs of frame and depth.
//!
//! Every scene runs with both engines. All that differ are named. `cases/scenes.txt` lists the scenes that rules may cite
//! as evidence.
//!
//! Needs `PSPGE_CORPUS`, the folder that holds `geprobe`. Without it the test prints a message and passes.

use std::collections::BTreeSet;
use std::path::Path;

use ge_tests::rules::sources;
use ge_tests::{corpus, input, snapshot};
use pspge::asm;
use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::memory::Memory;
use pspge::raster::{Engine, RasterOptions, Rasterizer};
use pspge::run::interpreter::{Ending, Interpreter, Limits};
use pspge::run::sink::NullObserver;

/// Address of the colour buffer.
const COLOR: u32 = 0x0400_0000;
/// Address of the depth buffer, in the plain view: in the order in which the GE stores depth.
const DEPTH: u32 = 0x0408_8000;
/// Pixels from one row to the next.
const STRIDE: u32 = 512;
/// Columns of the screen.
const COLUMNS: u32 = 480;
/// Rows of the screen.
const ROWS: u32 = 272;

/// A line of `scenes.tsv`.
#[derive(Clone, Debug)]
struct Scene {
    /// Name of the list's file.
    file: String,
    /// Bytes of a pixel.
    pixel: u32,
    /// CRC of the pixels of the screen.
    frame: Option<u32>,
    /// CRC of the depth buffer, and the columns that count.
    depth: Option<(u32, u32)>,
    /// The pixel that a box decides, its colour as red, green and blue, and whether it is drawn.
    marker: Option<([u32; 2], u32, bool)>,
}

impl Scene {
    fn parse(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[file, _, _, pixel, frame, depth, columns, ref marker @ ..] = fields.as_slice() else {
            return None;
        };
        let number = |text: &str| u32::from_str_radix(text, 16).ok();
        let marker = match marker.first().map_or("", |text| text.trim()) {
            "" => None,
            text => {
                let &[x, y, color, drawn] = text.split(',').collect::<Vec<_>>().as_slice() else {
                    return None;
                };
                Some(([x.parse().ok()?, y.parse().ok()?], number(color)?, drawn == "drawn"))
            }
        };
        Some(Self {
            file: file.to_owned(),
            pixel: pixel.parse().ok()?,
            frame: number(frame),
            depth: number(depth).zip(columns.parse().ok()),
            marker,
        })
    }

    /// Returns the name: `24` of `scene-24.ge`.
    fn name(&self) -> &str {
        self.file.trim_start_matches("scene-").trim_end_matches(".ge")
    }

    /// Runs the scene with one engine and lists the results that differ from the PSP's.
    fn differences(&self, text: &str, engine: Engine) -> Vec<String> {
        let (memory, ending) = run(text, engine);
        let mut found = Vec::new();
        // The PSP hung in some scenes.
        if !matches!(ending, Ending::Finished | Ending::HungAtPatch) {
            found.push(format!("the list ended with {ending:?}"));
        }
        if let Some(expected) = self.frame {
            let crc = checksum(&memory, COLOR, self.pixel, COLUMNS);
            if crc != expected {
                found.push(format!("frame {crc:08X} instead of {expected:08X}"));
            }
        }
        if let Some((expected, columns)) = self.depth {
            let crc = checksum(&memory, DEPTH, 2, columns);
            if crc != expected {
                found.push(format!("depth {crc:08X} instead of {expected:08X}"));
            }
        }
        if let Some(([x, y], color, expected)) = self.marker {
            let [red, green, blue, _] =
                memory.read_u32(Address::new(COLOR + (y * STRIDE + x) * 4)).to_le_bytes();
            let is_drawn = u32::from_be_bytes([0, red, green, blue]) == color;
            if is_drawn != expected {
                let word = |drawn| if drawn { "drawn" } else { "not drawn" };
                found.push(format!("marker {} instead of {}", word(is_drawn), word(expected)));
            }
        }
        found
    }
}

/// Runs an assembly text in hardware arithmetic.
fn run(text: &str, engine: Engine) -> (Memory, Ending) {
    let program = asm::assemble(text).unwrap_or_else(|errors| panic!("{}", errors.report()));
    let mut capture = program.capture();
    let arithmetic = Arithmetic::Hardware;
    let mut raster = Rasterizer::new(RasterOptions { arithmetic, engine, ..RasterOptions::default() });
    let mut interpreter = Interpreter::new(capture.registers.clone(), arithmetic);
    let limits = Limits::default();
    let report = interpreter.run(&mut capture.memory, capture.start, &mut raster, &mut NullObserver, &limits);
    (capture.memory, report.ending)
}

/// Computes the CRC of the first columns of all rows.
fn checksum(memory: &Memory, start: u32, pixel: u32, columns: u32) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    let mut row = vec![0; (columns * pixel) as usize];
    for y in 0..ROWS {
        memory.read(Address::new(start + y * STRIDE * pixel), &mut row);
        hasher.update(&row);
    }
    hasher.finalize()
}

/// Reads the scenes of a folder.
fn scenes(folder: &Path) -> Vec<Scene> {
    let table = String::from_utf8(corpus::read(folder, "scenes.tsv")).expect("the table is text");
    let lines = table.lines().skip(1);
    lines.map(|line| Scene::parse(line).unwrap_or_else(|| panic!("scenes.tsv: {line}"))).collect()
}

#[test]
fn scenes_of_a_real_psp() {
    let Some(folder) = corpus::folder("geprobe") else { return };
    if !folder.is_dir() {
        eprintln!("SKIPPED: {} does not exist, so no scene was drawn", folder.display());
        return;
    }
    let scenes = scenes(&folder);
    let mut wrong = Vec::new();
    for engine in [Engine::Reference, Engine::Fast] {
        let before = wrong.len();
        for scene in &scenes {
            let text = String::from_utf8(input::read(&folder.join(&scene.file))).expect("lists are text");
            let found = scene.differences(&text, engine);
            if !found.is_empty() {
                wrong.push(format!("{} ({engine:?}): {}", scene.file, found.join(", ")));
            }
        }
        let exact = scenes.len() - (wrong.len() - before);
        eprintln!("{engine:?} engine: {exact} of {} scenes are exact", scenes.len());
    }
    assert!(wrong.is_empty(), "{} results differ from the PSP's:\n  {}", wrong.len(), wrong.join("\n  "));
    if snapshot::accepts_changes() {
        let names: BTreeSet<String> = scenes.iter().map(|scene| scene.name().to_owned()).collect();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
        sources::write_scene_names(&root, &names).unwrap_or_else(|error| panic!("{error:#}"));
    }
}
