//! The keyframes of a character as `armature.json` states them.

use super::{armature_text, normalise, read};
use crate::diagnostics::Diagnostics;
use crate::error::Result;
use crate::formats::keys::{Found, ItemKind, Items, Part, Shape, StatedKey, Step, Text, Texts, matches};
use crate::formats::skelform::container::Container;
use crate::formats::{Input, ReadOptions};

/// Returns the text of a character.
pub fn texts(input: &Input<'_>, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Option<Texts>> {
    let mut budget = options.budget();
    let container = Container::open(&input.bytes, &mut budget)?;
    let bytes = armature_text(&container, &mut budget)?;
    let root = read::read(&bytes, container.data_offset(read::ARMATURE), &mut budget, diagnostics)?;
    let shape = Armature {
        bones: normalise::normalise(&root)?.bones.iter().map(|bone| bone.name.to_owned()).collect(),
        animations: root.animations.iter().map(|it| (it.name.as_str().to_owned(), it.fps.0.into())).collect(),
    };
    let text = Text { file: Some(read::ARMATURE.to_owned()), bytes: bytes.clone(), offsets: None };
    let form = format!("skelform {}", root.version.as_str());
    Ok(Some(Texts { form, texts: vec![text], shape: Some(Box::new(shape)), items: ITEMS }))
}

const ITEMS: Items = &[
    (ItemKind::Bone, &["bones"]),
    (ItemKind::Constraint, &["inverse_kinematics"]),
    (ItemKind::Animation, &["animations"]),
    (ItemKind::Skin, &["styles"]),
];

/// The elements with an effect.
const ELEMENTS: &str = "PositionX PositionY Rotation ScaleX ScaleY TintR TintG TintB TintA Hidden Texture Zindex IkConstraint \
                        IkMode MimicTarget";

/// The names that keyframes refer to by index.
#[derive(Debug)]
struct Armature {
    bones: Vec<String>,
    /// Names and frames per second.
    animations: Vec<(String, f64)>,
}

impl Shape for Armature {
    fn part(&self, path: &[Step<'_>]) -> Part {
        matches(&[&["animations", "#", "keyframes"]], path, |word, name| word == name)
    }

    fn key<'k>(&'k self, _: usize, found: &mut Found<'_, 'k>) -> StatedKey<'k> {
        let animation = match found.path {
            [_, Step::Index(index), ..] => self.animations.get(*index),
            _ => None,
        };
        let (animation, fps) = animation.map_or(("", 0.0), |(name, fps)| (name, *fps));
        let bone = found.number("bone_id").and_then(|id| self.bones.get(id as usize));
        if bone.is_some() {
            found.take("bone_id");
        }
        // Older files have a number, and some of them the name in another field.
        let element = found.take_text("element").or_else(|| found.take_text("element_str"));
        let element = element.unwrap_or_default();
        let name = bone.map_or("", String::as_str);
        let known = ELEMENTS.split(' ').any(|known| known == element);
        let mut key = StatedKey::new(animation.into(), "bone".into(), name.into(), element.into());
        key.known = known;
        let frame = found.number("frame").unwrap_or_default();
        key.seconds = Some(if fps > 0.0 { frame / fps } else { 0.0 }).filter(|seconds| seconds.is_finite());
        key
    }

    fn curve_fields(&self) -> &'static [&'static str] {
        &["start_handle", "end_handle", "handle_preset", "transition", "is_snap"]
    }

    fn time_fields(&self) -> &'static [&'static str] {
        &["frame", "next_kf"]
    }
}
