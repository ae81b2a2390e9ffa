//! What a save has changed, in a few words.

use std::sync::Arc;

use super::changed_keys::{self, ChangedKeys};
use super::findings::{Answer, Pair};
use pchr::diff::{FoundIn, Kind, Line, Named};

/// Number of parts that a summary names.
const MOST_PARTS: usize = 5;
/// Number of items of one kind that are named.
const MOST_NAMES: usize = 2;
/// Number of animations whose keys are compared.
const MOST_ANIMATIONS: usize = 3;

/// What differs between two versions of a file.
#[derive(Debug)]
pub struct Changes {
    /// All differences, from the earlier to the later version.
    pub answer: Answer,
    /// The differences in a few words.
    pub summary: String,
}

impl Changes {
    /// Compares an earlier and a later version. Blocks: call it on a thread of its own.
    pub fn of(pair: &Pair) -> Arc<Self> {
        let answer = pair.lines();
        let summary = match &answer {
            Ok(lines) if lines.is_empty() => "nothing changed".to_owned(),
            Ok(lines) => summary(lines, |animation| changed_keys::of(pair, animation)),
            Err(_) => "too large to say what changed".to_owned(),
        };
        Arc::new(Self { answer, summary })
    }

    /// Returns true if nothing differs.
    pub fn is_empty(&self) -> bool {
        matches!(&self.answer, Ok(lines) if lines.is_empty())
    }
}

/// Summarizes removals, additions and changes. `keys` returns the keys of an animation that have changed.
fn summary(lines: &[Line], keys: impl Fn(&Named) -> Option<ChangedKeys>) -> String {
    let mut parts = Vec::new();
    for kind in [Kind::Animation, Kind::Bone, Kind::Slot, Kind::Skin, Kind::Constraint, Kind::Event] {
        parts.extend(items(lines, kind));
    }
    parts.extend(poses(lines, keys));
    // If the atlas was repacked, there is a line for every mesh.
    parts.extend([Kind::Image, Kind::Mesh].into_iter().flat_map(|kind| items(lines, kind)));
    let more = parts.len().saturating_sub(MOST_PARTS);
    parts.truncate(MOST_PARTS);
    let text = parts.join(", ");
    if more > 0 { format!("{text}, and {more} more") } else { text }
}

/// Describes the items of a kind: each by its name, or how many they are.
fn items(lines: &[Line], kind: Kind) -> Vec<String> {
    let mut parts = Vec::new();
    for (found_in, verb) in [(FoundIn::A, "removed"), (FoundIn::B, "added"), (FoundIn::Both, "changed")] {
        let mut found: Vec<&Line> =
            lines.iter().filter(|line| line.kind == kind && line.found_in == found_in).collect();
        found.dedup_by(|later, earlier| later.name == earlier.name);
        let names = found.iter().map(|line| match kind {
            Kind::Animation => format!("{} {verb}", line.name),
            _ => format!("{} {} {verb}", singular(kind), line.name),
        });
        match found.len() {
            0 => {}
            1..=MOST_NAMES => parts.extend(names),
            count => parts.push(format!("{count} {} {verb}", kind.plural())),
        }
    }
    parts
}

fn singular(kind: Kind) -> &'static str {
    match kind {
        Kind::Image => "image",
        Kind::Bone => "bone",
        Kind::Slot => "slot",
        Kind::Skin => "skin",
        Kind::Mesh => "mesh",
        Kind::Constraint => "constraint",
        Kind::Event => "event",
        Kind::Animation => "animation",
        Kind::Pose => "pose",
        Kind::Key => "key",
    }
}

/// Describes the animations that look different: by their changed keys, or how many they are.
fn poses(lines: &[Line], keys: impl Fn(&Named) -> Option<ChangedKeys>) -> Vec<String> {
    let mut parts = Vec::new();
    let mut found: Vec<&Line> = lines.iter().filter(|line| line.kind == Kind::Pose).collect();
    found.dedup_by(|later, earlier| later.item == earlier.item);
    let has_other_setup = found.iter().any(|line| line.item.is_none());
    if has_other_setup {
        parts.push("setup pose changed".to_owned());
    }
    let animations: Vec<(&Line, &Named)> =
        found.iter().filter_map(|line| Some((*line, line.item.as_ref()?))).collect();
    if animations.len() > MOST_ANIMATIONS {
        parts.push(format!("{} animations look different", animations.len()));
        return parts;
    }
    for (line, animation) in animations {
        // After a change of the setup pose, every key of the bone would count.
        let keys = keys(animation).filter(|_| !has_other_setup);
        // Without the skin, which the name may contain.
        let name =
            if animation.occurrence == 0 { pchr::error::escaped(&animation.name) } else { line.name.clone() };
        parts.push(keys.map_or(format!("{name} looks different"), |keys| format!("{name}: {keys}")));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(kind: Kind, found_in: FoundIn, name: &str) -> Line {
        let item = Some(Named { name: name.to_owned(), occurrence: 0 });
        Line { kind, found_in, item, at: None, name: name.to_owned(), detail: String::new() }
    }

    #[test]
    fn a_summary_names_few_items_and_counts_many() {
        let mut lines = vec![
            line(Kind::Animation, FoundIn::A, "walk"),
            line(Kind::Animation, FoundIn::B, "stroll"),
            line(Kind::Bone, FoundIn::Both, "tail"),
            line(Kind::Bone, FoundIn::Both, "tail"),
            line(Kind::Pose, FoundIn::Both, "idle"),
            line(Kind::Image, FoundIn::Both, "knight.png"),
        ];
        let keys = |animation: &Named| {
            assert_eq!(animation.name, "idle");
            Some(ChangedKeys { bones: vec![("tail".to_owned(), 3)], others: 0, are_frames: false })
        };
        let text =
            "walk removed, stroll added, bone tail changed, idle: bone tail, 3 keys, image knight.png changed";
        assert_eq!(summary(&lines, keys), text);
        lines.extend(["a", "b", "c"].map(|name| line(Kind::Mesh, FoundIn::Both, name)));
        lines.extend(["d", "e", "f"].map(|name| line(Kind::Pose, FoundIn::Both, name)));
        let text = "walk removed, stroll added, bone tail changed, 4 animations look different, \
                    image knight.png changed, and 1 more";
        assert_eq!(summary(&lines, |_| None), text);
        let mut setup = line(Kind::Pose, FoundIn::Both, "");
        setup.item = None;
        lines = vec![setup, line(Kind::Pose, FoundIn::Both, "idle"), line(Kind::Mesh, FoundIn::Both, "a")];
        assert_eq!(summary(&lines, keys), "setup pose changed, idle looks different, mesh a changed");
    }
}
