//! Poses as a table: aligned for people, or CSV with all digits.

use std::io::{self, Write};

use super::What;
use super::columns::{self, Cell};
use super::document::events;
use super::rows::Filter;
use crate::shared::stdio::{csv, without_commands};
use pchr::error::escaped;
use pchr::export::{PoseSampling, SampledMotion};

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// RFC 4180, except that lines end with a line feed.
    Csv,
    /// Columns below each other, without those that few people read.
    Aligned,
}

/// Width of columns of numbers.
const NUMBER: usize = 10;
/// Longer names push the other columns aside.
const LONGEST_NAME: usize = 32;

/// Writes everything in `what` about each of the motions.
pub fn write(
    format: Format,
    sampling: &PoseSampling<'_>,
    motions: &[SampledMotion],
    filter: &Filter<'_>,
    what: &[What],
    out: &mut dyn Write,
) -> io::Result<()> {
    let longest = filter.names().map(|name| name.chars().count()).max().unwrap_or(0);
    // Not in lines: each would be a call of the system.
    let mut out = io::BufWriter::new(out);
    let mut table = Table { format, width: longest.clamp(10, LONGEST_NAME), out: &mut out };
    let mut is_first = true;
    for motion in motions {
        let name = sampling.name(motion);
        for &what in what {
            if format == Format::Aligned {
                table.title(name, motion, is_first)?;
            }
            if format == Format::Aligned || is_first {
                table.header(what)?;
            }
            is_first = false;
            let name = name.unwrap_or_default();
            match what {
                What::Events => {
                    events(sampling, motion).iter().try_for_each(|event| {
                        table.row(name, event.seconds.into(), what, &columns::of_event(event))
                    })?;
                }
                What::Bones | What::Slots | What::Boxes => sampling.for_each(motion, |posed| {
                    let mut row = |cells: &[Cell<'_>]| table.row(name, posed.seconds, what, cells);
                    match what {
                        What::Bones => filter.bones(posed).try_for_each(|bone| row(&columns::of_bone(&bone))),
                        What::Slots => filter.slots(posed).try_for_each(|slot| row(&columns::of_slot(&slot))),
                        What::Boxes => filter.boxes(posed).try_for_each(|shape| {
                            let mut corners = shape.corners.iter().enumerate();
                            corners
                                .try_for_each(|(index, corner)| row(&columns::of_corner(&shape, index, *corner)))
                        }),
                        What::Events => Ok(()),
                    }
                })?,
            }
        }
    }
    out.flush()
}

struct Table<'a> {
    format: Format,
    /// Width of columns of names.
    width: usize,
    out: &'a mut dyn Write,
}

impl Table<'_> {
    fn title(&mut self, name: Option<&str>, motion: &SampledMotion, is_first: bool) -> io::Result<()> {
        let gap = if is_first { "" } else { "\n" };
        let Some(name) = name else { return writeln!(self.out, "{gap}rest pose") };
        let SampledMotion { count, duration, looping, .. } = motion;
        let (name, loops) = (escaped(name), if *looping { ", loops" } else { "" });
        let poses = if *count == 1 { "pose" } else { "poses" };
        let text = format!("{gap}{name}: {count} {poses}, {duration:.3} s{loops}");
        writeln!(self.out, "{}", without_commands(&text))
    }

    fn header(&mut self, what: What) -> io::Result<()> {
        let columns = columns::of(what).iter();
        match self.format {
            Format::Csv => {
                let names: Vec<&str> =
                    ["animation", "seconds"].into_iter().chain(columns.map(|it| it.0)).collect();
                writeln!(self.out, "{}", names.join(","))
            }
            Format::Aligned => {
                let mut line = format!("{:>NUMBER$}", "seconds");
                for (index, (name, _)) in columns.enumerate().filter(|(_, (_, only_csv))| !only_csv) {
                    let is_text = index == 0 || matches!(*name, "attachment" | "string");
                    line += &self.padded(name, is_text);
                }
                writeln!(self.out, "{}", line.trim_end())
            }
        }
    }

    fn row(&mut self, animation: &str, seconds: f64, what: What, cells: &[Cell<'_>]) -> io::Result<()> {
        match self.format {
            Format::Csv => {
                write!(self.out, "{},{seconds}", csv(animation))?;
                for cell in cells {
                    match cell {
                        Cell::Text(text) => write!(self.out, ",{}", csv(text))?,
                        Cell::Number(number) => write!(self.out, ",{number}")?,
                        Cell::Single(number) => write!(self.out, ",{number}")?,
                        Cell::Empty => write!(self.out, ",")?,
                    }
                }
                writeln!(self.out)
            }
            Format::Aligned => {
                let mut line = format!("{seconds:NUMBER$.3}");
                for (cell, (_, only_csv)) in cells.iter().zip(columns::of(what)) {
                    line += &match cell {
                        _ if *only_csv => continue,
                        Cell::Text(text) => self.padded(&escaped(text), true),
                        Cell::Empty => self.padded("-", true),
                        Cell::Number(number) => self.padded(&number.to_string(), false),
                        Cell::Single(number) => self.padded(&format!("{number:.3}"), false),
                    };
                }
                writeln!(self.out, "{}", without_commands(line.trim_end()))
            }
        }
    }

    fn padded(&self, text: &str, is_text: bool) -> String {
        if is_text { format!("  {text:<0$}", self.width) } else { format!(" {text:>NUMBER$}") }
    }
}
