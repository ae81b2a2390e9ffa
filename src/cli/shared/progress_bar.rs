//! Progress bars on stderr.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::interrupt;

/// Creates a bar, which is shown on a terminal if it is `wanted` and there is more than one step, and removed if the
/// program is interrupted.
pub fn progress_bar(wanted: bool, steps: usize, template: &str) -> ProgressBar {
    let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    let is_shown = wanted && steps > 1 && !is_dumb;
    let target = if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(steps as u64), target);
    let style = ProgressStyle::with_template(template);
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    interrupt::show(&bar);
    bar
}
