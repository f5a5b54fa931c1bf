//! The opcode of every command: number and name, one row per command.
//!
//! This list is the only place that maps a name to a number. [`super::command_table`] makes the table of argument
//! fields, classes and evidence from the same rows; the decoder, the trace, the assembler and the documentation take
//! everything they know about a command from there.
//!
//! # Invariants
//! Total over 0..=255. Every row names its evidence.

use std::fmt;

/// The number of a command. All 256 numbers are valid; unused ones have no effect.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Opcode(u8);

impl Opcode {
    /// Returns the opcode with this number.
    #[must_use]
    pub const fn new(code: u8) -> Self {
        Self(code)
    }

    /// Returns the number.
    #[must_use]
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Returns the opcode `steps` after this one: the registers of an array have consecutive numbers.
    #[must_use]
    pub const fn plus(self, steps: u8) -> Self {
        Self(self.0.wrapping_add(steps))
    }

    /// Returns the command's name in public documentation.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }

    /// Returns the opcode with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|opcode| opcode.name() == name)
    }

    /// Returns all opcodes in numerical order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=u8::MAX).map(Self)
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Hands the rows of all commands to the macro `$apply`. A row is a sentence, a name, a number, the class, the view of
/// the argument, and the evidence.
macro_rules! commands {
    ($apply:ident) => {
        $apply! {
            /// Does nothing.
            NOP = 0x00, Flow, NoArgument, Document("ge-reference §2.1");
            /// Sets the vertex pointer, relative to BASE and the offset register at this moment.
            VADDR = 0x01, Flow, RelativeAddress, Hardware("bounding/vertexaddr");
            /// Sets the index pointer, relative to BASE and the offset register at this moment.
            IADDR = 0x02, Flow, RelativeAddress, Hardware("bounding/vertexaddr");
            /// No effect is known.
            UNUSED_03 = 0x03, Unused, NoArgument, Document("ge-reference §2");
            /// Draws vertices and advances the vertex or index pointer.
            PRIM = 0x04, Draw, Prim, Hardware("primitives/*");
            /// Draws a Bezier patch.
            BEZIER = 0x05, Draw, Bezier, Hardware("primitives/bezier");
            /// Draws a B-spline patch.
            SPLINE = 0x06, Draw, Spline, Hardware("primitives/spline");
            /// Tests vertices against the drawing region, for BJUMP.
            BBOX = 0x07, Draw, BoundingBox, Hardware("bounding/*");
            /// Jumps.
            JUMP = 0x08, Flow, JumpTarget, Hardware("displaylist/alignment");
            /// Jumps where the last BBOX was outside.
            BJUMP = 0x09, Flow, JumpTarget, Hardware("bounding/count");
            /// Pushes the next address and the offset register, then jumps.
            CALL = 0x0A, Flow, JumpTarget, Hardware("displaylist/alignment");
            /// Pops address and offset register.
            RET = 0x0B, Flow, NoArgument, Hardware("ge/get");
            /// Ends the list after FINISH, or carries out the SIGNAL before it.
            END = 0x0C, Flow, End, Hardware("signals/simple");
            /// No effect is known.
            UNUSED_0D = 0x0D, Unused, NoArgument, Document("ge-reference §2");
            /// Announces a signal for the END behind it.
            SIGNAL = 0x0E, Flow, Signal, Hardware("signals/simple");
            /// Announces the end of drawing for the END behind it.
            FINISH = 0x0F, Flow, Finish, Hardware("signals/simple");
            /// Sets upper bits of relative addresses.
            BASE = 0x10, Flow, Base, Hardware("ge/get");
            /// No effect is known.
            UNUSED_11 = 0x11, Unused, NoArgument, Document("ge-reference §2");
            /// Sets the vertex layout.
            VTYPE = 0x12, State, VertexType, Hardware("vertices/*");
            /// Sets the offset register.
            OFFSETADDR = 0x13, Flow, OffsetAddress, Hardware("signals/jumps");
            /// Sets the offset register to this word's own address.
            ORIGIN = 0x14, Flow, NoArgument, Hardware("signals/jumps");
            /// Drawing rate; a corner in BBOX only. 0 for normal drawing.
            REGION1 = 0x15, State, Corner, Document("ge-reference §7.9");
            /// Inclusive bottom-right corner of the drawing region.
            REGION2 = 0x16, State, Corner, Hardware("bounding/viewport");
            /// Switches: lighting.
            LIGHTINGENABLE = 0x17, State, Switch, Hardware("commands/light");
            /// Switches: light 0.
            LIGHTENABLE0 = 0x18, State, Switch, Hardware("commands/light");
            /// Switches: light 1.
            LIGHTENABLE1 = 0x19, State, Switch, Hardware("commands/light");
            /// Switches: light 2.
            LIGHTENABLE2 = 0x1A, State, Switch, Hardware("commands/light");
            /// Switches: light 3.
            LIGHTENABLE3 = 0x1B, State, Switch, Hardware("commands/light");
            /// Switches: near-plane clipping and depth clamping instead of depth culling.
            DEPTHCLAMPENABLE = 0x1C, State, Switch, Hardware("clipping/guardband");
            /// Switches: face culling.
            CULLENABLE = 0x1D, State, Switch, Hardware("commands/cull");
            /// Switches: texturing.
            TEXENABLE = 0x1E, State, Switch, Hardware("commands/basic");
            /// Switches: fog.
            FOGENABLE = 0x1F, State, Switch, Hardware("commands/fog");
            /// Switches: dither.
            DITHERENABLE = 0x20, State, Switch, Hardware("dither/dither");
            /// Switches: blending.
            BLENDENABLE = 0x21, State, Switch, Hardware("commands/blend");
            /// Switches: alpha test.
            ALPHATESTENABLE = 0x22, State, Switch, Document("ge-reference §9.3");
            /// Switches: depth test and depth writes.
            ZTESTENABLE = 0x23, State, Switch, Hardware("depth/precision");
            /// Switches: stencil test.
            STENCILTESTENABLE = 0x24, State, Switch, Document("ge-reference §9.5");
            /// Switches: smooth edges.
            ANTIALIASENABLE = 0x25, State, Switch, Document("ge-reference §7.8");
            /// Switches: face culling of patches.
            PATCHCULLENABLE = 0x26, State, Switch, Document("ge-reference §7.6");
            /// Switches: colour test.
            COLORTESTENABLE = 0x27, State, Switch, Document("ge-reference §9.4");
            /// Switches: logic operation.
            LOGICOPENABLE = 0x28, State, Switch, Hardware("dither/dither");
            /// No effect is known.
            UNUSED_29 = 0x29, Unused, NoArgument, Document("ge-reference §2");
            /// Sets the element of the bone matrix to be written next.
            BONEMATRIXNUMBER = 0x2A, Matrix, MatrixNumber, Hardware("ge/get");
            /// Writes one element of the bone matrix and moves on to the next.
            BONEMATRIXDATA = 0x2B, Matrix, Scalar, Hardware("ge/get");
            /// Weight of morph frame 0.
            MORPHWEIGHT0 = 0x2C, State, Scalar, Hardware("vertices/morph");
            /// Weight of morph frame 1.
            MORPHWEIGHT1 = 0x2D, State, Scalar, Hardware("vertices/morph");
            /// Weight of morph frame 2.
            MORPHWEIGHT2 = 0x2E, State, Scalar, Hardware("vertices/morph");
            /// Weight of morph frame 3.
            MORPHWEIGHT3 = 0x2F, State, Scalar, Hardware("vertices/morph");
            /// Weight of morph frame 4.
            MORPHWEIGHT4 = 0x30, State, Scalar, Hardware("vertices/morph");
            /// Weight of morph frame 5.
            MORPHWEIGHT5 = 0x31, State, Scalar, Hardware("vertices/morph");
            /// Weight of morph frame 6.
            MORPHWEIGHT6 = 0x32, State, Scalar, Hardware("vertices/morph");
            /// Weight of morph frame 7.
            MORPHWEIGHT7 = 0x33, State, Scalar, Hardware("vertices/morph");
            /// No effect is known.
            UNUSED_34 = 0x34, Unused, NoArgument, Document("ge-reference §2");
            /// No effect is known.
            UNUSED_35 = 0x35, Unused, NoArgument, Document("ge-reference §2");
            /// Subdivision of patches.
            PATCHDIVISION = 0x36, State, PatchDivision, Hardware("primitives/bezier");
            /// Primitive of patches.
            PATCHPRIM = 0x37, State, PatchPrim, Hardware("primitives/bezier");
            /// Switches: negated generated normals and other front face of patches.
            PATCHFACING = 0x38, State, Switch, Document("ge-reference §10.2");
            /// No effect is known.
            UNUSED_39 = 0x39, Unused, NoArgument, Document("ge-reference §2");
            /// Sets the element of the world matrix to be written next.
            WORLDMATRIXNUMBER = 0x3A, Matrix, MatrixNumber, Hardware("ge/get");
            /// Writes one element of the world matrix and moves on to the next.
            WORLDMATRIXDATA = 0x3B, Matrix, Scalar, Hardware("ge/get");
            /// Sets the element of the view matrix to be written next.
            VIEWMATRIXNUMBER = 0x3C, Matrix, MatrixNumber, Hardware("ge/get");
            /// Writes one element of the view matrix and moves on to the next.
            VIEWMATRIXDATA = 0x3D, Matrix, Scalar, Hardware("ge/get");
            /// Sets the element of the projection matrix to be written next.
            PROJMATRIXNUMBER = 0x3E, Matrix, MatrixNumber, Hardware("ge/get");
            /// Writes one element of the projection matrix and moves on to the next.
            PROJMATRIXDATA = 0x3F, Matrix, Scalar, Hardware("ge/get");
            /// Sets the element of the texture matrix to be written next.
            TGENMATRIXNUMBER = 0x40, Matrix, MatrixNumber, Hardware("ge/get");
            /// Writes one element of the texture matrix and moves on to the next.
            TGENMATRIXDATA = 0x41, Matrix, Scalar, Hardware("ge/get");
            /// Half width of the viewport in pixels.
            VIEWPORTXSCALE = 0x42, State, Scalar, Hardware("depth/precision");
            /// Half height of the viewport in pixels, negative for y up.
            VIEWPORTYSCALE = 0x43, State, Scalar, Hardware("depth/precision");
            /// Half depth range of the viewport.
            VIEWPORTZSCALE = 0x44, State, Scalar, Hardware("depth/precision");
            /// Centre column of the viewport.
            VIEWPORTXCENTER = 0x45, State, Scalar, Hardware("depth/precision");
            /// Centre row of the viewport.
            VIEWPORTYCENTER = 0x46, State, Scalar, Hardware("depth/precision");
            /// Centre depth of the viewport.
            VIEWPORTZCENTER = 0x47, State, Scalar, Hardware("depth/precision");
            /// Factor of texture coordinate u.
            TEXSCALEU = 0x48, State, Scalar, Hardware("texmtx/uvs");
            /// Factor of texture coordinate v.
            TEXSCALEV = 0x49, State, Scalar, Hardware("texmtx/uvs");
            /// Added to texture coordinate u.
            TEXOFFSETU = 0x4A, State, Scalar, Hardware("texmtx/uvs");
            /// Added to texture coordinate v.
            TEXOFFSETV = 0x4B, State, Scalar, Hardware("texmtx/uvs");
            /// Screen column that becomes framebuffer column 0.
            OFFSETX = 0x4C, State, ScreenOffset, Hardware("clipping/guardband");
            /// Screen row that becomes framebuffer row 0.
            OFFSETY = 0x4D, State, ScreenOffset, Hardware("clipping/guardband");
            /// No effect is known.
            UNUSED_4E = 0x4E, Unused, NoArgument, Document("ge-reference §2");
            /// No effect is known.
            UNUSED_4F = 0x4F, Unused, NoArgument, Document("ge-reference §2");
            /// Flat or Gouraud shading.
            SHADEMODE = 0x50, State, Shade, Hardware("triangle/triangle");
            /// Switches: negated normals.
            REVERSENORMAL = 0x51, State, Switch, Hardware("texmtx/normals");
            /// No effect is known.
            UNUSED_52 = 0x52, Unused, NoArgument, Document("ge-reference §2");
            /// Material colours that the vertex colour replaces.
            MATERIALUPDATE = 0x53, State, MaterialUpdate, Hardware("commands/material");
            /// Emitted colour of the material.
            MATERIALEMISSIVE = 0x54, State, Color, Hardware("commands/material");
            /// Ambient colour of the material, and the colour of vertices without one.
            MATERIALAMBIENT = 0x55, State, Color, Hardware("commands/material");
            /// Diffuse colour of the material.
            MATERIALDIFFUSE = 0x56, State, Color, Hardware("commands/material");
            /// Specular colour of the material.
            MATERIALSPECULAR = 0x57, State, Color, Hardware("commands/material");
            /// Ambient alpha of the material, and the alpha of vertices without colour.
            MATERIALALPHA = 0x58, State, Byte, Hardware("commands/material");
            /// No effect is known.
            UNUSED_59 = 0x59, Unused, NoArgument, Document("ge-reference §2");
            /// No effect is known.
            UNUSED_5A = 0x5A, Unused, NoArgument, Document("ge-reference §2");
            /// Exponent of specular and powered diffuse light.
            MATERIALSPECULARCOEF = 0x5B, State, Scalar, Hardware("commands/light");
            /// Ambient colour of the scene.
            AMBIENTCOLOR = 0x5C, State, Color, Hardware("commands/material");
            /// Ambient alpha of the scene.
            AMBIENTALPHA = 0x5D, State, Byte, Hardware("commands/material");
            /// Whether specular light is kept apart.
            LIGHTMODE = 0x5E, State, LightMode, Document("ge-reference §6.4");
            /// Type of light 0.
            LIGHTTYPE0 = 0x5F, State, LightType, Hardware("commands/light");
            /// Type of light 1.
            LIGHTTYPE1 = 0x60, State, LightType, Hardware("commands/light");
            /// Type of light 2.
            LIGHTTYPE2 = 0x61, State, LightType, Hardware("commands/light");
            /// Type of light 3.
            LIGHTTYPE3 = 0x62, State, LightType, Hardware("commands/light");
            /// Position or direction of light 0, x.
            LX0 = 0x63, State, Scalar, Hardware("commands/light");
            /// Position or direction of light 0, y.
            LY0 = 0x64, State, Scalar, Hardware("commands/light");
            /// Position or direction of light 0, z.
            LZ0 = 0x65, State, Scalar, Hardware("commands/light");
            /// Position or direction of light 1, x.
            LX1 = 0x66, State, Scalar, Hardware("commands/light");
            /// Position or direction of light 1, y.
            LY1 = 0x67, State, Scalar, Hardware("commands/light");
            /// Position or direction of light 1, z.
            LZ1 = 0x68, State, Scalar, Hardware("commands/light");
            /// Position or direction of light 2, x.
            LX2 = 0x69, State, Scalar, Hardware("commands/light");
            /// Position or direction of light 2, y.
            LY2 = 0x6A, State, Scalar, Hardware("commands/light");
            /// Position or direction of light 2, z.
            LZ2 = 0x6B, State, Scalar, Hardware("commands/light");
            /// Position or direction of light 3, x.
            LX3 = 0x6C, State, Scalar, Hardware("commands/light");
            /// Position or direction of light 3, y.
            LY3 = 0x6D, State, Scalar, Hardware("commands/light");
            /// Position or direction of light 3, z.
            LZ3 = 0x6E, State, Scalar, Hardware("commands/light");
            /// Direction of spot light 0, x.
            LDX0 = 0x6F, State, Scalar, Hardware("commands/light");
            /// Direction of spot light 0, y.
            LDY0 = 0x70, State, Scalar, Hardware("commands/light");
            /// Direction of spot light 0, z.
            LDZ0 = 0x71, State, Scalar, Hardware("commands/light");
            /// Direction of spot light 1, x.
            LDX1 = 0x72, State, Scalar, Hardware("commands/light");
            /// Direction of spot light 1, y.
            LDY1 = 0x73, State, Scalar, Hardware("commands/light");
            /// Direction of spot light 1, z.
            LDZ1 = 0x74, State, Scalar, Hardware("commands/light");
            /// Direction of spot light 2, x.
            LDX2 = 0x75, State, Scalar, Hardware("commands/light");
            /// Direction of spot light 2, y.
            LDY2 = 0x76, State, Scalar, Hardware("commands/light");
            /// Direction of spot light 2, z.
            LDZ2 = 0x77, State, Scalar, Hardware("commands/light");
            /// Direction of spot light 3, x.
            LDX3 = 0x78, State, Scalar, Hardware("commands/light");
            /// Direction of spot light 3, y.
            LDY3 = 0x79, State, Scalar, Hardware("commands/light");
            /// Direction of spot light 3, z.
            LDZ3 = 0x7A, State, Scalar, Hardware("commands/light");
            /// Attenuation of light 0, constant term.
            LKA0 = 0x7B, State, Scalar, Hardware("commands/light");
            /// Attenuation of light 0, linear term.
            LKB0 = 0x7C, State, Scalar, Hardware("commands/light");
            /// Attenuation of light 0, quadratic term.
            LKC0 = 0x7D, State, Scalar, Hardware("commands/light");
            /// Attenuation of light 1, constant term.
            LKA1 = 0x7E, State, Scalar, Hardware("commands/light");
            /// Attenuation of light 1, linear term.
            LKB1 = 0x7F, State, Scalar, Hardware("commands/light");
            /// Attenuation of light 1, quadratic term.
            LKC1 = 0x80, State, Scalar, Hardware("commands/light");
            /// Attenuation of light 2, constant term.
            LKA2 = 0x81, State, Scalar, Hardware("commands/light");
            /// Attenuation of light 2, linear term.
            LKB2 = 0x82, State, Scalar, Hardware("commands/light");
            /// Attenuation of light 2, quadratic term.
            LKC2 = 0x83, State, Scalar, Hardware("commands/light");
            /// Attenuation of light 3, constant term.
            LKA3 = 0x84, State, Scalar, Hardware("commands/light");
            /// Attenuation of light 3, linear term.
            LKB3 = 0x85, State, Scalar, Hardware("commands/light");
            /// Attenuation of light 3, quadratic term.
            LKC3 = 0x86, State, Scalar, Hardware("commands/light");
            /// Spot exponent of light 0.
            LKS0 = 0x87, State, Scalar, Hardware("commands/light");
            /// Spot exponent of light 1.
            LKS1 = 0x88, State, Scalar, Hardware("commands/light");
            /// Spot exponent of light 2.
            LKS2 = 0x89, State, Scalar, Hardware("commands/light");
            /// Spot exponent of light 3.
            LKS3 = 0x8A, State, Scalar, Hardware("commands/light");
            /// Spot cutoff of light 0, a cosine.
            LKO0 = 0x8B, State, Scalar, Hardware("commands/light");
            /// Spot cutoff of light 1, a cosine.
            LKO1 = 0x8C, State, Scalar, Hardware("commands/light");
            /// Spot cutoff of light 2, a cosine.
            LKO2 = 0x8D, State, Scalar, Hardware("commands/light");
            /// Spot cutoff of light 3, a cosine.
            LKO3 = 0x8E, State, Scalar, Hardware("commands/light");
            /// Ambient colour of light 0.
            LAC0 = 0x8F, State, Color, Hardware("commands/light");
            /// Diffuse colour of light 0.
            LDC0 = 0x90, State, Color, Hardware("commands/light");
            /// Specular colour of light 0.
            LSC0 = 0x91, State, Color, Hardware("commands/light");
            /// Ambient colour of light 1.
            LAC1 = 0x92, State, Color, Hardware("commands/light");
            /// Diffuse colour of light 1.
            LDC1 = 0x93, State, Color, Hardware("commands/light");
            /// Specular colour of light 1.
            LSC1 = 0x94, State, Color, Hardware("commands/light");
            /// Ambient colour of light 2.
            LAC2 = 0x95, State, Color, Hardware("commands/light");
            /// Diffuse colour of light 2.
            LDC2 = 0x96, State, Color, Hardware("commands/light");
            /// Specular colour of light 2.
            LSC2 = 0x97, State, Color, Hardware("commands/light");
            /// Ambient colour of light 3.
            LAC3 = 0x98, State, Color, Hardware("commands/light");
            /// Diffuse colour of light 3.
            LDC3 = 0x99, State, Color, Hardware("commands/light");
            /// Specular colour of light 3.
            LSC3 = 0x9A, State, Color, Hardware("commands/light");
            /// Which faces are dropped.
            CULL = 0x9B, State, Cull, Hardware("commands/cull");
            /// Framebuffer's offset in VRAM.
            FRAMEBUFPTR = 0x9C, State, BufferAddress, Document("ge-reference §1.1");
            /// Framebuffer's row length.
            FRAMEBUFWIDTH = 0x9D, State, BufferWidth, Document("ge-reference §2.5");
            /// Depth buffer's offset in VRAM.
            ZBUFPTR = 0x9E, State, BufferAddress, Document("ge-reference §1.1");
            /// Depth buffer's row length.
            ZBUFWIDTH = 0x9F, State, BufferWidth, Document("ge-reference §2.5");
            /// Address of texture level 0, low bits.
            TEXADDR0 = 0xA0, State, TextureAddress, Document("ge-reference §8.2");
            /// Address of texture level 1, low bits.
            TEXADDR1 = 0xA1, State, TextureAddress, Document("ge-reference §8.2");
            /// Address of texture level 2, low bits.
            TEXADDR2 = 0xA2, State, TextureAddress, Document("ge-reference §8.2");
            /// Address of texture level 3, low bits.
            TEXADDR3 = 0xA3, State, TextureAddress, Document("ge-reference §8.2");
            /// Address of texture level 4, low bits.
            TEXADDR4 = 0xA4, State, TextureAddress, Document("ge-reference §8.2");
            /// Address of texture level 5, low bits.
            TEXADDR5 = 0xA5, State, TextureAddress, Document("ge-reference §8.2");
            /// Address of texture level 6, low bits.
            TEXADDR6 = 0xA6, State, TextureAddress, Document("ge-reference §8.2");
            /// Address of texture level 7, low bits.
            TEXADDR7 = 0xA7, State, TextureAddress, Document("ge-reference §8.2");
            /// Row length of texture level 0 and upper bits of its address.
            TEXBUFWIDTH0 = 0xA8, State, TextureBufferWidth, Document("ge-reference §8.2");
            /// Row length of texture level 1 and upper bits of its address.
            TEXBUFWIDTH1 = 0xA9, State, TextureBufferWidth, Document("ge-reference §8.2");
            /// Row length of texture level 2 and upper bits of its address.
            TEXBUFWIDTH2 = 0xAA, State, TextureBufferWidth, Document("ge-reference §8.2");
            /// Row length of texture level 3 and upper bits of its address.
            TEXBUFWIDTH3 = 0xAB, State, TextureBufferWidth, Document("ge-reference §8.2");
            /// Row length of texture level 4 and upper bits of its address.
            TEXBUFWIDTH4 = 0xAC, State, TextureBufferWidth, Document("ge-reference §8.2");
            /// Row length of texture level 5 and upper bits of its address.
            TEXBUFWIDTH5 = 0xAD, State, TextureBufferWidth, Document("ge-reference §8.2");
            /// Row length of texture level 6 and upper bits of its address.
            TEXBUFWIDTH6 = 0xAE, State, TextureBufferWidth, Document("ge-reference §8.2");
            /// Row length of texture level 7 and upper bits of its address.
            TEXBUFWIDTH7 = 0xAF, State, TextureBufferWidth, Document("ge-reference §8.2");
            /// Address of the palette, low bits.
            CLUTADDR = 0xB0, State, ClutAddress, Hardware("clut/address");
            /// Address of the palette, upper bits.
            CLUTADDRUPPER = 0xB1, State, ClutAddressUpper, Hardware("clut/address");
            /// Source of a block transfer, low bits of the address.
            TRANSFERSRC = 0xB2, State, TransferAddress, Hardware("transfer/overlap");
            /// Source of a block transfer, row length and upper bits.
            TRANSFERSRCW = 0xB3, State, TransferWidth, Hardware("commands/blocktransfer");
            /// Destination of a block transfer, low bits of the address.
            TRANSFERDST = 0xB4, State, TransferAddress, Hardware("transfer/overlap");
            /// Destination of a block transfer, row length and upper bits.
            TRANSFERDSTW = 0xB5, State, TransferWidth, Hardware("commands/blocktransfer");
            /// No effect is known.
            UNUSED_B6 = 0xB6, Unused, NoArgument, Document("ge-reference §2");
            /// No effect is known.
            UNUSED_B7 = 0xB7, Unused, NoArgument, Document("ge-reference §2");
            /// Size of texture level 0.
            TEXSIZE0 = 0xB8, State, TextureSize, Hardware("textures/size");
            /// Size of texture level 1.
            TEXSIZE1 = 0xB9, State, TextureSize, Hardware("textures/size");
            /// Size of texture level 2.
            TEXSIZE2 = 0xBA, State, TextureSize, Hardware("textures/size");
            /// Size of texture level 3.
            TEXSIZE3 = 0xBB, State, TextureSize, Hardware("textures/size");
            /// Size of texture level 4.
            TEXSIZE4 = 0xBC, State, TextureSize, Hardware("textures/size");
            /// Size of texture level 5.
            TEXSIZE5 = 0xBD, State, TextureSize, Hardware("textures/size");
            /// Size of texture level 6.
            TEXSIZE6 = 0xBE, State, TextureSize, Hardware("textures/size");
            /// Size of texture level 7.
            TEXSIZE7 = 0xBF, State, TextureSize, Hardware("textures/size");
            /// Texture coordinate generation.
            TEXMAPMODE = 0xC0, State, TextureMap, Hardware("texmtx/source");
            /// Lights of the environment map.
            TEXSHADELS = 0xC1, State, TextureShade, Document("ge-reference §6.5");
            /// Texture layout.
            TEXMODE = 0xC2, State, TextureMode, Document("ge-reference §8.2");
            /// Texel format.
            TEXFORMAT = 0xC3, State, TextureFormat, Hardware("texcolors/*");
            /// Loads the palette.
            LOADCLUT = 0xC4, Load, LoadClut, Hardware("clut/address");
            /// Palette format and index arithmetic.
            CLUTFORMAT = 0xC5, State, ClutFormat, Hardware("clut/masks");
            /// Texture filters.
            TEXFILTER = 0xC6, State, TextureFilter, Hardware("filtering/*");
            /// Texture coordinates beyond the edges.
            TEXWRAP = 0xC7, State, TextureWrap, Document("ge-reference §8.6");
            /// Mipmap level choice.
            TEXLEVEL = 0xC8, State, TextureLevel, Hardware("textures/mipmap");
            /// Texture function.
            TEXFUNC = 0xC9, State, TextureFunc, Hardware("texfunc/*");
            /// Colour of the texture function BLEND.
            TEXENVCOLOR = 0xCA, State, Color, Hardware("texfunc/blend");
            /// Empties the texture cache.
            TEXFLUSH = 0xCB, Load, NoArgument, Document("ge-reference §8.3");
            /// Waits for texture transfers.
            TEXSYNC = 0xCC, Load, NoArgument, Document("ge-reference §8.3");
            /// Fog end.
            FOG1 = 0xCD, State, Scalar, Hardware("commands/fog");
            /// Fog slope.
            FOG2 = 0xCE, State, Scalar, Hardware("commands/fog");
            /// Fog colour.
            FOGCOLOR = 0xCF, State, Color, Hardware("commands/fog");
            /// Slope of the mipmap level.
            TEXLODSLOPE = 0xD0, State, Scalar, Hardware("filtering/mipmaplinear");
            /// No effect is known.
            UNUSED_D1 = 0xD1, Unused, NoArgument, Document("ge-reference §2");
            /// Framebuffer format.
            FRAMEBUFPIXFORMAT = 0xD2, State, FramebufferFormat, Hardware("dither/dither");
            /// Clear mode.
            CLEARMODE = 0xD3, State, ClearMode, Hardware("dither/dither");
            /// Top-left corner of the scissor, inclusive.
            SCISSOR1 = 0xD4, State, Corner, Hardware("bounding/viewport");
            /// Bottom-right corner of the scissor, inclusive.
            SCISSOR2 = 0xD5, State, Corner, Hardware("bounding/viewport");
            /// Least depth that is drawn.
            MINZ = 0xD6, State, DepthLimit, Document("ge-reference §5.5");
            /// Greatest depth that is drawn.
            MAXZ = 0xD7, State, DepthLimit, Document("ge-reference §5.5");
            /// Colour test.
            COLORTEST = 0xD8, State, ColorTest, Document("ge-reference §9.4");
            /// Reference of the colour test.
            COLORREF = 0xD9, State, ColorReference, Document("ge-reference §9.4");
            /// Mask of the colour test.
            COLORTESTMASK = 0xDA, State, ColorReference, Document("ge-reference §9.4");
            /// Alpha test.
            ALPHATEST = 0xDB, State, MaskedTest, Document("ge-reference §9.3");
            /// Stencil test.
            STENCILTEST = 0xDC, State, MaskedTest, Document("ge-reference §9.5");
            /// Stencil operations.
            STENCILOP = 0xDD, State, StencilOperations, Document("ge-reference §9.5");
            /// Depth test.
            ZTEST = 0xDE, State, DepthTest, Hardware("depth/precision");
            /// Blending.
            BLENDMODE = 0xDF, State, BlendMode, Hardware("commands/blend");
            /// Fixed source factor.
            BLENDFIXEDA = 0xE0, State, Color, Hardware("commands/blend");
            /// Fixed destination factor.
            BLENDFIXEDB = 0xE1, State, Color, Hardware("commands/blend");
            /// Row 0 of the dither matrix.
            DITH0 = 0xE2, State, DitherRow, Hardware("dither/dither");
            /// Row 1 of the dither matrix.
            DITH1 = 0xE3, State, DitherRow, Hardware("dither/dither");
            /// Row 2 of the dither matrix.
            DITH2 = 0xE4, State, DitherRow, Hardware("dither/dither");
            /// Row 3 of the dither matrix.
            DITH3 = 0xE5, State, DitherRow, Hardware("dither/dither");
            /// Logic operation.
            LOGICOP = 0xE6, State, LogicOp, Hardware("dither/dither");
            /// Switches: no depth writes.
            ZWRITEDISABLE = 0xE7, State, Switch, Document("ge-reference §9.6");
            /// Protected bits of the colour.
            MASKRGB = 0xE8, State, ColorMask, Hardware("dither/dither");
            /// Protected bits of the stencil.
            MASKALPHA = 0xE9, State, AlphaMask, Document("ge-reference §9.10");
            /// Copies a block.
            TRANSFERSTART = 0xEA, Load, TransferStart, Hardware("commands/blocktransfer");
            /// Source corner of a block transfer.
            TRANSFERSRCPOS = 0xEB, State, TransferPosition, Hardware("commands/blocktransfer");
            /// Destination corner of a block transfer.
            TRANSFERDSTPOS = 0xEC, State, TransferPosition, Hardware("commands/blocktransfer");
            /// No effect is known.
            UNUSED_ED = 0xED, Unused, NoArgument, Document("ge-reference §2");
            /// Size of a block transfer, each less one.
            TRANSFERSIZE = 0xEE, State, TransferPosition, Hardware("commands/blocktransfer");
            /// No effect is known.
            UNUSED_EF = 0xEF, Unused, NoArgument, Document("ge-reference §2");
            /// Column of the immediate vertex, 12.4.
            VSCX = 0xF0, Immediate, ImmediateCoordinate, Hardware("primitives/immediate");
            /// Row of the immediate vertex, 12.4.
            VSCY = 0xF1, Immediate, ImmediateCoordinate, Hardware("primitives/immediate");
            /// Depth of the immediate vertex.
            VSCZ = 0xF2, Immediate, ImmediateCoordinate, Hardware("primitives/immediate");
            /// Texture coordinate s of the immediate vertex.
            VTCS = 0xF3, Immediate, Scalar, Hardware("primitives/immediate");
            /// Texture coordinate t of the immediate vertex.
            VTCT = 0xF4, Immediate, Scalar, Hardware("primitives/immediate");
            /// Texture coordinate q of the immediate vertex.
            VTCQ = 0xF5, Immediate, Scalar, Hardware("primitives/immediate");
            /// Colour of the immediate vertex.
            VCV = 0xF6, Immediate, Color, Hardware("primitives/immediate");
            /// Emits the immediate vertex.
            VAP = 0xF7, Immediate, ImmediateVertex, Hardware("primitives/immediate");
            /// Fog coefficient of the immediate vertex.
            VFC = 0xF8, Immediate, Byte, Hardware("primitives/immediate");
            /// Secondary colour of the immediate vertex.
            VSCV = 0xF9, Immediate, Color, Hardware("primitives/immediate");
            /// No effect is known.
            UNUSED_FA = 0xFA, Unused, NoArgument, Document("ge-reference §2");
            /// No effect is known.
            UNUSED_FB = 0xFB, Unused, NoArgument, Document("ge-reference §2");
            /// No effect is known.
            UNUSED_FC = 0xFC, Unused, NoArgument, Document("ge-reference §2");
            /// No effect is known.
            UNUSED_FD = 0xFD, Unused, NoArgument, Document("ge-reference §2");
            /// No effect is known.
            UNUSED_FE = 0xFE, Unused, NoArgument, Document("ge-reference §2");
            /// Does nothing.
            NOP_FF = 0xFF, Flow, NoArgument, Document("ge-reference §2.7");
        }
    };
}
pub(super) use commands;

macro_rules! declare_opcodes {
    ($(#[doc = $doc:literal] $name:ident = $code:literal, $class:ident, $view:ident, $evidence:ident($source:literal);)*) => {
        impl Opcode {
            $(#[doc = $doc] #[doc = concat!("\n\nEvidence: ", stringify!($evidence), " `", $source, "`.")]
            pub const $name: Self = Self($code);)*
        }

        /// Names in numerical order.
        static NAMES: [&str; 256] = [$(stringify!($name)),*];
    };
}

commands!(declare_opcodes);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for opcode in Opcode::all() {
            assert_eq!(Opcode::from_name(opcode.name()), Some(opcode), "{opcode} is unique");
        }
        assert_eq!(Opcode::NOP_FF.name(), "NOP_FF", "rows are in numerical order");
    }
}
