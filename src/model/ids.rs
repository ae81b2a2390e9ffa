//! Typed indices into a [`Model`](super::Model)'s lists.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// From a position in the list. The readers' budgets keep every list far below 2³² items.
            pub(crate) fn new(index: usize) -> Self {
                debug_assert!(u32::try_from(index).is_ok());
                Self(index as u32)
            }

            /// The position in the list.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A bone of the skeleton.
    BoneId;
    /// A drawable place.
    SlotId;
    /// Something that a slot can show.
    AttachmentId;
    /// A picture.
    PageId;
    /// An animation.
    AnimationId;
    /// A set of attachments.
    SkinId;
    /// Something that animations tell.
    EventId;
}
