//! Parts of a document that can be missing, and be removed.

use crate::formats::spine::schema::{Entries, FieldKind, Keys, Number, ScaleYMode, Value};
use crate::model::ConstraintKind;

/// A part of a document that may be missing.
pub trait Part {
    fn is_given(&mut self) -> bool;
    fn clear(&mut self);
}

/// Parts whose default stands for a missing one.
macro_rules! parts {
    ($([$($generic:tt)*] $type:ty: |$it:ident| $is_given:expr;)*) => {$(
        impl<$($generic)*> Part for $type {
            fn is_given(&mut self) -> bool {
                let $it = self;
                $is_given
            }

            fn clear(&mut self) {
                *self = Self::default();
            }
        }
    )*};
}

parts! {
    [T] Option<T>: |it| it.is_some();
    [T] Vec<T>: |it| !it.is_empty();
    [T] Entries<'_, T>: |it| !it.is_empty();
    [] bool: |it| *it;
    [] Number: |it| it.0 != 0.0;
    [] ScaleYMode: |it| *it != Self::None;
}

impl Part for Keys<'_> {
    fn is_given(&mut self) -> bool {
        !self.is_empty()
    }

    fn clear(&mut self) {
        *self = Self::new(self.property);
    }
}

/// A field of all keys of a timeline.
pub struct Column<'k, 'a>(pub &'k mut Keys<'a>, pub usize);

impl Part for Column<'_, '_> {
    fn is_given(&mut self) -> bool {
        let Self(keys, field) = self;
        // 0 and false are as good as missing.
        let is_given = |value| !matches!(value, Value::Missing | Value::Switch(false));
        let is_optional = keys.row().form.fields[*field].kind == FieldKind::Optional;
        keys.column(*field).any(|value| is_given(value) && (is_optional || value != Value::Number(0.0)))
    }

    fn clear(&mut self) {
        self.0.column_mut(self.1).for_each(|value| *value = Value::Missing);
    }
}

/// The items of a list that belong to constraints of one kind.
pub struct OfKind<'k, T> {
    pub list: &'k mut Vec<T>,
    pub kind: ConstraintKind,
    pub kind_of: fn(&T) -> ConstraintKind,
}

impl<T> Part for OfKind<'_, T> {
    fn is_given(&mut self) -> bool {
        self.list.iter().any(|it| (self.kind_of)(it) == self.kind)
    }

    fn clear(&mut self) {
        self.list.retain(|it| (self.kind_of)(it) != self.kind);
    }
}

/// A form that a part has, which cannot be removed.
pub struct Form(pub bool);

impl Part for Form {
    fn is_given(&mut self) -> bool {
        self.0
    }

    fn clear(&mut self) {}
}
