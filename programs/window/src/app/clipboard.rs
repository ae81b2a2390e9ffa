//! The system clipboard. egui alone only keeps text within the window.

use std::borrow::Cow;

use arboard::{Error, ImageData};
use egui::{Event, Key, Modifiers, OutputCommand, PlatformOutput, RawInput};

use pchr::draw::Picture;

/// The system clipboard, opened on first use. On X11 and Wayland it serves what was copied only while it lives.
#[derive(Default)]
pub struct Clipboard(Option<arboard::Clipboard>);

impl Clipboard {
    /// Copies the text that egui has put out in this frame.
    pub fn take_over(&mut self, output: &PlatformOutput) -> Result<(), Error> {
        let copied = output.commands.iter().filter_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text),
            _ => None,
        });
        for text in copied {
            self.opened()?.set_text(text)?;
        }
        Ok(())
    }

    /// Copies a picture with straight alpha.
    pub fn copy_picture(&mut self, picture: &Picture) -> Result<(), Error> {
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        self.opened()?.set_image(ImageData { width, height, bytes: Cow::Borrowed(picture.pixels()) })
    }

    /// Returns the text in the clipboard.
    pub fn text(&mut self) -> Result<String, Error> {
        self.opened()?.get_text()
    }

    /// Replaces the keys that cut, copy and paste with egui's events for them.
    ///
    /// # Errors
    ///
    /// Fails if there is no clipboard, or no text in it to paste. The key is dropped then.
    pub fn translate(&mut self, input: &mut RawInput) -> Result<(), Error> {
        let mut result = Ok(());
        input.events.retain_mut(|event| {
            let Some(wanted) = ClipboardKey::of(event) else { return true };
            *event = match wanted {
                ClipboardKey::Cut => Event::Cut,
                ClipboardKey::Copy => Event::Copy,
                ClipboardKey::Paste => match self.text() {
                    Ok(text) => Event::Paste(text.replace("\r\n", "\n")),
                    Err(error) => {
                        result = Err(error);
                        return false;
                    }
                },
            };
            true
        });
        result
    }

    fn opened(&mut self) -> Result<&mut arboard::Clipboard, Error> {
        match &mut self.0 {
            Some(clipboard) => Ok(clipboard),
            none => Ok(none.insert(arboard::Clipboard::new()?)),
        }
    }
}

/// A request of a key to the clipboard.
#[derive(Debug, PartialEq)]
enum ClipboardKey {
    Cut,
    Copy,
    Paste,
}

impl ClipboardKey {
    fn of(event: &Event) -> Option<Self> {
        let &Event::Key { key, pressed: true, modifiers, .. } = event else { return None };
        let Modifiers { command, shift, alt, .. } = modifiers;
        match key {
            Key::Cut => Some(Self::Cut),
            Key::Copy => Some(Self::Copy),
            Key::Paste => Some(Self::Paste),
            // Ctrl and Alt at once type characters on some layouts.
            Key::X if command && !alt && !shift => Some(Self::Cut),
            Key::C if command && !alt && !shift => Some(Self::Copy),
            Key::V if command && !alt && !shift => Some(Self::Paste),
            Key::Delete if shift && !command => Some(Self::Cut),
            Key::Insert if command && !shift => Some(Self::Copy),
            Key::Insert if shift && !command => Some(Self::Paste),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_keys_cut_copy_and_paste() {
        let ctrl = Modifiers::COMMAND;
        let key =
            |key, modifiers, pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        for (event, expected) in [
            (key(Key::C, ctrl, true), Some(ClipboardKey::Copy)),
            (key(Key::X, ctrl, true), Some(ClipboardKey::Cut)),
            (key(Key::V, ctrl, true), Some(ClipboardKey::Paste)),
            (key(Key::Insert, Modifiers::SHIFT, true), Some(ClipboardKey::Paste)),
            (key(Key::Insert, ctrl, true), Some(ClipboardKey::Copy)),
            (key(Key::Copy, Modifiers::NONE, true), Some(ClipboardKey::Copy)),
            (key(Key::C, ctrl, false), None),
            (key(Key::C, Modifiers::NONE, true), None),
            (key(Key::V, ctrl | Modifiers::ALT, true), None),
            (Event::Copy, None),
        ] {
            assert_eq!(ClipboardKey::of(&event), expected, "{event:?}");
        }
    }
}
