//! Reduced lists keep their pixels.

use super::*;
use crate::asm::assemble;
use crate::ge::address::Address;
use crate::ge::capture::{Action, Display, Event};
use crate::ge::limits::{Limit, Limits};
use crate::ge::registers::texture::PixelFormat;
use crate::pipeline::framebuffer::ColorSurface;
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::sink::NullObserver;

/// Clears the screen, draws a texture and then uses it, and draws elsewhere.
const LIST: &str = "
    FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=63 y=63 | REGION2 x=63 y=63 | FOGCOLOR #123456
    BASE hi(v) | VTYPE color=ABGR8888 position=BITS16 through=1
    FRAMEBUFPTR 0x10000 | VADDR lo(v) | PRIM primitive=RECTANGLES count=2
    FRAMEBUFPTR 0 | VADDR lo(elsewhere) | PRIM primitive=RECTANGLES count=2
    TEXENABLE 1 | TEXFUNC function=REPLACE use_alpha=1 | TEXFORMAT ABGR8888 | TEXADDR0 0x10000
    TEXBUFWIDTH0 width=64 high=4 | TEXSIZE0 width_log2=6 height_log2=6 | TEXFLUSH
    VTYPE texcoord=BITS16 color=ABGR8888 position=BITS16 through=1 | VADDR lo(t) | PRIM primitive=RECTANGLES count=6
    TEXENABLE 0 | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(elsewhere)
    PRIM primitive=RECTANGLES count=2
    FINISH | END | .align 4
    v: .rgba #4080c0ff | .s16 0 0 0 | .align 4 | .rgba #4080c0ff | .s16 32 32 0 | .align 4
    elsewhere: .rgba #ff0000ff | .s16 40 40 0 | .align 4 | .rgba #ff0000ff | .s16 60 60 0 | .align 4
    t: .s16 0 0 | .rgba #ffffffff | .s16 32 2 0 | .align 4 | .s16 8 8 | .rgba #ffffffff | .s16 40 9 0 | .align 4
       .s16 0 0 | .rgba #ffffffff | .s16 2 2 0 | .align 4 | .s16 8 8 | .rgba #ffffffff | .s16 9 9 0 | .align 4
       .s16 0 0 | .rgba #ffffffff | .s16 2 32 0 | .align 4 | .s16 8 8 | .rgba #ffffffff | .s16 9 40 0 | .align 4";

fn capture() -> Capture {
    assemble(LIST).expect("a program").capture()
}

fn reduced(capture: Capture, area: &KeptArea, trials: u32) -> Reduced {
    let reduced = reduce(Shot::new(capture), None, area, trials, &mut |_| {}).expect("it can be reduced");
    let mut again = Shot::new(reduced.capture.clone());
    again.run_here(&mut again.rasterizer(), &mut NullObserver);
    assert_eq!(reduced.kept.first_lost(&again.capture.memory), None, "the pixels are kept");
    reduced
}

#[test]
fn the_draws_that_a_pixel_depends_on_are_left() {
    let mut capture = capture();
    let fill = Action::Fill { to: Address::vram(0x8_0000), value: 3, length: 64 };
    capture.events = vec![Event { at: capture.start, action: fill }];
    let reduced = reduced(capture, &KeptArea::Pixel([4, 4]), TRIALS);
    assert_eq!((reduced.before.draws, reduced.before.actions), (4, 1), "before");
    assert_eq!((reduced.after.draws, reduced.after.actions), (2, 0), "the texture and its use");
    assert_eq!(reduced.kept.first(), Some(([4, 4], 0x00C0_8040)), "the colour of the texture");
    assert!(!reduced.is_unfinished, "{} trials", reduced.trials);
    assert!(reduced.after.commands < 12, "{} commands", reduced.after.commands);
    assert_eq!(reduced.capture.registers.argument(Opcode::FOGCOLOR), 0, "registers without effect are 0");
    let draws: Vec<u64> = reduced.events.iter().filter_map(TimelineEvent::draw_number).collect();
    assert_eq!(draws, [0, 2], "the draws that are left, by their numbers in the run");
    assert!(reduced.registers.iter().any(|name| name == "VTYPE"), "{:?}", reduced.registers);
    assert!(reduced.after.bytes < reduced.before.bytes, "bytes");
}

#[test]
fn a_region_keeps_all_of_its_pixels() {
    let reduced = reduced(capture(), &KeptArea::Region([30, 1], [30, 50]), TRIALS);
    assert_eq!(reduced.kept.len(), 30 * 50, "pixels");
    assert_eq!(reduced.after.draws, 3, "the texture, its use, and one of two equal draws");
}

#[test]
fn trials_are_limited_and_the_result_is_the_same_each_time() {
    let area = KeptArea::List(vec![[4, 4], [50, 50]]);
    let few = reduced(capture(), &area, 9);
    assert!(few.is_unfinished && few.trials == 9, "{} trials", few.trials);
    let [first, second] = [(); 2].map(|()| reduced(capture(), &area, TRIALS));
    assert_eq!((first.trials, first.after), (second.trials, second.after), "the same");
    assert!(first.after.commands < few.after.commands, "more trials remove more");
}

#[test]
fn pixels_that_do_not_exist_are_refused() {
    let wrong = |area: KeptArea| reduce(Shot::new(capture()), None, &area, TRIALS, &mut |_| {}).map(|_| ());
    let outside = wrong(KeptArea::Pixel([64, 0])).expect_err("outside");
    assert_eq!(outside.to_string(), "no pixel 64,0: the buffer has columns 0 to 63 and rows 0 to 1023");
    assert_eq!(wrong(KeptArea::List(Vec::new())), Err(ReduceError::NoPixels), "no pixels");
}

/// The last two draws are beyond the limit, so an earlier draw in the same colour has to be kept.
#[test]
fn runs_stay_within_the_limits_of_the_caller() {
    let area = KeptArea::Pixel([50, 50]);
    let limits = Limits::default().with(Limit::Draws, 2);
    let shot = Shot::new(capture()).with_limits(limits);
    let reduced = reduce(shot, None, &area, TRIALS, &mut |_| {}).expect("it can be reduced");
    assert_eq!(reduced.before.draws, 2, "draws of the run");
    let draws: Vec<u64> = reduced.events.iter().filter_map(TimelineEvent::draw_number).collect();
    assert_eq!(draws, [1], "without the limit, the last draw leaves the same pixel");
    let whole = self::reduced(capture(), &area, TRIALS);
    assert_eq!(whole.before.draws, 4, "without the limit");
}

/// Another program's fault: a pixel on the screen is not black. This counts how often it is asked.
struct Bright {
    pixel: [u32; 2],
    asked: u32,
    asked_max: u32,
}

impl Bright {
    fn is_in(&self, capture: &Capture) -> bool {
        let mut shot = Shot::new(capture.clone());
        let registers =
            shot.run_here(&mut Rasterizer::new(RasterOptions::default()), &mut NullObserver).registers;
        let [x, y] = self.pixel;
        let screen = ColorSurface::from_registers(&registers).to_rgba(&shot.capture.memory, 64, 64);
        screen.get_pixel(x, y).0[..3] != [0; 3]
    }
}

impl Fault for Bright {
    fn find(&mut self, whole: &Capture) -> Option<Vec<[u32; 2]>> {
        self.is_in(whole).then(|| vec![self.pixel, [5000, 5000]])
    }

    fn remains(&mut self, part: &Capture) -> Option<bool> {
        self.asked += 1;
        (self.asked <= self.asked_max).then(|| self.is_in(part))
    }
}

/// Draws a screen, and another buffer after it.
fn with_another_buffer() -> Capture {
    let list = "
        FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=63 y=63 | REGION2 x=63 y=63
        BASE hi(v) | VTYPE color=ABGR8888 position=BITS16 through=1
        VADDR lo(v) | PRIM primitive=RECTANGLES count=2 | PRIM primitive=RECTANGLES count=2
        FRAMEBUFPTR 0x10000 | VADDR lo(v) | PRIM primitive=RECTANGLES count=4
        FINISH | END | .align 4
        v: .rgba #4080c0ff | .s16 0 0 0 | .align 4 | .rgba #4080c0ff | .s16 32 32 0 | .align 4
           .rgba #ff80c0ff | .s16 0 0 0 | .align 4 | .rgba #ff80c0ff | .s16 32 32 0 | .align 4";
    let mut capture = assemble(list).expect("a program").capture();
    let screen = Display { address: Address::vram(0), stride: 64, format: PixelFormat::ABGR8888 };
    capture.events = vec![Event { at: capture.start, action: Action::Display(screen) }];
    capture
}

#[test]
fn a_fault_is_kept_whatever_the_pixels_are() {
    let mut fault = Bright { pixel: [4, 4], asked: 0, asked_max: u32::MAX };
    let reduced = reduce_fault(Shot::new(with_another_buffer()), &mut fault, TRIALS, &mut |_| {});
    let reduced = reduced.expect("it can be reduced");
    assert_eq!((reduced.before.draws, reduced.after.draws), (3, 1), "any rectangle on the screen is enough");
    assert!(fault.is_in(&reduced.capture), "the result has the fault, and shows the screen");
    assert_eq!(
        (reduced.kept.len(), reduced.trials),
        (1, fault.asked),
        "one pixel exists; each trial asks once"
    );
    let elsewhere = Bright { pixel: [40, 4], asked: 0, asked_max: u32::MAX };
    let wrong = reduce_fault(Shot::new(with_another_buffer()), &mut { elsewhere }, TRIALS, &mut |_| {});
    assert_eq!(wrong.map(|_| ()), Err(ReduceError::NoFault), "black there");
}

#[test]
fn a_fault_may_end_the_reduction() {
    let mut fault = Bright { pixel: [4, 4], asked: 0, asked_max: 3 };
    let reduced = reduce_fault(Shot::new(with_another_buffer()), &mut fault, TRIALS, &mut |_| {});
    let reduced = reduced.expect("it can be reduced so far");
    assert_eq!((fault.asked, reduced.is_unfinished), (4, true), "nothing is asked after the end");
    assert!(fault.is_in(&reduced.capture), "the fault is kept");
}
