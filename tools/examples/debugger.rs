//! A breakpoint: stops in front of draw N and prints the state it would use.
//! `cargo run --example debugger -- INPUT 3`
#![expect(clippy::print_stdout, reason = "an example talks to its user")]

use std::error::Error;
use std::ops::ControlFlow;

use pspge::{Memory, NullSink, Opcode, RunSpec, Step};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(number)) = (arguments.next(), arguments.next()) else {
        return Err("usage: debugger INPUT DRAW".into());
    };
    let number: u64 = number.parse()?;
    let asset = pspge::open(&input, &std::fs::read(&input)?)?;
    let mut stop = |_: &Memory, step: &Step<'_>| {
        if step.draws != number || step.command.opcode() != Opcode::PRIM {
            return ControlFlow::Continue(());
        }
        println!("draw {number} at {}, command {} of the run", step.at, step.number);
        for opcode in [Opcode::VTYPE, Opcode::TEXENABLE, Opcode::TEXADDR0, Opcode::BLENDMODE, Opcode::ZTEST] {
            println!("  {opcode} = 0x{:06x}", step.registers.argument(opcode));
        }
        println!("  vertices at {}, indices at {}", step.vertices, step.indices);
        ControlFlow::Break(())
    };
    asset.run_with(&RunSpec::default(), &mut NullSink, &mut stop)?;
    Ok(())
}
