//! Writes the bundled sample models: `cargo dev sample`.

mod sample;

use std::io::{self, Write};

fn main() -> io::Result<()> {
    let folder = sample::folder();
    std::fs::create_dir_all(&folder)?;
    let mut out = io::stdout();
    for (name, bytes) in sample::files() {
        std::fs::write(folder.join(name), &bytes)?;
        writeln!(out, "{name}: {} bytes", bytes.len())?;
    }
    let [lists, vertices, triangles] = sample::counts();
    writeln!(out, "{lists} lists, {vertices} vertices, {triangles} triangles")
}
