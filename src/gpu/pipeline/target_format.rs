//! The format of a render target: what pipelines are created for.

/// The attachments of a render pass: one colour attachment, and for characters with clip masks a stencil.
///
/// Characters are authored in gamma space, so the format should not be an sRGB one (`Rgba8Unorm`, `Bgra8Unorm`):
/// colours are written as they are and blend as in the tool that made them. An sRGB format (`…UnormSrgb`) is
/// accepted: opaque colours come out the same, but the hardware then blends in linear light, so translucent parts
/// and smoothed edges come out lighter. Use one if the whole scene is drawn that way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TargetFormat {
    /// The format of the colour attachment's view.
    pub color: wgpu::TextureFormat,
    /// Samples per pixel: 1 or 4.
    pub samples: u32,
    /// The format of the depth-stencil attachment, if the pass has one. Depth is neither tested nor written
    /// without [`Pipelines::with_depth_test`](crate::gpu::Pipelines::with_depth_test). Of a stencil the lowest bit is used, which is 0 before and after.
    pub depth_stencil: Option<wgpu::TextureFormat>,
}
