//! Copies text to the system clipboard. egui alone only keeps it within the window.

use egui::{OutputCommand, PlatformOutput};

/// The system clipboard, opened on first use. On X11 and Wayland it serves the copied text only while it lives.
#[derive(Default)]
pub struct Clipboard(Option<arboard::Clipboard>);

impl Clipboard {
    /// Copies the text that egui has put out in this frame.
    pub fn take_over(&mut self, output: &PlatformOutput) -> Result<(), arboard::Error> {
        let copied = output.commands.iter().filter_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text),
            _ => None,
        });
        for text in copied {
            let clipboard = match &mut self.0 {
                Some(clipboard) => clipboard,
                none => none.insert(arboard::Clipboard::new()?),
            };
            clipboard.set_text(text)?;
        }
        Ok(())
    }
}
