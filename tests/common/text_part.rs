//! Extracts the JSON text of a file and puts it back after changes, with the surrounding lengths adapted.

use bytes::Bytes;
use pchr::diagnostics::Diagnostics;
use pchr::formats::sheet;

use super::packed::json_text;

/// A file split into its parts.
pub struct TextPart {
    /// The text, possibly changed.
    pub text: Vec<u8>,
    /// The picture of a packed file; empty if there is none.
    pub picture: Vec<u8>,
    /// The container.
    pub around: Around,
}

/// The container of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Around {
    /// None.
    Nothing,
    /// The byte order mark that some editors put before UTF-8.
    Mark,
    /// Packed Pachario.
    Pachario,
    /// A packed sheet.
    Sheet,
}

impl TextPart {
    /// Returns `None` for a file without JSON.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        if let Ok(packed) = sheet::read_packed(&Bytes::copy_from_slice(bytes), &mut Diagnostics::default()) {
            let (text, picture) = (packed.json.bytes.to_vec(), packed.image.bytes.to_vec());
            return Some(Self { text, picture, around: Around::Sheet });
        }
        let (offset, text) = json_text(bytes)?;
        let around = match offset {
            0 => Around::Nothing,
            16 => Around::Pachario,
            _ => Around::Mark,
        };
        let picture = bytes[offset + text.len()..].to_vec();
        Some(Self { text: text.to_vec(), picture, around })
    }

    /// Returns the bytes of the file.
    pub fn join(self) -> Vec<u8> {
        let Self { text, picture, around } = self;
        match around {
            Around::Nothing => text,
            Around::Mark => [&b"\xef\xbb\xbf"[..], &text].concat(),
            Around::Pachario => super::packed::write(&text, &picture),
            Around::Sheet => [sheet::header(&text, picture.len() as u64).expect("it fits"), picture].concat(),
        }
    }
}
