//! The opcodes: number and name for every command, in a row each.
//!
//! Only this list maps names to numbers. [`super::command_table`] builds the table of argument fields, classes and
//! evidence from the same rows, so that the decoder, the trace, the assembler and the documentation agree.
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

    /// Returns the opcode `steps` after this one. Use this for arrays of registers, which have consecutive numbers.
    #[must_use]
    pub const fn plus(self, steps: u8) -> Self {
        Self(self.0.wrapping_add(steps))
    }

    /// Returns this command's name in public documentation.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }

    /// Finds an opcode by its name.
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

/// Passes the rows to the macro `$apply`. A row is a sentence, a name, a number, the class, the argument's view, and
/// the evidence.
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
            /// Tests vertices against the drawing region and sets the flag that BJUMP reads.
            BBOX = 0x07, Draw, BoundingBox, Hardware("bounding/*");
            /// Jumps to a relative address.
            JUMP = 0x08, Flow, JumpTarget, Hardware("displaylist/alignment");
            /// Jumps to a relative address if the last BBOX was outside.
            BJUMP = 0x09, Flow, JumpTarget, Hardware("bounding/count");
            /// Pushes the next address and the offset register, then jumps to a relative address.
            CALL = 0x0A, Flow, JumpTarget, Hardware("displaylist/alignment");
            /// Returns from a CALL: pops the address and the offset register.
            RET = 0x0B, Flow, NoArgument, Hardware("ge/get");
            /// Ends the list after a FINISH, or carries out the SIGNAL before it.
            END = 0x0C, Flow, End, Hardware("signals/simple");
            /// Has no known effect.
            UNUSED_0D = 0x0D, Unused, NoArgument, Document("commands#flow-and-drawing");
            /// Announces a signal, which the following END carries out.
            SIGNAL = 0x0E, Flow, Signal, Hardware("signals/simple");
            /// Announces the end of drawing; the following END ends the list.
            FINISH = 0x0F, Flow, Finish, Hardware("signals/simple");
            /// Sets the upper bits of relative addresses.
            BASE = 0x10, Flow, Base, Hardware("ge/get");
            /// Has no known effect.
            UNUSED_11 = 0x11, Unused, NoArgument, Document("commands#flow-and-drawing");
            /// Sets the vertex layout.
            VTYPE = 0x12, State, VertexType, Hardware("vertices/*");
            /// Sets the offset register, in units of 256 bytes.
            OFFSETADDR = 0x13, Flow, OffsetAddress, Hardware("signals/jumps");
            /// Sets the offset register to this word's own address.
            ORIGIN = 0x14, Flow, NoArgument, Hardware("signals/jumps");
            /// Sets the translation of drawing, and the top-left corner of the region for BBOX.
            REGION1 = 0x15, State, Corner, Document("lists#region");
            /// Sets the bottom-right corner of the drawing region, inclusive.
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
            /// Enables near-plane clipping and depth clamping in place of depth culling.
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
            /// Enables antialiasing of lines.
            ANTIALIASENABLE = 0x25, State, Switch, Document("coverage#antialiased-lines");
            /// Enables face culling of patches.
            PATCHCULLENABLE = 0x26, State, Switch, Document("coverage#face-culling");
            /// Enables the colour test.
            COLORTESTENABLE = 0x27, State, Switch, Document("pixels#colour-test");
            /// Enables the logic operation.
            LOGICOPENABLE = 0x28, State, Switch, Hardware("dither/dither");
            /// Has no known effect.
            UNUSED_29 = 0x29, Unused, NoArgument, Document("commands#region-and-switches");
            /// Selects the element of the bone matrices to write next.
            BONEMATRIXNUMBER = 0x2A, Matrix, MatrixNumber, Hardware("ge/get");
            /// Writes one element of the bone matrices and moves on to the next.
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
            /// Sets the subdivision of patches.
            PATCHDIVISION = 0x36, State, PatchDivision, Hardware("primitives/bezier");
            /// Selects the primitive that patches are drawn with.
            PATCHPRIM = 0x37, State, PatchPrim, Hardware("primitives/bezier");
            /// Negates generated normals and swaps the front face of patches.
            PATCHFACING = 0x38, State, Switch, Document("curves#normals");
            /// Has no known effect.
            UNUSED_39 = 0x39, Unused, NoArgument, Document("commands#transform-and-texture-coordinates");
            /// Selects the element of the world matrix to write next.
            WORLDMATRIXNUMBER = 0x3A, Matrix, MatrixNumber, Hardware("ge/get");
            /// Writes one element of the world matrix and moves on to the next.
            WORLDMATRIXDATA = 0x3B, Matrix, Scalar, Hardware("ge/get");
            /// Selects the element of the view matrix to write next.
            VIEWMATRIXNUMBER = 0x3C, Matrix, MatrixNumber, Hardware("ge/get");
            /// Writes one element of the view matrix and moves on to the next.
            VIEWMATRIXDATA = 0x3D, Matrix, Scalar, Hardware("ge/get");
            /// Selects the element of the projection matrix to write next.
            PROJMATRIXNUMBER = 0x3E, Matrix, MatrixNumber, Hardware("ge/get");
            /// Writes one element of the projection matrix and moves on to the next.
            PROJMATRIXDATA = 0x3F, Matrix, Scalar, Hardware("ge/get");
            /// Selects the element of the texture matrix to write next.
            TGENMATRIXNUMBER = 0x40, Matrix, MatrixNumber, Hardware("ge/get");
            /// Writes one element of the texture matrix and moves on to the next.
            TGENMATRIXDATA = 0x41, Matrix, Scalar, Hardware("ge/get");
            /// Sets half the width of the viewport, in pixels.
            VIEWPORTXSCALE = 0x42, State, Scalar, Hardware("depth/precision");
            /// Sets half the height of the viewport, in pixels; negative if y points up.
            VIEWPORTYSCALE = 0x43, State, Scalar, Hardware("depth/precision");
            /// Sets half the depth range of the viewport.
            VIEWPORTZSCALE = 0x44, State, Scalar, Hardware("depth/precision");
            /// Sets the centre column of the viewport.
            VIEWPORTXCENTER = 0x45, State, Scalar, Hardware("depth/precision");
            /// Sets the centre row of the viewport.
            VIEWPORTYCENTER = 0x46, State, Scalar, Hardware("depth/precision");
            /// Sets the centre depth of the viewport.
            VIEWPORTZCENTER = 0x47, State, Scalar, Hardware("depth/precision");
            /// Sets the factor of texture coordinate u.
            TEXSCALEU = 0x48, State, Scalar, Hardware("texmtx/uvs");
            /// Sets the factor of texture coordinate v.
            TEXSCALEV = 0x49, State, Scalar, Hardware("texmtx/uvs");
            /// Sets the offset of texture coordinate u.
            TEXOFFSETU = 0x4A, State, Scalar, Hardware("texmtx/uvs");
            /// Sets the offset of texture coordinate v.
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
            /// Selects the material colours that the vertex colour replaces.
            MATERIALUPDATE = 0x53, State, MaterialUpdate, Hardware("commands/material");
            /// Sets the emitted colour of the material.
            MATERIALEMISSIVE = 0x54, State, Color, Hardware("commands/material");
            /// Sets the ambient colour of the material, which vertices without a colour take.
            MATERIALAMBIENT = 0x55, State, Color, Hardware("commands/material");
            /// Sets the diffuse colour of the material.
            MATERIALDIFFUSE = 0x56, State, Color, Hardware("commands/material");
            /// Sets the specular colour of the material.
            MATERIALSPECULAR = 0x57, State, Color, Hardware("commands/material");
            /// Sets the ambient alpha of the material, which vertices without a colour take.
            MATERIALALPHA = 0x58, State, Byte, Hardware("commands/material");
            /// Has no known effect.
            UNUSED_59 = 0x59, Unused, NoArgument, Document("commands#materials-and-lights");
            /// Has no known effect.
            UNUSED_5A = 0x5A, Unused, NoArgument, Document("commands#materials-and-lights");
            /// Sets the exponent of specular and powered diffuse light.
            MATERIALSPECULARCOEF = 0x5B, State, Scalar, Hardware("commands/light");
            /// Sets the ambient colour of the scene.
            AMBIENTCOLOR = 0x5C, State, Color, Hardware("commands/material");
            /// Sets the ambient alpha of the scene.
            AMBIENTALPHA = 0x5D, State, Byte, Hardware("commands/material");
            /// Selects whether specular light goes to the secondary colour.
            LIGHTMODE = 0x5E, State, LightMode, Document("lighting#colours");
            /// Sets the type and the computation of light 0.
            LIGHTTYPE0 = 0x5F, State, LightType, Hardware("commands/light");
            /// Sets the type and the computation of light 1.
            LIGHTTYPE1 = 0x60, State, LightType, Hardware("commands/light");
            /// Sets the type and the computation of light 2.
            LIGHTTYPE2 = 0x61, State, LightType, Hardware("commands/light");
            /// Sets the type and the computation of light 3.
            LIGHTTYPE3 = 0x62, State, LightType, Hardware("commands/light");
            /// Sets x of the position or direction of light 0.
            LX0 = 0x63, State, Scalar, Hardware("commands/light");
            /// Sets y of the position or direction of light 0.
            LY0 = 0x64, State, Scalar, Hardware("commands/light");
            /// Sets z of the position or direction of light 0.
            LZ0 = 0x65, State, Scalar, Hardware("commands/light");
            /// Sets x of the position or direction of light 1.
            LX1 = 0x66, State, Scalar, Hardware("commands/light");
            /// Sets y of the position or direction of light 1.
            LY1 = 0x67, State, Scalar, Hardware("commands/light");
            /// Sets z of the position or direction of light 1.
            LZ1 = 0x68, State, Scalar, Hardware("commands/light");
            /// Sets x of the position or direction of light 2.
            LX2 = 0x69, State, Scalar, Hardware("commands/light");
            /// Sets y of the position or direction of light 2.
            LY2 = 0x6A, State, Scalar, Hardware("commands/light");
            /// Sets z of the position or direction of light 2.
            LZ2 = 0x6B, State, Scalar, Hardware("commands/light");
            /// Sets x of the position or direction of light 3.
            LX3 = 0x6C, State, Scalar, Hardware("commands/light");
            /// Sets y of the position or direction of light 3.
            LY3 = 0x6D, State, Scalar, Hardware("commands/light");
            /// Sets z of the position or direction of light 3.
            LZ3 = 0x6E, State, Scalar, Hardware("commands/light");
            /// Sets x of the spot direction of light 0.
            LDX0 = 0x6F, State, Scalar, Hardware("commands/light");
            /// Sets y of the spot direction of light 0.
            LDY0 = 0x70, State, Scalar, Hardware("commands/light");
            /// Sets z of the spot direction of light 0.
            LDZ0 = 0x71, State, Scalar, Hardware("commands/light");
            /// Sets x of the spot direction of light 1.
            LDX1 = 0x72, State, Scalar, Hardware("commands/light");
            /// Sets y of the spot direction of light 1.
            LDY1 = 0x73, State, Scalar, Hardware("commands/light");
            /// Sets z of the spot direction of light 1.
            LDZ1 = 0x74, State, Scalar, Hardware("commands/light");
            /// Sets x of the spot direction of light 2.
            LDX2 = 0x75, State, Scalar, Hardware("commands/light");
            /// Sets y of the spot direction of light 2.
            LDY2 = 0x76, State, Scalar, Hardware("commands/light");
            /// Sets z of the spot direction of light 2.
            LDZ2 = 0x77, State, Scalar, Hardware("commands/light");
            /// Sets x of the spot direction of light 3.
            LDX3 = 0x78, State, Scalar, Hardware("commands/light");
            /// Sets y of the spot direction of light 3.
            LDY3 = 0x79, State, Scalar, Hardware("commands/light");
            /// Sets z of the spot direction of light 3.
            LDZ3 = 0x7A, State, Scalar, Hardware("commands/light");
            /// Sets the constant attenuation of light 0.
            LKA0 = 0x7B, State, Scalar, Hardware("commands/light");
            /// Sets the linear attenuation of light 0.
            LKB0 = 0x7C, State, Scalar, Hardware("commands/light");
            /// Sets the quadratic attenuation of light 0.
            LKC0 = 0x7D, State, Scalar, Hardware("commands/light");
            /// Sets the constant attenuation of light 1.
            LKA1 = 0x7E, State, Scalar, Hardware("commands/light");
            /// Sets the linear attenuation of light 1.
            LKB1 = 0x7F, State, Scalar, Hardware("commands/light");
            /// Sets the quadratic attenuation of light 1.
            LKC1 = 0x80, State, Scalar, Hardware("commands/light");
            /// Sets the constant attenuation of light 2.
            LKA2 = 0x81, State, Scalar, Hardware("commands/light");
            /// Sets the linear attenuation of light 2.
            LKB2 = 0x82, State, Scalar, Hardware("commands/light");
            /// Sets the quadratic attenuation of light 2.
            LKC2 = 0x83, State, Scalar, Hardware("commands/light");
            /// Sets the constant attenuation of light 3.
            LKA3 = 0x84, State, Scalar, Hardware("commands/light");
            /// Sets the linear attenuation of light 3.
            LKB3 = 0x85, State, Scalar, Hardware("commands/light");
            /// Sets the quadratic attenuation of light 3.
            LKC3 = 0x86, State, Scalar, Hardware("commands/light");
            /// Sets the spot exponent of light 0.
            LKS0 = 0x87, State, Scalar, Hardware("commands/light");
            /// Sets the spot exponent of light 1.
            LKS1 = 0x88, State, Scalar, Hardware("commands/light");
            /// Sets the spot exponent of light 2.
            LKS2 = 0x89, State, Scalar, Hardware("commands/light");
            /// Sets the spot exponent of light 3.
            LKS3 = 0x8A, State, Scalar, Hardware("commands/light");
            /// Sets the spot cutoff of light 0, a cosine.
            LKO0 = 0x8B, State, Scalar, Hardware("commands/light");
            /// Sets the spot cutoff of light 1, a cosine.
            LKO1 = 0x8C, State, Scalar, Hardware("commands/light");
            /// Sets the spot cutoff of light 2, a cosine.
            LKO2 = 0x8D, State, Scalar, Hardware("commands/light");
            /// Sets the spot cutoff of light 3, a cosine.
            LKO3 = 0x8E, State, Scalar, Hardware("commands/light");
            /// Sets the ambient colour of light 0.
            LAC0 = 0x8F, State, Color, Hardware("commands/light");
            /// Sets the diffuse colour of light 0.
            LDC0 = 0x90, State, Color, Hardware("commands/light");
            /// Sets the specular colour of light 0.
            LSC0 = 0x91, State, Color, Hardware("commands/light");
            /// Sets the ambient colour of light 1.
            LAC1 = 0x92, State, Color, Hardware("commands/light");
            /// Sets the diffuse colour of light 1.
            LDC1 = 0x93, State, Color, Hardware("commands/light");
            /// Sets the specular colour of light 1.
            LSC1 = 0x94, State, Color, Hardware("commands/light");
            /// Sets the ambient colour of light 2.
            LAC2 = 0x95, State, Color, Hardware("commands/light");
            /// Sets the diffuse colour of light 2.
            LDC2 = 0x96, State, Color, Hardware("commands/light");
            /// Sets the specular colour of light 2.
            LSC2 = 0x97, State, Color, Hardware("commands/light");
            /// Sets the ambient colour of light 3.
            LAC3 = 0x98, State, Color, Hardware("commands/light");
            /// Sets the diffuse colour of light 3.
            LDC3 = 0x99, State, Color, Hardware("commands/light");
            /// Sets the specular colour of light 3.
            LSC3 = 0x9A, State, Color, Hardware("commands/light");
            /// Selects the winding that culling drops: 0 = clockwise, 1 = counterclockwise.
            CULL = 0x9B, State, Cull, Hardware("commands/cull");
            /// Sets the offset of the framebuffer in VRAM.
            FRAMEBUFPTR = 0x9C, State, BufferAddress, Document("memory#units");
            /// Sets the row length of the framebuffer.
            FRAMEBUFWIDTH = 0x9D, State, BufferWidth, Document("memory#units");
            /// Sets the offset of the depth buffer in VRAM.
            ZBUFPTR = 0x9E, State, BufferAddress, Document("memory#units");
            /// Sets the row length of the depth buffer.
            ZBUFWIDTH = 0x9F, State, BufferWidth, Document("memory#units");
            /// Sets the low bits of the address of texture level 0.
            TEXADDR0 = 0xA0, State, TextureAddress, Document("textures#address");
            /// Sets the low bits of the address of texture level 1.
            TEXADDR1 = 0xA1, State, TextureAddress, Document("textures#address");
            /// Sets the low bits of the address of texture level 2.
            TEXADDR2 = 0xA2, State, TextureAddress, Document("textures#address");
            /// Sets the low bits of the address of texture level 3.
            TEXADDR3 = 0xA3, State, TextureAddress, Document("textures#address");
            /// Sets the low bits of the address of texture level 4.
            TEXADDR4 = 0xA4, State, TextureAddress, Document("textures#address");
            /// Sets the low bits of the address of texture level 5.
            TEXADDR5 = 0xA5, State, TextureAddress, Document("textures#address");
            /// Sets the low bits of the address of texture level 6.
            TEXADDR6 = 0xA6, State, TextureAddress, Document("textures#address");
            /// Sets the low bits of the address of texture level 7.
            TEXADDR7 = 0xA7, State, TextureAddress, Document("textures#address");
            /// Sets the row length of texture level 0 and the upper bits of its address.
            TEXBUFWIDTH0 = 0xA8, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the row length of texture level 1 and the upper bits of its address.
            TEXBUFWIDTH1 = 0xA9, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the row length of texture level 2 and the upper bits of its address.
            TEXBUFWIDTH2 = 0xAA, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the row length of texture level 3 and the upper bits of its address.
            TEXBUFWIDTH3 = 0xAB, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the row length of texture level 4 and the upper bits of its address.
            TEXBUFWIDTH4 = 0xAC, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the row length of texture level 5 and the upper bits of its address.
            TEXBUFWIDTH5 = 0xAD, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the row length of texture level 6 and the upper bits of its address.
            TEXBUFWIDTH6 = 0xAE, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the row length of texture level 7 and the upper bits of its address.
            TEXBUFWIDTH7 = 0xAF, State, TextureBufferWidth, Document("textures#buffer-width");
            /// Sets the low bits of the palette's address.
            CLUTADDR = 0xB0, State, ClutAddress, Hardware("clut/address");
            /// Sets the upper bits of the palette's address.
            CLUTADDRUPPER = 0xB1, State, ClutAddressUpper, Hardware("clut/address");
            /// Sets the low bits of the source address of a block transfer.
            TRANSFERSRC = 0xB2, State, TransferAddress, Hardware("transfer/overlap");
            /// Sets the row length and the upper address bits of the source of a block transfer.
            TRANSFERSRCW = 0xB3, State, TransferWidth, Hardware("commands/blocktransfer");
            /// Sets the low bits of the destination address of a block transfer.
            TRANSFERDST = 0xB4, State, TransferAddress, Hardware("transfer/overlap");
            /// Sets the row length and the upper address bits of the destination of a block transfer.
            TRANSFERDSTW = 0xB5, State, TransferWidth, Hardware("commands/blocktransfer");
            /// Has no known effect.
            UNUSED_B6 = 0xB6, Unused, NoArgument, Document("commands#buffers-and-addresses");
            /// Has no known effect.
            UNUSED_B7 = 0xB7, Unused, NoArgument, Document("commands#buffers-and-addresses");
            /// Sets the size of texture level 0.
            TEXSIZE0 = 0xB8, State, TextureSize, Hardware("textures/size");
            /// Sets the size of texture level 1.
            TEXSIZE1 = 0xB9, State, TextureSize, Hardware("textures/size");
            /// Sets the size of texture level 2.
            TEXSIZE2 = 0xBA, State, TextureSize, Hardware("textures/size");
            /// Sets the size of texture level 3.
            TEXSIZE3 = 0xBB, State, TextureSize, Hardware("textures/size");
            /// Sets the size of texture level 4.
            TEXSIZE4 = 0xBC, State, TextureSize, Hardware("textures/size");
            /// Sets the size of texture level 5.
            TEXSIZE5 = 0xBD, State, TextureSize, Hardware("textures/size");
            /// Sets the size of texture level 6.
            TEXSIZE6 = 0xBE, State, TextureSize, Hardware("textures/size");
            /// Sets the size of texture level 7.
            TEXSIZE7 = 0xBF, State, TextureSize, Hardware("textures/size");
            /// Selects how texture coordinates are made.
            TEXMAPMODE = 0xC0, State, TextureMap, Hardware("texmtx/source");
            /// Selects the lights of the environment map.
            TEXSHADELS = 0xC1, State, TextureShade, Document("lighting#environment-map");
            /// Sets the texture layout: swizzling, palettes per level, highest level.
            TEXMODE = 0xC2, State, TextureMode, Document("textures#swizzling");
            /// Sets the texel format.
            TEXFORMAT = 0xC3, State, TextureFormat, Hardware("texcolors/*");
            /// Loads the palette.
            LOADCLUT = 0xC4, Load, LoadClut, Hardware("clut/address");
            /// Sets the palette format and the index arithmetic.
            CLUTFORMAT = 0xC5, State, ClutFormat, Hardware("clut/masks");
            /// Sets the texture filters.
            TEXFILTER = 0xC6, State, TextureFilter, Hardware("filtering/*");
            /// Selects wrapping or clamping of texture coordinates.
            TEXWRAP = 0xC7, State, TextureWrap, Document("sampling#wrap-and-clamp");
            /// Sets the mode and the bias of the level of detail.
            TEXLEVEL = 0xC8, State, TextureLevel, Hardware("textures/mipmap");
            /// Sets the texture function.
            TEXFUNC = 0xC9, State, TextureFunc, Hardware("texfunc/*");
            /// Sets the colour of the texture function BLEND.
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
            /// Sets the slope for the level of detail in mode SLOPE.
            TEXLODSLOPE = 0xD0, State, Scalar, Hardware("filtering/mipmaplinear");
            /// Has no known effect.
            UNUSED_D1 = 0xD1, Unused, NoArgument, Document("commands#textures-and-fog");
            /// Sets the framebuffer format.
            FRAMEBUFPIXFORMAT = 0xD2, State, FramebufferFormat, Hardware("dither/dither");
            /// Switches clear mode and selects the buffers that it writes.
            CLEARMODE = 0xD3, State, ClearMode, Hardware("dither/dither");
            /// Sets the top-left corner of the scissor, inclusive.
            SCISSOR1 = 0xD4, State, Corner, Hardware("bounding/viewport");
            /// Sets the bottom-right corner of the scissor, inclusive.
            SCISSOR2 = 0xD5, State, Corner, Hardware("bounding/viewport");
            /// Sets the smallest depth that is drawn.
            MINZ = 0xD6, State, DepthLimit, Document("clipping#minz-and-maxz");
            /// Sets the largest depth that is drawn.
            MAXZ = 0xD7, State, DepthLimit, Document("clipping#minz-and-maxz");
            /// Sets the comparison of the colour test.
            COLORTEST = 0xD8, State, ColorTest, Document("pixels#colour-test");
            /// Sets the reference of the colour test.
            COLORREF = 0xD9, State, ColorReference, Document("pixels#colour-test");
            /// Sets the mask of the colour test.
            COLORTESTMASK = 0xDA, State, ColorReference, Document("pixels#colour-test");
            /// Sets comparison, reference and mask of the alpha test.
            ALPHATEST = 0xDB, State, MaskedTest, Document("pixels#alpha-test");
            /// Sets comparison, reference and mask of the stencil test.
            STENCILTEST = 0xDC, State, MaskedTest, Document("pixels#stencil-test");
            /// Sets the stencil operations.
            STENCILOP = 0xDD, State, StencilOperations, Document("pixels#stencil-operations");
            /// Sets the comparison of the depth test.
            ZTEST = 0xDE, State, DepthTest, Hardware("depth/precision");
            /// Sets the blend factors and the blend equation.
            BLENDMODE = 0xDF, State, BlendMode, Hardware("commands/blend");
            /// Sets the fixed source factor of blending.
            BLENDFIXEDA = 0xE0, State, Color, Hardware("commands/blend");
            /// Sets the fixed destination factor of blending.
            BLENDFIXEDB = 0xE1, State, Color, Hardware("commands/blend");
            /// Sets row 0 of the dither matrix.
            DITH0 = 0xE2, State, DitherRow, Hardware("dither/dither");
            /// Sets row 1 of the dither matrix.
            DITH1 = 0xE3, State, DitherRow, Hardware("dither/dither");
            /// Sets row 2 of the dither matrix.
            DITH2 = 0xE4, State, DitherRow, Hardware("dither/dither");
            /// Sets row 3 of the dither matrix.
            DITH3 = 0xE5, State, DitherRow, Hardware("dither/dither");
            /// Sets the logic operation.
            LOGICOP = 0xE6, State, LogicOp, Hardware("dither/dither");
            /// Disables depth writes.
            ZWRITEDISABLE = 0xE7, State, Switch, Document("pixels#depth-test");
            /// Protects colour bits of the framebuffer.
            MASKRGB = 0xE8, State, ColorMask, Hardware("dither/dither");
            /// Protects stencil bits of the framebuffer.
            MASKALPHA = 0xE9, State, AlphaMask, Document("pixels#write-masks");
            /// Starts a block transfer.
            TRANSFERSTART = 0xEA, Load, TransferStart, Hardware("commands/blocktransfer");
            /// Sets the source corner of a block transfer.
            TRANSFERSRCPOS = 0xEB, State, TransferPosition, Hardware("commands/blocktransfer");
            /// Sets the destination corner of a block transfer.
            TRANSFERDSTPOS = 0xEC, State, TransferPosition, Hardware("commands/blocktransfer");
            /// Has no known effect.
            UNUSED_ED = 0xED, Unused, NoArgument, Document("commands#pixels-and-transfers");
            /// Sets width and height of a block transfer, each less one.
            TRANSFERSIZE = 0xEE, State, TransferPosition, Hardware("commands/blocktransfer");
            /// Has no known effect.
            UNUSED_EF = 0xEF, Unused, NoArgument, Document("commands#pixels-and-transfers");
            /// Sets the column of the immediate vertex, in 1/16 pixel.
            VSCX = 0xF0, Immediate, ImmediateCoordinate, Hardware("primitives/immediate");
            /// Sets the row of the immediate vertex, in 1/16 pixel.
            VSCY = 0xF1, Immediate, ImmediateCoordinate, Hardware("primitives/immediate");
            /// Sets the depth of the immediate vertex.
            VSCZ = 0xF2, Immediate, ImmediateCoordinate, Hardware("primitives/immediate");
            /// Sets texture coordinate s of the immediate vertex.
            VTCS = 0xF3, Immediate, Scalar, Hardware("primitives/immediate");
            /// Sets texture coordinate t of the immediate vertex.
            VTCT = 0xF4, Immediate, Scalar, Hardware("primitives/immediate");
            /// Sets texture coordinate q of the immediate vertex.
            VTCQ = 0xF5, Immediate, Scalar, Hardware("primitives/immediate");
            /// Sets the colour of the immediate vertex.
            VCV = 0xF6, Immediate, Color, Hardware("primitives/immediate");
            /// Emits the immediate vertex.
            VAP = 0xF7, Immediate, ImmediateVertex, Hardware("primitives/immediate");
            /// Sets the fog coefficient of the immediate vertex.
            VFC = 0xF8, Immediate, Byte, Hardware("primitives/immediate");
            /// Sets the secondary colour of the immediate vertex.
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

/// Makes a sentence on a command's evidence for its documentation.
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
