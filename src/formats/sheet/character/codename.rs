//! Characters of Codename Engine: `<character>` with an `<anim>` for each animation.

use std::collections::HashMap;

use super::{Described, Listed, OFFSETS, RATES, SCALES, is_true, number};
use crate::diagnostics::Diagnostics;
use crate::error::{Place, Result, escaped};
use crate::formats::sheet::build::title;
use crate::formats::sheet::loose::Scalar;
use crate::formats::sheet::xml::{self, Element, Part, Parts};
use crate::limits::Budget;

/// Reads a file. A character without `sprite` has the sheet with the file's `own_name`.
pub fn read(
    bytes: &[u8],
    own_name: Option<&str>,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Described> {
    let text = xml::text(bytes, budget)?;
    let mut parts = Parts::of(&text);
    let mut described = Described { scale: 1.0, is_smooth: true, ..Described::default() };
    while let Some(part) = parts.next(budget)? {
        let Part::Start(element, _) = part else { continue };
        match element.name().as_str() {
            "character" if described.sheets.is_empty() => {
                let place = Place::at("character", element.offset);
                let values = attributes(&element)?;
                let get = |name: &str| values.get(name).cloned().unwrap_or_default();
                let sprite = get("sprite").into_name().filter(|name| !name.is_empty() && name != "null");
                let sprite = sprite.unwrap_or_else(|| title(own_name.unwrap_or_default()));
                described.sheets.push(format!("characters/{sprite}"));
                described.is_flipped = is_true(&get("flipX"), false);
                described.is_smooth = is_true(&get("antialiasing"), true);
                described.scale = number(&get("scale"), "scale", SCALES, &place, diagnostics);
            }
            "anim" => {
                budget.charge_memory(1, size_of::<Listed>(), || Place::at("anim", element.offset))?;
                described.animations.push(animation(&element, budget, diagnostics)?);
            }
            _ => {}
        }
    }
    Ok(described)
}

fn attributes(element: &Element<'_>) -> Result<HashMap<String, Scalar>> {
    let mut values = HashMap::new();
    element.attributes(|name, value| {
        values.entry(name.to_owned()).or_insert_with(|| Scalar::Text(value.into_owned()));
    })?;
    Ok(values)
}

fn animation(element: &Element<'_>, budget: &mut Budget<'_>, diagnostics: &mut Diagnostics) -> Result<Listed> {
    let values = attributes(element)?;
    let get = |name: &str| values.get(name).cloned().unwrap_or_default();
    let name = get("name").into_name().unwrap_or_default();
    let place = Place::at(format!("anim `{}`", escaped(&name)), element.offset);
    let mut ranges = Vec::new();
    let indices = get("indices").into_name().unwrap_or_default();
    for part in indices.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        budget.charge_memory(1, 2 * size_of::<[u64; 2]>(), || place.clone())?;
        let (first, last) = part.split_once("..").unwrap_or((part, part));
        match (first.trim().parse(), last.trim().parse()) {
            (Ok(first), Ok(last)) => ranges.push([first, last]),
            _ => {
                let message =
                    format!("`{}` is not an index or a range such as `0..14`; it is skipped", escaped(part));
                diagnostics.warn("bad-tag", place.clone(), message);
            }
        }
    }
    Ok(Listed {
        prefix: get("anim").into_name().unwrap_or_default(),
        fps: number(&get("fps"), "fps", RATES, &place, diagnostics),
        looping: is_true(&get("loop"), false),
        offset: ["x", "y"].map(|axis| number(&get(axis), axis, OFFSETS, &place, diagnostics)),
        flip: ["flipX", "flipY"].map(|axis| is_true(&get(axis), false)),
        name,
        place,
        ranges,
        is_symbol: false,
        sheet: None,
    })
}
