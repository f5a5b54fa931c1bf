//! Places a camera so that a set of points fills the picture.
//!
//! # Invariants
//! The matrices are the same on every machine, because trigonometry is computed in software.

/// Where to look from, and how large. The model is upright (y up) and faces +z.
///
/// ```
/// use pspge::Camera;
///
/// // From the model's left side, a little above.
/// let camera = Camera { yaw: 90.0, pitch: 15.0, zoom: 1.0 };
/// let points = [[-1.0, 0.0, 0.0], [1.0, 2.0, 0.0]];
/// let (view, projection) = camera.frame(points, 480, 272);
/// assert_eq!((view.len(), projection.len()), (12, 16));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Rotation around the vertical axis in degrees: 0 looks at the front, 90 at the model's left side (+x).
    pub yaw: f64,
    /// Elevation of the viewpoint in degrees: 90 looks straight down.
    pub pitch: f64,
    /// Magnification; 1 frames all points.
    pub zoom: f64,
}

/// tan 15°: half the vertical field of view, which is 30 degrees.
const HALF_FOV_TANGENT: f64 = 0.267_949_192_431_122_7;
/// How many points replace a circle. Between them it reaches 0.12 % further, which is less than the margin.
const CIRCLE_POINTS: usize = 64;
/// How much of width and height to fill with points. The rest is a margin.
const FILL_FRACTION: f64 = 0.92;

impl Camera {
    /// Computes VIEW (12 elements) and PROJ (16 elements) for a camera centred on all points, as near as possible
    /// without losing any.
    #[must_use]
    pub fn frame(
        &self,
        points: impl IntoIterator<Item = [f32; 3]>,
        width: u32,
        height: u32,
    ) -> ([f32; 12], [f32; 16]) {
        let mut framing = self.framing(width, height);
        points.into_iter().for_each(|point| framing.add(point));
        framing.matrices()
    }

    /// Starts to frame points in a picture with this size. Add them with [`Framing::add`].
    #[must_use]
    pub fn framing(&self, width: u32, height: u32) -> Framing {
        let aspect = f64::from(width.max(1)) / f64::from(height.max(1));
        let tangents = [HALF_FOV_TANGENT * FILL_FRACTION * aspect, HALF_FOV_TANGENT * FILL_FRACTION];
        Framing { camera: *self, axes: self.axes(), aspect, extent: ViewExtent::new(tangents) }
    }

    /// Computes the camera axes: right, up, towards the viewer.
    fn axes(&self) -> [[f64; 3]; 3] {
        let (sin_yaw, cos_yaw) = sin_cos_degrees(self.yaw);
        let (sin_pitch, cos_pitch) = sin_cos_degrees(self.pitch);
        let right = [cos_yaw, 0.0, -sin_yaw];
        let towards = [sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch];
        let up = [-sin_yaw * sin_pitch, cos_pitch, -cos_yaw * sin_pitch];
        [right, up, towards]
    }
}

/// A camera that moves back until all points added to it are in the picture.
#[derive(Clone, Copy, Debug)]
pub struct Framing {
    camera: Camera,
    axes: [[f64; 3]; 3],
    /// Picture width divided by height.
    aspect: f64,
    extent: ViewExtent,
}

impl Framing {
    /// Adds a point. Infinities and NaN are ignored, because no distance would be enough for them.
    pub fn add(&mut self, point: [f32; 3]) {
        if point.iter().all(|coordinate| coordinate.is_finite()) {
            self.extent.add(self.axes.map(|axis| dot(axis, point.map(f64::from))));
        }
    }

    /// Computes VIEW (12 elements) and PROJ (16 elements) for the points so far.
    #[must_use]
    pub fn matrices(&self) -> ([f32; 12], [f32; 16]) {
        let (eye, near, far) = self.extent.eye();
        let scale = self.camera.zoom.clamp(1e-3, 1e3) / HALF_FOV_TANGENT;
        (view(self.axes, eye), projection(scale / self.aspect, scale, near, far))
    }

    /// Adds the circle along which a point turns around the vertical axis through the origin.
    pub fn add_circle(&mut self, circle: &Circle, [x, y, z]: [f32; 3]) {
        let radius = libm::hypot(x.into(), z.into());
        for [sin, cos] in circle.directions {
            let turned = [radius * sin, y.into(), radius * cos];
            if turned.iter().all(|coordinate| coordinate.is_finite()) {
                self.extent.add(self.axes.map(|axis| dot(axis, turned)));
            }
        }
    }

    /// Turns the camera around the vertical axis to `yaw`, in degrees, at the same distance from the origin. Circles
    /// from [`Self::add_circle`] look the same from everywhere, so this needs no new framing.
    #[must_use]
    pub fn turned(&self, yaw: f64) -> Self {
        let camera = Camera { yaw, ..self.camera };
        Self { camera, axes: camera.axes(), ..*self }
    }
}

/// Directions around the vertical axis, computed once for all points.
#[derive(Clone, Copy, Debug)]
pub struct Circle {
    /// Sine and cosine at equally spaced angles.
    directions: [[f64; 2]; CIRCLE_POINTS],
}

impl Default for Circle {
    fn default() -> Self {
        let mut angle = 0.0;
        let directions = [[0.0; 2]; CIRCLE_POINTS].map(|_| {
            let (sin, cos) = sin_cos_degrees(angle);
            angle += 360.0 / CIRCLE_POINTS as f64;
            [sin, cos]
        });
        Self { directions }
    }
}

/// How far points reach along the camera axes.
#[derive(Clone, Copy, Debug)]
struct ViewExtent {
    /// Tangents for half the horizontal and half the vertical field.
    tangents: [f64; 2],
    /// Per axis, how far the left or bottom frustum plane must move out to contain all points.
    low: [f64; 2],
    /// The same for the right or top plane.
    high: [f64; 2],
    /// The farthest point, as the smallest position towards the viewer.
    far: f64,
    /// The nearest point, as the largest position towards the viewer.
    near: f64,
}

impl ViewExtent {
    fn new(tangents: [f64; 2]) -> Self {
        let unset = f64::NEG_INFINITY;
        Self { tangents, low: [unset; 2], high: [unset; 2], far: f64::INFINITY, near: unset }
    }

    fn add(&mut self, [right, up, towards]: [f64; 3]) {
        for (axis, at) in [right, up].into_iter().enumerate() {
            let slope = towards * self.tangents[axis];
            self.low[axis] = self.low[axis].max(slope - at);
            self.high[axis] = self.high[axis].max(slope + at);
        }
        self.far = self.far.min(towards);
        self.near = self.near.max(towards);
    }

    /// Computes the camera's position, and the distances to its near and far planes.
    fn eye(&self) -> ([f64; 3], f64, f64) {
        // Without points, any valid camera will do.
        if self.near < self.far {
            return ([0.0, 0.0, 1.0], 0.5, 2.0);
        }
        // Both planes through the eye must contain all points. Their sum gives the distance and their difference the
        // middle.
        let middle = [0, 1].map(|axis| (self.high[axis] - self.low[axis]) / 2.0);
        let distances = [0, 1].map(|axis| (self.high[axis] + self.low[axis]) / 2.0 / self.tangents[axis]);
        let reach = distances[0].max(distances[1]);
        // The camera stays away from the nearest point, or a flat model would touch the near plane.
        let depth = (self.near - self.far).max(reach - self.near).max(1e-3);
        let distance = reach.max(self.near + depth * 0.05);
        // This leaves a margin, so that no point lies on the near or far plane.
        let near = (distance - self.near) * 0.9;
        let far = (distance - self.far) * 1.1;
        ([middle[0], middle[1], distance], near, far)
    }
}

/// Computes sine and cosine. Multiples of 90 degrees are exact, to keep stray digits out of front and side views.
fn sin_cos_degrees(degrees: f64) -> (f64, f64) {
    let degrees = if degrees.is_finite() { degrees } else { 0.0 };
    let turned = libm::fmod(degrees, 360.0);
    let exact = [(0.0, (0.0, 1.0)), (90.0, (1.0, 0.0)), (180.0, (0.0, -1.0)), (270.0, (-1.0, 0.0))];
    let positive = if turned < 0.0 { turned + 360.0 } else { turned };
    match exact.iter().find(|(angle, _)| *angle == positive) {
        Some((_, result)) => *result,
        None => libm::sincos(positive.to_radians()),
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[expect(clippy::cast_possible_truncation, reason = "registers hold fewer bits than a single")]
fn view(axes: [[f64; 3]; 3], eye: [f64; 3]) -> [f32; 12] {
    let mut matrix = [0.0; 12];
    for (column, axis) in axes.iter().enumerate() {
        for row in 0..3 {
            matrix[3 * row + column] = axis[row] as f32;
        }
        matrix[9 + column] = -eye[column] as f32;
    }
    matrix
}

#[expect(clippy::cast_possible_truncation, reason = "registers hold fewer bits than a single")]
fn projection(x: f64, y: f64, near: f64, far: f64) -> [f32; 16] {
    let mut matrix = [0.0; 16];
    matrix[0] = x as f32;
    matrix[5] = y as f32;
    matrix[10] = ((far + near) / (near - far)) as f32;
    matrix[11] = -1.0;
    matrix[14] = (2.0 * far * near / (near - far)) as f32;
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(min: [f32; 3], max: [f32; 3]) -> [[f32; 3]; 8] {
        std::array::from_fn(|corner| {
            [0, 1, 2].map(|axis| if corner >> axis & 1 == 0 { min[axis] } else { max[axis] })
        })
    }

    fn project(camera: Camera, framed: &[[f32; 3]], point: [f32; 3]) -> [f32; 3] {
        let (view, projection) = camera.frame(framed.iter().copied(), 480, 272);
        let eye = [0, 1, 2]
            .map(|j| point[0] * view[j] + point[1] * view[3 + j] + point[2] * view[6 + j] + view[9 + j]);
        let clip = [0, 1, 2, 3].map(|j| {
            eye[0] * projection[j]
                + eye[1] * projection[4 + j]
                + eye[2] * projection[8 + j]
                + projection[12 + j]
        });
        [clip[0] / clip[3], clip[1] / clip[3], clip[2] / clip[3]]
    }

    #[test]
    fn frames_all_points_and_fills_the_picture_from_every_view() {
        let points = corners([-20.0, 0.0, -50.0], [40.0, 100.0, 10.0]);
        for yaw in [0.0, 35.0, 90.0, 180.0, 270.0] {
            for pitch in [-90.0, 0.0, 20.0, 90.0] {
                let camera = Camera { yaw, pitch, zoom: 1.0 };
                let projected = points.map(|point| project(camera, &points, point));
                assert!(
                    projected.as_flattened().iter().all(|part| part.abs() <= 1.0),
                    "{camera:?} gives {projected:?}"
                );
                let reach = |axis: usize| projected.iter().map(|point| point[axis].abs()).fold(0.0, f32::max);
                assert!(reach(0).max(reach(1)) > 0.9, "{camera:?} is too far away");
            }
        }
    }

    #[test]
    fn front_looks_at_plus_z() {
        let points = corners([-1.0; 3], [1.0; 3]);
        let front = Camera { yaw: 0.0, pitch: 0.0, zoom: 1.0 };
        assert!(project(front, &points, [1.0, 0.0, 0.0])[0] > 0.0, "+x is right");
        assert!(project(front, &points, [0.0, 1.0, 0.0])[1] > 0.0, "+y is up");
        let depth = |z| project(front, &points, [0.0, 0.0, z])[2];
        assert!(depth(1.0) < depth(-1.0), "+z is nearer");
    }

    #[test]
    fn turned_cameras_keep_their_distance() {
        let points = corners([-3.0, 0.0, -1.0], [1.0, 5.0, 2.0]);
        let mut framing = Camera { yaw: 0.0, pitch: 20.0, zoom: 1.0 }.framing(480, 272);
        points.into_iter().for_each(|point| framing.add_circle(&Circle::default(), point));
        let mut largest = 0.0_f32;
        for yaw in [0.0, 30.0, 123.0, 270.0] {
            let (view, projection) = framing.turned(yaw).matrices();
            assert_eq!(view[9..], framing.matrices().0[9..], "the same distance at {yaw}");
            for point in points {
                let eye = crate::model::matrix::transform(&view, point);
                let at = [eye[0] * projection[0], eye[1] * projection[5]].map(|part| (part / -eye[2]).abs());
                assert!(at[0] <= 1.0 && at[1] <= 1.0, "{point:?} at {yaw}: {at:?}");
                largest = largest.max(at[0]).max(at[1]);
            }
        }
        assert!(largest > 0.8, "the model fills the picture: {largest}");
    }

    #[test]
    fn frames_degenerate_point_sets() {
        let camera = Camera { yaw: 10.0, pitch: 10.0, zoom: 1.0 };
        for points in [vec![], vec![[5.0, 6.0, 7.0]], vec![[f32::INFINITY; 3]]] {
            let (view, projection) = camera.frame(points, 480, 272);
            assert!(view.iter().chain(&projection).all(|element| element.is_finite()), "finite matrices");
        }
    }
}
