//! Damages files with geometry at random.

use ge_tests::generate::Random;
use ge_tests::mutate;
use pspge::export::{Placement, gltf};
use pspge::formats::{self, File, Request};
use pspge::import::import_model;

use super::lampwing;

#[test]
fn damaged_files_are_refused_or_imported() {
    let input = lampwing();
    let glb = gltf::write_glb(&input.scene(&input.bytes));
    let opened = input.open(&input.bytes);
    let file = File { name: input.name, bytes: &input.bytes };
    let (mut refused, mut imported) = (0, 0);
    for number in 0..300 {
        let mut random = Random::new(number * 7919 + 1);
        let mut bytes = glb.clone();
        if number % 2 == 0 {
            mutate::damage(&mut random, &mut bytes, &glb);
        } else {
            // In the text, without pictures, this replaces digits by others.
            let length = u32::from_le_bytes(glb[12..16].try_into().expect("four bytes"));
            for _ in 0..4 {
                let at = 20 + random.below(length) as usize;
                if bytes[at].is_ascii_digit() {
                    bytes[at] = b'0' + random.below(10).to_le_bytes()[0];
                }
            }
        }
        match import_model(&opened, file, None, &bytes, Placement::default()) {
            Ok(written) => {
                formats::open(&Request::new(input.name, &written.bytes)).expect("it opens");
                imported += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 50 && imported > 50, "{refused} refused, {imported} imported");
}
