//! The contents of tracks by the names of their animations: for files that are read again or left, and as Rust code.

use serde::{Deserialize, Serialize};

use crate::base::name::{short, shown};
use pchr::Animator;
use pchr::error::and_more;
use pchr::model::Model;
use pchr::player::{LoopMode, PlaySettings, Playback};

/// What tracks play and have queued. What is just being replaced is left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SavedTracks {
    tracks: Vec<SavedTrack>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct SavedTrack {
    number: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    current: Option<Entry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    queue: Vec<Entry>,
}

/// An animation on a track.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Entry {
    animation: String,
    /// Frames from the first. Not kept in settings, which would change in every frame.
    #[serde(skip)]
    position: f64,
    /// As `--track` has them. Without a loop mode: the animator's.
    #[serde(with = "settings_text", skip_serializing_if = "is_default")]
    settings: PlaySettings,
}

fn is_default(settings: &PlaySettings) -> bool {
    *settings == PlaySettings::default()
}

/// Settings as text in a file.
mod settings_text {
    use super::{Deserialize, PlaySettings};

    pub fn serialize<S: serde::Serializer>(settings: &PlaySettings, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(settings)
    }

    pub fn deserialize<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<PlaySettings, D::Error> {
        let mut settings = PlaySettings::default();
        // Other versions of the program may write others.
        String::deserialize(deserializer)?.split(',').for_each(|part| _ = settings.set(part));
        Ok(settings)
    }
}

impl Entry {
    fn of(animator: &Animator, playback: &Playback) -> Option<Self> {
        let animation = animator.model().animation(playback.animation()?).name.clone();
        let mut settings = playback.settings();
        settings.loop_mode = settings.loop_mode.filter(|mode| *mode != animator.loop_mode());
        Some(Self { animation, position: playback.position(), settings })
    }

    /// Returns the call that applies the settings, if a new animation does not have them.
    fn call(&self, default_mode: LoopMode) -> String {
        let loop_mode = Some(self.settings.loop_mode.unwrap_or(default_mode));
        let loop_mode = loop_mode.filter(|mode| *mode != LoopMode::Authored);
        let settings = PlaySettings { loop_mode, ..self.settings.clone() };
        if is_default(&settings) { String::new() } else { format!(".apply(&\"{settings}\".parse()?)") }
    }
}

impl SavedTracks {
    /// Returns the tracks of `animator`.
    pub fn of(animator: &Animator) -> Self {
        let mut tracks: Vec<SavedTrack> = Vec::new();
        for (number, _) in animator.playbacks() {
            if tracks.last().is_none_or(|last| last.number != number) {
                let current = Entry::of(animator, animator.playback(number));
                let queue = animator.queued(number).filter_map(|queued| Entry::of(animator, queued)).collect();
                tracks.push(SavedTrack { number, current, queue });
            }
        }
        tracks.retain(|track| track.current.is_some() || !track.queue.is_empty());
        Self { tracks }
    }

    /// Returns true if nothing is on any track.
    pub fn is_empty(&self) -> bool {
        self.tracks.is_empty()
    }

    /// Returns these tracks with every animation at its first frame.
    pub fn rewound(mut self) -> Self {
        let entries = self.tracks.iter_mut().flat_map(|track| track.current.iter_mut().chain(&mut track.queue));
        entries.for_each(|entry| entry.position = 0.0);
        self
    }

    /// Returns true if `model` has all of their animations.
    pub fn are_in(&self, model: &Model) -> bool {
        let mut entries = self.tracks.iter().flat_map(|track| track.current.iter().chain(&track.queue));
        entries.all(|entry| model.find_animation(&entry.animation).is_some())
    }

    /// Replaces what track 0 plays, and where.
    pub fn with_first(mut self, animation: Option<String>, position: f64) -> Self {
        if let Some(first) = self.tracks.iter_mut().find(|saved| saved.number == 0) {
            let entry = first.current.take().zip(animation);
            first.current = entry.map(|(entry, animation)| Entry { animation, position, ..entry });
        }
        self
    }

    /// Returns the name of the animation that a track plays.
    pub fn playing(&self, track: usize) -> Option<&str> {
        let saved = self.tracks.iter().find(|saved| saved.number == track)?;
        Some(&saved.current.as_ref()?.animation)
    }

    /// Returns true if something plays on track 0, or nothing on any track: track 0 must not stay idle then.
    pub fn needs_first(&self) -> bool {
        self.tracks.is_empty() || self.tracks.iter().any(|saved| saved.number == 0)
    }

    /// Plays these tracks on `animator` instead of what it plays, from their positions. Returns the names of
    /// the animations that it lacks.
    pub fn restore(&self, animator: &mut Animator) -> Vec<&str> {
        let mut missing = Vec::new();
        animator.stop();
        for SavedTrack { number, current, queue } in &self.tracks {
            let mut is_idle = true;
            for entry in current.iter().chain(queue) {
                let Some(id) = animator.model().find_animation(&entry.animation) else {
                    missing.push(entry.animation.as_str());
                    continue;
                };
                let playback =
                    if is_idle { animator.play_on(*number, id) } else { animator.queue_on(*number, id, 0.0) };
                if let Ok(playback) = playback {
                    playback.apply(&entry.settings);
                    playback.seek(entry.position);
                    is_idle = false;
                }
            }
        }
        missing
    }

    /// Returns the Rust statements that play these tracks on an [`Animator`] called `animator`, from the first frame
    /// on. `loop_mode` is the mode of entries without their own.
    pub fn to_code(&self, loop_mode: LoopMode) -> String {
        let mut code = String::new();
        for SavedTrack { number, current, queue } in &self.tracks {
            for (index, entry) in current.iter().chain(queue).enumerate() {
                let (name, call) = (&entry.animation, entry.call(loop_mode));
                code.push_str(&match index {
                    0 => format!("animator.play_on({number}, {name:?})?{call};\n"),
                    _ => format!("animator.queue_on({number}, {name:?}, 0.0)?{call};\n"),
                });
            }
        }
        code
    }
}

/// Returns the names of `missing` animations as a message.
pub fn missing_message(missing: &[&str]) -> String {
    const SHOWN: usize = 3;
    let quoted = |name: &&str| format!("“{}”", short(name, 40));
    let names: Vec<String> = missing.iter().map(quoted).collect();
    format!("No longer in the file: {}", and_more(&names, SHOWN))
}

/// Returns the name of an animation for display.
pub fn animation_name(model: &Model, playback: &Playback) -> Option<String> {
    let name = &model.animation(playback.animation()?).name;
    Some(shown(&name.chars().take(100).collect::<String>()))
}
