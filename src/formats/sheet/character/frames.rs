//! The frames of an animation, as the engines select them: by the beginning of their names, and by number.

use std::collections::BTreeMap;

use super::Listed;
use crate::error::Result;
use crate::formats::sheet::parts::Part;
use crate::limits::Budget;

/// Returns the frames of an animation, as part and index, in the order of play.
///
/// Without numbers, those are all frames that begin with the prefix, sorted by the number after it; no number counts
/// as 0. With numbers, it is the first frame of each number; also returns how many numbers have no frame.
pub fn find(
    parts: &[Part],
    used: &[usize],
    animation: &Listed,
    budget: &mut Budget<'_>,
) -> Result<(Vec<(usize, u32)>, u64)> {
    let mut found = Vec::new();
    for part in used {
        let frames = parts.get(*part).map(|part| &*part.frames).unwrap_or_default();
        budget.charge_work(frames.len() as u64 + 1, 1, || animation.place.clone())?;
        let rest = |(index, name): (u32, &'_ str)| Some((number(name.strip_prefix(&*animation.prefix)?), index));
        let names = (0..).zip(frames.iter().map(|frame| frame.name()));
        let numbered = names.filter_map(rest).map(|(number, index)| (number, (*part, index)));
        let before = found.len();
        found.extend(numbered);
        charge(found.len() - before, animation, budget)?;
    }
    if animation.ranges.is_empty() {
        found.sort_by_key(|(number, _)| number.unwrap_or(0));
        return Ok((found.into_iter().map(|(_, frame)| frame).collect(), 0));
    }
    let mut by_number = BTreeMap::new();
    for (number, frame) in found {
        if let Some(number) = number {
            by_number.entry(number).or_insert(frame);
        }
    }
    let (mut list, mut missing) = (Vec::new(), 0u64);
    for [first, last] in &animation.ranges {
        let range = by_number.range(first.min(last)..=first.max(last)).map(|(_, frame)| *frame);
        let before = list.len();
        if first <= last {
            list.extend(range)
        } else {
            list.extend(range.rev())
        }
        charge(list.len() - before, animation, budget)?;
        let asked = first.abs_diff(*last).saturating_add(1);
        missing = missing.saturating_add(asked.saturating_sub((list.len() - before) as u64));
    }
    Ok((list, missing))
}

fn charge(count: usize, animation: &Listed, budget: &mut Budget<'_>) -> Result<()> {
    budget.charge_memory(count as u64, 4 * size_of::<(usize, u32)>(), || animation.place.clone())
}

/// Returns the integer at the start of a text, without its sign. Blanks may precede it.
fn number(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Place;
    use crate::formats::sheet::schema::{Frame, Name};
    use crate::limits::Limits;

    fn found(prefix: &str, ranges: &[[u64; 2]]) -> Vec<u32> {
        let names = ["a0001", "a0000", "a MISS0000", "b", "a -2", "a0001"];
        let frame = |name: &str| Frame { filename: Some(Name(name.to_owned())), ..Frame::default() };
        let parts = [Part { frames: names.map(frame).into(), ..Part::default() }];
        let listed = Listed {
            place: Place::default(),
            name: String::new(),
            prefix: prefix.to_owned(),
            ranges: ranges.to_vec(),
            fps: 24.0,
            looping: false,
            offset: [0.0; 2],
            flip: [false; 2],
            is_symbol: false,
            sheet: None,
        };
        let limits = Limits::default();
        let (list, _) = find(&parts, &[0], &listed, &mut Budget::new(&limits)).unwrap();
        list.into_iter().map(|(_, frame)| frame).collect()
    }

    #[test]
    fn frames_are_selected_as_in_the_engines() {
        assert_eq!(found("a", &[]), [1, 2, 0, 5, 4]);
        assert_eq!(found("a0", &[]), [1, 0, 5]);
        assert!(found("A", &[]).is_empty());
        assert_eq!(found("a", &[[1, 1], [9, 9], [0, 0], [0, 0]]), [0, 1, 1]);
        assert_eq!(found("a", &[[0, u64::MAX]]), [1, 0, 4]);
        assert_eq!(found("a", &[[2, 0]]), [4, 0, 1]);
        assert!(found("b", &[[0, 0]]).is_empty());
    }
}
