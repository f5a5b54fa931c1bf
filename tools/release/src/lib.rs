//! Makes a release's files, and checks that everything agrees with its version.
//!
//! `cargo dev release` runs this package's program. It publishes nothing itself, but prints the commands to do so.
//!
//! * [`checkout`]: reads the repository's files, and its last commit.
//! * [`versions`] and [`changes`]: check every place that repeats the version, and the page of changes.
//! * [`plan`]: lists a release's parts, their files and destinations.
//! * [`requirements`]: looks for the programs a part needs.
//! * [`archive`] and [`checksums`]: write files to download.
//! * [`workspace`]: runs programs.
//! * [`parts`]: builds each part.

pub mod archive;
pub mod changes;
pub mod checkout;
pub mod checksums;
pub mod parts;
pub mod plan;
pub mod requirements;
pub mod versions;
pub mod workspace;
