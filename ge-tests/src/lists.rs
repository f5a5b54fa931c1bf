//! Sets the initial state for lists built by tests and benchmarks.

use pspge::ge::list::ListBuilder;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::Matrix;

/// Sets an 8888 framebuffer with 512×512 pixels at the start of VRAM, followed by a depth buffer.
pub fn screen(list: &mut ListBuilder) {
    list.set(Opcode::FRAMEBUFPTR, 0).set(Opcode::FRAMEBUFWIDTH, 512).set(Opcode::FRAMEBUFPIXFORMAT, 3);
    list.set(Opcode::ZBUFPTR, 0x11_0000).set(Opcode::ZBUFWIDTH, 512);
    list.set(Opcode::SCISSOR2, 511 | 511 << 10).set(Opcode::REGION2, 1023 | 1023 << 10);
    list.set(Opcode::MAXZ, 0xFFFF);
}

/// Sets identity matrices and a viewport to map −1 to 1 to this framebuffer.
pub fn transform(list: &mut ListBuilder) {
    let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let projection = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    for matrix in [Matrix::World, Matrix::View, Matrix::Texture] {
        list.matrix(matrix, 0, &identity);
    }
    for bone in 0..8 {
        list.matrix(Matrix::Bone, bone * 12, &identity);
    }
    list.matrix(Matrix::Projection, 0, &projection);
    for (scale, center) in [
        (Opcode::VIEWPORTXSCALE, Opcode::VIEWPORTXCENTER),
        (Opcode::VIEWPORTYSCALE, Opcode::VIEWPORTYCENTER),
        (Opcode::VIEWPORTZSCALE, Opcode::VIEWPORTZCENTER),
    ] {
        list.float(scale, 256.0).float(center, 2048.0);
    }
    list.set(Opcode::OFFSETX, (2048 - 256) << 4).set(Opcode::OFFSETY, (2048 - 256) << 4);
    list.float(Opcode::TEXSCALEU, 1.0).float(Opcode::TEXSCALEV, 1.0);
}
