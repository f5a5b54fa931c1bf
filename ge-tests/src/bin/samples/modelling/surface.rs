//! Builds parametric surfaces over the unit square: tubes along a curve, and their normals.
//!
//! # Invariants
//! A normal is the cross product of the derivatives by `s` and by `t`, and points outwards.

use super::maths::{Vec3, cos, sin, vec3};

/// A tube's cross-section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Station {
    /// Its centre.
    pub(crate) at: Vec3,
    /// Half its width.
    pub(crate) wide: f64,
    /// Extent upwards from the centre.
    pub(crate) up: f64,
    /// Extent downwards from the centre.
    pub(crate) down: f64,
}

pub(crate) const fn round_station(at: Vec3, radius: f64) -> Station {
    Station { at, wide: radius, up: radius, down: radius }
}

/// A tube through cross-sections. `s` runs along it. `t` runs around it from below, and passes the side opposite to
/// `side` first.
#[derive(Debug)]
pub(crate) struct Tube {
    stations: Vec<Station>,
    side: Vec3,
}

impl Tube {
    /// Creates a tube whose cross-sections have their width along `side`.
    pub(crate) fn new(side: Vec3, stations: Vec<Station>) -> Self {
        Self { stations, side }
    }

    /// Computes the cross-section at `s` by Catmull-Rom interpolation.
    pub(crate) fn station(&self, s: f64) -> Station {
        let last = self.stations.len() - 1;
        let mut from = 0;
        let mut part = s.clamp(0.0, 1.0) * (0..last).fold(0.0, |count, _| count + 1.0);
        while part > 1.0 && from + 1 < last {
            part -= 1.0;
            from += 1;
        }
        let corners =
            [from.saturating_sub(1), from, from + 1, (from + 2).min(last)].map(|index| self.stations[index]);
        let weigh = |value: fn(&Station) -> f64| spline(&corners.map(|corner| value(&corner)), part);
        Station {
            at: vec3(weigh(|c| c.at.x), weigh(|c| c.at.y), weigh(|c| c.at.z)),
            wide: weigh(|c| c.wide).max(0.0),
            up: weigh(|c| c.up).max(0.0),
            down: weigh(|c| c.down).max(0.0),
        }
    }

    /// Computes the surface point at (`s`, `t`).
    pub(crate) fn point(&self, s: f64, t: f64) -> Vec3 {
        let station = self.station(s);
        let ahead = (self.station((s + 1e-3).min(1.0)).at - self.station((s - 1e-3).max(0.0)).at).unit();
        let side = (self.side - ahead * self.side.dot(ahead)).unit();
        let up = ahead.cross(side);
        let angle = t - 0.5;
        let height = cos(angle);
        let reach = if height > 0.0 { station.up } else { station.down };
        station.at + side * (sin(angle) * station.wide) + up * (height * reach)
    }
}

fn spline(corners: &[f64; 4], part: f64) -> f64 {
    let [before, from, to, after] = *corners;
    let slope = to - before;
    let square = 2.0 * before - 5.0 * from + 4.0 * to - after;
    let cube = 3.0 * (from - to) + after - before;
    from + 0.5 * part * (slope + part * (square + part * cube))
}

/// Computes the outward normal at (`s`, `t`), by central differences.
pub(crate) fn normal(surface: &dyn Fn(f64, f64) -> Vec3, s: f64, t: f64) -> Vec3 {
    let step = 2e-3;
    // A tip has no derivative, so it takes the normal next to it.
    let s = s.clamp(step, 1.0 - step);
    let along = surface(s + step, t) - surface(s - step, t);
    let around = surface(s, t + step) - surface(s, t - step);
    along.cross(around).unit()
}

/// Returns `count` + 1 equally spaced numbers from 0 to 1.
pub(crate) fn steps(count: u16) -> Vec<f64> {
    (0..=count).map(|step| f64::from(step) / f64::from(count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_point_outwards() {
        let stations = [0.0, 1.0, 2.0, 3.0].map(|z| round_station(vec3(0.0, 0.0, z), 1.0)).to_vec();
        let tube = Tube::new(vec3(1.0, 0.0, 0.0), stations);
        for t in steps(8) {
            let point = tube.point(0.4, t);
            let out = normal(&|s, t| tube.point(s, t), 0.4, t);
            assert!(out.dot(vec3(point.x, point.y, 0.0)) > 0.99, "at t = {t} the normal is {out:?}");
        }
    }
}
