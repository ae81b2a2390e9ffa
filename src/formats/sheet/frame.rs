//! A frame of a sheet in any dialect, with its findings.
//!
//! An invalid frame stays in the list as an empty frame: tags refer to frames by number, and the timing of
//! animations is preserved.

use super::loose::Scalar;
use super::schema::{Milliseconds, Name, Number, Point, Rect, Size};
use crate::error::escaped;

/// A frame of a sheet. Pixels, y down.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    pub filename: Option<Name>,
    /// Position on the page, and size before rotation.
    pub frame: Rect,
    /// Rotation on the page.
    pub turn: Turn,
    /// Whether it is mirrored within its canvas, horizontally and vertically.
    pub flip: [bool; 2],
    /// Rectangle on the canvas.
    pub sprite_source_size: Option<Rect>,
    /// Size of the canvas.
    pub source_size: Option<Size>,
    pub duration: Option<Milliseconds>,
    /// The origin, 0 to 1 of the canvas from its upper-left corner.
    pub pivot: Option<Point>,
    /// True if it cannot be shown.
    pub is_lost: bool,
    /// Its findings.
    pub odd: Vec<Odd>,
    /// Position in the file: byte offset in XML, line number in an atlas, 0 in dialects with paths.
    pub at: u64,
}

/// The rotation of a frame on its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Turn {
    /// Not rotated.
    #[default]
    None,
    /// A quarter turn clockwise.
    Clockwise,
    /// Half a turn.
    Half,
    /// A quarter turn counter-clockwise.
    CounterClockwise,
}

/// A finding about a field of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Odd {
    /// The field, in the terms of the dialect; empty for the whole frame.
    pub field: &'static str,
    pub message: String,
}

/// The consequence of an invalid field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// The frame is not shown.
    Frame,
    /// The field is ignored.
    Field,
}

impl Frame {
    /// Returns the name; empty if there is none.
    pub fn name(&self) -> &str {
        self.filename.as_ref().map_or("", |name| &name.0)
    }

    /// Creates a frame that cannot be shown.
    pub fn lost(message: impl Into<String>) -> Self {
        let mut frame = Self::default();
        frame.lose("", message);
        frame
    }

    /// Sets the rectangle on the page, and the margin that Godot adds around it.
    pub fn set_region(&mut self, rect: Rect, margin: Option<Rect>) {
        self.frame = rect;
        if let Some(Rect { x, y, w, h }) = margin {
            self.sprite_source_size = Some(Rect { x, y, ..rect });
            self.source_size = Some(Size { w: Number(rect.w.0 + w.0), h: Number(rect.h.0 + h.0) });
        }
    }

    /// Adds Aseprite's inner padding to the rectangle on the canvas: the rectangle on the page includes it, the
    /// one on the canvas does not. The padding is equal on all sides.
    pub fn include_padding(&mut self) {
        let Some(inner) = &mut self.sprite_source_size else { return };
        let Rect { w, h, .. } = self.frame;
        let (wider, higher) = (w.0 - inner.w.0, h.0 - inner.h.0);
        if wider == higher && wider > 0.0 {
            let [x, y] = [inner.x, inner.y].map(|Number(corner)| Number(corner - wider / 2.0));
            *inner = Rect { x, y, w, h };
        }
    }

    /// Adds a finding without other consequences.
    pub fn remark(&mut self, field: &'static str, message: impl Into<String>) {
        self.odd.reserve_exact(1);
        self.odd.push(Odd { field, message: message.into() });
    }

    /// Adds a finding that prevents the frame from being shown.
    pub fn lose(&mut self, field: &'static str, message: impl Into<String>) {
        self.is_lost = true;
        self.remark(field, format!("{}; the frame is empty", message.into()));
    }

    /// Adds a finding about an invalid field.
    pub fn reject(&mut self, field: &'static str, message: &str, cost: Cost) {
        match cost {
            Cost::Frame => self.lose(field, message),
            Cost::Field => self.remark(field, format!("{message}; the field is ignored")),
        }
    }

    /// Returns the numbers of `field`. If one is missing or is not a valid coordinate, adds a finding and returns
    /// `None`.
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
                    self.reject(field, &format!("`{name}` is NaN"), cost);
                    return None;
                }
                Some(None) => {
                    let message =
                        format!("`{name}` is out of range, coordinates are limited to ±{}", Number::LARGEST);
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
            self.remark(field, format!("`{name}` is a number written as a string; it is read as a number"));
        }
        Some(numbers)
    }

    /// Reads whether the frame is rotated clockwise.
    pub fn set_rotated(&mut self, field: &'static str, value: &Scalar) {
        let is_rotated = match value {
            Scalar::Missing | Scalar::Null => return,
            Scalar::Bool(is_rotated) => *is_rotated,
            Scalar::Text(text) if text.eq_ignore_ascii_case("true") => true,
            Scalar::Text(text) if text.eq_ignore_ascii_case("false") => false,
            Scalar::Number(1.0) => true,
            Scalar::Number(0.0) => false,
            other => {
                let message = format!("expected true or false, found {}", other.described());
                return self.lose(field, message);
            }
        };
        if !matches!(value, Scalar::Bool(_)) {
            self.remark(field, format!("{} is read as {is_rotated}", value.described()));
        }
        self.turn = if is_rotated { Turn::Clockwise } else { Turn::None };
    }

    /// Reports that a frame cut out by a polygon is drawn as a rectangle.
    pub fn note_polygon(&mut self, field: &'static str) {
        self.remark(field, "polygons are not supported; the frame's whole rectangle is drawn");
    }
}

impl Scalar {
    /// Returns the value as a number, also from a string.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.trim().parse().ok(),
            Self::Missing | Self::Null | Self::Bool(_) | Self::Other(_) => None,
        }
    }

    /// Converts the value to a name: some programs write a number.
    pub fn into_name(self) -> Option<String> {
        match self {
            Self::Text(name) => Some(name),
            Self::Number(number) => Some(number.to_string()),
            Self::Missing | Self::Null | Self::Bool(_) | Self::Other(_) => None,
        }
    }

    /// Describes the type for errors.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::Other(what) => what,
        }
    }

    /// Describes the value for errors.
    pub fn described(&self) -> String {
        match self {
            Self::Number(number) => format!("{number}"),
            Self::Text(text) => format!("the string `{}`", escaped(text)),
            Self::Missing | Self::Null | Self::Bool(_) | Self::Other(_) => self.kind().to_owned(),
        }
    }
}
