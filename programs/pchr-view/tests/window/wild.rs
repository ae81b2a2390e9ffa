//! A random user of the real window. The tests in `programs/window/src/app/tests/wild` look deeper, but without the event
//! loop and the screen. `PCHR_WILD_SECS` and `PCHR_WILD_SEEDS` mean the same here.

use super::*;
use crate::common::random::Random;

/// Time for each seed in seconds, and the seeds.
const SECS: u64 = 8;
const SEEDS: &str = "1";
/// Steps between two checks.
const ROUND: usize = 20;
const SIZES: [[&str; 2]; 5] = [["240", "160"], ["640", "480"], ["880", "640"], ["400", "600"], ["880", "640"]];
/// All keys but those that close the file, quit, or open a dialog of the system.
#[rustfmt::skip]
const KEYS: [&str; 65] = [
    "space", "Left", "Right", "comma", "period", "shift+Left", "shift+Right", "Home", "End", "bracketleft", "bracketright",
    "l", "t", "p", "i", "o", "shift+i", "ctrl+Left", "ctrl+Right", "d", "c", "Page_Up", "Page_Down", "1", "2", "3",
    "ctrl+0", "ctrl+9", "ctrl+1", "ctrl+plus", "ctrl+minus", "f", "b", "n", "w", "u", "k", "shift+h", "shift+s", "shift+a",
    "Escape", "g", "shift+g", "F2", "F5", "ctrl+Page_Up", "ctrl+Page_Down", "ctrl+e", "s", "ctrl+c", "m", "a",
    "ctrl+f", "h", "ctrl+k", "question", "Tab", "shift+Tab", "Return", "Down", "Up", "BackSpace", "Delete", "F11", "F1",
];

/// Returns the arguments of `xdotool` for one random thing.
fn step(random: &mut Random, id: &str) -> Vec<String> {
    let mut place = || [random.below(900).to_string(), random.below(700).to_string()];
    let ([x, y], [to_x, to_y]) = (place(), place());
    let words: Vec<&str> = match random.below(100) {
        0..40 => vec!["key", KEYS[random.below(KEYS.len())]],
        40..75 => vec!["mousemove", &x, &y, "click", ["1", "1", "1", "2", "3"][random.below(5)]],
        75..85 => vec!["mousemove", &x, &y, "mousedown", "1", "mousemove", &to_x, &to_y, "mouseup", "1"],
        85..91 => vec!["mousemove", &x, &y, "click", "--repeat", "4", ["4", "5"][random.below(2)]],
        91..95 => vec!["type", ["arm", "12", "-5", "walk"][random.below(4)]],
        95..97 => vec!["mousemove", &x, &y, "sleep", "0.6"],
        _ => {
            let [width, height] = SIZES[random.below(SIZES.len())];
            vec!["windowsize", id, width, height]
        }
    };
    words.into_iter().map(str::to_owned).collect()
}

impl Window<'_> {
    fn has_ended(&mut self) -> bool {
        let status = self.viewer.try_wait().unwrap();
        assert!(status.is_none_or(|status| status.success()), "{status:?}: {}", self.log());
        status.is_some()
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Checks that the window reacts: after Escape, the palette opens.
    fn check_answer(&mut self) {
        self.display.tool("xdotool", &["windowsize", "--sync", &self.id, "880", "640"]);
        self.display.tool("xdotool", &[&["key"][..], &["Escape"; 12]].concat());
        sleep(Duration::from_millis(300));
        let before = self.look();
        if self.has_ended() {
            // To quit takes a moment.
            return;
        }
        self.press("ctrl+k");
        self.wait_for("an answer", |window| (window.look() != before).then_some(()));
        self.press("Escape");
    }
}

#[test]
fn a_random_user_does_not_stop_the_window() {
    let Some(display) = Display::start() else { return };
    let variable = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.to_owned());
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let time = Duration::from_secs(number(&variable("PCHR_WILD_SECS", &SECS.to_string())));
    for seed in variable("PCHR_WILD_SEEDS", SEEDS).split(',').map(number) {
        let mut random = Random(seed);
        let open = || Window::open(&display, &[], &NO_DRIVER);
        let (mut window, begin, mut steps) = (open(), Instant::now(), 0);
        // The panels were hidden.
        window.press("h");
        while begin.elapsed() < time {
            for _ in 0..ROUND {
                let words = step(&mut random, &window.id);
                window.display.tool("xdotool", &words.iter().map(String::as_str).collect::<Vec<_>>());
                steps += 1;
            }
            if window.has_ended() {
                // Quit has a place in the menu.
                window = open();
            }
            window.check_answer();
            assert!(!window.log().contains("panicked"), "seed {seed}, step {steps}: {}", window.log());
        }
        common::say(&format!("seed {seed}: {steps} steps"));
        window.quit();
    }
}
