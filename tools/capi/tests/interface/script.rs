//! Random scripts for a host: lists with draws of all kinds, and actions that a CPU may take between their parts.

use pspge::{Command, Opcode};

/// Where lists, textures, palettes, vertices and indices are, as offsets in main RAM.
pub(crate) const LISTS: usize = 0x1000;
const TEXTURES: usize = 0x2_0000;
const PALETTES: usize = 0x3_0000;
const VERTICES: usize = 0x4_0000;
const INDICES: usize = 0x5_0000;
/// Where all of this ends.
const DATA_END: usize = 0x6_0000;
const RAM: u32 = 0x0800_0000;
const VRAM: u32 = 0x0400_0000;

/// Generates random numbers by xorshift, the same on every run.
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns a number below `end`.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from(self.0 >> 33).expect("31 bits") % end
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(u32::try_from(choices.len()).expect("few choices")) as usize]
    }
}

/// Fills a host's data with bytes that give visible draws.
pub(crate) fn fill_data(random: &mut Random, ram: &mut [u8]) {
    for byte in &mut ram[TEXTURES..VERTICES] {
        *byte = random.below(256).to_le_bytes()[0];
    }
    for pair in ram[VERTICES..INDICES].as_chunks_mut().0 {
        let value = u16::try_from(random.below(72)).expect("a small number");
        *pair = value.to_le_bytes();
    }
    for byte in &mut ram[INDICES..DATA_END] {
        *byte = random.below(24).to_le_bytes()[0];
    }
}

/// Returns a place in main RAM where a CPU may change bytes, and how many.
pub(crate) fn written_data(random: &mut Random) -> (usize, usize) {
    let area = random.pick(&[TEXTURES, PALETTES, VERTICES, INDICES]);
    (area + random.below(0x400) as usize, 1 + random.below(600) as usize)
}

/// Builds a random list, up to its FINISH and END.
#[derive(Debug, Default)]
pub(crate) struct List {
    pub(crate) words: Vec<u32>,
}

impl List {
    pub(crate) fn push(&mut self, opcode: Opcode, argument: u32) {
        self.words.push(Command::new(opcode, argument & 0xFF_FFFF).word());
    }

    /// Starts with the state that all draws need.
    pub(crate) fn with_state() -> Self {
        let mut list = Self::default();
        let float = |value: f32| value.to_bits() >> 8;
        for (opcode, argument) in [
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::FRAMEBUFPIXFORMAT, 3),
            (Opcode::ZBUFPTR, 0x11_0000),
            (Opcode::ZBUFWIDTH, 64),
            (Opcode::SCISSOR2, 63 | 63 << 10),
            (Opcode::REGION2, 63 | 63 << 10),
            (Opcode::MAXZ, 0xFFFF),
            (Opcode::VIEWPORTXSCALE, float(32.0)),
            (Opcode::VIEWPORTYSCALE, float(-32.0)),
            (Opcode::VIEWPORTZSCALE, float(30000.0)),
            (Opcode::VIEWPORTXCENTER, float(2048.0 + 32.0)),
            (Opcode::VIEWPORTYCENTER, float(2048.0 + 32.0)),
            (Opcode::VIEWPORTZCENTER, float(30000.0)),
            (Opcode::OFFSETX, 2048 * 16),
            (Opcode::OFFSETY, 2048 * 16),
            (Opcode::TEXSCALEU, float(1.0)),
            (Opcode::TEXSCALEV, float(1.0)),
            (Opcode::PATCHDIVISION, 4 | 4 << 8),
            (Opcode::MATERIALAMBIENT, 0xFF_FFFF),
            (Opcode::MATERIALALPHA, 0xFF),
            (Opcode::AMBIENTCOLOR, 0x40_4040),
            (Opcode::LIGHTENABLE0, 1),
            (Opcode::LZ0, float(1.0)),
            (Opcode::LDC0, 0xFF_FFFF),
            (Opcode::TEXFORMAT, 5),
            (Opcode::CLUTFORMAT, 0xFF03),
            (Opcode::TEXSIZE0, 4 | 4 << 8),
            (Opcode::TEXADDR0, 0x02_0000),
            (Opcode::TEXBUFWIDTH0, 0x08_0010),
        ] {
            list.push(opcode, argument);
        }
        // Vertex numbers go up to 72 / 32768, so the world is 400 times as large.
        for (number, data, columns, scale) in [
            (Opcode::WORLDMATRIXNUMBER, Opcode::WORLDMATRIXDATA, 3, 400.0),
            (Opcode::VIEWMATRIXNUMBER, Opcode::VIEWMATRIXDATA, 3, 1.0),
            (Opcode::PROJMATRIXNUMBER, Opcode::PROJMATRIXDATA, 4, 1.0),
        ] {
            list.push(number, 0);
            for at in 0..columns * 4 {
                let is_diagonal = at / columns == at % columns;
                list.push(data, if is_diagonal { float(scale) } else { 0 });
            }
        }
        list
    }

    /// Adds random commands. Vertex addresses are absolute, so parts may run in any order.
    pub(crate) fn add(&mut self, random: &mut Random, count: u32) {
        for _ in 0..count {
            match random.below(24) {
                0..=3 => self.state(random),
                4 => self.targets(random),
                5 => self.texture(random),
                6 => self.palette(random),
                7 | 8 => self.transfer(random),
                9 => self.push(Opcode::TEXFLUSH, 0),
                10 => self.immediate(random),
                11 => self.patch(random),
                12 => {
                    self.push(Opcode::WORLDMATRIXNUMBER, 0);
                    self.push(Opcode::WORLDMATRIXDATA, (200.0_f32 + random.below(400) as f32).to_bits() >> 8);
                }
                13 => {
                    self.vertices(random);
                    self.push(Opcode::BBOX, 8);
                }
                14 => self.push(Opcode::PRIM, 7 << 16 | random.below(5)),
                15 => {
                    self.push(Opcode::SIGNAL, 0x02_0000 | random.below(100));
                    self.push(Opcode::END, 0);
                }
                _ => {
                    self.vertices(random);
                    self.push(Opcode::PRIM, random.below(7) << 16 | random.below(12));
                }
            }
        }
    }

    pub(crate) fn finish(&mut self) {
        self.push(Opcode::FINISH, 0);
        self.push(Opcode::END, 0);
    }

    fn state(&mut self, random: &mut Random) {
        let (opcode, values): (Opcode, &[u32]) = random.pick(&[
            (Opcode::TEXENABLE, &[0, 1, 1]),
            (Opcode::BLENDENABLE, &[0, 1]),
            (Opcode::BLENDMODE, &[0x32, 0xAA, 0x202, 0x532]),
            (Opcode::ZTESTENABLE, &[0, 1]),
            (Opcode::ZTEST, &[1, 3, 4, 7]),
            (Opcode::ZWRITEDISABLE, &[0, 0, 1]),
            (Opcode::ALPHATESTENABLE, &[0, 1]),
            (Opcode::ALPHATEST, &[0xFF_8006, 0xFF_2004]),
            (Opcode::STENCILTESTENABLE, &[0, 1]),
            (Opcode::STENCILTEST, &[0xFF_0001, 0x0F_0304]),
            (Opcode::STENCILOP, &[0, 0x0004_0201, 0x0002_0302]),
            (Opcode::SHADEMODE, &[0, 1]),
            (Opcode::CULLENABLE, &[0, 0, 1]),
            (Opcode::LIGHTINGENABLE, &[0, 1]),
            (Opcode::DITHERENABLE, &[0, 1]),
            (Opcode::TEXFUNC, &[0x100, 0x103, 0x101, 3]),
            (Opcode::TEXFILTER, &[0, 0x101]),
            (Opcode::TEXWRAP, &[0, 0x101]),
            (Opcode::MASKRGB, &[0, 0, 0x0F_00F0]),
            (Opcode::CLEARMODE, &[0, 0, 0, 0x701]),
            (Opcode::PATCHDIVISION, &[0x404, 0x102, 0x303]),
        ]);
        self.push(opcode, random.pick(values));
    }

    fn targets(&mut self, random: &mut Random) {
        self.push(Opcode::FRAMEBUFPTR, random.pick(&[0, 0, 0x4000, 0x8000]));
        self.push(Opcode::FRAMEBUFPIXFORMAT, random.pick(&[3, 3, 0, 1, 2]));
    }

    fn texture(&mut self, random: &mut Random) {
        let is_vram = random.below(3) == 0;
        let place = if is_vram {
            VRAM + random.pick(&[0, 0x4000, 0x8000, 0x1_0000])
        } else {
            RAM + u32::try_from(TEXTURES).expect("an offset") + random.below(4) * 0x400
        };
        self.push(Opcode::TEXADDR0, place);
        self.push(Opcode::TEXBUFWIDTH0, place >> 8 & 0xFF_0000 | random.pick(&[16, 64]));
        self.push(Opcode::TEXFORMAT, random.pick(&[5, 4, 3, 0]));
        self.push(Opcode::TEXMODE, random.pick(&[0, 1]));
    }

    fn palette(&mut self, random: &mut Random) {
        let place = if random.below(4) == 0 {
            VRAM + random.pick(&[0, 0x4000, 0x1_0000])
        } else {
            RAM + u32::try_from(PALETTES).expect("an offset") + random.below(8) * 64
        };
        self.push(Opcode::CLUTADDR, place);
        self.push(Opcode::CLUTADDRUPPER, place >> 8);
        self.push(Opcode::LOADCLUT, random.pick(&[8, 16, 32]));
    }

    fn transfer(&mut self, random: &mut Random) {
        let textures = RAM + u32::try_from(TEXTURES).expect("an offset");
        let from = random.pick(&[textures, textures + 0x100, VRAM, VRAM + 0x4000, VRAM + 0x1_0000]);
        let to = random.pick(&[VRAM, VRAM + 0x4000, VRAM + 0x1_0000, VRAM + 0x40, textures + 0x800]);
        self.push(Opcode::TRANSFERSRC, from);
        self.push(Opcode::TRANSFERSRCW, from >> 8 & 0xFF_0000 | 64);
        self.push(Opcode::TRANSFERDST, to);
        self.push(Opcode::TRANSFERDSTW, to >> 8 & 0xFF_0000 | 64);
        self.push(Opcode::TRANSFERSRCPOS, random.below(20) | random.below(8) << 10);
        self.push(Opcode::TRANSFERDSTPOS, random.below(20) | random.below(8) << 10);
        self.push(Opcode::TRANSFERSIZE, random.below(30) | random.below(20) << 10);
        self.push(Opcode::TRANSFERSTART, random.below(2));
    }

    fn immediate(&mut self, random: &mut Random) {
        self.push(Opcode::VTYPE, 0);
        let primitive = random.below(8);
        for number in 0..1 + random.below(5) {
            self.push(Opcode::VSCX, 2048 * 16 + random.below(64 * 16));
            self.push(Opcode::VSCY, 2048 * 16 + random.below(64 * 16));
            self.push(Opcode::VSCZ, random.below(0xFFFF));
            self.push(Opcode::VTCQ, 0x3F_8000);
            self.push(Opcode::VCV, random.below(0x100_0000));
            self.push(Opcode::VFC, 255);
            self.push(Opcode::VAP, 0xFF | if number == 0 { primitive } else { 7 } << 8);
        }
    }

    fn patch(&mut self, random: &mut Random) {
        self.vertices(random);
        self.push(Opcode::BEZIER, 4 | 4 << 8);
    }

    /// Selects vertices: with or without texture coordinates, colour, normal and indices, transformed or not.
    fn vertices(&mut self, random: &mut Random) {
        let through = 1 << 23 | random.pick(&[0, 2, 7 << 2, 7 << 2 | 2]);
        let transformed = random.pick(&[0, 2, 7 << 2, 1 << 5, 2 | 1 << 5]);
        let kind = if random.below(2) == 0 { through } else { transformed };
        let indexed = random.pick(&[0, 0, 1 << 11]);
        self.push(Opcode::VTYPE, kind | 2 << 7 | indexed);
        self.push(Opcode::BASE, RAM >> 8);
        self.push(Opcode::OFFSETADDR, 0);
        let place = |area: usize, offset: u32| u32::try_from(area).expect("an offset") + offset;
        self.push(Opcode::VADDR, place(VERTICES, random.below(64) * 16));
        self.push(Opcode::IADDR, place(INDICES, random.below(64)));
    }
}
