//! Godot's `SpriteFrames` as a text resource of Godot 4. The image is expected beside it, in the root of the project.

use std::io::{self, Write};

use super::Listing;
use crate::formats::sheet::schema::Rect;

/// Writes the text. Only the first page is written.
pub fn write(listing: &Listing<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut is_used = vec![false; listing.frames.len()];
    listing.animations.iter().flat_map(|(_, frames, _)| frames).for_each(|&index| is_used[index] = true);
    let steps = is_used.iter().filter(|is_used| **is_used).count() + 2;
    let image = listing.pages.first().map_or("", |(image, _)| image);
    write!(
        out,
        "[gd_resource type=\"SpriteFrames\" load_steps={steps} format=3]\n\n[ext_resource type=\"Texture2D\" \
         path={} id=\"1\"]\n",
        quoted(&format!("res://{image}"))
    )?;
    for (index, shown) in listing.frames.iter().enumerate().filter(|(index, _)| is_used[*index]) {
        let (Rect { x, y, w, h }, (inner, canvas)) = (shown.frame.frame, shown.placed());
        write!(
            out,
            "\n[sub_resource type=\"AtlasTexture\" id=\"{index}\"]\natlas = ExtResource(\"1\")\n\
             region = Rect2({}, {}, {}, {})\n",
            x.0, y.0, w.0, h.0
        )?;
        let margin = [inner.x.0, inner.y.0, canvas[0] - w.0, canvas[1] - h.0];
        if margin != [0.0; 4] {
            let [left, top, wider, higher] = margin;
            writeln!(out, "margin = Rect2({left}, {top}, {wider}, {higher})")?;
        }
    }
    out.write_all(b"\n[resource]\nanimations = [")?;
    for (number, (name, frames, is_loop)) in listing.animations.iter().enumerate() {
        // Durations are relative to the speed.
        let first = frames.first().map_or(100.0, |&index| listing.frames[index].ms);
        write!(out, "{}{{\n\"frames\": [", if number == 0 { "" } else { ", " })?;
        for (place, &index) in frames.iter().enumerate() {
            let separator = if place == 0 { "" } else { ", " };
            let duration = listing.frames[index].ms / first;
            write!(out, "{separator}{{\n\"duration\": {duration:?},\n\"texture\": SubResource(\"{index}\")\n}}")?;
        }
        let speed = 1000.0 / first;
        write!(out, "],\n\"loop\": {is_loop},\n\"name\": &{},\n\"speed\": {speed:?}\n}}", quoted(name))?;
    }
    out.write_all(b"]\n")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
