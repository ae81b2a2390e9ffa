//! What the inspector shows about the selection: facts about the file, computed once per selection, and the transform
//! of its bone, computed for every frame.

use std::sync::Arc;

use super::picking::Picking;
use crate::base::memo::{ByAddress, Cached};
use crate::base::name::shown;
use crate::scene::on_page::on_page;
use crate::scene::selection::Selected;
use pchr::Character;
use pchr::math::Vec2;
use pchr::model::{
    Attachment, AttachmentId, Blend, BoneId, ConstraintKind, ConstraintTarget, Model, SkinId, SlotId, Tint,
};
use pchr::motion::{bone_length, constraint_notes, constraint_settings, draw_order_folders, inheritance};
use pchr::pose::{Pose, Transform};

/// A longer list of bones or attachments is cut off.
const MAX_LINKS: usize = 60;

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
    /// The attachment whose place on its page is shown.
    pub attachment: Option<AttachmentId>,
    /// The facts.
    pub lines: Vec<Line>,
}

/// One fact.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// A name and a value.
    Value(&'static str, String),
    /// A name, and parts of the character that can be selected.
    Links(&'static str, Vec<Link>),
    /// A name, and bones from the root to the last one.
    Chain(&'static str, Vec<Link>),
}

/// The name of a part of the character.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The name.
    pub text: String,
    /// The part; `None` for the end of a list that was cut off.
    pub to: Option<Selected>,
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
    let (kind, lines) = match selected {
        Selected::Bone(bone) => ("Bone", of_bone(character, bone)),
        Selected::Slot(slot) => ("Slot", of_slot(character, slot)),
        Selected::Attachment(slot, attachment) => {
            (kind_of(model.attachment(attachment)), of_attachment(model, slot, attachment))
        }
        Selected::Skin(skin) => ("Skin", of_skin(model, skin)),
        Selected::Constraint(index) => (kind_of_constraint(model, index), of_constraint(character, index)),
        Selected::Event(event) => {
            let event = model.event(event);
            let mut lines = vec![
                value("Integer", event.int.to_string()),
                value("Float", event.float.to_string()),
                value("String", shown(&event.string)),
            ];
            if let Some(audio) = &event.audio {
                lines.push(value("Sound", shown(audio)));
                lines.push(value("Volume", event.volume.to_string()));
                lines.push(value("Balance", event.balance.to_string()));
            }
            ("Event", lines)
        }
    };
    let attachment = match selected {
        Selected::Attachment(_, attachment) => Some(attachment),
        Selected::Slot(slot) if model.skins().is_empty() => model.slot(slot).attachment,
        _ => None,
    };
    let mut inspection =
        Inspection { kind, name: shown(selected.name(model)), bone: selected.bone(model), attachment, lines };
    if let Some(attachment) = attachment {
        inspection.lines.extend(of_picture(model, attachment));
    }
    inspection
}

fn of_bone(character: &Character, bone: BoneId) -> Vec<Line> {
    let model = character.model();
    let bones = model.skeleton().authored_bones();
    let mut lines = vec![chain(model, bone)];
    if let Some(parent) = bones.get(bone.index()).and_then(|bone| bone.parent) {
        lines.push(Line::Links("Parent", vec![link(model, Selected::Bone(parent))]));
    }
    let children = model.skeleton().bone_ids().zip(bones).filter(|(_, child)| child.parent == Some(bone));
    lines.extend(links(model, "Children", children.map(|(id, _)| Selected::Bone(id))));
    let slots = model.slot_ids().zip(model.slots()).filter(|(_, slot)| slot.bone == Some(bone));
    lines.extend(links(model, "Slots", slots.map(|(id, _)| Selected::Slot(id))));
    let constraints = model.constraints().iter().enumerate().filter(|(_, constraint)| {
        constraint.bones.contains(&bone) || constraint.target == Some(ConstraintTarget::Bone(bone))
    });
    lines.extend(links(model, "Constraints", constraints.map(|(index, _)| Selected::Constraint(index))));
    if let Some(length) = bone_length(character, bone) {
        lines.push(value("Length", format!("{length} px")));
    }
    if let Some(inherited) = inheritance(character, bone) {
        lines.push(value("Inherits", inherited.to_owned()));
    }
    lines
}

fn of_slot(character: &Character, id: SlotId) -> Vec<Line> {
    let model = character.model();
    let slot = model.slot(id);
    let mut lines: Vec<Line> = slot.bone.map(|bone| chain(model, bone)).into_iter().collect();
    lines.push(value("Blend", blend(slot.blend).to_owned()));
    lines.push(value("Tint", tint(slot.tint)));
    for (skin, attachments) in model.skin_ids().zip(model.skins()) {
        let entries = attachments.entries.iter().filter(|entry| entry.slot == id);
        let entries: Vec<Selected> =
            entries.map(|entry| Selected::Attachment(id, entry.attachment)).take(MAX_LINKS).collect();
        if lines.len() > MAX_LINKS {
            break;
        }
        if !entries.is_empty() {
            lines.push(Line::Links("In skin", vec![link(model, Selected::Skin(skin))]));
            lines.extend(links(model, "", entries.into_iter()));
        }
    }
    let mut folders: Vec<_> =
        model.animation_ids().flat_map(|animation| draw_order_folders(character, animation)).collect();
    folders.retain(|slots| slots.contains(&id));
    folders.sort_unstable();
    folders.dedup();
    for slots in folders {
        lines.extend(links(model, "Ordered among", slots.into_iter().map(Selected::Slot)));
    }
    lines
}

fn of_attachment(model: &Model, slot: SlotId, attachment: AttachmentId) -> Vec<Line> {
    let mut lines = vec![Line::Links("Slot", vec![link(model, Selected::Slot(slot))])];
    lines.extend(model.slot(slot).bone.map(|bone| chain(model, bone)));
    let is_in = |skin: SkinId| model.skin(skin).entries.iter().any(|entry| entry.attachment == attachment);
    lines.extend(links(model, "Skins", model.skin_ids().filter(|&skin| is_in(skin)).map(Selected::Skin)));
    if let Attachment::ClipMask(mask) = model.attachment(attachment) {
        lines.extend(links(model, "Clips up to", mask.end.into_iter().map(Selected::Slot)));
        let area = if mask.is_convex { "its convex hull" } else { "it" };
        if mask.is_convex || mask.is_inverse {
            let side = if mask.is_inverse { "outside" } else { "in" };
            lines.push(value("Shows", format!("what is {side} {area}")));
        }
    }
    lines
}

/// The mesh, and where its picture is.
fn of_picture(model: &Model, attachment: AttachmentId) -> Vec<Line> {
    let shape = model.attachment(attachment);
    let mut lines = Vec::new();
    let Some(mesh) = shape.mesh() else { return lines };
    lines.push(value("Vertices", mesh.vertices.len().to_string()));
    lines.push(value("Triangles", (mesh.indices.len() / 3).to_string()));
    if let Some(place) = on_page(model, shape) {
        let (page, size) = (&model.pages()[place.page.index()], place.rect.size());
        lines.push(value("Page", format!("{}: {}", place.page.index() + 1, shown(&page.name))));
        let corner = place.rect.min;
        lines.push(value("Region", format!("{} × {} px at {}, {}", size.x, size.y, corner.x, corner.y)));
    }
    lines
}

fn of_skin(model: &Model, id: SkinId) -> Vec<Line> {
    let skin = model.skin(id);
    let mut lines = vec![value("Attachments", skin.entries.len().to_string())];
    let attachments = skin.entries.iter().map(|entry| Selected::Attachment(entry.slot, entry.attachment));
    lines.extend(links(model, "Contents", attachments));
    lines.extend(links(model, "Bones", skin.bones.iter().copied().map(Selected::Bone)));
    lines
}

fn of_constraint(character: &Character, index: usize) -> Vec<Line> {
    let model = character.model();
    let Some(constraint) = model.constraints().get(index) else { return Vec::new() };
    let mut lines: Vec<Line> =
        links(model, "Bones", constraint.bones.iter().copied().map(Selected::Bone)).collect();
    let target = constraint.target.map(|target| match target {
        ConstraintTarget::Bone(bone) => Selected::Bone(bone),
        ConstraintTarget::Slot(slot) => Selected::Slot(slot),
    });
    lines.extend(links(model, "Target", target.into_iter()));
    let settings = constraint_settings(character, index);
    lines.extend(settings.into_iter().map(|(name, setting)| value(name, number(setting))));
    lines.extend(constraint_notes(character, index).into_iter().map(|(name, note)| value(name, note)));
    lines.push(value("Applied", format!("as number {} of {}", index + 1, model.constraints().len())));
    if constraint.needs_skin {
        lines.push(value("Active", "only with a skin that contains it".to_owned()));
    }
    lines
}

/// Returns the display name of an attachment type.
pub fn kind_of(attachment: &Attachment) -> &'static str {
    match attachment {
        Attachment::Region(_) => "Region",
        Attachment::Mesh(_) => "Mesh",
        Attachment::ClipMask(_) => "Clipping polygon",
        Attachment::Path(_) => "Path",
        Attachment::Point(_) => "Point",
        Attachment::Bounds(_) => "Bounding box",
    }
}

/// Returns the display name of a constraint type.
pub fn kind_of_constraint(model: &Model, index: usize) -> &'static str {
    match model.constraints().get(index).map(|constraint| constraint.kind) {
        Some(ConstraintKind::Ik) => "IK constraint",
        Some(ConstraintKind::Transform) => "Transform constraint",
        Some(ConstraintKind::Path) => "Path constraint",
        Some(ConstraintKind::Physics) => "Physics constraint",
        Some(ConstraintKind::Slider) => "Slider",
        None => "Constraint",
    }
}

fn blend(blend: Blend) -> &'static str {
    match blend {
        Blend::Normal => "normal",
        Blend::Additive => "additive",
        Blend::Multiply => "multiply",
        Blend::Screen => "screen",
    }
}

/// Returns the colours as hexadecimal digits, as in an editor.
fn tint(Tint { light, dark }: Tint) -> String {
    let hex = |channels: &[f32]| -> String {
        channels.iter().map(|share| format!("{:02x}", (share.clamp(0.0, 1.0) * 255.0 + 0.5) as u8)).collect()
    };
    match dark {
        Some(dark) => format!("#{}, dark #{}", hex(&light), hex(&dark)),
        None => format!("#{}", hex(&light)),
    }
}

fn chain(model: &Model, bone: BoneId) -> Line {
    let bones = model.skeleton().bones();
    let ancestors = std::iter::successors(Some(bone), |bone| bones.get(bone.index()).and_then(|bone| bone.parent));
    let mut chain: Vec<Link> = ancestors.take(MAX_LINKS).map(|bone| link(model, Selected::Bone(bone))).collect();
    chain.reverse();
    Line::Chain("Chain", chain)
}

/// Returns a line with these links, or none without any.
fn links(model: &Model, name: &'static str, parts: impl Iterator<Item = Selected>) -> impl Iterator<Item = Line> {
    let mut parts = parts.fuse();
    let mut found: Vec<Link> = parts.by_ref().take(MAX_LINKS).map(|part| link(model, part)).collect();
    let more = parts.count();
    if more > 0 {
        found.push(Link { text: format!("and {more} more"), to: None });
    }
    (!found.is_empty()).then_some(Line::Links(name, found)).into_iter()
}

fn link(model: &Model, to: Selected) -> Link {
    Link { text: shown(to.name(model)), to: Some(to) }
}

fn value(name: &'static str, value: String) -> Line {
    Line::Value(name, value)
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

    #[test]
    fn tints_are_hexadecimal() {
        assert_eq!(tint(Tint::NONE), "#ffffffff");
        assert_eq!(
            tint(Tint { light: [1.0, 0.5, 0.0, f32::NAN], dark: Some([0.0; 3]) }),
            "#ff800000, dark #000000"
        );
    }

    /// The facts about a selection that have this name.
    fn facts(character: &Character, selected: Selected, name: &str) -> Vec<String> {
        let text = |line: Line| match line {
            Line::Value(of, text) => (of, text),
            Line::Links(of, links) | Line::Chain(of, links) => {
                (of, links.into_iter().map(|link| link.text).collect::<Vec<_>>().join(" "))
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
        let shows = |name: &str| {
            let mask = model.attachment_ids().find(|id| model.attachment(*id).name() == name).unwrap();
            facts(&character, Selected::Attachment(slot("a"), mask), "Shows")
        };
        assert_eq!(shows("plain"), [""; 0]);
        assert_eq!(shows("hull"), ["what is in its convex hull"]);
        assert_eq!(shows("hole"), ["what is outside its convex hull"]);
        assert_eq!(facts(&character, Selected::Slot(slot("c")), "Ordered among"), ["a c"]);
        assert_eq!(facts(&character, Selected::Slot(slot("b")), "Ordered among"), [""; 0]);
    }
}
