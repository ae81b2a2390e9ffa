//! Tests of draw lists and of both renderers.

#[path = "../common/mod.rs"]
mod common;
#[path = "../scenes/mod.rs"]
mod scenes;

mod any_view;
mod batches;
#[cfg(feature = "gpu")]
mod clip_shapes;
#[cfg(feature = "formats-all")]
mod counts;
#[cfg(all(feature = "formats-all", feature = "gpu"))]
mod crowd;
mod draw_list;
#[cfg(all(feature = "formats-all", feature = "export"))]
mod game;
mod golden_cpu;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(feature = "gpu")]
mod gpu_camera;
#[cfg(feature = "gpu")]
mod gpu_crowds;
#[cfg(feature = "gpu")]
mod gpu_scene;
#[cfg(feature = "gpu")]
mod gpu_sharing;
#[cfg(feature = "gpu")]
mod gpu_versus_cpu;
mod over_background;
#[cfg(all(feature = "formats-all", feature = "export"))]
mod overlay_frames;
#[cfg(all(feature = "formats-all", feature = "export"))]
mod overlays;
#[cfg(feature = "formats-all")]
mod pick;
#[cfg(feature = "formats-all")]
mod pick_layers;
#[cfg(all(feature = "formats-all", feature = "gpu"))]
mod runtime;
#[cfg(all(feature = "formats-all", feature = "gpu"))]
mod skelform_pictures;
#[cfg(all(feature = "formats-all", feature = "gpu"))]
mod spine_pictures;
#[cfg(all(feature = "formats-all", feature = "export"))]
mod stage;
mod text;
mod tiny_skia;
