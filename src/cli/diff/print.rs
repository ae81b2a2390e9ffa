//! Differences as text: a line that lists what differs, then a section for each kind of at most [`MAX_LINES`]
//! lines. `-` is missing in B, `+` is new in B, `~` differs.

use super::report::{
    AnimationDifference, BoneDifference, Change, Diff, FoundIn, ImageDifference, MeshDifference, Named, Part,
    PoseDifference, ThingDifference, VertexDifference, WordedChange,
};
use crate::error::escaped;

/// Most lines of a section; further ones are only counted.
const MAX_LINES: usize = 20;
/// Widest name column; longer names do not widen it.
const MAX_NAME_WIDTH: usize = 32;

/// Formats all differences; the text ends in a line break.
pub fn to_text(diff: &Diff) -> String {
    let (a, b) = (escaped(&diff.a.file), escaped(&diff.b.file));
    let within = match diff.epsilon {
        0.0 => "compared exactly".to_owned(),
        epsilon => format!("within {epsilon} world units"),
    };
    if diff.same {
        return format!("same: {a} and {b}, {} poses {within}\n", diff.frames);
    }
    let sections = sections(diff);
    let names: Vec<&str> = sections.iter().map(|section| section.name).collect();
    let mut text = format!("differs: {a} → {b} in {}, {within}\n", listed(&names));
    sections.iter().for_each(|section| section.write(&mut text));
    text
}

/// All differences of one kind.
struct Section {
    name: &'static str,
    title: String,
    lines: Vec<Line>,
}

/// A difference. Those of the same item are adjacent.
struct Line {
    mark: char,
    name: String,
    detail: String,
}

/// Returns the sections that are not empty.
fn sections(diff: &Diff) -> Vec<Section> {
    let (a, b) = (&diff.a, &diff.b);
    let counted = |name, of_a: usize, of_b: usize, lines: Vec<Line>| Section {
        name,
        title: if of_a == of_b { of_a.to_string() } else { format!("{of_a} → {of_b}") },
        lines,
    };
    let mut sections = vec![
        counted("images", a.images, b.images, diff.images.iter().flat_map(image).collect()),
        counted("bones", a.bones, b.bones, diff.bones.iter().flat_map(bone).collect()),
        counted("slots", a.slots, b.slots, diff.slots.iter().flat_map(item).collect()),
        counted("skins", a.skins, b.skins, diff.skins.iter().flat_map(item).collect()),
        counted("meshes", a.meshes, b.meshes, diff.meshes.iter().flat_map(mesh).collect()),
        counted("constraints", a.constraints, b.constraints, diff.constraints.iter().flat_map(item).collect()),
        counted("events", a.events, b.events, diff.events.iter().flat_map(item).collect()),
        counted("animations", a.animations, b.animations, diff.animations.iter().flat_map(animation).collect()),
        Section {
            name: "poses",
            title: format!("{} compared", diff.frames),
            lines: diff.poses.iter().flat_map(pose).collect(),
        },
    ];
    sections.retain(|section| !section.lines.is_empty());
    sections
}

impl Section {
    fn write(&self, text: &mut String) {
        *text += &format!("\n{}: {}\n", self.name, self.title);
        let lines = &self.lines[..self.lines.len().min(MAX_LINES)];
        let width = lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0).min(MAX_NAME_WIDTH);
        for (index, Line { mark, name, detail }) in lines.iter().enumerate() {
            let is_repeated = index > 0 && lines[index - 1].name == *name && lines[index - 1].mark == *mark;
            let (mark, name) = if is_repeated { (' ', "") } else { (*mark, &**name) };
            let line = format!("  {mark} {name:width$}  {detail}");
            *text += line.trim_end();
            text.push('\n');
        }
        if self.lines.len() > MAX_LINES {
            *text += &format!("  … and {} more\n", self.lines.len() - MAX_LINES);
        }
    }
}

/// Returns the lines of an item: one per detail, or one without details if only one side has the item.
fn lines(found_in: FoundIn, name: &str, occurrence: u32, details: Vec<Option<String>>) -> Vec<Line> {
    let mark = match found_in {
        FoundIn::A => '-',
        FoundIn::B => '+',
        FoundIn::Both => '~',
    };
    let name = numbered(name, occurrence);
    let mut details: Vec<String> = details.into_iter().flatten().collect();
    if details.is_empty() {
        details.push(String::new());
    }
    details.into_iter().map(|detail| Line { mark, name: name.clone(), detail }).collect()
}

fn image(image: &ImageDifference) -> Vec<Line> {
    let size = image.size.as_ref().map(|size| change("size", size, |[w, h]| format!("{w}×{h}")));
    let pixels = image
        .pixels
        .as_ref()
        .map(|pixels| format!("pixels: {} differ, by up to {}", pixels.count, pixels.largest));
    lines(image.found_in, &image.name, image.occurrence, vec![size, pixels])
}

fn bone(bone: &BoneDifference) -> Vec<Line> {
    let parent = bone.parent.as_ref().map(|parent| change("parent", parent, named_or_none));
    lines(bone.found_in, &bone.name, bone.occurrence, vec![parent])
}

fn item(item: &ThingDifference) -> Vec<Line> {
    let text = |change: &WordedChange| Some(format!("{}: {} → {}", change.what, change.a, change.b));
    lines(item.found_in, &item.name, item.occurrence, item.changes.iter().map(text).collect())
}

fn mesh(mesh: &MeshDifference) -> Vec<Line> {
    let details = vec![
        mesh.bone.as_ref().map(|bone| change("bone", bone, named_or_none)),
        mesh.image.as_ref().map(|image| change("image", image, named_or_none)),
        mesh.order.as_ref().map(|order| change("position in the file", order, usize::to_string)),
        mesh.vertices.as_ref().map(|count| change("vertices", count, usize::to_string)),
        mesh.triangles.as_ref().map(|triangles| {
            let count = change("triangles", &Change { a: triangles.a, b: triangles.b }, usize::to_string);
            format!("{count}, {} with different corners", triangles.different)
        }),
        mesh.positions.as_ref().map(|off| vertices("positions", off, " units")),
        mesh.uv.as_ref().map(|off| vertices("uv", off, " pixels")),
        mesh.weights.as_ref().map(|off| vertices("weights", off, "")),
    ];
    lines(mesh.found_in, &mesh.name, mesh.occurrence, details)
}

fn vertices(what: &str, off: &VertexDifference, unit: &str) -> String {
    let VertexDifference { count, largest, vertex } = off;
    let plural = if *count == 1 { "vertex differs" } else { "vertices differ" };
    format!("{what}: {count} {plural}, by up to {}{unit} at vertex {vertex}", number(*largest))
}

fn animation(animation: &AnimationDifference) -> Vec<Line> {
    let yes_no = |yes: &bool| if *yes { "yes" } else { "no" }.to_owned();
    let details = vec![
        animation.frames.as_ref().map(|frames| change("frames", frames, u32::to_string)),
        animation.fps.as_ref().map(|fps| change("fps", fps, f64::to_string)),
        animation.duration_secs.as_ref().map(|secs| change("seconds", secs, |secs| format!("{secs:.4}"))),
        animation
            .events
            .as_ref()
            .map(|first| change("events", first, |text| text.clone().unwrap_or_else(|| "no more".to_owned()))),
        animation.looping.as_ref().map(|looping| change("looping", looping, yes_no)),
        animation.bind_pose.as_ref().map(|bind| change("bind pose", bind, yes_no)),
    ];
    lines(animation.found_in, &animation.name, animation.occurrence, details)
}

fn pose(pose: &PoseDifference) -> Vec<Line> {
    let in_frames = |frame: u32, frames: u32| match &pose.animation {
        Some(_) => format!("frame {frame}; in {frames} of {} frames", pose.frames),
        None => "bind pose".to_owned(),
    };
    let bones = pose.bones.as_ref().map(|far| {
        let part = match far.part {
            Part::Origin => "origin",
            Part::XAxis => "x axis",
            Part::YAxis => "y axis",
        };
        let (distance, bone) = (number(far.distance), named(&far.bone));
        format!("bones: up to {distance} units, {part} of {bone}, {}", in_frames(far.frame, far.frames))
    });
    let vertices = pose.vertices.as_ref().map(|far| {
        let (distance, mesh) = (number(far.distance), named(&far.mesh));
        let at = in_frames(far.frame, far.frames);
        format!("vertices: up to {distance} units, vertex {} of {mesh}, {at}", far.vertex)
    });
    let visibility = pose.visibility.as_ref().map(|first| {
        let side = if first.shown_in == FoundIn::A { "A" } else { "B" };
        let at = in_frames(first.frame, first.frames);
        format!("visibility: {} is visible only in {side}, first in {at}", named(&first.mesh))
    });
    let order = pose.draw_order.as_ref().map(|first| {
        let (a, b) = (named(&first.a), named(&first.b));
        format!("draw order: {a} in A instead of {b} in B, first in {}", in_frames(first.frame, first.frames))
    });
    // The parentheses do not rule out an animation of that name; nothing can.
    let (name, occurrence) =
        pose.animation.as_ref().map_or(("(bind pose)", 0), |named| (&*named.name, named.occurrence));
    let name = match &pose.skin {
        Some(skin) => format!("{name} in {}", named(skin)),
        None => name.to_owned(),
    };
    lines(FoundIn::Both, &name, occurrence, vec![bones, vertices, visibility, order])
}

fn change<T>(what: &str, change: &Change<T>, text: impl Fn(&T) -> String) -> String {
    format!("{what}: {} → {}", text(&change.a), text(&change.b))
}

fn named_or_none(item: &Option<Named>) -> String {
    item.as_ref().map_or("none".to_owned(), named)
}

fn named(item: &Named) -> String {
    numbered(&item.name, item.occurrence)
}

/// Returns the name, with its number if it is a duplicate.
fn numbered(name: &str, occurrence: u32) -> String {
    let name = if name.is_empty() { "(no name)".to_owned() } else { escaped(name) };
    if occurrence == 0 { name } else { format!("{name} (no. {})", occurrence + 1) }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Formats a number with about four digits.
fn number(value: f32) -> String {
    let digits = match value {
        1e-3..10.0 => 3,
        10.0..100.0 => 2,
        100.0..1e6 => 1,
        _ => return format!("{value:.2e}"),
    };
    // Below 1, one more digit.
    let text = if value < 1.0 { format!("{value:.4}") } else { format!("{value:.digits$}") };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_about_four_digits() {
        let texts: Vec<String> =
            [0.000_123_4, 0.001_23, 0.5, 2.0, 12.345, 123_456.78, 3e30].into_iter().map(number).collect();
        assert_eq!(texts, ["1.23e-4", "0.0012", "0.5", "2", "12.35", "123456.8", "3.00e30"]);
    }

    #[test]
    fn a_long_section_is_cut() {
        let line = |index: usize| Line { mark: '+', name: format!("bone {index}"), detail: String::new() };
        let section = Section { name: "bones", title: "0 → 25".to_owned(), lines: (0..25).map(line).collect() };
        let mut text = String::new();
        section.write(&mut text);
        assert_eq!(text.lines().count(), 2 + MAX_LINES + 1);
        assert!(text.starts_with("\nbones: 0 → 25\n  + bone 0\n") && text.ends_with("  … and 5 more\n"), "{text}");
    }

    #[test]
    fn lists_are_joined_with_commas_and_and() {
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
    }
}
