//! Typed indices into a [`Model`](super::Model)'s lists.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// Creates an id from a list index. The readers' budgets keep every list far below 2³² items.
            pub(crate) fn new(index: usize) -> Self {
                debug_assert!(u32::try_from(index).is_ok());
                Self(index as u32)
            }

            /// Returns the list index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// Id of a bone.
    BoneId;
    /// Id of a slot.
    SlotId;
    /// Id of an attachment.
    AttachmentId;
    /// Id of an atlas page.
    PageId;
    /// Id of an animation.
    AnimationId;
    /// Id of a skin.
    SkinId;
    /// Id of an event.
    EventId;
}
