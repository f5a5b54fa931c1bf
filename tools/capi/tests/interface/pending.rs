//! Tests threads that go on drawing between calls: the pixels have to be the same as when a host completes all draws
//! at once.

use std::ffi::c_void;
use std::fmt::Write as _;

use pspge_c::Status;
use pspge_c::callbacks::pspge_set_dirty_callback;
use pspge_c::config::FLAG_REPORTS_CHANGES;
use pspge_c::memory::{pspge_memory_changed, pspge_write_memory};
use pspge_c::run::{RUN_KEEP_PENDING, RunEnding, RunOptions, pspge_flush, pspge_flush_range};

use crate::host::{Host, START, VRAM, options};
use crate::record_range;
use crate::script::Random;

const DRAWS: u32 = 24;
/// Where the textures are, and where the two targets start.
const TEXTURES: u32 = 0x10_0000;
const TARGETS: [u32; 2] = [0, 0x8_8000];
/// How many bytes a rectangle's two corners take.
const CORNERS: usize = 32;

/// Large rectangles with textures in VRAM, drawn into two targets in turn.
fn list(random: &mut Random) -> String {
    let mut text = "
        FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
        TEXENABLE 1 | TEXFORMAT ABGR8888 | TEXBUFWIDTH0 width=16 high=0x4 | TEXSIZE0 width_log2=4 height_log2=4
        BASE hi(corners) | VTYPE texcoord=BITS16 position=BITS16 through=1 | VADDR lo(corners)"
        .to_owned();
    for draw in 0..DRAWS {
        let (target, texture) = (TARGETS[(draw / 3 % 2) as usize], TEXTURES + 0x1000 * random.below(4));
        write!(
            text,
            "\nFRAMEBUFPTR {target:#x} | TEXADDR0 {texture:#x} | TEXFLUSH | PRIM primitive=RECTANGLES count=2"
        )
        .expect("text");
    }
    text += "\nFINISH | END\n.align 16\ncorners:\n";
    for _ in 0..DRAWS {
        let (left, top) = (random.below(80), random.below(40));
        writeln!(text, ".s16 0 0 {left} {top} 0 | .align 4 | .s16 16 16 470 260 0 | .align 4").expect("text");
    }
    text
}

/// A host that runs the list in pieces and changes memory in between.
struct Pieces {
    host: Host,
    options: RunOptions,
    reported: Vec<(u32, u32)>,
}

impl Pieces {
    fn new(list: &str, threads: u32, flags: u32) -> Box<Self> {
        let host = Host::with_threads(list, FLAG_REPORTS_CHANGES, threads);
        let mut pieces =
            Box::new(Self { host, options: RunOptions { flags, ..options() }, reported: Vec::new() });
        let user: *mut c_void = (&raw mut pieces.reported).cast();
        // SAFETY: the instance lives, and the list as long as it.
        unsafe { pspge_set_dirty_callback(pieces.host.instance, Some(record_range), user) };
        pieces
    }

    /// Runs some commands. Returns whether there are more, and how many draws there were so far.
    fn run(&mut self, is_first: bool, commands: u32) -> (bool, usize) {
        self.options.max_commands = u64::from(commands);
        let options = self.options;
        let result = if is_first { self.host.run(&options) } else { self.host.resume(&options) };
        (result.ending == RunEnding::Budget, usize::try_from(result.draws).expect("few draws"))
    }

    fn write(&self, address: u32, bytes: &[u8]) {
        // SAFETY: the instance lives, and there are these bytes.
        let status = unsafe { pspge_write_memory(self.host.instance, address, bytes.as_ptr(), bytes.len()) };
        assert_eq!(status, Status::Ok, "{}", self.host.error());
    }

    /// Reads 64 bytes of VRAM, which must equal another host's.
    fn compare(&self, other: &Self, offset: u32) {
        // SAFETY: the instance lives.
        let status = unsafe { pspge_flush_range(self.host.instance, VRAM + offset, 64) };
        assert_eq!(status, Status::Ok, "{}", self.host.error());
        let [bytes, expected] = [self, other].map(|host| &host.host.vram()[offset as usize..][..64]);
        assert_eq!(bytes, expected, "64 bytes from 0x{offset:x} on can be read");
    }

    /// Overwrites the corners of draws so far, which have read them already.
    fn overwrite_corners(&self, draws: usize, value: u8) {
        let words = self.host.ram()[0x80_0000..].as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
        let vaddr = words.skip_while(|word| word >> 24 != 1).map(|word| word & 0xFF_FFFF).next();
        let start = vaddr.expect("VADDR");
        self.host.ram()[start as usize..][..CORNERS * draws].fill(value);
        let size = u32::try_from(CORNERS * draws).expect("a small size");
        // SAFETY: the instance lives.
        let status = unsafe { pspge_memory_changed(self.host.instance, 0x0800_0000 + start, size) };
        assert_eq!(status, Status::Ok, "{}", self.host.error());
    }
}

#[test]
#[cfg_attr(miri, ignore = "slow: large draws")]
fn threads_draw_on_between_calls() {
    let is_reported = |reported: &[(u32, u32)], at: u32| {
        reported.iter().any(|(start, size)| (*start..*start + *size).contains(&at))
    };
    for seed in 1..=40_u64 {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let list = list(&mut random);
        let mut hosts = [(0, 0), (2, RUN_KEEP_PENDING), (3, RUN_KEEP_PENDING)]
            .map(|(threads, flags)| Pieces::new(&list, threads, flags));
        let texels: Vec<u8> = (0..0x4000_u32).map(|at| ((at * 7) >> 3).to_le_bytes()[0]).collect();
        hosts.iter().for_each(|host| host.write(VRAM + TEXTURES, &texels));
        let (mut is_first, mut goes_on) = (true, true);
        while goes_on {
            let commands = 1 + random.below(24);
            let progress = hosts.each_mut().map(|host| host.run(is_first, commands));
            assert_eq!(progress, [progress[0]; 3], "seed {seed}");
            let [(more, draws), ..] = progress;
            (is_first, goes_on) = (false, more);
            let (action, value) = (random.below(6), random.below(256).to_le_bytes()[0]);
            let (texels, pixels) =
                (TEXTURES + random.below(0x3F00), TARGETS[1] + 0x4_0000 + random.below(0x3F00));
            for host in &hosts {
                match action {
                    0 => host.write(VRAM + texels, &[value; 64]),
                    1 => host.write(START + 0x8000, &[value; 64]),
                    2 => host.compare(&hosts[0], pixels),
                    4 => {
                        host.write(VRAM + texels, &[value; 64]);
                        host.compare(&hosts[0], texels);
                    }
                    3 => host.overwrite_corners(draws, value),
                    _ => {}
                }
            }
        }
        for host in &hosts {
            // SAFETY: the instance lives.
            assert_eq!(unsafe { pspge_flush(host.host.instance) }, Status::Ok, "{}", host.host.error());
            let [vram, expected] = [&*host.host.vram(), &*hosts[0].host.vram()];
            assert!(vram == expected, "seed {seed}: the same VRAM");
            // Each host began with zeros.
            let changed = (0..).zip(vram).filter(|(_, byte)| **byte != 0).step_by(997);
            for (at, _) in changed {
                assert!(is_reported(&host.reported, VRAM + at), "seed {seed}: 0x{at:x} was not reported");
            }
        }
    }
}
