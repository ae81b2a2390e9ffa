//! Colours that state no alpha where Spine 4 expects it.

use super::Subject;
use crate::diagnostics::Diagnostics;
use crate::formats::spine::build::at;
use crate::formats::spine::build::keys::for_each_timeline;
use crate::formats::spine::schema::{Color, Encoding, Keys};

/// Checks the colours of slots and attachments, and reports the first occurrence in each timeline.
pub fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    // Up to 3.8, all of Spine's players take them for opaque.
    if !subject.root.version.is_four() {
        return;
    }
    let mut report = |place: String, color: Option<&Color<'_>>| {
        if let Some(color @ Color::Rgb(_)) = color {
            let message = format!(
                "`{}` has no alpha: opaque here, but Spine's players in C and C++ misread it; write `{}`",
                color.digits(true),
                color.digits(false)
            );
            diagnostics.warn("short-color", at(place), message);
        }
    };
    for (index, slot) in subject.root.slots.iter().enumerate() {
        report(format!("/slots/{index}/color"), slot.color.as_ref());
    }
    for item in subject.items() {
        report(format!("{}/color", item.pointer), item.json.color.as_ref());
    }
    for (name, animation) in &subject.root.animations.0 {
        for_each_timeline(animation, |way, _, keys| {
            if let Some((index, field, color)) = keys.and_then(first) {
                report(format!("{}/{index}/{field}", way.at(name.as_str())), Some(&color));
            }
        });
    }
}

/// The first key of a timeline whose colour lacks its alpha, and the field of the colour.
fn first<'a>(keys: &Keys<'a>) -> Option<(usize, &'static str, Color<'a>)> {
    let row = keys.row();
    let channel = row.channels.iter().find(|channel| channel.encoding == Encoding::Rgba)?;
    (0..keys.len()).find_map(|index| {
        let color = keys.color(index, channel.field).filter(|color| matches!(color, Color::Rgb(_)))?;
        Some((index, row.form.fields[channel.field].name, color))
    })
}
