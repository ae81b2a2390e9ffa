//! Starling XML, which Sparrow, Phaser and HaxeFlixel read as well.

use std::io::{self, Write};

use super::{Listing, Turn};
use crate::formats::sheet::schema::Rect;
use quick_xml::escape::escape;

/// Writes the text. Only the first page is written.
pub fn write(listing: &Listing<'_>, out: &mut dyn Write) -> io::Result<()> {
    let image = listing.pages.first().map_or("", |(image, _)| image);
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TextureAtlas imagePath=\"{}\">", escape(image))?;
    for shown in &listing.frames {
        let (Rect { x, y, w, h }, (inner, canvas)) = (shown.frame.frame, shown.placed());
        let is_turned = shown.frame.turn != Turn::None;
        let [width, height] = if is_turned { [h.0, w.0] } else { [w.0, h.0] };
        write!(
            out,
            "  <SubTexture name=\"{}\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\"",
            escape(&shown.name),
            x.0,
            y.0
        )?;
        if is_turned {
            out.write_all(b" rotated=\"true\"")?;
        }
        if [inner.x.0, inner.y.0, inner.w.0, inner.h.0] != [0.0, 0.0, canvas[0], canvas[1]] {
            // Subtracting from 0 gives 0 for 0, and not -0.
            let [left, top] = [0.0 - inner.x.0, 0.0 - inner.y.0];
            let [width, height] = canvas;
            write!(out, " frameX=\"{left}\" frameY=\"{top}\" frameWidth=\"{width}\" frameHeight=\"{height}\"")?;
        }
        if let Some(origin) = shown.origin {
            write!(out, " pivotX=\"{}\" pivotY=\"{}\"", origin.x, origin.y)?;
        }
        out.write_all(b"/>\n")?;
    }
    out.write_all(b"</TextureAtlas>\n")
}
