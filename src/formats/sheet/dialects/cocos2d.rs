//! Property lists of cocos2d, in format 3, the first with anchors.

use std::io::{self, Write};

use super::{Listing, Turn};
use crate::formats::sheet::schema::Rect;
use quick_xml::escape::escape;

/// Writes the text. Only the first page is written.
pub fn write(listing: &Listing<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(
        b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
         \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n<dict>\n<key>frames</key>\n<dict>\n",
    )?;
    for shown in &listing.frames {
        let (Rect { x, y, w, h }, (inner, [width, height])) = (shown.frame.frame, shown.placed());
        let [x, y, w, h] = [x.0, y.0, w.0, h.0];
        // From the centre of the canvas to the centre of the frame, y up.
        let [right, up] = [inner.x.0 + w / 2.0 - width / 2.0, height / 2.0 - inner.y.0 - h / 2.0];
        writeln!(out, "<key>{}</key>\n<dict>\n<key>aliases</key><array/>", escape(&shown.name))?;
        for (key, value) in [
            ("spriteOffset", format!("{{{right},{up}}}")),
            ("spriteSize", format!("{{{w},{h}}}")),
            ("spriteSourceSize", format!("{{{width},{height}}}")),
            ("textureRect", format!("{{{{{x},{y}}},{{{w},{h}}}}}")),
        ] {
            writeln!(out, "<key>{key}</key><string>{value}</string>")?;
        }
        writeln!(out, "<key>textureRotated</key><{}/>", shown.frame.turn != Turn::None)?;
        if let Some(origin) = shown.origin {
            let anchor = [origin.x / width, (height - origin.y) / height];
            writeln!(out, "<key>anchor</key><string>{{{},{}}}</string>", anchor[0], anchor[1])?;
        }
        out.write_all(b"</dict>\n")?;
    }
    let (image, [width, height]) = listing.pages.first().map_or(("", [0.0; 2]), |(image, size)| (image, *size));
    let image = escape(image);
    write!(
        out,
        "</dict>\n<key>metadata</key>\n<dict>\n<key>format</key><integer>3</integer>\n\
         <key>realTextureFileName</key><string>{image}</string>\n<key>size</key><string>{{{width},{height}}}</string>\n\
         <key>textureFileName</key><string>{image}</string>\n</dict>\n</dict>\n</plist>\n"
    )
}
