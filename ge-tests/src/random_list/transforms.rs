//! Sets random matrices, fog, and how to divide patches.

use pspge::ge::list::ListBuilder;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::Matrix;

use crate::generate::Random;

/// Sets world, view and projection, and a viewport to map −1 to 1 to the target.
pub(super) fn matrices(list: &mut ListBuilder, random: &mut Random, has_perspective: bool) {
    list.matrix(Matrix::World, 0, &affine(random)).matrix(Matrix::View, 0, &affine(random));
    let mut projection = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    if has_perspective {
        // This makes w between about 0 and 3 in front of the viewer; it may be negative elsewhere.
        projection[11] = random.pick(&[-1.0, 0.9, 0.4]);
        projection[15] = random.pick(&[1.0, 1.4, 0.1]);
        projection[10] = random.pick(&[1.0, -1.02, 0.5]);
        projection[14] = random.pick(&[0.0, -0.2, 0.3]);
    }
    list.matrix(Matrix::Projection, 0, &projection);
    for (scale, value, center, at) in [
        (Opcode::VIEWPORTXSCALE, 64.0, Opcode::VIEWPORTXCENTER, 2048.0),
        (Opcode::VIEWPORTYSCALE, -50.0, Opcode::VIEWPORTYCENTER, 2048.0),
        (Opcode::VIEWPORTZSCALE, 32_767.0, Opcode::VIEWPORTZCENTER, 32_767.0),
    ] {
        list.float(scale, value).float(center, at);
    }
    list.set(Opcode::OFFSETX, (2048 - 64) << 4).set(Opcode::OFFSETY, (2048 - 50) << 4);
    list.set(Opcode::DEPTHCLAMPENABLE, u32::from(!random.once_in(3)));
}

/// Generates a 4×3 matrix: the identity, a rotation about an axis, or any numbers.
fn affine(random: &mut Random) -> [f32; 12] {
    let mut matrix = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    match random.below(4) {
        0 => {}
        1 => matrix.fill_with(|| random.float(-1.0, 1.0)),
        _ => {
            let (sine, cosine) = libm::sincosf(random.float(-3.2, 3.2));
            let (first, second) = random.pick(&[(0, 1), (0, 2), (1, 2)]);
            matrix[3 * first + first] = cosine;
            matrix[3 * second + second] = cosine;
            matrix[3 * first + second] = sine;
            matrix[3 * second + first] = -sine;
            matrix[9..].fill_with(|| random.float(-0.3, 0.3));
        }
    }
    matrix
}

/// Sets the texture matrix and its source; q is often 0 or below, to test dividing by it.
pub(super) fn texture_matrix(list: &mut ListBuilder, random: &mut Random) {
    list.set(Opcode::TEXMAPMODE, 1 | random.below(4) << 8).set(Opcode::REVERSENORMAL, random.below(2));
    let mut matrix = [0.0; 12].map(|_: f32| random.float(-1.5, 1.5));
    matrix[11] = random.pick(&[0.0, 0.7, -0.5]);
    if random.once_in(4) {
        for q in [2, 5, 8] {
            matrix[q] = 0.0;
        }
    }
    list.matrix(Matrix::Texture, 0, &matrix);
}

/// Sets four bones and three morph weights.
pub(super) fn bones(list: &mut ListBuilder, random: &mut Random) {
    for bone in 0..4 {
        list.matrix(Matrix::Bone, bone * 12, &affine(random));
    }
    for weight in 0..3 {
        list.float(Opcode::MORPHWEIGHT0.plus(weight), random.float(-0.3, 1.0));
    }
}

/// Enables fog.
pub(super) fn fog(list: &mut ListBuilder, random: &mut Random) {
    list.set(Opcode::FOGENABLE, 1).set(Opcode::FOGCOLOR, random.bits() & 0xFF_FFFF);
    let special = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 0.0];
    let end = if random.once_in(6) { random.pick(&special) } else { random.float(-1.0, 2.0) };
    let slope = if random.once_in(6) { random.pick(&special) } else { random.float(-0.8, 0.8) };
    list.float(Opcode::FOG1, end).float(Opcode::FOG2, slope);
}

/// Sets division, primitive and facing for patches.
pub(super) fn patch(list: &mut ListBuilder, random: &mut Random) {
    list.set(Opcode::PATCHDIVISION, random.below(8) | random.below(8) << 8);
    list.set(Opcode::PATCHPRIM, random.below(4)).set(Opcode::PATCHFACING, random.below(2));
    list.set(Opcode::PATCHCULLENABLE, random.below(2));
}
