//! Checks the bundled Birth by Sleep samples, because they have features missing in public files: every vertex at
//! rest and in motion against an independent decoder, and textures in all formats.

use ge_tests::bbs_oracle::{self, Matrix};
use ge_tests::input::{self, model};
use ge_tests::note_text::texts;
use ge_tests::{bbs_check, sample};
use pspge::formats::{File, Format, ParseOptions, Request, Selection};
use pspge::scene::render;

/// Tolerance for sums of products of 16-bit floats, relative to the model's size.
const PRECISION: f64 = 1e-4;

#[test]
fn vertices_at_rest_match_oracle() {
    let file = sample::read("reedling.pmo");
    let oracle = bbs_oracle::model(&file, 0, None);
    let weights: Vec<usize> = oracle.iter().map(|draw| draw.weights).collect();
    assert!([0, 1, 2, 3].iter().all(|count| weights.contains(count)), "all numbers of weights");
    let found = model(&Request::new("reedling.pmo", &file));
    bbs_check::assert_geometry("reedling.pmo", &found, &oracle, PRECISION);
    assert_eq!(found.info.extra("second_pass_sections"), Some(3), "sections of the second list");
    let textures: Vec<Option<usize>> = found.parts.iter().map(|part| part.texture).collect();
    let none = None;
    let expected = [Some(0), Some(1), Some(2), Some(2), none, none, none, none, Some(5), Some(3), Some(4)];
    assert_eq!(textures, expected, "textures");
    let notes = [
        "the sections have visibility groups 0 to 3; all are drawn (selecting group N: only those of 0 and N)",
    ];
    assert_eq!(texts(&found.notes), notes, "no other notes");
}

#[test]
fn map_instances_match_oracle() {
    let file = sample::read("reedling.pmp");
    let oracle = bbs_oracle::map(&file);
    let found = model(&Request::new("reedling.pmp", &file));
    bbs_check::assert_geometry("reedling.pmp", &found, &oracle, PRECISION);
    assert_eq!((found.info.extra("instances"), found.info.extra("models")), (Some(7), Some(3)), "counts");
    let parse_options = ParseOptions::new(&["z-turns-first"]);
    let other = model(&Request { parse_options, ..Request::new("reedling.pmp", &file) });
    let ends = [&found, &other].map(|model| {
        let geometry = render::geometry(model);
        geometry.draws().last().and_then(|draw| draw.vertices.last()).map(|vertex| vertex.position)
    });
    assert_ne!(ends[0], ends[1], "another order of axes rotates the last instance differently");
}

/// Computes the bones' matrices in an animation, from the oracle's channel values. Absent channels are as at rest. At
/// rest, this sample's bones only rotate around z.
fn pose(file: &[u8], motion: &[u8], animation: usize, frame: f64) -> Vec<Matrix> {
    let values = bbs_oracle::pam_values(motion, animation, frame);
    let bones = bbs_oracle::skeleton(file, 0);
    assert_eq!(values.len(), bones.len(), "bones");
    let local = |(bone, values): (bbs_oracle::OracleBone, [Option<f64>; 9])| {
        let rest = bone.local;
        let angle = libm::atan2(rest[1][0], rest[0][0]);
        let turn = [0.0, 0.0, angle];
        let mut matrix = bbs_oracle::euler([0, 1, 2].map(|axis| values[3 + axis].unwrap_or(turn[axis])));
        for (row, values_of_row) in matrix.iter_mut().enumerate().take(3) {
            for (axis, element) in values_of_row.iter_mut().enumerate().take(3) {
                *element *= values[6 + axis].unwrap_or(1.0);
            }
            values_of_row[3] = values[row].unwrap_or(rest[row][3]);
        }
        matrix
    };
    bones.into_iter().zip(values).map(local).collect()
}

#[test]
fn animated_vertices_match_oracle() {
    let (file, motion) = (sample::read("reedling.pmo"), sample::read("reedling.pam"));
    let mut found = model(&Request::new("reedling.arc", &sample::read("reedling.arc")));
    let names: Vec<_> = found.animations.iter().map(|a| (a.name.as_deref(), a.frames)).collect();
    let expected = [(Some("sway"), 60), (Some("grow"), 300), (Some("texture-scroll"), 20)];
    assert_eq!(names, expected, "animations");
    // The second entry in this file's table is empty, so animation 1 is entry 2.
    for (number, entry, frames) in [(0, 0, [0.0, 12.5, 20.0, 59.0]), (1, 2, [0.0, 80.25, 120.0, 400.0])] {
        for frame in frames {
            found.animate(number, frame);
            let oracle = bbs_oracle::model(&file, 0, Some(&pose(&file, &motion, entry, frame)));
            // The oracle ignores the animated texture, so this adds its scroll.
            let still: Vec<_> = oracle
                .into_iter()
                .map(|mut draw| {
                    let halo = draw.texture == Some(3);
                    let turns = 0.05 * frame;
                    draw.uvs.iter_mut().filter(|_| halo).for_each(|uv| uv[0] += turns - turns.floor());
                    draw
                })
                .collect();
            bbs_check::assert_geometry(
                &format!("animation {number}, frame {frame}"),
                &found,
                &still,
                PRECISION * 2.0,
            );
        }
    }
}

#[test]
fn container_members_and_companion_files_are_found() {
    let (arc, whole) = (sample::read("reedling.arc"), sample::read("reedling.pmo"));
    let opened = input::open(&Request::new("reedling.arc", &arc));
    let members: Vec<_> = opened.members.iter().map(|m| (m.name.as_deref(), m.format)).collect();
    let expected = [
        (Some("reedling.pmo"), Format::from_name("bbs-pmo")),
        (Some("reedling.pam"), Format::from_name("pam")),
        (Some("Leaf.tm2"), Format::from_name("tim2")),
        (Some("common.arc"), None),
    ];
    assert_eq!(members, expected, "members");
    let member = Request { member: Some("reedling.pmo"), ..Request::new("reedling.arc", &arc) };
    let inside = model(&member);
    assert_eq!(inside.textures.len(), 6, "textures from the container");
    assert_eq!(inside.animations.len(), 3, "animations from the container");
    let alone = model(&Request::new("reedling.pmo", &whole));
    let pictures = [&inside, &alone].map(|model| {
        let picture = |texture: &pspge::model::ModelTexture| texture.decode(&model.memory, 0);
        model.textures.iter().map(picture).collect::<Vec<_>>()
    });
    assert!(pictures[0] == pictures[1], "the same textures with and without the container");

    let (pam, bon) = (sample::read("reedling.pam"), sample::read("reedling.bon"));
    let given = Request {
        animations: Some(File { name: "reedling.pam", bytes: &pam }),
        skeleton: Some(File { name: "reedling.bon", bytes: &bon }),
        ..Request::new("reedling.pmo", &whole)
    };
    let given = model(&given);
    assert_eq!((given.animations.len(), &given.skeleton), (3, &inside.skeleton), "from separate files");
    let garden = sample::read("reedling.pmp");
    let animations = Some(File { name: "arc", bytes: &arc });
    let map = model(&Request { animations, ..Request::new("map", &garden) });
    let unused = "the model has no bones to animate; the animations are not used";
    assert!(texts(&map.notes).iter().any(|note| note.ends_with(unused)), "{:?}", texts(&map.notes));
    let selection = Selection { group: 2, ..Selection::default() };
    let picked = model(&Request { selection, ..Request::new("reedling.pmo", &whole) });
    assert_eq!(picked.parts.len(), 9, "one of three kinds of fruit");
}

#[test]
fn tim2_pictures_of_all_formats_decode() {
    let file = sample::read("swatches.tm2");
    let set = input::textures(&Request::new("swatches.tm2", &file));
    let kinds: Vec<String> = set
        .textures
        .iter()
        .map(|texture| {
            let palette = texture.palette.map(|palette| format!(" {} {}", palette.count(), palette.format));
            let palette = palette.unwrap_or_default();
            format!("{}x{} {}{palette}", texture.width, texture.height, texture.format)
        })
        .collect();
    let expected = [
        "16x16 ABGR5551",
        "16x16 ABGR8888",
        "24x20 ABGR8888",
        "16x16 CLUT8 1 ABGR5551",
        "16x16 CLUT4 1 ABGR8888",
        "32x16 CLUT8 1 ABGR8888",
        "16x16 CLUT4 1 ABGR8888",
        "16x16 CLUT4 2 ABGR8888",
    ];
    assert_eq!(kinds, expected, "kinds");
    // All but the first three textures show the same ramp from dark to light.
    for texture in &set.textures[3..] {
        let picture = texture.decode(&set.memory, 0);
        let (width, height) = picture.dimensions();
        let pixel = |x: u32, y: u32| picture.get_pixel(x, y).0;
        let [first, middle, last] = [pixel(0, 0), pixel(width / 2, height / 2), pixel(width - 1, height - 1)];
        let what = format!("texture {}", texture.index);
        assert!(first[0] < 40 && last[0] > 230, "{what}: from {first:?} to {last:?}");
        assert!((120..150).contains(&middle[0]), "{what}: over {middle:?}");
        assert!([first, middle, last].iter().all(|color| color[3] == 255), "{what}: opaque");
    }
    let second = set.textures[7].decode(&set.memory, 1);
    let [red, green, blue, _] = set.textures[7].decode(&set.memory, 0).get_pixel(15, 15).0;
    assert_eq!(second.get_pixel(15, 15).0, [blue, red, green, 255], "the second palette's order");
}
