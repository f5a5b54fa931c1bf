//! Checks visibility tests in the orchard's octree: lists must jump over nodes outside the camera's view, and
//! pictures must not change.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use ge_tests::sample;
use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::memory::Memory;
use pspge::ge::opcode::Opcode;
use pspge::ge::overrides::Overrides;
use pspge::ge::registers::Registers;
use pspge::model::Model;
use pspge::raster::RasterOptions;
use pspge::run::interpreter::{Ending, Interpreter, Limits};
use pspge::run::sink::{NullSink, Step};
use pspge::scene::camera::Camera;
use pspge::scene::render::{ModelRenderer, geometry};

fn renderer(camera: Camera, arithmetic: Arithmetic) -> ModelRenderer {
    let options = RasterOptions { arithmetic, ..RasterOptions::default() };
    let limits = Limits::default();
    let (background, overrides) = ([0x30, 0x38, 0x40, 0xFF], Overrides::default());
    ModelRenderer { camera, width: 480, height: 272, background, options, limits, overrides }
}

const fn from_above(zoom: f64) -> Camera {
    Camera { yaw: 0.0, pitch: 90.0, zoom }
}

/// Counts for the list that draws a model's picture: called parts, bounding-box tests, jumps taken and commands.
#[derive(Debug, Default)]
struct Counts {
    parts: BTreeSet<usize>,
    calls: usize,
    tests: usize,
    jumps: usize,
    commands: u64,
}

fn count_commands(model: &Model, camera: Camera) -> Counts {
    let capture = renderer(camera, Arithmetic::Hardware).capture(model);
    let mut memory = capture.memory;
    let mut found = Counts::default();
    let mut jump: Option<Address> = None;
    let mut observer = |_: &Memory, step: &Step<'_>| {
        found.jumps += usize::from(jump.take().is_some_and(|at| step.at != at.offset(4)));
        match step.command.opcode() {
            Opcode::BBOX => found.tests += 1,
            Opcode::BJUMP => jump = Some(step.at),
            Opcode::CALL => {
                if let Some(number) = model.parts.iter().position(|part| part.call == step.at) {
                    found.parts.insert(number);
                    found.calls += 1;
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    };
    let mut interpreter = Interpreter::new(capture.registers, Arithmetic::Hardware);
    let report =
        interpreter.run(&mut memory, capture.start, &mut NullSink, &mut observer, &Limits::default());
    assert_eq!((report.ending, report.notes), (Ending::Finished, vec![]), "the list runs cleanly");
    found.commands = report.commands;
    found
}

/// Removes all jumps from a copy of this model.
fn without_jumps(model: &Model) -> Model {
    let mut model = model.clone();
    let mut at = model.entry;
    loop {
        let opcode = model.memory.read_u32(at) >> 24;
        match opcode {
            0x09 => model.memory.write(at, &[0; 4]),
            0x0B => return model,
            _ => {}
        }
        at = at.offset(4);
    }
}

#[test]
fn narrow_camera_skips_octree_nodes() {
    for name in ["orchard.pmdl", "orchard-collision.pmdl"] {
        let model = sample::open(name);
        assert_eq!(model.info.extra("octree_nodes"), Some(9), "{name}: the root and its octants");
        let wide = count_commands(&model, from_above(1.0));
        assert_eq!(wide.calls, model.parts.len(), "{name}: all parts are visible and drawn once");
        assert_eq!(wide.jumps, 0, "{name}: no jumps");
        // At the common corner of the four lower octants, each has parts to skip.
        let middle = count_commands(&model, from_above(6.0));
        assert!(
            middle.jumps >= 8 && middle.calls * 3 < wide.calls,
            "{name}: few parts are drawn: {middle:?}"
        );
        // Halfway up the pole, these octants are skipped, and their contents are not even tested.
        let pole = count_commands(&model, Camera { yaw: 35.0, pitch: 0.0, zoom: 6.0 });
        assert!(pole.tests * 2 < wide.tests, "{name}: few tests: {pole:?}");
        assert!(pole.commands * 2 < wide.commands, "{name}: few commands: {pole:?}");
        assert_eq!(pole.calls, 1, "{name}: only the pole is drawn: {pole:?}");
        assert!(
            pole.parts.is_subset(&middle.parts),
            "{name}: the pole is also visible from the middle: {pole:?}"
        );
    }
}

#[test]
fn pictures_are_the_same_without_jumps() {
    let model = sample::open("orchard.pmdl");
    let all = without_jumps(&model);
    let mut skipped = 0;
    for zoom in [0.7, 1.0, 2.0, 6.0, 25.0] {
        for (yaw, pitch) in [(0.0, 90.0), (35.0, 20.0), (200.0, 3.0), (90.0, -40.0)] {
            let camera = Camera { yaw, pitch, zoom };
            skipped += model.parts.len() - count_commands(&model, camera).calls;
            for arithmetic in [Arithmetic::Hardware, Arithmetic::Single] {
                let renderer = renderer(camera, arithmetic);
                let pictures = [&model, &all].map(|model| renderer.render(model, &mut |_| {}));
                assert!(pictures[0] == pictures[1], "{camera:?} in {arithmetic:?}");
            }
        }
    }
    assert!(skipped > 100, "some parts are skipped: {skipped}");
}

/// Pictures larger than VRAM are drawn in tiles, and each tile skips its own invisible nodes.
#[test]
fn tiled_pictures_are_the_same_without_jumps() {
    let model = sample::open("orchard.pmdl");
    let camera = Camera { yaw: 35.0, pitch: 20.0, zoom: 1.0 };
    let renderer = ModelRenderer { width: 1100, height: 700, ..renderer(camera, Arithmetic::Single) };
    let pictures = [model.clone(), without_jumps(&model)].map(|model| renderer.render(&model, &mut |_| {}));
    assert!(pictures[0] == pictures[1], "the same picture");
}

/// Geometry is decoded without a camera, so no node may be skipped.
#[test]
fn all_draws_run_without_a_camera() {
    for name in ["orchard.pmdl", "orchard-collision.pmdl"] {
        let model = sample::open(name);
        assert_eq!(geometry(&model).draws().len(), model.info.draws, "{name}: every draw is decoded");
    }
    // Hardware arithmetic must give the same, because traces use it.
    let model = sample::open("orchard.pmdl");
    let capture = model.to_capture();
    let mut memory = capture.memory;
    let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
    let report = interpreter.run(
        &mut memory,
        capture.start,
        &mut NullSink,
        &mut |_: &Memory, _: &Step<'_>| ControlFlow::Continue(()),
        &Limits::default(),
    );
    assert_eq!(report.draws, model.info.draws as u64, "every draw");
}
