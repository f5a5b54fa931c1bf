//! Interpreter, rasterizer and queue: their results on a real PSP, and with each engine.

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
