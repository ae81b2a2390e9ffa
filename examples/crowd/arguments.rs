//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use super::Result;

const USAGE: &str = "usage: crowd [FILE] [--count N] [--frames N] [-o OUT.png]";
const KNIGHT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr");

/// More would need many gigabytes on the CPU before the GPU could refuse them.
pub const MAX_COUNT: usize = 10_000_000;

pub struct Arguments {
    pub file: PathBuf,
    pub count: Option<usize>,
    pub frames: Option<u32>,
    pub out: Option<PathBuf>,
}

impl Arguments {
    pub fn parse(mut words: impl Iterator<Item = OsString>) -> Result<Self> {
        let (mut file, mut count, mut frames, mut out) = (None, None, None, None);
        while let Some(word) = words.next() {
            let option = word.to_string_lossy().into_owned();
            let mut value = || words.next().ok_or_else(|| format!("{option} needs a value\n{USAGE}"));
            match &*option {
                "--count" => count = Some(number(&option, &value()?, MAX_COUNT)?),
                "--frames" => frames = Some(number(&option, &value()?, 1000)? as u32),
                "-o" => out = Some(PathBuf::from(value()?)),
                _ if option.starts_with('-') => return Err(format!("unknown option `{option}`\n{USAGE}").into()),
                _ if file.is_some() => return Err(format!("more than one FILE: `{option}`\n{USAGE}").into()),
                _ => file = Some(PathBuf::from(word)),
            }
        }
        Ok(Self { file: file.unwrap_or_else(|| KNIGHT.into()), count, frames, out })
    }
}

fn number(option: &str, value: &OsString, most: usize) -> Result<usize> {
    let value = value.to_string_lossy();
    let number = value.parse().ok().filter(|number| (1..=most).contains(number));
    Ok(number.ok_or_else(|| format!("{option} takes a number from 1 to {most}, not `{value}`"))?)
}
