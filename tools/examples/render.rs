//! Renders a file: `cargo run --example render -- tools/sample/lampwing.pac lampwing.png`.
#![expect(clippy::print_stdout, reason = "an example talks to its user")]

use std::error::Error;

use pspge::{RunSpec, View};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("usage: render INPUT OUTPUT.png".into());
    };
    let asset = pspge::open(&input, &std::fs::read(&input)?)?;
    let rendering = asset.rasterize(&RunSpec::default().view(View::ThreeQuarter).size(480, 272))?;
    rendering.color.save(&output)?;
    for note in asset.notes() {
        println!("note: {note}");
    }
    for note in &rendering.notes {
        println!("note: {note}");
    }
    Ok(())
}
