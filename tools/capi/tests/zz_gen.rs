//! x
#![allow(missing_docs, clippy::all)]
use pspge::asm::assemble;
use pspge::run::sink::{Observer, Step};
use pspge::{Address, Arithmetic, Interpreter, Limits, Rasterizer, Registers};
const LIST: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    BASE hi(corners) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)
    PRIM primitive=RECTANGLES count=2
    SIGNAL behavior=HANDLER_SUSPEND value=0x0042 | END
    PRIM primitive=RECTANGLES count=2
    FINISH id=7 | END
.align 4
corners:
    .rgba #ff0000ff | .s16 0 0 0 | .align 4
    .rgba #ff0000ff | .s16 4 4 0 | .align 4
    .rgba #0000ffff | .s16 4 0 0 | .align 4
    .rgba #0000ffff | .s16 8 4 0 | .align 4
";
struct Stop;
impl Observer for Stop {
    fn command(&mut self, _: &pspge::Memory, step: &Step<'_>) -> std::ops::ControlFlow<()> {
        if step.command.word() >> 24 == 0x0C {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    }
}
#[test]
fn generate() {
    let mut memory = assemble(LIST).unwrap().capture().memory;
    let mut i = Interpreter::new(Registers::new(), Arithmetic::Hardware);
    let mut r = Rasterizer::default();
    i.run(&mut memory, Address::new(0x0880_0000), &mut r, &mut Stop, &Limits::default());
    let mut bytes = b"pspge\0\0\x01".to_vec();
    bytes.extend(postcard::to_stdvec(&i.save()).unwrap());
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/states/0.1.bin"), bytes).unwrap();
}
