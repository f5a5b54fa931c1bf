//! PTF: PSP themes, with sections of icons and pictures.
//! Source: [PTF](crate::reference::formats::psp_sdk#ptf).

use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::resources::{self, Compression, IMAGES, Resource, ResourceProblem, Resources};
use crate::formats::core::cursor::View;
use crate::formats::core::descriptor::{Descriptor, Members, Packing};
use crate::formats::core::error::FormatError;
use crate::formats::core::problem::FormatProblem;
use crate::ge::limits::Limits;

const MAGIC: [u8; 4] = *b"\0PTF";
/// Where the section table starts.
const SECTIONS: u64 = 0x100;
/// How many entries this table has at most.
const SECTIONS_MAX: u64 = 8;
/// Bytes in the header of a section or entry.
const HEADER: u64 = 0x20;
/// Section names, by number.
const NAMES: [&str; 5] = ["preview", "wallpaper", "category", "icon", "subicon"];
/// Entry names in the first section, by number.
const PREVIEWS: [&str; 3] = ["icon", "picture", "color"];
/// Category names, by number from 1 on.
const CATEGORIES: [&str; 8] = ["settings", "photo", "music", "video", "tv", "game", "network", "extras"];
/// Names for first-level items, by half their number, from 1 on.
const ITEMS: [&str; 32] = [
    "memory-stick",
    "umd",
    "camera",
    "game-sharing",
    "saved-data-utility",
    "umd-update",
    "network-update",
    "usb-connection",
    "video-settings",
    "photo-settings",
    "system-settings",
    "theme-settings",
    "date-time-settings",
    "power-save-settings",
    "external-display-settings",
    "sound-settings",
    "security-settings",
    "rss-channel-settings",
    "network-settings",
    "online-manuals",
    "remote-play",
    "internet-radio",
    "rss-channel",
    "internet-browser",
    "internet-search",
    "account-management",
    "default",
    "bluetooth-settings",
    "sensme-channels",
    "system-storage",
    "saved-data-utility-system-storage",
    "resume-game",
];

/// Describes PTF themes, to recognise and open them.
pub static FORMAT: Descriptor = Descriptor {
    title: "PSP theme",
    about: "A theme of the PSP with its icons and wallpaper, opened as the first picture in it.",
    sniff: |bytes| bytes.starts_with(&MAGIC),
    magic: &MAGIC,
    members: Members::Parts { list: |file, limits| resources::list(file, limits, read) },
    member_help: "Members of a PTF theme are named after what they show: `preview:picture`, `wallpaper:0`, \
                  `category:music`, `icon:umd`, `icon:umd-focus` while it is selected, `subicon:0`. Those without a known \
                  name have the number that the theme gives.",
    packing: Some(Packing {
        unpack: |file, wanted| resources::unpack_parts(file, wanted, read),
        replace: resources::replace_parts,
    }),
    open: |context| resources::open(context, &FORMAT, read),
    refusals: ResourceProblem::REFUSALS,
    ..Descriptor::new("ptf")
};

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Section {
    number: U16,
    count: U16,
    size: U32,
    /// Where the first entry starts in the file.
    start: U32,
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Entry {
    number: U16,
    _reserved: U16,
    format: U16,
    compression: U16,
    size: U32,
    unpacked: U32,
}

/// Reads a theme's tables.
fn read<'a>(file: View<'a>, _: &Limits) -> Result<Resources<'a>, FormatError> {
    if !file.bytes().starts_with(&MAGIC) {
        return Err(file.error(0, ResourceProblem::Magic));
    }
    let mut theme = Resources::new(file);
    let mut sections = 0_u64;
    let pointers: &[U32] = file.array_prefix(SECTIONS, SECTIONS_MAX);
    for pointer in pointers.iter().map(|pointer| u64::from(pointer.get())).take_while(|at| *at != 0) {
        sections = sections.saturating_add(1);
        match file.read::<Section>(pointer) {
            Ok(section) => read_section(&mut theme, section),
            Err(error) => theme.warnings.push(error),
        }
    }
    theme.counts.push(("sections".to_owned(), sections));
    theme.counts.push(("members".to_owned(), theme.members.len() as u64));
    theme.name_members();
    Ok(theme)
}

/// Reads a section's entries. Each is a header with its data, and the next entry follows.
fn read_section(theme: &mut Resources<'_>, section: Section) {
    let number = section.number.get();
    let table = NAMES.get(usize::from(number)).copied().unwrap_or("section");
    let mut at = u64::from(section.start.get());
    let stated = section.count.get();
    for actual in 0..usize::from(stated) {
        let Ok(entry) = theme.file.read::<Entry>(at) else {
            let problem = ResourceProblem::Entries { table, stated: stated.into(), actual };
            theme.warnings.push(theme.file.error(at, problem));
            return;
        };
        let data = at.saturating_add(HEADER);
        let name = format!("{table}:{}", entry_name(number, entry.number.get()));
        let length = u64::from(entry.size.get());
        let stored = theme.stored(&name, data, length);
        let format = entry.format.get();
        let format = match IMAGES.get(usize::from(format)) {
            // So few bytes are a number, as in the first section's third entry, whatever format the entry states.
            _ if length <= 4 => "number".to_owned(),
            Some(format) => (*format).to_owned(),
            None => format!("format {format}"),
        };
        theme.members.push(Resource {
            name,
            kind: format!("{table}, {format}"),
            compression: compression(entry.compression.get(), stored.map_or(&[], View::bytes), length),
            stored,
            offset: theme.file.file_offset(data),
            length,
            unpacked: Some(entry.unpacked.get().into()),
        });
        at = data.saturating_add(length);
    }
}

/// Names an entry by its number in a section. Icons come in pairs, and the second shines while the item is selected.
fn entry_name(section: u16, number: u16) -> String {
    let named = |names: &[&str], at: u16| names.get(usize::from(at)).map(|name| (*name).to_owned());
    let (even, is_focus) = (number & !1, number & 1 == 1);
    let name = match section {
        0 => named(&PREVIEWS, number),
        2 => number.checked_sub(1).and_then(|at| named(&CATEGORIES, at)),
        3 => (even / 2).checked_sub(1).and_then(|at| named(&ITEMS, at)),
        4 => Some(even.to_string()),
        _ => None,
    };
    match name {
        Some(name) if is_focus && section > 2 => format!("{name}-focus"),
        Some(name) => name,
        None => number.to_string(),
    }
}

/// Returns how an entry is compressed. Tools use the numbers differently, so the first bytes decide.
fn compression(number: u16, bytes: &[u8], length: u64) -> Compression {
    match bytes {
        _ if number == 0 || length <= 4 => Compression::None,
        // A zlib stream starts with method 8 (deflate), and its first 2 bytes are a multiple of 31 as a check.
        [first, second, ..]
            if first & 15 == 8 && u16::from_be_bytes([*first, *second]).is_multiple_of(31) =>
        {
            Compression::Zlib
        }
        // An RLZ stream begins with its mode, which is small.
        [0..0x20, ..] => Compression::Rlz,
        _ => Compression::Unknown(number),
    }
}
