//! A custom back end: writes a frame's triangles as SVG, just as they reach the screen.
//! `cargo run --example custom_sink -- frame.ppdmp > frame.svg`
#![expect(clippy::print_stdout, reason = "an example talks to its user")]

use std::error::Error;

use pspge::{Arithmetic, Draw, ImmediateDraw, Memory, ScreenPrimitive, Shape, Sink};

/// Collects polygons.
#[derive(Debug, Default)]
struct Polygons(Vec<String>);

impl Polygons {
    fn add(&mut self, primitive: &ScreenPrimitive) {
        let Shape::Triangle(corners) = primitive.shape else { return };
        let points: Vec<String> = corners
            .iter()
            .map(|corner| format!("{},{}", f64::from(corner.x) / 16.0, f64::from(corner.y) / 16.0))
            .collect();
        let [red, green, blue, _] = primitive.flat_vertex().color;
        let points = points.join(" ");
        self.0.push(format!("<polygon points=\"{points}\" fill=\"#{red:02x}{green:02x}{blue:02x}\"/>"));
    }
}

impl Sink for Polygons {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        draw.to_screen(memory, Arithmetic::Hardware, &mut |primitive| self.add(primitive));
    }

    fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
        if let Some(primitive) = draw.to_screen(Arithmetic::Hardware) {
            self.add(&primitive);
        }
    }

    fn flush(&mut self, _: &mut Memory) {}
}

fn main() -> Result<(), Box<dyn Error>> {
    let input = std::env::args().nth(1).ok_or("usage: custom_sink INPUT")?;
    let mut polygons = Polygons::default();
    pspge::open(&input, &std::fs::read(&input)?)?.run(&mut polygons)?;
    println!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 480 272\">");
    for polygon in polygons.0 {
        println!("{polygon}");
    }
    println!("</svg>");
    Ok(())
}
