//! The keys of a timeline: times, values and curves.

use super::color::{self, Color};
use super::table::{
    Channel, Encoding, FieldKind, MAX_FIELDS, MAX_WIDTH, OFFSET, Property, Rest, Row, SWITCHES, VERTICES,
};
use super::{Curve, Number, Text};

/// Most timelines have no more keys.
const USUAL_KEYS: usize = 8;

/// The keys of a timeline, in the order of the file.
#[derive(Debug, Clone)]
pub struct Keys<'a> {
    pub property: Property,
    pub list: Vec<Key>,
    /// Invalid colours.
    pub(super) texts: Vec<Text<'a>>,
    /// Vertices of deformations.
    pub(super) lists: Vec<Vec<Number>>,
}

/// A key.
#[derive(Debug, Clone, Default)]
pub struct Key {
    /// Seconds.
    pub time: f32,
    /// The curve to the next key.
    pub curve: Curve,
    /// The fields of the property, as the file states them; the rest is unused.
    pub(super) fields: [Value; MAX_FIELDS],
}

/// A field of a key.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Value {
    #[default]
    Missing,
    Number(f32),
    Switch(bool),
    Color([u8; 4]),
    /// A colour that states no alpha.
    Opaque([u8; 3]),
    /// Text that is not a colour, by its index.
    Invalid(u32),
    Count(u32),
    /// Numbers, by their index.
    List(u32),
}

impl Value {
    fn number(self) -> Option<f32> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Red, green, blue and alpha, 0 to 1; white if there is no valid colour.
    fn channels(self) -> [f32; 4] {
        let rgba = match self {
            Self::Color(rgba) => rgba,
            Self::Opaque([r, g, b]) => [r, g, b, u8::MAX],
            _ => return [1.0; 4],
        };
        rgba.map(|channel| f32::from(channel) / 255.0)
    }

    /// Returns true if it is as good as missing.
    pub fn is_default(self, kind: FieldKind) -> bool {
        match (kind, self) {
            (_, Self::Missing) | (FieldKind::Count, Self::Count(0)) => true,
            (FieldKind::Number(default), Self::Number(number)) => number == default,
            (FieldKind::Switch(default), Self::Switch(is)) => is == default,
            _ => false,
        }
    }
}

impl<'a> Keys<'a> {
    pub fn new(property: Property) -> Self {
        Self { property, list: Vec::new(), texts: Vec::new(), lists: Vec::new() }
    }

    /// That many keys with linear curves, at time 0 and without fields.
    pub fn blank(property: Property, count: usize) -> Self {
        let mut keys = Self::new(property);
        keys.list.resize_with(count, Key::default);
        keys
    }

    pub fn row(&self) -> &'static Row {
        self.property.row()
    }

    /// The number of fields.
    pub(super) fn stride(&self) -> usize {
        self.row().form.fields.len()
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The times in seconds.
    pub fn times(&self) -> impl DoubleEndedIterator<Item = f32> {
        self.list.iter().map(|key| key.time)
    }

    /// Adds a key with these fields.
    pub fn push(&mut self, time: f32, curve: Curve, fields: &[Value]) {
        debug_assert_eq!(fields.len(), self.stride());
        if self.list.capacity() == 0 {
            self.list.reserve(USUAL_KEYS);
        }
        let mut key = Key { time, curve, ..Key::default() };
        key.fields[..fields.len()].copy_from_slice(fields);
        self.list.push(key);
    }

    /// The fields of a key.
    pub fn fields(&self, at: usize) -> &[Value] {
        &self.list[at].fields[..self.stride()]
    }

    pub fn fields_mut(&mut self, at: usize) -> &mut [Value] {
        let stride = self.stride();
        &mut self.list[at].fields[..stride]
    }

    /// One field of all keys.
    pub fn column(&self, field: usize) -> impl Iterator<Item = Value> {
        self.list.iter().map(move |key| key.fields[field])
    }

    pub fn column_mut(&mut self, field: usize) -> impl Iterator<Item = &mut Value> {
        self.list.iter_mut().map(move |key| &mut key.fields[field])
    }

    /// The values of a key, in the form of any version.
    pub fn get(&self, at: usize) -> [f32; MAX_WIDTH] {
        self.row().resolve(self.fields(at))
    }

    /// The values of a key of a property with `N` values.
    #[inline]
    pub fn values<const N: usize>(&self, at: usize) -> [f32; N] {
        // Most keys state one number.
        if let [Channel { field, encoding: Encoding::Float, .. }] = self.row().channels
            && let Value::Number(number) = self.list[at].fields[*field]
        {
            return [number; N];
        }
        *self.get(at).first_chunk().unwrap_or(&[0.0; N])
    }

    /// A value for an invalid colour.
    pub fn invalid(&mut self, text: Text<'a>) -> Value {
        self.texts.push(text);
        Value::Invalid(self.texts.len() as u32 - 1)
    }

    /// A value for a list of numbers.
    pub fn list(&mut self, numbers: Vec<Number>) -> Value {
        self.lists.push(numbers);
        Value::List(self.lists.len() as u32 - 1)
    }

    /// The colour in a field of a key.
    pub fn color(&self, at: usize, field: usize) -> Option<Color<'a>> {
        match self.fields(at)[field] {
            Value::Color(rgba) => Some(Color::Rgba(rgba)),
            Value::Opaque(rgb) => Some(Color::Rgb(rgb)),
            Value::Invalid(text) => Some(Color::Invalid(self.texts[text as usize].clone())),
            _ => None,
        }
    }

    /// The switches of an IK key: whether it bends to the positive side, compresses and stretches.
    pub fn switches(&self, at: usize) -> [bool; 3] {
        let fields = self.fields(at);
        let is = |field: usize, default| if let Value::Switch(is) = fields[field] { is } else { default };
        let start = SWITCHES.start;
        [is(start, true), is(start + 1, false), is(start + 2, false)]
    }

    /// The numbers of a deformation, and which is the first of them.
    pub fn deform(&self, at: usize) -> (u32, &[Number]) {
        let fields = self.fields(at);
        let offset = if let Value::Count(offset) = fields[OFFSET] { offset } else { 0 };
        (offset, self.numbers(fields[VERTICES]))
    }

    pub fn numbers(&self, value: Value) -> &[Number] {
        if let Value::List(list) = value { &self.lists[list as usize] } else { &[] }
    }

    /// Sorts keys by time, as readers do; keys of the same time keep their order. Removes the curve of the last one,
    /// which has no effect.
    pub fn sort(&mut self) {
        self.list.sort_by(|a, b| a.time.total_cmp(&b.time));
        if let Some(last) = self.list.last_mut() {
            last.curve = Curve::Linear;
        }
    }

    /// States the values of a key in the form before or since 4.0. Returns how far colours had to be rounded.
    pub fn set(&mut self, at: usize, values: &[f32; MAX_WIDTH], is_four: bool) -> f32 {
        self.row().state(values, is_four, self.fields_mut(at))
    }

    /// Replaces all keys. Properties other than values are copied from the last key before. Returns how far colours had
    /// to be rounded.
    pub fn replace(
        &mut self,
        keys: impl IntoIterator<Item = (f32, Curve, [f32; MAX_WIDTH])>,
        is_four: bool,
    ) -> f32 {
        let old = self.clone();
        self.list.clear();
        let mut off = 0.0_f32;
        for (time, curve, values) in keys {
            let before = old.list.partition_point(|other| other.time <= time).checked_sub(1);
            let fields =
                before.map_or(&[Value::Missing; MAX_FIELDS][..self.stride()], |before| old.fields(before));
            self.push(time, curve, fields);
            off = off.max(self.set(self.len() - 1, &values, is_four));
        }
        self.sort();
        off
    }
}

impl Row {
    /// The values of a key with these fields, in the form of any version.
    #[inline]
    pub fn resolve(&self, fields: &[Value]) -> [f32; MAX_WIDTH] {
        let mut values = [0.0; MAX_WIDTH];
        let mut at = 0;
        for channel in self.channels {
            let width = channel.encoding.width();
            match channel.encoding {
                Encoding::Float | Encoding::Byte => {
                    let stated = fields[channel.field].number();
                    let stated = stated.or_else(|| fields[channel.old?].number());
                    values[at] = stated.unwrap_or_else(|| channel.rest.of(&values));
                }
                Encoding::Rgba | Encoding::Rgb => {
                    values[at..][..width].copy_from_slice(&fields[channel.field].channels()[..width]);
                }
            }
            at += width;
        }
        values
    }

    /// States these values in the fields of a key, in the form before or since 4.0. Returns how far colours had to be
    /// rounded.
    pub fn state(&self, values: &[f32; MAX_WIDTH], is_four: bool, fields: &mut [Value]) -> f32 {
        let (mut at, mut off) = (0, 0.0_f32);
        for channel in self.channels {
            let width = channel.encoding.width();
            let (stated, rounding) = match channel.encoding {
                Encoding::Float | Encoding::Byte => (Value::Number(values[at]), 0.0),
                Encoding::Rgba | Encoding::Rgb => color::rounded(&values[at..][..width]),
            };
            off = off.max(rounding);
            at += width;
            let (used, unused) =
                if is_four { (Some(channel.field), channel.old) } else { (channel.old, Some(channel.field)) };
            unused.into_iter().for_each(|field| fields[field] = Value::Missing);
            used.into_iter().for_each(|field| fields[field] = stated);
        }
        off
    }
}

impl Rest {
    pub fn of(self, values: &[f32; MAX_WIDTH]) -> f32 {
        match self {
            Self::Is(number) => number,
            Self::SameAs(value) => values[value],
        }
    }
}

#[cfg(test)]
#[cfg(feature = "convert")]
mod tests {
    use super::*;

    #[test]
    fn appended_keys_have_their_own_texts_and_lists() {
        let colors = |text: &'static str| {
            let mut keys = Keys::new(Property::Color);
            let color = keys.invalid(Text(text.into()));
            keys.push(0.0, Curve::Linear, &[color, Value::Missing, Value::Missing]);
            keys
        };
        let mut keys = colors("red");
        keys.append(colors("blue"));
        let digits = |at| keys.color(at, 0).map(|color| color.digits(false).into_owned());
        assert_eq!([0, 1].map(digits), ["red", "blue"].map(|text| Some(text.to_owned())));

        let deforms = |number| {
            let mut keys = Keys::new(Property::Deform);
            let vertices = keys.list(vec![Number(number)]);
            keys.push(0.0, Curve::Linear, &[Value::Count(2), vertices]);
            keys
        };
        let mut keys = deforms(1.0);
        keys.append(deforms(-1.0));
        assert_eq!([0, 1].map(|at| keys.deform(at)), [(2, &[Number(1.0)][..]), (2, &[Number(-1.0)])]);
    }
}
