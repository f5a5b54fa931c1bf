//! Prints every executed command: `cargo run --example trace -- tools/sample/lampwing.pac`.
#![expect(clippy::print_stdout, reason = "an example talks to its user")]

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let input = std::env::args().nth(1).ok_or("usage: trace INPUT")?;
    let asset = pspge::open(&input, &std::fs::read(&input)?)?;
    let trace = asset.trace()?;
    for line in &trace.lines {
        println!("{line}");
    }
    for note in &trace.report.notes {
        eprintln!("note: {note}");
    }
    Ok(())
}
