//! One frame of a sheet, whichever dialect it is from, and what is odd about it.
//!
//! A frame that cannot be understood stays in the list without anything to show: tags count frames, and animations
//! keep their pace.

use super::loose::Scalar;
use super::schema::{Milliseconds, Name, Number, Point, Rect, Size};
use crate::error::shown;

/// One picture of an animation. Pixels, y down.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    pub filename: Option<Name>,
    /// Where it is on the page, with its size before it was turned.
    pub frame: Rect,
    /// How it was turned to be put there.
    pub turn: Turn,
    /// Where it is on its canvas.
    pub sprite_source_size: Option<Rect>,
    /// Width and height of the canvas.
    pub source_size: Option<Size>,
    pub duration: Option<Milliseconds>,
    /// The origin: 0 to 1 of the canvas, from its upper-left corner.
    pub pivot: Option<Point>,
    /// Another word for the same.
    pub anchor: Option<Point>,
    /// Nothing of it can be shown.
    pub is_lost: bool,
    /// What is odd about it.
    pub odd: Vec<Odd>,
    /// Where it stands: the byte in XML, the line of an atlas; 0 where that is found by its name.
    pub at: u64,
}

/// How a picture was turned before it was put on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Turn {
    /// It stands upright.
    #[default]
    None,
    /// A quarter, to the right.
    Clockwise,
    /// It stands on its head.
    Half,
    /// A quarter, to the left.
    CounterClockwise,
}

/// Something odd about a field of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Odd {
    /// The field, in the words of the dialect; empty for the frame.
    pub field: &'static str,
    pub message: String,
}

/// What becomes of a frame with a field that cannot be understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// It is not shown.
    Frame,
    /// It is shown as if the field was not there.
    Field,
}

impl Frame {
    /// One that cannot be shown.
    pub fn lost(message: impl Into<String>) -> Self {
        let mut frame = Self::default();
        frame.lose("", message);
        frame
    }

    /// Aseprite's inner padding is part of the frame on the page, and no part of the rectangle on the canvas, which
    /// gets it here. It is the same on every side.
    pub fn include_padding(&mut self) {
        let Some(inner) = &mut self.sprite_source_size else { return };
        let Rect { w, h, .. } = self.frame;
        let (wider, higher) = (w.0 - inner.w.0, h.0 - inner.h.0);
        if wider == higher && wider > 0.0 {
            let [x, y] = [inner.x, inner.y].map(|Number(corner)| Number(corner - wider / 2.0));
            *inner = Rect { x, y, w, h };
        }
    }

    /// Something is odd, and the frame is shown all the same.
    pub fn remark(&mut self, field: &'static str, message: impl Into<String>) {
        self.odd.reserve_exact(1);
        self.odd.push(Odd { field, message: message.into() });
    }

    /// Something is so odd that the frame cannot be shown.
    pub fn lose(&mut self, field: &'static str, message: impl Into<String>) {
        self.is_lost = true;
        self.remark(field, format!("{}; the frame is empty", message.into()));
    }

    /// A field cannot be understood.
    pub fn reject(&mut self, field: &'static str, message: &str, cost: Cost) {
        match cost {
            Cost::Frame => self.lose(field, message),
            Cost::Field => self.remark(field, format!("{message}; the field is ignored")),
        }
    }

    /// The numbers of `field`. Nothing where one of them is missing, or is no number that a coordinate can be, which
    /// is told.
    pub fn numbers<const N: usize>(
        &mut self,
        field: &'static str,
        values: [(&str, Scalar); N],
        cost: Cost,
    ) -> Option<[Number; N]> {
        let mut numbers = [Number(0.0); N];
        let mut from_text = None;
        for (number, (name, value)) in numbers.iter_mut().zip(values) {
            from_text = from_text.or(matches!(value, Scalar::Text(_)).then_some(name));
            match value.number().map(Number::new) {
                Some(Some(found)) => *number = found,
                Some(None) if value.number().is_some_and(f64::is_nan) => {
                    self.reject(field, &format!("`{name}` is NaN, not a number"), cost);
                    return None;
                }
                Some(None) => {
                    let message = format!("`{name}` is out of bounds, coordinates go up to {}", Number::LARGEST);
                    self.reject(field, &message, cost);
                    return None;
                }
                None => {
                    let message = match value {
                        Scalar::Missing => format!("`{name}` is missing"),
                        value => format!("`{name}` is {}, not a number", value.kind()),
                    };
                    self.reject(field, &message, cost);
                    return None;
                }
            }
        }
        if let Some(name) = from_text {
            self.remark(field, format!("`{name}` is a number in a string; it is read as the number"));
        }
        Some(numbers)
    }

    /// Reads whether the frame is turned clockwise.
    pub fn set_rotated(&mut self, field: &'static str, value: &Scalar) {
        let is_rotated = match value {
            Scalar::Missing | Scalar::Null => return,
            Scalar::Bool(is_rotated) => *is_rotated,
            Scalar::Text(text) if text.eq_ignore_ascii_case("true") => true,
            Scalar::Text(text) if text.eq_ignore_ascii_case("false") => false,
            Scalar::Number(1.0) => true,
            Scalar::Number(0.0) => false,
            other => {
                let message = format!("{} does not tell whether the frame is turned", other.described());
                return self.lose(field, message);
            }
        };
        if !matches!(value, Scalar::Bool(_)) {
            self.remark(field, format!("{} is read as {is_rotated}", value.described()));
        }
        self.turn = if is_rotated { Turn::Clockwise } else { Turn::None };
    }

    /// Of a frame that was cut out by a polygon the whole rectangle is shown.
    pub fn note_polygon(&mut self, field: &'static str) {
        self.remark(field, "polygons are not supported; the frame's whole rectangle is drawn");
    }
}

impl Scalar {
    /// The number that it is, or that stands in a string.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.trim().parse().ok(),
            Self::Missing | Self::Null | Self::Bool(_) | Self::Other(_) => None,
        }
    }

    /// The name that it is: some programs write a number.
    pub fn into_name(self) -> Option<String> {
        match self {
            Self::Text(name) => Some(name),
            Self::Number(number) => Some(number.to_string()),
            Self::Missing | Self::Null | Self::Bool(_) | Self::Other(_) => None,
        }
    }

    /// In words.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Null => "null",
            Self::Bool(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::Other(what) => what,
        }
    }

    /// What it is, with its value where that is short.
    pub fn described(&self) -> String {
        match self {
            Self::Number(number) => format!("{number}"),
            Self::Text(text) => format!("the string `{}`", shown(text)),
            Self::Missing | Self::Null | Self::Bool(_) | Self::Other(_) => self.kind().to_owned(),
        }
    }
}
