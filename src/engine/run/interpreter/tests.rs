//! Runs lists built in code against a sink that records draws.

use super::*;
use crate::ge::list::ListBuilder;
use crate::ge::registers::Matrix;
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::geometry::zero_normal::ZeroNormal;
use crate::run::sink::NullObserver;

const START: Address = Address::new(0x0880_0000);

/// Small limits, so that endless lists end quickly.
const LIMITS: Limits =
    Limits::none().with(Limit::Commands, 10_000).with(Limit::Vertices, 10_000).with_notes(100);

/// Records count and pointers of draws, and number, primitive type and vertex count of immediate draws.
#[derive(Debug, Default)]
struct Draws(Vec<(u32, Address, Address)>, Vec<(u64, PrimitiveType, usize)>);

impl Sink for Draws {
    fn draw(&mut self, _: &mut Memory, draw: &Draw<'_>) {
        self.0.push((draw.count, draw.vertices, draw.indices));
    }

    fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.1.push((draw.number, draw.primitive, draw.vertices.len()));
    }

    fn flush(&mut self, _: &mut Memory) {}
}

fn run(build: impl FnOnce(&mut ListBuilder)) -> (Draws, Report, Interpreter) {
    let mut list = ListBuilder::new(START);
    build(&mut list);
    let mut memory = Memory::default();
    // Vertices and indices are zeros.
    memory.write(Address::new(0x0890_0000), &[0; 0x1000]);
    memory.write(Address::new(0x08A0_0000), &[0; 0x1000]);
    list.store(&mut memory);
    let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
    let mut draws = Draws::default();
    let report = interpreter.run(&mut memory, START, &mut draws, &mut NullObserver, &LIMITS);
    (draws, report, interpreter)
}

fn kinds(report: &Report) -> Vec<NoteKind> {
    report.notes.iter().map(|note| note.kind).collect()
}

#[test]
fn pointers_advance_by_vertex_or_index_size() {
    let (draws, report, _) = run(|list| {
        list.address(Opcode::VADDR, Address::new(0x0890_0000));
        list.address(Opcode::IADDR, Address::new(0x08A0_0000));
        list.set(Opcode::VTYPE, 2 << 7).prim(PrimitiveType::TRIANGLES, 3).prim(PrimitiveType::POINTS, 0);
        list.set(Opcode::VTYPE, 2 << 7 | 2 << 11).prim(PrimitiveType::TRIANGLES, 6);
        list.prim(PrimitiveType::POINTS, 1).finish();
    });
    let [first, later] = [0x0890_0000, 0x0890_0012].map(Address::new);
    let [indices, advanced] = [0x08A0_0000, 0x08A0_000C].map(Address::new);
    assert_eq!(
        draws.0,
        [(3, first, indices), (6, later, indices), (1, later, advanced)],
        "three draws, one empty"
    );
    assert_eq!(report.ending, Ending::Finished, "FINISH and END");
}

/// A sink whose draws fill VRAM. It keeps the x coordinates of all vertices, including carried ones.
#[derive(Default)]
struct Flood(Vec<Vec<f32>>);

impl Sink for Flood {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.0.push(draw.raw_vertices(memory).map(|vertex| vertex.position[0]).collect());
        memory.vram_mut().fill(0x11);
    }

    fn draw_immediate(&mut self, _: &mut Memory, _: &ImmediateDraw<'_>) {}

    fn flush(&mut self, _: &mut Memory) {}
}

#[test]
fn vertices_for_a_continuation_are_read_before_pixels_are_written() {
    let mut list = ListBuilder::new(START);
    list.address(Opcode::VADDR, Address::vram(0)).set(Opcode::VTYPE, 1 << 23 | 2 << 7);
    list.prim(PrimitiveType::TRIANGLE_STRIP, 2).prim(PrimitiveType::CONTINUE, 1).finish();
    let mut memory = Memory::default();
    list.store(&mut memory);
    memory.write(Address::vram(0), &[1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0]);
    let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
    let mut flood = Flood::default();
    interpreter.run(&mut memory, START, &mut flood, &mut NullObserver, &LIMITS);
    assert_eq!(flood.0, [vec![1.0, 2.0], vec![1.0, 2.0, f32::from(0x1111_i16)]], "only the third is new");
}

#[test]
fn addresses_are_fixed_when_the_command_executes() {
    let (draws, ..) = run(|list| {
        list.set(Opcode::OFFSETADDR, 0x0890).set(Opcode::BASE, 0x0008_0000).set(Opcode::VADDR, 0x100);
        list.set(Opcode::BASE, 0x0009_0000).set(Opcode::OFFSETADDR, 0);
        list.set(Opcode::VTYPE, 2 << 7).prim(PrimitiveType::POINTS, 1).finish();
    });
    assert_eq!(
        draws.0[0].1,
        Address::new(0x0808_9000 + 0x100),
        "offset is added, later changes do not matter"
    );
}

#[test]
fn origin_sets_offset_to_its_own_address() {
    let (draws, ..) = run(|list| {
        list.set(Opcode::NOP, 0).set(Opcode::ORIGIN, 0).set(Opcode::VADDR, 0x40);
        list.set(Opcode::VTYPE, 2 << 7).prim(PrimitiveType::POINTS, 1).finish();
    });
    assert_eq!(draws.0[0].1, START.offset(0x44), "relative to the ORIGIN word");
}

#[test]
fn ret_restores_the_offset_but_not_base() {
    let (_, report, interpreter) = run(|list| {
        let callee = START.offset(0x100).get();
        list.set(Opcode::BASE, 0x0008_0000)
            .set(Opcode::CALL, callee)
            .set(Opcode::JUMP, START.offset(0x200).get());
        while list.here() < START.offset(0x100) {
            list.set(Opcode::NOP, 0);
        }
        list.set(Opcode::ORIGIN, 0)
            .set(Opcode::BASE, 0x0001_0000)
            .set(Opcode::BASE, 0x0008_0000)
            .set(Opcode::RET, 0);
        while list.here() < START.offset(0x200) {
            list.set(Opcode::NOP, 0);
        }
        list.finish();
    });
    assert_eq!(report.ending, Ending::Finished, "JUMP after the CALL is relative to offset 0 again");
    assert_eq!(interpreter.registers().argument(Opcode::BASE), 0x0008_0000, "BASE keeps the callee's value");
}

#[test]
fn signal_calls_restore_base() {
    let (_, report, interpreter) = run(|list| {
        // An RCALL to 0x40 after the SIGNAL word.
        list.set(Opcode::BASE, 0x0003_0000);
        list.set(Opcode::SIGNAL, 0x14_0000).set(Opcode::END, 0x40).finish();
        while list.here() < START.offset(0x44) {
            list.set(Opcode::NOP, 0);
        }
        list.set(Opcode::BASE, 0x0007_0000).set(Opcode::SIGNAL, 0x12_0000).set(Opcode::END, 0);
    });
    assert_eq!(report.ending, Ending::Finished, "returned");
    assert_eq!(interpreter.registers().argument(Opcode::BASE), 0x0003_0000, "the caller's BASE");
}

#[test]
fn sync_skips_one_finish() {
    let (_, report, _) = run(|list| {
        list.set(Opcode::SIGNAL, 0x08_0000).set(Opcode::END, 0).finish().set(Opcode::NOP, 0).finish();
    });
    assert_eq!((report.ending, report.commands), (Ending::Finished, 7), "ran to the second pair");
}

#[test]
fn signals_pause_or_hang_and_leave_notes() {
    let (_, report, _) = run(|list| {
        list.set(Opcode::SIGNAL, 0x03_1234).set(Opcode::END, 0).finish();
    });
    assert_eq!(report.ending, Ending::Paused, "at the FINISH after the signal");
    assert_eq!(
        kinds(&report),
        [NoteKind::Signal(SignalBehavior::HANDLER_PAUSE, 0x1234)],
        "and leaves a note"
    );
    let (_, report, _) = run(|list| {
        list.set(Opcode::SIGNAL, 0xEE_0000).set(Opcode::END, 0).finish();
    });
    assert_eq!(report.ending, Ending::Hung, "unknown signal");
}

#[test]
fn signals_for_addresses_change_the_list() {
    for (behavior, address, expected) in [(0x23, 0x10, START.get()), (0x2B, 0x10, 0x1200_0000)] {
        let (_, report, interpreter) = run(|list| {
            list.set(Opcode::OFFSETADDR, 0x12_0000);
            let at = list.here().get();
            assert_eq!(at, START.get() + 4, "the word of the signal");
            list.set(Opcode::SIGNAL, behavior << 16).set(Opcode::END, 0x40_0000 | address).finish();
        });
        assert_eq!(report.ending, Ending::Finished, "the list goes on");
        assert_eq!(kinds(&report).len(), 1, "a note");
        let registers = interpreter.registers();
        let signal = if behavior & 8 == 0 { 4 } else { 0 };
        let expected = expected + signal + address;
        let found = [Opcode::TEXADDR0, Opcode::TEXBUFWIDTH0].map(|first| registers.argument(first.plus(3)));
        assert_eq!(
            found,
            [expected & 0xFF_FFFF, (expected >> 24 & 0xF) << 16 | 0x40],
            "behaviour {behavior:x}"
        );
    }
}

#[test]
fn bjump_jumps_if_the_box_is_outside() {
    for (count, draws_after) in [(0, 0), (1, 1)] {
        let (draws, ..) = run(|list| {
            // A vertex at the origin; the projection's last element makes w = 1.
            list.matrix(Matrix::Projection, 15, &[1.0]);
            list.set(Opcode::SCISSOR2, 479 | 271 << 10).set(Opcode::REGION2, 479 | 271 << 10);
            list.float(Opcode::VIEWPORTXCENTER, 2048.0).float(Opcode::VIEWPORTYCENTER, 2048.0);
            list.set(Opcode::OFFSETX, 2000 * 16).set(Opcode::OFFSETY, 2000 * 16);
            list.address(Opcode::VADDR, Address::new(0x0890_0000)).set(Opcode::VTYPE, 2 << 7);
            list.set(Opcode::BBOX, count);
            let target = list.here().offset(16).get();
            list.set(Opcode::BJUMP, target)
                .prim(PrimitiveType::POINTS, 1)
                .set(Opcode::NOP, 0)
                .set(Opcode::NOP, 0);
            list.finish();
        });
        assert_eq!(draws.0.len(), draws_after, "BBOX of {count}");
    }
}

#[test]
fn runs_end_at_missing_memory_and_limits() {
    let (_, report, _) = run(|list| {
        list.set(Opcode::JUMP, START.get());
        list.set(Opcode::BASE, 0x0008_0000).set(Opcode::JUMP, START.get());
    });
    assert_eq!(report.ending, Ending::Unmapped, "address 0x00800000 does not exist");
    let (_, report, _) = run(|list| {
        list.set(Opcode::BASE, 0x0008_0000).set(Opcode::JUMP, START.get());
    });
    assert_eq!(report.ending, Ending::LimitReached, "an endless loop");
    let (_, report, _) = run(|list| {
        list.set(Opcode::BASE, 0x0008_0000).set(Opcode::CALL, START.get());
    });
    assert!(kinds(&report).contains(&NoteKind::StackFull), "recursion fills the stack");
    let (_, report, _) = run(|list| {
        list.set(Opcode::RET, 0).set(Opcode::END, 0).finish();
    });
    assert_eq!(kinds(&report), [NoteKind::StackEmpty, NoteKind::OrphanEnd], "both are ignored");
}

#[test]
fn loads_clut_and_notes_missing_memory() {
    let (_, report, interpreter) = run(|list| {
        list.set(Opcode::CLUTADDR, 0x80_000F).set(Opcode::CLUTADDRUPPER, 0x08_0000).set(Opcode::LOADCLUT, 1);
        list.finish();
    });
    assert!(report.notes.is_empty(), "the list itself is the palette");
    let first = u32::from_le_bytes([0, 1, 2, 3].map(|byte| interpreter.registers().clut()[byte]));
    assert_eq!(first, Command::new(Opcode::CLUTADDR, 0x80_000F).word(), "low four address bits are ignored");
    let (_, report, interpreter) = run(|list| {
        list.set(Opcode::CLUTADDRUPPER, 0x0F_0000).set(Opcode::LOADCLUT, 1).finish();
    });
    assert_eq!(kinds(&report), [NoteKind::ClutUnmapped(Address::new(0x0F00_0000))], "leaves a note");
    assert_eq!(interpreter.registers().clut()[..32], [0; 32], "and reads 0");
}

#[test]
fn transfers_copy_blocks() {
    let mut memory = Memory::default();
    memory.write(Address::new(0x0890_0000), &[1, 2, 3, 4, 5, 6, 7, 8]);
    let mut list = ListBuilder::new(START);
    list.set(Opcode::TRANSFERSRC, 0x90_0000).set(Opcode::TRANSFERSRCW, 0x08_0010);
    list.set(Opcode::TRANSFERDST, 0).set(Opcode::TRANSFERDSTW, 0x04_0200);
    list.set(Opcode::TRANSFERDSTPOS, 3 | 2 << 10)
        .set(Opcode::TRANSFERSIZE, 1)
        .set(Opcode::TRANSFERSTART, 0)
        .finish();
    list.store(&mut memory);
    let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
    interpreter.run(&mut memory, START, &mut Draws::default(), &mut NullObserver, &Limits::default());
    let row = (2 * 0x200 + 3) * 2;
    assert_eq!(memory.vram()[row..row + 5], [1, 2, 3, 4, 0], "two pixels of two bytes");
}

#[test]
fn immediate_primitives_count_as_draws() {
    let (draws, report, _) = run(|list| {
        list.set(Opcode::VTYPE, 2 << 7).address(Opcode::VADDR, Address::new(0x0890_0000));
        list.set(Opcode::VAP, 0x100).prim(PrimitiveType::POINTS, 1);
        list.set(Opcode::VAP, 0x700).set(Opcode::VAP, 0x700).set(Opcode::VAP, 0x700).finish();
    });
    let line = PrimitiveType::LINES;
    assert_eq!(draws.1, [(1, line, 2), (2, line, 2)], "two lines, with a point drawn between");
    assert_eq!((report.draws, report.vertices), (3, 5), "all draws and vertices are counted");
}

#[test]
fn patches_advance_by_control_points_and_cost_output_vertices() {
    let (draws, report, _) = run(|list| {
        list.address(Opcode::VADDR, Address::new(0x0890_0000)).set(Opcode::VTYPE, 2 << 7);
        list.set(Opcode::BEZIER, 4 | 2 << 8).set(Opcode::SPLINE, 4 | 4 << 8);
        list.set(Opcode::PATCHDIVISION, 0x4040).set(Opcode::BEZIER, 7 | 7 << 8).finish();
    });
    let counts: Vec<_> = draws.0.iter().map(|&(count, vertices, _)| (count, vertices.get())).collect();
    assert_eq!(
        counts,
        [(8, 0x0890_0000), (16, 0x0890_0030)],
        "the first draws nothing, but advances the pointer"
    );
    assert_eq!(
        kinds(&report),
        [NoteKind::Limit(LIMITS.hit(Limit::Vertices))],
        "the third would have 16900 vertices"
    );
}

/// Source: [parameter](crate::reference::ge::curves#parameter).
#[test]
fn patches_with_more_than_64_divisions_hang() {
    let (draws, report, _) = run(|list| {
        list.address(Opcode::VADDR, Address::new(0x0890_0000)).set(Opcode::VTYPE, 2 << 7);
        list.set(Opcode::PATCHDIVISION, 1 | 65 << 8).set(Opcode::BEZIER, 4 | 4 << 8).finish();
    });
    assert_eq!((draws.0.len(), report.ending), (0, Ending::HungAtPatch), "nothing after it runs");
    assert_eq!(kinds(&report), [NoteKind::PatchHang([1, 65])], "the note");
}

/// Source: [zero normals](crate::reference::ge::lighting#zero-normals).
#[test]
fn only_bezier_patches_set_the_zero_normal() {
    const NET: Address = Address::new(0x0890_0000);
    const EMPTY: Address = Address::new(0x0891_0000);
    let mut memory = Memory::default();
    for number in 0..16_u16 {
        for (component, value) in (0..).zip([number % 4, number / 4, 0]) {
            memory.write(NET.offset(6 * u32::from(number) + 2 * component), &value.to_le_bytes());
        }
    }
    let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
    let mut after = |build: &dyn Fn(&mut ListBuilder)| {
        let mut list = ListBuilder::new(START);
        list.set(Opcode::VTYPE, 2 << 7);
        build(&mut list);
        list.finish();
        list.store(&mut memory);
        interpreter.run(&mut memory, START, &mut Draws::default(), &mut NullObserver, &LIMITS);
        interpreter.carried.zero_normal
    };
    assert_eq!(after(&|_| ()), ZeroNormal::Positive, "at power-on");
    let size = 4 | 4 << 8;
    let negative = |list: &mut ListBuilder| {
        list.address(Opcode::VADDR, NET).set(Opcode::PATCHFACING, 1).set(Opcode::BEZIER, size);
    };
    assert_eq!(after(&negative), ZeroNormal::Negative, "u right, v up, PATCHFACING");
    let others = |list: &mut ListBuilder| {
        list.address(Opcode::VADDR, NET).set(Opcode::PATCHFACING, 0).set(Opcode::SPLINE, size);
        list.address(Opcode::VADDR, NET).set(Opcode::BEZIER, 4 | 3 << 8).prim(PrimitiveType::POINTS, 3);
    };
    assert_eq!(after(&others), ZeroNormal::Negative, "kept in the next list by all other draws");
    let degenerate = |list: &mut ListBuilder| {
        list.address(Opcode::VADDR, EMPTY).set(Opcode::BEZIER, size);
    };
    assert_eq!(after(&degenerate), ZeroNormal::Zero, "all points equal");
    let positive = |list: &mut ListBuilder| {
        list.address(Opcode::VADDR, NET).set(Opcode::BEZIER, size);
    };
    assert_eq!(after(&positive), ZeroNormal::Positive, "u right, v up");
}
