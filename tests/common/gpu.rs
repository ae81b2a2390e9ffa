//! A GPU for tests, possibly a software driver.

use pchr::gpu::{Context, ContextOptions};

use super::say;

/// Returns a device, or prints that the test is skipped and returns `None`. Panics instead if `PCHR_TEST_GPU` is
/// `require`.
pub fn gpu_or_skip() -> Option<Context> {
    match Context::new(&ContextOptions::default()) {
        Ok(context) => Some(context),
        Err(error) if std::env::var_os("PCHR_TEST_GPU").is_some_and(|value| value == "require") => {
            panic!("PCHR_TEST_GPU=require, but: {error}");
        }
        Err(error) => {
            say(&format!("SKIPPED: {error}"));
            None
        }
    }
}

/// Returns a device with lower limits than its adapter.
pub fn device_with(required_limits: wgpu::Limits) -> Option<(wgpu::Device, wgpu::Queue)> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).ok()?;
    let descriptor = wgpu::DeviceDescriptor { required_limits, ..wgpu::DeviceDescriptor::default() };
    Some(pollster::block_on(adapter.request_device(&descriptor)).unwrap())
}
