//! The progress bar on stderr, and lines above it.

use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The last bar that was created.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn last() -> Option<ProgressBar> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Creates a bar that counts to `count`. It is only visible on a terminal, if it `is_wanted`, and for more than one
/// `unit`.
pub fn bar(is_wanted: bool, count: usize, unit: &str) -> ProgressBar {
    let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    let is_visible = is_wanted && count > 1 && !is_dumb;
    let target = if is_visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(count as u64), target);
    let style =
        ProgressStyle::with_template(&format!("{{bar:32}} {{pos}}/{{len}} {unit}, {{per_sec}}, {{eta}} left"));
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
    bar
}

/// Prints to stderr or stdout without disturbing the bar.
pub fn above<T>(print: impl FnOnce() -> T) -> T {
    match last() {
        Some(bar) if !bar.is_finished() => bar.suspend(print),
        _ => print(),
    }
}

/// Removes the bar from the terminal.
pub fn clear() {
    if let Some(bar) = last() {
        bar.finish_and_clear();
    }
}
