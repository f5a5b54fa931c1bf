//! Assembles `.texture`: converts a picture in place and defines constants to describe it.

use std::collections::hash_map::Entry;
use std::rc::Rc;

use crate::ge::address::Address;
use crate::ge::registers::field::{Field, FieldKind};
use crate::ge::registers::texture::PixelFormat;
use crate::pipeline::texture::MAX_LEVEL;

use super::error::error_kind::AssemblyErrorKind;
use super::error::fault::Fault;
use super::include::file_directive::path;
use super::lexer::{Span, TokenKind};
use super::output::PROGRAM_BYTES_MAX;
use super::pass::{Label, Pass};
use super::texture::{EncodedTexture, PaletteChoice, TextureError, TextureOptions, encode};

/// The alignment for textures and palettes, in bytes, because the address registers ignore the lowest four bits.
const ALIGNMENT: u32 = 16;

/// The options after the format, for messages.
const OPTIONS: &str = "swizzled, mipmaps=N, palette=FORMAT or palette=LABEL, quantize, pad";

/// Assembles the directive, whose name is at `start`.
pub(super) fn texture(pass: &mut Pass<'_>, start: Span) -> Result<(), Fault> {
    let label = pass.label;
    let result = labelled(pass, start, label);
    if let (Err(_), Some(label)) = (&result, label) {
        pass.scope.lost.add(label.name);
    }
    result
}

fn labelled(pass: &mut Pass<'_>, start: Span, label: Option<Label<'_>>) -> Result<(), Fault> {
    let file = path(pass)?;
    let format = code(pass, "a texel format such as CLUT8")?;
    let mut options = TextureOptions {
        format,
        swizzled: false,
        mipmaps: 0,
        pad: false,
        quantize: false,
        palette: PaletteChoice::New(PixelFormat::ABGR8888),
    };
    let shared = options_of(pass, &mut options)?;
    let span = pass.parser.since(start);
    let Some(label) = label else { return Err(Fault::new(span, AssemblyErrorKind::UnnamedTexture)) };
    if !label.is_new {
        return Err(Fault::Consequence);
    }
    let label = label.name;
    let here = pass.output.here();
    if pass.scope.here_known && !here.is_multiple_of(ALIGNMENT) {
        return Err(Fault::new(span, AssemblyErrorKind::UnalignedTexture(Address::new(here))));
    }
    if let Some((label, lender)) = &shared
        && let Some(palette) = &lender.palette
    {
        options.palette = PaletteChoice::Shared(label, palette);
    }
    let encoded = convert(pass, file, &options)?;
    pass.textures.by_label.insert(label.to_owned(), Rc::clone(&encoded));
    let shared = shared.as_ref().map(|(label, _)| label.as_str());
    Writer { pass, label, span }.write(&encoded, &options, shared)
}

/// Converts the picture from the path at `file`, or returns the result from an earlier equal statement.
fn convert(
    pass: &mut Pass<'_>,
    file: Span,
    options: &TextureOptions<'_>,
) -> Result<Rc<EncodedTexture>, Fault> {
    let (number, png) = pass.loaded.included_bytes(file).map_err(|kind| Fault::new(file, kind))?;
    let converted = &mut pass.textures.converted;
    let result = match converted.entry((number, options.key())) {
        Entry::Occupied(known) => known.get().clone(),
        Entry::Vacant(entry) => {
            // Some textures never become part of the program, so this bounds the work and the memory for them.
            let limit = PROGRAM_BYTES_MAX;
            if pass.textures.bytes > limit {
                return Err(Fault::new(file, AssemblyErrorKind::TooLarge { limit }));
            }
            entry.insert(encode(png, options).map(Rc::new)).clone()
        }
    };
    let encoded = result.map_err(|error| Fault::new(file, AssemblyErrorKind::Texture(error)))?;
    let bytes: usize = encoded.levels.iter().map(|level| level.bytes.len()).sum();
    pass.textures.bytes = pass.textures.bytes.saturating_add(bytes as u64);
    Ok(encoded)
}

/// A texture that lends its palette to another, with its label.
type Shared = Option<(String, Rc<EncodedTexture>)>;

/// Reads the options up to the statement's end. Returns the texture that lends its palette, if any.
fn options_of(pass: &mut Pass<'_>, options: &mut TextureOptions<'_>) -> Result<Shared, Fault> {
    let mut shared = None;
    let mut seen: Vec<&'static str> = Vec::new();
    while !pass.parser.at_statement_end() {
        let span = pass.parser.span();
        let TokenKind::Name(name) = pass.parser.kind() else {
            return Err(pass.parser.expected("a texture option"));
        };
        let known = ["swizzled", "mipmaps", "palette", "quantize", "pad"];
        let Some(option) = known.into_iter().find(|option| *option == name) else {
            let kind = AssemblyErrorKind::UnknownTextureOption { name: name.to_owned(), known: OPTIONS };
            return Err(pass.parser.error(kind));
        };
        if seen.contains(&option) {
            return Err(pass.parser.error(AssemblyErrorKind::DuplicateTextureOption(option)));
        }
        seen.push(option);
        pass.parser.advance();
        match option {
            "swizzled" => options.swizzled = true,
            "quantize" => options.quantize = true,
            "pad" => options.pad = true,
            "mipmaps" => {
                pass.parser.expect('=', "'='")?;
                let most = i64::from(MAX_LEVEL);
                let count = pass.parser.known_integer_in(&pass.scope, 0..=most, "the number of mipmaps")?;
                [options.mipmaps, ..] = count.to_le_bytes();
            }
            _ => {
                pass.parser.expect('=', "'='")?;
                if !options.format.is_indexed() {
                    let error = TextureError::NoPalette(options.format);
                    return Err(Fault::new(span, AssemblyErrorKind::Texture(error)));
                }
                shared = palette(pass, options)?;
            }
        }
    }
    Ok(shared)
}

/// Reads the palette's format, or the label of a texture that lends its palette.
fn palette(pass: &mut Pass<'_>, options: &mut TextureOptions<'_>) -> Result<Shared, Fault> {
    let wanted = "a palette format (BGR5650, ABGR5551, ABGR4444, ABGR8888) or the label of a texture above";
    let TokenKind::Name(name) = pass.parser.kind() else { return Err(pass.parser.expected(wanted)) };
    if let Some(format) = named(name) {
        pass.parser.advance();
        options.palette = PaletteChoice::New(format);
        return Ok(None);
    }
    let lender = pass.textures.by_label.get(name);
    let Some(lender) = lender.filter(|texture| texture.palette.is_some()) else {
        if pass.scope.lost.contains(name) {
            return Err(Fault::Consequence);
        }
        return Err(pass.parser.expected(wanted));
    };
    let shared = Some((name.to_owned(), Rc::clone(lender)));
    pass.parser.advance();
    Ok(shared)
}

/// Reads a code's name; `wanted` describes it for messages.
fn code<C: Field>(pass: &mut Pass<'_>, wanted: &'static str) -> Result<C, Fault> {
    let TokenKind::Name(name) = pass.parser.kind() else { return Err(pass.parser.expected(wanted)) };
    let Some(code) = named(name) else {
        let codes = names::<C>().iter().flatten().copied().collect::<Vec<_>>().join(", ");
        let kind = AssemblyErrorKind::UnknownCode { field: "the format", name: name.to_owned(), codes };
        return Err(pass.parser.error(kind));
    };
    pass.parser.advance();
    Ok(code)
}

fn names<C: Field>() -> &'static [Option<&'static str>] {
    match C::KIND {
        FieldKind::Named(names) => names,
        _ => &[],
    }
}

/// Finds a code by its name.
fn named<C: Field>(name: &str) -> Option<C> {
    (0_u32..).zip(names::<C>()).find_map(|(bits, code)| (*code == Some(name)).then(|| C::from_bits(bits)))
}

/// Writes a texture and defines its names.
struct Writer<'p, 'a, 'l> {
    pass: &'p mut Pass<'a>,
    /// The label before the directive.
    label: &'l str,
    span: Span,
}

impl Writer<'_, '_, '_> {
    fn write(
        &mut self,
        texture: &EncodedTexture,
        options: &TextureOptions<'_>,
        shared: Option<&str>,
    ) -> Result<(), Fault> {
        let [picture_width, picture_height] = texture.picture_size;
        let levels = i64::try_from(texture.levels.len()).unwrap_or(i64::MAX);
        self.constant("picture_width", picture_width)?;
        self.constant("picture_height", picture_height)?;
        self.constant("format", options.format.number())?;
        self.constant("swizzled", options.swizzled)?;
        self.constant("levels", levels)?;
        self.constant("max_level", levels.saturating_sub(1))?;
        for (number, level) in texture.levels.iter().enumerate() {
            let prefixes = [format!("level{number}."), String::new()];
            for prefix in prefixes.iter().take(if number == 0 { 2 } else { 1 }) {
                self.constant(&format!("{prefix}width"), level.width)?;
                self.constant(&format!("{prefix}height"), level.height)?;
                self.constant(&format!("{prefix}width_log2"), level.width.ilog2())?;
                self.constant(&format!("{prefix}height_log2"), level.height.ilog2())?;
                self.constant(&format!("{prefix}bufwidth"), level.buffer_width)?;
            }
            self.label(&format!("level{number}"))?;
            self.pass.output.bytes(&level.bytes, self.span)?;
        }
        let Some(palette) = &texture.palette else { return Ok(()) };
        self.constant("palette_format", palette.format.number())?;
        self.constant("palette_colors", i64::try_from(palette.colors.len()).unwrap_or(i64::MAX))?;
        self.constant("palette_blocks", i64::try_from(palette.blocks()).unwrap_or(i64::MAX))?;
        let Some(lender) = shared else {
            // This is aligned already, because texels take a multiple of 16 bytes.
            self.label("palette")?;
            return self.pass.output.bytes(&palette.bytes(), self.span);
        };
        let symbol = self.pass.scope.symbols.get(&format!("{lender}.palette")).copied();
        let Some(symbol) = symbol else { return Err(Fault::Consequence) };
        self.pass.define(&format!("{}.palette", self.label), symbol.value, true, self.span)
    }

    /// Defines the constant `LABEL.name`.
    fn constant(&mut self, name: &str, value: impl Into<i64>) -> Result<(), Fault> {
        let name = format!("{}.{name}", self.label);
        self.pass.define(&name, value.into(), false, self.span)
    }

    /// Defines the label `LABEL.name` at the current address.
    fn label(&mut self, name: &str) -> Result<(), Fault> {
        let name = format!("{}.{name}", self.label);
        let here = i64::from(self.pass.output.here());
        self.pass.define(&name, here, true, self.span)
    }
}
