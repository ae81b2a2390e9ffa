//! Physics constraints.

/// A bone that lags behind its own movement and swings.
#[derive(Debug, Clone)]
pub(crate) struct PhysicsConstraint {
    pub bone: usize,
    /// How much of the physics each component of the bone takes on.
    pub x: f64,
    pub y: f64,
    pub rotate: f64,
    pub scale_x: f64,
    pub shear_x: f64,
    /// Maximum speed in pixels per second that is taken into account.
    pub limit: f64,
    /// Steps per second.
    pub fps: f64,
    /// Pixels per unit of wind and gravity.
    pub reference_scale: f64,
    /// Whether timelines of all constraints change each of [`PhysicsValue`].
    pub globals: [bool; 7],
}

/// A value of a physics constraint that timelines change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PhysicsValue {
    Inertia,
    Strength,
    Damping,
    Mass,
    Wind,
    Gravity,
    Mix,
}
