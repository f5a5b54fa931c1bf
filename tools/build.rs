//! Builds the command again if a page file appears, because `cargo dev web` adds the engine.

fn main() {
    println!("cargo::rerun-if-changed=page");
    println!("cargo::rerun-if-changed=report");
}
