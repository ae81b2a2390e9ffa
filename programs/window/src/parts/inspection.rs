//! What the inspector shows about the selection: facts about the file, computed once per selection, and the transform
//! of its bone, computed for every frame.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::picking::Picking;
use crate::base::memo::{ByAddress, Cached};
use crate::base::name::shown;
use crate::scene::on_page::on_page;
use crate::scene::selection::Selected;
use pchr::Character;
use pchr::math::Vec2;
use pchr::model::{AttachmentId, BoneId, Model, SlotId};
use pchr::motion::{Motion, symbol_of};
use pchr::outline::{Fact, Link, Value, hex_of_shares, references};
use pchr::pose::{Pose, Transform};

/// Most facts, and most bones of a chain, that are shown.
const MAX_LINES: usize = 60;

/// State of the inspector.
#[derive(Debug, Default)]
pub struct Inspector {
    /// Only its title is shown.
    pub is_folded: bool,
    /// Its details are shown even if they cover most of a low canvas.
    pub covers_low_canvas: bool,
    known: Cached<(ByAddress<Character>, Selected), Arc<Inspection>>,
}

/// What is known about the selected part.
#[derive(Debug, Clone, PartialEq)]
pub struct Inspection {
    /// What it is, such as `Bone`.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// The bone whose transform is shown.
    pub bone: Option<BoneId>,
    /// The symbol that can be played.
    pub symbol: Option<String>,
    /// The file states the keys of the part.
    pub has_keys: bool,
    /// The attachment whose place on its page is shown.
    pub attachment: Option<AttachmentId>,
    /// The slot whose attachment can be chosen, and the names of its attachments in all skins.
    pub slot: Option<(SlotId, Vec<String>)>,
    /// The facts.
    pub lines: Vec<Line>,
}

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// A name and a value.
    Value(&'static str, String),
    /// A name, and parts of the character that can be selected.
    Links {
        /// The name.
        name: &'static str,
        /// The parts.
        links: Vec<Link>,
        /// They are bones from the root to the last one.
        is_chain: bool,
    },
}

impl Inspector {
    /// Returns what is known about `selected`, a part of `character`.
    pub fn inspect(&mut self, character: &Arc<Character>, selected: Selected) -> Arc<Inspection> {
        let key = (ByAddress::of(character), selected);
        Arc::clone(self.known.get(key, || inspect(character, selected).into()))
    }
}

fn inspect(character: &Character, selected: Selected) -> Inspection {
    let model = character.model();
    let bone = selected.bone(model);
    let attachment = match selected {
        Selected::Attachment(_, attachment) => Some(attachment),
        Selected::Slot(slot) if model.skins().is_empty() => model.slot(slot).attachment,
        Selected::Bone(_) | Selected::Slot(_) | Selected::Skin(_) => None,
        Selected::Constraint(_) | Selected::Event(_) => None,
    };
    let facts = selected.facts(character).into_iter().chain(references(character, selected));
    let facts = facts.filter(|fact| !fact.label.is_empty());
    let mut lines: Vec<Line> = bone.map(|bone| chain(model, bone)).into_iter().collect();
    let mut found: Vec<Line> = facts.filter_map(line).collect();
    // Links first, below the chain.
    found.sort_by_key(|line| matches!(line, Line::Value(..)));
    let more = found.len().saturating_sub(MAX_LINES);
    lines.extend(found.into_iter().take(MAX_LINES));
    if more > 0 {
        lines.push(Line::Value("", format!("and {more} more")));
    }
    lines.extend(attachment.into_iter().flat_map(|attachment| of_picture(model, attachment)));
    let slot = selected.slot().map(|slot| (slot, choices(model, slot))).filter(|(_, names)| !names.is_empty());
    let instance = bone.filter(|bone| selected == Selected::Bone(*bone));
    let symbol = instance.and_then(|bone| symbol_of(character, bone)).map(|(symbol, _)| symbol.to_owned());
    let (kind, name) = (selected.title(model), shown(selected.name(model)));
    let has_keys = states_keys(character) && !matches!(selected, Selected::Skin(_));
    Inspection { kind, name, bone, symbol, has_keys, attachment, slot, lines }
}

/// Returns true if the file of a character states its keys as text, or in a binary skeleton.
pub fn states_keys(character: &Character) -> bool {
    matches!(character.motion(), Motion::Spine(_) | Motion::SkelForm(_))
}

/// Returns the names of the attachments that a slot has in any skin.
fn choices(model: &Model, slot: SlotId) -> Vec<String> {
    let entries = model.skins().iter().flat_map(|skin| &skin.entries).filter(|entry| entry.slot == slot);
    let names: BTreeSet<&str> = entries.map(|entry| &*entry.key).collect();
    names.into_iter().map(str::to_owned).collect()
}

/// Returns a line about a fact, unless it only says that something is absent.
fn line(Fact { label, value, .. }: Fact) -> Option<Line> {
    let text = match value {
        Value::Nothing(_) | Value::Flag(false) => return None,
        Value::Parts(links) | Value::Set(links) => {
            return (!links.is_empty()).then_some(Line::Links { name: label, links, is_chain: false });
        }
        Value::Text(text) | Value::Note(text) => shown(&text),
        Value::Color(channels) => hex_of_shares(&channels),
        Value::Flag(true) | Value::Count(_) | Value::Number(_) => value.text(),
    };
    Some(Line::Value(label, text))
}

/// The mesh, and where its picture is.
fn of_picture(model: &Model, attachment: AttachmentId) -> Vec<Line> {
    let shape = model.attachment(attachment);
    let mut lines = Vec::new();
    let Some(mesh) = shape.mesh() else { return lines };
    let mut add = |name, text| lines.push(Line::Value(name, text));
    add("Vertices", mesh.vertices.len().to_string());
    add("Triangles", (mesh.indices.len() / 3).to_string());
    if let Some(place) = on_page(model, shape) {
        let (page, size) = (&model.pages()[place.page.index()], place.rect.size());
        add("Page", format!("{}: {}", place.page.index() + 1, shown(&page.name)));
        let corner = place.rect.min;
        add("Region", format!("{} × {} px at {}, {}", size.x, size.y, corner.x, corner.y));
    }
    lines
}

/// Returns the bones from the root to `bone`, at most the last [`MAX_LINES`].
fn chain(model: &Model, bone: BoneId) -> Line {
    let bones = model.skeleton().bones();
    let ancestors = std::iter::successors(Some(bone), |bone| bones.get(bone.index()).and_then(|bone| bone.parent));
    let mut links: Vec<Link> =
        ancestors.take(MAX_LINES).map(|bone| Link::to(Selected::Bone(bone), model)).collect();
    links.reverse();
    Line::Links { name: "Chain", links, is_chain: true }
}

/// Returns a number with two decimals, and without the sign of a negative zero.
pub fn number(value: f32) -> String {
    let text = if value.abs() < 1e7 { format!("{value:.2}") } else { format!("{value:.2e}") };
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

/// Returns the rows of the transform of a bone: a name, and the value relative to the parent and in the world.
pub fn transform(model: &Model, pose: &Pose, bone: BoneId) -> Option<[(&'static str, [String; 2]); 6]> {
    let world = Transform::from(*pose.world_from_bone.get(bone.index())?);
    let local = pose.parent_from_bone(model, bone).map(Transform::from);
    let row = |name, value: fn(&Transform) -> String| {
        (name, [local.as_ref().map_or_else(|| "–".to_owned(), value), value(&world)])
    };
    Some([
        row("X", |of| number(of.position.x)),
        row("Y", |of| number(of.position.y)),
        row("Rotation", |of| format!("{}°", number(of.rotation_degrees))),
        row("Scale X", |of| number(of.scale.x)),
        row("Scale Y", |of| number(of.scale.y)),
        row("Shear", |of| format!("{}°", number(of.shear_degrees))),
    ])
}

/// What is at the picked point.
#[derive(Debug, Clone, PartialEq)]
pub struct PickedPoint {
    /// Texture coordinates.
    pub uv: Vec2,
    /// Coverage of the pixel, 0 to 1.
    pub alpha: f32,
    /// The bones that move it and their weights, largest first.
    pub weights: Vec<(BoneId, f32)>,
}

/// Returns what is at the point at which `selected` was picked.
pub fn picked_point(model: &Model, picking: &Picking, selected: Selected) -> Option<PickedPoint> {
    let hit = picking.hit(model, Some(selected))?;
    let (surface, mesh) = (hit.surface?, model.attachment(hit.attachment).mesh()?);
    let mut weights = Vec::new();
    surface.weights(model, mesh, &mut weights);
    Some(PickedPoint { uv: surface.uv, alpha: surface.alpha, weights })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pchr::diagnostics::Diagnostics;
    use pchr::formats::{ReadOptions, from_bytes};

    #[test]
    fn numbers_have_two_decimals_and_no_negative_zero() {
        assert_eq!(number(-0.001), "0.00");
        assert_eq!(number(-12.345), "-12.35");
        assert_eq!(number(1e9), "1.00e9");
    }

    /// The facts about a selection that have this name.
    fn facts(character: &Character, selected: Selected, name: &str) -> Vec<String> {
        let text = |line: Line| match line {
            Line::Value(of, text) => (of, text),
            Line::Links { name, links, .. } => {
                (name, links.into_iter().map(|link| link.text).collect::<Vec<_>>().join(" "))
            }
        };
        let lines = inspect(character, selected).lines.into_iter().map(text);
        lines.filter(|(of, _)| *of == name).map(|(_, text)| text).collect()
    }

    #[test]
    fn what_masks_show_and_the_slots_of_a_folder() {
        let json = r#"{"skeleton":{"spine":"4.3.00"},"bones":[{"name":"root"}],
            "slots":[{"name":"a","bone":"root"},{"name":"b","bone":"root"},{"name":"c","bone":"root"}],
            "skins":[{"name":"default","attachments":{"a":{
                "plain":{"type":"clipping","vertexCount":3,"vertices":[0,0,1,0,0,1]},
                "hull":{"type":"clipping","vertexCount":3,"vertices":[0,0,1,0,0,1],"convex":true},
                "hole":{"type":"clipping","vertexCount":3,"vertices":[0,0,1,0,0,1],"inverse":true}}}}],
            "animations":{
                "turn":{"drawOrderFolder":[{"slots":["a","c"],"keys":[{}]}]},
                "back":{"drawOrderFolder":[{"slots":["a","c"],"keys":[{}]}]}}}"#;
        let character = from_bytes(json, &ReadOptions::default(), &mut Diagnostics::default()).unwrap();
        let model = character.model();
        let slot = |name: &str| model.find_slot(name).unwrap();
        let of_mask = |name: &str, fact: &str| {
            let mask = model.attachment_ids().find(|id| model.attachment(*id).name() == name).unwrap();
            facts(&character, Selected::Attachment(slot("a"), mask), fact)
        };
        assert_eq!(["Inverse", "Convex hull"].map(|fact| of_mask("plain", fact).len()), [0, 0]);
        assert_eq!(
            (of_mask("hull", "Inverse").len(), of_mask("hull", "Convex hull")),
            (0, vec!["yes".to_owned()])
        );
        assert_eq!(
            (of_mask("hole", "Inverse"), of_mask("hole", "Convex hull")),
            (vec!["yes".to_owned()], vec!["yes".to_owned()])
        );
        assert_eq!(facts(&character, Selected::Slot(slot("c")), "Ordered among"), ["a c"]);
        assert_eq!(facts(&character, Selected::Slot(slot("b")), "Ordered among"), [""; 0]);
    }
}
