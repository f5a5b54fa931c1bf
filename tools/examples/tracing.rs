//! Shows the library's own events in a program that embeds it: `cargo run --example tracing -- INPUT`.
//!
//! A program may install any subscriber from the `tracing` ecosystem. This one prints spans with their times.

use std::error::Error;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;

fn main() -> Result<(), Box<dyn Error>> {
    let input = std::env::args().nth(1).ok_or("usage: tracing INPUT")?;
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::builder().parse("pspge=debug")?)
        .with_span_events(FmtSpan::CLOSE)
        .finish();
    tracing::subscriber::set_global_default(subscriber)?;
    let asset = pspge::open(&input, &std::fs::read(&input)?)?;
    asset.render(&pspge::RunSpec::default())?;
    Ok(())
}
