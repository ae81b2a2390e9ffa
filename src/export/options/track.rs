//! An animation on a track: `1=aim@0.3,fade=0.2`.

use std::fmt;
use std::str::FromStr;

use crate::error::escaped;
use crate::export::ParseError;
use crate::player::LoopMode;

/// An animation that a track plays beside the rendered one: `TRACK=ANIMATION[@SECONDS][,KEY=VALUE…]`.
///
/// ```
/// use pchr::export::TrackSpec;
///
/// let aim: TrackSpec = "1=aim@0.3,fade=0.2,weight=0.5".parse()?;
/// assert_eq!((aim.track, aim.animation.as_str(), aim.at_secs, aim.weight), (1, "aim", 0.3, 0.5));
/// # Ok::<(), pchr::export::ParseError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TrackSpec {
    /// The track. Each plays over those with lower numbers.
    pub track: u32,
    /// The animation, by name or `#index`; empty: the track fades out.
    pub animation: String,
    /// When it begins, in seconds after the first frame of the rendered animation; negative: earlier. What the track
    /// plays until then fades out.
    pub at_secs: f64,
    /// Its own position when it begins, in seconds.
    pub from_secs: f64,
    /// Duration of the fade from what the track plays before, in seconds.
    pub fade_secs: f64,
    /// Its share of the mix, 0 to 1.
    pub weight: f64,
    /// Its speed; negative: backwards.
    pub speed: f64,
    /// What happens at its end.
    pub loop_mode: LoopMode,
    /// It is added to what lower tracks show instead of replacing it.
    pub is_additive: bool,
}

/// The highest track, and the longest time in seconds.
const MAX_TRACK: u32 = 9999;
const MAX_SECS: f64 = 86_400.0;

/// The loop modes with names, since `Authored` is the default.
const MODES: [(LoopMode, &str); 3] =
    [(LoopMode::Once, "once"), (LoopMode::Loop, "loop"), (LoopMode::PingPong, "ping-pong")];

impl TrackSpec {
    /// Returns an animation that begins with the rendered one, and plays as authored.
    pub fn new(track: u32, animation: String) -> Self {
        Self {
            track,
            animation,
            at_secs: 0.0,
            from_secs: 0.0,
            fade_secs: 0.0,
            weight: 1.0,
            speed: 1.0,
            loop_mode: LoopMode::Authored,
            is_additive: false,
        }
    }

    /// Changes what a key states; `None` if its value is invalid.
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        let number = || value.parse::<f64>().ok().filter(|number| number.abs() <= MAX_SECS);
        match key {
            "from" => self.from_secs = number().filter(|secs| *secs >= 0.0)?,
            "fade" => self.fade_secs = number().filter(|secs| *secs >= 0.0)?,
            "weight" => self.weight = number().filter(|weight| (0.0..=1.0).contains(weight))?,
            "speed" => self.speed = number()?,
            "loop" => self.loop_mode = MODES.iter().find(|(_, name)| *name == value)?.0,
            _ => return None,
        }
        Some(())
    }
}

impl fmt::Display for TrackSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { track, animation, at_secs, from_secs, fade_secs, weight, speed, loop_mode, is_additive } = self;
        write!(f, "{track}={animation}@{at_secs}")?;
        for (key, value, default) in
            [("from", from_secs, 0.0), ("fade", fade_secs, 0.0), ("weight", weight, 1.0), ("speed", speed, 1.0)]
        {
            if *value != default {
                write!(f, ",{key}={value}")?;
            }
        }
        if let Some((_, name)) = MODES.iter().find(|(mode, _)| mode == loop_mode) {
            write!(f, ",loop={name}")?;
        }
        if *is_additive { f.write_str(",add") } else { Ok(()) }
    }
}

impl FromStr for TrackSpec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let invalid = |what: &str| {
            let expected = "expected N=ANIMATION[@SECONDS][,from=SECONDS][,fade=SECONDS][,weight=0..1][,speed=X]\
            [,loop=once|loop|ping-pong][,add]";
            ParseError(format!("`{}`: {what}; {expected}", escaped(text)))
        };
        let numbered = text.split_once('=').and_then(|(track, rest)| Some((track.parse().ok()?, rest)));
        let Some((track, mut rest)) = numbered.filter(|(track, _)| *track <= MAX_TRACK) else {
            return Err(invalid("it does not begin with a track from 0 to 9999"));
        };
        let mut spec = Self::new(track, String::new());
        // From the end, because the name may contain commas.
        while let Some((before, part)) = rest.rsplit_once(',') {
            match part.split_once('=') {
                None if part == "add" => spec.is_additive = true,
                None => break,
                Some((key, value)) => {
                    spec.set(key, value).ok_or_else(|| invalid(&format!("`{}` is invalid", escaped(part))))?;
                }
            }
            rest = before;
        }
        let secs = |text: &str| text.parse::<f64>().ok().filter(|secs| secs.abs() <= MAX_SECS);
        if let Some((name, at)) = rest.rsplit_once('@').and_then(|(name, at)| Some((name, secs(at)?))) {
            (rest, spec.at_secs) = (name, at);
        }
        spec.animation = rest.to_owned();
        Ok(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_round_trips() {
        for (text, written) in [
            ("1=aim", "1=aim@0"),
            ("1=aim@0.3", "1=aim@0.3"),
            ("0=a,b@c@-2", "0=a,b@c@-2"),
            ("12=x@1,add,fade=0.2,from=1", "12=x@1,from=1,fade=0.2,add"),
            ("3=@0.5,fade=0.2", "3=@0.5,fade=0.2"),
            ("2=#3,loop=ping-pong,speed=-1,weight=0.25", "2=#3@0,weight=0.25,speed=-1,loop=ping-pong"),
        ] {
            let spec: TrackSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), written);
            assert_eq!(written.parse::<TrackSpec>().unwrap(), spec);
        }
    }

    #[test]
    fn invalid_forms_are_refused() {
        for text in [
            "",
            "aim",
            "x=aim",
            "-1=aim",
            "10000=aim",
            "1=aim,weight=2",
            "1=aim,wieght=1",
            "1=aim,fade=-1",
            "1=aim,loop=twice",
            "1=aim,speed=nan",
            "1=aim,from=1e9",
        ] {
            let error = text.parse::<TrackSpec>().expect_err(text).to_string();
            assert!(error.contains("expected N=ANIMATION"), "{error}");
        }
    }
}
