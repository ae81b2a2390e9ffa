//! Files: loading, reading again, and names.

pub mod atlases;
pub mod loading;
pub mod reload;
pub mod same_names;
pub mod textures;
