//! A camera that frames a model.
//!
//! # Invariants
//! The same numbers come out on every machine: trigonometry is done in software.

/// An axis-parallel box around points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least coordinates.
    pub min: [f32; 3],
    /// Greatest coordinates.
    pub max: [f32; 3],
}

impl Bounds {
    /// The box around some points; points that are not finite do not count. `None` where no point is left.
    #[must_use]
    pub fn of(points: impl IntoIterator<Item = [f32; 3]>) -> Option<Self> {
        let finite = points.into_iter().filter(|point| point.iter().all(|coordinate| coordinate.is_finite()));
        finite.map(|point| Self { min: point, max: point }).reduce(|a, b| a.union(&b))
    }

    /// The box around two boxes.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: [0, 1, 2].map(|axis| self.min[axis].min(other.min[axis])),
            max: [0, 1, 2].map(|axis| self.max[axis].max(other.max[axis])),
        }
    }

    fn center(&self) -> [f64; 3] {
        [0, 1, 2].map(|axis| f64::midpoint(f64::from(self.min[axis]), f64::from(self.max[axis])))
    }

    fn corners(&self) -> [[f64; 3]; 8] {
        std::array::from_fn(|corner| {
            [0, 1, 2]
                .map(|axis| f64::from(if corner >> axis & 1 == 0 { self.min[axis] } else { self.max[axis] }))
        })
    }
}

/// Where a picture is taken from. The model stands upright, y up, and faces +z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Turn around the upright axis in degrees: 0 looks at the front, 90 at the model's left side (+x).
    pub yaw: f64,
    /// Height of the viewpoint in degrees: 90 looks straight down.
    pub pitch: f64,
    /// Magnification; 1 frames the whole box.
    pub zoom: f64,
}

/// Tangent of half the vertical field of view (30 degrees in all).
const HALF_FIELD: f64 = 0.267_949_192_431_122_7;
/// Part of the picture that the box may fill.
const FILL: f64 = 0.92;

impl Camera {
    /// VIEW (12 elements) and PROJ (16 elements) that frame `bounds` in a picture of the given shape.
    #[must_use]
    pub fn frame(&self, bounds: &Bounds, width: u32, height: u32) -> ([f32; 12], [f32; 16]) {
        let aspect = f64::from(width.max(1)) / f64::from(height.max(1));
        let axes = self.axes();
        let center = bounds.center();
        let seen: Vec<[f64; 3]> = bounds
            .corners()
            .iter()
            .map(|corner| {
                let from_center = [0, 1, 2].map(|axis| corner[axis] - center[axis]);
                axes.map(|axis| dot(axis, from_center))
            })
            .collect();
        let vertical = HALF_FIELD * FILL;
        let horizontal = vertical * aspect;
        // Far enough that every corner lies inside the field of view.
        let needed = seen.iter().map(|[x, y, z]| z + (x.abs() / horizontal).max(y.abs() / vertical));
        let nearest = seen.iter().map(|corner| corner[2]).fold(0.0, f64::max);
        let radius = seen.iter().map(|corner| dot(*corner, *corner)).fold(0.0, f64::max);
        let radius = libm::sqrt(radius).max(1e-3);
        let distance = needed.fold(0.0, f64::max).max(nearest + radius * 0.05);
        let near = (distance - radius * 1.05).max(distance * 0.02);
        let far = distance + radius * 1.05;
        let scale = self.zoom.clamp(1e-3, 1e3) / HALF_FIELD;
        (view(axes, center, distance), projection(scale / aspect, scale, near, far))
    }

    /// Right, up and towards the viewer.
    fn axes(&self) -> [[f64; 3]; 3] {
        let (sin_yaw, cos_yaw) = sin_cos_degrees(self.yaw);
        let (sin_pitch, cos_pitch) = sin_cos_degrees(self.pitch);
        let right = [cos_yaw, 0.0, -sin_yaw];
        let towards = [sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch];
        let up = [-sin_yaw * sin_pitch, cos_pitch, -cos_yaw * sin_pitch];
        [right, up, towards]
    }
}

/// Exact at multiples of 90 degrees.
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

#[expect(clippy::cast_possible_truncation, reason = "registers hold fewer bits still")]
fn view(axes: [[f64; 3]; 3], center: [f64; 3], distance: f64) -> [f32; 12] {
    let mut matrix = [0.0; 12];
    for (column, axis) in axes.iter().enumerate() {
        for row in 0..3 {
            matrix[3 * row + column] = axis[row] as f32;
        }
        let back = if column == 2 { distance } else { 0.0 };
        matrix[9 + column] = (-dot(*axis, center) - back) as f32;
    }
    matrix
}

#[expect(clippy::cast_possible_truncation, reason = "registers hold fewer bits still")]
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

    fn project(camera: Camera, bounds: &Bounds, point: [f32; 3]) -> [f32; 3] {
        let (view, projection) = camera.frame(bounds, 480, 272);
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
    fn every_view_frames_the_box() {
        let bounds = Bounds { min: [-20.0, 0.0, -50.0], max: [40.0, 100.0, 10.0] };
        for yaw in [0.0, 35.0, 90.0, 180.0, 270.0] {
            for pitch in [-90.0, 0.0, 20.0, 90.0] {
                let camera = Camera { yaw, pitch, zoom: 1.0 };
                for corner in bounds.corners() {
                    #[expect(clippy::cast_possible_truncation, reason = "test values")]
                    let seen = project(camera, &bounds, corner.map(|coordinate| coordinate as f32));
                    assert!(
                        seen.iter().all(|part| part.abs() <= 1.0),
                        "{camera:?} sees {corner:?} at {seen:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn front_looks_at_plus_z() {
        let bounds = Bounds { min: [-1.0; 3], max: [1.0; 3] };
        let front = Camera { yaw: 0.0, pitch: 0.0, zoom: 1.0 };
        assert!(project(front, &bounds, [1.0, 0.0, 0.0])[0] > 0.0, "+x is right");
        assert!(project(front, &bounds, [0.0, 1.0, 0.0])[1] > 0.0, "+y is up");
        let depth = |z| project(front, &bounds, [0.0, 0.0, z])[2];
        assert!(depth(1.0) < depth(-1.0), "+z is nearer");
    }

    #[test]
    fn boxes_skip_what_is_not_finite() {
        let points = [[1.0, 2.0, 3.0], [f32::NAN, 0.0, 0.0], [-1.0, 5.0, 3.0]];
        let expected = Bounds { min: [-1.0, 2.0, 3.0], max: [1.0, 5.0, 3.0] };
        assert_eq!(Bounds::of(points), Some(expected), "two points count");
        assert_eq!(Bounds::of([]), None, "no point, no box");
    }
}
