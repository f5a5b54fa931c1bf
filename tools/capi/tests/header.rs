//! Checks that the C header is the same as cbindgen makes from these sources.

use std::path::Path;

/// Set this to write the header anew.
const UPDATE: &str = "PSPGE_UPDATE_HEADER";

#[test]
fn header_is_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("a valid configuration");
    let bindings = cbindgen::generate_with_config(folder, config).expect("sources that cbindgen reads");
    let mut made = Vec::new();
    bindings.write(&mut made);
    let made = String::from_utf8(made).expect("a text");
    let path = folder.join("include/pspge.h");
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&path, &made).expect("the header can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = committed.lines().zip(made.lines()).position(|(old, new)| old != new);
    assert!(
        committed == made,
        "include/pspge.h is not current from line {differs:?} on; set {UPDATE}=1 to write it"
    );
}
