//! The frames of a sheet to be converted, and their replacement by frames that were packed again.

use std::fmt::Write as _;

use serde_json::value::RawValue;

use super::{Leaf, OF_PAGE, Rewrite, fields_of};
use crate::bytes::Block;
use crate::error::{Place, Result};
use crate::formats::image::png_size;
use crate::formats::sheet::entries::parse;
use crate::formats::sheet::parts::{Gathered, Part, Picture};
use crate::formats::sheet::restate::write_placement;
use crate::formats::sheet::schema::{Frame, Meta, Name, Number, Size};
use crate::formats::sheet::write::{TEXT_BYTES, quoted};
use crate::limits::Budget;

/// Keys of a frame that depend on its place on the page.
const PLACED: [&str; 8] =
    ["frame", "rotated", "trimmed", "spriteSourceSize", "sourceSize", "vertices", "verticesUV", "triangles"];

impl Rewrite {
    /// Reads the frames and animations of all pages.
    pub(crate) fn gathered(&self, budget: &mut Budget<'_>) -> Result<Gathered> {
        let metas = self.pages.iter().map(Leaf::read_meta).collect::<Result<Vec<_>>>()?;
        let app = metas.first().and_then(|meta| meta.app.as_ref());
        let mut parts = Vec::with_capacity(self.pages.len());
        for (leaf, meta) in self.pages.iter().zip(&metas) {
            let place = || Place::inside("/frames");
            budget.charge_memory(leaf.frames.len() as u64, size_of::<Frame>(), place)?;
            let mut frames = Vec::with_capacity(leaf.frames.len());
            for (name, text) in &leaf.frames {
                budget.charge_memory(name.as_ref().map_or(0, String::len) as u64, 1, place)?;
                let mut frame: Frame = parse(text.get(), "/frames")?;
                frame.filename = name.clone().map(Name);
                if Meta::may_be_of_aseprite(meta.app.as_ref().or(app)) {
                    frame.include_padding();
                }
                frames.push(frame);
            }
            let size = png_size(&leaf.picture).map(|(w, h)| [w, h].map(|side| Number(side as f32)).into());
            let picture = Picture::Inside(Block::new(leaf.picture.clone(), 0));
            parts.push(Part { picture, size, frames, ..Part::default() });
        }
        let animations = self.animations().into_iter();
        let animations = animations.map(|(name, list)| Ok((name, parse(list.get(), "/animations")?)));
        let animations = animations.collect::<Result<_>>()?;
        let meta = metas.into_iter().next().unwrap_or_default();
        let is_of_animate = meta.is_of_animate();
        Ok(Gathered { parts, meta, animations, is_of_animate, ..Gathered::default() })
    }

    /// Replaces the pages with those of `parts`, which contain the frames of the sheet in the order `order`. Everything
    /// that does not depend on the position of a frame is kept.
    pub(crate) fn replace(&mut self, parts: &[Part], order: &[u32], budget: &mut Budget<'_>) -> Result<()> {
        let place = || Place::inside("/frames");
        let animations = self.animations().into_iter();
        let animations: Vec<String> =
            animations.map(|(name, list)| format!("{}: {}", quoted(&name), list.get())).collect();
        let animations = format!("{{{}}}", animations.join(",\n"));
        let has_animations = animations.len() > 2;
        let before = std::mem::take(&mut self.pages);
        let frames: Vec<&(Option<String>, Box<RawValue>)> = before.iter().flat_map(|leaf| &leaf.frames).collect();
        let mut order = order.iter().filter_map(|&index| frames.get(index as usize));
        self.turned = 0;
        for part in parts {
            let Picture::Inside(Block { bytes: picture, .. }) = &part.picture else { continue };
            let mut list = Vec::with_capacity(part.frames.len());
            for (frame, (name, text)) in part.frames.iter().zip(&mut order) {
                budget.charge_memory(1, TEXT_BYTES + 2 * text.get().len(), place)?;
                list.push((name.clone(), placed(frame, text, budget)?));
                self.turned += usize::from(frame.turn != Default::default());
            }
            let first = before.first().filter(|_| self.pages.is_empty());
            let Size { w, h } = part.size.unwrap_or_default();
            let size = raw(format!("{{\"w\": {}, \"h\": {}}}", w.0, h.0))?;
            let mut meta: Vec<(String, Box<RawValue>)> = Vec::new();
            for (key, value) in before.iter().take(1).flat_map(|leaf| &leaf.meta) {
                let value = match key.as_str() {
                    "size" => continue,
                    "format" => raw("\"RGBA8888\"".to_owned())?,
                    key if first.is_none() && !OF_PAGE.contains(&key) => continue,
                    _ => value.clone(),
                };
                meta.push((key.clone(), value));
            }
            meta.push(("size".to_owned(), size));
            let mut others = first.map(|leaf| leaf.others.clone()).unwrap_or_default();
            others.retain(|(key, _)| key != "animations");
            if first.is_some() && has_animations {
                others.push(("animations".to_owned(), raw(animations.clone())?));
            }
            // Only one image can keep its name.
            let image = first.and_then(|leaf| leaf.image.clone()).filter(|_| parts.len() == 1);
            self.pages.push(Leaf { image, picture: picture.clone(), frames: list, meta, others });
        }
        Ok(())
    }
}

impl Leaf {
    fn read_meta(&self) -> Result<Meta> {
        let fields = self.meta.iter().map(|(key, value)| format!("{}: {}", quoted(key), value.get()));
        parse(&format!("{{{}}}", fields.collect::<Vec<_>>().join(",")), "/meta")
    }
}

/// Returns the text of a frame at another place.
fn placed(frame: &Frame, text: &RawValue, budget: &mut Budget<'_>) -> Result<Box<RawValue>> {
    let mut out = String::from("{");
    write_placement(&mut out, frame);
    for (key, value) in fields_of(text, "/frames", budget)? {
        if !PLACED.contains(&key.as_str()) {
            // Writing to a string cannot fail.
            let _ = write!(out, ", {}: {}", quoted(&key), value.get());
        }
    }
    out.push('}');
    raw(out)
}

fn raw(text: String) -> Result<Box<RawValue>> {
    RawValue::from_string(text)
        .map_err(|error| crate::error::Error::malformed("bad-json", Place::inside("/frames"), error.to_string()))
}
