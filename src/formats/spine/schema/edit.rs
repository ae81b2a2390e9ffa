//! Changes of documents that only conversion makes.

use super::keys::{Keys, Value};
use super::table::{MAX_FIELDS, MAX_WIDTH, Property};
use super::{Animation, Curve, Number, Path, Root, Text, Timelines, ToProperty, Transform};

impl<'a> Keys<'a> {
    /// Adds a key with these values, in the form before or since 4.0.
    pub fn add(&mut self, time: f32, curve: Curve, values: &[f32; MAX_WIDTH], is_four: bool) {
        let mut fields = [Value::Missing; MAX_FIELDS];
        self.row().state(values, is_four, &mut fields);
        self.push(time, curve, &fields[..self.stride()]);
    }

    /// All numbers of all keys.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let values = self.list.iter_mut().flat_map(|key| &mut key.fields);
        values.filter_map(|value| if let Value::Number(number) = value { Some(number) } else { None })
    }

    /// The values of all keys.
    pub fn all(&self) -> impl Iterator<Item = [f32; MAX_WIDTH]> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Adds the keys of another timeline with the same fields.
    pub fn append(&mut self, mut other: Self) {
        let [texts, lists] = [self.texts.len(), self.lists.len()].map(|count| count as u32);
        for value in other.list.iter_mut().flat_map(|key| &mut key.fields) {
            match value {
                Value::Invalid(text) => *text += texts,
                Value::List(list) => *list += lists,
                Value::Missing | Value::Number(_) | Value::Switch(_) | Value::Count(_) => {}
                Value::Color(_) | Value::Opaque(_) => {}
            }
        }
        self.list.append(&mut other.list);
        self.texts.append(&mut other.texts);
        self.lists.append(&mut other.lists);
    }
}

impl<'a, K> Timelines<'a, K> {
    /// Returns true without keys.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// The number of timelines with keys.
    pub fn count(&self) -> usize {
        usize::from(!self.steps.is_empty()) + self.list.iter().filter(|keys| !keys.is_empty()).count()
    }

    /// The keys of a property, if it has any.
    pub fn get_mut(&mut self, property: Property) -> Option<&mut Keys<'a>> {
        self.list.iter_mut().find(|keys| keys.property == property && !keys.is_empty())
    }

    /// Removes the keys of a property.
    pub fn take(&mut self, property: Property) -> Option<Keys<'a>> {
        let at = self.list.iter().position(|keys| keys.property == property)?;
        Some(self.list.remove(at)).filter(|keys| !keys.is_empty())
    }

    /// Removes the keys of a property; there may be none.
    pub fn take_or_new(&mut self, property: Property) -> Keys<'a> {
        self.take(property).unwrap_or_else(|| Keys::new(property))
    }
}

impl<'a> Animation<'a> {
    /// The keys of a property of the constraint called `name`.
    pub fn keys_of(&self, name: &Text<'_>, property: Property) -> impl Iterator<Item = &Keys<'a>> {
        let all = self.constraints.iter().filter(move |it| it.name == *name).flat_map(|it| &it.timelines.list);
        all.filter(move |keys| keys.property == property)
    }

    /// Like [`Self::keys_of`], to be changed.
    pub fn keys_of_mut(&mut self, name: &Text<'_>, property: Property) -> impl Iterator<Item = &mut Keys<'a>> {
        let all =
            self.constraints.iter_mut().filter(move |it| it.name == *name).flat_map(|it| &mut it.timelines.list);
        all.filter(move |keys| keys.property == property)
    }
}

impl Root<'_> {
    /// States the mixes of all constraints in the form before or since 4.0. Later kinds have only one.
    pub fn restate_mixes(&mut self, is_four: bool) {
        self.all_mut::<Transform<'_>>().for_each(|it| it.restate_mixes(is_four));
        self.all_mut::<Path<'_>>().for_each(|it| it.restate_mixes(is_four));
    }
}

impl Transform<'_> {
    /// States all mixes in the form before or since 4.0.
    fn restate_mixes(&mut self, is_four: bool) {
        let [rotate, x, y, scale_x, scale_y, shear_y] = self.mixes();
        (self.rotate_mix, self.mix_rotate) = in_form(rotate, is_four);
        (self.translate_mix, self.mix_x) = in_form(x, is_four);
        (self.scale_mix, self.mix_scale_x) = in_form(scale_x, is_four);
        (self.shear_mix, self.mix_shear_y) = in_form(shear_y, is_four);
        (self.mix_y, self.mix_scale_y) = (in_form(y, is_four).1, in_form(scale_y, is_four).1);
    }
}

impl Path<'_> {
    /// States all mixes in the form before or since 4.0.
    fn restate_mixes(&mut self, is_four: bool) {
        let [rotate, x, y] = self.mixes();
        (self.rotate_mix, self.mix_rotate) = in_form(rotate, is_four);
        (self.translate_mix, self.mix_x) = in_form(x, is_four);
        self.mix_y = in_form(y, is_four).1;
    }
}

/// The field of a mix before 4.0, and the one since.
fn in_form(mix: Number, is_four: bool) -> (Option<Number>, Option<Number>) {
    if is_four { (None, Some(mix)) } else { (Some(mix), None) }
}

impl ToProperty {
    /// The value of the source.
    pub const SAME: Self = Self { offset: Number(0.0), max: Number(1.0), scale: Number(1.0) };
}
