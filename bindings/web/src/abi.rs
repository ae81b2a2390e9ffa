//! What all calls share: the input, the output and the files of the next call.

use std::cell::RefCell;

use bytes::Bytes;
use pchr::{Error, Result};
use serde::Serialize;

use crate::failure::Failure;
use crate::files::Files;
#[cfg(feature = "player")]
use crate::playing::{Character, Player};

/// Everything that calls share.
#[derive(Default)]
pub struct State {
    pub input: Vec<u8>,
    pub output: Vec<u8>,
    pub files: Files,
    #[cfg(feature = "player")]
    pub characters: Slots<Character>,
    #[cfg(feature = "player")]
    pub players: Slots<Player>,
    /// Decoded pictures for the characters that are opened next, in the order in which reading needs them. A broken one is
    /// empty.
    #[cfg(feature = "player")]
    pub pictures: Slots<Vec<Bytes>>,
    /// Files that a call has made, by their paths.
    pub made: Vec<(String, Bytes)>,
}

/// Values by handle.
#[cfg(feature = "player")]
pub struct Slots<T>(Vec<Option<T>>);

#[cfg(feature = "player")]
impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

#[cfg(feature = "player")]
impl<T> Slots<T> {
    pub fn add(&mut self, value: T) -> i32 {
        let at = self.0.iter().position(Option::is_none).unwrap_or_else(|| {
            self.0.push(None);
            self.0.len() - 1
        });
        self.0[at] = Some(value);
        at as i32
    }

    pub fn get(&mut self, handle: i32) -> Result<&mut T> {
        let found = usize::try_from(handle).ok().and_then(|at| self.0.get_mut(at)?.as_mut());
        found.ok_or_else(|| Error::misuse("closed", "the handle was freed"))
    }

    pub fn remove(&mut self, handle: i32) {
        if let Some(slot) = usize::try_from(handle).ok().and_then(|at| self.0.get_mut(at)) {
            *slot = None;
        }
    }
}

thread_local! {
    pub static STATE: RefCell<State> = RefCell::default();
}

impl State {
    /// Takes the text that the caller has left, or a part of it.
    pub fn text(&mut self) -> String {
        String::from_utf8_lossy(&self.input).into_owned()
    }

    pub fn say(&mut self, answer: &impl Serialize) {
        self.output.clear();
        // Numbers and text only, which cannot fail.
        _ = serde_json::to_writer(&mut self.output, answer);
    }

    /// Keeps files that a call has made, and answers a [`Made`].
    pub fn give(&mut self, made: Vec<(String, Bytes)>) {
        self.say(&Made { files: made.iter().map(|(name, _)| &**name).collect() });
        self.made = made;
    }

    pub fn settle(&mut self, result: Result<i32>) -> i32 {
        result.unwrap_or_else(|error| {
            self.say(&Failure::of(&error));
            -1
        })
    }
}

/// The names of files that [`pchr_made`] gives.
#[derive(Serialize)]
struct Made<'a> {
    files: Vec<&'a str>,
}

/// Runs a call that may fail.
pub fn call(run: impl FnOnce(&mut State) -> Result<i32>) -> i32 {
    STATE.with_borrow_mut(|state| {
        let result = run(state);
        state.settle(result)
    })
}

/// Makes room for `len` bytes that the next call reads.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_input(len: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        // Files are large, and one after the other is enough.
        state.input = vec![0; len];
        state.input.as_mut_ptr()
    })
}

/// Where the answer of the last call is.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_output() -> *const u8 {
    STATE.with_borrow(|state| state.output.as_ptr())
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_output_len() -> usize {
    STATE.with_borrow(|state| state.output.len())
}

/// Frees the memory of the answer, which may be a picture.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_output_free() {
    STATE.with_borrow_mut(|state| state.output = Vec::new());
}

/// Answers the contents of a file that the last call has made, once.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_made(index: usize) -> i32 {
    call(|state| {
        let (_, bytes) =
            state.made.get_mut(index).ok_or_else(|| Error::misuse("no-file", "there is no such file"))?;
        state.output = std::mem::take(bytes).into();
        Ok(0)
    })
}

/// Forgets all files. With `is_complete`, files that are not added do not exist; otherwise opening says which it wants.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_files_begin(is_complete: u32) {
    STATE.with_borrow_mut(|state| state.files = Files::new(is_complete != 0));
}

/// Adds a file: the input is its contents and its name, of `name_len` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_files_add(name_len: usize) {
    STATE.with_borrow_mut(|state| {
        let mut bytes = std::mem::take(&mut state.input);
        let name = bytes.split_off(bytes.len().saturating_sub(name_len));
        state.files.add(&String::from_utf8_lossy(&name), bytes);
    });
}

/// Notes that the file named by the input does not exist.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_files_missing() {
    STATE.with_borrow_mut(|state| {
        let name = state.text();
        state.files.miss(&name);
    });
}
