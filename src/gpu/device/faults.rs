//! Collects the errors of a device, which would otherwise panic.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};

use crate::gpu::error::{Cause, GpuError};

/// The first error of a device since the last [`Self::check`]. A lost device stays lost.
#[derive(Debug, Clone, Default)]
pub struct Faults(Arc<Mutex<Option<GpuError>>>);

impl Faults {
    /// Installs the error handlers of `device`.
    pub fn of(device: &wgpu::Device) -> Self {
        let faults = Self::default();
        let (lost, other) = (faults.clone(), faults.clone());
        device.set_device_lost_callback(move |_reason, message| lost.record(Cause::DeviceLost { message }.into()));
        device.on_uncaptured_error(Arc::new(move |error| other.record(from_wgpu(error))));
        faults
    }

    fn record(&self, error: GpuError) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Later errors of a lost device follow from the loss.
        if first.is_none() || error.code() == "device-lost" {
            *first = Some(error);
        }
    }

    /// Returns the error, if there was one.
    pub fn check(&self) -> Result<(), GpuError> {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*first {
            None => Ok(()),
            Some(lost) if lost.code() == "device-lost" => Err(lost.clone()),
            Some(_) => first.take().map_or(Ok(()), Err),
        }
    }
}

/// Runs `make` and returns the errors that the device reports meanwhile, whatever handlers its owner installed.
///
/// In a browser errors arrive later and go to the device's own handler; elsewhere they are available at once.
pub fn catch<T>(device: &wgpu::Device, make: impl FnOnce() -> Result<T, GpuError>) -> Result<T, GpuError> {
    let internal = device.push_error_scope(wgpu::ErrorFilter::Internal);
    let validation = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let memory = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let made = make();
    for scope in [memory, validation, internal] {
        let mut cx = std::task::Context::from_waker(Waker::noop());
        if let Poll::Ready(Some(error)) = pin!(scope.pop()).poll(&mut cx) {
            return Err(from_wgpu(error));
        }
    }
    made
}

fn from_wgpu(error: wgpu::Error) -> GpuError {
    match error {
        wgpu::Error::OutOfMemory { .. } => Cause::OutOfMemory.into(),
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
            Cause::Refused { description }.into()
        }
    }
}
