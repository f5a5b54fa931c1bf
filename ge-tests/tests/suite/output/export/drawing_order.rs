//! Checks the notes and the draws' extras for frames whose pictures rely on the drawing order.

use pspge::export::scene::{Extra, Scene};
use pspge::export::{DrawFilter, ExportNoteKind, FrameSpace, frame_scene};
use pspge::ge::address::Address;
use pspge::ge::capture::Capture;
use pspge::ge::list::ListBuilder;
use pspge::ge::memory::Memory;
use pspge::ge::opcode::Opcode;
use pspge::ge::overrides::Overrides;
use pspge::ge::registers::vertex::PrimitiveType;
use pspge::ge::registers::{Matrix, Registers};

/// A draw in the list: a square in front of the camera, or something else.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A square at this distance, with depth test and depth write.
    Wall(f32),
    /// A square without depth test.
    Free(f32),
    /// A half transparent square, tested, without depth write.
    Glass(f32),
    /// Clears colour and depth.
    Clear,
    /// Covers everything, in through mode.
    Menu,
}

/// Builds a list from these draws. The camera is at the origin and looks along -z.
fn capture(steps: &[Step]) -> Capture {
    let vertices = Address::new(0x0890_0000);
    let mut memory = Memory::default();
    let mut list = ListBuilder::new(Address::new(0x0880_0000));
    list.set(Opcode::FRAMEBUFWIDTH, 512).set(Opcode::FRAMEBUFPIXFORMAT, 3);
    list.set(Opcode::ZBUFPTR, 0x11_0000).set(Opcode::ZBUFWIDTH, 512);
    list.set(Opcode::SCISSOR2, 479 | 271 << 10)
        .set(Opcode::REGION2, 479 | 271 << 10)
        .set(Opcode::MAXZ, 0xFFFF);
    let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    list.matrix(Matrix::World, 0, &identity).matrix(Matrix::View, 0, &identity);
    let mut projection = [0.0; 16];
    for (index, value) in [(0, 1.0), (5, 1.0), (10, -1.0), (11, -1.0), (14, -1.0)] {
        projection[index] = value;
    }
    list.matrix(Matrix::Projection, 0, &projection);
    list.float(Opcode::VIEWPORTXSCALE, 240.0).float(Opcode::VIEWPORTYSCALE, -136.0);
    list.float(Opcode::VIEWPORTZSCALE, -32767.5).float(Opcode::VIEWPORTZCENTER, 32767.5);
    list.float(Opcode::VIEWPORTXCENTER, 2048.0).float(Opcode::VIEWPORTYCENTER, 2048.0);
    list.set(Opcode::OFFSETX, 1808 * 16).set(Opcode::OFFSETY, 1912 * 16);
    list.set(Opcode::SHADEMODE, 1).set(Opcode::ZTEST, 7).set(Opcode::BLENDMODE, 0x32);
    for (number, step) in (0..).zip(steps) {
        let at = vertices.offset(64 * number);
        let (distance, tests, blends) = match *step {
            Step::Wall(distance) => (distance, 1, 0),
            Step::Free(distance) => (distance, 0, 0),
            Step::Glass(distance) => (distance, 1, 1),
            Step::Clear | Step::Menu => (0.0, 0, 0),
        };
        list.set(Opcode::ZTESTENABLE, tests)
            .set(Opcode::BLENDENABLE, blends)
            .set(Opcode::ZWRITEDISABLE, blends);
        let color = if blends == 1 { [9, 9, 9, 128] } else { [9, 9, 9, 255_u8] };
        let through = matches!(step, Step::Clear | Step::Menu);
        let corners = if through {
            [[0.0, 0.0, 0.0], [480.0, 272.0, 0.0]]
        } else {
            [[-distance / 2.0, -distance / 2.0, -distance], [distance / 2.0, distance / 2.0, -distance]]
        };
        let mut bytes = Vec::new();
        for corner in corners {
            bytes.extend(color);
            bytes.extend(corner.iter().flat_map(|value: &f32| value.to_le_bytes()));
        }
        memory.write(at, &bytes);
        let clear = if matches!(step, Step::Clear) { 0x701 } else { 0 };
        // This type has 32-bit colours and float positions.
        list.set(Opcode::VTYPE, 7 << 2 | 3 << 7 | u32::from(through) << 23).set(Opcode::CLEARMODE, clear);
        list.address(Opcode::VADDR, at).prim(PrimitiveType::RECTANGLES, 2).set(Opcode::CLEARMODE, 0);
    }
    list.finish();
    list.store(&mut memory);
    let (registers, start) = (Registers::new(), list.start());
    Capture {
        memory,
        registers,
        start,
        stall: None,
        sources: Vec::new(),
        events: Vec::new(),
        overrides: Overrides::default(),
    }
}

fn scene(steps: &[Step]) -> Scene {
    let filter = DrawFilter { compares_order: true, ..DrawFilter::default() };
    frame_scene(&mut capture(steps), "made", &filter, FrameSpace::Automatic)
}

/// Returns the nodes that rely on the order, by name, with the reasons in their extras.
fn reliant(scene: &Scene) -> Vec<(String, Vec<String>)> {
    let reasons = |extra: &Extra| match extra {
        Extra::List(list) => list.iter().map(|item| format!("{item:?}").replace("Text", "")).collect(),
        other => panic!("a list, not {other:?}"),
    };
    scene
        .nodes
        .iter()
        .filter_map(|node| {
            let (_, extra) = node.extras.iter().find(|(name, _)| *name == "relies_on_order")?;
            Some((node.name.clone(), reasons(extra)))
        })
        .collect()
}

/// Checks which draws rely on the order, and how many of them the note counts.
fn check(steps: &[Step], expected: &[(&str, &str)]) {
    let scene = scene(steps);
    let found = reliant(&scene);
    let found: Vec<(&str, String)> = found.iter().map(|(name, why)| (name.as_str(), why.join(" "))).collect();
    let expected: Vec<(&str, String)> =
        expected.iter().map(|(name, why)| (*name, format!("(\"{why}\")"))).collect();
    assert_eq!(found, expected, "{steps:?}");
    let notes: Vec<String> = scene.notes.iter().map(ToString::to_string).collect();
    let named = notes.iter().filter(|note| note.starts_with("the drawing order, which")).count();
    assert_eq!(named, usize::from(!expected.is_empty()), "{steps:?}: {notes:?}");
}

#[test]
fn pictures_that_depth_explains_need_no_note() {
    check(&[Step::Clear, Step::Wall(5.0), Step::Wall(2.0), Step::Wall(9.0)], &[]);
    check(&[Step::Clear, Step::Free(9.0), Step::Wall(5.0), Step::Glass(2.0)], &[]);
    check(&[Step::Clear, Step::Wall(2.0), Step::Glass(5.0)], &[]);
    check(&[Step::Wall(2.0), Step::Menu], &[]);
}

#[test]
fn draws_against_the_depth_are_named() {
    let depth = [("draw_0001", "depth")];
    check(&[Step::Clear, Step::Free(1.0), Step::Wall(5.0)], &depth);
    check(&[Step::Clear, Step::Glass(1.0), Step::Wall(5.0)], &depth);
    check(&[Step::Clear, Step::Wall(2.0), Step::Free(5.0)], &[("draw_0002", "depth")]);
    check(&[Step::Wall(5.0), Step::Clear, Step::Wall(9.0)], &[("draw_0002", "depth")]);
}

#[test]
fn equal_depth_and_blending_are_named() {
    check(&[Step::Clear, Step::Wall(4.0), Step::Wall(4.0)], &[("draw_0002", "equal_depth")]);
    check(&[Step::Clear, Step::Wall(4.0), Step::Glass(4.0)], &[("draw_0002", "equal_depth")]);
    check(&[Step::Clear, Step::Glass(4.0), Step::Glass(2.0)], &[("draw_0002", "blending")]);
}

#[test]
fn notes_name_the_draws() {
    let scene = scene(&[Step::Clear, Step::Free(1.0), Step::Wall(5.0), Step::Glass(2.0), Step::Glass(1.5)]);
    let notes: Vec<_> = scene.notes.iter().map(|note| (note.kind, note.to_string())).collect();
    let text = "the drawing order, which the file cannot express, matters to 2 of 4 draws: 1 against the depth (1), \
                1 blended over others that blend (4)";
    assert!(notes.contains(&(ExportNoteKind::NotExpressed, text.to_owned())), "{notes:?}");
    let numbers = ["draw_0001", "draw_0002", "draw_0003", "draw_0004"];
    let names: Vec<&str> =
        scene.nodes.iter().filter(|node| node.mesh.is_some()).map(|node| node.name.as_str()).collect();
    assert_eq!(names, numbers, "in drawing order, with the numbers of a trace");
}
