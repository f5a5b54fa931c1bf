//! A primitive inside the scissor, and the geometry that its attributes' planes share.

use super::pixel_bounds::PixelBounds;
use super::plane_lanes::PlaneLanes;
use crate::ge::arithmetic::Arithmetic;
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};
use crate::raster::rules::coverage::{EdgeStepper, Triangle};
use crate::raster::rules::interpolate::Gradients;
use crate::raster::rules::line::Line;
use crate::raster::rules::single::line::OrderedLine;

/// A primitive with its pixels inside the scissor.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClippedPrimitive<'p> {
    pub(super) primitive: &'p ScreenPrimitive,
    /// A triangle with its edges, at the upper left of the bounds.
    pub(super) triangle: Option<(&'p Triangle, &'p EdgeStepper)>,
    pub(super) bounds: PixelBounds,
}

/// The geometry that all planes over a primitive share, to compute it only once.
#[derive(Debug)]
pub(super) struct SharedGeometry<'p> {
    /// Points and rectangles repeat a vertex three times. Lines repeat their second.
    pub(super) corners: [&'p ScreenVertex; 3],
    pub(super) shape: PlaneShape,
    /// Set for a triangle within the usual range.
    pub(super) lanes: Option<PlaneLanes>,
}

/// Tells how planes run over a primitive.
#[derive(Debug)]
pub(super) enum PlaneShape {
    /// All values are constant.
    Constant,
    /// Along a line.
    Line(Line),
    /// Along a line by the rules of emulators.
    EmulatedLine(OrderedLine),
    /// Through a triangle's corners.
    Triangle(Gradients),
}

impl<'p> SharedGeometry<'p> {
    #[inline(always)]
    pub(super) fn new(clipped: &ClippedPrimitive<'p>) -> Self {
        let ClippedPrimitive { primitive, triangle, bounds } = *clipped;
        match (&primitive.shape, triangle) {
            (Shape::Triangle([a, b, c]), Some((triangle, _))) => {
                let gradients = Gradients::new(triangle);
                let lanes = PlaneLanes::new(&gradients, bounds);
                Self { corners: [a, b, c], shape: PlaneShape::Triangle(gradients), lanes }
            }
            (Shape::Point([vertex]) | Shape::Rectangle([_, vertex]) | Shape::Triangle([vertex, ..]), _) => {
                Self { corners: [vertex; 3], shape: PlaneShape::Constant, lanes: None }
            }
            (Shape::Line([a, b]), _) => {
                let shape = match primitive.arithmetic {
                    Arithmetic::Hardware => PlaneShape::Line(Line::new(&[*a, *b])),
                    Arithmetic::Single => PlaneShape::EmulatedLine(OrderedLine::new(&[*a, *b])),
                };
                Self { corners: [a, b, b], shape, lanes: None }
            }
        }
    }
}
