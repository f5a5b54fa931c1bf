//! Tests of the interpreter, the rasterizer and the queue, against a real PSP and against each other.

mod frames;
mod geprobe;
mod lowering;
mod probes;
mod queue;
mod rules;
mod sameness;
mod special_numbers;
mod texture_cache;
mod vertex_layouts;
