//! A recorded frame as a scene: one mesh a draw, where the camera stood, and the camera.
//!
//! Where a program keeps a camera of its own in VIEW, what is drawn comes out in world space; else in view space, in front
//! of a camera at the origin. Draws under other cameras are put where this one shows them.
//!
//! # Invariants
//! Right-handed, y up: a program whose view is mirrored (z grows into the screen) is mirrored back along z.
//! Source: `ge-reference.md` §5.1.

use super::build::{Builder, Piles, Poured, Rectangle, target_weights, upright_rectangle};
use super::collect::{Collector, DrawFilter, Drawn, Matrices};
use super::rig::place_matrix;
use super::scene::{Camera, Extra, Extras, Node, Scene, Transform};
use super::weld::{Corners, Look};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::Capture;
use crate::model::matrix::{Affine, IDENTITY, inverse, scaled, then, transform};
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::replay;
use crate::run::sink::NullObserver;

/// Where a frame's geometry comes out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameSpace {
    /// World space where the program keeps a camera in VIEW, else view space.
    #[default]
    Automatic,
    /// World space.
    World,
    /// View space: the camera is at the origin and looks along −z.
    View,
}

/// A frame as a scene. The list is run, and memory is left as it is afterwards: textures that the frame itself draws are
/// as they were when they were used.
#[must_use]
pub fn frame_scene(capture: &mut Capture, name: &str, selection: &DrawFilter, space: FrameSpace) -> Scene {
    let sources = capture.sources.clone();
    let raster =
        Rasterizer::new(RasterOptions { arithmetic: Arithmetic::Hardware, ..RasterOptions::default() });
    let mut collector = Collector::new(raster, selection.clone(), false);
    let report =
        replay::run(capture, Arithmetic::Hardware, &mut collector, &mut NullObserver, &selection.limits)
            .report;
    let (mut builder, draws) = Builder::new(name, collector, &report);
    let stand = Stand::new(&draws, space);
    stand.place_camera(&mut builder);
    let mut screen = None;
    // What a draw holds is not needed behind it.
    for mut drawn in draws {
        let through = drawn.shape.vertex_type.through;
        let to_scene = if through { None } else { Some(stand.to_scene(&drawn.matrices)) };
        let matrices = drawn.matrices.clone();
        let seen = |first: &Look, second: &Look| stand.rectangle(&matrices, first, second);
        let rectangle: Rectangle<'_> = if through { &upright_rectangle } else { &seen };
        let mut extras: Extras =
            vec![("draw", Extra::Whole(drawn.number)), ("address", Extra::text(drawn.at))];
        if let Some((source, offset)) = crate::ge::capture::source_of(&sources, drawn.at) {
            extras.push(("source", Extra::text(&source.name)));
            extras.push(("source_offset", Extra::Text(format!("0x{offset:x}"))));
        }
        let corners = corners(&mut drawn, to_scene.as_ref());
        let poured =
            Poured { drawn: &drawn, corners, group: 0, material: None, swap: false, extras: extras.clone() };
        let mut piles = Piles::default();
        builder.pour(&mut piles, poured, rectangle);
        let primitives = builder.primitives(piles);
        if primitives.is_empty() {
            continue;
        }
        let name = format!("draw_{:04}", drawn.number);
        let mesh = Some(builder.own_mesh(&name, primitives, target_weights(&drawn)));
        let parent = through.then(|| *screen.get_or_insert_with(|| place_screen(&mut builder)));
        let name = builder.node_names.unique(&name);
        let mut node = Node { name, parent, mesh, extras, ..Node::default() };
        if through {
            // Later draws lie in front.
            node.transform.translation[2] = layer(drawn.number);
        }
        builder.scene.nodes.push(node);
    }
    let words = if stand.world { "world space" } else { "view space" };
    builder.scene.extras.push(("space", Extra::text(words)));
    builder.finish()
}

#[expect(clippy::cast_precision_loss, reason = "a place in a pile")]
fn layer(number: u64) -> f32 {
    number as f32 * 0.01
}

/// The node above flat draws: one unit is a hundred pixels, y grows upwards from the upper left corner.
fn place_screen(builder: &mut Builder) -> usize {
    let name = builder.node_names.unique("screen");
    let transform = Transform { scale: [0.01; 3], ..Transform::default() };
    builder.scene.nodes.push(Node { name, transform, ..Node::default() });
    builder.scene.nodes.len() - 1
}

/// Where a frame is looked at from.
#[derive(Clone, Debug)]
struct Stand {
    world: bool,
    /// VIEW and projection of the camera through which most is drawn.
    main: Option<Matrices>,
    /// From the main camera's view space to the scene.
    from_view: Affine,
    /// From the scene camera's space, which looks along −z, to the scene.
    camera: Affine,
}

impl Stand {
    fn new(draws: &[Drawn], space: FrameSpace) -> Self {
        let main = main_camera(draws);
        let view = main.as_ref().map_or(IDENTITY, |main| main.view);
        let back = inverse(&view).filter(|_| view != IDENTITY);
        let world = match space {
            FrameSpace::View => false,
            FrameSpace::World => true,
            FrameSpace::Automatic => back.is_some(),
        };
        let back = back.filter(|_| world).unwrap_or(IDENTITY);
        let mirrored_view = main.as_ref().is_some_and(is_mirrored);
        // A mirror in VIEW undoes one in the projection.
        let mirrored = mirrored_view != super::decompose::mirrors(&back);
        let mirror = scaled(IDENTITY, [1.0, 1.0, -1.0]);
        let from_view = if mirrored { then(&back, &mirror) } else { back };
        let camera = if mirrored_view { then(&mirror, &from_view) } else { from_view };
        Self { world, main, from_view, camera }
    }

    /// From what WORLD leaves to the scene.
    fn to_scene(&self, matrices: &Matrices) -> Affine {
        let same = self.main.as_ref().is_some_and(|main| main.view == matrices.view);
        if self.world && same {
            // Not through the camera and back, which would round.
            let mirrored = super::decompose::mirrors(&then(&matrices.view, &self.from_view));
            return if mirrored { scaled(IDENTITY, [1.0, 1.0, -1.0]) } else { IDENTITY };
        }
        then(&matrices.view, &self.from_view)
    }

    /// The camera, where the projection is one that a file can say.
    fn place_camera(&self, builder: &mut Builder) {
        let Some(camera) = self.main.as_ref().and_then(|main| camera_of(&main.projection)) else { return };
        let Builder { scene, node_names, .. } = builder;
        let node = place_matrix(scene, node_names, "camera", None, &self.camera);
        scene.cameras.push(camera);
        scene.nodes[node].camera = Some(scene.cameras.len() - 1);
    }

    /// A rectangle that is upright on the screen, as deep as its second corner.
    fn rectangle(&self, matrices: &Matrices, first: &Look, second: &Look) -> [Look; 4] {
        let to_scene = self.to_scene(matrices);
        let seen = inverse(&to_scene).and_then(|back| {
            let clip = |look: &Look| to_clip(matrices, transform(&back, look.position));
            let (a, b) = (clip(first), clip(second));
            let unproject = unprojection(&matrices.projection)?;
            let view_back = inverse(&matrices.view)?;
            // On the screen, y upwards, with the depth of the second corner.
            let on_screen = |point: [f64; 4]| [0, 1].map(|axis| point[axis] / point[3]);
            let ([ax, ay], [bx, by]) = (on_screen(a), on_screen(b));
            let place = |x: f64, y: f64| {
                let clip = [x * b[3], y * b[3], b[2], b[3]];
                let [x, y, z, w] =
                    [0, 1, 2, 3].map(|j: usize| (0..4).map(|i| clip[i] * unproject[4 * i + j]).sum::<f64>());
                #[expect(clippy::cast_possible_truncation, reason = "rounded to single once")]
                let view = [x / w, y / w, z / w].map(|coordinate| coordinate as f32);
                transform(&to_scene, transform(&view_back, view))
            };
            let places = [place(ax, ay), place(bx, ay), place(bx, by), place(ax, by)];
            let [scale_x, scale_y] = matrices.viewport.map(f64::from);
            // Downwards on the screen is where the viewport's scale is negative.
            let follows = (bx - ax) * scale_x * ((by - ay) * scale_y) >= 0.0;
            let finite = places.as_flattened().iter().all(|coordinate| coordinate.is_finite());
            finite.then_some((places, follows))
        });
        let Some((places, follows)) = seen else { return upright_rectangle(first, second) };
        let ([u0, v0], [u1, v1]) = (first.texcoord, second.texcoord);
        let beside = if follows { ([u1, v0], [u0, v1]) } else { ([u0, v1], [u1, v0]) };
        let texcoords = [[u0, v0], beside.0, [u1, v1], beside.1];
        [0, 1, 2, 3].map(|corner| Look { position: places[corner], texcoord: texcoords[corner], ..*second })
    }
}

/// The camera through which most is drawn.
fn main_camera(draws: &[Drawn]) -> Option<Matrices> {
    let mut cameras: Vec<(&Matrices, usize)> = Vec::new();
    for drawn in draws {
        let world = &drawn.shape;
        if world.vertex_type.through {
            continue;
        }
        let count = world.triangles.len() + world.pairs.len() + world.points.len();
        let same = |known: &Matrices| {
            known.view == drawn.matrices.view && known.projection == drawn.matrices.projection
        };
        match cameras.iter_mut().rev().find(|(known, _)| same(known)) {
            Some((_, total)) => *total += count,
            None => cameras.push((&drawn.matrices, count)),
        }
    }
    // Of equals the first.
    cameras.iter().rev().max_by_key(|(_, count)| *count).map(|(camera, _)| (*camera).clone())
}

/// Whether right, up and towards the viewer on the screen are a left hand's axes in view space.
fn is_mirrored(camera: &Matrices) -> bool {
    let projection = &camera.projection;
    let [scale_x, scale_y] = camera.viewport;
    // Where w is a distance it grows away from the viewer; else depth does in clip space.
    let away = if projection[11] == 0.0 { projection[10] } else { projection[11] };
    projection[0] * scale_x * -(projection[5] * scale_y) * -away < 0.0
}

/// A symmetric perspective projection as a camera.
#[expect(clippy::cast_possible_truncation, reason = "rounded to single once, at the end")]
fn camera_of(projection: &[f32; 16]) -> Option<Camera> {
    let m = projection.map(f64::from);
    if m[11].abs() != 1.0 || m[15] != 0.0 || m[5] == 0.0 || m[0] == 0.0 {
        return None;
    }
    // Depth is m10/m11 + m14/distance; −1 and 1 are the ends.
    let slope = m[10] / m[11];
    let ends = [m[14] / (-1.0 - slope), m[14] / (1.0 - slope)];
    let [near, far] = if ends[0].abs() < ends[1].abs() { ends } else { [ends[1], ends[0]] };
    let field_of_view = 2.0 * libm::atan(1.0 / m[5].abs());
    let aspect = (m[5] / m[0]).abs();
    let near = if near.is_finite() && near > 0.0 { near } else { 0.1 };
    let far = Some(far as f32).filter(|far| far.is_finite() && *far > near as f32);
    let camera =
        Camera { field_of_view: field_of_view as f32, aspect: aspect as f32, near: near as f32, far };
    (camera.aspect.is_finite() && camera.aspect > 0.0 && camera.near > 0.0).then_some(camera)
}

fn to_clip(matrices: &Matrices, world: [f32; 3]) -> [f64; 4] {
    let [x, y, z] = transform(&matrices.view, world).map(f64::from);
    let m = matrices.projection.map(f64::from);
    [0, 1, 2, 3].map(|j| x * m[j] + y * m[4 + j] + z * m[8 + j] + m[12 + j])
}

/// The inverse of a projection, by elimination; `None` where there is none.
fn unprojection(projection: &[f32; 16]) -> Option<[f64; 16]> {
    let mut left = projection.map(f64::from);
    let mut right = [0.0; 16];
    for i in 0..4 {
        right[5 * i] = 1.0;
    }
    for column in 0..4 {
        let size = |row: &usize| left[4 * row + column].abs();
        let pivot = (column..4).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        let value = left[4 * pivot + column];
        if value == 0.0 || !value.is_finite() {
            return None;
        }
        for matrix in [&mut left, &mut right] {
            for i in 0..4 {
                matrix.swap(4 * column + i, 4 * pivot + i);
                matrix[4 * column + i] /= value;
            }
        }
        for row in (0..4).filter(|&row| row != column) {
            let factor = left[4 * row + column];
            for matrix in [&mut left, &mut right] {
                for i in 0..4 {
                    matrix[4 * row + i] -= factor * matrix[4 * column + i];
                }
            }
        }
    }
    Some(right)
}

/// A draw's corners in the scene; of flat ones on the screen, y upwards. They are the draw's no longer.
fn corners(drawn: &mut Drawn, to_scene: Option<&Affine>) -> Corners {
    let mut frames: Vec<Vec<Look>> =
        std::mem::take(&mut drawn.frames).into_iter().map(|frame| frame.looks).collect();
    for look in frames.iter_mut().flatten() {
        match to_scene {
            Some(matrix) => {
                let mut direction = *matrix;
                direction[9..].fill(0.0);
                look.position = transform(matrix, look.position);
                look.normal = transform(&direction, look.normal);
            }
            None => {
                let [x, y, _] = look.position;
                look.position = [x, -y, 0.0];
            }
        }
    }
    Corners { frames, influences: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A perspective projection with the given signs of y and of the view's depth.
    fn matrices(towards: f32) -> Matrices {
        let mut projection = [0.0; 16];
        (projection[0], projection[5]) = (1.5, 2.0);
        (projection[10], projection[11], projection[14]) = (1.25 * towards, towards, -2.25);
        Matrices {
            world: IDENTITY,
            bones: [IDENTITY; 8],
            view: IDENTITY,
            projection,
            viewport: [240.0, -136.0],
        }
    }

    #[test]
    fn mirrors_are_told_by_the_projection() {
        assert!(!is_mirrored(&matrices(-1.0)), "w is -z: the usual library's");
        assert!(is_mirrored(&matrices(1.0)), "w is z: z grows into the screen");
        let flipped = Matrices { viewport: [240.0, 136.0], ..matrices(1.0) };
        assert!(!is_mirrored(&flipped), "y downwards mirrors it back");
    }

    #[test]
    fn cameras_come_out_of_projections() {
        for towards in [-1.0, 1.0] {
            let camera = camera_of(&matrices(towards).projection).expect("a perspective");
            assert!((camera.aspect - 4.0 / 3.0).abs() < 1e-6, "{camera:?}");
            assert!((camera.field_of_view - 0.927_295_2).abs() < 1e-6, "twice atan(1/2): {camera:?}");
            assert!((camera.near - 1.0).abs() < 1e-6 && camera.far == Some(9.0), "{camera:?}");
        }
        assert_eq!(camera_of(&[0.0; 16]), None, "no projection");
    }

    #[test]
    fn projections_are_undone() {
        let projection = matrices(-1.0).projection;
        let back = unprojection(&projection).expect("regular");
        let point = [0.25, -0.5, -3.0, 1.0];
        let clip =
            [0, 1, 2, 3].map(|j| (0..4).map(|i| point[i] * f64::from(projection[4 * i + j])).sum::<f64>());
        let again = [0, 1, 2, 3].map(|j: usize| (0..4).map(|i| clip[i] * back[4 * i + j]).sum::<f64>());
        for (a, b) in again.iter().zip(point) {
            assert!((a / again[3] - b).abs() < 1e-12, "{again:?}");
        }
        assert_eq!(unprojection(&[0.0; 16]), None, "flat");
    }

    /// A sprite from the far left to the near right stands upright before the camera, as deep as its second corner.
    #[test]
    fn rectangles_stand_upright() {
        let matrices = matrices(-1.0);
        let stand = Stand { world: false, main: None, from_view: IDENTITY, camera: IDENTITY };
        let look = |position, texcoord| Look { position, texcoord, ..Look::default() };
        let corners = stand.rectangle(
            &matrices,
            &look([-4.0, 4.0, -4.0], [0.0, 0.0]),
            &look([1.0, -1.0, -2.0], [1.0, 1.0]),
        );
        let expected = [
            ([-2.0, 2.0, -2.0], [0.0, 0.0]),
            ([1.0, 2.0, -2.0], [1.0, 0.0]),
            ([1.0, -1.0, -2.0], [1.0, 1.0]),
            ([-2.0, -1.0, -2.0], [0.0, 1.0]),
        ];
        for (corner, (position, texcoord)) in corners.iter().zip(expected) {
            let off = [0, 1, 2].map(|axis: usize| (corner.position[axis] - position[axis]).abs());
            assert!(off.iter().all(|off| *off < 1e-5), "{corner:?} at {position:?}");
            assert_eq!(corner.texcoord, texcoord, "u follows x on this diagonal");
        }
    }
}
