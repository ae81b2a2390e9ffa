//! The keys of a skeleton as the file states them. A binary skeleton is read into JSON of the same version first.

use std::borrow::Cow;
use std::io::{self, Write};

use ::bytes::Bytes;

use super::binary;
use super::schema::{Group, KINDS, Property};
use super::stated_version::stated_version;
use super::version::Version;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::keys::{Found, ItemKind, Items, Part, Shape, StatedKey, Step, Text, Texts};
use crate::formats::{Input, ReadOptions, detect};
use crate::limits::Budget;

/// Returns the text of a skeleton.
pub fn texts(input: &Input<'_>, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Option<Texts>> {
    let mut budget = options.budget();
    budget.check_file(input.bytes.len() as u64)?;
    let version = stated_version(&input.bytes).and_then(Version::parse).unwrap_or_default();
    // JSON rounds numbers, so its keys differ from those of a binary skeleton.
    let (form, text) = match detect::spine::binary_version(&input.bytes) {
        Some(_) => (format!("skel {version}"), text_of_binary(&input.bytes, &mut budget, diagnostics)?),
        None => (format!("spine {version}"), Text { bytes: input.bytes.clone(), ..Text::default() }),
    };
    Ok(Some(Texts { form, texts: vec![text], shape: Some(Box::new(Skeleton)), items: ITEMS }))
}

/// Until 3.7, skins are an object. Until 4.2, each kind of constraint has a list of its own.
const ITEMS: Items = &[
    (ItemKind::Bone, &["bones"]),
    (ItemKind::Slot, &["slots"]),
    (ItemKind::Skin, &["skins"]),
    (ItemKind::Mesh, &["skins", "*", "*"]),
    (ItemKind::Mesh, &["skins", "#", "attachments", "*"]),
    (ItemKind::Constraint, &["ik"]),
    (ItemKind::Constraint, &["transform"]),
    (ItemKind::Constraint, &["path"]),
    (ItemKind::Constraint, &["physics"]),
    (ItemKind::Constraint, &["constraints"]),
    (ItemKind::Event, &["events"]),
    (ItemKind::Animation, &["animations"]),
];

/// Returns the animations of a binary skeleton as JSON, with the offsets of their keys.
fn text_of_binary(bytes: &[u8], budget: &mut Budget<'_>, diagnostics: &mut Diagnostics) -> Result<Text> {
    let (animations, offsets) = binary::all_animations(bytes, budget, diagnostics)?;
    let mut out = Charged { text: br#"{"animations":"#.to_vec(), charged: 0, budget, exceeded: None };
    let written = serde_json::to_writer(&mut out, &animations);
    let (mut text, exceeded) = (out.text, out.exceeded);
    exceeded.map_or(Ok(()), Err)?;
    written.map_err(|error| Error::io("animations", error.into()))?;
    text.push(b'}');
    Ok(Text { bytes: Bytes::from(text), offsets: Some(offsets), ..Text::default() })
}

/// A text that is charged while it grows.
struct Charged<'b, 'l> {
    text: Vec<u8>,
    charged: usize,
    budget: &'b mut Budget<'l>,
    exceeded: Option<Error>,
}

impl Write for Charged<'_, '_> {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        /// Charged at once. Twice, since a vector doubles.
        const BLOCK: usize = 1 << 16;
        self.text.extend_from_slice(part);
        while self.charged < self.text.len() {
            self.charged += BLOCK;
            if let Err(error) = self.budget.charge_memory(2, BLOCK, Place::default) {
                self.exceeded = Some(error);
                return Err(io::Error::other("too long"));
            }
        }
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The form of keys in Spine JSON: lists of objects in an animation, below the names of what they animate.
#[derive(Debug)]
struct Skeleton;

/// Folders of the draw order are a list, too. Their keys are in a field.
const FOLDERS: &str = "drawOrderFolder";

impl Shape for Skeleton {
    fn part(&self, path: &[Step<'_>]) -> Part {
        let is = |at: usize, name: &str| matches!(path.get(at), Some(Step::Name(found)) if found == name);
        match path.len() {
            0 => Part::Inside,
            _ if !is(0, "animations") => Part::Other,
            1 | 2 => Part::Inside,
            3 | 4 if is(2, FOLDERS) => Part::Inside,
            5 if is(2, FOLDERS) && !is(4, "keys") => Part::Other,
            _ => Part::Keys,
        }
    }

    fn key<'k>(&'k self, _: usize, found: &mut Found<'_, 'k>) -> StatedKey<'k> {
        let mut names = found.path.iter().filter_map(|step| match step {
            Step::Name(name) => Some(name.clone()),
            Step::Index(_) => None,
        });
        let mut next = || names.next().unwrap_or_default();
        let (_, animation, group) = (next(), next(), next());
        let has_skin = matches!(&*group, "attachments" | "deform" | "ffd");
        let skin = has_skin.then(&mut next);
        let is_alone = matches!(&*group, "drawOrder" | "draworder" | "events" | FOLDERS);
        let name = if is_alone { Cow::default() } else { next() };
        let attachment = has_skin.then(&mut next);
        let rest = if is_alone { Vec::new() } else { names.collect() };
        let property = if rest.is_empty() { group.clone() } else { rest.join("/").into() };
        let mut key = StatedKey::new(animation, target(&group), name, property);
        key.known = is_known(&group, &rest);
        (key.skin, key.attachment) = (skin, attachment);
        let is_stated = found.fields.iter().any(|(name, _)| name == "time");
        key.seconds = if is_stated { found.take_number("time") } else { Some(0.0) };
        key
    }

    fn curve_fields(&self) -> &'static [&'static str] {
        &["curve", "c2", "c3", "c4"]
    }
}

/// The kind of what a group of timelines animates.
fn target<'k>(group: &Cow<'k, str>) -> Cow<'k, str> {
    match &**group {
        "bones" => "bone".into(),
        "slots" | "attachments" | "deform" | "ffd" => "slot".into(),
        "paths" => "path".into(),
        "draworder" | FOLDERS => "drawOrder".into(),
        _ => group.clone(),
    }
}

/// Returns true for a timeline that some version has. `rest` are the names after that of its target.
fn is_known(group: &str, rest: &[Cow<'_, str>]) -> bool {
    let is_of = |group: Group| match rest {
        [] => group.only().is_some(),
        [name] => {
            Property::of(group).any(|it| it.row().name == *name)
                || group.steps().is_some_and(|steps| steps == *name)
        }
        _ => false,
    };
    match if group == "paths" { "path" } else { group } {
        "bones" => is_of(Group::Bone),
        "slots" => is_of(Group::Slot),
        "attachments" => is_of(Group::Attachment),
        "deform" | "ffd" | "drawOrder" | "draworder" | "events" | FOLDERS => rest.is_empty(),
        group => KINDS.iter().any(|kind| kind.name() == group && is_of(Group::Constraint(*kind))),
    }
}
