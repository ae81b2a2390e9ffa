//! The versions and forms that can be written.

use crate::formats::spine::binary::Layout;
use crate::formats::spine::binary::write::version;
use crate::formats::spine::schema::{Root, Skeleton, Text};

/// A version of Spine, as JSON or binary.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    layout: Layout,
    is_binary: bool,
}

/// All forms, by the name of their target.
const FORMS: [(&str, Form); 11] = [
    ("spine", Form::json(Layout::V3_8)),
    ("spine38", Form::json(Layout::V3_8)),
    ("spine40", Form::json(Layout::V4_0)),
    ("spine41", Form::json(Layout::V4_1)),
    ("spine42", Form::json(Layout::V4_2)),
    ("spine43", Form::json(Layout::V4_3)),
    ("skel38", Form::binary(Layout::V3_8)),
    ("skel40", Form::binary(Layout::V4_0)),
    ("skel41", Form::binary(Layout::V4_1)),
    ("skel42", Form::binary(Layout::V4_2)),
    ("skel43", Form::binary(Layout::V4_3)),
];

impl Form {
    /// Returns true if the programs of its version read atlases in the form of Spine 4.
    pub fn reads_newer_atlas(self) -> bool {
        self.layout != Layout::V3_8
    }

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

    /// Returns the name of the target for binaries of a layout; 3.8 for older ones.
    pub(in crate::formats::spine) fn binary_target(layout: Layout) -> &'static str {
        let is_for = |form: &Form| form.is_binary && form.layout <= layout;
        FORMS.iter().rfind(|(_, form)| is_for(form)).map_or("skel38", |(name, _)| name)
    }

    /// Returns true for binary skeletons.
    pub fn is_binary(self) -> bool {
        self.is_binary
    }

    /// Returns the layout of the version.
    pub(in crate::formats::spine) fn layout(self) -> Layout {
        self.layout
    }

    /// Makes a document state this version; one that it states already is kept.
    pub(in crate::formats::spine) fn state(self, root: &mut Root<'_>) {
        root.version = self.layout.version();
        let skeleton = root.skeleton.get_or_insert_with(Skeleton::default);
        let stated = skeleton.spine.as_ref().map(Text::as_str);
        skeleton.spine = Some(Text(version(stated, self.layout).to_owned().into()));
    }
}
