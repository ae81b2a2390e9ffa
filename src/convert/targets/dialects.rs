//! Converts sprite sheets to the descriptions of other programs. PNGs are copied byte for byte, unless the frames have to
//! be packed again.

use super::sheets::{is_premultiplied, of_source, pictures};
use crate::convert::repack::repack;
use crate::convert::text::in_memory;
use crate::convert::{ConvertError, ConvertOptions, Converted, Files, Note, Opened, Repack};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::Loss;
use crate::formats::sheet::dialects::{Dialect, Listing};
use crate::formats::sheet::rewrite::{Rewrite, Source, read};
use crate::formats::sheet::{Gathered, layers, origin_slice, usual_ms};
use crate::limits::Budget;

/// Converts a sheet.
pub fn convert(
    opened: Opened<'_>,
    dialect: &'static Dialect,
    options: &ConvertOptions,
    budget: &mut Budget<'_>,
) -> Result<Converted, ConvertError> {
    let Opened { input, source, content, missing_image, has_errors: _ } = opened;
    let lacks_image = missing_image.is_some();
    let is_premultiplied = is_premultiplied(&content);
    drop(content);
    let mut write = || -> Result<Converted> {
        let mut sheet = Source { input: &input, lacks_image, options: &options.read, budget: &mut *budget };
        let mut rewrite = read(&mut sheet)?;
        let mut gathered = rewrite.gathered(budget)?;
        if layers::find(&gathered, &options.read.layers, budget, &mut Diagnostics::default())?.is_some() {
            let message = "the sheet is split by layers, which the target cannot store; `pchr-view IN -o OUT.json` draws a new \
                           sheet";
            return Err(Error::unsupported("other-format", Place::inside("/meta/layers"), message));
        }
        let must = !dialect.holds(&gathered);
        if must || options.repack.is_some() {
            let how = options.repack.unwrap_or(Repack { may_turn: true, ..Repack::default() });
            let (order, parts) = repack(&gathered, how, (dialect.turn, is_premultiplied), budget)?;
            rewrite.replace(&parts, &order, budget)?;
            gathered.parts = parts;
        }
        if gathered.parts.len() > 1 && !dialect.has_pages {
            let message = format!(
                "the frames need {} pages of {} pixels, but {} has only one; `--repack --sheet-max-size N` allows a larger \
                 page",
                gathered.parts.len(),
                options.repack.unwrap_or_default().max_size,
                dialect.name
            );
            return Err(Error::unsupported("too-many", Place::default(), message));
        }
        let (pictures, images) = pictures(&rewrite, options)?;
        let usual_ms = usual_ms(gathered.rate(&options.read));
        let listing = Listing::new(&gathered, dialect, (options.stem(), usual_ms), images, budget)?;
        let text = in_memory(budget, |out| (dialect.write)(&listing, out))?;
        let files = Files { pictures, ..Files::one(&options.file_name, text) };
        let mut converted = Converted::new(source, options.to, files);
        let notes = [
            is_premultiplied.then_some(Note::Premultiplied),
            (must && options.repack.is_none()).then_some(Note::Repacked),
        ];
        converted.notes.extend(notes.into_iter().flatten());
        converted.losses = lost(&rewrite, &gathered, &listing, dialect);
        Ok(converted)
    };
    write().map_err(ConvertError::Input)
}

/// Returns what the dialect cannot store.
fn lost(rewrite: &Rewrite, gathered: &Gathered, listing: &Listing<'_>, dialect: &Dialect) -> Vec<Loss> {
    let by_number = !dialect.has_animations;
    let all = gathered.meta.slices.as_deref().unwrap_or_default();
    let slices = all.len() - usize::from(origin_slice(all).is_some());
    let all = [
        (
            listing.dropped > 0,
            "frames-dropped",
            "/frames",
            format!("frames that are not written: {}", listing.dropped),
        ),
        (slices > 0, "slices-dropped", "/meta/slices", format!("slices that are not written: {slices}")),
        (
            by_number && listing.is_timed,
            "durations-dropped",
            "/frames",
            "the durations of frames are not stored; the player decides".to_owned(),
        ),
        (
            listing.renamed > 0,
            "frame-renamed",
            "/frames",
            format!("frames with another name: {}", listing.renamed),
        ),
        (
            by_number && !listing.loops,
            "plays-once",
            "/meta/frameTags",
            "animations that do not loop are not marked; the player decides".to_owned(),
        ),
        (
            listing.has_origin && !dialect.has_origin,
            "origin-dropped",
            "/meta/slices",
            "the origin of the frames is not stored; it becomes the upper-left corner".to_owned(),
        ),
    ];
    let all = all.into_iter().filter(|(is_lost, ..)| *is_lost);
    let mut losses: Vec<Loss> = all.map(|(_, code, path, message)| Loss::new(code, path, message)).collect();
    let of_source = of_source(rewrite).into_iter();
    losses.extend(of_source.filter(|loss| !by_number || loss.code != "duration-rounded"));
    losses
}
