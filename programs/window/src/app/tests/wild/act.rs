//! What a random user does.

use std::fs;
use std::path::PathBuf;

use egui::accesskit::{Action, ActionData, ActionRequest, NodeId, TreeId};
use egui::{
    Event, HoveredFile, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, Rect, TouchPhase,
    pos2, vec2,
};

use super::Wild;
use crate::overlays::underlay::Underlay;
use crate::widgets::actions::{Dialog, Request};
use crate::widgets::command::COMMANDS;

const SIZES: [[f32; 2]; 8] = [
    [240.0, 160.0],
    [320.0, 700.0],
    [480.0, 330.0],
    [640.0, 480.0],
    [1000.0, 260.0],
    [1000.0, 700.0],
    [1000.0, 700.0],
    [1400.0, 900.0],
];
const TEXTS: [&str; 12] = [
    "",
    "a",
    "arm",
    "walk",
    "1",
    "-5",
    "0",
    "1e9",
    "99999999999",
    "1..3",
    "nan",
    "a very long text, longer than fields",
];

impl Wild {
    /// Does one thing, and lays out a few frames.
    pub fn act(&mut self) {
        match self.below(100) {
            0..22 => self.press_bound_key(),
            22..27 => self.press_any_key(),
            27..57 => self.click_control(),
            57..63 => self.click_anywhere(),
            63..71 => self.drag(),
            71..77 => self.turn_wheel(),
            77..80 => self.resize(),
            80..83 => self.drop_files(),
            83..86 => self.change_file(),
            86..90 => self.type_text(),
            90..94 => self.let_time_pass(),
            94..97 => self.ask_by_accessibility(),
            97..98 => self.paste(),
            98..99 => self.use_palette(),
            _ => self.look_away(),
        }
        let count = self.below(3);
        self.frames(count + 1);
        self.answer_requests();
    }

    fn did(&mut self, what: impl Into<String>) {
        self.done.push(what.into());
    }

    fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.did(format!("press {key:?} with {modifiers:?}"));
        self.window.harness.key_press_modifiers(modifiers, key);
    }

    fn press_bound_key(&mut self) {
        let keys: Vec<_> = COMMANDS.iter().flat_map(|face| face.keys).copied().collect();
        let binding = self.one_of(&keys);
        let (ctrl, shift) = (binding.ctrl, binding.shift);
        self.press(Modifiers { ctrl, shift, command: ctrl, ..Modifiers::NONE }, binding.key);
    }

    fn press_any_key(&mut self) {
        let key = match self.one_in(3) {
            true => self.one_of(&[Key::Tab, Key::Enter, Key::Space, Key::ArrowDown, Key::ArrowUp, Key::Delete]),
            false => self.one_of(Key::ALL),
        };
        let modifiers = self.modifiers();
        self.press(modifiers, key);
    }

    fn modifiers(&mut self) -> Modifiers {
        self.one_of(&[
            Modifiers::NONE,
            Modifiers::NONE,
            Modifiers::NONE,
            Modifiers::SHIFT,
            Modifiers::ALT,
            Modifiers::CTRL | Modifiers::COMMAND,
        ])
    }

    fn window_rect(&self) -> Rect {
        self.window.harness.ctx.content_rect()
    }

    fn point(&mut self) -> Pos2 {
        let rect = self.window_rect();
        let (x, y) = (self.random.between(0.0, rect.width()), self.random.between(0.0, rect.height()));
        pos2(x, y)
    }

    /// Returns a control, by its name and place.
    fn control(&mut self) -> Option<(String, Pos2)> {
        let visible = self.window_rect();
        let controls = self.window.controls().into_values();
        let mut controls: Vec<(String, Pos2)> = controls
            .filter(|(_, rect)| visible.contains(rect.center()))
            .map(|(name, rect)| (name, rect.center()))
            .collect();
        controls.sort_by(|(a, _), (b, _)| a.cmp(b));
        (!controls.is_empty()).then(|| self.one_of(&controls))
    }

    fn click_control(&mut self) {
        let Some((name, place)) = self.control() else { return self.click_anywhere() };
        self.click(place, &name);
    }

    fn click_anywhere(&mut self) {
        let place = self.point();
        self.click(place, "");
    }

    fn click(&mut self, pos: Pos2, name: &str) {
        let button = match self.below(8) {
            0 => PointerButton::Secondary,
            1 => self.one_of(&[PointerButton::Middle, PointerButton::Extra1]),
            _ => PointerButton::Primary,
        };
        let modifiers = self.modifiers();
        let times = if self.one_in(8) { 2 } else { 1 };
        self.did(format!("click {times} × {button:?} with {modifiers:?} at {pos} {name}"));
        self.window.harness.hover_at(pos);
        self.frames(1);
        for _ in 0..times {
            for pressed in [true, false] {
                self.window.harness.event(Event::PointerButton { pos, button, pressed, modifiers });
                // Both in one frame, as from a touchpad.
                if !self.one_in(4) {
                    self.frames(1);
                }
            }
        }
    }

    fn drag(&mut self) {
        let from = match self.one_in(2) {
            true => self.control().map(|(_, place)| place),
            false => None,
        };
        let from = from.unwrap_or_else(|| self.point());
        self.did(format!("drag from {from}"));
        self.window.harness.hover_at(from);
        self.frames(1);
        self.window.harness.drag_at(from);
        self.frames(1);
        let mut to = from;
        for _ in 0..=self.below(4) {
            to = self.point();
            self.did(format!("  to {to}"));
            self.window.harness.hover_at(to);
            self.frames(1);
            if self.one_in(6) {
                self.press_bound_key();
                self.frames(1);
            }
        }
        self.window.harness.drop_at(to);
    }

    fn turn_wheel(&mut self) {
        let (at, modifiers) = (self.point(), self.modifiers());
        let x = if self.one_in(4) { 30.0 } else { 0.0 };
        let delta = vec2(x, self.one_of(&[-900.0, -100.0, -40.0, 40.0, 100.0, 900.0]));
        self.did(format!("turn the wheel by {delta} with {modifiers:?} at {at}"));
        self.window.harness.hover_at(at);
        self.frames(1);
        let (unit, phase, source) = (MouseWheelUnit::Point, TouchPhase::Move, MouseWheelSource::Wheel);
        self.window.harness.event(Event::MouseWheel { unit, delta, phase, source, modifiers });
        if self.one_in(5) {
            let factor = self.one_of(&[0.5, 0.9, 1.1, 3.0]);
            self.window.harness.event(Event::Zoom(factor));
        }
    }

    fn resize(&mut self) {
        let (size, scale) = (self.one_of(&SIZES), self.one_of(&[1.0, 1.0, 1.0, 1.25, 2.0]));
        self.did(format!("resize to {size:?} points, {scale} pixels per point"));
        self.window.harness.set_pixels_per_point(scale);
        self.window.harness.set_size(size.into());
    }

    fn drop_files(&mut self) {
        let count = self.one_of(&[1, 1, 1, 2, 3]);
        let files: Vec<PathBuf> = (0..count).map(|_| self.file()).collect();
        self.did(format!("drop {files:?}"));
        let hovered = |path: &PathBuf| HoveredFile { path: Some(path.clone()), ..HoveredFile::default() };
        self.window.harness.input_mut().hovered_files = files.iter().map(hovered).collect();
        self.frames(1);
        self.window.harness.input_mut().hovered_files.clear();
        if self.one_in(4) {
            return self.did("  no, leave");
        }
        self.window.drop_files(files);
    }

    fn file(&mut self) -> PathBuf {
        let files = self.files.clone();
        self.one_of(&files)
    }

    /// Saves a file again, as an editor does: whole, in part, damaged, as another one, or not at all.
    fn change_file(&mut self) {
        let (path, other) = (self.file(), self.file());
        if path.is_dir() {
            return self.did("change nothing");
        }
        let before = fs::read(&path).unwrap_or_default();
        let original = crate::common::root().join("assets").join(path.file_name().unwrap_or_default());
        let (how, bytes) = match self.below(5) {
            0 => ("cut in half", before[..before.len() / 2].to_vec()),
            1 => {
                let mut bytes = before;
                for _ in 0..8 {
                    if !bytes.is_empty() {
                        let at = self.below(bytes.len());
                        bytes[at] = self.below(256) as u8;
                    }
                }
                ("damaged", bytes)
            }
            2 => ("replaced by another", fs::read(&other).unwrap_or_default()),
            _ => ("as it was", fs::read(&original).unwrap_or(before)),
        };
        self.did(format!("change {}: {how}", path.display()));
        fs::write(&path, bytes).unwrap();
        self.window.state_mut().files_changed(&|changed| changed == path);
    }

    fn type_text(&mut self) {
        let text = self.one_of(&TEXTS).to_owned();
        self.did(format!("type {text:?}"));
        if self.one_in(2) {
            self.window.harness.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::A);
        }
        self.window.harness.event(Event::Text(text));
        if self.one_in(2) {
            self.window.harness.key_press(Key::Enter);
        }
    }

    fn let_time_pass(&mut self) {
        let frames = self.one_of(&[1, 5, 30]);
        self.did(format!("wait for {frames} frames"));
        for _ in 0..frames {
            let dt = self.one_of(&[1.0 / 60.0, 0.05, 0.25]);
            self.window.app().advance(dt);
            self.frames(1);
        }
    }

    /// Asks as screen readers do, also for what no control offers.
    fn ask_by_accessibility(&mut self) {
        let nodes: Vec<u64> = self.window.controls().into_keys().collect();
        if nodes.is_empty() {
            return self.did("ask nothing");
        }
        let node = self.one_of(&nodes);
        let number = self.one_of(&[f64::NAN, f64::INFINITY, -1e30, -1.0, 0.0, 0.5, 3.0, 1e30]);
        let (action, data) = match self.below(6) {
            0 => (Action::Click, None),
            1 => (Action::Focus, None),
            2 => (Action::Increment, None),
            3 => (Action::Decrement, None),
            4 => (Action::ScrollIntoView, None),
            _ => (Action::SetValue, Some(ActionData::NumericValue(number))),
        };
        self.did(format!("ask {node} to {action:?} {data:?}"));
        let target_node = NodeId(node);
        self.window.harness.event(Event::AccessKitActionRequest(ActionRequest {
            action,
            target_tree: TreeId::ROOT,
            target_node,
            data,
        }));
    }

    fn paste(&mut self) {
        let file = self.file().display().to_string();
        let text = self.one_of(&[file, "nothing".to_owned(), String::new(), "a\nb\nc".to_owned()]);
        self.did(format!("paste {text:?}"));
        self.window.harness.event(Event::Paste(text));
        if self.one_in(2) {
            self.window.harness.event(Event::Copy);
        }
    }

    fn use_palette(&mut self) {
        let text = self.one_of(&["show", "a", "file", "theme", "z", "larger", "smaller", "picture"]);
        self.did(format!("find {text:?} in the palette"));
        self.window.harness.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::K);
        self.frames(1);
        self.window.harness.event(Event::Text(text.to_owned()));
        self.frames(1);
        for _ in 0..self.below(4) {
            self.window.harness.key_press(Key::ArrowDown);
        }
        self.window.harness.key_press(Key::Enter);
    }

    fn look_away(&mut self) {
        self.did("leave the window");
        self.window.harness.event(Event::PointerGone);
        self.window.harness.event(Event::WindowFocused(false));
        self.frames(1);
        self.window.harness.event(Event::WindowFocused(true));
    }

    /// Answers what the window would do outside of the contents: dialogs, clipboard, full screen.
    fn answer_requests(&mut self) {
        for request in std::mem::take(&mut self.window.state_mut().requests) {
            self.did(format!("  answer {request:?}"));
            let file = self.file();
            let (is_cancelled, has_no_dialog) = (self.one_in(3), self.one_in(3));
            let state = self.window.state_mut();
            match request {
                _ if is_cancelled => {}
                Request::Dialog(dialog) if has_no_dialog && dialog != Dialog::Save => state.ask_for_path(dialog),
                Request::Dialog(dialog @ Dialog::Screenshots) => {
                    state.take_paths(dialog, file.parent().map(PathBuf::from).into_iter().collect());
                }
                Request::Dialog(dialog @ Dialog::Save) => {
                    state.take_paths(dialog, vec![file.with_extension("gif")]);
                }
                Request::Dialog(dialog) => state.take_paths(dialog, vec![file]),
                Request::ReadUnderlay { file, is_background } => {
                    let read = Underlay::read(&file, is_background, &state.files.read.limits);
                    state.lay_under(read);
                }
                Request::CopyPicture => drop(state.screenshot()),
                Request::Paste => state.open_pasted(&file.display().to_string()),
                Request::FullScreen => state.is_full_screen ^= true,
                Request::OpenFolder(_) | Request::Quit => {}
            }
        }
    }
}
