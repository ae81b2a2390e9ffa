//! The two spellings of keys, for JSON pointers.

/// The spelling that a file uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    Short,
    Long,
}

/// Keys in both spellings.
const KEYS: [[&str; 2]; 8] = [
    ["AN", "ANIMATION"],
    ["SD", "SYMBOL_DICTIONARY"],
    ["S", "Symbols"],
    ["TL", "TIMELINE"],
    ["L", "LAYERS"],
    ["FR", "Frames"],
    ["E", "elements"],
    ["SN", "SYMBOL_name"],
];

impl Spelling {
    /// Returns the spelling of a file that has the long key of the main timeline, or not.
    pub fn detect(text: &[u8]) -> Self {
        let long = b"\"ANIMATION\"";
        if text.windows(long.len()).take(4096).any(|key| key == long) { Self::Long } else { Self::Short }
    }

    /// Returns keys, given in the short spelling.
    pub fn of<const N: usize>(self, short: [&'static str; N]) -> [&'static str; N] {
        short.map(|short| match KEYS.iter().find(|[key, _]| *key == short) {
            Some([_, long]) if self == Self::Long => long,
            _ => short,
        })
    }
}

/// Returns true if `name` is the key `short` in one of the spellings. `#` is none.
#[cfg(feature = "convert")]
pub fn is(short: &str, name: &str) -> bool {
    KEYS.iter().any(|key| key[0] == short && key.contains(&name))
}
