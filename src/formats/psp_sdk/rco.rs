//! RCO: the PSP firmware's resources: pictures, models, sounds, texts and pages.
//! Source: [RCO](crate::reference::formats::psp_sdk#rco).

mod read;

use super::resources::{self, ResourceProblem};
use crate::formats::core::descriptor::{Descriptor, Members, Packing};
use crate::formats::core::problem::FormatProblem;

/// Describes RCO containers, to recognise and open them.
pub static FORMAT: Descriptor = Descriptor {
    title: "PSP firmware resources",
    about: "A container of pictures, models, sounds and texts of the PSP's firmware, opened as the first model or \
            picture in it.",
    sniff: |bytes| bytes.starts_with(&read::MAGIC) || bytes.starts_with(&read::BIG_MAGIC),
    magic: &read::MAGIC,
    members: Members::Parts { list: |file, limits| resources::list(file, limits, read::read) },
    member_help: "Members of an RCO container have the names in it; others are `image:N`, `model:N`, `sound:N` and so \
                  on.",
    packing: Some(Packing {
        unpack: |file, wanted| resources::unpack_parts(file, wanted, read::read),
        replace: resources::replace_parts,
    }),
    open: |context| resources::open(context, &FORMAT, read::read),
    refusals: ResourceProblem::REFUSALS,
    ..Descriptor::new("rco")
};
