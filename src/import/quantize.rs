//! Chooses palette colours by k-means, in a space whose distances match how people see colours (Oklab).
//!
//! A point holds an index's colours in all palettes that share it, so that these are chosen together. Colours count
//! by their alpha, and alpha is a coordinate of its own.
//!
//! # Invariants
//! The same points give the same colours on every machine, because the generator has a fixed seed and no platform
//! function is used.

use crate::model::matrix::single;
use kmeans_colors::{Calculate, get_kmeans};
use palette::{FromColor, Oklab, Srgb};
use rand::Rng;

/// Stop after this many rounds; later ones hardly change anything.
const ROUNDS: usize = 24;
/// Stop if the centres together move less than this.
const SETTLED: f32 = 1e-6;
/// Any number would do, but it must be fixed.
const SEED: u64 = 38;
/// How much the hue counts in transparent colours, so that it is not lost.
const LEAST_WEIGHT: f32 = 1.0 / 16.0;

/// Colours in this space, and how many texels have them.
#[derive(Clone, Debug)]
pub(super) struct Point {
    coordinates: Vec<f32>,
    count: f32,
}

impl Point {
    /// Places colours in this space.
    pub(super) fn new(colors: &[[u8; 4]], count: f32) -> Self {
        let coordinates = colors.iter().flat_map(|&[red, green, blue, alpha]| {
            let Oklab { l, a, b } = Oklab::from_color(Srgb::new(red, green, blue).into_format::<f32>());
            let alpha = f32::from(alpha) / 255.0;
            let weight = weight(alpha);
            [l * weight, a * weight, b * weight, alpha]
        });
        Self { coordinates: coordinates.collect(), count }
    }

    /// Converts back to colours.
    fn colors(&self) -> Vec<[u8; 4]> {
        let (colors, _) = self.coordinates.as_chunks::<4>();
        let color = |&[l, a, b, alpha]: &[f32; 4]| {
            let weight = weight(alpha);
            let color = Srgb::from_color(Oklab::new(l / weight, a / weight, b / weight));
            let color = Srgb::<u8>::from_format(color);
            let alpha = Srgb::<u8>::from_format(Srgb::new(alpha, alpha, alpha)).red;
            [color.red, color.green, color.blue, alpha]
        };
        colors.iter().map(color).collect()
    }

    /// Returns the squared distance.
    pub(super) fn distance(&self, other: &Self) -> f32 {
        self.coordinates
            .iter()
            .zip(&other.coordinates)
            .map(|(one, other)| (one - other) * (one - other))
            .sum()
    }

    /// Finds the index of the nearest point.
    pub(super) fn nearest(&self, points: &[Self]) -> usize {
        let mut best = (f32::INFINITY, 0);
        for (number, point) in points.iter().enumerate() {
            let distance = self.distance(point);
            if distance < best.0 {
                best = (distance, number);
            }
        }
        best.1
    }
}

fn weight(alpha: f32) -> f32 {
    LEAST_WEIGHT + (1.0 - LEAST_WEIGHT) * alpha.clamp(0.0, 1.0)
}

/// Adds up the squared distances of all texels to their nearest choice.
pub(super) fn total_error(points: &[Point], choices: &[Point]) -> f64 {
    let error = |point: &Point| match choices.get(point.nearest(choices)) {
        Some(choice) => f64::from(point.distance(choice)) * f64::from(point.count),
        None => f64::INFINITY,
    };
    points.iter().map(error).sum()
}

/// Chooses at most `most` colours for these points, up to 256. Each result has a colour for each palette.
pub(super) fn choose(points: &[Point], most: usize) -> Vec<Vec<[u8; 4]>> {
    if points.is_empty() {
        return Vec::new();
    }
    let found = get_kmeans(most.min(256), ROUNDS, SETTLED, false, points, SEED);
    found.centroids.iter().map(Point::colors).collect()
}

impl Calculate for Point {
    fn get_closest_centroid(buffer: &[Self], centroids: &[Self], indices: &mut Vec<u8>) {
        let nearest = |point: &Self| u8::try_from(point.nearest(centroids)).unwrap_or(u8::MAX);
        indices.extend(buffer.iter().map(nearest));
    }

    fn recalculate_centroids(_: &mut impl Rng, buffer: &[Self], centroids: &mut [Self], indices: &[u8]) {
        let axes = centroids.first().map_or(0, |centroid| centroid.coordinates.len());
        let mut sums = vec![(0.0_f64, vec![0.0_f64; axes]); centroids.len()];
        for (point, index) in buffer.iter().zip(indices) {
            if let Some((count, sum)) = sums.get_mut(usize::from(*index)) {
                *count += f64::from(point.count);
                for (sum, coordinate) in sum.iter_mut().zip(&point.coordinates) {
                    *sum += f64::from(*coordinate) * f64::from(point.count);
                }
            }
        }
        // A centre without texels stays where it is; it may find some later.
        for (centroid, (count, sum)) in centroids.iter_mut().zip(sums).filter(|(_, (count, _))| *count > 0.0)
        {
            for (coordinate, sum) in centroid.coordinates.iter_mut().zip(sum) {
                *coordinate = single(sum / count);
            }
        }
    }

    fn check_loop(centroids: &[Self], old_centroids: &[Self]) -> f32 {
        centroids.iter().zip(old_centroids).map(|(one, old)| one.distance(old)).sum()
    }

    fn create_random(_: &mut impl Rng) -> Self {
        Self { coordinates: Vec::new(), count: 0.0 }
    }

    fn difference(point: &Self, centroid: &Self) -> f32 {
        // Many equal texels attract a centre as much as many different ones.
        point.distance(centroid) * point.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_survive_the_way_there_and_back() {
        for color in
            [[0, 0, 0, 255], [255, 255, 255, 255], [200, 10, 60, 128], [1, 2, 3, 16], [90, 90, 90, 0]]
        {
            let [back] = Point::new(&[color], 1.0).colors()[..] else { panic!("one colour") };
            let far = back.iter().zip(color).map(|(one, other)| one.abs_diff(other)).max();
            assert!(far <= Some(1), "{color:?} becomes {back:?}");
        }
    }

    #[test]
    fn few_colors_are_chosen_exactly_and_many_well() {
        let few: Vec<Point> =
            [[255, 0, 0, 255], [0, 0, 255, 255]].map(|color| Point::new(&[color], 9.0)).into();
        let mut chosen = choose(&few, 16);
        chosen.sort_unstable();
        assert_eq!(chosen, [vec![[0, 0, 255, 255]], vec![[255, 0, 0, 255]]], "no more than there are");
        let many: Vec<Point> = (0..=255).map(|grey| Point::new(&[[grey, grey, grey, 255]], 1.0)).collect();
        let chosen = choose(&many, 16);
        assert_eq!(chosen, choose(&many, 16), "the same every time");
        let choices: Vec<Point> = chosen.iter().map(|colors| Point::new(colors, 1.0)).collect();
        // Sixteen steps with equal width are off by a 32nd at most, by 0.018 in the mean of squares.
        let mean = (total_error(&many, &choices) / 256.0).sqrt();
        assert!(chosen.len() == 16 && mean < 0.025, "{} colours, off by {mean}", chosen.len());
    }

    #[test]
    fn palettes_are_chosen_together() {
        // Two indices would do for either palette alone.
        let red = [255, 0, 0, 255];
        let blue = [0, 0, 255, 255];
        let points = [[red, red], [red, blue], [blue, blue]].map(|colors| Point::new(&colors, 1.0));
        let mut chosen = choose(&points, 3);
        chosen.sort_unstable();
        assert_eq!(chosen, [vec![blue, blue], vec![red, blue], vec![red, red]], "all three pairs");
    }
}
