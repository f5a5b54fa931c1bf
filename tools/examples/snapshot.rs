//! Prints a file's geometry as a snapshot test stores it: `cargo run --example snapshot -- INPUT`.
#![expect(clippy::print_stdout, reason = "an example talks to its user")]

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let input = std::env::args().nth(1).ok_or("usage: snapshot INPUT")?;
    let geometry = pspge::open(&input, &std::fs::read(&input)?)?.geometry()?;
    // In a test of yours: insta::assert_snapshot!(geometry.summary());
    print!("{}", geometry.summary());
    Ok(())
}
