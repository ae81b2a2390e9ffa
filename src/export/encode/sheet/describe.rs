//! Frame positions → sheet metadata: names, durations, tags.

use std::collections::HashSet;
use std::ops::Range;

use super::positions::{Cell, SheetPlan};
use crate::export::options::{SheetDurations, SheetName, SheetOptions, SheetProfile, SheetValues};
use crate::formats::sheet::{Duration, Frame, Page, Sheet, Tag, unique_names};
use crate::model::Order;
use crate::{Error, Result};

/// One animation of a sheet.
#[derive(Debug, Clone)]
pub struct SheetClip<'a> {
    /// The animation's name.
    pub name: &'a str,
    /// Its frames, as indices into the frames of the sheet. Must not be empty.
    pub frames: Range<usize>,
    /// Duration of each frame in milliseconds.
    pub shown_ms: Vec<f64>,
    /// Number of plays; 0 means forever.
    pub plays: u32,
}

/// Names of a sheet's files.
#[derive(Debug, Clone, Copy)]
pub struct SheetFiles<'a> {
    /// Name of the sheet.
    pub title: &'a str,
    /// By page: the name of the picture, and of the file with its metadata.
    pub pages: &'a [[String; 2]],
}

/// Builds the metadata of a sheet. `canvas` is the size of a frame before trimming, and `origin` the position of
/// the world's origin on it.
///
/// # Errors
///
/// Fails if frame names are not unique or a frame is missing in `plan`.
pub fn describe(
    plan: &SheetPlan,
    options: &SheetOptions,
    clips: &[SheetClip<'_>],
    canvas: [u32; 2],
    origin: [i32; 2],
    files: SheetFiles<'_>,
) -> Result<Sheet> {
    let mut sheet = Sheet { canvas, origin, is_hash: options.profile == SheetProfile::Hash, ..Sheet::default() };
    for (size, [image, file]) in plan.pages.iter().zip(files.pages) {
        sheet.pages.push(Page { image: image.clone(), file: file.clone(), size: *size });
    }
    let default = match options.profile {
        SheetProfile::Index => "{frame}",
        SheetProfile::Doc => "{tag} {tagframe}",
        SheetProfile::Hash => "{title} {frame}.{extension}",
    };
    let default = default.parse().map_err(|error| Error::misuse("sheet-name", format!("{error}")))?;
    let filename: &SheetName = options.filename.as_ref().unwrap_or(&default);
    let mut known = HashSet::new();
    for (clip, tag) in clips.iter().zip(tag_names(clips, options, files.title)) {
        let durations = durations(&clip.shown_ms, options.durations);
        for (tag_frame, (index, duration)) in clip.frames.clone().zip(durations).enumerate() {
            let values = SheetValues { title: files.title, tag: clip.name, frame: index, tag_frame };
            let name = filename.fill(values);
            if !known.insert(name.clone()) {
                let message = format!(
                    "several frames would be called `{name}`; use {{frame}}, or {{tag}} and {{tagframe}}, to distinguish them"
                );
                return Err(Error::misuse("sheet-name", message));
            }
            let Some(&cell) = plan.cells.get(index) else {
                let message = format!("frame {index} does not exist, the sheet has {}", plan.cells.len());
                return Err(Error::misuse("no-such-frame", message));
            };
            let Cell { kept: [left, top, width, height], page, corner: [x, y] } = cell;
            let rect = [x, y, width, height];
            sheet.frames.push(Frame { name, page, rect, offset: [left, top], duration });
        }
        let (from, to) = (clip.frames.start, clip.frames.end.saturating_sub(1));
        sheet.tags.push(Tag { name: tag, from, to, order: Order::Forward, plays: clip.plays });
    }
    Ok(sheet)
}

/// Returns a unique, non-empty name for each animation.
fn tag_names(clips: &[SheetClip<'_>], options: &SheetOptions, title: &str) -> Vec<String> {
    let name = |clip: &SheetClip<'_>| {
        let values = SheetValues { title, tag: clip.name, frame: clip.frames.start, tag_frame: 0 };
        let name = options.tagname.as_ref().map_or_else(|| clip.name.to_owned(), |name| name.fill(values));
        if name.is_empty() { "animation".to_owned() } else { name }
    };
    unique_names(clips.iter().map(name))
}

fn durations(shown_ms: &[f64], how: SheetDurations) -> Vec<Duration> {
    // Clamped, because engines may ignore frames without duration.
    let whole = |ms: f64| Duration::Whole(ms.clamp(1.0, f64::from(u32::MAX)) as u32);
    let rounded = |ms: f64| (ms + 0.5).floor();
    let mut before = 0.0;
    let duration = |&ms: &f64| match how {
        SheetDurations::Round => whole(rounded(ms)),
        SheetDurations::Exact if ms.fract() != 0.0 => Duration::Exact(ms),
        SheetDurations::Exact => whole(ms),
        SheetDurations::Spread => {
            let start = rounded(before);
            before += ms;
            whole(rounded(before) - start)
        }
    };
    shown_ms.iter().map(duration).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_rounded_spread_or_left() {
        let of = |how| durations(&[1000.0 / 24.0; 3], how);
        let whole = |ms: [u32; 3]| ms.map(Duration::Whole).to_vec();
        assert_eq!(of(SheetDurations::Round), whole([42, 42, 42]));
        assert_eq!(of(SheetDurations::Spread), whole([42, 41, 42]));
        assert_eq!(of(SheetDurations::Exact), [Duration::Exact(1000.0 / 24.0); 3]);
        assert_eq!(durations(&[100.0, 0.2], SheetDurations::Exact), [Duration::Whole(100), Duration::Exact(0.2)]);
        assert_eq!(durations(&[0.2], SheetDurations::Round), [Duration::Whole(1)]);
    }
}
