//! Animations, without their poses.

use std::fmt;

use serde::Serialize;

use super::plural;
use crate::character::Character;
use crate::error::escaped;
use crate::model::{self, AnimationId, SlotId};
use crate::motion::{FiredEvent, Span, draw_order_folders, for_each_event};

/// An animation.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Animation {
    /// Whether its name marks it as the bind pose instead of a motion.
    pub bind_pose: bool,
    /// Slots of each draw order folder: its keys change only the order among them. Absent if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub draw_order_folders: Vec<Vec<String>>,
    /// Duration in seconds of one loop, or up to the last frame; 0 for a still image.
    pub duration_secs: f64,
    /// Number of fired events, for formats with events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<usize>,
    /// Number of stored frames; for keyed motion, of counted frames.
    pub frames: u32,
    /// Whether it loops.
    #[serde(rename = "loop")]
    pub is_looping: bool,
    /// Name.
    pub name: String,
}

impl Animation {
    /// Describes the name and the timing of an animation.
    pub fn of(animation: &model::Animation) -> Self {
        Self {
            bind_pose: animation.is_bind_pose,
            draw_order_folders: Vec::new(),
            duration_secs: animation.duration_secs(),
            events: None,
            frames: animation.frame_count(),
            is_looping: animation.looping,
            name: animation.name.clone(),
        }
    }

    /// Describes all animations, in file order.
    pub fn all(character: &Character) -> Vec<Self> {
        let model = character.model();
        let named = |slots: Vec<SlotId>| slots.iter().map(|slot| model.slot(*slot).name.to_string()).collect();
        let of = |id| {
            let mut events = 0;
            fired(character, id, |_| events += 1);
            let folders = draw_order_folders(character, id);
            Self {
                draw_order_folders: folders.into_iter().map(named).collect(),
                events: Some(events),
                ..Self::of(model.animation(id))
            }
        };
        model.animation_ids().map(of).collect()
    }
}

/// Calls `visit` with each event that an animation fires, in order.
pub fn fired<'a>(character: &'a Character, animation: AnimationId, visit: impl FnMut(FiredEvent<'a>)) {
    // Before the first frame, so that its events count.
    let whole = Span { from: -1.0, to: f64::INFINITY, looping: false };
    for_each_event(character, animation, whole, visit);
}

impl fmt::Display for Animation {
    /// Draw order folders are lines of their own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {:.3} s", plural(self.frames as usize, "frame", "frames"), self.duration_secs)?;
        f.write_str(if self.is_looping { ", loops" } else { "" })?;
        f.write_str(if self.bind_pose { ", bind pose" } else { "" })?;
        if let Some(events) = self.events.filter(|events| *events > 0) {
            write!(f, ", {}", plural(events, "event", "events"))?;
        }
        for slots in &self.draw_order_folders {
            let slots: Vec<String> = slots.iter().map(|slot| escaped(slot)).collect();
            write!(f, "\n  draw order folder: {}", slots.join(", "))?;
        }
        Ok(())
    }
}
