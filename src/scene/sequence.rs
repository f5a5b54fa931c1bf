//! Renders a model many times: the frames in an animation, or a turn around it.
//!
//! # Invariants
//! The camera keeps its distance, so that nothing jumps between pictures. It frames the model in every drawn pose,
//! and in a turn from every side.

use super::camera::{Camera, Circle, Framing};
use super::frame_range::{FrameRange, FrameRangeError};
use super::render::{ModelRenderer, Picture};
use super::render_target::{RenderTargetSetup, Tile};
use crate::ge::never::OrNever;
use crate::model::Model;
use crate::model::matrix::{then, translation};
use crate::pipeline::bounds::Bounds;

/// Pictures per second for turns, and for animations whose format defines no speed.
pub(crate) const DEFAULT_RATE: f32 = 30.0;

/// A sequence of pictures of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// The animation's index, and which frames to draw.
    animation: Option<(usize, Vec<u32>)>,
    /// How many pictures a full turn takes, if the camera turns.
    turn: Option<u32>,
    rate: f32,
}

impl Sequence {
    /// Creates a sequence of frames from a model's animation, given by its index.
    ///
    /// # Errors
    /// [`FrameRangeError::BeyondEnd`] if a frame does not exist, or if the model does not have this animation.
    pub fn of_animation(
        model: &Model,
        animation: usize,
        range: &FrameRange,
    ) -> Result<Self, FrameRangeError> {
        let Some(known) = model.animations.get(animation) else {
            return Err(FrameRangeError::BeyondEnd { frame: 0, frames: 0 });
        };
        let frames = range.frames(known.frames)?.collect();
        let speed = known.frames_per_second.filter(|speed| speed.is_finite() && *speed > 0.0);
        #[expect(clippy::cast_precision_loss, reason = "a step is a small number")]
        let rate = speed.unwrap_or(DEFAULT_RATE) / range.step() as f32;
        Ok(Self { animation: Some((animation, frames)), turn: None, rate })
    }

    /// Creates a sequence of `count` pictures around a model in its current pose. It starts at the camera's own side.
    #[must_use]
    pub const fn turntable(count: u32) -> Self {
        Self { animation: None, turn: Some(count), rate: DEFAULT_RATE }
    }

    /// Turns the camera around the model in `count` pictures. Meanwhile the animation goes on, from its start again
    /// if it is shorter.
    #[must_use]
    pub fn during_turn(self, count: u32) -> Self {
        Self { turn: Some(count), ..self }
    }

    /// Returns how many pictures there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match (self.turn, &self.animation) {
            (Some(count), _) => count as usize,
            (None, Some((_, frames))) => frames.len(),
            (None, None) => 0,
        }
    }

    /// Returns whether the sequence has no picture.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the pictures to show per second, above 0.
    #[must_use]
    pub const fn rate(&self) -> f32 {
        self.rate
    }

    /// Returns the number to use in a picture's file name: the frame, or the index in a turn.
    #[must_use]
    pub fn number(&self, index: usize) -> u32 {
        match (self.turn, &self.animation) {
            (None, Some((_, frames))) => frames.get(index).copied().or_never("a step has a frame"),
            _ => u32::try_from(index).unwrap_or(u32::MAX),
        }
    }

    /// Renders the pictures in order and passes each to `out` with its index. An animation leaves the model in its last
    /// pose.
    ///
    /// # Errors
    /// An error from `out`, which ends the sequence.
    pub fn render<E>(
        &self,
        renderer: &ModelRenderer,
        model: &mut Model,
        out: &mut dyn FnMut(usize, Picture) -> Result<(), E>,
    ) -> Result<(), E> {
        // This poses the model twice: first to find a camera for all pictures, then to draw.
        let camera = match self.turn {
            Some(count) => Path::Turn(Turn::new(renderer, self, model), count),
            None => {
                let mut framing = renderer.camera.framing(renderer.width, renderer.height);
                self.for_each_position(renderer, model, &mut |position| framing.add(position));
                Path::Still(renderer.setup_with(model, framing.matrices()))
            }
        };
        for index in 0..self.len() {
            self.pose(model, index);
            let turned;
            let setup = match &camera {
                Path::Still(setup) => setup,
                Path::Turn(turn, count) => {
                    #[expect(clippy::cast_precision_loss, reason = "a small number")]
                    let angle = index as f64 * 360.0 / f64::from(*count);
                    turned = turn.setup(renderer, model, angle);
                    &turned
                }
            };
            out(index, renderer.render_tiles(model, setup, setup.tiles(), &mut |_: Tile| {}))?;
        }
        Ok(())
    }

    /// Poses the model as in a picture.
    fn pose(&self, model: &mut Model, index: usize) {
        if let Some((animation, frames)) = &self.animation
            && let Some(frame) = frames.get(index % frames.len().max(1))
        {
            model.animate(*animation, f64::from(*frame));
        }
    }

    /// Visits the positions of all vertices in every pose.
    fn for_each_position(
        &self,
        renderer: &ModelRenderer,
        model: &mut Model,
        visit: &mut dyn FnMut([f32; 3]),
    ) {
        let poses = self.animation.as_ref().map_or(1, |(_, frames)| frames.len().min(self.len()));
        for index in 0..poses {
            self.pose(model, index);
            renderer.for_each_position(model, visit);
        }
    }
}

/// How the camera moves through the pictures.
enum Path {
    Still(RenderTargetSetup),
    /// Around the model, in this many pictures.
    Turn(Turn, u32),
}

/// A camera that moves around a model's middle.
struct Turn {
    /// The camera, relative to the middle.
    framing: Framing,
    middle: [f32; 3],
}

impl Turn {
    fn new(renderer: &ModelRenderer, sequence: &Sequence, model: &mut Model) -> Self {
        let mut bounds: Option<Bounds> = None;
        sequence.for_each_position(renderer, model, &mut |position| {
            let point = Bounds::of([position]);
            bounds = match (&bounds, point) {
                (Some(bounds), Some(point)) => Some(bounds.union(&point)),
                (_, point) => point.or(bounds),
            };
        });
        let middle = bounds.map_or([0.0; 3], |Bounds { min, max }| {
            [0, 1, 2].map(|axis| f32::midpoint(min[axis], max[axis]))
        });
        let camera = Camera { yaw: 0.0, ..renderer.camera };
        let (mut framing, circle) = (camera.framing(renderer.width, renderer.height), Circle::default());
        sequence.for_each_position(renderer, model, &mut |position| {
            framing.add_circle(&circle, [0, 1, 2].map(|axis| position[axis] - middle[axis]));
        });
        Self { framing, middle }
    }

    /// Creates the setup for the camera after a turn by `angle`, in degrees.
    fn setup(&self, renderer: &ModelRenderer, model: &Model, angle: f64) -> RenderTargetSetup {
        let (view, projection) = self.framing.turned(renderer.camera.yaw + angle).matrices();
        let to_middle = translation(self.middle.map(|coordinate| -coordinate));
        renderer.setup_with(model, (then(&to_middle, &view), projection))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::ge::address::Address;
    use crate::ge::limits::Limits;
    use crate::ge::list::ListBuilder;
    use crate::ge::memory::Memory;
    use crate::ge::opcode::Opcode;
    use crate::ge::overrides::Overrides;
    use crate::ge::registers::Matrix;
    use crate::ge::registers::vertex::PrimitiveType;
    use crate::model::matrix::{Affine, IDENTITY};
    use crate::model::{
        Alternatives, Animation, Bone, MatrixUpload, ModelInfo, Part, SCENE_MEMORY, Sampler, Skeleton, Up,
    };
    use crate::raster::RasterOptions;

    /// Moves the bone to the right by 10 in each frame.
    #[derive(Debug)]
    struct Slide;

    impl Sampler for Slide {
        #[expect(clippy::cast_possible_truncation, reason = "small whole numbers")]
        fn sample(&self, _: &Skeleton, frame: f64) -> Vec<Affine> {
            vec![translation([10.0 * frame as f32, 0.0, 0.0])]
        }
    }

    /// A triangle from (0, 0, 0) to (10, 0, 0) and (0, 10, 0) on a bone, with an animation of five frames.
    fn model() -> Model {
        let start = Address::new(SCENE_MEMORY.end);
        let vertices = start.offset(0x1000);
        let (mut list, mut memory) = (ListBuilder::new(start), Memory::default());
        let at = list.here().offset(4);
        list.matrix(Matrix::World, 0, &IDENTITY).set(Opcode::MATERIALAMBIENT, 0xFF_FFFF);
        list.set(Opcode::VTYPE, 3 << 7).address(Opcode::VADDR, vertices).prim(PrimitiveType::TRIANGLES, 3);
        list.set(Opcode::RET, 0);
        list.store(&mut memory);
        let corners = [[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 10.0, 0.0_f32]];
        memory.write(
            vertices,
            &corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>(),
        );
        let bone = Bone { id: 0, name: None, parent: None, local: IDENTITY };
        let upload = MatrixUpload { matrix: Matrix::World, slot: 0, bone: Some(0), binding: IDENTITY, at };
        let part = Part {
            list: start..start,
            call: start,
            mesh: 0,
            group: 0,
            material: 0,
            texture: None,
            palette: [None; 8],
            weights: 0,
            uploads: vec![upload],
        };
        let animation = Animation {
            name: None,
            frames: 5,
            frames_per_second: Some(20.0),
            channels: 1,
            keys: 5,
            sampler: Arc::new(Slide),
        };
        Model {
            memory,
            entry: start,
            sources: Vec::new(),
            info: ModelInfo::default(),
            parts: vec![part],
            textures: Vec::new(),
            skeleton: Skeleton::new(vec![bone]),
            animations: vec![animation],
            alternatives: Alternatives::default(),
            up: Up::Y,
            fields: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// A renderer that looks at the front.
    fn renderer(width: u32, height: u32) -> ModelRenderer {
        ModelRenderer {
            camera: Camera { yaw: 0.0, pitch: 0.0, zoom: 1.0 },
            width,
            height,
            background: [0; 4],
            options: RasterOptions::default(),
            limits: Limits::default(),
            overrides: Overrides::default(),
        }
    }

    /// Returns for each picture the first and last column and row with drawn pixels.
    fn extents(sequence: &Sequence) -> Vec<[[u32; 2]; 2]> {
        let renderer = renderer(200, 100);
        let mut extents = Vec::new();
        let done: Result<(), ()> = sequence.render(&renderer, &mut model(), &mut |index, picture| {
            assert_eq!(index, extents.len(), "in order");
            let drawn = picture.colors.enumerate_pixels().filter(|(_, _, pixel)| pixel.0[3] != 0);
            let range =
                |at: &[u32]| [at.iter().min(), at.iter().max()].map(|at| at.copied().unwrap_or_default());
            let (columns, rows): (Vec<u32>, Vec<u32>) = drawn.map(|(x, y, _)| (x, y)).unzip();
            extents.push([range(&columns), range(&rows)]);
            Ok(())
        });
        assert_eq!(done, Ok(()), "drawn");
        extents
    }

    #[test]
    fn cameras_show_all_frames_and_stay() {
        let range = "all:2".parse().expect("a range");
        let sequence = Sequence::of_animation(&model(), 0, &range).expect("frames");
        assert_eq!((sequence.len(), sequence.number(2), sequence.rate()), (3, 4, 10.0), "frames 0, 2 and 4");
        let extents = extents(&sequence);
        let [first, second, third] = extents.as_slice() else { panic!("three pictures: {extents:?}") };
        assert!(first[0][0] < 20 && third[0][1] > 180, "the whole way is shown: {extents:?}");
        assert!(second[0][0].abs_diff((first[0][0] + third[0][0]) / 2) <= 1, "equal steps: {extents:?}");
        assert!(first[1][0].abs_diff(third[1][0]) <= 1, "the same height: {extents:?}");
    }

    #[test]
    fn turns_show_all_sides_at_one_distance() {
        let sequence = Sequence::turntable(4);
        assert_eq!((sequence.len(), sequence.number(3)), (4, 3), "four sides");
        let extents = extents(&sequence);
        let width = |index: usize| extents[index][0][1].abs_diff(extents[index][0][0]);
        assert!(width(0) > 40 && width(0).abs_diff(width(2)) <= 1, "front and back: {extents:?}");
        assert!(width(1) < 5 && width(3) < 5, "a triangle has no width from the side: {extents:?}");
        let middle = |index: usize| extents[index][0][1] + extents[index][0][0];
        assert!(middle(0).abs_diff(200) < 8 && middle(2).abs_diff(200) < 8, "in the middle: {extents:?}");
    }

    #[test]
    fn turns_go_on_with_the_animation() {
        let range = "0-2".parse().expect("a range");
        let frames = Sequence::of_animation(&model(), 0, &range).expect("frames");
        let sequence = frames.during_turn(8);
        assert_eq!((sequence.len(), sequence.number(7), sequence.rate()), (8, 7, 20.0), "eight sides");
        let extents = extents(&sequence);
        let middle = |index: usize| extents[index][0][1] + extents[index][0][0];
        assert!(middle(0) < middle(4) - 20, "frame 0 from the front, frame 1 from behind: {extents:?}");
        assert!(extents.iter().all(|extent| extent[0][1] < 200 && extent[1][1] < 100), "all is shown");
    }

    #[test]
    fn frames_that_do_not_exist_are_errors() {
        let frames = |animation, range: &str| {
            Sequence::of_animation(&model(), animation, &range.parse().expect("a range"))
                .map(|sequence| sequence.len())
        };
        assert_eq!(frames(0, "4"), Ok(1), "the last frame");
        assert_eq!(frames(0, "5"), Err(FrameRangeError::BeyondEnd { frame: 5, frames: 5 }), "beyond the end");
        assert!(frames(1, "0").is_err(), "no such animation");
    }

    #[test]
    fn errors_end_the_sequence() {
        let mut count = 0;
        let renderer = renderer(8, 8);
        let result = Sequence::turntable(9).render(&renderer, &mut model(), &mut |_, _| {
            count += 1;
            if count == 2 { Err("full") } else { Ok(()) }
        });
        assert_eq!((result, count), (Err("full"), 2), "after the second picture");
    }
}
