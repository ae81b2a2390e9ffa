//! What calls answer, as JSON.

use pchr::Character;
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::limits::Limits;
use pchr::motion::{first_animation, has_physics};
use pchr::player::{EventKind, Events};
use serde::Serialize;

use crate::failure::Failure;

/// A finding, as `pchr validate` lists it.
#[derive(Serialize)]
struct Finding {
    severity: &'static str,
    #[serde(flatten)]
    fault: Failure,
}

/// An opened character.
#[derive(Serialize)]
pub struct Opened {
    /// Files that the character refers to and that are neither there nor known to be missing.
    wanted: Vec<String>,
    /// The first picture or atlas that it should have.
    missing: Option<Failure>,
    findings: Vec<Finding>,
    info: Info,
}

/// What a character contains.
#[derive(Serialize)]
struct Info {
    format: &'static str,
    animations: Vec<Animation>,
    #[serde(rename = "defaultAnimation")]
    default_animation: Option<String>,
    skins: Vec<String>,
    slots: Vec<String>,
    /// Index of each slot's bone in `bones`, if the slot has one.
    #[serde(rename = "slotBones")]
    slot_bones: Vec<Option<usize>>,
    bones: Vec<String>,
    events: Vec<String>,
    pages: Vec<Page>,
    physics: bool,
}

#[derive(Serialize)]
struct Animation {
    name: String,
    duration: f64,
    looping: bool,
    fps: f64,
    frames: u32,
}

#[derive(Serialize)]
struct Page {
    name: String,
    width: u32,
    height: u32,
    /// Drawn without interpolation at whole factors.
    pixel_art: bool,
}

impl Opened {
    pub fn of(
        character: &Character,
        format: &'static str,
        diagnostics: &Diagnostics,
        wanted: Vec<String>,
    ) -> Self {
        let severity = |severity| match severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let finding = |finding: &pchr::diagnostics::Finding| Finding {
            severity: severity(finding.severity),
            fault: Failure::of_fault(&finding.fault),
        };
        Self {
            wanted,
            missing: diagnostics.missing_image().map(Failure::of_fault),
            findings: diagnostics.findings().iter().map(finding).collect(),
            info: Info::of(character, format),
        }
    }
}

impl Info {
    fn of(character: &Character, format: &'static str) -> Self {
        let model = character.model();
        let animation = |id| {
            let animation = model.animation(id);
            Animation {
                name: animation.name.clone(),
                duration: finite(animation.duration_secs()),
                looping: animation.looping,
                fps: finite(animation.fps()),
                frames: animation.frame_count(),
            }
        };
        let page = |id: pchr::model::PageId| {
            let page = &model.pages()[id.index()];
            Page {
                name: page.name.to_string(),
                width: page.width,
                height: page.height,
                pixel_art: model.is_pixel_art(id),
            }
        };
        let bones = model.skeleton().authored_bones();
        let bone_of = |slot: &pchr::model::Slot| Some(slot.bone?.index()).filter(|index| *index < bones.len());
        let first = first_animation(character, Limits::default().first_picture_work());
        Self {
            format,
            animations: model.motions().map(animation).collect(),
            default_animation: first.map(|id| model.animation(id).name.clone()),
            skins: model.skins().iter().map(|skin| skin.name.to_string()).collect(),
            slots: model.slots().iter().map(|slot| slot.name.to_string()).collect(),
            slot_bones: model.slots().iter().map(bone_of).collect(),
            bones: bones.iter().map(|bone| bone.name.to_string()).collect(),
            events: model.events().iter().map(|event| event.name.to_string()).collect(),
            pages: model.page_ids().map(page).collect(),
            physics: has_physics(character),
        }
    }
}

/// JSON has no infinity.
pub fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

/// What track 0 plays.
#[derive(Serialize)]
pub struct Playing {
    pub animation: Option<String>,
    pub duration: f64,
    pub ended: bool,
    pub skins: Vec<String>,
}

/// What is at a place.
#[derive(Serialize)]
pub struct Hit {
    pub slot: Option<String>,
    pub x: f32,
    pub y: f32,
}

/// A target of inverse kinematics, with its place in the world.
#[derive(Serialize)]
pub struct Target {
    pub bone: String,
    pub x: f32,
    pub y: f32,
}

/// Something that happened on a track.
#[derive(Serialize)]
struct Event<'a> {
    kind: &'static str,
    track: usize,
    animation: Option<&'a str>,
    #[serde(flatten)]
    fired: Option<Fired<'a>>,
}

/// The payload of an event that an animation fires.
#[derive(Serialize)]
struct Fired<'a> {
    name: &'a str,
    int: i32,
    float: f32,
    string: &'a str,
    audio: Option<&'a str>,
    volume: f32,
    balance: f32,
    time: f32,
}

/// The list of events as JSON; empty if there are none.
pub fn events(character: &Character, events: Events<'_>) -> Vec<u8> {
    let mut json = Vec::new();
    for event in events {
        let (kind, fired) = match event.kind {
            EventKind::Start => ("start", None),
            EventKind::Interrupt => ("interrupt", None),
            EventKind::Complete => ("complete", None),
            EventKind::End => ("end", None),
            EventKind::Fired(fired) => {
                let payload = Fired {
                    name: fired.name,
                    int: fired.int,
                    float: fired.float,
                    string: fired.string,
                    audio: fired.audio,
                    volume: fired.volume,
                    balance: fired.balance,
                    time: fired.time,
                };
                ("event", Some(payload))
            }
        };
        let animation = event.animation.map(|id| &*character.model().animation(id).name);
        json.push(if json.is_empty() { b'[' } else { b',' });
        // Numbers and text only, which cannot fail.
        _ = serde_json::to_writer(&mut json, &Event { kind, track: event.track, animation, fired });
    }
    if !json.is_empty() {
        json.push(b']');
    }
    json
}
