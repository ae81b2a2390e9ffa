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
