//! Characters of Psych Engine and of V-Slice. Both have the same values under other names; `name` is the prefix in one
//! and the name in the other.

use serde::Deserialize;

use super::{Described, Listed, OFFSETS, RATES, SCALES, is_true, number};
use crate::diagnostics::Diagnostics;
use crate::error::{Place, Result};
use crate::formats::detect::json::without_bom;
use crate::formats::json;
use crate::formats::sheet::loose::Scalar;
use crate::limits::Budget;

#[derive(Deserialize)]
struct Root {
    #[serde(default, alias = "assetPath")]
    image: Scalar,
    #[serde(default)]
    animations: Vec<Animation>,
    #[serde(default, alias = "flipX")]
    flip_x: Scalar,
    #[serde(default)]
    scale: Scalar,
    #[serde(default)]
    no_antialiasing: Scalar,
    #[serde(default, rename = "isPixel")]
    is_pixel: Scalar,
    #[serde(default, rename = "startingAnimation")]
    start: Scalar,
}

#[derive(Deserialize)]
struct Animation {
    #[serde(default)]
    anim: Scalar,
    #[serde(default)]
    name: Scalar,
    #[serde(default)]
    prefix: Scalar,
    #[serde(default, alias = "frameIndices")]
    indices: Option<Vec<Scalar>>,
    #[serde(default, alias = "frameRate")]
    fps: Scalar,
    #[serde(default, rename = "loop", alias = "looped")]
    looping: Scalar,
    #[serde(default)]
    offsets: Option<Vec<Scalar>>,
    #[serde(default, rename = "flipX")]
    flip_x: Scalar,
    #[serde(default, rename = "flipY")]
    flip_y: Scalar,
    #[serde(default, rename = "assetPath")]
    sheet: Scalar,
    #[serde(default, rename = "animType")]
    kind: Scalar,
}

/// Reads a file.
pub fn read(bytes: &[u8], budget: &mut Budget<'_>, diagnostics: &mut Diagnostics) -> Result<Described> {
    let text = without_bom(bytes);
    let count = |byte: u8| text.iter().filter(|found| **found == byte).count() as u64;
    budget.charge_memory(count(b'{'), size_of::<Animation>() + size_of::<Listed>(), || Place::at("", 0))?;
    budget.charge_memory(count(b','), 2 * (size_of::<Scalar>() + size_of::<[u64; 2]>()), || Place::at("", 0))?;
    let root: Root = json::read(text, (bytes.len() - text.len()) as u64, budget, None)?;
    let place = Place::default();
    let paths = root.image.into_name().unwrap_or_default();
    Ok(Described {
        sheets: paths.split(',').map(str::trim).filter(|path| !path.is_empty()).map(str::to_owned).collect(),
        is_flipped: is_true(&root.flip_x, false),
        scale: number(&root.scale, "scale", SCALES, &place, diagnostics),
        is_smooth: !is_true(&root.no_antialiasing, false) && !is_true(&root.is_pixel, false),
        start: root.start.into_name(),
        animations: (0..).zip(root.animations).map(|(index, it)| animation(index, it, diagnostics)).collect(),
    })
}

fn animation(index: usize, read: Animation, diagnostics: &mut Diagnostics) -> Listed {
    let place = Place::inside(format!("/animations/{index}"));
    let is_psych = read.anim != Scalar::Missing;
    let (name, prefix) = if is_psych { (read.anim, read.name) } else { (read.name, read.prefix) };
    let mut ranges = Vec::new();
    for value in read.indices.unwrap_or_default() {
        match value.number() {
            // Larger numbers are rejected, and all others are whole after rounding.
            Some(number) if (0.0..=1e9).contains(&number) => ranges.push([number as u64; 2]),
            _ => {
                let message =
                    format!("an index is {}, which is not a number from 0; it is skipped", value.described());
                diagnostics.warn("bad-tag", place.clone(), message);
            }
        }
    }
    let offsets = read.offsets.unwrap_or_default();
    let offset = |axis: usize| offsets.get(axis).unwrap_or(&Scalar::Missing);
    Listed {
        name: name.into_name().unwrap_or_default(),
        prefix: prefix.into_name().unwrap_or_default(),
        fps: number(&read.fps, "fps", RATES, &place, diagnostics),
        looping: is_true(&read.looping, false),
        offset: [0, 1].map(|axis| number(offset(axis), "offsets", OFFSETS, &place, diagnostics)),
        flip: [is_true(&read.flip_x, false), is_true(&read.flip_y, false)],
        is_symbol: read.kind == Scalar::Text("symbol".to_owned()),
        sheet: read.sheet.into_name().filter(|path| !path.is_empty()),
        place,
        ranges,
    }
}
