//! A random user: keys, clicks, drags, the wheel, dropped and changed files and other sizes of the window. After each
//! step, the window is in a valid state.
//!
//! The numbers of `SEEDS` are tried for a fixed number of steps each, so that the result does not depend on the machine.
//! `PCHR_WILD_SECS` is a time for each seed instead, and `PCHR_WILD_SEEDS` gives other seeds, separated by commas.

mod act;
mod check;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::app::App;
use crate::app::tests::harness::{TestWindow, folder_of_assets, paused};
use crate::app::tests::rigs;
use crate::base::waker::Waker;
use crate::common::random::Random;

const SEEDS: [u64; 3] = [2, 4, 6];
/// Steps of each seed.
const STEPS: usize = 100;
/// Steps between two thorough checks.
const THOROUGH: usize = 25;
/// Longer than any step takes on a busy machine.
const LONGEST_STEP: Duration = Duration::from_secs(60);

/// A window and its random user.
struct Wild {
    window: TestWindow,
    random: Random,
    seed: u64,
    /// The files that the user opens, drops and changes.
    files: Vec<PathBuf>,
    /// What the user has done, for the message of a failure.
    done: Vec<String>,
}

impl Wild {
    /// Opens a window. With odd seeds, files are loaded in the background, as the program does; with even ones, a
    /// run can be repeated exactly, except for exports, which have a thread of their own.
    fn open(seed: u64) -> Self {
        let folder = folder_of_assets();
        let more = [
            ("broken.pchr", b"PCHR\x01".to_vec()),
            ("empty.json", Vec::new()),
            ("notes.txt", b"no character".to_vec()),
            ("girl.json", rigs::wardrobe_of_many().into_bytes()),
            ("square.pchr", rigs::square([200, 80, 40])),
        ];
        for (name, bytes) in &more {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<PathBuf> = entries.collect();
        files.push(folder.path().to_owned());
        files.push(folder.path().join("missing.json"));
        files.sort();
        let mut options = paused();
        options.settings = Some(folder.path().join("settings.toml"));
        options.subject.files.push(folder.path().join("paper-knight.pchr"));
        let app = match seed % 2 {
            0 => App::new(&options),
            _ => App::in_background(&options, None, Waker::new(|| {})),
        };
        let window = TestWindow::show([1000.0, 700.0], folder, app);
        Self { window, random: Random(seed), seed, files, done: Vec::new() }
    }

    /// Does random things for this long, or else `STEPS` things.
    fn run(&mut self, time: Option<Duration>) {
        let begin = Instant::now();
        while time.map_or(self.done.len() < STEPS, |time| begin.elapsed() < time) {
            let step = Instant::now();
            self.act();
            self.check();
            if self.done.len().is_multiple_of(THOROUGH) {
                self.check_thoroughly();
            }
            assert!(step.elapsed() < LONGEST_STEP, "the step took {:?}", step.elapsed());
        }
    }

    /// Lays out some frames.
    fn frames(&mut self, count: usize) {
        self.window.harness.run_steps(count);
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.random.below(choices.len())].clone()
    }
}

impl Drop for Wild {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("seed {}, {} steps:", self.seed, self.done.len());
            self.done.iter().for_each(|step| eprintln!("  {step}"));
            eprintln!("Again: PCHR_WILD_SEEDS={} PCHR_WILD_SECS=600", self.seed);
        }
    }
}

#[test]
fn a_random_user_finds_no_invalid_state() {
    let number = |text: String| text.parse::<u64>().expect("a number");
    let time = std::env::var("PCHR_WILD_SECS").ok().map(number).map(Duration::from_secs);
    let seeds: Vec<u64> = match std::env::var("PCHR_WILD_SEEDS") {
        Ok(text) => text.split(',').map(|text| number(text.to_owned())).collect(),
        Err(_) => SEEDS.to_vec(),
    };
    for seed in seeds {
        let mut wild = Wild::open(seed);
        wild.run(time);
        crate::common::say(&format!("seed {seed}: {} steps", wild.done.len()));
        assert!(wild.done.len() > THOROUGH, "it is too slow: {} steps", wild.done.len());
    }
}
