//! Builds seeds for the fuzz targets.

use std::path::PathBuf;

use pspge::asm::{self, Image};
use pspge::formats::ppdmp::{CONTEXT_BYTES, RecordKind};
use pspge::ge::address::{Address, USER_RAM_BASE};
use pspge::ge::list::ListBuilder;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::vertex::PrimitiveType;
use pspge::ge::registers::{Matrix, Registers};

use super::{LIST_BYTES, TEXEL_OFFSET, VERTEX_OFFSET};
use crate::generate::{self, Random};
use crate::{input, sample, worst};

/// Returns a target's named seeds.
///
/// # Panics
/// If the bundled samples cannot be read, or if the target does not exist.
#[must_use]
pub fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    match target {
        // This first byte selects no format, so the file's own bytes decide.
        "open" => files().into_iter().map(|(name, bytes)| (name, [&[0x1F][..], &bytes].concat())).collect(),
        "export" | "inspector" => files(),
        "replay" => lists()
            .into_iter()
            .map(|(name, bytes)| {
                let (list, vertices) = bytes.split_at(bytes.len().min(LIST_BYTES));
                let mut records = Vec::new();
                for (kind, payload) in [
                    (RecordKind::Init, vec![0; CONTEXT_BYTES as usize]),
                    (RecordKind::Texture(0), vec![0x5A; 256]),
                    (RecordKind::Vertices, vertices.to_vec()),
                    (RecordKind::Registers, list.to_vec()),
                    (RecordKind::Display, [0x0400_0000u32, 512, 3].map(u32::to_le_bytes).concat()),
                ] {
                    records.push(kind.code());
                    records.extend(u16::try_from(payload.len()).unwrap_or(u16::MAX).to_le_bytes());
                    records.extend(payload);
                }
                (name, records)
            })
            .collect(),
        "list" | "sameness" | "debugger" => lists(),
        "assembler" => lists()
            .into_iter()
            .map(|(name, bytes)| {
                let base = Address::new(USER_RAM_BASE);
                let front = &bytes[..bytes.len().min(1024)];
                (name, asm::disassemble(&Image::with_list(base, front, base)).into_bytes())
            })
            .collect(),
        other => panic!("{other}: no such target"),
    }
}

/// Reads the bundled samples up to 64 KiB, without pictures.
fn files() -> Vec<(String, Vec<u8>)> {
    let read = |path: &PathBuf| {
        (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), input::read(path))
    };
    input::entries(&sample::folder())
        .iter()
        .map(read)
        .filter(|(name, bytes)| !name.ends_with(".png") && bytes.len() <= 0x1_0000)
        .collect()
}

/// Builds lists with draws for all types, and takes the worst lists, cut to an input's size, each with its vertices.
fn lists() -> Vec<(String, Vec<u8>)> {
    let worst = worst::lists().into_iter().map(|worst| {
        let mut bytes = worst.bytes[..LIST_BYTES].to_vec();
        bytes.extend_from_slice(&worst.bytes[VERTEX_OFFSET as usize..VERTEX_OFFSET as usize + 2048]);
        (worst.name.replace(' ', "-"), bytes)
    });
    (0..24).map(|seed| (format!("drawn-{seed}"), drawn(seed))).chain(worst).collect()
}

/// Builds a list to draw a few primitives for every type into a small framebuffer, with random registers.
fn drawn(seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed + 1);
    let through = seed.is_multiple_of(2);
    let base = Address::new(USER_RAM_BASE);
    let registers = generate::registers(&mut random, base.offset(TEXEL_OFFSET).get(), through);
    let mut list = ListBuilder::new(base);
    for opcode in (0..=u8::MAX).map(|number| Opcode::NOP.plus(number)) {
        let argument = registers.argument(opcode);
        if argument != Registers::new().argument(opcode) {
            list.set(opcode, argument);
        }
    }
    list.address(Opcode::CLUTADDR, base).set(Opcode::CLUTADDRUPPER, 0x08_0000).set(Opcode::LOADCLUT, 8);
    let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    for matrix in [Matrix::World, Matrix::View, Matrix::Texture, Matrix::Bone] {
        list.matrix(matrix, 0, &identity);
    }
    let projection = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    list.matrix(Matrix::Projection, 0, &projection);
    for (scale, center) in [
        (Opcode::VIEWPORTXSCALE, Opcode::VIEWPORTXCENTER),
        (Opcode::VIEWPORTYSCALE, Opcode::VIEWPORTYCENTER),
        (Opcode::VIEWPORTZSCALE, Opcode::VIEWPORTZCENTER),
    ] {
        list.float(scale, 64.0).float(center, 2048.0);
    }
    list.set(Opcode::OFFSETX, (2048 - 64) << 4).set(Opcode::OFFSETY, (2048 - 64) << 4);
    list.float(Opcode::TEXSCALEU, 1.0).float(Opcode::TEXSCALEV, 1.0);
    // Texture coordinates, colour and position; in through mode texture coordinates also lie outside the texture.
    list.set(Opcode::VTYPE, 3 << 7 | 7 << 2 | 3 | u32::from(through) << 23);
    list.address(Opcode::VADDR, base.offset(VERTEX_OFFSET));
    for primitive in [
        PrimitiveType::POINTS,
        PrimitiveType::LINES,
        PrimitiveType::TRIANGLES,
        PrimitiveType::TRIANGLE_STRIP,
        PrimitiveType::TRIANGLE_FAN,
        PrimitiveType::RECTANGLES,
    ] {
        list.prim(primitive, 6);
    }
    list.finish();
    let mut bytes: Vec<u8> = list.words().iter().flat_map(|word| word.to_le_bytes()).collect();
    assert!(bytes.len() <= LIST_BYTES, "a list of {} bytes", bytes.len());
    bytes.resize(LIST_BYTES, 0);
    for _ in 0..36 {
        let mut coordinate = |low: i32, high: i32, unit: f32| {
            f32::from(i16::try_from(random.between(low, high)).unwrap_or(0)) * unit
        };
        let (texel_unit, unit) = if through { (1.0, 1.0) } else { (1.0 / 64.0, 1.0 / 64.0) };
        let (low, high) = if through { (-20, 140) } else { (-90, 90) };
        let texture = [coordinate(-10, 200, texel_unit), coordinate(-10, 200, texel_unit)];
        let position = [coordinate(low, high, unit), coordinate(low, high, unit), coordinate(0, 64, unit)];
        bytes.extend(texture.into_iter().flat_map(f32::to_le_bytes));
        bytes.extend(random.bits().to_le_bytes());
        bytes.extend(position.into_iter().flat_map(f32::to_le_bytes));
    }
    bytes
}
