//! Events that animations can fire, with their default payloads.

use std::fmt;

use serde::Serialize;

use super::{Fact, Value};
use crate::error::escaped;
use crate::model::{self, EventId, Model};

/// An event.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Event {
    /// Sound file, if any.
    pub audio: Option<String>,
    /// Default float payload; a key may override it.
    pub float: f32,
    /// Default integer payload; a key may override it.
    pub int: i32,
    /// Name.
    pub name: String,
    /// Default string payload; a key may override it.
    pub string: String,
}

impl Event {
    /// Describes all events, in file order.
    pub fn all(model: &Model) -> Vec<Self> {
        let of = |event: &model::Event| Self {
            audio: event.audio.as_deref().map(str::to_owned),
            float: event.float,
            int: event.int,
            name: event.name.to_string(),
            string: event.string.to_string(),
        };
        model.events().iter().map(of).collect()
    }

    /// Returns the facts about an event.
    pub fn facts(model: &Model, id: EventId) -> Vec<Fact> {
        let model::Event { name: _, int, float, string, audio, volume, balance } = model.event(id);
        vec![
            Fact::new("int", "Integer", Value::Count((*int).into())),
            Fact::new("float", "Float", Value::Number(*float)),
            Fact::new("string", "String", &**string),
            Fact::new("audio", "Sound", audio.as_deref().map_or(Value::Nothing("none"), Value::from)),
            Fact::new("volume", "Volume", Value::Number(*volume)),
            Fact::new("balance", "Balance", Value::Number(*balance)),
        ]
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.int, self.float)?;
        if !self.string.is_empty() {
            write!(f, ", “{}”", escaped(&self.string))?;
        }
        self.audio.as_deref().map_or(Ok(()), |audio| write!(f, ", sound {}", escaped(audio)))
    }
}
