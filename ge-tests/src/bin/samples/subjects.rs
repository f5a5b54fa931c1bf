//! Builds the sample models, in a module each.

pub(crate) mod anemone;
pub(crate) mod beacon;
pub(crate) mod candle;
pub(crate) mod harbour;
pub(crate) mod orchard;
pub(crate) mod reedling;
pub(crate) mod robot;
pub(crate) mod rover;
pub(crate) mod wyvern;
