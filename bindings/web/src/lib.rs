//! The player's side of WebAssembly: plain functions over handles, without imports, which `js/wasm.js` calls.
//!
//! A call takes its text and bytes from a buffer for which [`pchr_input`] makes room, and leaves its answer, JSON unless it
//! says otherwise, in another: [`pchr_output`], [`pchr_output_len`]. A negative result means that the answer is an error:
//! `{code, path, file, offset, message}`. Handles of characters and players are never reused for another kind.
//!
//! A character is what a file contains; any number of players show it. Times are seconds, world units are pixels with y up,
//! picture units are pixels with y down.

mod answers;
mod area;
mod characters;
mod files;
mod player;
mod pose_bytes;
mod still;

use std::cell::RefCell;

use pchr::Error;
use pchr::Result;
use serde::Serialize;

use answers::Failure;
use characters::Character;
use files::Files;
use player::Player;

/// Everything that calls share.
#[derive(Default)]
struct State {
    input: Vec<u8>,
    output: Vec<u8>,
    files: Files,
    characters: Slots<Character>,
    players: Slots<Player>,
}

/// Values by handle.
struct Slots<T>(Vec<Option<T>>);

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Slots<T> {
    fn add(&mut self, value: T) -> i32 {
        let at = self.0.iter().position(Option::is_none).unwrap_or_else(|| {
            self.0.push(None);
            self.0.len() - 1
        });
        self.0[at] = Some(value);
        at as i32
    }

    fn get(&mut self, handle: i32) -> Result<&mut T> {
        let found = usize::try_from(handle).ok().and_then(|at| self.0.get_mut(at)?.as_mut());
        found.ok_or_else(|| Error::misuse("closed", "the character or player was freed"))
    }

    fn remove(&mut self, handle: i32) {
        if let Some(slot) = usize::try_from(handle).ok().and_then(|at| self.0.get_mut(at)) {
            *slot = None;
        }
    }
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

impl State {
    /// Takes the text that the caller has left, or a part of it.
    fn text(&mut self) -> String {
        String::from_utf8_lossy(&self.input).into_owned()
    }

    fn say(&mut self, answer: &impl Serialize) {
        self.output.clear();
        // Numbers and text only, which cannot fail.
        _ = serde_json::to_writer(&mut self.output, answer);
    }

    fn settle(&mut self, result: Result<i32>) -> i32 {
        result.unwrap_or_else(|error| {
            self.say(&Failure::of(&error));
            -1
        })
    }
}

/// Runs a call that may fail.
fn call(run: impl FnOnce(&mut State) -> Result<i32>) -> i32 {
    STATE.with_borrow_mut(|state| {
        let result = run(state);
        state.settle(result)
    })
}

/// Runs a call on a player.
fn on_player(player: i32, run: impl FnOnce(&mut Player, &str) -> Result<i32>) -> i32 {
    call(|state| {
        let text = state.text();
        run(state.players.get(player)?, &text)
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

/// Forgets all files. With `is_complete`, files that are not added do not exist; otherwise opening says which it wants.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_files_begin(is_complete: u32) {
    STATE.with_borrow_mut(|state| state.files = Files::new(is_complete != 0));
}

/// Adds a file: the input is its name, of `name_len` bytes, and its contents.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_files_add(name_len: usize) {
    STATE.with_borrow_mut(|state| {
        let mut name = std::mem::take(&mut state.input);
        let bytes = name.split_off(name_len.min(name.len()));
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

/// Opens the file named by the input, one of those added. Returns its handle; the answer is an `Opened`.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_open() -> i32 {
    STATE.with_borrow_mut(|state| {
        let name = state.text();
        match Character::open(&state.files, &name) {
            Ok((character, opened)) => {
                state.say(&opened);
                state.characters.add(character)
            }
            Err(failure) => {
                state.say(&*failure);
                -1
            }
        }
    })
}

/// Frees a character; players that show it go on.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_close(character: i32) {
    STATE.with_borrow_mut(|state| state.characters.remove(character));
}

/// Writes the premultiplied pixels of a page as the answer, in RGBA. The sizes of pages are in the `Opened`.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_page(character: i32, page: usize) -> i32 {
    call(|state| {
        state.output = state.characters.get(character)?.page(page);
        Ok(0)
    })
}

/// Creates a player of a character and returns its handle.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_player(character: i32) -> i32 {
    call(|state| {
        let player = Player::new(state.characters.get(character)?);
        Ok(state.players.add(player))
    })
}

/// Frees a player.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_player_free(player: i32) {
    STATE.with_borrow_mut(|state| state.players.remove(player));
}

/// Plays the animation named by the input, or queues it. `fade` and `weight` are ignored if they are not a number;
/// `loop_mode` is 0: as the file says, 1: loop, 2: once, 3: back and forth.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_play(player: i32, track: usize, queue: u32, loop_mode: u32, fade: f64, weight: f64) -> i32 {
    on_player(player, |player, name| player.play(name, track, queue != 0, loop_mode, [fade, weight]))
}

/// Fades a track out, or stops it at once; with a negative track, stops all and shows the rest pose.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_stop(player: i32, track: i32, secs: f64) -> i32 {
    on_player(player, |player, _| player.stop(track, secs))
}

/// Moves track 0 to a time of its animation.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_seek(player: i32, secs: f64) -> i32 {
    on_player(player, |player, _| player.seek(secs))
}

/// Sets the speed of everything, the duration of cross-fades and whether physics is simulated (0, 1; 2: as by default).
#[unsafe(no_mangle)]
pub extern "C" fn pchr_settings(player: i32, speed: f64, fade: f64, loop_mode: u32, physics: u32) -> i32 {
    on_player(player, |player, _| player.set(speed, fade, loop_mode, physics))
}

/// Puts on the skins named by the input, one a line; without any, those that the file starts with.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_skins(player: i32) -> i32 {
    on_player(player, |player, names| player.set_skins(names))
}

/// Shows another attachment: the input is the names of the slot and the attachment in two lines; an empty one hides the slot.
/// With `release`, the slot shows again what the animation says.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_attachment(player: i32, release: u32) -> i32 {
    on_player(player, |player, names| player.set_attachment(names, release != 0))
}

/// Moves the bone named by the input to a place in the world, or releases it if that is not a number.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_move_bone(player: i32, x: f32, y: f32) -> i32 {
    on_player(player, |player, name| player.move_bone(name, [x, y]))
}

/// Lets time pass. Returns the number of events; if there are any, the answer is the list of them.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_update(player: i32, secs: f64) -> i32 {
    call(|state| {
        let events = state.players.get(player)?.update(secs);
        if !events.is_empty() {
            state.output = events;
            return Ok(1);
        }
        Ok(0)
    })
}

/// Evaluates the pose after changes, without time.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_refresh(player: i32) -> i32 {
    on_player(player, |player, _| player.refresh())
}

/// Answers what track 0 plays: a `Playing`.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_playing(player: i32) -> i32 {
    call(|state| {
        let playing = state.players.get(player)?.playing();
        state.say(&playing);
        Ok(0)
    })
}

/// The time of track 0 in its animation.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_time(player: i32) -> f64 {
    STATE.with_borrow_mut(|state| state.players.get(player).map_or(0.0, |player| player.time()))
}

/// 1 if time changes what is shown.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_is_moving(player: i32) -> i32 {
    on_player(player, |player, _| Ok(player.is_moving().into()))
}

/// Answers a rectangle of the world, `[left, bottom, right, top]`: `which` is 0: what the animation of track 0 covers, 1:
/// what all animations cover, 2: what is shown now.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_area(player: i32, which: u32) -> i32 {
    call(|state| {
        let area = area::of(state.players.get(player)?, which);
        state.say(&area);
        Ok(0)
    })
}

/// Sets the size of pictures and the rectangle of the world that they show.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_view(
    player: i32,
    width: u32,
    height: u32,
    left: f32,
    bottom: f32,
    right: f32,
    top: f32,
) -> i32 {
    on_player(player, |player, _| player.set_view([width, height], [left, bottom, right, top]))
}

/// Shows the bones over the character.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_overlay(player: i32, bones: u32) -> i32 {
    on_player(player, |player, _| player.show_bones(bones != 0))
}

/// Picture pixels per unit of the world.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_scale(player: i32) -> f32 {
    STATE.with_borrow_mut(|state| state.players.get(player).map_or(1.0, |player| player.view().scale()))
}

/// Answers what is at a pixel of the picture: `{slot, x, y}`, with the place in the world; the slot may be `null`.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_hit(player: i32, x: f32, y: f32) -> i32 {
    call(|state| {
        let hit = state.players.get(player)?.hit([x, y]);
        state.say(&hit);
        Ok(0)
    })
}

/// Makes triangles of the pose. Answers the address of a table of addresses and lengths, valid until the next call, as four
/// bytes: vertices, indices, batches (five numbers each: page + 1, blend, clip + 1, first index, indices), clips (first point, points), points.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_batches(player: i32) -> i32 {
    call(|state| {
        let table = state.players.get(player)?.batches()?;
        state.output.clear();
        state.output.extend_from_slice(&(table as u32).to_le_bytes());
        Ok(0)
    })
}

/// Writes the pose as the answer, for [`pchr_paint`] elsewhere.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_pose(player: i32) -> i32 {
    call(|state| {
        state.output.clear();
        let State { players, output, .. } = state;
        pose_bytes::write(players.get(player)?.pose(), output);
        Ok(0)
    })
}

/// Draws on the CPU. The answer is the pixels, RGBA with straight alpha, rows from the top. With `with_pose`, the input is a
/// pose of [`pchr_pose`].
#[unsafe(no_mangle)]
pub extern "C" fn pchr_paint(player: i32, with_pose: u32) -> i32 {
    call(|state| {
        let State { players, output, input, .. } = state;
        let player = players.get(player)?;
        let pose = (with_pose != 0).then_some(&input[..]);
        output.clear();
        output.extend_from_slice(player.paint(pose)?);
        Ok(0)
    })
}

/// Draws on the CPU and answers a PNG. `secs` is a time of the animation named by the input, from its start as `pchr-view -t`
/// counts; if it is not a number, the present pose is drawn.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_png(player: i32, secs: f64) -> i32 {
    call(|state| {
        let text = state.text();
        state.output = still::png(state.players.get(player)?, &text, secs)?;
        Ok(0)
    })
}

/// Draws every frame of the animation named by the input, at its rate if `fps` is not a number, and answers an APNG.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_apng(player: i32, fps: f64) -> i32 {
    call(|state| {
        let text = state.text();
        state.output = still::apng(state.players.get(player)?, &text, fps)?;
        Ok(0)
    })
}
