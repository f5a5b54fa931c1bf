//! Two programs share the GE: their lists run in turns, and each program is called back.
//! `cargo run --example queue -- picture.png`
#![expect(clippy::print_stdout, reason = "an example talks to its user")]

use std::error::Error;

use pspge::queue::{Callback, CallbackFunctions, CallbackKind, ListRequest, Machine, Queue, Stop};
use pspge::{
    Address, Arithmetic, ColorSurface, Interpreter, Limits, Memory, NullObserver, RasterOptions, Rasterizer,
    Registers, Sink,
};

/// Each list draws a triangle in its own half of the screen. The signal reports that half of the list is done.
const LISTS: &str = "
red:
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    BASE hi(red_corners) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(red_corners)
    SIGNAL behavior=HANDLER_SUSPEND value=1 | END
    PRIM primitive=TRIANGLES count=3
    FINISH 1 | END
blue:
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    SHADEMODE GOURAUD
    BASE hi(blue_corners) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(blue_corners)
    SIGNAL behavior=HANDLER_CONTINUE value=2 | END
    PRIM primitive=TRIANGLES count=3
    FINISH 2 | END
.align 4
red_corners:
    .rgba #ff0000ff | .s16 120 20 0 | .align 4
    .rgba #ff8000ff | .s16 20 250 0 | .align 4
    .rgba #ff0000ff | .s16 220 250 0 | .align 4
blue_corners:
    .rgba #0000ffff | .s16 360 20 0 | .align 4
    .rgba #00ffffff | .s16 260 250 0 | .align 4
    .rgba #ffffffff | .s16 460 250 0 | .align 4
";

/// Memory for the programs, away from the lists: {size, context, 0, 0}, and the context.
const ARGS: [u32; 2] = [0x0890_0000, 0x0890_1000];
/// How many cycles pass until the programs look at the queue again.
const SLICE: u64 = 8;

/// A program with its list.
#[derive(Debug)]
struct Program {
    name: &'static str,
    request: ListRequest,
}

/// Describes what a program's function would do.
fn handle(programs: &[Program], callback: &Callback) -> String {
    let name = programs.get(callback.argument as usize).map_or("nobody", |program| program.name);
    let what = if callback.kind == CallbackKind::Finish { "has ended" } else { "sends a signal" };
    format!("{name} {what}, value {}", callback.value)
}

/// Sets a program's callbacks, and a context where the queue keeps its registers while the other program draws.
fn start(
    queue: &mut Queue,
    memory: &mut Memory,
    list: Address,
    number: u32,
) -> Result<ListRequest, Box<dyn Error>> {
    let args = *ARGS.get(number as usize).ok_or("two programs")?;
    for (place, word) in (0..).zip([8, args + 0x100]) {
        memory.write_u32(Address::new(args).offset(place * 4), word);
    }
    // The functions would be addresses in the programs; here only the arguments matter.
    let callback = queue.set_callback(CallbackFunctions {
        signal: 0x0880_4000,
        signal_argument: number,
        finish: 0x0880_5000,
        finish_argument: number,
    })?;
    Ok(ListRequest { list: list.get(), stall: 0, callback, args })
}

fn main() -> Result<(), Box<dyn Error>> {
    let output = std::env::args().nth(1).ok_or("usage: queue OUTPUT.png")?;
    let lists = pspge::asm::assemble(LISTS)?;
    let mut memory = lists.capture().memory;
    let mut queue = Queue::new();
    let mut programs = Vec::new();
    for (number, name) in (0..).zip(["red", "blue"]) {
        let list = *lists.symbols.get(name).ok_or("a list")?;
        programs.push(Program { name, request: start(&mut queue, &mut memory, list, number)? });
    }

    let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
    let mut raster = Rasterizer::new(RasterOptions::default());
    let (watch, limits) = (&mut NullObserver, &Limits::default());
    let machine =
        &mut Machine { interpreter: &mut interpreter, memory: &mut memory, sink: &mut raster, watch, limits };
    let (mut clock, mut draws) = (0, 0);
    for frame in 1..=2 {
        for program in &programs {
            let id = queue.enqueue(machine, &program.request)?;
            println!("{clock:4} frame {frame}: {} enqueues list {:x}", program.name, id.0);
        }
        let mut progress = queue.advance(machine, SLICE);
        loop {
            clock += progress.cycles;
            draws += progress.work.draws;
            match progress.stop {
                Stop::Callback(callback) => {
                    println!("{clock:4} {}", handle(&programs, &callback));
                    progress = queue.callback_returned(machine, SLICE);
                }
                Stop::Cycles => {
                    println!("{clock:4} active lists: {}", queue.active().count());
                    progress = queue.advance(machine, SLICE);
                }
                _ => break,
            }
        }
    }
    machine.sink.flush(machine.memory);
    // The contexts have restored the registers from before the lists, so this gives the picture's registers.
    let mut registers = Registers::new();
    registers.write(pspge::Command::new(pspge::Opcode::FRAMEBUFWIDTH, 512));
    registers.write(pspge::Command::new(pspge::Opcode::FRAMEBUFPIXFORMAT, 3));
    ColorSurface::from_registers(&registers).to_rgba(&memory, 480, 272).save(&output)?;
    println!("{draws} draws, see {output}");
    Ok(())
}
