//! Builds a beacon with a flag in the PSP SDK's format.
//!
//! It covers features missing in public files: skinned strips, morph frames, quantised vertices, fans, a spline,
//! several passes, bones in both groups, and motions with every kind of curve, also with half floats.

use crate::bytes::{put_f32, put_u16};
use crate::formats::gim;
use crate::formats::gmo::{
    ARRAYS, Arg, BONE, CURVE, LAYER, MATERIAL, MESH, MOTION, PART, TEXTURE, arrays, block, command,
    command_with, curve, draw, file, floats,
};
use crate::modelling::image::swizzle;
use crate::modelling::maths::{byte, cells, cos, mix, noise, rgb, round, sin};

/// The bones' numbers.
const TOWER: usize = 0;
const LAMP: usize = 1;
const FLAG: [usize; 4] = [2, 3, 4, 5];
/// How many columns the flag has, with a bone at every second.
const COLUMNS: usize = 9;
/// How many sides the tower has.
const SIDES: usize = 12;

/// Returns all files by name.
pub(crate) fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![("beacon.gmo", model())]
}

fn model() -> Vec<u8> {
    let mut chunks = bones();
    chunks.extend([tower(), flag(), light(), ground(), rope()]);
    chunks.extend(materials());
    chunks.extend([texture("stone", &stone()), texture("cloth", &cloth()), motion()]);
    file("beacon", &chunks)
}

fn bone(name: &str, commands: &[Vec<u8>]) -> Vec<u8> {
    block(BONE, name, commands)
}

fn bones() -> Vec<Vec<u8>> {
    let parent = |number| command(0x41, &[Arg::To(BONE, number)]);
    let part = |number| command(0x4E, &[Arg::To(PART, number)]);
    let mut bones = vec![
        bone("tower", &[part(0), part(3), part(4)]),
        // The light is drawn after everything else, because it is added.
        bone(
            "lamp",
            &[
                parent(TOWER),
                floats(0x48, &[0.0, 2.2, 0.0]),
                floats(0x4F, &[0.0]),
                command(0xE2, &[Arg::Word(0), Arg::Word(1)]),
                part(2),
            ],
        ),
    ];
    for (number, own) in FLAG.into_iter().enumerate() {
        let (above, place) = if number == 0 { (TOWER, [0.1, 2.7, 0.0]) } else { (own - 1, [0.4, 0.0, 0.0]) };
        let name = format!("cloth{number}");
        bones.push(bone(&name, &[parent(above), floats(0x48, &place), floats(0x49, &[0.0; 3])]));
    }
    let count = Arg::Word(FLAG.len());
    let blended: Vec<Arg> = [count].into_iter().chain(FLAG.map(|own| Arg::To(BONE, own))).collect();
    let mut offsets = vec![count];
    for number in 0..FLAG.len() {
        let x = f64::from(u8::try_from(number).unwrap_or(0)) * 0.4 + 0.1;
        let matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -x, -2.7, 0.0, 1.0];
        offsets.extend(matrix.map(Arg::Float));
    }
    bones.push(bone("flag", &[parent(TOWER), command(0x44, &blended), command(0x45, &offsets), part(1)]));
    bones
}

/// Returns the angle of a side among `sides`, in turns.
fn turn(side: usize, sides: usize) -> f64 {
    f64::from(u16::try_from(side).unwrap_or(0)) / f64::from(u16::try_from(sides).unwrap_or(1))
}

fn put_s16(out: &mut Vec<u8>, value: f64) {
    out.extend(i16::try_from(round(value * 32767.0)).unwrap_or(i16::MAX).to_le_bytes());
}

/// Builds a round tower from quantised vertices: u16 coordinates, s8 normals, s16 positions, in a strip for each
/// floor.
fn tower() -> Vec<u8> {
    let rings = [(0.55, 0.0), (0.4, 0.6), (0.32, 1.3), (0.3, 1.9), (0.42, 2.0)];
    let mut bytes = Vec::new();
    for (ring, (radius, height)) in rings.into_iter().enumerate() {
        for side in 0..=SIDES {
            let angle = turn(side, SIDES);
            let (x, z) = (cos(angle), sin(angle));
            // Coordinates count in 32768ths, and the offset scales them by 4.
            put_u16(&mut bytes, usize::try_from(round(turn(side, SIDES) * 16384.0)).unwrap_or(0));
            put_u16(&mut bytes, ring * 4096);
            bytes.extend(
                [x, 0.0, z].map(|axis| i8::try_from(round(axis * 127.0)).unwrap_or(0).cast_unsigned()),
            );
            bytes.push(0);
            for axis in [x * radius / 4.0, height / 4.0 - 0.5, z * radius / 4.0] {
                put_s16(&mut bytes, axis);
            }
        }
    }
    let strip = |ring: usize| -> Vec<usize> {
        (0..=SIDES).flat_map(|side| [ring * (SIDES + 1) + side, (ring + 1) * (SIDES + 1) + side]).collect()
    };
    let strips: Vec<usize> = (0..4).flat_map(strip).collect();
    let offsets = [
        command_with(0x15, &[Arg::Word(0x180)], &values(&[0.0, 2.0, 0.0, 4.0, 4.0, 4.0])),
        command_with(0x15, &[Arg::Word(3)], &values(&[0.0, 0.0, 4.0, 4.0])),
    ];
    let mesh = block(MESH, "walls", &[material(0), draw(4, 2 * (SIDES + 1), 4, &strips)]);
    let vertices = arrays(0x1000 | 2 | 1 << 5 | 2 << 7, rings.len() * (SIDES + 1), &bytes);
    block(PART, "tower", &[vec![mesh, vertices], offsets.to_vec()].concat())
}

fn values(values: &[f64]) -> Vec<u8> {
    let mut out = Vec::new();
    values.iter().for_each(|value| put_f32(&mut out, *value));
    out
}

fn material(number: usize) -> Vec<u8> {
    command(0x61, &[Arg::To(MATERIAL, number)])
}

/// Builds a flag as a single strip, with two weights per vertex. Each mesh moves with three of the four bones.
fn flag() -> Vec<u8> {
    let mut bytes = Vec::new();
    for column in 0..COLUMNS {
        let along = turn(column, COLUMNS - 1);
        // Each bone moves everything after it.
        let position = along * 3.0;
        let second = position - position.floor();
        for row in [0.0, 1.0] {
            for slot in 0..4 {
                let near = 1.0 - (position - f64::from(slot)).abs();
                put_f32(&mut bytes, near.clamp(0.0, 1.0));
            }
            values_into(&mut bytes, &[along, row]);
            let shade = byte(0.75 + 0.25 * second);
            bytes.extend([shade, shade, shade, 255]);
            values_into(&mut bytes, &[0.1 + along * 1.2, 2.7 + 0.35 - 0.7 * row, 0.0]);
        }
    }
    let strip: Vec<usize> = (0..COLUMNS * 2).collect();
    let subset = command(0x62, &[4, 0, 1, 2, 3].map(Arg::Word));
    let mesh = block(MESH, "cloth", &[material(1), subset, draw(4, COLUMNS * 2, 1, &strip)]);
    let vertices = arrays(0x1000 | 3 | 7 << 2 | 3 << 7 | 3 << 9 | 3 << 14, COLUMNS * 2, &bytes);
    block(PART, "flag", &[mesh, vertices])
}

fn values_into(out: &mut Vec<u8>, values: &[f64]) {
    values.iter().for_each(|value| put_f32(out, *value));
}

/// Builds a glow from a fan that grows and shrinks by two morph frames.
fn light() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut vertex = |place: [f64; 2], color: [u8; 4]| {
        for size in [0.35, 0.6] {
            bytes.extend(color);
            values_into(&mut bytes, &[place[0] * size, place[1] * size, 0.0]);
        }
    };
    vertex([0.0, 0.0], [255, 240, 180, 255]);
    for side in 0..=SIDES {
        let angle = turn(side, SIDES);
        vertex([cos(angle), sin(angle)], [120, 60, 0, 0]);
    }
    let count = SIDES + 2;
    let mesh = block(MESH, "glow", &[material(2), draw(5, count, 1, &[])]);
    block(PART, "light", &[mesh, arrays(7 << 2 | 3 << 7 | 1 << 18, count, &bytes)])
}

/// Builds hilly ground: a spline with 5x5 control points and closed edges.
fn ground() -> Vec<u8> {
    let mut bytes = Vec::new();
    for z in 0..5_u8 {
        for x in 0..5_u8 {
            let (u, v) = (f64::from(x) / 4.0, f64::from(z) / 4.0);
            let height = if x == 2 && z == 2 { 0.15 } else { 0.5 * noise(u * 3.0, v * 3.0, 5) - 0.35 };
            values_into(&mut bytes, &[u * 3.0, v * 3.0, (u - 0.5) * 3.6, height, (v - 0.5) * 3.6]);
        }
    }
    let mut indices = Vec::new();
    (0..25).for_each(|index| put_u16(&mut indices, index));
    let mode = 4 | 3 << 12 | 3 << 14;
    let spline =
        command_with(0x68, &[Arg::To(ARRAYS, 0), Arg::Word(mode), Arg::Word(5), Arg::Word(5)], &indices);
    let mesh = block(MESH, "hill", &[material(3), floats(0x63, &[4.0, 4.0]), spline]);
    block(PART, "ground", &[mesh, arrays(0x1000 | 3 | 3 << 7, 25, &bytes)])
}

/// Builds the flagpole and its stays, as lines.
fn rope() -> Vec<u8> {
    let top = [0.1, 3.1, 0.0];
    let ends = [[0.1, 2.0, 0.0], [-0.9, 0.1, 0.9], [-0.9, 0.1, -0.9]];
    let points: Vec<f64> = ends.iter().flat_map(|end| [top, *end].concat()).collect();
    let mesh = block(MESH, "lines", &[material(4), draw(1 | 0x100, 2, 3, &[0])]);
    block(PART, "rope", &[mesh, arrays(0x1000 | 3 << 7, 6, &values(&points))])
}

fn materials() -> Vec<Vec<u8>> {
    let state = |bit: usize, value: usize| command(0x81, &[Arg::Word(bit), Arg::Word(value)]);
    let layer = |commands: &[Vec<u8>]| block(LAYER, "layer", commands);
    let texture = |number| command(0x91, &[Arg::To(TEXTURE, number)]);
    let map = |kind| command(0x92, &[Arg::Word(kind)]);
    let blend = |function: [usize; 3]| command(0x94, &function.map(Arg::Word));
    vec![
        block(
            MATERIAL,
            "stone",
            &[
                floats(0x82, &[0.95, 0.9, 0.85, 1.0]),
                layer(&[texture(0), map(0x82), command(0x96, &[Arg::Word(1), Arg::Word(5)])]),
            ],
        ),
        block(
            MATERIAL,
            "cloth",
            &[
                state(0, 0),
                state(3, 0),
                layer(&[
                    texture(1),
                    map(0x82),
                    command(0x97, &[Arg::Word(0), Arg::Word(1)]),
                    floats(0x98, &[0.0, 0.0, 1.0, 1.0]),
                ]),
            ],
        ),
        block(
            MATERIAL,
            "glow",
            &[
                state(0, 0),
                state(3, 0),
                state(5, 0),
                floats(0x84, &[0.25, 0.12, 0.0, 1.0]),
                layer(&[map(0x82), blend([0, 6, 1])]),
            ],
        ),
        block(
            MATERIAL,
            "grass",
            &[
                state(0, 0),
                state(3, 0),
                floats(0x82, &[0.35, 0.55, 0.25, 1.0]),
                layer(&[texture(0), map(0x82)]),
            ],
        ),
        block(MATERIAL, "rope", &[state(0, 0), floats(0x82, &[0.9, 0.8, 0.6, 1.0])]),
    ]
}

fn texture(name: &str, bytes: &[u8]) -> Vec<u8> {
    block(
        TEXTURE,
        name,
        &[
            command_with(0x12, &[], format!("{name}.gim\0").as_bytes()),
            command_with(0x13, &[Arg::Word(bytes.len())], bytes),
        ],
    )
}

/// Paints stones as a GIM with 16 colours and two mip levels.
fn stone() -> Vec<u8> {
    let level = |side: u16| {
        let texel = |x: u16, y: u16| {
            let (u, v) = ((f64::from(x) + 0.5) / f64::from(side), (f64::from(y) + 0.5) / f64::from(side));
            let (border, own) = cells(u * 4.0, v * 4.0, 21);
            byte((border * 6.0).clamp(0.0, 1.0) * (0.5 + 0.5 * own) * 15.0 / 255.0)
        };
        let row = |y: u16| (0..side).step_by(2).map(move |x| texel(x, y) | texel(x + 1, y) << 4);
        let rows: Vec<u8> = (0..side).flat_map(row).collect();
        swizzle(&rows, usize::from(side) / 2)
    };
    let color = |entry: u8| {
        let color = mix(rgb(70, 64, 60), rgb(226, 216, 196), f64::from(entry) / 15.0);
        [byte(color.x), byte(color.y), byte(color.z), 255]
    };
    gim::write(&[gim::Picture {
        image: gim::Image {
            format: 4,
            is_swizzled: true,
            size: [64, 64],
            levels: 2,
            data: vec![level(64), level(32)],
        },
        palette: Some(gim::palette(3, &[(0..16).map(color).collect()])),
        sequence: None,
    }])
}

/// Paints stripes as a GIM with 5650 colours.
fn cloth() -> Vec<u8> {
    let mut rows = Vec::new();
    for y in 0..16_u16 {
        for x in 0..32_u16 {
            let stripe = (x / 4 + y / 8) % 2 == 0;
            let [red, green, blue]: [usize; 3] = if stripe { [28, 10, 6] } else { [30, 58, 26] };
            put_u16(&mut rows, red | green << 5 | blue << 11);
        }
    }
    gim::write(&[gim::Picture {
        image: gim::Image { format: 0, is_swizzled: false, size: [32, 16], levels: 1, data: vec![rows] },
        palette: None,
        sequence: None,
    }])
}

/// Builds a motion over 40 frames: the flag waves, the light turns, pulses and flickers, and the cloth's stripes run.
fn motion() -> Vec<u8> {
    let mut tracks: Vec<(Arg, usize, usize)> = Vec::new();
    let mut curves = Vec::new();
    let mut add = |target: Arg, channel: usize, index: usize, curve: Vec<u8>| {
        tracks.push((target, channel, index));
        curves.push(curve);
    };
    let swing = [0.0, 0.35, 0.0, -0.35, 0.0];
    for (number, own) in FLAG.into_iter().enumerate() {
        let angle = |step: usize| swing[(step + number) % 4] * 1.4;
        let time = |step: usize| turn(step, 1) * 10.0;
        let keys: Vec<Vec<f64>> = (0..5)
            .map(|step| {
                let zero = |count: usize| vec![0.0; count];
                match number {
                    0 => vec![time(step), 0.0, angle(step), 0.0],
                    // The value, then its handles in and out.
                    1 => [vec![time(step)], zero(3), vec![angle(step), 0.1, -0.1], zero(3)].concat(),
                    // The value, then time and height for the handles.
                    2 => {
                        [vec![time(step)], zero(5), vec![angle(step), -4.0, 0.0, 4.0, 0.0], zero(5)].concat()
                    }
                    _ => vec![time(step), 0.0, angle(step), 0.0],
                }
            })
            .collect();
        // Linear, Hermite, cubic, and linear in half floats that repeat.
        let format = [1, 2, 3, 0x1181][number];
        add(Arg::To(BONE, own), 0x49, 0, curve(format, 3, &keys));
    }
    let quaternion = |turns: f64| [0.0, sin(turns / 2.0), 0.0, cos(turns / 2.0)];
    let turned = (0..5).map(|step| {
        let turns = turn(step, 4);
        [vec![turns * 40.0], quaternion(turns).to_vec()].concat()
    });
    add(Arg::To(BONE, LAMP), 0x4B, 0, curve(4, 4, &turned.collect::<Vec<_>>()));
    add(Arg::To(BONE, LAMP), 0x4F, 0, curve(0x2201, 1, &[vec![0.0, 0.0], vec![10.0, 1.0]]));
    add(Arg::To(BONE, LAMP), 0x42, 0, curve(0, 1, &[vec![0.0, 1.0], vec![36.0, 0.0]]));
    let crop = [vec![0.0, 0.0, 0.0, 1.0, 1.0], vec![40.0, 1.0, 0.0, 1.0, 1.0]];
    add(Arg::To(MATERIAL, 1), 0x98, 0, curve(1, 4, &crop));
    let red = [vec![0.0, 0.35, 0.55, 0.25, 1.0], vec![40.0, 0.55, 0.5, 0.2, 1.0]];
    add(Arg::To(MATERIAL, 3), 0x82, 0, curve(1, 4, &red));
    let mut children =
        vec![floats(0xB1, &[0.0, 40.0]), floats(0xB2, &[20.0]), command(0xB4, &[Arg::Word(1)])];
    for (number, (target, channel, index)) in tracks.into_iter().enumerate() {
        children.push(command(0xB3, &[target, Arg::Word(channel), Arg::Word(index), Arg::To(CURVE, number)]));
    }
    children.extend(curves);
    block(MOTION, "wind", &children)
}
