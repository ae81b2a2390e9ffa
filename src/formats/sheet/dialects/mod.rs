//! Sheets as other programs describe them: one row for each dialect that is written besides JSON, with what it can
//! store.

mod cocos2d;
mod godot;
mod libgdx;
mod listing;
mod starling;

use std::io::{self, Write};

use super::parts::Gathered;
use super::schema::Frame;

pub use super::frame::Turn;
pub use listing::{Listing, Shown};

/// A dialect that is written as a text with images beside it.
#[derive(Debug)]
pub struct Dialect {
    /// The name of its target in the table of formats.
    pub name: &'static str,
    /// The rotation of frames that it can store; [`Turn::None`] if none.
    pub turn: Turn,
    /// Whether a text can have several images.
    pub has_pages: bool,
    /// Whether animations have names, durations and loops. Otherwise, they are the frames with the same name and
    /// different numbers.
    pub has_animations: bool,
    /// Whether frames can have an origin.
    pub has_origin: bool,
    /// Returns a name without the characters that it cannot store.
    clean: fn(&str) -> String,
    /// Writes the text.
    pub write: fn(&Listing<'_>, &mut dyn Write) -> io::Result<()>,
}

/// All rows.
pub static DIALECTS: [Dialect; 4] = [
    Dialect {
        name: "sheet-starling",
        turn: Turn::Clockwise,
        has_pages: false,
        has_animations: false,
        has_origin: true,
        clean: printable,
        write: starling::write,
    },
    Dialect {
        name: "sheet-cocos2d",
        turn: Turn::Clockwise,
        has_pages: false,
        has_animations: false,
        has_origin: true,
        clean: printable,
        write: cocos2d::write,
    },
    Dialect {
        name: "sheet-libgdx",
        turn: Turn::CounterClockwise,
        has_pages: true,
        has_animations: false,
        has_origin: false,
        clean: libgdx::name,
        write: libgdx::write,
    },
    Dialect {
        name: "sheet-godot",
        turn: Turn::None,
        has_pages: false,
        has_animations: true,
        has_origin: false,
        clean: printable,
        write: godot::write,
    },
];

impl Dialect {
    /// Returns true if it can store where the frames are on their pages.
    pub fn holds(&self, gathered: &Gathered) -> bool {
        let is_upright = |frame: &Frame| frame.turn == Turn::None || frame.turn == self.turn;
        (self.has_pages || gathered.parts.len() < 2)
            && gathered.parts.iter().flat_map(|part| &part.frames).all(is_upright)
    }
}

/// Returns a name without control characters, which XML cannot store.
fn printable(name: &str) -> String {
    name.replace(|c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'), "_")
}
