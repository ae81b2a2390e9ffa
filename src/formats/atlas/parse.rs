//! Lines of text → pages, regions and their properties.
//!
//! Both forms may be mixed. A property is `key: value`: indented with any key, or unindented with a known key or one
//! that follows known ones and has numbers as its value. Any other line is a name.

use super::{Atlas, Page, Region};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, escaped};
use crate::formats::detect::atlas::PAGE_KEYS;
use crate::formats::foreign::{LFS_REMEDY, conflict, is_lfs_pointer};

/// The properties of a region, except `size`.
const REGION_KEYS: [&str; 9] = ["rotate", "xy", "orig", "offset", "index", "split", "pad", "bounds", "offsets"];

impl Atlas {
    /// Parses the text of `file`. Unknown keys and rotations are reported as findings.
    #[cfg(feature = "spine")]
    pub fn parse(text: &str, file: &str, diagnostics: &mut Diagnostics) -> Result<Self> {
        Self::read(text, Some(file), diagnostics)
    }

    /// Parses a standalone atlas. Invalid values of a region are stored in [`Region::fault`] instead of failing.
    #[cfg(feature = "sheet")]
    pub fn parse_regions(text: &str, diagnostics: &mut Diagnostics) -> Result<Self> {
        Self::read(text, None, diagnostics)
    }

    /// `file` is the name of the atlas for errors; `None` for a standalone atlas.
    fn read(text: &str, file: Option<&str>, diagnostics: &mut Diagnostics) -> Result<Self> {
        if is_lfs_pointer(text.as_bytes()) {
            let message = format!("this is a Git LFS pointer, not an atlas: {LFS_REMEDY}");
            return Err(Error::unsupported(
                "git-lfs-pointer",
                file.map_or_else(Place::default, Place::file),
                message,
            ));
        }
        let mut parser = Parser {
            atlas: Self::default(),
            file,
            begins_page: true,
            in_region: false,
            set_keys: Vec::new(),
            diagnostics,
        };
        let mut lines = (1..).zip(text.trim_start_matches('\u{feff}').lines()).peekable();
        while let Some((number, line)) = lines.next() {
            parser.line(number, line, lines.peek().map_or("", |(_, next)| next))?;
        }
        Ok(parser.atlas)
    }
}

/// The state between two lines.
struct Parser<'a, 'd> {
    atlas: Atlas,
    file: Option<&'a str>,
    begins_page: bool,
    in_region: bool,
    /// The known keys that the current page or region has in unindented lines.
    set_keys: Vec<&'a str>,
    diagnostics: &'d mut Diagnostics,
}

impl<'a> Parser<'a, '_> {
    fn line(&mut self, number: u64, line: &'a str, next: &str) -> Result<()> {
        let place =
            || Place { path: format!("line {number}"), ..self.file.map_or_else(Place::default, Place::file) };
        if let Some(conflict) = conflict(line.as_bytes(), place()).filter(|_| line.starts_with('<')) {
            return Err(conflict);
        }
        let is_indented = line.starts_with([' ', '\t']);
        let (raw, line) = (line, line.trim());
        if line.is_empty() {
            self.begins_page = true;
            return Ok(());
        }
        let property = line.split_once(':').map(|(key, value)| (key.trim(), value.trim()));
        let property = property.filter(|(key, value)| {
            is_indented || is_key(key) || (is_custom(key, value) && !self.begins_item(next))
        });
        match property {
            Some((key, value)) if !self.begins_page => {
                if !is_indented && is_key(key) && !self.set_keys.contains(&key) {
                    self.set_keys.push(key);
                }
                return self.set(number, key, value);
            }
            _ if self.begins_page => {
                self.atlas.pages.push(Page { file: line.to_owned(), line: number, ..Page::default() });
                (self.begins_page, self.in_region) = (false, false);
            }
            _ => {
                let page = self.atlas.pages.len() - 1;
                let name = if self.file.is_some() { raw } else { line }.to_owned();
                self.atlas.regions.push(Region { name, page, line: number, ..Region::default() });
                self.in_region = true;
            }
        }
        self.set_keys.clear();
        Ok(())
    }

    /// Returns true if a line before `next` that may be a name or a property must be a name: nothing of the current
    /// item is set yet, or `next` sets a property again.
    fn begins_item(&self, next: &str) -> bool {
        let key = next.split_once(':').map(|(key, _)| key.trim());
        self.set_keys.is_empty() || key.is_some_and(|key| self.set_keys.contains(&key))
    }

    /// Sets a property of the current page or region.
    fn set(&mut self, number: u64, key: &str, value: &str) -> Result<()> {
        let mut region = if self.in_region { self.atlas.regions.last_mut() } else { None };
        let outcome = match (&mut region, self.atlas.pages.last_mut()) {
            (Some(region), _) => region.set(key, value),
            (None, Some(page)) => page.set(key, value),
            (None, None) => Some(Outcome::UnknownKey),
        };
        let place =
            || Place { file: self.file.map(str::to_owned), path: format!("line {number}"), ..Place::default() };
        let invalid = || format!("invalid value `{}` of `{}`", escaped(value), escaped(key));
        let fault = match outcome {
            Some(Outcome::Set) => return Ok(()),
            Some(Outcome::UnknownKey) => {
                let message = format!("unknown key `{}` is ignored", escaped(key));
                self.diagnostics.warn("unknown-key", place(), message);
                return Ok(());
            }
            Some(Outcome::OddRotation) if self.file.is_some() => {
                let message = format!(
                    "rotation by `{}` is not supported, only by multiples of 90 degrees; the region is drawn as it is stored",
                    escaped(value)
                );
                self.diagnostics.warn("atlas-rotation", place(), message);
                return Ok(());
            }
            Some(Outcome::OddRotation) | None => invalid(),
        };
        if let (None, Some(region)) = (self.file, region) {
            region.fault.get_or_insert(fault);
            return Ok(());
        }
        Err(Error::malformed("atlas-value", place(), fault))
    }
}

/// Returns true if an unindented line with this key is a property. Names may contain colons too.
fn is_key(key: &str) -> bool {
    PAGE_KEYS.contains(&key) || REGION_KEYS.contains(&key)
}

/// Returns true if an unindented line may be a property that a program has added: a word, and numbers or booleans.
fn is_custom(key: &str, value: &str) -> bool {
    let is_value = |part: &str| boolean(part).is_some() || part.parse::<f32>().is_ok();
    key.starts_with(|first: char| first.is_ascii_alphabetic())
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        && value.split(',').all(|part| is_value(part.trim()))
}

/// Parses numbers separated by commas.
fn numbers<const N: usize>(value: &str) -> Option<[f32; N]> {
    let mut parts = value.split(',').map(|part| part.trim().parse::<f32>().ok().filter(|part| part.is_finite()));
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        *number = parts.next()??;
    }
    parts.next().is_none().then_some(numbers)
}

/// Like [`numbers`], but rejects negative numbers.
fn sizes<const N: usize>(value: &str) -> Option<[f32; N]> {
    numbers(value).filter(|numbers: &[f32; N]| numbers.iter().all(|number| *number >= 0.0))
}

/// Parses a position and a size.
fn rectangle(value: &str) -> Option<([f32; 2], [f32; 2])> {
    let [x, y, width, height] = numbers(value)?;
    (width >= 0.0 && height >= 0.0).then_some(([x, y], [width, height]))
}

fn boolean(value: &str) -> Option<bool> {
    match value {
        _ if value.eq_ignore_ascii_case("true") => Some(true),
        _ if value.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// The result of setting a property to a valid value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Set,
    UnknownKey,
    /// The rotation is not a multiple of 90 degrees.
    OddRotation,
}

impl Page {
    /// Sets a property; `None` if the value is invalid.
    fn set(&mut self, key: &str, value: &str) -> Option<Outcome> {
        match key {
            "size" => self.size = Some(sizes(value)?),
            "pma" => self.is_premultiplied = Some(boolean(value)?),
            // The scale says how large the images were before packing. Attachments state their own size.
            "filter" => self.filter = Some(value.split(',').map(str::trim).collect::<Vec<_>>().join(",")),
            "repeat" => self.repeat = (value != "none").then(|| value.to_owned()),
            "format" | "scale" => {}
            _ => return Some(Outcome::UnknownKey),
        }
        Some(Outcome::Set)
    }
}

impl Region {
    /// Sets a property; `None` if the value is invalid.
    fn set(&mut self, key: &str, value: &str) -> Option<Outcome> {
        match key {
            "xy" => self.at = numbers(value)?,
            "size" => self.size = sizes(value)?,
            "orig" => self.original = sizes(value)?,
            "offset" => self.offset = numbers(value)?,
            "bounds" => (self.at, self.size) = rectangle(value)?,
            "offsets" => (self.offset, self.original) = rectangle(value)?,
            "rotate" => {
                let degrees = match boolean(value) {
                    Some(is_rotated) => f32::from(u8::from(is_rotated)) * 90.0,
                    None => numbers::<1>(value)?[0].rem_euclid(360.0),
                };
                let quarters = degrees / 90.0;
                if quarters.fract() != 0.0 {
                    self.degrees = 0;
                    return Some(Outcome::OddRotation);
                }
                self.degrees = quarters as u16 % 4 * 90;
            }
            // -1 means no index.
            "index" => self.index = value.parse().ok(),
            "split" | "pad" => {}
            _ => return Some(Outcome::UnknownKey),
        }
        Some(Outcome::Set)
    }
}
