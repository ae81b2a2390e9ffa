//! Files: loading, reading again, and names.

pub mod asked_path;
pub mod atlases;
pub mod findings;
pub mod loading;
pub mod reload;
pub mod same_names;
pub mod textures;
