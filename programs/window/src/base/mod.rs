//! Helpers that know neither the character nor egui: filters, values kept while nothing changes, round numbers, and
//! threads that work in the background.

pub mod answer;
pub mod distinct;
pub mod filter;
pub mod lookup;
pub mod memo;
pub mod name;
pub mod pool;
pub mod task;
pub mod texts;
pub mod ticks;
pub mod waker;
