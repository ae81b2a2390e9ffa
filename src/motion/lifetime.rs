//! How long a change by the caller lasts.

/// How long an [`Animator`](crate::Animator) keeps a change by the caller. Changes apply in this order, so that a later
/// one wins. Evaluation itself ignores it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lifetime {
    /// Until an animation is played that has keys for the value, at whatever time. Then the change is removed.
    UntilKeyed,
    /// Until the caller releases it.
    #[default]
    Always,
    /// For the pose that is evaluated next.
    ThisFrame,
}
