//! Exports a recorded frame: a mesh per draw, and the main camera.
//!
//! Geometry is in world space if the program keeps a camera in VIEW, else in view space with the camera at the
//! origin. Draws with other cameras are placed where the main camera sees them as they were.
//!
//! # Invariants
//! Scenes are right-handed with y up. If the view is mirrored (z grows into the screen), this mirrors it back along
//! z. Source: [pipeline](crate::reference::ge::transform#pipeline).

use super::collector::{CollectedDraw, Collector, DrawFilter, DrawMatrices};
use super::frame_notes;
use super::note::{ExportNote, ExportNoteKind};
use super::rig::add_matrix_node;
use super::scene::{Camera, Extra, Extras, Node, Scene, Transform};
use super::scene_builder::{
    DrawGeometry, ExpandRectangle, MeshBuilder, SceneBuilder, morph_target_weights, screen_aligned_rectangle,
};
use super::screen_space::{SCREEN_DEPTH, screen_vertices, to_clip};
use super::weld::{DrawVertices, FrameVertex};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::Capture;
use crate::model::matrix::{Affine, IDENTITY, inverse, scaled, single, then, transform};
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::replay;
use crate::run::sink::NullObserver;

/// Which coordinate space to export a frame in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameSpace {
    /// World space if VIEW is not the identity, else view space.
    #[default]
    Automatic,
    /// World space.
    World,
    /// View space: the camera is at the origin and looks along −z.
    View,
    /// Screen space: a unit is 100 pixels, the origin is the upper left corner, and y is up. Textures lose their
    /// perspective.
    Screen,
}

/// Replays a frame, and turns its draws into a scene called `name`.
///
/// Afterwards the capture's memory is as the replay leaves it. If the frame renders a texture itself, the scene has
/// this texture's content at the time of its use.
#[must_use]
pub fn frame_scene(capture: &mut Capture, name: &str, filter: &DrawFilter, space: FrameSpace) -> Scene {
    let sources = capture.sources.clone();
    let raster =
        Rasterizer::new(RasterOptions { arithmetic: Arithmetic::Hardware, ..RasterOptions::default() });
    let mut collector = Collector::new(raster, filter.clone(), false).with_order();
    let report =
        replay::run(capture, Arithmetic::Hardware, &mut collector, &mut NullObserver, &filter.limits).report;
    let order = collector.order.take().map(|order| order.finish()).unwrap_or_default();
    let (mut builder, draws) = SceneBuilder::new(name, collector, &report);
    let camera = FrameCamera::new(&draws, space);
    if space != FrameSpace::Screen {
        camera.add_camera(&mut builder);
    }
    builder.scene.notes.extend(frame_notes::order_notes(&order, &draws));
    // On the screen, every draw is where its own projection puts it.
    let viewer = camera.main.as_ref().filter(|_| space != FrameSpace::Screen);
    builder.scene.notes.extend(frame_notes::place_notes(&draws, viewer));
    if space == FrameSpace::World && viewer.is_some_and(|main| main.view == IDENTITY) {
        let message = "the frame sets no camera in VIEW, so its world space is as the game has moved it";
        builder.scene.notes.push(ExportNote::new(ExportNoteKind::NotExpressed, message));
    }
    // Programs sort objects by name, so all numbers get the same length.
    let digits = draws.last().map_or(0, |last| last.number.to_string().len()).max(4);
    let mut screen = None;
    let first_in_space = draws.iter().find(|draw| !draw.shape.vertex_type.through).map(|draw| draw.number);
    // How many draws have vertices behind the camera, for a note.
    let mut behind = 0;
    // This takes each draw by value, to free its memory early.
    for mut draw in draws {
        let through = draw.shape.vertex_type.through;
        let is_flat = through || space == FrameSpace::Screen;
        let to_scene = if through { None } else { Some(camera.to_scene(&draw.matrices)) };
        let matrices = draw.matrices.clone();
        let projected =
            |first: &FrameVertex, second: &FrameVertex| camera.rectangle(&matrices, first, second);
        let rectangle: ExpandRectangle<'_> = if is_flat { &screen_aligned_rectangle } else { &projected };
        let mut extras: Extras = vec![("draw", Extra::Whole(draw.number)), ("address", Extra::text(draw.at))];
        if let Some((source, offset)) = crate::ge::capture::source_of(&sources, draw.at) {
            extras.push(("source", Extra::text(&source.name)));
            extras.push(("source_offset", Extra::Text(format!("0x{offset:x}"))));
        }
        if let Some(reasons) = order.draws.get(&draw.number) {
            extras.push(("relies_on_order", frame_notes::order_extra(*reasons)));
        }
        let vertices = match to_scene.filter(|_| is_flat) {
            Some(to_view) => {
                let (vertices, is_whole) = screen_vertices(&mut draw, &matrices, &to_view);
                behind += u64::from(!is_whole);
                vertices
            }
            None => scene_vertices(&mut draw, to_scene.as_ref()),
        };
        let geometry = DrawGeometry {
            draw: &draw,
            vertices,
            group: 0,
            material: None,
            flip_winding: false,
            extras: extras.clone(),
        };
        let mut mesh_builder = MeshBuilder::default();
        builder.append_draw(&mut mesh_builder, geometry, rectangle);
        let primitives = builder.primitives(mesh_builder);
        if primitives.is_empty() {
            continue;
        }
        let name = format!("draw_{:0digits$}", draw.number);
        let mesh = Some(builder.push_mesh(&name, primitives, morph_target_weights(&draw)));
        let parent = is_flat.then(|| *screen.get_or_insert_with(|| add_screen_node(&mut builder)));
        let name = builder.node_names.unique(&name);
        let mut node = Node { name, parent, mesh, extras, ..Node::default() };
        if through {
            // Later draws lie in front.
            let is_background = first_in_space.is_some_and(|first| draw.number < first);
            let front = if is_background && space == FrameSpace::Screen { -2.0 * SCREEN_DEPTH } else { 0.0 };
            node.transform.translation[2] = front + screen_layer(draw.number);
        }
        builder.scene.nodes.push(node);
    }
    if behind > 0 {
        let message = format!("{behind} draws reach behind the camera: they are cut there");
        builder.scene.notes.push(ExportNote::new(ExportNoteKind::LeftOut, message));
    }
    let space_name = match space {
        FrameSpace::Screen => "screen space",
        _ if camera.in_world => "world space",
        _ => "view space",
    };
    builder.scene.extras.push(("space", Extra::text(space_name)));
    builder.finish()
}

#[expect(clippy::cast_precision_loss, reason = "a distance between layers, need not be exact")]
fn screen_layer(number: u64) -> f32 {
    number as f32 * 0.01
}

/// Adds a parent for draws in through mode. A unit is 100 pixels, the origin is the upper left corner, and y is up.
fn add_screen_node(builder: &mut SceneBuilder) -> usize {
    let name = builder.node_names.unique("screen");
    let transform = Transform { scale: [0.01; 3], ..Transform::default() };
    builder.scene.nodes.push(Node { name, transform, ..Node::default() });
    builder.scene.nodes.len() - 1
}

/// Decides which space the scene is in, and where its camera is.
#[derive(Clone, Debug)]
struct FrameCamera {
    in_world: bool,
    /// The camera that draws most primitives.
    main: Option<DrawMatrices>,
    /// Maps the main camera's view space to the scene.
    from_view: Affine,
    /// Maps the camera node's own space, which looks along −z, to the scene.
    camera: Affine,
}

impl FrameCamera {
    fn new(draws: &[CollectedDraw], space: FrameSpace) -> Self {
        let main = main_camera(draws);
        let view = main.as_ref().map_or(IDENTITY, |main| main.view);
        let back = inverse(&view).filter(|_| view != IDENTITY);
        let in_world = match space {
            FrameSpace::View | FrameSpace::Screen => false,
            FrameSpace::World => true,
            FrameSpace::Automatic => back.is_some(),
        };
        let back = back.filter(|_| in_world).unwrap_or(IDENTITY);
        let mirrored_view = main.as_ref().is_some_and(is_mirrored);
        // A mirror in VIEW cancels a mirror in the projection.
        let mirrored = mirrored_view != super::decompose::mirrors(&back);
        let mirror = scaled(IDENTITY, [1.0, 1.0, -1.0]);
        let from_view = if mirrored { then(&back, &mirror) } else { back };
        let camera = if mirrored_view { then(&mirror, &from_view) } else { from_view };
        Self { in_world, main, from_view, camera }
    }

    /// Computes the matrix from world space, as WORLD leaves it, to the scene.
    fn to_scene(&self, matrices: &DrawMatrices) -> Affine {
        let same = self.main.as_ref().is_some_and(|main| main.view == matrices.view);
        if self.in_world && same {
            // Going through the camera and back would round.
            let mirrored = super::decompose::mirrors(&then(&matrices.view, &self.from_view));
            return if mirrored { scaled(IDENTITY, [1.0, 1.0, -1.0]) } else { IDENTITY };
        }
        then(&matrices.view, &self.from_view)
    }

    /// Adds the camera, if the scene can express its projection.
    fn add_camera(&self, builder: &mut SceneBuilder) {
        let Some(camera) = self.main.as_ref().and_then(|main| camera_of(&main.projection)) else { return };
        let SceneBuilder { scene, node_names, .. } = builder;
        let node = add_matrix_node(scene, node_names, "camera", None, &self.camera);
        scene.cameras.push(camera);
        scene.nodes[node].camera = Some(scene.cameras.len() - 1);
    }

    /// Expands a rectangle that is axis-aligned on the screen, at its second corner's depth.
    fn rectangle(
        &self,
        matrices: &DrawMatrices,
        first: &FrameVertex,
        second: &FrameVertex,
    ) -> [FrameVertex; 4] {
        let to_scene = self.to_scene(matrices);
        let projected = inverse(&to_scene).and_then(|back| {
            let clip = |vertex: &FrameVertex| to_clip(matrices, transform(&back, vertex.position));
            let (a, b) = (clip(first), clip(second));
            let from_clip = inverse_projection(&matrices.projection)?;
            let view_back = inverse(&matrices.view)?;
            // On the screen, y up, at the second corner's depth.
            let on_screen = |point: [f64; 4]| [0, 1].map(|axis| point[axis] / point[3]);
            let ([ax, ay], [bx, by]) = (on_screen(a), on_screen(b));
            let unproject = |x: f64, y: f64| {
                let clip = [x * b[3], y * b[3], b[2], b[3]];
                let [x, y, z, w] =
                    [0, 1, 2, 3].map(|j: usize| (0..4).map(|i| clip[i] * from_clip[4 * i + j]).sum::<f64>());
                let view = [x / w, y / w, z / w].map(single);
                transform(&to_scene, transform(&view_back, view))
            };
            let positions = [unproject(ax, ay), unproject(bx, ay), unproject(bx, by), unproject(ax, by)];
            let [scale_x, scale_y] = matrices.viewport.map(f64::from);
            // A negative viewport scale turns the axis round.
            let u_follows_x = (bx - ax) * scale_x * ((by - ay) * scale_y) >= 0.0;
            let finite = positions.as_flattened().iter().all(|coordinate| coordinate.is_finite());
            finite.then_some((positions, u_follows_x))
        });
        let Some((positions, u_follows_x)) = projected else {
            return screen_aligned_rectangle(first, second);
        };
        let ([u0, v0], [u1, v1]) = (first.texcoord, second.texcoord);
        let other_texcoords = if u_follows_x { ([u1, v0], [u0, v1]) } else { ([u0, v1], [u1, v0]) };
        let texcoords = [[u0, v0], other_texcoords.0, [u1, v1], other_texcoords.1];
        [0, 1, 2, 3].map(|corner| FrameVertex {
            position: positions[corner],
            texcoord: texcoords[corner],
            ..*second
        })
    }
}

/// Finds the camera that draws most primitives.
fn main_camera(draws: &[CollectedDraw]) -> Option<DrawMatrices> {
    let mut cameras: Vec<(&DrawMatrices, usize)> = Vec::new();
    for draw in draws {
        let shape = &draw.shape;
        if shape.vertex_type.through {
            continue;
        }
        let count = shape.triangles.len() + shape.pairs.len() + shape.points.len();
        let same = |known: &DrawMatrices| {
            known.view == draw.matrices.view && known.projection == draw.matrices.projection
        };
        match cameras.iter_mut().rev().find(|(known, _)| same(known)) {
            Some((_, total)) => *total += count,
            None => cameras.push((&draw.matrices, count)),
        }
    }
    // This goes backwards, so that the first among equals wins.
    cameras.iter().rev().max_by_key(|(_, count)| *count).map(|(camera, _)| (*camera).clone())
}

/// Returns whether the view space is left-handed: whether right, up and towards the viewer on the screen are a left
/// hand's axes.
fn is_mirrored(camera: &DrawMatrices) -> bool {
    let projection = &camera.projection;
    let [scale_x, scale_y] = camera.viewport;
    // If w depends on z, it grows away from the viewer. Otherwise clip-space depth does.
    let away = if projection[11] == 0.0 { projection[10] } else { projection[11] };
    projection[0] * scale_x * -(projection[5] * scale_y) * -away < 0.0
}

/// Converts a symmetric perspective projection to a camera. Returns `None` for other projections.
fn camera_of(projection: &[f32; 16]) -> Option<Camera> {
    let m = projection.map(f64::from);
    if m[11].abs() != 1.0 || m[15] != 0.0 || m[5] == 0.0 || m[0] == 0.0 {
        return None;
    }
    // Depth is m10/m11 + m14/distance; −1 and 1 are the near and far planes.
    let slope = m[10] / m[11];
    let ends = [m[14] / (-1.0 - slope), m[14] / (1.0 - slope)];
    let [near, far] = if ends[0].abs() < ends[1].abs() { ends } else { [ends[1], ends[0]] };
    let field_of_view = 2.0 * libm::atan(1.0 / m[5].abs());
    let aspect = (m[5] / m[0]).abs();
    let near = if near.is_finite() && near > 0.0 { near } else { 0.1 };
    let [field_of_view, aspect, near, far] = [field_of_view, aspect, near, far].map(single);
    let far = Some(far).filter(|far| far.is_finite() && *far > near);
    let camera = Camera { field_of_view, aspect, near, far };
    (camera.aspect.is_finite() && camera.aspect > 0.0 && camera.near > 0.0).then_some(camera)
}

/// Inverts a projection by Gauss-Jordan elimination. Returns `None` if it is singular.
fn inverse_projection(projection: &[f32; 16]) -> Option<[f64; 16]> {
    let mut left = projection.map(f64::from);
    let mut right = [0.0; 16];
    for i in 0..4 {
        right[5 * i] = 1.0;
    }
    for column in 0..4 {
        // This divides by the largest element, to keep rounding errors small.
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

/// Takes the vertices out of a draw, in the scene's space. In through mode they stay on the screen, with y up.
fn scene_vertices(draw: &mut CollectedDraw, to_scene: Option<&Affine>) -> DrawVertices {
    let mut frames: Vec<Vec<FrameVertex>> =
        std::mem::take(&mut draw.frames).into_iter().map(|frame| frame.vertices).collect();
    for vertex in frames.iter_mut().flatten() {
        match to_scene {
            Some(matrix) => {
                let mut direction = *matrix;
                direction[9..].fill(0.0);
                vertex.position = transform(matrix, vertex.position);
                vertex.normal = transform(&direction, vertex.normal);
            }
            None => {
                let [x, y, _] = vertex.position;
                vertex.position = [x, -y, 0.0];
            }
        }
    }
    DrawVertices { frames, influences: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a perspective projection with w = `w_sign` · z.
    fn matrices(w_sign: f32) -> DrawMatrices {
        let mut projection = [0.0; 16];
        (projection[0], projection[5]) = (1.5, 2.0);
        (projection[10], projection[11], projection[14]) = (1.25 * w_sign, w_sign, -2.25);
        DrawMatrices {
            world: IDENTITY,
            bones: [IDENTITY; 8],
            view: IDENTITY,
            projection,
            viewport: [240.0, -136.0],
            center: [240.0, 136.0],
        }
    }

    #[test]
    fn detects_mirrored_views_by_the_projection() {
        assert!(!is_mirrored(&matrices(-1.0)), "w is -z, as in the usual library");
        assert!(is_mirrored(&matrices(1.0)), "w is z: z grows into the screen");
        let flipped = DrawMatrices { viewport: [240.0, 136.0], ..matrices(1.0) };
        assert!(!is_mirrored(&flipped), "y down mirrors it back");
    }

    #[test]
    fn reads_cameras_from_projections() {
        for w_sign in [-1.0, 1.0] {
            let camera = camera_of(&matrices(w_sign).projection).expect("a perspective");
            assert!((camera.aspect - 4.0 / 3.0).abs() < 1e-6, "{camera:?}");
            assert!((camera.field_of_view - 0.927_295_2).abs() < 1e-6, "twice atan(1/2): {camera:?}");
            assert!((camera.near - 1.0).abs() < 1e-6 && camera.far == Some(9.0), "{camera:?}");
        }
        assert_eq!(camera_of(&[0.0; 16]), None, "no projection");
    }

    #[test]
    fn inverts_projections() {
        let projection = matrices(-1.0).projection;
        let back = inverse_projection(&projection).expect("an invertible matrix");
        let point = [0.25, -0.5, -3.0, 1.0];
        let clip =
            [0, 1, 2, 3].map(|j| (0..4).map(|i| point[i] * f64::from(projection[4 * i + j])).sum::<f64>());
        let again = [0, 1, 2, 3].map(|j: usize| (0..4).map(|i| clip[i] * back[4 * i + j]).sum::<f64>());
        for (a, b) in again.iter().zip(point) {
            assert!((a / again[3] - b).abs() < 1e-12, "{again:?}");
        }
        assert_eq!(inverse_projection(&[0.0; 16]), None, "a singular matrix");
    }

    /// A sprite from the far left to the near right faces the camera, at its second corner's depth.
    #[test]
    fn rectangles_are_screen_aligned() {
        let matrices = matrices(-1.0);
        let camera = FrameCamera { in_world: false, main: None, from_view: IDENTITY, camera: IDENTITY };
        let vertex = |position, texcoord| FrameVertex { position, texcoord, ..FrameVertex::default() };
        let vertices = camera.rectangle(
            &matrices,
            &vertex([-4.0, 4.0, -4.0], [0.0, 0.0]),
            &vertex([1.0, -1.0, -2.0], [1.0, 1.0]),
        );
        let expected = [
            ([-2.0, 2.0, -2.0], [0.0, 0.0]),
            ([1.0, 2.0, -2.0], [1.0, 0.0]),
            ([1.0, -1.0, -2.0], [1.0, 1.0]),
            ([-2.0, -1.0, -2.0], [0.0, 1.0]),
        ];
        for (corner, (position, texcoord)) in vertices.iter().zip(expected) {
            let off = [0, 1, 2].map(|axis: usize| (corner.position[axis] - position[axis]).abs());
            assert!(off.iter().all(|off| *off < 1e-5), "{corner:?} at {position:?}");
            assert_eq!(corner.texcoord, texcoord, "u follows x on this diagonal");
        }
    }
}
