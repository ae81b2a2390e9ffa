//! The text of a sheet in any form, written from the texts of its frames.

use std::collections::HashSet;
use std::io::{self, Write};

use serde_json::value::RawValue;

use super::{Form, Leaf, NAME, NAME_BYTES, OF_PAGE, OWN, Rewrite};
use crate::error::{Place, Result};
use crate::formats::free_names::FreeNames;
use crate::formats::image::png_size;
use crate::formats::sheet::entries::parse;
use crate::formats::sheet::schema::Pairs;
use crate::formats::sheet::write::quoted;
use crate::limits::Budget;

impl Rewrite {
    /// Returns the number of frames that are renamed in an object, where names must be unique.
    pub fn renamed(&self) -> usize {
        let mut first = 0;
        let of_page = |leaf: &Leaf| {
            let mut names = Names::new(first, true);
            first += leaf.frames.len();
            let is_renamed = |(given, _): &&(Option<String>, Box<RawValue>)| {
                let name = names.next(given.as_deref());
                given.as_ref().is_some_and(|given| *given != name)
            };
            leaf.frames.iter().filter(is_renamed).count()
        };
        self.pages.iter().map(of_page).sum()
    }

    /// Charges what writing the sheet in `form` allocates.
    pub(crate) fn charge_writing(&self, form: Form, budget: &mut Budget<'_>) -> Result<()> {
        let names =
            |leaf: &Leaf| leaf.frames.iter().map(|(name, _)| name.as_ref().map_or(0, String::len)).sum::<usize>();
        let (count, longest) = self
            .pages
            .iter()
            .fold((0, 0_usize), |(count, longest), leaf| (leaf.frames.len().max(count), names(leaf).max(longest)));
        let place = || Place::inside("/frames");
        match form {
            // Names are made unique, page by page.
            Form::Hash => {
                budget.charge_memory(count as u64, NAME_BYTES, place)?;
                budget.charge_memory(longest as u64, 3, place)
            }
            Form::List | Form::Multiatlas => Ok(()),
        }
    }

    /// Writes the text of a page. `images` and `files` are the names of the images and texts of all pages. A
    /// multi-atlas has a single text, which belongs to its first page.
    pub(crate) fn write_text(
        &self,
        out: &mut dyn Write,
        page: usize,
        form: Form,
        images: &[String],
        files: &[String],
    ) -> io::Result<()> {
        let first = self.pages.iter().take(page).map(|leaf| leaf.frames.len()).sum();
        let leaf = match (form, self.pages.get(page)) {
            (_, None) => return Ok(()),
            (Form::Multiatlas, Some(_)) => return self.write_multiatlas(out, images),
            (Form::List | Form::Hash, Some(leaf)) => leaf,
        };
        out.write_all(b"{\"frames\": ")?;
        write_frames(out, leaf, first, form == Form::Hash)?;
        out.write_all(b",\n\"meta\": {")?;
        let image = quoted(images.get(page).map_or("", String::as_str));
        let others = files.iter().enumerate().filter(|(other, _)| *other != page);
        let others: Vec<String> = others.map(|(_, name)| quoted(name)).collect();
        let related = (files.len() > 1).then(|| format!("[{}]", others.join(", ")));
        let kept = leaf.meta.iter().filter(|(key, _)| !OWN.contains(&key.as_str())).map(borrowed);
        let related = related.as_deref().map(|related| ("related_multi_packs", related));
        write_fields(out, [("image", image.as_str())].into_iter().chain(kept).chain(related))?;
        out.write_all(b"}")?;
        for (key, value) in &leaf.others {
            write!(out, ",\n{}: {}", quoted(key), value.get())?;
        }
        out.write_all(b"}\n")
    }

    fn write_multiatlas(&self, out: &mut dyn Write, images: &[String]) -> io::Result<()> {
        out.write_all(b"{\"textures\": [")?;
        let mut first = 0;
        for (index, leaf) in self.pages.iter().enumerate() {
            write!(out, "{}\n{{", if index == 0 { "" } else { "," })?;
            let (width, height) = png_size(&leaf.picture).unwrap_or_default();
            let size = format!("{{\"w\": {width}, \"h\": {height}}}");
            let image = quoted(images.get(index).map_or("", String::as_str));
            let kept = leaf.meta.iter().filter(|(key, _)| OF_PAGE.contains(&key.as_str()) && key != "size");
            write_fields(out, [("image", image.as_str()), ("size", &size)].into_iter().chain(kept.map(borrowed)))?;
            out.write_all(b", \"frames\": ")?;
            write_frames(out, leaf, first, false)?;
            out.write_all(b"}")?;
            first += leaf.frames.len();
        }
        out.write_all(b"\n],\n\"meta\": {")?;
        let is_of_page = |key: &str| OWN.contains(&key) || OF_PAGE.contains(&key);
        let meta = self.pages.first().into_iter().flat_map(|leaf| &leaf.meta);
        write_fields(out, meta.filter(|(key, _)| !is_of_page(key)).map(borrowed))?;
        out.write_all(b"}")?;
        let mut known = HashSet::new();
        for (key, value) in self.pages.iter().flat_map(|leaf| &leaf.others) {
            if key != "animations" && known.insert(key) {
                write!(out, ",\n{}: {}", quoted(key), value.get())?;
            }
        }
        let animations = self.animations();
        if !animations.is_empty() {
            out.write_all(b",\n\"animations\": {")?;
            write_fields(out, animations.iter().map(|(key, value)| (key.as_str(), value.get())))?;
            out.write_all(b"}")?;
        }
        out.write_all(b"}\n")
    }

    /// Returns the Pixi animations of all pages without duplicates: each file of a sheet may list all of them.
    pub(super) fn animations(&self) -> Vec<(String, &RawValue)> {
        let mut known = HashSet::new();
        let mut all = Vec::new();
        let named = self.pages.iter().flat_map(|leaf| &leaf.others).filter(|(key, _)| key == "animations");
        for (_, value) in named {
            // Values that are not objects are ignored when reading, too.
            let Ok(Pairs(animations)) = parse::<Pairs<&RawValue>>(value.get(), "/animations") else {
                continue;
            };
            all.extend(animations.into_iter().filter(|(name, _)| known.insert(name.clone())));
        }
        all
    }
}

fn borrowed((key, value): &(String, Box<RawValue>)) -> (&str, &str) {
    (key, value.get())
}

/// The names of a page's frames. Frames without a name are named by their number.
struct Names {
    /// Number of the next frame.
    next: usize,
    /// Names in use, if names are made unique.
    free: Option<FreeNames>,
}

impl Names {
    fn new(first: usize, is_unique: bool) -> Self {
        Self { next: first, free: is_unique.then(FreeNames::default) }
    }

    /// Returns the name of the next frame.
    fn next(&mut self, given: Option<&str>) -> String {
        let name = given.map_or_else(|| self.next.to_string(), str::to_owned);
        self.next += 1;
        self.free.as_mut().map(|names| names.unique(&name)).unwrap_or(name)
    }
}

fn write_frames(out: &mut dyn Write, leaf: &Leaf, first: usize, is_hash: bool) -> io::Result<()> {
    let mut names = Names::new(first, is_hash);
    out.write_all(if is_hash { b"{" } else { b"[" })?;
    for (index, (name, frame)) in leaf.frames.iter().enumerate() {
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        let name = quoted(&names.next(name.as_deref()));
        let own = if is_hash { None } else { Some((NAME, name.as_str())) };
        if is_hash {
            write!(out, "{name}: ")?;
        }
        out.write_all(b"{")?;
        // They were read before.
        let fields = match frame.get().trim_start().starts_with('{') {
            true => serde_json::from_str::<Pairs<&RawValue>>(frame.get())?.0,
            false => Vec::new(),
        };
        let fields = fields.iter().filter(|(key, _)| key != NAME);
        write_fields(out, own.into_iter().chain(fields.map(|(key, value)| (key.as_str(), value.get()))))?;
        out.write_all(b"}")?;
    }
    out.write_all(if is_hash { b"\n}" } else { b"\n]" })
}

fn write_fields<'a>(out: &mut dyn Write, fields: impl Iterator<Item = (&'a str, &'a str)>) -> io::Result<()> {
    for (index, (key, value)) in fields.enumerate() {
        write!(out, "{}{}: {value}", if index == 0 { "" } else { ", " }, quoted(key))?;
    }
    Ok(())
}
