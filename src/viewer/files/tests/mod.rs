//! Files: loading, reading again, and names.

pub mod findings;
pub mod asked_path;
pub mod atlases;
pub mod loading;
pub mod reload;
pub mod same_names;
pub mod textures;
