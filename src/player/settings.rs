//! Everything that can be set on a playback, in one value and as text.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::{LoopMode, Playback, Thresholds};
use crate::Error;
use crate::error::escaped;

/// How an animation is played on a track, but not when it starts, from which position, or a range of frames.
///
/// As text, these are keys and values, separated by commas: `fade=SECONDS`, `weight=0..1`, `speed=X`,
/// `loop=authored|once|loop|ping-pong`, `end=SECONDS`, `range=SECONDS..SECONDS`; the thresholds `attachments=0..1`,
/// `draw-order=0..1` and `events=0..1`; and the flags `add`, `hold` (the previous animation), `shortest` (turns) and
/// `reverse`. Only what differs from the default is written.
///
/// ```
/// use pchr::player::PlaySettings;
///
/// let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
/// let settings: PlaySettings = "fade=0.2,weight=0.5,add".parse()?;
/// lamp.play_on(1, "hop")?.apply(&settings);
/// assert_eq!(lamp.playback(1).weight(), 0.5);
/// # Ok::<(), pchr::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PlaySettings {
    /// See [`Playback::set_fade`].
    pub fade_secs: f64,
    /// See [`Playback::set_weight`].
    pub weight: f64,
    /// See [`Playback::set_speed`].
    pub speed: f64,
    /// See [`Playback::set_loop_mode`]. `None`: unchanged, initially the animator's.
    pub loop_mode: Option<LoopMode>,
    /// See [`Playback::set_end`].
    pub end_secs: Option<f64>,
    /// See [`Playback::set_range_secs`]. `None`: unchanged, initially the whole animation.
    pub range_secs: Option<RangeInclusive<f64>>,
    /// See [`Playback::set_thresholds`].
    pub thresholds: Thresholds,
    /// See [`Playback::set_additive`].
    pub is_additive: bool,
    /// See [`Playback::set_hold_previous`].
    pub holds_previous: bool,
    /// See [`Playback::set_turns_short_way`].
    pub turns_short_way: bool,
    /// See [`Playback::set_reversed`].
    pub is_reversed: bool,
}

/// A setting that does not exist, or has an invalid value.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("invalid setting `{}`; expected one of {}", escaped(.0), PlaySettings::SYNTAX)]
pub struct InvalidSetting(String);

const LOOP_MODES: [(LoopMode, &str); 4] = [
    (LoopMode::Authored, "authored"),
    (LoopMode::Once, "once"),
    (LoopMode::Loop, "loop"),
    (LoopMode::PingPong, "ping-pong"),
];

impl Default for PlaySettings {
    fn default() -> Self {
        Self {
            fade_secs: 0.0,
            weight: 1.0,
            speed: 1.0,
            loop_mode: None,
            end_secs: None,
            range_secs: None,
            thresholds: Thresholds::default(),
            is_additive: false,
            holds_previous: false,
            turns_short_way: false,
            is_reversed: false,
        }
    }
}

impl PlaySettings {
    /// The longest time in seconds, and the highest speed, that [`Self::set`] accepts.
    pub const MAX: f64 = 86_400.0;
    /// What [`Self::set`] accepts.
    pub const SYNTAX: &str = "fade=SECONDS, weight=0..1, speed=X, loop=once|loop|ping-pong|authored, end=SECONDS, \
        range=SECONDS..SECONDS, attachments=0..1, draw-order=0..1, events=0..1, add, hold, shortest, reverse";

    /// Changes what a text states, and keeps the rest.
    ///
    /// # Errors
    ///
    /// Fails if there is no such setting, or if a value is invalid.
    pub fn set(&mut self, text: &str) -> Result<(), InvalidSetting> {
        let mut parts = text.split(',').filter(|part| !part.is_empty());
        parts.try_for_each(|part| self.set_part(part).ok_or_else(|| InvalidSetting(part.to_owned())))
    }

    fn set_part(&mut self, part: &str) -> Option<()> {
        let Some((key, value)) = part.split_once('=') else {
            let (_, flag) = self.flags().into_iter().find(|(name, _)| *name == part)?;
            *flag = true;
            return Some(());
        };
        let secs = |text: &str| text.parse().ok().filter(|secs| (0.0..=Self::MAX).contains(secs));
        match key {
            "loop" => self.loop_mode = Some(LOOP_MODES.iter().find(|(_, name)| *name == value)?.0),
            "end" => self.end_secs = Some(secs(value)?),
            "range" => {
                let (first, last) = value.split_once("..")?;
                self.range_secs = Some(secs(first)?..=secs(last)?).filter(|range| range.start() <= range.end());
                self.range_secs.as_ref()?;
            }
            _ => {
                let (_, bounds, number) = self.numbers().into_iter().find(|(name, ..)| *name == key)?;
                *number = value.parse().ok().filter(|value| bounds.contains(value))?;
            }
        }
        Some(())
    }

    /// Returns the settings that are numbers: their keys and bounds.
    fn numbers(&mut self) -> [(&'static str, RangeInclusive<f64>, &mut f64); 6] {
        let Thresholds { attachments, draw_order, events } = &mut self.thresholds;
        [
            ("fade", 0.0..=Self::MAX, &mut self.fade_secs),
            ("weight", 0.0..=1.0, &mut self.weight),
            ("speed", -Self::MAX..=Self::MAX, &mut self.speed),
            ("attachments", 0.0..=1.0, attachments),
            ("draw-order", 0.0..=1.0, draw_order),
            ("events", 0.0..=1.0, events),
        ]
    }

    fn flags(&mut self) -> [(&'static str, &mut bool); 4] {
        [
            ("add", &mut self.is_additive),
            ("hold", &mut self.holds_previous),
            ("shortest", &mut self.turns_short_way),
            ("reverse", &mut self.is_reversed),
        ]
    }
}

impl fmt::Display for PlaySettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut own, mut default) = (self.clone(), Self::default());
        let mut parts = Vec::new();
        for ((key, _, value), (_, _, default)) in own.numbers().into_iter().zip(default.numbers()) {
            if value != default {
                parts.push(format!("{key}={value}"));
            }
        }
        if let Some((_, name)) = LOOP_MODES.iter().find(|(mode, _)| self.loop_mode == Some(*mode)) {
            parts.push(format!("loop={name}"));
        }
        parts.extend(self.end_secs.map(|secs| format!("end={secs}")));
        parts.extend(self.range_secs.as_ref().map(|range| format!("range={}..{}", range.start(), range.end())));
        parts.extend(own.flags().into_iter().filter(|(_, is_set)| **is_set).map(|(name, _)| name.to_owned()));
        f.write_str(&parts.join(","))
    }
}

impl FromStr for PlaySettings {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let mut settings = Self::default();
        settings.set(text)?;
        Ok(settings)
    }
}

impl From<InvalidSetting> for Error {
    fn from(invalid: InvalidSetting) -> Self {
        Self::misuse("bad-setting", invalid.to_string())
    }
}

impl Playback {
    /// Returns its settings.
    pub fn settings(&self) -> PlaySettings {
        PlaySettings {
            fade_secs: self.fade_secs(),
            weight: self.weight(),
            speed: self.speed(),
            loop_mode: Some(self.loop_mode()),
            // Nothing ends with the fade to it.
            end_secs: self.end_secs().filter(|_| self.animation().is_some()),
            range_secs: self.clock.is_limited_in_secs().then(|| self.range_secs()),
            thresholds: self.thresholds(),
            is_additive: self.is_additive(),
            holds_previous: self.holds_previous(),
            turns_short_way: self.turns_short_way(),
            is_reversed: self.is_reversed(),
        }
    }

    /// Changes its settings. An animation that has not been shown yet starts at the beginning of the range.
    pub fn apply(&mut self, settings: &PlaySettings) -> &mut Self {
        let PlaySettings {
            fade_secs,
            weight,
            speed,
            loop_mode,
            end_secs,
            range_secs,
            thresholds,
            is_additive,
            holds_previous,
            turns_short_way,
            is_reversed,
        } = settings.clone();
        self.set_weight(weight).set_speed(speed).set_end(end_secs).set_thresholds(thresholds);
        self.set_additive(is_additive).set_hold_previous(holds_previous).set_turns_short_way(turns_short_way);
        self.set_reversed(is_reversed);
        if fade_secs != self.fade_secs() {
            self.set_fade(fade_secs);
        }
        if let Some(mode) = loop_mode.filter(|mode| *mode != self.loop_mode()) {
            self.set_loop_mode(mode);
        }
        if let Some(range) = range_secs.filter(|range| Some(range) != self.settings().range_secs.as_ref()) {
            let start = *range.start();
            self.set_range_secs(range);
            if !self.has_been_shown() {
                self.seek_secs(start);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_round_trips() {
        for (text, written) in [
            ("", ""),
            ("weight=1,fade=0", ""),
            ("add,weight=0.25,fade=0.2", "fade=0.2,weight=0.25,add"),
            ("loop=authored", "loop=authored"),
            ("speed=-1,loop=ping-pong,end=1.5,range=0.5..2", "speed=-1,loop=ping-pong,end=1.5,range=0.5..2"),
            ("events=1,draw-order=0.5,attachments=0.25", "attachments=0.25,draw-order=0.5,events=1"),
            ("reverse,shortest,hold", "hold,shortest,reverse"),
        ] {
            let settings: PlaySettings = text.parse().unwrap();
            assert_eq!(settings.to_string(), written);
            assert_eq!(written.parse(), Ok(settings));
        }
    }

    #[test]
    fn a_playback_returns_what_was_applied() {
        let text = "fade=0.2,weight=0.25,speed=-1,attachments=0.25,draw-order=0.5,events=1,loop=ping-pong,end=1.5,\
            range=0.25..0.5,add,hold,shortest,reverse";
        let settings: PlaySettings = text.parse().unwrap();
        let mut lamp = crate::Animator::open("assets/paper-lamp.json").unwrap();
        lamp.play("hop").unwrap().apply(&settings);
        assert_eq!(lamp.playback(0).settings(), settings);
    }

    #[test]
    fn applying_the_settings_that_it_has_changes_nothing() {
        let mut lamp = crate::Animator::open("assets/paper-lamp.json").unwrap();
        lamp.play("hop").unwrap().apply(&"range=0.25..0.5,loop=ping-pong,fade=0.2,hold".parse().unwrap());
        assert_eq!(lamp.playback(0).seconds(), 0.25, "it starts at the beginning of its range");
        let mut other = lamp.clone();
        for _ in 0..20 {
            [&mut lamp, &mut other].into_iter().for_each(|animator| _ = animator.update(0.07));
            let playback = other.playback_mut(0).unwrap();
            playback.apply(&playback.settings());
            assert_eq!(other.playback(0).seconds(), lamp.playback(0).seconds());
        }
    }

    #[test]
    fn invalid_settings_are_refused() {
        for text in [
            "weight=2",
            "wieght=1",
            "fade=-1",
            "fade=1e9",
            "loop=twice",
            "speed=nan",
            "range=1",
            "range=2..1",
            "end=-1",
            "events=",
            "stop",
            "add=1",
        ] {
            let error = text.parse::<PlaySettings>().expect_err(text).to_string();
            assert!(error.starts_with(&format!("invalid setting `{text}`")), "{error}");
        }
    }
}
