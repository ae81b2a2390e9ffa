//! Quitting while a file is loading: at once, and without anything left behind.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::WindowOptions;
use crate::app::App;
use crate::base::waker::Waker;
use crate::widgets::actions::Request;
use egui::{Key, Modifiers};
use egui_kittest::Harness;

/// Longer than anything takes here.
const PATIENCE: Duration = Duration::from_secs(60);

/// Opens a window on a file, which is loaded in the background. Also returns how often the thread has ended.
fn open(file: &Path, settings: &Path) -> (Harness<'static, App>, Arc<AtomicUsize>) {
    let mut options = WindowOptions::default();
    options.no_watch = true;
    options.subject.files.push(file.to_owned());
    options.settings = Some(settings.to_owned());
    let ended = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&ended);
    let app = App::in_background(&options, None, Waker::new(move || _ = count.fetch_add(1, Ordering::Relaxed)));
    let set_up = App::new(&WindowOptions::default());
    let harness = Harness::builder()
        .with_size([600.0, 400.0])
        .with_context_setup(move |ctx| set_up.set_up(ctx))
        .build_ui_state(|ui, app: &mut App| app.ui(ui), app);
    (harness, ended)
}

/// Waits until the loading thread has ended, which it reports by waking the window.
fn wait_for_end(ended: &AtomicUsize) {
    let begin = Instant::now();
    while ended.load(Ordering::Relaxed) == 0 {
        assert!(begin.elapsed() < PATIENCE, "the thread goes on");
        std::thread::yield_now();
    }
}

#[cfg(unix)]
#[test]
fn quitting_does_not_wait_for_a_pipe_without_a_writer() {
    let folder = tempfile::tempdir().unwrap();
    let (pipe, settings) = (folder.path().join("pipe"), folder.path().join("settings.toml"));
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let (mut harness, ended) = open(&pipe, &settings);
    harness.run_steps(4);
    assert!(!harness.state().state.files.loading.is_idle());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Q);
    harness.run_steps(1);
    assert!(harness.state().state.requests.contains(&Request::Quit), "it is asked for in the same frame");
    // What the window does when it is closed, by key or by the window manager.
    assert_eq!(harness.state_mut().save_settings(), None);
    drop(harness);
    wait_for_end(&ended);
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| name == "pipe" || name == "settings.toml"), "{left:?}");
}

#[test]
fn quitting_does_not_wait_for_a_large_file() {
    let folder = tempfile::tempdir().unwrap();
    let (file, settings) = (folder.path().join("sheet.png"), folder.path().join("settings.toml"));
    let side = 4096;
    let pixels = vec![0x7f; side as usize * side as usize * 4];
    std::fs::write(&file, pchr::formats::image::encode_png(side, side, &pixels).unwrap()).unwrap();
    let (mut harness, ended) = open(&file, &settings);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Q);
    harness.run_steps(1);
    assert!(harness.state().state.requests.contains(&Request::Quit));
    drop(harness);
    wait_for_end(&ended);
}
