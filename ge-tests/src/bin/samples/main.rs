//! Writes the bundled sample models: `cargo dev sample`.

mod bundle;
mod bytes;
mod formats;
mod modelling;
mod subjects;

use std::io::{self, Write};

fn main() -> io::Result<()> {
    let folder = bundle::folder();
    std::fs::create_dir_all(&folder)?;
    let mut out = io::stdout();
    for (name, bytes) in bundle::files() {
        std::fs::write(folder.join(name), &bytes)?;
        writeln!(out, "{name}: {} bytes", bytes.len())?;
    }
    let [lists, vertices, triangles] = bundle::wyvern_counts();
    writeln!(out, "{lists} lists, {vertices} vertices, {triangles} triangles")
}
