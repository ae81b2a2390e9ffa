//! Hidden slots and meshes on the canvas.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::WindowOptions;
use crate::app::state::State;
use crate::scene::CpuSceneRenderer;
use crate::widgets::command::Command;
use pchr::draw::Picture;

fn picture(state: &mut State) -> Picture {
    let scene = state.scene().expect("a character");
    CpuSceneRenderer::default().render(&scene).0.clone()
}

/// Opens a copy of the knight with `--hide-mesh` patterns.
fn open(folder: &Path, patterns: &[&str]) -> State {
    let path = folder.join("knight.pchr");
    fs::copy(crate::common::root().join("assets/paper-knight.pchr"), &path).expect("the knight");
    let mut options = WindowOptions::default();
    options.subject.files = vec![path];
    options.subject.hidden_meshes = patterns.iter().map(|text| text.parse().expect("a pattern")).collect();
    options.paused = true;
    let mut state = State::new(&options);
    state.canvas.size = [60, 120];
    state
}

#[test]
fn hidden_slots_stay_hidden_when_the_file_is_read_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut state = open(folder.path(), &[]);
    let whole = picture(&mut state);
    let cape = state.model().and_then(|model| model.find_slot("cape")).expect("the knight has a cape");
    Arc::make_mut(&mut state.parts.hidden).set_hidden(cape, true);
    let without = picture(&mut state);
    assert!(without != whole);
    state.run(Command::Reload);
    assert!(picture(&mut state) == without);
    let view = state.view();
    Arc::make_mut(&mut state.parts.hidden).set_hidden(cape, false);
    assert!(picture(&mut state) == whole);
    assert_eq!(state.view(), view, "the view stays that of the whole character");
    Arc::make_mut(&mut state.parts.hidden).set_solo(cape, true);
    state.run(Command::Reload);
    assert!(state.parts.hidden.is_solo(cape));
}

#[test]
fn the_window_opens_with_the_meshes_of_the_command_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut state = open(folder.path(), &["cape", "boot_*"]);
    let cape = state.model().and_then(|model| model.find_slot("cape")).expect("the knight has a cape");
    assert!(state.parts.hidden.is_hidden(cape));
    assert!(picture(&mut state) != picture(&mut open(folder.path(), &[])));
    // The export dialog starts with the same parts, and so does its command line.
    state.run(Command::Export);
    let line = state.export.as_ref().expect("the dialog").options.command_line();
    assert!(line.contains("--hide-mesh cape") && line.contains("--hide-mesh boot_back"), "{line}");
    let notice = open(folder.path(), &["capes"]).notice.expect("a notice");
    assert!(notice.is_error && notice.text.contains("did you mean `cape`"), "{}", notice.text);
}
