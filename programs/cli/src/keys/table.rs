//! Keys as a table: aligned for people, or CSV.

use std::borrow::Cow;
use std::io::{self, Write};

use super::Chosen;
use crate::shared::stdio::{csv, without_commands};
use pchr::error::escaped;
use pchr::formats::{StatedKey, StatedValues};

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
    let text = |text: &Option<Cow<'_, str>>| text.as_deref().map(csv).unwrap_or_default();
    let number = |number: Option<String>| number.unwrap_or_default();
    let whole = |number: Option<usize>| number.map(|it| it.to_string()).unwrap_or_default();
    let cells = [
        csv(&key.animation),
        number(key.seconds.map(|it| it.to_string())),
        csv(&key.target),
        csv(&key.name),
        text(&key.skin),
        text(&key.attachment),
        csv(&key.property),
        key.known.to_string(),
        csv(&fields(&key.values)),
        csv(&fields(&key.curve)),
        key.file.map(csv).unwrap_or_default(),
        whole(key.line),
        whole(key.column),
        number(key.byte.map(|it| it.to_string())),
        number(key.frame.map(|it| it.to_string())),
        key.pointer.as_deref().map(csv).unwrap_or_default(),
    ];
    writeln!(out, "{}", cells.join(","))
}

fn line(key: &StatedKey<'_>, out: &mut dyn Write) -> io::Result<()> {
    let names = [Some(&key.target), Some(&key.name), key.attachment.as_ref()];
    let names: Vec<&str> =
        names.into_iter().flatten().map(|name| &**name).filter(|name| !name.is_empty()).collect();
    let property = format!("{}{}", key.property, if key.known { "" } else { " (unknown)" });
    let values = [&key.values, &key.curve].map(fields).join(" ");
    let seconds = key.seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.3}"));
    let text = format!(
        "{seconds:>10}  {:<28}  {:<14}  {:<32}  {}",
        escaped(&names.join(" ")).to_string(),
        escaped(&property).to_string(),
        escaped(&shortened(values.trim())).to_string(),
        escaped(&place(key)),
    );
    writeln!(out, "{}", without_commands(text.trim_end()))
}

/// The fields as one text.
fn fields(fields: &StatedValues<'_>) -> String {
    let each = fields.0.iter().map(|(name, value)| format!("{name}={}", value.as_str()));
    each.collect::<Vec<_>>().join(" ")
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
