//! Makes the files of a release, and checks that everything agrees with its version.
//!
//! `cargo dev release` runs the program of this package. It publishes no file: it prints the commands that
//! do.
//!
//! * [`checkout`]: the files of the repository, and its last commit.
//! * [`versions`] and [`changes`]: every place that repeats the version, and the page of changes.
//! * [`plan`]: the parts of a release, their files and destinations.
//! * [`requirements`]: the programs that a part needs.
//! * [`archive`] and [`checksums`]: files to download.
//! * [`workspace`]: the programs that are run.
//! * [`parts`]: how each part is built.

pub mod archive;
pub mod changes;
pub mod checkout;
pub mod checksums;
pub mod parts;
pub mod plan;
pub mod requirements;
pub mod versions;
pub mod workspace;
