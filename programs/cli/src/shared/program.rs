//! Shared by both programs: colours, clap messages, panics and the exit code.

use std::ffi::OsString;
use std::hint::black_box;
use std::io;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use clap::ValueEnum;

use super::failure::Failure;
use super::interrupt::or_interrupted;
use super::json_error::JsonError;
use pchr::error::Place;

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Runs a command and returns its exit code. A panic is reported as a bug. With `wants_json`, an error is also
/// printed as JSON.
pub fn finish(color: When, wants_json: bool, command: impl FnOnce() -> Result<(), Failure>) -> ExitCode {
    set_color(color);
    pchr::formats::image::silence_decoders();
    start_threads();
    // Unwind-safe: nothing that a panic may leave half-changed is used afterwards.
    let result = catch_unwind(AssertUnwindSafe(|| or_interrupted(command())));
    let Err(failure) = result.unwrap_or(Err(Failure::Bug)) else { return ExitCode::SUCCESS };
    // A document that reports it has been printed.
    if wants_json && !failure.is_reported() {
        JsonError::new(&failure).print();
    }
    failure.report()
}

/// More would only take memory, and time to start.
const MAX_THREADS: usize = 256;

/// Address space in bytes that has to be left when the threads have started: the allocator of glibc takes 64 MiB for each
/// thread, and without the rest, the first picture would not fit. It is not touched.
const RESERVE: usize = 384 << 20;

/// Starts the threads that decode and draw, as many as the system permits. rayon panics at its first use if it cannot
/// start all of its threads, or waits forever for the missing ones. So they are started first.
fn start_threads() {
    // 0 stands for as many as there are cores.
    let stated =
        std::env::var("RAYON_NUM_THREADS").ok().and_then(|count| count.parse().ok()).filter(|count| *count > 0);
    let wanted: usize = stated.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get));
    let (sender, receiver) = mpsc::channel::<rayon::ThreadBuilder>();
    let receiver = Arc::new(Mutex::new(receiver));
    let start = |_: &usize| {
        let receiver = Arc::clone(&receiver);
        let run = move || {
            let worker = receiver.lock().ok().and_then(|receiver| receiver.recv().ok());
            worker.into_iter().for_each(rayon::ThreadBuilder::run);
        };
        thread::Builder::new().spawn(run).is_ok()
    };
    let mut reserve = Vec::<u8>::new();
    let has_room = black_box(&mut reserve).try_reserve_exact(RESERVE).is_ok();
    let started = (0..if has_room { wanted.min(MAX_THREADS) } else { 0 }).take_while(start).count();
    drop(black_box(reserve));
    let threads = rayon::ThreadPoolBuilder::new().num_threads(started.max(1));
    let _ = match started {
        // Everything runs on this thread.
        0 => threads.use_current_thread().build_global(),
        _ => threads
            .spawn_handler(|worker| sender.send(worker).map_err(|_| io::Error::other("the threads have ended")))
            .build_global(),
    };
}

fn set_color(when: When) {
    match when {
        When::Auto => anstream::ColorChoice::Auto,
        When::Always => anstream::ColorChoice::Always,
        When::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Prints a message from clap: help, version or an error. An error is also printed as JSON if `words` request it.
pub fn report_clap(error: &clap::Error, words: &[OsString]) -> ExitCode {
    if error.use_stderr() && ask_for_json(words) {
        JsonError::new(&clap_failure(error)).print();
    }
    match error.print() {
        Err(unwritten) if unwritten.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::from(5),
        _ => ExitCode::from(error.exit_code() as u8),
    }
}

/// Returns an invalid command line as a failure, with the tips as its help.
pub fn clap_failure(error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    // clap prints the error, optional tips, and then the usage or a pointer to --help.
    let ends = |line: &&str| line.starts_with("Usage:") || line.starts_with("For more information");
    let lines = text.lines().map(str::trim).take_while(|line| !ends(line)).filter(|line| !line.is_empty());
    let (tips, reasons): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("tip: "));
    let tips: Vec<&str> = tips.iter().filter_map(|tip| tip.strip_prefix("tip: ")).collect();
    let reason = reasons.join(" ");
    let message = reason.strip_prefix("error: ").unwrap_or(&reason).to_owned();
    Failure::Usage { message, help: (!tips.is_empty()).then(|| tips.join(" ")), place: Place::default() }
}

/// Guesses whether an invalid command line requests JSON.
fn ask_for_json(words: &[OsString]) -> bool {
    let options: Vec<&OsString> = words.iter().take_while(|word| *word != "--").collect();
    let is_style = |pair: &[&OsString]| pair[0] == "--style" && pair[1] == "json";
    options.iter().any(|word| *word == "--json" || *word == "--style=json") || options.windows(2).any(is_style)
}
