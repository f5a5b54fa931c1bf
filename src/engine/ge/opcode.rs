//! The opcodes: a row for each command, with its number and name.
//!
//! Only this list maps names to numbers. [`super::command_table`] uses the same rows to build its table with
//! argument fields, classes and evidence, so that the decoder, the trace, the assembler and the documentation agree.
//!
//! # Invariants
//! Every number in 0..=255 has a row, and every row names its evidence.

use std::fmt;

/// A command's number. All 256 numbers are valid; unused numbers have no effect. Source:
/// [commands](crate::reference::ge::commands).
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::Opcode;
///
/// assert_eq!(Opcode::from_name("PRIM"), Some(Opcode::PRIM));
/// assert_eq!(Opcode::new(0x9B).name(), "CULL");
/// println!("{}", Opcode::CULL.info().doc);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Opcode(u8);

impl Opcode {
    /// Creates the opcode with this number.
    #[must_use]
    pub const fn new(code: u8) -> Self {
        Self(code)
    }

    /// Returns this command's number.
    #[must_use]
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Returns the opcode `steps` after this opcode. Use this for register arrays such as the lights, which have
    /// consecutive numbers.
    #[must_use]
    pub const fn plus(self, steps: u8) -> Self {
        Self(self.0.wrapping_add(steps))
    }

    /// Returns this command's name, as public documentation and assembly text have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }

    /// Finds an opcode by its exact name. Returns `None` if no command has this name.
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

/// Passes the rows to the macro `$apply`, because two tables need the same rows. A row is a sentence for the
/// documentation, a name, a number, the class, the argument's view, and the evidence.
macro_rules! commands {
    ($apply:ident) => {
        $apply! {
            /// Does nothing.
            NOP = 0x00, Flow, NoArgument, Document("commands#flow-and-drawing");
            /// Sets the vertex pointer to an address relative to BASE and the offset register.
            VADDR = 0x01, Flow, RelativeAddress, Hardware("bounding/vertexaddr");
            /// Sets the index pointer to an address relative to BASE and the offset register.
            IADDR = 0x02, Flow, RelativeAddress, Hardware("bounding/vertexaddr");
            /// Has no known effect.
            UNUSED_03 = 0x03, Unused, NoArgument, Document("commands#flow-and-drawing");
            /// Draws vertices and advances the vertex or index pointer.
            PRIM = 0x04, Draw, Prim, Hardware("primitives/*");
            /// Draws a Bezier patch.
            BEZIER = 0x05, Draw, Bezier, Hardware("primitives/bezier");
            /// Draws a B-spline patch.
            SPLINE = 0x06, Draw, Spline, Hardware("primitives/spline");
            /// Tests vertices against the drawing region and sets the flag for BJUMP.
            BBOX = 0x07, Draw, BoundingBox, Hardware("bounding/*");
            /// Jumps to a relative address.
            JUMP = 0x08, Flow, JumpTarget, Hardware("displaylist/alignment");
            /// Jumps to a relative address if the last BBOX was outside.
            BJUMP = 0x09, Flow, JumpTarget, Hardware("bounding/count");
            /// Pushes the next address and the offset register, then jumps to a relative address.
            CALL = 0x0A, Flow, JumpTarget, Hardware("displaylist/alignment");
            /// Returns from a CALL: pops the address and the offset register.
            RET = 0x0B, Flow, NoArgument, Hardware("ge/get");
            /// Ends the list after a FINISH, or carries out the preceding SIGNAL.
            END = 0x0C, Flow, End, Hardware("signals/simple");
            /// Has no known effect.
            UNUSED_0D = 0x0D, Unused, NoArgument, Document("commands#flow-and-drawing");
            /// Announces a signal for the following END to carry out.
            SIGNAL = 0x0E, Flow, Signal, Hardware("signals/simple");
            /// Announces that drawing ends; the following END ends the list.
            FINISH = 0x0F, Flow, Finish, Hardware("signals/simple");
            /// Sets the upper bits for relative addresses.
            BASE = 0x10, Flow, Base, Hardware("ge/get");
            /// Has no known effect.
            UNUSED_11 = 0x11, Unused, NoArgument, Document("commands#flow-and-drawing");
            /// Sets the vertex layout.
            VTYPE = 0x12, State, VertexType, Hardware("vertices/*");
            /// Sets the offset register, in units of 256 bytes.
            OFFSETADDR = 0x13, Flow, OffsetAddress, Hardware("signals/jumps");
            /// Sets the offset register to this word's own address.
            ORIGIN = 0x14, Flow, NoArgument, Hardware("signals/jumps");
            /// Sets how far to move drawing, and the region's top-left corner for BBOX.
            REGION1 = 0x15, State, Corner, Document("lists#region");
            /// Sets the drawing region's bottom-right corner, inclusive.
            REGION2 = 0x16, State, Corner, Hardware("bounding/viewport");
            /// Enables lighting.
            LIGHTINGENABLE = 0x17, State, Switch, Hardware("commands/light");
            /// Enables light 0.
            LIGHTENABLE0 = 0x18, State, Switch, Hardware("commands/light");
            /// Enables light 1.
            LIGHTENABLE1 = 0x19, State, Switch, Hardware("commands/light");
            /// Enables light 2.
            LIGHTENABLE2 = 0x1A, State, Switch, Hardware("commands/light");
            /// Enables light 3.
            LIGHTENABLE3 = 0x1B, State, Switch, Hardware("commands/light");
            /// Enables near-plane clipping and depth clamping, to replace depth culling.
            DEPTHCLAMPENABLE = 0x1C, State, Switch, Hardware("clipping/guardband");
            /// Enables face culling.
            CULLENABLE = 0x1D, State, Switch, Hardware("commands/cull");
            /// Enables texturing.
            TEXENABLE = 0x1E, State, Switch, Hardware("commands/basic");
            /// Enables fog.
            FOGENABLE = 0x1F, State, Switch, Hardware("commands/fog");
            /// Enables dithering.
            DITHERENABLE = 0x20, State, Switch, Hardware("dither/dither");
            /// Enables blending.
            BLENDENABLE = 0x21, State, Switch, Hardware("commands/blend");
            /// Enables the alpha test.
            ALPHATESTENABLE = 0x22, State, Switch, Document("pixels#alpha-test");
            /// Enables the depth test; depth writes need it too.
            ZTESTENABLE = 0x23, State, Switch, Hardware("depth/precision");
            /// Enables the stencil test.
            STENCILTESTENABLE = 0x24, State, Switch, Document("pixels#stencil-test");
            /// Enables line antialiasing.
            ANTIALIASENABLE = 0x25, State, Switch, Document("coverage#antialiased-lines");
            /// Enables face culling for patches.
            PATCHCULLENABLE = 0x26, State, Switch, Document("coverage#face-culling");
            /// Enables the colour test.
            COLORTESTENABLE = 0x27, State, Switch, Document("pixels#colour-test");
            /// Enables the logic operation.
            LOGICOPENABLE = 0x28, State, Switch, Hardware("dither/dither");
            /// Has no known effect.
            UNUSED_29 = 0x29, Unused, NoArgument, Document("commands#region-and-switches");
            /// Selects which bone matrix element to write next.
            BONEMATRIXNUMBER = 0x2A, Matrix, MatrixNumber, Hardware("ge/get");
            /// Writes a bone matrix element and moves on to the next.
            BONEMATRIXDATA = 0x2B, Matrix, Scalar, Hardware("ge/get");
            /// Sets the weight of morph frame 0.
            MORPHWEIGHT0 = 0x2C, State, Scalar, Hardware("vertices/morph");
            /// Sets the weight of morph frame 1.
            MORPHWEIGHT1 = 0x2D, State, Scalar, Hardware("vertices/morph");
            /// Sets the weight of morph frame 2.
            MORPHWEIGHT2 = 0x2E, State, Scalar, Hardware("vertices/morph");
            /// Sets the weight of morph frame 3.
            MORPHWEIGHT3 = 0x2F, State, Scalar, Hardware("vertices/morph");
            /// Sets the weight of morph frame 4.
            MORPHWEIGHT4 = 0x30, State, Scalar, Hardware("vertices/morph");
            /// Sets the weight of morph frame 5.
            MORPHWEIGHT5 = 0x31, State, Scalar, Hardware("vertices/morph");
            /// Sets the weight of morph frame 6.
            MORPHWEIGHT6 = 0x32, State, Scalar, Hardware("vertices/morph");
            /// Sets the weight of morph frame 7.
            MORPHWEIGHT7 = 0x33, State, Scalar, Hardware("vertices/morph");
            /// Has no known effect.
            UNUSED_34 = 0x34, Unused, NoArgument, Document("commands#transform-and-texture-coordinates");
            /// Has no known effect.
            UNUSED_35 = 0x35, Unused, NoArgument, Document("commands#transform-and-texture-coordinates");
            /// Sets how finely to divide patches.
            PATCHDIVISION = 0x36, State, PatchDivision, Hardware("primitives/bezier");
            /// Selects the primitive to draw patches with.
            PATCHPRIM = 0x37, State, PatchPrim, Hardware("primitives/bezier");
            /// Negates a patch's generated normals and swaps its front face.
            PATCHFACING = 0x38, State, Switch, Document("curves#normals");
            /// Has no known effect.
            UNUSED_39 = 0x39, Unused, NoArgument, Document("commands#transform-and-texture-coordinates");
            /// Selects which world matrix element to write next.
            WORLDMATRIXNUMBER = 0x3A, Matrix, MatrixNumber, Hardware("ge/get");
            /// Writes a world matrix element and moves on to the next.
            WORLDMATRIXDATA = 0x3B, Matrix, Scalar, Hardware("ge/get");
            /// Selects which view matrix element to write next.
            VIEWMATRIXNUMBER = 0x3C, Matrix, MatrixNumber, Hardware("ge/get");
            /// Writes a view matrix element and moves on to the next.
            VIEWMATRIXDATA = 0x3D, Matrix, Scalar, Hardware("ge/get");
            /// Selects which projection matrix element to write next.
            PROJMATRIXNUMBER = 0x3E, Matrix, MatrixNumber, Hardware("ge/get");
            /// Writes a projection matrix element and moves on to the next.
            PROJMATRIXDATA = 0x3F, Matrix, Scalar, Hardware("ge/get");
            /// Selects which texture matrix element to write next.
            TGENMATRIXNUMBER = 0x40, Matrix, MatrixNumber, Hardware("ge/get");
            /// Writes a texture matrix element and moves on to the next.
            TGENMATRIXDATA = 0x41, Matrix, Scalar, Hardware("ge/get");
            /// Sets half the viewport's width, in pixels.
            VIEWPORTXSCALE = 0x42, State, Scalar, Hardware("depth/precision");
            /// Sets half the viewport's height, in pixels; negative if y points up.
            VIEWPORTYSCALE = 0x43, State, Scalar, Hardware("depth/precision");
            /// Sets half the viewport's depth range.
            VIEWPORTZSCALE = 0x44, State, Scalar, Hardware("depth/precision");
            /// Sets the viewport's centre column.
            VIEWPORTXCENTER = 0x45, State, Scalar, Hardware("depth/precision");
            /// Sets the viewport's centre row.
            VIEWPORTYCENTER = 0x46, State, Scalar, Hardware("depth/precision");
            /// Sets the viewport's centre depth.
            VIEWPORTZCENTER = 0x47, State, Scalar, Hardware("depth/precision");
            /// Sets the factor for texture coordinate u.
            TEXSCALEU = 0x48, State, Scalar, Hardware("texmtx/uvs");
            /// Sets the factor for texture coordinate v.
            TEXSCALEV = 0x49, State, Scalar, Hardware("texmtx/uvs");
            /// Sets the offset to add to texture coordinate u.
            TEXOFFSETU = 0x4A, State, Scalar, Hardware("texmtx/uvs");
            /// Sets the offset to add to texture coordinate v.
            TEXOFFSETV = 0x4B, State, Scalar, Hardware("texmtx/uvs");
            /// Sets the screen column that becomes framebuffer column 0.
            OFFSETX = 0x4C, State, ScreenOffset, Hardware("clipping/guardband");
            /// Sets the screen row that becomes framebuffer row 0.
            OFFSETY = 0x4D, State, ScreenOffset, Hardware("clipping/guardband");
            /// Has no known effect.
            UNUSED_4E = 0x4E, Unused, NoArgument, Document("commands#transform-and-texture-coordinates");
            /// Has no known effect.
            UNUSED_4F = 0x4F, Unused, NoArgument, Document("commands#transform-and-texture-coordinates");
            /// Selects flat or Gouraud shading.
            SHADEMODE = 0x50, State, Shade, Hardware("triangle/triangle");
            /// Negates normals.
            REVERSENORMAL = 0x51, State, Switch, Hardware("texmtx/normals");
            /// Has no known effect.
            UNUSED_52 = 0x52, Unused, NoArgument, Document("commands#transform-and-texture-coordinates");
            /// Selects the material colours to replace by the vertex colour.
            MATERIALUPDATE = 0x53, State, MaterialUpdate, Hardware("commands/material");
            /// Sets the material's emitted colour.
            MATERIALEMISSIVE = 0x54, State, Color, Hardware("commands/material");
            /// Sets the material's ambient colour, also for vertices without a colour.
            MATERIALAMBIENT = 0x55, State, Color, Hardware("commands/material");
            /// Sets the material's diffuse colour.
            MATERIALDIFFUSE = 0x56, State, Color, Hardware("commands/material");
            /// Sets the material's specular colour.
            MATERIALSPECULAR = 0x57, State, Color, Hardware("commands/material");
            /// Sets the material's ambient alpha, also for vertices without a colour.
            MATERIALALPHA = 0x58, State, Byte, Hardware("commands/material");
            /// Has no known effect.
            UNUSED_59 = 0x59, Unused, NoArgument, Document("commands#materials-and-lights");
            /// Has no known effect.
            UNUSED_5A = 0x5A, Unused, NoArgument, Document("commands#materials-and-lights");
            /// Sets the exponent for specular and powered diffuse light.
            MATERIALSPECULARCOEF = 0x5B, State, Scalar, Hardware("commands/light");
            /// Sets the scene's ambient colour.
            AMBIENTCOLOR = 0x5C, State, Color, Hardware("commands/material");
            /// Sets the scene's ambient alpha.
            AMBIENTALPHA = 0x5D, State, Byte, Hardware("commands/material");
            /// Selects whether to send specular light to the secondary colour.
            LIGHTMODE = 0x5E, State, LightMode, Document("lighting#colours");
            /// Sets light 0's type and the terms to compute for this light.
            LIGHTTYPE0 = 0x5F, State, LightType, Hardware("commands/light");
            /// Sets light 1's type and the terms to compute for this light.
            LIGHTTYPE1 = 0x60, State, LightType, Hardware("commands/light");
            /// Sets light 2's type and the terms to compute for this light.
            LIGHTTYPE2 = 0x61, State, LightType, Hardware("commands/light");
            /// Sets light 3's type and the terms to compute for this light.
            LIGHTTYPE3 = 0x62, State, LightType, Hardware("commands/light");
            /// Sets x for light 0's position or direction.
            LX0 = 0x63, State, Scalar, Hardware("commands/light");
            /// Sets y for light 0's position or direction.
            LY0 = 0x64, State, Scalar, Hardware("commands/light");
            /// Sets z for light 0's position or direction.
            LZ0 = 0x65, State, Scalar, Hardware("commands/light");
            /// Sets x for light 1's position or direction.
            LX1 = 0x66, State, Scalar, Hardware("commands/light");
            /// Sets y for light 1's position or direction.
            LY1 = 0x67, State, Scalar, Hardware("commands/light");
            /// Sets z for light 1's position or direction.
            LZ1 = 0x68, State, Scalar, Hardware("commands/light");
            /// Sets x for light 2's position or direction.
            LX2 = 0x69, State, Scalar, Hardware("commands/light");
            /// Sets y for light 2's position or direction.
            LY2 = 0x6A, State, Scalar, Hardware("commands/light");
            /// Sets z for light 2's position or direction.
            LZ2 = 0x6B, State, Scalar, Hardware("commands/light");
            /// Sets x for light 3's position or direction.
            LX3 = 0x6C, State, Scalar, Hardware("commands/light");
            /// Sets y for light 3's position or direction.
            LY3 = 0x6D, State, Scalar, Hardware("commands/light");
            /// Sets z for light 3's position or direction.
            LZ3 = 0x6E, State, Scalar, Hardware("commands/light");
            /// Sets x for light 0's spot direction.
            LDX0 = 0x6F, State, Scalar, Hardware("commands/light");
            /// Sets y for light 0's spot direction.
            LDY0 = 0x70, State, Scalar, Hardware("commands/light");
            /// Sets z for light 0's spot direction.
            LDZ0 = 0x71, State, Scalar, Hardware("commands/light");
            /// Sets x for light 1's spot direction.
            LDX1 = 0x72, State, Scalar, Hardware("commands/light");
            /// Sets y for light 1's spot direction.
            LDY1 = 0x73, State, Scalar, Hardware("commands/light");
            /// Sets z for light 1's spot direction.
            LDZ1 = 0x74, State, Scalar, Hardware("commands/light");
            /// Sets x for light 2's spot direction.
            LDX2 = 0x75, State, Scalar, Hardware("commands/light");
            /// Sets y for light 2's spot direction.
            LDY2 = 0x76, State, Scalar, Hardware("commands/light");
            /// Sets z for light 2's spot direction.
            LDZ2 = 0x77, State, Scalar, Hardware("commands/light");
            /// Sets x for light 3's spot direction.
            LDX3 = 0x78, State, Scalar, Hardware("commands/light");
            /// Sets y for light 3's spot direction.
            LDY3 = 0x79, State, Scalar, Hardware("commands/light");
            /// Sets z for light 3's spot direction.
            LDZ3 = 0x7A, State, Scalar, Hardware("commands/light");
            /// Sets light 0's constant attenuation.
            LKA0 = 0x7B, State, Scalar, Hardware("commands/light");
            /// Sets light 0's linear attenuation.
            LKB0 = 0x7C, State, Scalar, Hardware("commands/light");
            /// Sets light 0's quadratic attenuation.
            LKC0 = 0x7D, State, Scalar, Hardware("commands/light");
            /// Sets light 1's constant attenuation.
            LKA1 = 0x7E, State, Scalar, Hardware("commands/light");
            /// Sets light 1's linear attenuation.
            LKB1 = 0x7F, State, Scalar, Hardware("commands/light");
            /// Sets light 1's quadratic attenuation.
            LKC1 = 0x80, State, Scalar, Hardware("commands/light");
            /// Sets light 2's constant attenuation.
            LKA2 = 0x81, State, Scalar, Hardware("commands/light");
            /// Sets light 2's linear attenuation.
            LKB2 = 0x82, State, Scalar, Hardware("commands/light");
            /// Sets light 2's quadratic attenuation.
            LKC2 = 0x83, State, Scalar, Hardware("commands/light");
            /// Sets light 3's constant attenuation.
            LKA3 = 0x84, State, Scalar, Hardware("commands/light");
            /// Sets light 3's linear attenuation.
            LKB3 = 0x85, State, Scalar, Hardware("commands/light");
            /// Sets light 3's quadratic attenuation.
            LKC3 = 0x86, State, Scalar, Hardware("commands/light");
            /// Sets light 0's spot exponent.
            LKS0 = 0x87, State, Scalar, Hardware("commands/light");
            /// Sets light 1's spot exponent.
            LKS1 = 0x88, State, Scalar, Hardware("commands/light");
            /// Sets light 2's spot exponent.
            LKS2 = 0x89, State, Scalar, Hardware("commands/light");
            /// Sets light 3's spot exponent.
            LKS3 = 0x8A, State, Scalar, Hardware("commands/light");
            /// Sets light 0's spot cutoff, as a cosine.
            LKO0 = 0x8B, State, Scalar, Hardware("commands/light");
            /// Sets light 1's spot cutoff, as a cosine.
            LKO1 = 0x8C, State, Scalar, Hardware("commands/light");
            /// Sets light 2's spot cutoff, as a cosine.
            LKO2 = 0x8D, State, Scalar, Hardware("commands/light");
            /// Sets light 3's spot cutoff, as a cosine.
            LKO3 = 0x8E, State, Scalar, Hardware("commands/light");
            /// Sets light 0's ambient colour.
            LAC0 = 0x8F, State, Color, Hardware("commands/light");
            /// Sets light 0's diffuse colour.
            LDC0 = 0x90, State, Color, Hardware("commands/light");
            /// Sets light 0's specular colour.
            LSC0 = 0x91, State, Color, Hardware("commands/light");
            /// Sets light 1's ambient colour.
            LAC1 = 0x92, State, Color, Hardware("commands/light");
            /// Sets light 1's diffuse colour.
            LDC1 = 0x93, State, Color, Hardware("commands/light");
            /// Sets light 1's specular colour.
            LSC1 = 0x94, State, Color, Hardware("commands/light");
            /// Sets light 2's ambient colour.
            LAC2 = 0x95, State, Color, Hardware("commands/light");
            /// Sets light 2's diffuse colour.
            LDC2 = 0x96, State, Color, Hardware("commands/light");
            /// Sets light 2's specular colour.
            LSC2 = 0x97, State, Color, Hardware("commands/light");
            /// Sets light 3's ambient colour.
            LAC3 = 0x98, State, Color, Hardware("commands/light");
            /// Sets light 3's diffuse colour.
            LDC3 = 0x99, State, Color, Hardware("commands/light");
            /// Sets light 3's specular colour.
            LSC3 = 0x9A, State, Color, Hardware("commands/light");
            /// Selects the winding to cull: 0 = clockwise, 1 = counterclockwise.
            CULL = 0x9B, State, Cull, Hardware("commands/cull");
            /// Sets the framebuffer's offset in VRAM.
            FRAMEBUFPTR = 0x9C, State, BufferAddress, Document("memory#units");
            /// Sets the framebuffer's row length.
            FRAMEBUFWIDTH = 0x9D, State, BufferWidth, Document("memory#units");
            /// Sets the depth buffer's offset in VRAM.
            ZBUFPTR = 0x9E, State, BufferAddress, Document("memory#units");
            /// Sets the depth buffer's row length.
            ZBUFWIDTH = 0x9F, State, BufferWidth, Document("memory#units");
            /// Sets the low address bits for texture level 0.
            TEXADDR0 = 0xA0, State, TextureAddress, Document("textures#address");
            /// Sets the low address bits for texture level 1.
            TEXADDR1 = 0xA1, State, TextureAddress, Document("textures#address");
            /// Sets the low address bits for texture level 2.
            TEXADDR2 = 0xA2, State, TextureAddress, Document("textures#address");
            /// Sets the low address bits for texture level 3.
            TEXADDR3 = 0xA3, State, TextureAddress, Document("textures#address");
            /// Sets the low address bits for texture level 4.
            TEXADDR4 = 0xA4, State, TextureAddress, Document("textures#address");
            /// Sets the low address bits for texture level 5.
            TEXADDR5 = 0xA5, State, TextureAddress, Document("textures#address");
            /// Sets the low address bits for texture level 6.
            TEXADDR6 = 0xA6, State, TextureAddress, Document("textures#address");
            /// Sets the low address bits for texture level 7.
            TEXADDR7 = 0xA7, State, TextureAddress, Document("textures#address");
            /// Sets the row length and the upper address bits for texture level 0.
            TEXBUFWIDTH0 = 0xA8, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the row length and the upper address bits for texture level 1.
            TEXBUFWIDTH1 = 0xA9, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the row length and the upper address bits for texture level 2.
            TEXBUFWIDTH2 = 0xAA, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the row length and the upper address bits for texture level 3.
            TEXBUFWIDTH3 = 0xAB, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the row length and the upper address bits for texture level 4.
            TEXBUFWIDTH4 = 0xAC, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the row length and the upper address bits for texture level 5.
            TEXBUFWIDTH5 = 0xAD, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the row length and the upper address bits for texture level 6.
            TEXBUFWIDTH6 = 0xAE, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the row length and the upper address bits for texture level 7.
            TEXBUFWIDTH7 = 0xAF, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the palette's low address bits.
            CLUTADDR = 0xB0, State, ClutAddress, Hardware("clut/address");
            /// Sets the palette's upper address bits.
            CLUTADDRUPPER = 0xB1, State, ClutAddressUpper, Hardware("clut/address");
            /// Sets the low bits of a block transfer's source address.
            TRANSFERSRC = 0xB2, State, TransferAddress, Hardware("transfer/overlap");
            /// Sets the row length and the upper address bits for a block transfer's source.
            TRANSFERSRCW = 0xB3, State, TransferWidth, Hardware("commands/blocktransfer");
            /// Sets the low bits of a block transfer's destination address.
            TRANSFERDST = 0xB4, State, TransferAddress, Hardware("transfer/overlap");
            /// Sets the row length and the upper address bits for a block transfer's destination.
            TRANSFERDSTW = 0xB5, State, TransferWidth, Hardware("commands/blocktransfer");
            /// Has no known effect.
            UNUSED_B6 = 0xB6, Unused, NoArgument, Document("commands#buffers-and-addresses");
            /// Has no known effect.
            UNUSED_B7 = 0xB7, Unused, NoArgument, Document("commands#buffers-and-addresses");
            /// Sets texture level 0's size.
            TEXSIZE0 = 0xB8, State, TextureSize, Hardware("textures/size");
            /// Sets texture level 1's size.
            TEXSIZE1 = 0xB9, State, TextureSize, Hardware("textures/size");
            /// Sets texture level 2's size.
            TEXSIZE2 = 0xBA, State, TextureSize, Hardware("textures/size");
            /// Sets texture level 3's size.
            TEXSIZE3 = 0xBB, State, TextureSize, Hardware("textures/size");
            /// Sets texture level 4's size.
            TEXSIZE4 = 0xBC, State, TextureSize, Hardware("textures/size");
            /// Sets texture level 5's size.
            TEXSIZE5 = 0xBD, State, TextureSize, Hardware("textures/size");
            /// Sets texture level 6's size.
            TEXSIZE6 = 0xBE, State, TextureSize, Hardware("textures/size");
            /// Sets texture level 7's size.
            TEXSIZE7 = 0xBF, State, TextureSize, Hardware("textures/size");
            /// Selects how to make texture coordinates.
            TEXMAPMODE = 0xC0, State, TextureMap, Hardware("texmtx/source");
            /// Selects the lights for the environment map.
            TEXSHADELS = 0xC1, State, TextureShade, Document("lighting#environment-map");
            /// Sets the texture layout: swizzling, palettes per level, highest level.
            TEXMODE = 0xC2, State, TextureMode, Document("textures#swizzling");
            /// Sets the texel format.
            TEXFORMAT = 0xC3, State, TextureFormat, Hardware("texcolors/*");
            /// Loads the palette into palette memory.
            LOADCLUT = 0xC4, Load, LoadClut, Hardware("clut/address");
            /// Sets the palette format and how to turn a texel into a palette index.
            CLUTFORMAT = 0xC5, State, ClutFormat, Hardware("clut/masks");
            /// Sets the texture filters.
            TEXFILTER = 0xC6, State, TextureFilter, Hardware("filtering/*");
            /// Selects whether to wrap or clamp texture coordinates.
            TEXWRAP = 0xC7, State, TextureWrap, Document("sampling#wrap-and-clamp");
            /// Sets how to choose the mip level, and a bias to add to this level.
            TEXLEVEL = 0xC8, State, TextureLevel, Hardware("textures/mipmap");
            /// Sets the texture function, which combines texel and fragment.
            TEXFUNC = 0xC9, State, TextureFunc, Hardware("texfunc/*");
            /// Sets the colour for texture function BLEND.
            TEXENVCOLOR = 0xCA, State, Color, Hardware("texfunc/blend");
            /// Empties the texture cache.
            TEXFLUSH = 0xCB, Load, NoArgument, Document("textures#cache-layout");
            /// Waits for texture transfers.
            TEXSYNC = 0xCC, Load, NoArgument, Document("textures#cache-layout");
            /// Sets the fog end.
            FOG1 = 0xCD, State, Scalar, Hardware("commands/fog");
            /// Sets the fog slope.
            FOG2 = 0xCE, State, Scalar, Hardware("commands/fog");
            /// Sets the fog colour.
            FOGCOLOR = 0xCF, State, Color, Hardware("commands/fog");
            /// Sets the slope to choose the mip level in mode SLOPE.
            TEXLODSLOPE = 0xD0, State, Scalar, Hardware("filtering/mipmaplinear");
            /// Has no known effect.
            UNUSED_D1 = 0xD1, Unused, NoArgument, Document("commands#textures-and-fog");
            /// Sets the framebuffer format.
            FRAMEBUFPIXFORMAT = 0xD2, State, FramebufferFormat, Hardware("dither/dither");
            /// Switches clear mode and selects the buffers to clear.
            CLEARMODE = 0xD3, State, ClearMode, Hardware("dither/dither");
            /// Sets the scissor's top-left corner, inclusive.
            SCISSOR1 = 0xD4, State, Corner, Hardware("bounding/viewport");
            /// Sets the scissor's bottom-right corner, inclusive.
            SCISSOR2 = 0xD5, State, Corner, Hardware("bounding/viewport");
            /// Sets the smallest depth to draw.
            MINZ = 0xD6, State, DepthLimit, Document("clipping#minz-and-maxz");
            /// Sets the largest depth to draw.
            MAXZ = 0xD7, State, DepthLimit, Document("clipping#minz-and-maxz");
            /// Sets the comparison for the colour test.
            COLORTEST = 0xD8, State, ColorTest, Document("pixels#colour-test");
            /// Sets the reference for the colour test.
            COLORREF = 0xD9, State, ColorReference, Document("pixels#colour-test");
            /// Sets the mask for the colour test.
            COLORTESTMASK = 0xDA, State, ColorReference, Document("pixels#colour-test");
            /// Sets comparison, reference and mask for the alpha test.
            ALPHATEST = 0xDB, State, MaskedTest, Document("pixels#alpha-test");
            /// Sets comparison, reference and mask for the stencil test.
            STENCILTEST = 0xDC, State, MaskedTest, Document("pixels#stencil-test");
            /// Sets how a pixel's tests change the stencil value.
            STENCILOP = 0xDD, State, StencilOperations, Document("pixels#stencil-operations");
            /// Sets the comparison for the depth test.
            ZTEST = 0xDE, State, DepthTest, Hardware("depth/precision");
            /// Sets the blend factors and the blend equation.
            BLENDMODE = 0xDF, State, BlendMode, Hardware("commands/blend");
            /// Sets the fixed source factor for blending.
            BLENDFIXEDA = 0xE0, State, Color, Hardware("commands/blend");
            /// Sets the fixed destination factor for blending.
            BLENDFIXEDB = 0xE1, State, Color, Hardware("commands/blend");
            /// Sets the dither matrix's row 0.
            DITH0 = 0xE2, State, DitherRow, Hardware("dither/dither");
            /// Sets the dither matrix's row 1.
            DITH1 = 0xE3, State, DitherRow, Hardware("dither/dither");
            /// Sets the dither matrix's row 2.
            DITH2 = 0xE4, State, DitherRow, Hardware("dither/dither");
            /// Sets the dither matrix's row 3.
            DITH3 = 0xE5, State, DitherRow, Hardware("dither/dither");
            /// Sets the logic operation.
            LOGICOP = 0xE6, State, LogicOp, Hardware("dither/dither");
            /// Disables depth writes.
            ZWRITEDISABLE = 0xE7, State, Switch, Document("pixels#depth-test");
            /// Protects framebuffer colour bits from writes.
            MASKRGB = 0xE8, State, ColorMask, Hardware("dither/dither");
            /// Protects framebuffer stencil bits from writes.
            MASKALPHA = 0xE9, State, AlphaMask, Document("pixels#write-masks");
            /// Starts a block transfer.
            TRANSFERSTART = 0xEA, Load, TransferStart, Hardware("commands/blocktransfer");
            /// Sets a block transfer's source corner.
            TRANSFERSRCPOS = 0xEB, State, TransferPosition, Hardware("commands/blocktransfer");
            /// Sets a block transfer's destination corner.
            TRANSFERDSTPOS = 0xEC, State, TransferPosition, Hardware("commands/blocktransfer");
            /// Has no known effect.
            UNUSED_ED = 0xED, Unused, NoArgument, Document("commands#pixels-and-transfers");
            /// Sets a block transfer's width and height, each less one.
            TRANSFERSIZE = 0xEE, State, TransferPosition, Hardware("commands/blocktransfer");
            /// Has no known effect.
            UNUSED_EF = 0xEF, Unused, NoArgument, Document("commands#pixels-and-transfers");
            /// Sets the immediate vertex's column, in 1/16 pixel.
            VSCX = 0xF0, Immediate, ImmediateCoordinate, Hardware("primitives/immediate");
            /// Sets the immediate vertex's row, in 1/16 pixel.
            VSCY = 0xF1, Immediate, ImmediateCoordinate, Hardware("primitives/immediate");
            /// Sets the immediate vertex's depth.
            VSCZ = 0xF2, Immediate, ImmediateCoordinate, Hardware("primitives/immediate");
            /// Sets texture coordinate s for the immediate vertex.
            VTCS = 0xF3, Immediate, Scalar, Hardware("primitives/immediate");
            /// Sets texture coordinate t for the immediate vertex.
            VTCT = 0xF4, Immediate, Scalar, Hardware("primitives/immediate");
            /// Sets texture coordinate q for the immediate vertex.
            VTCQ = 0xF5, Immediate, Scalar, Hardware("primitives/immediate");
            /// Sets the immediate vertex's colour.
            VCV = 0xF6, Immediate, Color, Hardware("primitives/immediate");
            /// Emits the immediate vertex, to draw it.
            VAP = 0xF7, Immediate, ImmediateVertex, Hardware("primitives/immediate");
            /// Sets the immediate vertex's fog coefficient.
            VFC = 0xF8, Immediate, Byte, Hardware("primitives/immediate");
            /// Sets the immediate vertex's secondary colour.
            VSCV = 0xF9, Immediate, Color, Hardware("primitives/immediate");
            /// Has no known effect.
            UNUSED_FA = 0xFA, Unused, NoArgument, Document("commands#immediate-vertices");
            /// Has no known effect.
            UNUSED_FB = 0xFB, Unused, NoArgument, Document("commands#immediate-vertices");
            /// Has no known effect.
            UNUSED_FC = 0xFC, Unused, NoArgument, Document("commands#immediate-vertices");
            /// Has no known effect.
            UNUSED_FD = 0xFD, Unused, NoArgument, Document("commands#immediate-vertices");
            /// Has no known effect.
            UNUSED_FE = 0xFE, Unused, NoArgument, Document("commands#immediate-vertices");
            /// Does nothing.
            NOP_FF = 0xFF, Flow, NoArgument, Document("commands#immediate-vertices");
        }
    };
}
pub(super) use commands;

/// Makes a sentence to add a command's evidence to its documentation.
macro_rules! evidence_doc {
    (Hardware, $test:literal) => {
        concat!("\n\nEvidence: [hardware test](crate::reference::ge::evidence#hardware-tests) `", $test, "`.")
    };
    (Document, $section:literal) => {
        concat!("\n\nEvidence: [", $section, "](crate::reference::ge::", $section, ").")
    };
}

macro_rules! declare_opcodes {
    ($(#[doc = $doc:literal] $name:ident = $code:literal, $class:ident, $view:ident, $evidence:ident($source:literal);)*) => {
        impl Opcode {
            $(#[doc = $doc] #[doc = evidence_doc!($evidence, $source)]
            pub const $name: Self = Self($code);)*
        }

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
