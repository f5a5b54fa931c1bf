//! Runs scenes drawn by a real PSP for another project: display lists with CRCs for frame and depth.
//!
//! Every scene runs with both engines. If any differ, the message names them all. `cases/scenes.txt` lists the scenes
//! for rules to cite as evidence.
//!
//! To run this test, set `PSPGE_CORPUS` to the folder with `geprobe`. Without it the test prints a message and
//! passes.

use std::collections::BTreeSet;
use std::path::Path;

use ge_tests::rules::sources;
use ge_tests::{corpus, input, snapshot};
use pspge::asm;
use pspge::compare::MeasuredScene;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::memory::Memory;
use pspge::raster::{Engine, RasterOptions, Rasterizer};
use pspge::run::interpreter::{Ending, Interpreter, Limits};
use pspge::run::sink::NullObserver;

/// Returns this scene's short name: `24` for `scene-24.ge`.
fn name(scene: &MeasuredScene) -> &str {
    scene.file.trim_start_matches("scene-").trim_end_matches(".ge")
}

/// Runs a scene with an engine and lists results that differ from the PSP's.
fn differences(scene: &MeasuredScene, text: &str, engine: Engine) -> Vec<String> {
    let (memory, ending) = run(text, engine);
    let mut found = Vec::new();
    // The PSP hung in some scenes, so a hang is right, too.
    if !matches!(ending, Ending::Finished | Ending::HungAtPatch) {
        found.push(format!("the list ended with {ending:?}"));
    }
    let results = scene.compare(&memory);
    assert!(!results.is_empty(), "{}: the PSP gave a result", scene.file);
    found.extend(results.iter().filter(|result| !result.is_equal()).map(ToString::to_string));
    found
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

fn scenes(folder: &Path) -> Vec<MeasuredScene> {
    let table = String::from_utf8(corpus::read(folder, MeasuredScene::TABLE)).expect("the table is text");
    MeasuredScene::read_table(&table).unwrap_or_else(|error| panic!("{}: {error}", MeasuredScene::TABLE))
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
            let found = differences(scene, &text, engine);
            if !found.is_empty() {
                wrong.push(format!("{} ({engine:?}): {}", scene.file, found.join(", ")));
            }
        }
        let exact = scenes.len() - (wrong.len() - before);
        eprintln!("{engine:?} engine: {exact} of {} scenes are exact", scenes.len());
    }
    assert!(wrong.is_empty(), "{} results differ from the PSP's:\n  {}", wrong.len(), wrong.join("\n  "));
    if snapshot::accepts_changes() {
        let names: BTreeSet<String> = scenes.iter().map(|scene| name(scene).to_owned()).collect();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
        sources::write_scene_names(&root, &names).unwrap_or_else(|error| panic!("{error:#}"));
    }
}
