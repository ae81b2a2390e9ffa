//! [`schema::Root`] → [`Character`]: resolves every name, checks every number and count.
//!
//! The first error ends the reading, with a pointer to its place; oddities become findings. If errors are
//! collected, the rest of the file is still checked, but no character is made.

mod animations;
mod attachments;
mod constraints;
pub mod keys;
mod pictures;
mod sequences;
mod vertices;

use foldhash::{HashMap, HashMapExt};

use super::binary::Layout;
use super::schema;
use super::version::Version;
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, escaped};
use crate::formats::{Input, ReadOptions, page_alpha};
use crate::limits::Budget;
use crate::math::{Affine2, dvec2};
use crate::model::{Blend, Bone, BoneId, Event, Marker, ModelBuilder, Slot, Tint};
use crate::motion::Motion;
use crate::motion::spine::{BoneLocal, Inherit, OldInherit, Rig, Spine, Stored};

#[cfg(feature = "convert")]
pub use animations::{attachments::sequence_mode, wrong_curve};
pub use attachments::{Attached, attachments_of};
pub use attachments::{MAX_SEARCHED, numbered_pictures_of, pictures_of};
#[cfg(feature = "convert")]
pub use attachments::{images_of, picture_name, skin_pointer};
#[cfg(feature = "convert")]
pub use constraints::applied;
pub use constraints::pointer as constraint_pointer;
#[cfg(feature = "convert")]
pub use sequences::Numbered;
pub use sequences::charge as charge_sequences;
#[cfg(feature = "convert")]
pub use vertices::whole;

/// Indices by name. Of several items with one name, the last counts.
struct Names<'a> {
    bones: HashMap<&'a str, u32>,
    slots: HashMap<&'a str, u32>,
    skins: HashMap<&'a str, u32>,
    events: HashMap<&'a str, u32>,
    /// Attachment names, by slot.
    keys: HashMap<(u32, &'a str), u32>,
}

/// A character that is being built.
struct Build<'c, 'a, 'b> {
    root: &'a schema::Root<'a>,
    names: Names<'a>,
    builder: ModelBuilder,
    rig: Rig,
    budget: &'c mut Budget<'b>,
    diagnostics: &'c mut Diagnostics,
}

/// Builds the character.
pub fn build(
    root: &schema::Root<'_>,
    input: &Input<'_>,
    options: &ReadOptions,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let checked = check(root, input, options, budget, diagnostics)?;
    let checked = checked.ok_or_else(|| {
        // Only reached while errors are collected; the errors themselves are in `diagnostics`.
        Error::misuse("has-errors", "no character can be made from a file with errors")
    })?;
    Ok(checked.into_character().0)
}

/// The parts of a character, and the data that lints need.
pub struct Checked<'a> {
    pub builder: ModelBuilder,
    pub rig: Rig,
    pub animations: Vec<crate::motion::spine::Animation>,
    stored: Stored,
    /// Attachment indices by name.
    pub attached: Attached<'a>,
}

impl<'a> Checked<'a> {
    /// Makes the character, and returns the rest.
    pub fn into_character(self) -> (Character, Attached<'a>) {
        let Self { builder, rig, animations, stored, attached } = self;
        (Character::of(builder.build(), Motion::Spine(Spine::new(rig, animations, stored))), attached)
    }
}

/// Runs every check that can fail. Returns `None` if errors were collected.
pub fn check<'a>(
    root: &'a schema::Root<'a>,
    input: &Input<'_>,
    options: &ReadOptions,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Checked<'a>>> {
    charge(root, budget)?;
    let fatal_errors = diagnostics.fatal_errors();
    let names = Names {
        bones: by_name(root.bones.iter().map(|bone| &bone.name)),
        slots: by_name(root.slots.iter().map(|slot| &slot.name)),
        skins: by_name(root.skins.list.iter().map(|skin| &skin.name)),
        events: by_name(root.events.0.iter().map(|(name, _)| name)),
        keys: HashMap::new(),
    };
    let rig = Rig { rules: Layout::played(root.version).row().rules, ..Rig::default() };
    let mut build = Build { root, names, builder: ModelBuilder::default(), rig, budget, diagnostics };
    build.bones()?;
    build.slots()?;
    if root.bones.is_empty() && !root.slots.is_empty() {
        // Every slot lacks its bone, which has been reported.
        return Ok(None);
    }
    build.constraints()?;
    let attached = build.attachments(input, options)?;
    page_alpha::decide(&mut build.builder, options, build.diagnostics);
    for (name, event) in &root.events.0 {
        build.builder.event(Event {
            name: name.as_str().into(),
            int: event.integer,
            float: event.number.0,
            string: event.text.as_ref().map_or("", schema::Text::as_str).into(),
            audio: event.audio.as_ref().map(|audio| audio.as_str().into()),
            volume: event.volume.map_or(1.0, |volume| volume.0),
            balance: event.balance.map_or(0.0, |balance| balance.0),
        });
    }
    let (animations, stored) = build.animations(options, &attached)?;
    let Build { names, builder, mut rig, diagnostics, .. } = build;
    rig.key_count = names.keys.len();
    let is_whole = diagnostics.fatal_errors() == fatal_errors;
    Ok(is_whole.then_some(Checked { builder, rig, animations, stored, attached }))
}

/// Charges all counts before anything is built.
fn charge(root: &schema::Root<'_>, budget: &mut Budget<'_>) -> Result<()> {
    let constraints = root.constraints.len();
    for (list, count) in [
        ("/bones", root.bones.len()),
        ("/slots", root.slots.len()),
        ("/ik", constraints),
        ("/skins", root.skins.list.len() + root.skins.attachments().count()),
        ("/events", root.events.0.len()),
        ("/animations", root.animations.0.len()),
    ] {
        budget.charge_records(count as u64, || at(list))?;
        budget.charge_memory(count as u64, RECORD_BYTES, || at(list))?;
    }
    // In the worst case every constraint causes every bone to be recomputed.
    let steps = (constraints + 1).saturating_mul(root.bones.len() + constraints);
    if steps > crate::motion::spine::MAX_STEPS {
        let message = format!(
            "{constraints} constraints on {} bones are too many; a pose may take at most {} steps",
            root.bones.len(),
            crate::motion::spine::MAX_STEPS
        );
        return Err(Error::unsupported("too-many", at("/bones"), message));
    }
    Ok(())
}

/// Upper bound on the size of any record in bytes, without its lists.
const RECORD_BYTES: usize = 512;

fn by_name<'a>(names: impl Iterator<Item = &'a schema::Text<'a>>) -> HashMap<&'a str, u32> {
    (0..).zip(names).map(|(index, name)| (name.as_str(), index)).collect()
}

pub use crate::formats::json::text::escaped_key;

/// The place at a JSON pointer.
pub fn at(pointer: impl ToString) -> Place {
    Place::inside(pointer.to_string())
}

pub fn malformed(code: &'static str, pointer: impl ToString, message: impl Into<String>) -> Error {
    Error::malformed(code, at(pointer), message)
}

/// Returns the index of the item called `name`.
pub fn find(
    names: &HashMap<&str, u32>,
    name: &schema::Text<'_>,
    what: &str,
    pointer: impl FnOnce() -> String,
) -> Result<usize> {
    names.get(name.as_str()).map(|&index| index as usize).ok_or_else(|| missing(what, name, pointer()))
}

pub fn missing(what: &str, name: &schema::Text<'_>, pointer: String) -> Error {
    malformed("missing-name", pointer, format!("no {what} named `{}`", escaped(name.as_str())))
}

/// Returns the index of a bone's parent.
pub fn parent_of(root: &schema::Root<'_>, index: usize, bones: &HashMap<&str, u32>) -> Result<Option<usize>> {
    let bone = &root.bones[index];
    let pointer = || format!("/bones/{index}/parent");
    let Some(parent) = &bone.parent else { return Ok(None) };
    let parent = find(bones, parent, "bone", pointer)?;
    if parent >= index {
        let message = format!(
            "bone `{}` cannot be the parent of `{}`: a parent must come before its children",
            escaped(root.bones[parent].name.as_str()),
            escaped(bone.name.as_str())
        );
        return Err(malformed("bad-parent", pointer(), message));
    }
    Ok(Some(parent))
}

impl Build<'_, '_, '_> {
    fn bones(&mut self) -> Result<()> {
        for (index, bone) in self.root.bones.iter().enumerate() {
            let parent = parent_of(self.root, index, &self.names.bones);
            let parent = self.diagnostics.recover(parent)?.flatten();
            self.builder.bone(Bone {
                name: bone.name.as_str().into(),
                parent: parent.map(BoneId::new),
                bone_from_bind: Some(Affine2::IDENTITY),
                marker: Marker {
                    // Only editors show it, so an invalid one is no reason to refuse the file.
                    color: bone.color.as_ref().and_then(schema::Color::valid),
                    icon: bone.icon.as_ref().map(|icon| icon.as_str().into()),
                    is_hidden: !bone.visible,
                },
            })?;
            let setup = BoneLocal {
                translation: dvec2(bone.x.0.into(), bone.y.0.into()),
                rotation: bone.rotation.0.into(),
                scale: dvec2(bone.scale_x.0.into(), bone.scale_y.0.into()),
                shear: dvec2(bone.shear_x.0.into(), bone.shear_y.0.into()),
                inherit: inherited(bone, self.root.version),
            };
            let parent = parent.map(|parent| parent as u32);
            let length = bone.length.0.into();
            self.rig.push_bone(crate::motion::spine::Bone { parent, length, needs_skin: bone.skin }, setup);
        }
        Ok(())
    }

    fn slots(&mut self) -> Result<()> {
        for (index, slot) in self.root.slots.iter().enumerate() {
            let bone = find(&self.names.bones, &slot.bone, "bone", || format!("/slots/{index}/bone"));
            let bone = self.diagnostics.recover(bone)?;
            let light = optional_color(slot.color.as_ref(), || format!("/slots/{index}/color"));
            let light = self.diagnostics.recover(light)?;
            let dark = slot.dark.as_ref().map(|dark| color(dark, || format!("/slots/{index}/dark")));
            let dark = self.diagnostics.recover(dark.transpose())?.flatten();
            self.builder.slot(Slot {
                name: slot.name.as_str().into(),
                bone: bone.map(BoneId::new),
                attachment: None,
                tint: Tint { light: light.unwrap_or([1.0; 4]), dark: dark.map(|[r, g, b, _]| [r, g, b]) },
                blend: match slot.blend {
                    schema::Blend::Normal => Blend::Normal,
                    schema::Blend::Additive => Blend::Additive,
                    schema::Blend::Multiply => Blend::Multiply,
                    schema::Blend::Screen => Blend::Screen,
                },
                is_hidden_in_editor: !slot.visible,
            })?;
            self.rig.slots.push(crate::motion::spine::Slot { bone: bone.unwrap_or(0), ..Default::default() });
        }
        Ok(())
    }
}

/// What a bone inherits in a version.
fn inherited(bone: &schema::Bone<'_>, version: Version) -> Inherit {
    if !version.is_early() {
        return inherit(bone.inherits());
    }
    let [rotation, scale] = [bone.inherit_rotation, bone.inherit_scale].map(|stated| stated.unwrap_or(true));
    let has_flips = Layout::played(version) == Layout::V2_1;
    match (rotation, scale) {
        (true, true) if !has_flips => Inherit::Normal,
        (false, false) if !has_flips => Inherit::OnlyTranslation,
        _ => {
            let [flip_x, flip_y] = [bone.flip_x, bone.flip_y].map(|flip| flip && has_flips);
            Inherit::Old(OldInherit { rotation, scale, flip_x, flip_y })
        }
    }
}

fn inherit(inherit: schema::Inherit) -> Inherit {
    match inherit {
        schema::Inherit::Normal => Inherit::Normal,
        schema::Inherit::OnlyTranslation => Inherit::OnlyTranslation,
        schema::Inherit::NoRotationOrReflection => Inherit::NoRotationOrReflection,
        schema::Inherit::NoScale => Inherit::NoScale,
        schema::Inherit::NoScaleOrReflection => Inherit::NoScaleOrReflection,
    }
}

/// Red, green, blue and alpha, each 0 to 1.
fn color(color: &schema::Color<'_>, pointer: impl FnOnce() -> String) -> Result<[f32; 4]> {
    Ok(channels(color, pointer)?.map(|channel| f32::from(channel) / 255.0))
}

/// Red, green, blue and alpha.
pub fn channels(color: &schema::Color<'_>, pointer: impl FnOnce() -> String) -> Result<[u8; 4]> {
    color.rgba().map_err(|text| {
        let message = format!("`{}` is not a colour; expected 6 or 8 hexadecimal digits", escaped(text));
        malformed("bad-color", pointer(), message)
    })
}

/// The colour in a field of a key.
pub fn key_color(
    keys: &schema::Keys<'_>,
    index: usize,
    field: usize,
    pointer: impl Fn() -> String,
) -> Result<[u8; 4]> {
    let color = keys.color(index, field);
    channels(&color.ok_or_else(|| malformed("bad-color", pointer(), "this key has no colour"))?, pointer)
}

/// Like [`color`], with white as the default.
fn optional_color(stated: Option<&schema::Color<'_>>, pointer: impl FnOnce() -> String) -> Result<[f32; 4]> {
    stated.map_or(Ok([1.0; 4]), |stated| color(stated, pointer))
}
