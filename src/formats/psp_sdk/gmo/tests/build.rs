//! Builds GMO files for tests.

/// Builds a block, and computes its offsets.
pub(super) fn block(kind: u16, name: &str, args: &[u32], data: &[u8], children: &[Vec<u8>]) -> Vec<u8> {
    let mut name = name.as_bytes().to_vec();
    name.resize(name.len().next_multiple_of(4), 0);
    let mut data = data.to_vec();
    data.resize(data.len().next_multiple_of(4), 0);
    let args_at = 16 + name.len();
    let data_at = args_at + 4 * args.len();
    let child_at = data_at + data.len();
    let size = child_at + children.iter().map(Vec::len).sum::<usize>();
    let half = |value: usize| u16::try_from(value).expect("small").to_le_bytes();
    let word = |value: usize| u32::try_from(value).expect("small").to_le_bytes();
    let head =
        [&kind.to_le_bytes()[..], &half(args_at), &word(size), &word(child_at), &word(data_at)].concat();
    let args: Vec<u8> = args.iter().flat_map(|word| word.to_le_bytes()).collect();
    [head, name, args, data, children.concat()].concat()
}

/// Builds a command from words, with bytes after them.
pub(super) fn command_with(kind: u16, words: &[u32], bytes: &[u8]) -> Vec<u8> {
    let mut args: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    args.extend_from_slice(bytes);
    args.resize(args.len().next_multiple_of(4), 0);
    let size = u32::try_from(8 + args.len()).expect("small");
    [&(kind | 0x8000).to_le_bytes()[..], &[0; 2], &size.to_le_bytes(), &args].concat()
}

/// Builds a command from words.
pub(super) fn command(kind: u16, words: &[u32]) -> Vec<u8> {
    command_with(kind, words, &[])
}

/// Builds a command from floats.
pub(super) fn floats(kind: u16, values: &[f32]) -> Vec<u8> {
    command(kind, &values.iter().map(|value| value.to_bits()).collect::<Vec<_>>())
}

/// Builds a reference to block `index` of type `kind`.
pub(super) const fn to(kind: u32, index: u32) -> u32 {
    kind << 16 | 1 << 12 | index
}

/// Builds a file from models, each a list of chunks.
pub(super) fn file(models: &[Vec<Vec<u8>>]) -> Vec<u8> {
    let models: Vec<Vec<u8>> = models.iter().map(|chunks| block(3, "model", &[], &[], chunks)).collect();
    [&b"OMG.00.1PSP\0\0\0\0\0"[..], &block(2, "", &[], &[], &models)].concat()
}

/// The vertex layout for float positions.
pub(super) const POSITION: u32 = 0x180;
/// Adds 16-bit indices to a layout.
pub(super) const INDEXED: u32 = 0x1000;

/// Builds vertex arrays from floats.
pub(super) fn arrays(format: u32, count: u32, values: &[f32]) -> Vec<u8> {
    let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let morphs = (format >> 18 & 7) + 1;
    block(7, "arrays", &[format, count, morphs, 0], &data, &[])
}

/// Builds a draw, with these indices if any.
pub(super) fn draw(mode: u32, vertices: u32, count: u32, indices: &[u16]) -> Vec<u8> {
    let bytes: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
    command_with(0x66, &[to(7, 0), mode, vertices, count], &bytes)
}

/// Builds a bone to draw part 0, with more commands.
pub(super) fn bone(commands: &[Vec<u8>]) -> Vec<u8> {
    let mut children = commands.to_vec();
    children.push(command(0x4E, &[to(5, 0)]));
    block(4, "bone", &[], &[], &children)
}

/// Builds a mesh with a material and draws.
pub(super) fn mesh(commands: &[Vec<u8>]) -> Vec<u8> {
    let mut children = vec![command(0x61, &[to(8, 0)])];
    children.extend_from_slice(commands);
    block(6, "mesh", &[], &[], &children)
}

/// Builds an unlit material with more commands.
pub(super) fn material(commands: &[Vec<u8>]) -> Vec<u8> {
    let mut children = vec![command(0x81, &[0, 0])];
    children.extend_from_slice(commands);
    block(8, "material", &[], &[], &children)
}

/// Builds a curve from its keys.
pub(super) fn curve(format: u32, dimensions: u32, keys: &[&[f32]]) -> Vec<u8> {
    let data: Vec<u8> = keys.concat().iter().flat_map(|value| value.to_le_bytes()).collect();
    let count = u32::try_from(keys.len()).expect("few");
    block(0xC, "curve", &[format, dimensions, count, 0], &data, &[])
}

/// Builds a motion over frames 0 to 30. Each track is a target, a channel and an index, and uses the curve at its
/// place.
pub(super) fn motion(tracks: &[(u32, u32, u32)], curves: &[Vec<u8>]) -> Vec<u8> {
    let mut children = vec![floats(0xB1, &[0.0, 30.0]), floats(0xB2, &[30.0])];
    for ((target, channel, index), curve) in tracks.iter().zip(0..) {
        children.push(command(0xB3, &[*target, *channel, *index, to(0xC, curve)]));
    }
    children.extend_from_slice(curves);
    block(0xB, "motion", &[], &[], &children)
}

/// A triangle's positions.
pub(super) const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// Builds a model with a triangle, more commands for its bone and material, and more chunks at the end.
pub(super) fn triangle(
    bone_commands: &[Vec<u8>],
    material_commands: &[Vec<u8>],
    more: &[Vec<u8>],
) -> Vec<u8> {
    let part = block(5, "part", &[], &[], &[mesh(&[draw(3, 3, 1, &[])]), arrays(POSITION, 3, &TRIANGLE)]);
    let mut chunks = vec![bone(bone_commands), part, material(material_commands)];
    chunks.extend_from_slice(more);
    file(&[chunks])
}
