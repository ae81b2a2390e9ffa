//! The versions and forms that can be written.

use crate::formats::spine::binary::Layout;
use crate::formats::spine::schema::{Root, Skeleton, Text};
use crate::formats::spine::version::Version;

/// A version of Spine, as JSON or binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    layout: Layout,
    is_binary: bool,
}

/// All forms, by the name of their target.
const FORMS: [(&str, Form); 9] = [
    ("spine", Form::json(Layout::V3_8)),
    ("spine38", Form::json(Layout::V3_8)),
    ("spine40", Form::json(Layout::V4_0)),
    ("spine41", Form::json(Layout::V4_1)),
    ("spine42", Form::json(Layout::V4_2)),
    ("skel38", Form::binary(Layout::V3_8)),
    ("skel40", Form::binary(Layout::V4_0)),
    ("skel41", Form::binary(Layout::V4_1)),
    ("skel42", Form::binary(Layout::V4_2)),
];

impl Form {
    const fn json(layout: Layout) -> Self {
        Self { layout, is_binary: false }
    }

    const fn binary(layout: Layout) -> Self {
        Self { layout, is_binary: true }
    }

    /// Returns the form of a conversion target: `spine38` for JSON of 3.8, `skel42` for a binary of 4.2. `spine` is
    /// `spine38`.
    pub fn of_target(name: &str) -> Option<Self> {
        FORMS.iter().find(|(known, _)| *known == name).map(|(_, form)| *form)
    }

    /// Returns true for binary skeletons.
    pub fn is_binary(self) -> bool {
        self.is_binary
    }

    /// Returns the layout of the version.
    pub(in crate::formats::spine) fn layout(self) -> Layout {
        self.layout
    }

    /// States the version in a document, unless it states one that is read as the same.
    pub(in crate::formats::spine) fn state(self, root: &mut Root<'_>) {
        let version = self.layout.version();
        root.version = version;
        let skeleton = root.skeleton.get_or_insert_with(Skeleton::default);
        let is_stated = |text: &Text<'_>| Version::parse(text.as_str()) == Some(version);
        if !skeleton.spine.as_ref().is_some_and(is_stated) {
            skeleton.spine = Some(Text(self.last_release().into()));
        }
    }

    /// The last release of each version.
    fn last_release(self) -> &'static str {
        match self.layout {
            Layout::V3_8 => "3.8.99",
            Layout::V4_0 => "4.0.64",
            Layout::V4_1 => "4.1.24",
            Layout::V4_2 => "4.2.43",
        }
    }
}
