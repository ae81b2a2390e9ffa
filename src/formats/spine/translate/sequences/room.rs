//! Limits of what is written instead of sequences: a few bytes of a file can ask for any number of keys.

/// Maximum number of attachment keys that are added to one animation.
const MAX_KEYS: u32 = 100_000;

/// Roughly the bytes of everything that is added to a document, and the steps that this takes.
const MAX_COST: u64 = 1 << 28;

/// Size of a key or an attachment, without its names and lists.
pub const RECORD_COST: u64 = 256;

/// What may still be added.
pub struct Room {
    keys: u32,
    cost: u64,
}

impl Room {
    pub fn new() -> Self {
        Self { keys: MAX_KEYS, cost: MAX_COST }
    }

    /// Begins the next animation.
    pub fn begin_animation(&mut self) {
        self.keys = MAX_KEYS;
    }

    /// Takes one key; false if there is no more.
    pub fn take_key(&mut self) -> bool {
        let left = self.keys.checked_sub(1);
        self.keys = left.unwrap_or(0);
        left.is_some()
    }

    /// Takes some of the cost; false if that much is not left.
    pub fn take(&mut self, cost: u64) -> bool {
        let left = self.cost.checked_sub(cost);
        self.cost = left.unwrap_or(self.cost);
        left.is_some()
    }
}
