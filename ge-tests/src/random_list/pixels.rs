//! Sets a random target and random pixel tests.

use pspge::ge::list::ListBuilder;
use pspge::ge::opcode::Opcode;

use crate::generate::Random;

/// Sets a framebuffer with 128×100 pixels at the start of VRAM, and a depth buffer.
pub(super) fn target(list: &mut ListBuilder, random: &mut Random) {
    list.set(Opcode::FRAMEBUFPTR, 0).set(Opcode::FRAMEBUFWIDTH, 128);
    list.set(Opcode::FRAMEBUFPIXFORMAT, random.below(4));
    list.set(Opcode::ZBUFPTR, 0x11_0000).set(Opcode::ZBUFWIDTH, 128);
    list.set(Opcode::SCISSOR2, 127 | 99 << 10).set(Opcode::REGION2, 127 | 99 << 10);
    list.set(Opcode::MAXZ, 0xFFFF);
}

/// Sets shading, tests and blending, each only sometimes, to try them alone and together.
pub(super) fn tests(list: &mut ListBuilder, random: &mut Random) {
    list.set(Opcode::SHADEMODE, u32::from(!random.once_in(4)));
    list.set(Opcode::CULLENABLE, u32::from(random.once_in(4))).set(Opcode::CULL, random.below(2));
    if random.once_in(2) {
        list.set(Opcode::ZTESTENABLE, 1).set(Opcode::ZTEST, random.pick(&[1, 1, 4, 5, 6, 7]));
    }
    if random.once_in(3) {
        list.set(Opcode::BLENDENABLE, 1);
        list.set(Opcode::BLENDMODE, random.below(11) | random.below(11) << 4 | random.below(6) << 8);
        list.set(Opcode::BLENDFIXEDA, random.bits() & 0xFF_FFFF);
        list.set(Opcode::BLENDFIXEDB, random.bits() & 0xFF_FFFF);
    }
    if random.once_in(5) {
        list.set(Opcode::DITHERENABLE, 1);
        for row in 0..4 {
            list.set(Opcode::DITH0.plus(row), random.bits() & 0xFFFF);
        }
    }
    if random.once_in(8) {
        let operations = random.below(6) | random.below(6) << 8 | random.below(6) << 16;
        list.set(Opcode::STENCILTESTENABLE, 1).set(Opcode::STENCILOP, operations);
        list.set(Opcode::STENCILTEST, random.pick(&[1, 4, 7]) | (random.bits() & 0xFF) << 8 | 0xFF_0000);
    }
    if random.once_in(10) {
        list.set(Opcode::MINZ, random.below(0x4000)).set(Opcode::MAXZ, 0xA000 + random.below(0x6000));
    }
}
