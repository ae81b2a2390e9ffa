//! Copied text → the system's clipboard. egui only keeps it for the window itself.

use egui::{OutputCommand, PlatformOutput};

/// The system's clipboard, once something was copied. It gives away what was copied as long as it lives.
#[derive(Default)]
pub struct Clipboard(Option<arboard::Clipboard>);

impl Clipboard {
    /// Puts what was copied in this frame there.
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
