//! The library used wrongly: what belongs to another model, what was emptied, numbers that are none or endless.
//!
//! Nothing overflows, hangs or takes more memory than is there. A mistake with an index panics with a message that says
//! what is wrong, as the `# Panics` sections have it; everything else is `None`, an error or a picture without what makes
//! no sense.

mod common;
mod misuses;
