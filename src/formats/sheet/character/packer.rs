//! Packer sheets: a line `name = x y width height` for each frame.

use crate::error::{Error, Place, Result};
use crate::formats::sheet::schema::{Frame, Frames, Name, Number, Rect};
use crate::limits::Budget;

/// Reads a file.
pub fn read(bytes: &[u8], budget: &mut Budget<'_>) -> Result<Frames> {
    // Each invalid byte becomes three.
    let is_text = std::str::from_utf8(bytes).is_ok();
    budget.charge_memory(if is_text { 0 } else { bytes.len() as u64 }, 3, Place::default)?;
    let text = String::from_utf8_lossy(bytes);
    let mut frames = Frames::default();
    for (at, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let place = || Place::inside(format!("line {at}"));
        // With a finding.
        budget.charge_memory(1, size_of::<Frame>() + line.len() + 256, place)?;
        let (name, numbers) = line.rsplit_once('=').unwrap_or((line, ""));
        let frame = match rect(numbers) {
            Some(frame) => Frame { frame, ..Frame::default() },
            None => Frame::lost(
                "expected a name, `=`, and the numbers x, y, width and height with blanks between them",
            ),
        };
        let filename = Some(Name(name.trim().to_owned()));
        frames
            .push(Frame { filename, at, ..frame })
            .map_err(|message| Error::malformed("no-frames", place(), message))?;
    }
    Ok(frames)
}

fn rect(numbers: &str) -> Option<Rect> {
    // A fifth number makes it invalid.
    let numbers: Option<Vec<Number>> =
        numbers.split_whitespace().take(5).map(|number| Number::new(number.parse().ok()?)).collect();
    let rect: [Number; 4] = numbers?.try_into().ok()?;
    Some(Rect::from(rect))
}
