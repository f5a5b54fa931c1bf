//! The constants from libgu's header, in groups for the parameters that take them.

/// A line for each group: its name, and constants with their values, without the common prefix `GU_`. If several have
/// the same value, the first is printed. So newer names, which earlier versions of the header do not have, come last.
const GROUPS: &str = "\
bool FALSE=0 TRUE=1
primitive POINTS=0 LINES=1 LINE_STRIP=2 TRIANGLES=3 TRIANGLE_STRIP=4 TRIANGLE_FAN=5 SPRITES=6
texture-bits TEXTURE_8BIT=1 TEXTURE_16BIT=2 TEXTURE_32BITF=3
color-bits COLOR_5650=16 COLOR_5551=20 COLOR_4444=24 COLOR_8888=28
normal-bits NORMAL_8BIT=32 NORMAL_16BIT=64 NORMAL_32BITF=96
vertex-bits VERTEX_8BIT=128 VERTEX_16BIT=256 VERTEX_32BITF=384
weight-bits WEIGHT_8BIT=512 WEIGHT_16BIT=1024 WEIGHT_32BITF=1536
index-bits INDEX_8BIT=2048 INDEX_16BIT=4096
transform-bits TRANSFORM_3D=0 TRANSFORM_2D=8388608
psm PSM_5650=0 PSM_5551=1 PSM_4444=2 PSM_8888=3 PSM_T4=4 PSM_T8=5 PSM_T16=6 PSM_T32=7 PSM_DXT1=8 \
    PSM_DXT3=9 PSM_DXT5=10
edge FILL_FILL=0 OPEN_FILL=1 FILL_OPEN=2 OPEN_OPEN=3
shading FLAT=0 SMOOTH=1
winding CW=0 CCW=1
logic CLEAR=0 AND=1 AND_REVERSE=2 COPY=3 AND_INVERTED=4 NOOP=5 XOR=6 OR=7 NOR=8 EQUIV=9 INVERTED=10 \
    OR_REVERSE=11 COPY_INVERTED=12 OR_INVERTED=13 NAND=14 SET=15
filter NEAREST=0 LINEAR=1 NEAREST_MIPMAP_NEAREST=4 LINEAR_MIPMAP_NEAREST=5 NEAREST_MIPMAP_LINEAR=6 \
    LINEAR_MIPMAP_LINEAR=7
map-mode TEXTURE_COORDS=0 TEXTURE_MATRIX=1 ENVIRONMENT_MAP=2
projection POSITION=0 UV=1 NORMALIZED_NORMAL=2 NORMAL=3
wrap REPEAT=0 CLAMP=1
level TEXTURE_AUTO=0 TEXTURE_CONST=1 TEXTURE_SLOPE=2
effect TFX_MODULATE=0 TFX_DECAL=1 TFX_BLEND=2 TFX_REPLACE=3 TFX_ADD=4
component TCC_RGB=0 TCC_RGBA=1
compare NEVER=0 ALWAYS=1 EQUAL=2 NOTEQUAL=3 LESS=4 LEQUAL=5 GREATER=6 GEQUAL=7
blend ADD=0 SUBTRACT=1 REVERSE_SUBTRACT=2 MIN=3 MAX=4 ABS=5
source DST_COLOR=0 ONE_MINUS_DST_COLOR=1 SRC_ALPHA=2 ONE_MINUS_SRC_ALPHA=3 DST_ALPHA=4 \
    ONE_MINUS_DST_ALPHA=5 DOUBLE_SRC_ALPHA=6 ONE_MINUS_DOUBLE_SRC_ALPHA=7 DOUBLE_DST_ALPHA=8 \
    ONE_MINUS_DOUBLE_DST_ALPHA=9 FIX=10 OTHER_COLOR=0 ONE_MINUS_OTHER_COLOR=1
destination SRC_COLOR=0 ONE_MINUS_SRC_COLOR=1 SRC_ALPHA=2 ONE_MINUS_SRC_ALPHA=3 DST_ALPHA=4 \
    ONE_MINUS_DST_ALPHA=5 DOUBLE_SRC_ALPHA=6 ONE_MINUS_DOUBLE_SRC_ALPHA=7 DOUBLE_DST_ALPHA=8 \
    ONE_MINUS_DOUBLE_DST_ALPHA=9 FIX=10
stencil KEEP=0 ZERO=1 REPLACE=2 INVERT=3 INCR=4 DECR=5
light-type DIRECTIONAL=0 POINTLIGHT=1 SPOTLIGHT=2
light AMBIENT=1 DIFFUSE=2 SPECULAR=4
light-components AMBIENT_AND_DIFFUSE=3 DIFFUSE_AND_SPECULAR=6 POWERED_DIFFUSE=8 \
    UNKNOWN_LIGHT_COMPONENT=8
light-mode SINGLE_COLOR=0 SEPARATE_SPECULAR_COLOR=1
clear COLOR_BUFFER_BIT=1 STENCIL_BUFFER_BIT=2 DEPTH_BUFFER_BIT=4 FAST_CLEAR_BIT=16
signal SIGNAL_WAIT=1 SIGNAL_NOWAIT=2 SIGNAL_PAUSE=3
";

/// Returns a constant's value, by its name without the prefix.
pub(super) fn value(name: &str) -> Option<u32> {
    all().find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// Works as [`value`], but only for constants that are vertex type bits.
pub(super) fn vertex_type_bits(name: &str) -> Option<u32> {
    let bits = groups().filter(|(group, _)| group.ends_with("-bits"));
    bits.flat_map(|(_, line)| entries(line)).find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// Lists all constants: name without prefix, and value.
pub(super) fn all() -> impl Iterator<Item = (&'static str, u32)> {
    groups().flat_map(|(_, line)| entries(line))
}

/// Lists a group's constants. Empty if there is no such group.
pub(super) fn group(name: &str) -> impl Iterator<Item = (&'static str, u32)> + use<> {
    let found = groups().find(|(known, _)| *known == name);
    found.into_iter().flat_map(|(_, line)| entries(line))
}

fn groups() -> impl Iterator<Item = (&'static str, &'static str)> {
    GROUPS.lines().filter_map(|line| line.split_once(' '))
}

fn entries(line: &'static str) -> impl Iterator<Item = (&'static str, u32)> {
    let entry = |entry: &'static str| {
        let (name, value) = entry.split_once('=')?;
        Some((name, value.parse().ok()?))
    };
    line.split_whitespace().filter_map(entry)
}
