//! An animation on a track: `1=aim@0.3,fade=0.2`.

use std::fmt;
use std::str::FromStr;

use crate::error::escaped;
use crate::export::error::ParseError;
use crate::player::PlaySettings;

/// An animation that a track plays beside the rendered one: `TRACK=ANIMATION[@SECONDS][,KEY=VALUE…]`.
///
/// ```
/// use pchr::export::TrackSpec;
///
/// let aim: TrackSpec = "1=aim@0.3,fade=0.2,weight=0.5".parse()?;
/// assert_eq!((aim.track, aim.animation.as_str(), aim.at_secs, aim.settings.weight), (1, "aim", 0.3, 0.5));
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
    /// How it is played; of a track that fades out, only the fade counts.
    pub settings: PlaySettings,
}

/// The highest track.
const MAX_TRACK: u32 = 9999;

impl TrackSpec {
    /// Returns an animation that begins with the rendered one, and plays as authored.
    pub fn new(track: u32, animation: String) -> Self {
        Self { track, animation, at_secs: 0.0, from_secs: 0.0, settings: PlaySettings::default() }
    }

    /// Changes what a part of the text states; `None` if it is invalid.
    fn set(&mut self, part: &str) -> Option<()> {
        match part.strip_prefix("from=") {
            _ if part.is_empty() => return None,
            Some(from) => self.from_secs = secs(from).filter(|secs| *secs >= 0.0)?,
            None => self.settings.set(part).ok()?,
        }
        Some(())
    }
}

fn secs(text: &str) -> Option<f64> {
    text.parse().ok().filter(|secs: &f64| secs.abs() <= PlaySettings::MAX)
}

impl fmt::Display for TrackSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { track, animation, at_secs, from_secs, settings } = self;
        write!(f, "{track}={animation}@{at_secs}")?;
        if *from_secs != 0.0 {
            write!(f, ",from={from_secs}")?;
        }
        if *settings != PlaySettings::default() {
            write!(f, ",{settings}")?;
        }
        Ok(())
    }
}

impl FromStr for TrackSpec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let invalid = |what: &str| {
            let (text, settings) = (escaped(text), PlaySettings::SYNTAX);
            ParseError(format!(
                "`{text}`: {what}; expected N=ANIMATION[@SECONDS], followed by comma-separated settings: from=SECONDS, \
                 {settings}"
            ))
        };
        let numbered = text.split_once('=').and_then(|(track, rest)| Some((track.parse().ok()?, rest)));
        let Some((track, mut rest)) = numbered.filter(|(track, _)| *track <= MAX_TRACK) else {
            return Err(invalid(&format!("it does not begin with a track from 0 to {MAX_TRACK}")));
        };
        let mut spec = Self::new(track, String::new());
        // From the end, because the name may contain commas.
        while let Some((before, part)) = rest.rsplit_once(',') {
            match spec.set(part) {
                Some(()) => rest = before,
                None if !part.contains('=') => break,
                None => return Err(invalid(&format!("`{}` is invalid", escaped(part)))),
            }
        }
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
            ("0=a,b@1,hold", "0=a,b@1,hold"),
            ("0=a,", "0=a,@0"),
            ("2=#3,loop=ping-pong,speed=-1,weight=0.25", "2=#3@0,weight=0.25,speed=-1,loop=ping-pong"),
        ] {
            let spec: TrackSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), written);
            assert_eq!(written.parse::<TrackSpec>().unwrap(), spec);
        }
    }

    #[test]
    fn invalid_forms_are_refused() {
        for text in
            ["", "aim", "x=aim", "-1=aim", "10000=aim", "1=aim,weight=2", "1=aim,from=1e9", "1=aim,from=-1"]
        {
            let error = text.parse::<TrackSpec>().expect_err(text).to_string();
            assert!(error.contains("expected N=ANIMATION"), "{error}");
        }
    }
}
