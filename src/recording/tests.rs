//! Records machines that a CPU disturbs, and replays the dumps.

use super::*;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::Capture;
use crate::ge::memory::host::{HostLayout, HostMemory};
use crate::run::interpreter::Ending;
use crate::run::replay::{self, Replayed};
use crate::run::sink::NullObserver;

/// A machine with a list. At the label `stall` it waits first.
struct TestMachine {
    memory: Memory,
    interpreter: Interpreter,
    raster: Rasterizer,
    start: Address,
    stall: Address,
}

impl TestMachine {
    fn new(text: &str) -> Self {
        let program = crate::asm::assemble(text).expect("a correct list");
        let stall = program.symbols.get("stall").copied().expect("a label");
        let Capture { memory, registers, start, .. } = program.capture();
        let interpreter = Interpreter::new(registers, Arithmetic::Hardware);
        Self { memory, interpreter, raster: Rasterizer::default(), start, stall }
    }

    fn begin(&mut self) -> HostRecorder {
        let Self { memory, interpreter, raster, .. } = self;
        HostRecorder::begin(memory, interpreter, raster, RecordingOptions::default())
    }

    /// Runs up to a stall address.
    fn run(&mut self, recorder: &mut HostRecorder, is_first: bool, stall: Option<Address>) -> Ending {
        let Self { memory, interpreter, raster, .. } = self;
        recorder.enter(memory, interpreter, raster, true);
        interpreter.set_stall(stall);
        let report = if is_first {
            interpreter.run(memory, self.start, raster, recorder, &Limits::none())
        } else {
            interpreter.resume(memory, raster, recorder, &Limits::none())
        };
        recorder.leave(memory, interpreter, raster);
        report.ending
    }
}

fn replayed(dump: &Dump) -> (Memory, Replayed) {
    let mut capture = dump.capture("test").expect("a dump that can be replayed");
    let (sink, watch) = (&mut Rasterizer::default(), &mut NullObserver);
    let replayed = replay::run(&mut capture, Arithmetic::Hardware, sink, watch, &Limits::none());
    (capture.memory, replayed)
}

const LIST: &str = "
    FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=63 y=63 | REGION2 x=63 y=63
    ZBUFPTR 0x110000 | ZBUFWIDTH width=64 | MAXZ 0xFFFF | ZTESTENABLE 1 | ZTEST GREATER_EQUAL
    BASE hi(corners) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)
    PRIM primitive=RECTANGLES count=2
    stall: VADDR lo(corners) | PRIM primitive=RECTANGLES count=2
    FINISH | END
.align 4
corners:
    .rgba #ff0000ff | .s16 0 0 100 | .align 4
    .rgba #ff0000ff | .s16 40 40 100 | .align 4
";

#[test]
fn changes_between_parts_are_recorded() {
    let mut machine = TestMachine::new(LIST);
    let mut recorder = machine.begin();
    let stall = machine.stall;
    assert_eq!(machine.run(&mut recorder, true, Some(stall)), Ending::Stalled, "the first part");
    // Green, and at another place.
    let corners = machine.interpreter.flow_state().vertices.offset(0_u32.wrapping_sub(24));
    machine.memory.write(corners, &[0, 255, 0, 255, 20, 0, 0, 0, 100, 0, 0, 0, 0, 255, 0, 255]);
    machine.memory.vram_mut()[0x5000..0x6000].fill(0x77);
    machine.interpreter.registers_mut().write(Command::new(Opcode::MASKRGB, 0x0F));
    assert_eq!(machine.run(&mut recorder, false, None), Ending::Finished, "the rest");
    machine.memory.vram_mut()[0x7000] = 0x12;
    let recording = recorder.finish(&machine.memory).expect("a small recording");
    let (memory, replayed) = replayed(&recording.dump);
    assert!(memory.vram() == machine.memory.vram(), "all of VRAM");
    assert_eq!(memory.read_u32(Address::vram(30 * 4)) & 0xFF_FFF0, 0x00_FF00, "green over red");
    assert_eq!((replayed.report.draws, recording.frames), (2, 0), "both draws");
    assert!(recording.notes.is_empty(), "{:?}", recording.notes);
    assert_eq!(replayed.display.map(|shown| shown.stride), Some(64), "the buffer drawn to");
}

/// A host with linear views keeps depth in rows; a replay has it in hardware order.
#[test]
fn depth_of_linear_views_is_recorded() {
    let mut machine = TestMachine::new(LIST);
    let layout = HostLayout { vram: true, linear_views: true, ..HostLayout::default() };
    let mut memory = Memory::for_host(&layout).expect("a possible layout");
    let list = machine.memory.slice(machine.start, 0x1000).expect("the list").to_vec();
    memory.write(machine.start, &list);
    let vram: &'static mut [u8] = Vec::leak(vec![0; 0x20_0000]);
    memory.lend(HostMemory { vram: Some(vram), ..HostMemory::default() }).expect("the memory fits");
    machine.memory = memory;
    let stall = machine.stall;
    let mut before = machine.begin();
    assert_eq!(machine.run(&mut before, true, Some(stall)), Ending::Stalled, "the first part");
    // The recording begins with the first rectangle's depth, which hides part of the second.
    let mut recorder = machine.begin();
    let corners = machine.interpreter.flow_state().vertices.offset(0_u32.wrapping_sub(24));
    let hidden = [0, 255, 0, 255, 20, 0, 0, 0, 90, 0, 0, 0, 0, 255, 0, 255, 60, 0, 60, 0, 90, 0];
    machine.memory.write(corners, &hidden);
    assert_eq!(machine.run(&mut recorder, false, None), Ending::Finished, "the rest");
    let recording = recorder.finish(&machine.memory).expect("a small recording");
    let (memory, _) = replayed(&recording.dump);
    assert!(memory.vram()[..0x4000] == machine.memory.vram()[..0x4000], "colours");
    let mut depth = vec![0; 64 * 64 * 2];
    memory.read(Address::new(0x0460_0000 + 0x11_0000), &mut depth);
    assert!(depth == machine.memory.vram()[0x11_0000..][..depth.len()], "depth");
    let color = |x: u32| memory.read_u32(Address::vram(x * 4)) & 0xFF_FFFF;
    assert_eq!([color(30), color(50)], [0x00_00FF, 0x00_FF00], "hidden, and seen");
    drop(machine.memory.end_loan().expect("nobody draws"));
}
