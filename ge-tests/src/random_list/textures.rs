//! Sets random textures, palettes and levels.

use pspge::ge::address::Address;
use pspge::ge::list::ListBuilder;
use pspge::ge::opcode::Opcode;

use super::TEXELS;
use crate::generate::Random;

/// Where to read a texture from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In main RAM.
    Ram,
    /// In the target, from a pixel near its start on.
    Target,
    /// In the depth buffer, through any view.
    Depth,
}

/// Enables a texture in any format; `has_palette` allows only formats with a palette.
pub(super) fn texture(list: &mut ListBuilder, random: &mut Random, place: Place, has_palette: bool) {
    let address = match place {
        Place::Ram => TEXELS,
        Place::Target => Address::new(0x0400_0000 + random.pick(&[0, 0, 0x40, 0x200, 0x2000])),
        Place::Depth => Address::new(random.pick(&[0x0411_0000, 0x0431_0000, 0x0471_0000])),
    };
    let format = match place {
        Place::Ram if has_palette => 4 + random.below(4),
        Place::Ram => random.below(11),
        // These are formats for framebuffers, and palettes on them.
        Place::Target | Place::Depth => random.below(8),
    };
    list.set(Opcode::TEXENABLE, 1).set(Opcode::TEXFORMAT, format);
    let [width, height] = [2 + random.below(6), 2 + random.below(6)];
    for level in 0..4 {
        let address = address.offset(u32::from(level) * 0x1000);
        list.set(Opcode::TEXADDR0.plus(level), address.get() & 0xFF_FFFF);
        let row = if place == Place::Ram { 16 << random.below(4) } else { 128 };
        list.set(Opcode::TEXBUFWIDTH0.plus(level), row | (address.get() >> 24) << 16);
        let smaller = |log: u32| log.saturating_sub(u32::from(level));
        list.set(Opcode::TEXSIZE0.plus(level), smaller(width) | smaller(height) << 8);
    }
    let is_swizzled = u32::from(place == Place::Ram && random.once_in(2));
    list.set(Opcode::TEXMODE, is_swizzled);
    list.set(Opcode::TEXFUNC, random.below(5) | random.below(2) << 8 | random.below(2) << 16);
    list.set(Opcode::TEXENVCOLOR, random.bits() & 0xFF_FFFF);
    list.set(Opcode::TEXWRAP, random.below(2) | random.below(2) << 8);
    list.set(Opcode::TEXFILTER, random.below(2) | random.below(2) << 8);
    list.float(Opcode::TEXSCALEU, random.pick(&[1.0, 1.0, 0.37, -2.0]));
    list.float(Opcode::TEXSCALEV, random.pick(&[1.0, 1.0, 3.01, 0.0]));
    list.float(Opcode::TEXOFFSETU, random.pick(&[0.0, 0.0, 0.25, -1.03]));
    list.set(Opcode::CLUTFORMAT, random.below(4) | random.below(3) << 2 | 0xFF00 | random.below(3) << 16);
    list.set(Opcode::CLUTADDRUPPER, (TEXELS.get() >> 8) & 0x0F_0000).set(Opcode::CLUTADDR, TEXELS.get());
    list.set(Opcode::LOADCLUT, 32);
}

/// Enables several levels, with or without their own palettes, and a way to choose the level.
pub(super) fn levels(list: &mut ListBuilder, random: &mut Random) {
    list.set(Opcode::TEXMODE, random.below(2) | random.below(2) << 8 | random.below(4) << 16);
    list.set(Opcode::TEXFILTER, random.below(8) | random.below(2) << 8);
    let bias = random.pick(&[0, 0, 8, 0x14, 0xF3]);
    list.set(Opcode::TEXLEVEL, random.below(4) | bias << 16);
    list.float(Opcode::TEXLODSLOPE, random.pick(&[0.5, 1.0, 2.3, 0.01, 17.0]));
}
