//! What the fuzz targets ask and how they change their inputs. `fuzz/` takes it from here, and the normal tests ask
//! the same.
#![allow(dead_code, reason = "every program uses its own part")]

pub mod bake_checks;
pub mod deflate;
pub mod export_checks;
pub mod keyed_checks;
pub mod mutators;
pub mod opened;
pub mod picture_checks;
pub mod png_damage;
pub mod pngs;
pub mod sheet_checks;
pub mod targets;
pub mod text_damage;
