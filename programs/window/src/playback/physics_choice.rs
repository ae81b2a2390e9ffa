//! The user's choice of physics, and its effect for a format.

use pchr::Character;
use pchr::motion::plays_physics;

/// Returns the choice that enables or disables physics of `character`: `None` if that is the default of its format.
/// Files of other formats in the window then keep their own default.
pub fn choice(character: &Character, is_on: bool) -> Option<bool> {
    (is_on != plays_physics(character, None)).then_some(is_on)
}
