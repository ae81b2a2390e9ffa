//! Compares what a document shows before and after its sequences are replaced.

use std::fmt::Write;

use ::bytes::Bytes;

use super::super::items::Items;
use super::super::unroll;
use crate::Character;
use crate::diagnostics::Diagnostics;
use crate::error::Result;
use crate::formats::json::{self, pull::Pull};
use crate::formats::spine::build;
use crate::formats::spine::constraint_list;
use crate::formats::spine::schema;
use crate::formats::spine::version::Version;
use crate::formats::{Input, ReadOptions, Sidecars};
use crate::limits::{Budget, Limits};
use crate::model::{AnimationId, Attachment, SkinId};
use crate::motion::{Cue, Position, evaluate};
use crate::pose::{Pose, for_each_deformed_vertex, palette};

/// An atlas next to the document.
struct Atlas(String);

impl Sidecars for Atlas {
    fn load(&self, path: &str, _: &Limits) -> Result<std::result::Result<Bytes, String>> {
        Ok(if path == "a.atlas" { Ok(self.0.clone().into()) } else { Err("missing".to_owned()) })
    }

    fn size(&self, _: &str) -> std::result::Result<u64, String> {
        Ok(self.0.len() as u64)
    }

    fn own_name(&self) -> Option<&str> {
        Some("a.json")
    }
}

pub fn read(text: &str) -> schema::Root<'_> {
    let limits = Limits::default();
    let mut root = json::read_with(text.as_bytes(), 0, &Budget::new(&limits), None, schema::json::Root::pull)
        .expect("a document");
    let stated = root.skeleton.as_ref().and_then(|skeleton| skeleton.spine.as_ref()).expect("a version");
    root.version = Version::parse(stated.as_str()).expect("a known version");
    constraint_list::document(root, &mut Diagnostics::default())
}

/// Returns the document without sequences, which must be exact: it shows the same at every time in all skins.
pub fn unrolled(text: &str) -> schema::Root<'_> {
    let (old, mut new) = (read(text), read(text));
    let mut losses = Vec::new();
    unroll(&mut new, &mut losses);
    assert_eq!(losses, []);
    for (_, attachments) in new.skins.list.iter().flat_map(|skin| &skin.attachments.0) {
        assert!(attachments.0.iter().all(|(_, json)| json.sequence.is_none()));
    }
    let atlas = atlas(&old);
    compare(&old, &new, &atlas);
    new
}

/// An atlas in which each picture of a document has its own place and its own trim.
fn atlas(root: &schema::Root<'_>) -> Atlas {
    let mut text = "page.png\nsize: 4096, 4096\n".to_owned();
    let mut number = 0;
    for item in &Items::of(root).list {
        for picture in 0..item.numbered.map_or(1, |it| it.count) {
            number += 1;
            let path = item.path(picture);
            let (left, up) = (number % 5, number % 3);
            writeln!(text, "{path}\nbounds: {number}, {number}, 9, 8\noffsets: {left}, {up}, 19, 15")
                .expect("text");
        }
    }
    Atlas(text)
}

fn character(root: &schema::Root<'_>, atlas: &Atlas) -> Character {
    let input = Input { bytes: Bytes::new(), sidecars: atlas };
    let options = ReadOptions::default();
    let mut diagnostics = Diagnostics::default();
    let made = build::build(root, &input, &options, &mut Budget::new(&options.limits), &mut diagnostics);
    let findings = diagnostics.findings().iter();
    let missing = findings.filter(|finding| finding.fault.code == "missing-region").count();
    assert_eq!(missing, 0, "{:?}", diagnostics.findings());
    made.expect("a character")
}

fn compare(old: &schema::Root<'_>, new: &schema::Root<'_>, atlas: &Atlas) {
    let characters = [old, new].map(|root| character(root, atlas));
    let skins = (0..old.skins.list.len()).map(|skin| vec![SkinId::new(skin)]).collect::<Vec<_>>();
    for (index, (name, animation)) in new.animations.0.iter().enumerate() {
        let id = AnimationId::new(index);
        let durations = [0, 1].map(|at: usize| characters[at].model().animation(id).duration_secs());
        assert_eq!(durations[0], durations[1], "{}", name.as_str());
        let duration = durations[0].min(60.0);
        let mut times: Vec<f64> = (0..=(duration * 60.0) as u32).map(|frame| f64::from(frame) / 60.0).collect();
        let keys = animation.slots.0.iter().flat_map(|(_, slot)| &slot.steps);
        // A key may come one 32-bit number early, see `Course::is_late`.
        let around = |key: f32| {
            let time = f64::from(key);
            [time - 1e-4, f64::from(key.next_up()), time + 1e-4]
        };
        times.extend(keys.flat_map(|key| around(key.time.0)));
        times.push(duration);
        times.retain(|time| (0.0..=duration).contains(time));
        for skins in [vec![]].iter().chain(&skins) {
            for &time in &times {
                let [old, new] = characters.each_ref().map(|character| shown(character, id, time, skins));
                assert_eq!(old, new, "{} at {time} s, skins {skins:?}", name.as_str());
            }
        }
    }
}

/// What each slot shows: the corners of the picture, in the world and on the page, and the rest.
fn shown(character: &Character, animation: AnimationId, time: f64, skins: &[SkinId]) -> Vec<String> {
    let model = character.model();
    let (animation, position) = (Some(animation), Position::Seconds(time));
    let cue = Cue { animation, position, hold: true, skins: skins.to_vec(), ..Cue::default() };
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    evaluate(character, &cue, &mut pose);
    palette(model, &pose, &mut matrices);
    let slot = |state: &crate::pose::SlotPose| {
        let Some(attachment) = state.attachment.map(|id| model.attachment(id)) else {
            return "nothing".to_owned();
        };
        let deform = pose.deform_of(state);
        match attachment {
            Attachment::Region(mesh) | Attachment::Mesh(mesh) => {
                let mut text = format!("{:?}", mesh.tint);
                for_each_deformed_vertex(&mesh.vertices, deform, &matrices, |point, uv| {
                    write!(text, " {point}:{uv}").expect("text");
                });
                text
            }
            other => format!("{:?} {deform:?}", std::mem::discriminant(other)),
        }
    };
    pose.slots.iter().map(slot).collect()
}
