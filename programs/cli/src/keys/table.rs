//! Keys as a table: aligned for people, or CSV.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::Value;

use super::Chosen;
use crate::shared::stdio::{csv, without_commands};
use pchr::error::escaped;
use pchr::formats::StatedKey;

/// How keys are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// RFC 4180, except that lines end with a line feed.
    Csv,
    /// Columns below each other, with the beginning of long values.
    Aligned,
}

const COLUMNS: &str = "animation,seconds,target,name,skin,attachment,property,known,values,curve,file,line,column,byte,\
                       frame,pointer";

/// Writes the chosen keys. Returns what [`Chosen::for_each`] does.
pub fn write(format: Format, chosen: &Chosen<'_>, out: &mut dyn Write) -> io::Result<(usize, Option<usize>)> {
    // Not in lines: each would be a call of the system.
    let mut out = io::BufWriter::new(out);
    let mut animation: Option<String> = None;
    if format == Format::Csv {
        writeln!(out, "{COLUMNS}")?;
    }
    let found = chosen.for_each(|key| {
        if format == Format::Csv {
            return row(key, &mut out);
        }
        if animation.as_deref() != Some(&*key.animation) {
            let gap = if animation.is_some() { "\n" } else { "" };
            writeln!(out, "{gap}{}", without_commands(&escaped(&key.animation).to_string()))?;
            writeln!(out, "   seconds  {:<28}  {:<14}  {:<32}  place", "target", "property", "values and curve")?;
            animation = Some(key.animation.clone().into_owned());
        }
        line(key, &mut out)
    })?;
    out.flush()?;
    Ok(found)
}

fn row(key: &StatedKey<'_>, out: &mut dyn Write) -> io::Result<()> {
    let key = serde_json::to_value(key)?;
    let cells = COLUMNS.split(',').map(|name| match &key[name] {
        Value::Null => String::new(),
        Value::String(text) => csv(text),
        other => csv(&other.to_string()),
    });
    writeln!(out, "{}", cells.collect::<Vec<_>>().join(","))
}

fn line(key: &StatedKey<'_>, out: &mut dyn Write) -> io::Result<()> {
    let names = [Some(&key.target), Some(&key.name), key.attachment.as_ref()];
    let names: Vec<&str> =
        names.into_iter().flatten().map(|name| &**name).filter(|name| !name.is_empty()).collect();
    let property = format!("{}{}", key.property, if key.known { "" } else { " (unknown)" });
    let mut values = serde_json::to_string(&key.values)?;
    if !key.curve.is_empty() {
        values += &format!(" {}", serde_json::to_string(&key.curve)?);
    }
    let seconds = key.seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.3}"));
    let text = format!(
        "{seconds:>10}  {:<28}  {:<14}  {:<32}  {}",
        escaped(&names.join(" ")).to_string(),
        escaped(&property).to_string(),
        escaped(&shortened(&values)).to_string(),
        escaped(&place(key)),
    );
    writeln!(out, "{}", without_commands(text.trim_end()))
}

fn shortened(text: &str) -> Cow<'_, str> {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

fn place(key: &StatedKey<'_>) -> String {
    let file = key.file.map(|file| format!("{file} ")).unwrap_or_default();
    let at = match (key.line, key.column, key.byte, key.frame) {
        (Some(line), Some(column), ..) => format!("{line}:{column} "),
        (_, _, Some(byte), _) => format!("byte {byte} "),
        (_, _, _, Some(frame)) => format!("frame {frame}"),
        _ => String::new(),
    };
    format!("{file}{at}{}", key.pointer.as_deref().unwrap_or_default())
}
