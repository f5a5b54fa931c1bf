//! Checks a PMO as strictly as its readers and the games' files allow: [limits](pspge::reference::formats::pmo#limits) and
//! [lists](pspge::reference::formats::pmo#lists).

fn u16_at(file: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([file[at], file[at + 1]]))
}

fn word_at(file: &[u8], at: usize) -> usize {
    u16_at(file, at) | u16_at(file, at + 2) << 16
}

fn float_at(file: &[u8], at: usize) -> f32 {
    f32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes"))
}

/// Panics if a file breaks a rule.
pub(crate) fn check(name: &str, file: &[u8]) {
    assert_eq!(word_at(file, 8), file.len(), "{name}: the size");
    let is_new = &file[4..7] == b"102";
    let sections: Vec<usize> =
        (0x20..=0x34).step_by(4).map(|at| word_at(file, at)).filter(|at| *at > 0).collect();
    assert!(sections.is_sorted() && sections.iter().all(|at| *at < file.len()), "{name}: {sections:x?}");
    let scales = [0x10, 0x14, 0x18].map(|at| float_at(file, at));
    assert!(scales.iter().all(|scale| *scale <= float_at(file, 0xC)), "{name}: the clipping distance");
    let stride = if is_new { 0x30 } else { 0x18 };
    let [meshes, groups, bones, data] = [0x20, 0x24, 0x2C, 0x34].map(|at| word_at(file, at));
    let (mut next_group, mut next_entry) = (0, 0);
    for mesh in 0..u16_at(file, 0x1C) {
        let counts = meshes + (mesh + 1) * stride - 4;
        assert_eq!(u16_at(file, counts + 2), next_group, "{name}: groups before mesh {mesh}");
        for _ in 0..u16_at(file, counts) {
            let header = groups + next_group * 16;
            let count = usize::from(file[header + 1]);
            assert!(count <= 8 && header < sections[2], "{name}: bones of group {next_group}");
            assert_eq!(u16_at(file, header + 2), next_entry, "{name}: bones before group {next_group}");
            for entry in next_entry..next_entry + count {
                assert!(file[bones + 2 * entry] < 8, "{name}: slot of entry {entry}");
            }
            next_entry += count;
            next_group += 1;
            check_list(name, &file[data..], [4, 8, 12].map(|at| word_at(file, header + at)));
        }
    }
    assert!(bones + 2 * next_entry <= word_at(file, 0x30), "{name}: bones end before materials");
}

/// Checks a list by its header's places for list, vertices and indices.
fn check_list(name: &str, data: &[u8], [list, vertices, indices]: [usize; 3]) {
    let (mut origin, mut size, mut width, mut largest, mut count, mut weights) = (None, 0, 0, 0, 0, 0);
    for at in (list..).step_by(4) {
        let (opcode, argument) = (word_at(data, at) >> 24, word_at(data, at) & 0xFF_FFFF);
        match opcode {
            0x14 => origin = Some(at),
            0x10 => assert_eq!(argument, 0, "{name}: BASE"),
            0x01 => assert_eq!(origin.expect("ORIGIN first") + argument, vertices, "{name}: VADDR"),
            0x02 => assert_eq!(origin.expect("ORIGIN first") + argument, indices, "{name}: IADDR"),
            0x12 => {
                width = [0, 1, 2, 4][argument >> 11 & 3];
                let weight = [0, 1, 2, 4][argument >> 9 & 3];
                weights = if weight == 1 { (argument >> 14 & 7) + 1 } else { 0 };
                let elements = [
                    (weight, if weight > 0 { (argument >> 14 & 7) + 1 } else { 0 }),
                    ([0, 1, 2, 4][argument & 3], 2),
                    ([0, 0, 0, 0, 2, 2, 2, 4][argument >> 2 & 7], 1),
                    ([0, 1, 2, 4][argument >> 5 & 3], 3),
                    ([0, 1, 2, 4][argument >> 7 & 3], 3),
                ];
                size = 0;
                let mut most = 1;
                for (bytes, number) in elements.into_iter().filter(|(bytes, number)| bytes * number > 0) {
                    size = size_after(size, bytes, number);
                    most = most.max(bytes);
                }
                size = size.next_multiple_of(most);
            }
            0x04 => {
                assert!([3, 4].contains(&(argument >> 16)) && size > 0, "{name}: PRIM {argument:x}");
                for corner in 0..argument & 0xFFFF {
                    let number = match width {
                        0 => count,
                        1 => usize::from(data[indices + count]),
                        _ => u16_at(data, indices + 2 * count),
                    };
                    largest = largest.max(number);
                    count += 1;
                    assert!(corner < 0xFFFF, "{name}: a count of corners");
                }
            }
            0x0B => break,
            0x00 | 0x13 | 0x17 | 0x1C..=0x23 | 0x25..=0x27 | 0x50 | 0x9B | 0xC6 | 0xDB => {}
            other => panic!("{name}: command {other:#x}"),
        }
    }
    let end = vertices + (largest + 1) * size;
    assert!(end <= if width > 0 { indices } else { data.len() }, "{name}: vertices before indices");
    for vertex in data[vertices..end].chunks(size).filter(|_| weights > 0) {
        let sum: u32 = vertex[..weights].iter().map(|weight| u32::from(*weight)).sum();
        assert_eq!(sum, 128, "{name}: weights {:?}", &vertex[..weights]);
    }
}

const fn size_after(size: usize, bytes: usize, number: usize) -> usize {
    size.next_multiple_of(bytes) + bytes * number
}
