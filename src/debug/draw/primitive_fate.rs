//! Tells the fate of each primitive in a draw, with the reason in words.

use std::fmt;

use arrayvec::ArrayVec;

use crate::pipeline::draw::primitive_record::{CullReason, DropReason, Outcode, PartRecord, PrimitiveRecord};
use crate::pipeline::draw::vertex_stages::VertexStages;
use crate::pipeline::framebuffer::COORDINATES;
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};
use crate::raster::FragmentCounts;

/// A primitive in a draw, with its fate.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnPrimitive {
    /// How it went through the geometry stages.
    pub record: PrimitiveRecord,
    /// What became of each of [`PrimitiveRecord::parts`].
    pub outcomes: ArrayVec<PartOutcome, 2>,
}

/// What became of a primitive in screen space, or of a clipped primitive's part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartOutcome {
    /// The fate.
    pub fate: PrimitiveFate,
    /// How many fragments it has. If it does not reach the rasterizer, all counts are 0.
    pub counts: FragmentCounts,
}

/// A primitive's fate. Later fates are farther on the way to the screen, and are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum PrimitiveFate {
    /// Dropped by a range test: outside the view volume, the screen space or the depth range.
    Dropped,
    /// The part left by near clipping is outside the screen space.
    OutsideScreen,
    /// Culled for its face.
    Culled,
    /// It has no area: it is culled for that, or covers no pixel.
    NoArea,
    /// It covers only pixels outside the 1024×1024 that a buffer can have.
    OutsideBuffer,
    /// It lies between the centres of pixels.
    NoPixel,
    /// All pixels that it covers are outside the scissor or the drawing region.
    OutsideScissor,
    /// A limit left no room to count its fragments.
    Unknown,
    /// Tests killed all its fragments.
    Killed,
    /// At least one fragment passed all tests.
    Drawn,
}

impl fmt::Display for PrimitiveFate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dropped => "dropped",
            Self::OutsideScreen => "outside the screen space",
            Self::Culled => "culled",
            Self::NoArea => "without area",
            Self::OutsideBuffer => "outside the buffer",
            Self::NoPixel => "without a pixel",
            Self::OutsideScissor => "outside the scissor",
            Self::Unknown => "not counted",
            Self::Killed => "killed by tests",
            Self::Drawn => "drawn",
        })
    }
}

impl PartOutcome {
    /// Returns the outcome for a part that does not reach the rasterizer.
    pub(super) fn undrawn(part: &PartRecord) -> Self {
        let fate = match part {
            PartRecord::Culled { reason: CullReason::NoArea, .. } => PrimitiveFate::NoArea,
            PartRecord::Culled { .. } => PrimitiveFate::Culled,
            PartRecord::OutsideScreen(_) | PartRecord::Drawn(_) => PrimitiveFate::OutsideScreen,
        };
        Self { fate, counts: FragmentCounts::default() }
    }

    /// Returns the outcome for a part that could not be counted because of a limit.
    pub(super) fn unknown() -> Self {
        Self { fate: PrimitiveFate::Unknown, counts: FragmentCounts::default() }
    }

    /// Returns the outcome for a part with these fragments.
    pub(super) fn drawn(primitive: &ScreenPrimitive, counts: FragmentCounts) -> Self {
        let fate = match counts {
            FragmentCounts { passed: 1.., .. } => PrimitiveFate::Drawn,
            FragmentCounts { covered: 0, .. } => without_pixels(primitive),
            FragmentCounts { covered, scissor, .. } if covered == scissor => PrimitiveFate::OutsideScissor,
            _ => PrimitiveFate::Killed,
        };
        Self { fate, counts }
    }
}

/// Returns why a primitive covers no pixel that a buffer can have.
fn without_pixels(primitive: &ScreenPrimitive) -> PrimitiveFate {
    let size = i32::try_from(COORDINATES * 16).unwrap_or(i32::MAX);
    let vertices = primitive.vertices();
    let is_beyond = |of: fn(&ScreenVertex) -> i32| {
        vertices.iter().all(|vertex| of(vertex) < 0) || vertices.iter().all(|vertex| of(vertex) >= size)
    };
    let has_no_area = match &primitive.shape {
        Shape::Point(_) => false,
        Shape::Line([a, b]) => (a.x, a.y) == (b.x, b.y),
        Shape::Rectangle([a, b]) => a.x == b.x || a.y == b.y,
        Shape::Triangle([a, b, c]) => {
            let delta = |from: i32, to: i32| i128::from(to) - i128::from(from);
            delta(a.x, b.x) * delta(a.y, c.y) == delta(a.x, c.x) * delta(a.y, b.y)
        }
    };
    if has_no_area {
        PrimitiveFate::NoArea
    } else if is_beyond(|vertex| vertex.x) || is_beyond(|vertex| vertex.y) {
        PrimitiveFate::OutsideBuffer
    } else {
        PrimitiveFate::NoPixel
    }
}

impl DrawnPrimitive {
    /// Returns this primitive's fate. If there are several parts, the part that came farthest decides.
    #[must_use]
    pub fn fate(&self) -> PrimitiveFate {
        self.outcomes.iter().map(|outcome| outcome.fate).max().unwrap_or(PrimitiveFate::Dropped)
    }

    /// Returns the counts for all parts together.
    #[must_use]
    pub fn counts(&self) -> FragmentCounts {
        let mut sum = FragmentCounts::default();
        self.outcomes.iter().for_each(|outcome| sum.add(&outcome.counts));
        sum
    }

    /// Describes this fate with its reason in a few words, such as `dropped: w of a vertex is 0 or negative`.
    /// `vertices` belong to the draw.
    #[must_use]
    pub fn reason(&self, vertices: &[VertexStages]) -> String {
        let counts = self.counts();
        let mut text = match self.fate() {
            PrimitiveFate::Dropped => {
                format!("dropped: {}{}", drop_text(self.record.dropped), self.nan_text(vertices))
            }
            PrimitiveFate::OutsideScreen => {
                "dropped: a vertex that near clipping left is outside the 4096x4096 screen space".to_owned()
            }
            PrimitiveFate::Culled => format!("culled: it runs {}", self.winding()),
            PrimitiveFate::NoArea => "it has no area".to_owned(),
            PrimitiveFate::OutsideBuffer => {
                format!("outside the {COORDINATES}x{COORDINATES} pixels of a buffer")
            }
            PrimitiveFate::NoPixel => "it lies between the centres of pixels".to_owned(),
            PrimitiveFate::OutsideScissor => {
                format!("all of its {} pixels are outside the scissor", counts.covered)
            }
            PrimitiveFate::Unknown => "its fragments are not counted".to_owned(),
            PrimitiveFate::Killed => killed_text(&counts),
            PrimitiveFate::Drawn if counts.killed() == 0 => format!("drawn: {} fragments", counts.passed),
            PrimitiveFate::Drawn => {
                format!("drawn: {} of {} fragments, {}", counts.passed, counts.covered, killed_text(&counts))
            }
        };
        if self.record.clipped {
            let parts = self.record.parts.len();
            let plural = if parts == 1 { "part" } else { "parts" };
            text += &format!(" (clipped at the near plane to {parts} {plural})");
        }
        if self.record.merged > 1 {
            text += &format!(" (a rectangle in place of {} triangles)", self.record.merged);
        }
        text
    }

    /// Names the first vertex that has NaN in its position.
    fn nan_text(&self, vertices: &[VertexStages]) -> String {
        let is_nan = |number: &&u32| {
            let spaces = vertices.get(**number as usize).and_then(|vertex| vertex.spaces);
            spaces.is_some_and(|spaces| spaces.clip.iter().any(|coordinate| coordinate.is_nan()))
        };
        let first = self.record.vertices.iter().find(is_nan);
        first.map(|number| format!(" (vertex {number} is NaN)")).unwrap_or_default()
    }

    /// Returns the direction in which a culled part runs.
    fn winding(&self) -> &'static str {
        let is_clockwise =
            |part: &PartRecord| matches!(part, PartRecord::Culled { reason: CullReason::Clockwise, .. });
        if self.record.parts.iter().any(is_clockwise) { "clockwise" } else { "counter-clockwise" }
    }
}

/// Describes the tests that killed fragments: `killed by alpha 12, depth 3`.
fn killed_text(counts: &FragmentCounts) -> String {
    let tests = [
        ("scissor", counts.scissor),
        ("depth range", counts.depth_range),
        ("alpha", counts.alpha),
        ("colour", counts.color),
        ("stencil", counts.stencil),
        ("depth", counts.depth),
    ];
    let killed = tests.iter().filter(|(_, count)| *count > 0);
    let killed: Vec<String> = killed.map(|(test, count)| format!("{test} {count}")).collect();
    format!("killed by {}", killed.join(", "))
}

/// Describes the range tests that drop a primitive.
fn drop_text(DropReason { all, any }: DropReason) -> String {
    let mut texts = Vec::new();
    // Behind the eye, a vertex can be outside two opposite sides, so this case comes first.
    if all.intersects(Outcode::W_NOT_POSITIVE) {
        texts.push("w of all vertices is 0 or negative".to_owned());
    } else if all.intersects(Outcode::SIDES) {
        let sides = [
            (Outcode::LEFT, "left"),
            (Outcode::RIGHT, "right"),
            (Outcode::TOP, "top"),
            (Outcode::BOTTOM, "bottom"),
            (Outcode::NEAR, "near"),
            (Outcode::FAR, "far"),
        ];
        let sides = sides.into_iter().filter(|(flag, _)| all.intersects(*flag)).map(|(_, side)| side);
        let sides = sides.collect::<Vec<_>>().join(" and ");
        texts.push(format!("all vertices are outside the {sides} side of the view volume"));
    }
    let of_one = [
        (Outcode::NEAR, "a vertex is outside the near side of the view volume"),
        (Outcode::W_NOT_POSITIVE, "w of a vertex is 0 or negative"),
        (
            Outcode::OUTSIDE_SCREEN.union(Outcode::OUTSIDE_SCREEN_IN_FRONT),
            "a vertex is outside the 4096x4096 screen space",
        ),
        (Outcode::OUTSIDE_DEPTH, "the depth of a vertex is outside 0 to 65535"),
    ];
    let of_one = of_one.into_iter().filter(|(flag, _)| any.difference(all).intersects(*flag));
    texts.extend(of_one.map(|(_, text)| text.to_owned()));
    texts.join(", and ")
}
