//! Why a run has no GPU renderer.

/// No GPU renderer is available.
pub struct Absent {
    pub error: Box<dyn std::error::Error + Send + Sync>,
    /// The reason to report if the CPU renderer is used instead.
    pub reason: Option<String>,
}
