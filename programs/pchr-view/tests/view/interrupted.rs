//! Interrupted, killed and blocked programs, and the files that they leave behind.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common;
use crate::common::program::pchr_path;
use crate::common::v1::write;
use crate::common::v1::{Animation, BoneTransform, File};
use crate::common::{bone, conformance, names_in, say, tiny, white};
use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, mkfifo};
use tempfile::TempDir;

const PCHR_VIEW: &str = env!("CARGO_BIN_EXE_pchr-view");

/// Longer than any step takes; a program that takes longer hangs.
const HANGS: Duration = Duration::from_secs(60);

/// Creates a folder with the knight, a tiny character, and one that takes seconds to unpack.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    let knight = crate::common::root().join("assets/paper-knight.pchr");
    fs::copy(knight, folder.path().join("knight.pchr")).expect("the knight can be copied");
    fs::write(folder.path().join("tiny.pchr"), write(&tiny()).expect("a valid file")).expect("can be written");
    folder
}

/// Writes a character of two gigabytes as JSON.
fn write_long(folder: &Path) {
    let frame = vec![BoneTransform::default(); 250];
    let frames = vec![frame; 8000];
    let animations = (0..10).map(|index| Animation::new(format!("a{index}"), true, &frames)).collect();
    let file = File { bones: vec![bone("b", -1); 250], animations, ..tiny() };
    fs::write(folder.join("long.pchr"), write(&file).expect("a valid file")).expect("can be written");
}

/// A running program.
struct Running {
    child: Child,
    line: String,
}

impl Running {
    /// Starts a program. Its output goes to pipes that nobody reads, its input is a pipe that nobody writes to.
    fn start(program: &str, folder: &Path, line: &str) -> Self {
        let mut command = Command::new(program);
        command.current_dir(folder).args(line.split_whitespace());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self { child: command.spawn().expect("the program runs"), line: line.to_owned() }
    }

    fn process(&self) -> Pid {
        Pid::from_raw(self.child.id().try_into().expect("a process id"))
    }

    /// Waits until it handles signals.
    fn until_prepared(self) -> Self {
        if !cfg!(target_os = "linux") {
            thread::sleep(Duration::from_secs(1));
            return self;
        }
        let status = format!("/proc/{}/status", self.process());
        // The mask of handled signals.
        let handles = |line: &str| {
            let caught = line.strip_prefix("SigCgt:").and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
            caught.is_some_and(|bits| bits & (1 << (Signal::SIGTERM as u64 - 1)) != 0)
        };
        self.until(move || fs::read_to_string(&status).is_ok_and(|status| status.lines().any(handles)))
    }

    #[track_caller]
    fn until(mut self, is_so: impl Fn() -> bool) -> Self {
        let begin = Instant::now();
        while !is_so() {
            assert!(self.child.try_wait().expect("a child").is_none(), "{} ended too early", self.line);
            assert!(begin.elapsed() < HANGS, "{} hangs", self.line);
            thread::sleep(Duration::from_millis(1));
        }
        self
    }

    #[track_caller]
    fn send(mut self, signal: Signal) -> ExitStatus {
        assert!(self.child.try_wait().expect("a child").is_none(), "{} ended too early", self.line);
        kill(self.process(), signal).expect("the program runs");
        self.end()
    }

    #[track_caller]
    fn end(mut self) -> ExitStatus {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                if std::env::var_os("PCHR_TIMES").is_some() {
                    say(&format!("{:4} ms  {}", begin.elapsed().as_millis(), self.line));
                }
                return status;
            }
            if begin.elapsed() > HANGS {
                let _ = self.child.kill();
                panic!("{} hangs", self.line);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Sends a signal and checks that the program is interrupted.
    #[track_caller]
    fn interrupt(self, signal: Signal) {
        let line = self.line.clone();
        assert_eq!(self.send(signal).code(), Some(130), "{line}");
    }
}

/// Runs a command until it ends. Returns its exit code and stderr.
#[track_caller]
fn run(program: &str, folder: &Path, line: &str) -> (i32, String) {
    let mut running = Running::start(program, folder, line);
    drop(running.child.stdin.take());
    let mut pipe = running.child.stderr.take().expect("a pipe");
    let stderr = thread::spawn(move || {
        let mut stderr = String::new();
        let _ = pipe.read_to_string(&mut stderr);
        stderr
    });
    let code = running.end().code().expect("an exit code");
    (code, stderr.join().expect("a reader"))
}

#[test]
fn interrupting_a_rendering_leaves_complete_files() {
    let folder = folder();
    for (number, line) in [
        "-o out/{frame}.png",
        "-o out/{frame}.png --antialias ssaa2 --jobs 1",
        "-o out/a.gif",
        "-o out/a.webp",
        "-o out/a.json",
        "-o out/{name}.png -f 0 --antialias ssaa4",
    ]
    .into_iter()
    .enumerate()
    {
        let all = if line.contains("-f") { "" } else { "-f all" };
        let line = format!("knight.pchr {all} -s 4000x4000 --backend cpu {line}");
        for (signal, delay) in [(Signal::SIGINT, 10), (Signal::SIGTERM, 400)] {
            let running = Running::start(PCHR_VIEW, folder.path(), &line).until_prepared();
            thread::sleep(Duration::from_millis(delay + 10 * number as u64));
            running.interrupt(signal);
            // Complete pictures are kept.
            let left = folder.path().join("out");
            if left.exists() {
                let names = names_in(&left);
                assert!(!names.is_empty() && names.iter().all(|name| !name.starts_with('.')), "{line}: {names:?}");
                fs::remove_dir_all(left).expect("ours");
            }
            assert_eq!(names_in(folder.path()), ["knight.pchr", "tiny.pchr"], "{line}");
        }
    }
}

/// The driver's exit handlers would free resources that other threads are using.
#[test]
fn interrupting_a_test_leaves_no_results_and_no_references() {
    let folder = folder();
    fs::create_dir(folder.path().join("art")).expect("a new folder");
    fs::rename(folder.path().join("knight.pchr"), folder.path().join("art/knight.pchr")).expect("can be moved");
    fs::write(folder.path().join("art/pchr-test.toml"), "frames = 'all'\nsize = 2000\n").expect("can be written");
    for args in ["test art --jobs 1", "test art --jobs 1 --update --force"] {
        let running = Running::start(pchr_path(), folder.path(), args).until_prepared();
        // Until the first picture is written to a temporary file.
        let is_drawn =
            || ["results", "references"].iter().any(|name| folder.path().join("art").join(name).exists());
        running.until(is_drawn).interrupt(Signal::SIGINT);
        assert_eq!(names_in(&folder.path().join("art")), ["knight.pchr", "pchr-test.toml"], "{args}");
    }
}

#[test]
fn interrupting_a_gpu_rendering_does_not_crash() {
    let folder = folder();
    // Explicit, because `auto` does not use a software driver.
    let (code, stderr) = run(PCHR_VIEW, folder.path(), "knight.pchr -o a.png --backend vulkan");
    if code == 4 {
        assert_ne!(std::env::var("PCHR_TEST_GPU").as_deref(), Ok("require"), "{stderr}");
        return say("SKIPPED: no Vulkan driver");
    }
    for delay in 0..12 {
        let line = "knight.pchr -f all -s 900 -o out/{frame}.png --backend vulkan";
        let running = Running::start(PCHR_VIEW, folder.path(), line).until_prepared();
        thread::sleep(Duration::from_millis(20 + 30 * delay));
        running.interrupt(Signal::SIGINT);
        let _ = fs::remove_dir_all(folder.path().join("out"));
    }
}

#[test]
fn programs_blocked_on_a_pipe_can_be_interrupted() {
    let folder = folder();
    mkfifo(&folder.path().join("pipe"), Mode::S_IRWXU).expect("a pipe");
    fs::write(folder.path().join("many.pchr"), many(300)).expect("can be written");
    for (program, line) in [
        (PCHR_VIEW, "knight.pchr -s 1000 -a walk -o - --format y4m --backend cpu"),
        (PCHR_VIEW, "knight.pchr -s 1000 -a walk -o - --format apng --backend cpu"),
        (PCHR_VIEW, "knight.pchr -s 3000 -o - --backend cpu"),
        (PCHR_VIEW, "- -o a.png --backend cpu"),
        (PCHR_VIEW, "pipe -o a.png --backend cpu"),
        (PCHR_VIEW, "knight.pchr -o pipe --format png --backend cpu"),
        (pchr_path(), "convert knight.pchr -o - --to pchr"),
        (pchr_path(), "convert knight.pchr -o pipe --to pchr"),
        (pchr_path(), "inspect many.pchr --json"),
        (pchr_path(), "validate -"),
        (pchr_path(), "validate pipe"),
        (pchr_path(), "diff knight.pchr pipe"),
    ] {
        let running = Running::start(program, folder.path(), line).until_prepared();
        thread::sleep(Duration::from_millis(300));
        running.interrupt(Signal::SIGTERM);
        assert_eq!(names_in(folder.path()), ["knight.pchr", "many.pchr", "pipe", "tiny.pchr"], "{line}");
    }
}

/// Returns a character with this many images, whose description exceeds the buffer of a pipe.
fn many(count: usize) -> Vec<u8> {
    let images = (0..count).map(|index| white(&format!("{}{index}", "image".repeat(40)), 1, 1)).collect();
    write(&File { images, ..tiny() }).expect("a valid file")
}

#[test]
fn sampling_decoding_and_comparing_can_be_interrupted() {
    let folder = folder();
    let bones: Vec<_> = (0..200).map(|bone| serde_json::json!({"name": format!("b{bone}"), "x": 1})).collect();
    let turns = serde_json::json!({"rotate": [{"angle": 0}, {"time": 60, "angle": 90}]});
    let turning: serde_json::Map<_, _> = (0..200).map(|bone| (format!("b{bone}"), turns.clone())).collect();
    let spine = serde_json::json!({"skeleton": {"spine": "3.8.99"}, "bones": bones, "animations": {"a": {"bones": turning}}});
    fs::write(folder.path().join("spine.json"), spine.to_string()).expect("can be written");
    write_long(folder.path());
    let before = names_in(folder.path());
    for line in [
        "convert spine.json -o new/spine.pchr --fps 1000 --no-image --limit work=999G",
        "convert long.pchr -o new/long.json --to spine",
        "validate long.pchr",
        "diff long.pchr long.pchr --limit work=999G",
    ] {
        for delay in [5, 50] {
            let running = Running::start(pchr_path(), folder.path(), line).until_prepared();
            thread::sleep(Duration::from_millis(delay));
            running.interrupt(Signal::SIGINT);
            assert_eq!(names_in(folder.path()), before, "{line}");
        }
    }
}

#[test]
fn a_set_of_files_is_written_completely_or_not_at_all() {
    let folder = folder();
    fs::write(folder.path().join("many.pchr"), many(400)).expect("can be written");
    let (mut whole, mut none) = (0, 0);
    for step in 0..40 {
        let running = Running::start(pchr_path(), folder.path(), "unpack many.pchr -o new/out").until_prepared();
        thread::sleep(Duration::from_millis(step * 2));
        // It may have finished already.
        let _ = kill(running.process(), Signal::SIGTERM);
        let code = running.end().code();
        let names =
            if folder.path().join("new").exists() { names_in(&folder.path().join("new/out")) } else { vec![] };
        match (names.len(), code) {
            (0, Some(130)) => none += 1,
            // Interrupted after all files were written.
            (401, Some(0 | 130)) => whole += 1,
            _ => panic!("{code:?}, {} files: {:?}", names.len(), names.iter().find(|name| name.starts_with('.'))),
        }
        let _ = fs::remove_dir_all(folder.path().join("new"));
    }
    assert!(none > 0, "{whole} runs were complete");
}

#[test]
fn interrupting_a_run_over_many_files_leaves_whole_files() {
    let folder = folder();
    let bytes = write(&tiny()).expect("a valid file");
    fs::create_dir(folder.path().join("art")).expect("a folder");
    (0..400)
        .for_each(|number| fs::write(folder.path().join(format!("art/{number}.pchr")), &bytes).expect("a file"));
    let (code, _) = run(pchr_path(), folder.path(), "convert art/0.pchr -o whole.skf");
    let whole = fs::read(folder.path().join("whole.skf")).expect("written");
    let mut parts = 0;
    for step in 0..10 {
        let running =
            Running::start(pchr_path(), folder.path(), "convert art -o new/out/{path}.skf -q").until_prepared();
        thread::sleep(Duration::from_millis(step * 20));
        let _ = kill(running.process(), Signal::SIGINT);
        let ended = running.end().code();
        assert!(matches!(ended, Some(0 | 130)) && code == 0, "{ended:?}");
        let out = folder.path().join("new/out");
        let names = if out.exists() { names_in(&out) } else { Vec::new() };
        assert!(names.iter().all(|name| fs::read(out.join(name)).is_ok_and(|bytes| bytes == whole)), "{names:?}");
        parts += usize::from((1..400).contains(&names.len()));
        let _ = fs::remove_dir_all(folder.path().join("new"));
    }
    assert!(parts > 0);
}

#[test]
fn leftovers_of_killed_runs_are_removed_and_nothing_else() {
    let folder = folder();
    write_long(folder.path());
    let out = folder.path().join("out");
    let planted = [".pchr-abcdefghijkl.tmp", ".pchr-config"];
    let is_temporary = |name: &String| name.starts_with(".pchr-") && !planted.contains(&name.as_str());
    let temporary = || names_in(&out).into_iter().filter(is_temporary).collect::<Vec<_>>();
    let writes = || out.exists() && !temporary().is_empty();
    let killed = Running::start(pchr_path(), folder.path(), "unpack long.pchr -o out").until(writes);
    assert_eq!(killed.send(Signal::SIGKILL).signal(), Some(Signal::SIGKILL as i32));
    assert!(!temporary().is_empty());

    symlink("../knight.pchr", out.join(planted[0])).expect("a link");
    fs::write(out.join(planted[1]), "precious").expect("can be written");
    let (code, stderr) = run(PCHR_VIEW, folder.path(), "tiny.pchr -o out/a.png --backend cpu");
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(names_in(&out), [".pchr-abcdefghijkl.tmp", ".pchr-config", "a.png"]);
    assert!(folder.path().join("knight.pchr").is_file());

    // Files that are being written are kept.
    let writes = || temporary().len() > 1;
    let running = Running::start(pchr_path(), folder.path(), "unpack long.pchr -o out").until(writes);
    for line in ["convert tiny.pchr -o out/b.pchr", "unpack tiny.pchr -o out"] {
        let (code, stderr) = run(pchr_path(), folder.path(), line);
        assert_eq!(code, 0, "{line}: {stderr}");
    }
    assert!(temporary().len() > 1);
    running.interrupt(Signal::SIGINT);
    let expected = [".pchr-abcdefghijkl.tmp", ".pchr-config", "a.png", "atlas.png", "b.pchr", "tiny.json"];
    assert_eq!(names_in(&out), expected);
}

/// A pipe given by name is read, as in `<(…)` of a shell.
#[test]
fn pipes_can_be_inputs_but_not_images() {
    let folder = folder();
    let knight = fs::read(folder.path().join("knight.pchr")).expect("the knight");
    let pipe = folder.path().join("pipe");
    mkfifo(&pipe, Mode::S_IRWXU).expect("a pipe");
    for (program, line) in [
        (pchr_path(), "inspect pipe"),
        (pchr_path(), "validate pipe"),
        (pchr_path(), "convert pipe -o a.pchr"),
        (pchr_path(), "unpack pipe -o unpacked"),
        (PCHR_VIEW, "pipe -s 64 -o a.png --backend cpu"),
    ] {
        let (pipe, knight) = (pipe.clone(), knight.clone());
        let writer = thread::spawn(move || fs::OpenOptions::new().write(true).open(pipe)?.write_all(&knight));
        let (code, stderr) = run(program, folder.path(), line);
        assert_eq!(code, 0, "{line}: {stderr}");
        writer.join().expect("a writer").expect("a read pipe");
    }
    // An atlas or image that is a pipe is not read.
    fs::rename(&pipe, folder.path().join("hero.atlas")).expect("can be renamed");
    fs::write(
        folder.path().join("hero.json"),
        r#"{"skeleton": {"spine": "3.8.99"}, "bones": [{"name": "root"}]}"#,
    )
    .expect("can be written");
    for (program, line) in [
        (pchr_path(), "inspect hero.json"),
        (pchr_path(), "inspect hero.json --atlas hero.atlas"),
        (pchr_path(), "validate hero.json --atlas /dev/tty"),
        (pchr_path(), "validate ."),
        (PCHR_VIEW, "hero.json --json"),
    ] {
        let (code, stderr) = run(program, folder.path(), line);
        // 1: its images are missing.
        assert!(code < 2 || (code == 3 && stderr.contains("not a file")), "{line}: {code}, {stderr}");
    }
}

/// Paths and links out of the folder are not even accessed.
#[test]
fn files_outside_of_the_folder_are_not_accessed() {
    let place = TempDir::new().expect("a temporary folder");
    let (inside, outside) = (place.path().join("inside"), place.path().join("canary"));
    fs::create_dir(&inside).expect("a folder");
    fs::create_dir(&outside).expect("a folder");
    fs::write(outside.join("there.png"), "precious").expect("can be written");
    symlink(&outside, inside.join("absolute")).expect("a link");
    symlink("../canary", inside.join("relative")).expect("a link");
    symlink("../canary/there.png", inside.join("picture.png")).expect("a link");
    symlink(outside.join("hero.atlas"), inside.join("hero.atlas")).expect("a link");
    let canary = outside.display().to_string();
    let names = [
        &*format!("{canary}/there.png"),
        "../canary/there.png",
        "absolute/there.png",
        "absolute/missing.png",
        "relative/there.png",
        "relative/further/missing.png",
        "picture.png",
        "//canary/share/x.png",
        "\\\\canary\\share\\x.png",
        "C:\\canary\\x.png",
    ];
    let image =
        |name: &&str| serde_json::json!({"name": "i", "width": 1, "height": 1, "format": "png", "path": name});
    let images: Vec<_> = names.iter().map(image).collect();
    let description = serde_json::json!({"version": 1, "fps": 24, "images": images, "bones": [{"name": "root", "parent": -1}],
        "meshes": [], "animations": []});
    fs::write(inside.join("a.json"), description.to_string()).expect("can be written");
    let skeleton = r#"{"skeleton": {"spine": "3.8.99", "images": "./relative/"}, "bones": [{"name": "root"}],
        "slots": [{"name": "s", "bone": "root"}],
        "skins": [{"name": "default", "attachments": {"s": {"there": {"width": 8, "height": 4}}}}]}"#;
    fs::write(inside.join("hero.json"), skeleton).expect("can be written");
    trace(&inside, &["a.json", "hero.json"], "canary");
}

#[test]
fn conformance_paths_outside_of_the_folder_are_not_accessed() {
    let Some(folder) = conformance("hostile/watch-outside") else { return };
    for word in ["evil", "/var/log", "/root/.ssh", "/etc/passwd"] {
        trace(&folder, &["hostile.json"], word);
    }
}

/// Runs each command that reads a file and checks that no system call has a path that contains `word`.
fn trace(folder: &Path, files: &[&str], word: &str) {
    let place = TempDir::new().expect("a temporary folder");
    let log = place.path().join("log");
    let traced = |program: &str, args: &[&str]| {
        let mut command = Command::new("strace");
        command.args(["-f", "-s", "4096", "-e", "trace=%file,inotify_add_watch", "-o"]).arg(&log);
        command.current_dir(folder).arg(program).args(args).stdin(Stdio::null()).output()
    };
    if !traced("true", &[]).is_ok_and(|output| output.status.success()) {
        return say("SKIPPED: strace is missing or may not trace");
    }
    let output = place.path().join("out").display().to_string();
    let (png, pchr) = (format!("{output}.png"), format!("{output}.pchr"));
    for file in files {
        for (program, args) in [
            (pchr_path(), &["inspect", file][..]),
            (pchr_path(), &["validate", file]),
            (pchr_path(), &["convert", file, "-o", &pchr, "--no-image", "--force"]),
            (pchr_path(), &["diff", file, file]),
            (PCHR_VIEW, &[file, "-o", &png, "--backend", "cpu", "--force"]),
        ] {
            traced(program, args).expect("strace runs");
            let calls = fs::read_to_string(&log).expect("a log");
            assert!(calls.contains(file), "{args:?}: {calls}");
            // Only the first path counts: the second may be the target of a link. A resumed `readlink` has only the target.
            let is_about = |call: &&str| {
                !call.contains("<... readlink") && call.split('"').nth(1).is_some_and(|path| path.contains(word))
            };
            assert_eq!(calls.lines().find(is_about), None, "{args:?}");
        }
    }
}

/// A power failure must not destroy the previous file.
#[test]
fn a_file_is_synced_before_it_replaces_another() {
    let folder = folder();
    let line = ["-f", "-e", "trace=fdatasync,rename,renameat,renameat2,link,linkat", "-o", "log", pchr_path()];
    let convert = ["convert", "tiny.pchr", "-o", "out.pchr", "--force"];
    for is_there in [false, true] {
        let mut command = Command::new("strace");
        command.current_dir(folder.path()).args(line).args(convert).stdin(Stdio::null());
        if !command.output().is_ok_and(|output| output.status.success()) {
            return say("SKIPPED: strace is missing or may not trace");
        }
        let calls = fs::read_to_string(folder.path().join("log")).expect("a log");
        let at = |call: &str| calls.lines().position(|line| line.contains(call));
        let (synced, renamed) = (at("fdatasync("), at("out.pchr").expect("a rename"));
        assert_eq!(synced.is_some_and(|synced| synced < renamed), is_there, "{calls}");
    }
}

/// A running `--watch` in a folder with a Spine character: skeleton, atlas and page.
struct Watching {
    folder: TempDir,
    running: Running,
}

impl Watching {
    fn start(line: &str) -> Self {
        let folder = folder();
        let assets = crate::common::root().join("assets");
        for name in ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"] {
            fs::copy(assets.join(name), folder.path().join(name)).expect("the lamp can be copied");
        }
        let line = format!("{line} --watch --backend cpu");
        let mut command = Command::new(PCHR_VIEW);
        command.current_dir(folder.path()).args(line.split_whitespace());
        let stderr = fs::File::create(folder.path().join("stderr")).expect("can be written");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
        let running = Running { child: command.spawn().expect("the program runs"), line };
        Self { folder, running }
    }

    fn at(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.at(name)).unwrap_or_default()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.at(name), bytes).expect("can be written");
    }

    fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.read("stderr")).into_owned()
    }

    /// Returns the number of completed rounds.
    fn rounds(&self) -> usize {
        self.stderr().matches("waiting for changes").count()
    }

    #[track_caller]
    fn until(mut self, mut is_so: impl FnMut(&Self) -> bool) -> Self {
        let begin = Instant::now();
        while !is_so(&self) {
            let ended = self.running.child.try_wait().expect("a child");
            assert!(ended.is_none(), "{} ended: {ended:?}\n{}", self.running.line, self.stderr());
            assert!(begin.elapsed() < HANGS, "{} hangs\n{}", self.running.line, self.stderr());
            thread::sleep(Duration::from_millis(5));
        }
        self
    }

    /// Waits until a round is completed.
    #[track_caller]
    fn round(self, number: usize) -> Self {
        self.until(|it| it.rounds() >= number)
    }

    /// Waits until no round has been completed for a while. A file that is written while the program looks at it
    /// changes twice.
    #[track_caller]
    fn settled(self) -> Self {
        let mut last = (self.rounds(), Instant::now());
        self.until(|it| {
            if it.rounds() != last.0 {
                last = (it.rounds(), Instant::now());
            }
            last.1.elapsed() > Duration::from_millis(1000)
        })
    }
}

#[test]
fn a_watch_renders_again_until_it_is_interrupted() {
    let watching = Watching::start("paper-lamp.json -a idle -s 64 -o lamp.png").round(1);
    let first = watching.read("lamp.png");
    assert!(first.starts_with(b"\x89PNG"));
    // The skeleton changes, is corrupted, removed, and restored by a rename.
    let skeleton = String::from_utf8(watching.read("paper-lamp.json")).expect("text");
    let smaller = skeleton.replace("\"width\": 66", "\"width\": 50");
    assert_ne!(smaller, skeleton);
    watching.write("paper-lamp.json", &smaller);
    let watching = watching.until(|it| it.read("lamp.png") != first).round(2);
    let second = watching.read("lamp.png");
    assert!(second.starts_with(b"\x89PNG"));
    watching.write("paper-lamp.json", &skeleton[..skeleton.len() / 2]);
    let watching = watching.until(|it| it.stderr().contains("error[")).round(3);
    assert!(watching.stderr().contains("paper-lamp.json"), "{}", watching.stderr());
    assert_eq!(watching.read("lamp.png"), second, "a broken file does not change the output");
    fs::remove_file(watching.at("paper-lamp.json")).expect("an existing file");
    let watching = watching.round(4);
    watching.write("new.json", &skeleton);
    fs::rename(watching.at("new.json"), watching.at("paper-lamp.json")).expect("can be renamed");
    let watching = watching.until(|it| it.read("lamp.png") == first);
    // Other files of the character are watched too: a page with other colours.
    let rounds = watching.rounds();
    let page = fs::read(watching.at("paper-lamp.png")).expect("the page");
    watching.write("paper-lamp.png", inverted(&page));
    let watching = watching.until(|it| it.read("lamp.png") != first && it.rounds() > rounds).settled();
    // The output is replaced atomically: no temporary files are left.
    assert!(names_in(watching.folder.path()).iter().all(|name| !name.starts_with('.')));
    // It only renders after a change.
    let rounds = watching.rounds();
    watching.write("unrelated.json", "{}");
    thread::sleep(Duration::from_millis(1500));
    assert_eq!(watching.rounds(), rounds, "{}", watching.stderr());
    let ticks = cpu_ticks(watching.running.process());
    thread::sleep(Duration::from_millis(1000));
    if let (Some(before), Some(after)) = (ticks, cpu_ticks(watching.running.process())) {
        // Out of a hundred.
        assert!(after - before <= 5, "{} ticks in a second of waiting", after - before);
    }
    watching.running.interrupt(Signal::SIGINT);
    assert!(names_in(watching.folder.path()).iter().all(|name| !name.starts_with('.')));
}

/// Returns the same picture with other colours.
fn inverted(bytes: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a small picture")];
    reader.next_frame(&mut pixels).expect("a whole PNG");
    let (width, height) = (reader.info().width, reader.info().height);
    pixels.chunks_exact_mut(4).for_each(|pixel| pixel[..3].iter_mut().for_each(|channel| *channel = !*channel));
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels)).expect("memory");
    out
}

/// Returns the CPU time of a process in hundredths of a second; `None` if it is not available.
fn cpu_ticks(process: Pid) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

#[test]
fn a_watch_replaces_only_its_own_files() {
    let watching = Watching::start("tiny.pchr -a wave -f all -s 16 -o out/{frame}.png").round(1);
    assert_eq!(names_in(&watching.at("out")), ["0.png", "1.png"]);
    // The animation gets a third frame, whose output file exists already.
    watching.write("out/2.png", "precious");
    let mut file = tiny();
    let frame = vec![BoneTransform::default(); 2];
    file.animations[1] = Animation::new("wave", true, &[frame.clone(), frame.clone(), frame]);
    watching.write("tiny.pchr", write(&file).expect("a valid file"));
    let watching = watching.until(|it| it.stderr().contains("out/2.png")).round(2);
    assert!(watching.stderr().contains("--force"), "{}", watching.stderr());
    assert_eq!(watching.read("out/2.png"), b"precious");
    fs::remove_file(watching.at("out/2.png")).expect("an existing file");
    // The folder is replaced, as by checking out another branch.
    let watching = {
        watching.write("tiny.pchr", write(&file).expect("a valid file"));
        watching.until(|it| it.read("out/2.png").starts_with(b"\x89PNG")).round(3)
    };
    watching.running.interrupt(Signal::SIGTERM);

    let watching = Watching::start("sub/tiny.pchr -s 16 -o out.json --sheet-max-size 64");
    assert_eq!(watching.running.end().code(), Some(3), "a missing file is an error at the start");
}

#[test]
fn a_watch_survives_a_replaced_folder() {
    for pause in [Duration::from_millis(1500), Duration::ZERO] {
        let folder = folder();
        fs::create_dir(folder.path().join("art")).expect("a folder");
        fs::rename(folder.path().join("tiny.pchr"), folder.path().join("art/tiny.pchr")).expect("can be renamed");
        let mut file = tiny();
        file.meshes[0] = crate::common::v1::Mesh::new("flag", 0, &common::triangle(0), &[0, 1, 2]);
        fs::create_dir(folder.path().join("new")).expect("a folder");
        fs::write(folder.path().join("new/tiny.pchr"), write(&file).expect("a valid file"))
            .expect("can be written");

        let line = "art -a wave -s 16 -o out.gif --watch --backend cpu";
        let running = Running::start(PCHR_VIEW, folder.path(), line);
        let out = folder.path().join("out.gif");
        let running = running.until(|| out.is_file());
        thread::sleep(Duration::from_millis(300));
        let first = fs::read(&out).expect("written");
        fs::rename(folder.path().join("art"), folder.path().join("old")).expect("can be renamed");
        thread::sleep(pause);
        fs::rename(folder.path().join("new"), folder.path().join("art")).expect("can be renamed");
        let is_other = || fs::read(&out).is_ok_and(|now| now != first);
        running.until(is_other).interrupt(Signal::SIGINT);
    }
}

#[test]
fn unwatchable_inputs_and_outputs_are_errors() {
    let folder = folder();
    for (line, says) in [
        ("tiny.pchr --watch --json -o a.png", "--json prints a single document"),
        ("tiny.pchr --watch -o -", "-o OUT.png"),
        ("- --watch -o a.png", "cannot watch standard input"),
        ("tiny.pchr --watch -a nothing -o a.png", "no animation named `nothing`"),
        ("tiny.pchr --watch -o tiny.pchr/a.png", "tiny.pchr"),
        ("gone.pchr --watch -o a.png", "gone.pchr"),
    ] {
        let (code, stderr) = run(PCHR_VIEW, folder.path(), &format!("{line} --backend cpu"));
        assert!([2, 3, 5].contains(&code) && stderr.contains(says), "{line}: {code}, {stderr}");
        assert!(!stderr.contains("waiting"), "{line}: {stderr}");
    }
}
