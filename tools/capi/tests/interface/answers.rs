//! Tests answers for debuggers.

use pspge_c::Status;
use pspge_c::answers::{VertexInfo, pspge_get_depth, pspge_get_texture, pspge_get_vertices};
use pspge_c::run::RunEnding;

use crate::host::{Host, options};

/// Draws a textured rectangle with indices and depth.
const TEXTURED: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    ZBUFPTR 0x110000 | ZBUFWIDTH width=512 | ZTESTENABLE 1 | ZTEST ALWAYS | MAXZ 0xFFFF
    TEXENABLE 1 | TEXFORMAT ABGR8888 | TEXADDR0 lo(texels) | TEXBUFWIDTH0 width=4 high=0x8
    TEXSIZE0 width_log2=2 height_log2=0
    BASE hi(corners) | VTYPE color=ABGR8888 texcoord=BITS16 position=BITS16 index=BITS8 through=1
    VADDR lo(corners) | IADDR lo(indices)
    PRIM primitive=RECTANGLES count=2
    FINISH | END
.align 16
texels:
    .rgba #01020304 | .rgba #05060708 | .rgba #090a0b0c | .rgba #0d0e0f10
corners:
    .s16 1 2 | .rgba #0000ff80 | .s16 8 9 7 | .align 4
    .s16 3 4 | .rgba #ff000040 | .s16 2 3 77 | .align 4
indices:
    .u8 1 0
";

#[test]
fn texture_vertices_and_depth_are_numbers() {
    let host = Host::new(TEXTURED, 0);
    let before_draw = pspge_c::run::RunOptions { max_commands: 18, ..options() };
    let result = host.run(&before_draw);
    assert_eq!((result.ending, result.draws), (RunEnding::Budget, 0), "{result:?}");
    let mut pixels = [0; 16];
    let (mut width, mut height) = (0, 0);
    let mut vertices = [VertexInfo::default(); 2];
    let mut depth = [0; 6];
    // SAFETY: the instance lives, and the buffers have these sizes.
    unsafe {
        let status =
            pspge_get_texture(host.instance, 0, pixels.as_mut_ptr(), 15, &raw mut width, &raw mut height);
        assert_eq!((status, width, height), (Status::BufferTooSmall, 4, 1), "{}", host.error());
        let status =
            pspge_get_texture(host.instance, 0, pixels.as_mut_ptr(), 16, &raw mut width, &raw mut height);
        assert_eq!(status, Status::Ok, "{}", host.error());
        assert_eq!(pixels, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], "texels");
        let status =
            pspge_get_texture(host.instance, 8, pixels.as_mut_ptr(), 16, &raw mut width, &raw mut height);
        assert_eq!(status, Status::BadArgument, "no such level");
        let status = pspge_get_vertices(host.instance, vertices.as_mut_ptr(), 2);
        assert_eq!(status, Status::Ok, "{}", host.error());
    }
    let [first, second] = vertices;
    assert_eq!((first.index, first.position, first.texcoord), (1, [2.0, 3.0, 77.0], [3.0, 4.0]), "{first:?}");
    assert_eq!((second.index, second.color), (0, [0, 0, 255, 128]), "{second:?}");
    assert_eq!(first.address - second.address, 16, "the size of a vertex");
    assert_eq!(host.resume(&options()).ending, RunEnding::Finished, "the rest");
    // SAFETY: the instance lives, and the buffer has this size.
    unsafe {
        let status = pspge_get_depth(host.instance, 3, 2, depth.as_mut_ptr());
        assert_eq!((status, depth), (Status::Ok, [0; 6]), "outside the rectangle");
        let mut rows = vec![0_u16; 10 * 5];
        assert_eq!(pspge_get_depth(host.instance, 10, 5, rows.as_mut_ptr()), Status::Ok, "{}", host.error());
        assert_eq!((rows[39], rows[42]), (0, rows[47]), "row 4 is inside from column 2 to 7");
        assert!(rows[42] == 77 || rows[42] == 7, "the depth of a corner: {}", rows[42]);
        assert_eq!(
            pspge_get_depth(host.instance, 1025, 1, rows.as_mut_ptr()),
            Status::BadArgument,
            "too many"
        );
    }
}
