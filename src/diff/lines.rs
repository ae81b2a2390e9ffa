//! Differences in words: one line for each, as `pchr diff` prints them.

use super::differences::{
    AnimationDifference, BoneDifference, BonePart, Change, Diff, FoundIn, ImageDifference, ItemDifference,
    MeshDifference, Named, Places, PoseDifference, VertexDifference,
};
use super::key_lines;
use crate::error::escaped;
use crate::outline;

/// A kind of items that are compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Images.
    Image,
    /// Bones.
    Bone,
    /// Slots.
    Slot,
    /// Skins.
    Skin,
    /// Meshes.
    Mesh,
    /// Constraints.
    Constraint,
    /// Events.
    Event,
    /// The descriptions of animations.
    Animation,
    /// Poses in animations.
    Pose,
    /// Keys, as the files state them.
    Key,
}

impl Kind {
    /// All kinds, in the order of the lines.
    pub(super) const ALL: [Self; 10] = [
        Self::Image,
        Self::Bone,
        Self::Slot,
        Self::Skin,
        Self::Mesh,
        Self::Constraint,
        Self::Event,
        Self::Animation,
        Self::Pose,
        Self::Key,
    ];

    /// Returns the name in the plural.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Image => "images",
            Self::Bone => "bones",
            Self::Slot => "slots",
            Self::Skin => "skins",
            Self::Mesh => "meshes",
            Self::Constraint => "constraints",
            Self::Event => "events",
            Self::Animation => "animations",
            Self::Pose => "poses",
            Self::Key => "keys",
        }
    }
}

/// A difference in words. Lines of the same item are adjacent.
#[derive(Debug, Clone)]
pub struct Line {
    /// The kind of the item.
    pub kind: Kind,
    /// Which of the two characters has the item.
    pub found_in: FoundIn,
    /// The item; for poses and keys the animation, `None` for the bind pose.
    pub item: Option<Named>,
    /// For poses: where the difference is largest, or first found.
    pub at: Option<At>,
    /// The name for display.
    pub name: String,
    /// What differs, and in the first line of an item also where files state it, if that is known. May be empty if only one of
    /// the two has the item.
    pub detail: String,
}

/// The place of a difference between poses.
#[derive(Debug, Clone)]
pub struct At {
    /// The bone or mesh.
    pub part: Part,
    /// The stored frame.
    pub frame: u32,
    /// The skin applied over the default skin, if any.
    pub skin: Option<Named>,
}

/// A part of a character whose pose differs.
#[derive(Debug, Clone)]
pub enum Part {
    /// A bone.
    Bone(Named),
    /// A mesh.
    Mesh(Named),
}

impl FoundIn {
    /// Returns `-` for items that are missing in the second character, `+` for new ones, `~` for those that differ.
    pub fn mark(self) -> char {
        match self {
            Self::A => '-',
            Self::B => '+',
            Self::Both => '~',
        }
    }
}

impl Diff {
    /// Describes every difference, in the order of [`Kind`].
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        lines.extend(self.images.iter().flat_map(image));
        lines.extend(self.bones.iter().flat_map(bone));
        lines.extend(self.slots.iter().flat_map(|slot| item(Kind::Slot, slot)));
        lines.extend(self.skins.iter().flat_map(|skin| item(Kind::Skin, skin)));
        lines.extend(self.meshes.iter().flat_map(mesh));
        lines.extend(self.constraints.iter().flat_map(|constraint| item(Kind::Constraint, constraint)));
        lines.extend(self.events.iter().flat_map(|event| item(Kind::Event, event)));
        lines.extend(self.animations.iter().flat_map(animation));
        lines.extend(self.poses.iter().flat_map(pose));
        lines.extend(self.keys.iter().map(key_lines::line));
        lines
    }
}

/// Returns the lines of an item: one per detail, or one without details if only one side has the item.
fn lines(kind: Kind, found_in: FoundIn, item: &Named, places: &Places, details: Vec<Option<String>>) -> Vec<Line> {
    let mut details = details.into_iter().flatten();
    let first = key_lines::placed(&details.next().unwrap_or_default(), [&places.a, &places.b]);
    let name = numbered(item);
    let line = |detail| Line { kind, found_in, item: Some(item.clone()), at: None, name: name.clone(), detail };
    std::iter::once(first).chain(details).map(line).collect()
}

fn image(image: &ImageDifference) -> Vec<Line> {
    let size = image.size.as_ref().map(|size| change("size", size, |[w, h]| format!("{w}×{h}")));
    let pixels = image
        .pixels
        .as_ref()
        .map(|pixels| format!("pixels: {} differ, by up to {}", pixels.count, pixels.largest));
    lines(Kind::Image, image.found_in, &image.named, &image.places, vec![size, pixels])
}

fn bone(bone: &BoneDifference) -> Vec<Line> {
    let parent = bone.parent.as_ref().map(|parent| change("parent", parent, named_or_none));
    let details = [parent].into_iter().chain(properties(&bone.changes));
    lines(Kind::Bone, bone.found_in, &bone.named, &bone.places, details.collect())
}

fn item(kind: Kind, item: &ItemDifference) -> Vec<Line> {
    lines(kind, item.found_in, &item.named, &item.places, properties(&item.changes).collect())
}

fn properties(changes: &[outline::Change]) -> impl Iterator<Item = Option<String>> {
    changes.iter().map(|change| Some(format!("{}: {} → {}", change.name, change.a, change.b)))
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
    lines(Kind::Mesh, mesh.found_in, &mesh.named, &mesh.places, details)
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
    lines(Kind::Animation, animation.found_in, &animation.named, &animation.places, details)
}

fn pose(pose: &PoseDifference) -> Vec<Line> {
    let in_frames = |frame: u32, frames: u32| match &pose.animation {
        Some(_) => format!("frame {frame}; in {frames} of {} frames", pose.frames),
        None => "bind pose".to_owned(),
    };
    let bones = pose.bones.as_ref().map(|far| {
        let part = match far.part {
            BonePart::Origin => "origin",
            BonePart::XAxis => "x axis",
            BonePart::YAxis => "y axis",
        };
        let (distance, bone) = (number(far.distance), numbered(&far.bone));
        let detail =
            format!("bones: up to {distance} units, {part} of {bone}, {}", in_frames(far.frame, far.frames));
        (detail, Part::Bone(far.bone.clone()), far.frame)
    });
    let vertices = pose.vertices.as_ref().map(|far| {
        let (distance, mesh) = (number(far.distance), numbered(&far.mesh));
        let at = in_frames(far.frame, far.frames);
        let detail = format!("vertices: up to {distance} units, vertex {} of {mesh}, {at}", far.vertex);
        (detail, Part::Mesh(far.mesh.clone()), far.frame)
    });
    let visibility = pose.visibility.as_ref().map(|first| {
        let side = if first.shown_in == FoundIn::A { "A" } else { "B" };
        let at = in_frames(first.frame, first.frames);
        let detail = format!("visibility: {} is visible only in {side}, first in {at}", numbered(&first.mesh));
        (detail, Part::Mesh(first.mesh.clone()), first.frame)
    });
    let order = pose.draw_order.as_ref().map(|first| {
        let (a, b, at) = (numbered(&first.a), numbered(&first.b), in_frames(first.frame, first.frames));
        let detail = format!("draw order: {a} in A instead of {b} in B, first in {at}");
        (detail, Part::Mesh(first.a.clone()), first.frame)
    });
    // The parentheses do not rule out an animation of that name; nothing can.
    let name = pose.animation.as_ref().map_or("(bind pose)".to_owned(), numbered);
    let name = match &pose.skin {
        Some(skin) => format!("{name} in {}", numbered(skin)),
        None => name,
    };
    let line = |(detail, part, frame): (String, Part, u32)| Line {
        kind: Kind::Pose,
        found_in: FoundIn::Both,
        item: pose.animation.clone(),
        at: Some(At { part, frame, skin: pose.skin.clone() }),
        name: name.clone(),
        detail,
    };
    [bones, vertices, visibility, order].into_iter().flatten().map(line).collect()
}

fn change<T>(what: &str, change: &Change<T>, text: impl Fn(&T) -> String) -> String {
    format!("{what}: {} → {}", text(&change.a), text(&change.b))
}

fn named_or_none(item: &Option<Named>) -> String {
    item.as_ref().map_or("none".to_owned(), numbered)
}

/// Returns the name, with its number if it is a duplicate.
fn numbered(Named { name, occurrence }: &Named) -> String {
    let name = if name.is_empty() { "(no name)".to_owned() } else { escaped(name) };
    if *occurrence == 0 { name } else { format!("{name} (no. {})", occurrence + 1) }
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
    fn items_of_one_side_have_no_details() {
        let named = Named { name: "hat\n".to_owned(), occurrence: 1 };
        let bone = BoneDifference { found_in: FoundIn::B, named, ..BoneDifference::default() };
        let lines = super::bone(&bone);
        assert_eq!((lines.len(), lines[0].found_in.mark()), (1, '+'));
        assert_eq!((&*lines[0].name, &*lines[0].detail), ("hat\\n (no. 2)", ""));
    }
}
