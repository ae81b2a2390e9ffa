//! A new picture and its reference → a verdict.

use super::record::{FrameRecord, Verdict};
use super::reference::Reference;
use pchr::draw::Picture;
use pchr::export::Alpha;
use pchr::golden::{Allowance, Difference, difference};

/// Frames may be shown this much longer or shorter: formats round durations.
const ALLOWED_MS: f64 = 0.5;

/// Compares a picture, which is shown for `now_ms`, with its reference, and records the result.
pub fn judge(
    record: &mut FrameRecord,
    reference: &Reference,
    now: &Picture,
    now_ms: f64,
    allowance: &Allowance,
    alpha: Alpha,
) {
    let frame = match reference {
        Reference::Found(frame) => frame,
        Reference::Missing => return record.set(Verdict::Missing, "there was no reference"),
        Reference::Unreadable(message) => return record.set(Verdict::Unreadable, message),
    };
    let Some(found) = difference(&frame.picture, now, allowance.tolerance, alpha) else {
        let [[width, height], [new_width, new_height]] =
            [&frame.picture, now].map(|picture| [picture.width(), picture.height()]);
        record.reference_size = Some([width, height]);
        let message = format!("the reference is {width}×{height}, the new picture {new_width}×{new_height}");
        return record.set(Verdict::Resized, &message);
    };
    record.difference = Some(found);
    let pixels = u64::from(now.width()) * u64::from(now.height());
    let (before_ms, is_same) = (frame.shown_ms, allowance.accepts(&found, pixels));
    // A frame that is shown for another time is different even if its pixels are the same.
    let duration = ((before_ms - now_ms).abs() > ALLOWED_MS)
        .then(|| format!("it is shown for {now_ms:.1} ms, the reference for {before_ms:.1} ms"));
    let pixels = (!is_same).then(|| described(&found, pixels)).flatten();
    if duration.is_some() || !is_same {
        record.set(Verdict::Different, &[duration, pixels].into_iter().flatten().collect::<Vec<_>>().join("; "));
    }
}

/// Returns how many pixels differ, by how much, and where.
fn described(found: &Difference, pixels: u64) -> Option<String> {
    let ([left, top, width, height], count, worst) = (found.rect?, found.pixels, found.worst);
    let verb = if count == 1 { "pixel differs" } else { "pixels differ" };
    Some(format!("{count} of {pixels} {verb} by up to {worst}, within {width}×{height} at {left},{top}"))
}
