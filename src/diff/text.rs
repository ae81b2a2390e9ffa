//! Differences as `pchr diff` prints them: a line that lists what differs, then a section for each kind of at most [`MAX_LINES`]
//! lines. `-` is missing in B, `+` is new in B, `~` differs.

use std::fmt;

use super::{Diff, Kind, Line};
use crate::error::escaped;

/// Most lines of a section; further ones are only counted.
const MAX_LINES: usize = 20;
/// Widest name column; longer names do not widen it.
const MAX_NAME_WIDTH: usize = 32;

/// Writes all differences; the text ends in a line break.
impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (a, b) = (escaped(&self.a.file), escaped(&self.b.file));
        let within = match self.epsilon {
            0.0 => "compared exactly".to_owned(),
            epsilon => format!("within {epsilon} world units"),
        };
        if self.same {
            return writeln!(f, "same: {a} and {b}, {} poses {within}", self.frames);
        }
        let lines = self.lines();
        let sections = sections(self, &lines);
        let names: Vec<&str> = sections.iter().map(|section| section.name).collect();
        writeln!(f, "differs: {a} → {b} in {}, {within}", listed(&names))?;
        sections.iter().try_for_each(|section| section.write(f))
    }
}

/// All differences of one kind.
struct Section<'a> {
    name: &'static str,
    title: String,
    lines: Vec<&'a Line>,
    /// Number of differing keys that are not listed.
    more: usize,
}

/// Returns the sections that are not empty.
fn sections<'a>(diff: &Diff, lines: &'a [Line]) -> Vec<Section<'a>> {
    let section = |kind: Kind| Section {
        name: kind.plural(),
        title: title(diff, kind),
        lines: lines.iter().filter(|line| line.kind == kind).collect(),
        more: if kind == Kind::Key { diff.more_keys } else { 0 },
    };
    Kind::ALL.into_iter().map(section).filter(|it| !it.lines.is_empty() || it.more > 0).collect()
}

fn title(diff: &Diff, kind: Kind) -> String {
    let (a, b) = (&diff.a, &diff.b);
    let (of_a, of_b) = match kind {
        Kind::Image => (a.images, b.images),
        Kind::Bone => (a.bones, b.bones),
        Kind::Slot => (a.slots, b.slots),
        Kind::Skin => (a.skins, b.skins),
        Kind::Mesh => (a.meshes, b.meshes),
        Kind::Constraint => (a.constraints, b.constraints),
        Kind::Event => (a.events, b.events),
        Kind::Animation => (a.animations, b.animations),
        Kind::Pose => return format!("{} compared", diff.frames),
        Kind::Key => (a.keys.unwrap_or_default(), b.keys.unwrap_or_default()),
    };
    if of_a == of_b { of_a.to_string() } else { format!("{of_a} → {of_b}") }
}

impl Section<'_> {
    fn write(&self, f: &mut impl fmt::Write) -> fmt::Result {
        writeln!(f, "\n{}: {}", self.name, self.title)?;
        let lines = &self.lines[..self.lines.len().min(MAX_LINES)];
        let width = lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0).min(MAX_NAME_WIDTH);
        for (index, Line { found_in, name, detail, .. }) in lines.iter().enumerate() {
            let is_repeated =
                index > 0 && lines[index - 1].name == *name && lines[index - 1].found_in == *found_in;
            let (mark, name) = if is_repeated { (' ', "") } else { (found_in.mark(), &**name) };
            let line = format!("  {mark} {name:width$}  {detail}");
            writeln!(f, "{}", line.trim_end())?;
        }
        let more = self.lines.len() - lines.len() + self.more;
        if more > 0 {
            writeln!(f, "  … and {more} more")?;
        }
        Ok(())
    }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::FoundIn;

    #[test]
    fn a_long_section_is_cut() {
        let line = |index: usize| Line {
            kind: Kind::Bone,
            found_in: FoundIn::B,
            item: None,
            at: None,
            name: format!("bone {index}"),
            detail: String::new(),
        };
        let lines: Vec<Line> = (0..25).map(line).collect();
        let section =
            Section { name: "bones", title: "0 → 25".to_owned(), lines: lines.iter().collect(), more: 0 };
        let mut text = String::new();
        section.write(&mut text).unwrap();
        assert_eq!(text.lines().count(), 2 + MAX_LINES + 1);
        assert!(text.starts_with("\nbones: 0 → 25\n  + bone 0\n") && text.ends_with("  … and 5 more\n"), "{text}");
    }

    #[test]
    fn lists_are_joined_with_commas_and_and() {
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
    }
}
