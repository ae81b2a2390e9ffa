//! Real windows on a separate display: the screen shows what is rendered without a window.
//!
//! Requires `Xvfb`, `xdotool`, `xclip` and ImageMagick's `import`. Without them the tests print a message and are skipped,
//! or fail if `PCHR_TEST_WINDOW=require`.
#![cfg(target_os = "linux")]

use pchr_tests as common;
#[path = "../../../window/src/widgets/tests/font.rs"]
mod font;
mod wild;

use std::fs;
use std::io::{BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::v1::write;
use pchr::draw::{Antialias, Picture};
use pchr::export::Background;
use pchr_window::{WindowOptions, picture};
use tempfile::TempDir;

/// A window may take a while on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
const BACKGROUND: [u8; 3] = [0x20, 0x40, 0x60];

/// Hides all graphics drivers.
const NO_DRIVER: [(&str, &str); 2] =
    [("VK_DRIVER_FILES", "/nonexistent"), ("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent")];

/// An invisible X server.
struct Display {
    server: Child,
    name: String,
}

impl Display {
    /// Starts on a free display number. Prints a message and returns `None` if the tools are missing.
    fn start() -> Option<Self> {
        for tool in ["Xvfb", "xdotool", "xclip", "import"] {
            let found = Command::new(tool).arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            if found.is_err() {
                return skip(&format!("`{tool}` is missing"));
            }
        }
        // Without `-noreset`, the server resets each time its last client disconnects.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "900x700x24", "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        if number.trim().is_empty() {
            server.wait().unwrap();
            return skip("Xvfb does not start");
        }
        Some(Self { server, name: format!(":{}", number.trim()) })
    }

    fn tool(&self, tool: &str, arguments: &[&str]) -> Vec<u8> {
        // For a window that is gone, `import` would wait for a click.
        let mut command = Command::new("timeout");
        command.args(["30", tool]).args(arguments).env("DISPLAY", &self.name);
        command.output().unwrap().stdout
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.server.kill().unwrap_or_default();
        self.server.wait().map(drop).unwrap_or_default();
    }
}

fn skip<T>(why: &str) -> Option<T> {
    assert!(std::env::var("PCHR_TEST_WINDOW").as_deref() != Ok("require"), "a window is required: {why}");
    common::say(&format!("SKIPPED: no window is tested: {why}"));
    None
}

/// The viewer with a temporary copy of a file.
struct Window<'a> {
    display: &'a Display,
    viewer: Child,
    id: String,
    file: PathBuf,
    folder: TempDir,
}

impl<'a> Window<'a> {
    /// Opens the paused paper knight on a plain background, without panels.
    fn open(display: &'a Display, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("knight.pchr");
        fs::copy(crate::common::root().join("assets/paper-knight.pchr"), &file).unwrap();
        let log = fs::File::create(folder.path().join("log")).unwrap();
        // Screenshots are saved in the folder of pictures.
        fs::create_dir_all(folder.path().join("config")).unwrap();
        let pictures = format!("XDG_PICTURES_DIR=\"{}\"\n", folder.path().display());
        fs::write(folder.path().join("config/user-dirs.dirs"), pictures).unwrap();
        let viewer = Command::new(env!("CARGO_BIN_EXE_pchr-view"))
            .args(["--paused", "--antialias", "none", "--background", "#204060"])
            .args(arguments)
            .arg(&file)
            .env("DISPLAY", &display.name)
            .env("XDG_RUNTIME_DIR", folder.path())
            .env("XDG_CONFIG_HOME", folder.path().join("config"))
            .env("XDG_CACHE_HOME", folder.path().join("cache"))
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .env_remove("WINIT_X11_SCALE_FACTOR")
            .envs(environment.iter().copied())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut window = Self { display, viewer, id: String::new(), file, folder };
        window.id = window.wait_for("a window", |window| {
            let found = window.display.tool("xdotool", &["search", "--onlyvisible", "--name", "knight"]);
            let found = String::from_utf8(found).unwrap();
            found.lines().next().map(str::to_owned)
        });
        window.display.tool("xdotool", &["windowfocus", "--sync", &window.id]);
        window.press("h");
        window.press("ctrl+0");
        window
    }

    /// Replaces the text in the clipboard.
    fn set_clipboard(&self, text: &str) {
        let file = self.folder.path().join("clipboard");
        fs::write(&file, text).unwrap();
        // It stays in the background to serve the text, and would hold the pipes of this process open.
        let copied = Command::new("xclip")
            .args(["-selection", "clipboard", "-in"])
            .arg(file)
            .env("DISPLAY", &self.display.name)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(copied.success(), "{copied}");
    }

    fn press(&self, key: &str) {
        self.display.tool("xdotool", &["key", key]);
    }

    /// Polls until there is an answer.
    fn wait_for<T>(&mut self, what: &str, mut ask: impl FnMut(&mut Self) -> Option<T>) -> T {
        let begin = Instant::now();
        loop {
            if let Some(answer) = ask(self) {
                return answer;
            }
            let log = || fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            let gone = self.viewer.try_wait().unwrap();
            assert!(gone.is_none(), "the viewer ended before {what}: {gone:?} {}", log());
            assert!(begin.elapsed() < PATIENCE, "timed out waiting for {what}: {}", log());
            sleep(Duration::from_millis(50));
        }
    }

    /// Returns the contents of the window in opaque RGBA.
    fn look(&self) -> Option<Picture> {
        decode(&self.display.tool("import", &["-window", &self.id, "-depth", "8", "png:-"]))
    }

    /// Returns the expected contents.
    fn expected(&self, size: [u32; 2]) -> Picture {
        let mut options = WindowOptions::default();
        options.subject.files = vec![self.file.clone()];
        options.paused = true;
        options.look.antialias = Some(Antialias::None);
        let [r, g, b] = BACKGROUND;
        options.look.background = Background::Color([r, g, b, 255]);
        picture(&options, size).unwrap()
    }

    /// Waits until the screen shows the character within `tolerance`, except for a `share` of the pixels.
    fn wait_for_character(&mut self, what: &str, tolerance: u8, share: f64) {
        let mut seen = String::new();
        let begin = Instant::now();
        self.wait_for(what, |window| {
            let found = window.look()?;
            let expected = window.expected([found.width(), found.height()]);
            let off = pixels_off(&found, &expected, tolerance);
            let all = f64::from(found.width()) * f64::from(found.height());
            seen = format!("{off} of {all} pixels are off");
            assert!(begin.elapsed() < PATIENCE / 2, "{what}: {seen}");
            (off as f64 <= all * share).then_some(())
        });
    }

    /// Asks the viewer to quit, and checks that it does.
    fn quit(mut self) {
        self.press("ctrl+q");
        let begin = Instant::now();
        loop {
            if let Some(status) = self.viewer.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                return;
            }
            assert!(begin.elapsed() < PATIENCE, "the viewer does not quit");
            sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Window<'_> {
    fn drop(&mut self) {
        self.viewer.kill().unwrap_or_default();
        self.viewer.wait().map(drop).unwrap_or_default();
    }
}

fn decode(png: &[u8]) -> Option<Picture> {
    let mut decoder = png::Decoder::new(Cursor::new(png));
    decoder.set_transformations(png::Transformations::ALPHA | png::Transformations::EXPAND);
    let mut reader = decoder.read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut pixels).ok()?;
    let mut picture = Picture::default();
    picture.reset(info.width, info.height);
    match info.color_type {
        png::ColorType::Rgba => picture.pixels_mut().copy_from_slice(&pixels),
        png::ColorType::GrayscaleAlpha => {
            for (to, from) in picture.pixels_mut().as_chunks_mut::<4>().0.iter_mut().zip(pixels.as_chunks::<2>().0)
            {
                *to = [from[0], from[0], from[0], from[1]];
            }
        }
        other => panic!("{other:?} should have been expanded"),
    }
    Some(picture)
}

fn pixels_off(found: &Picture, expected: &Picture, tolerance: u8) -> usize {
    let pairs = found.pixels().as_chunks::<4>().0.iter().zip(expected.pixels().as_chunks::<4>().0);
    pairs.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > tolerance)).count()
}

/// Checks the character, another frame, a reload and a screenshot.
fn walk_through(mut window: Window<'_>, tolerance: u8, share: f64) {
    // Desktops find the desktop file by the class.
    let found = window.display.tool("xdotool", &["search", "--onlyvisible", "--class", "io.github.pchr.View"]);
    assert!(String::from_utf8_lossy(&found).lines().any(|id| id == window.id), "the class of the window");
    window.wait_for_character("the knight", tolerance, share);

    // Another character is saved over it in two steps, as some editors do.
    let other = write(&common::tiny()).unwrap();
    fs::write(&window.file, &other[..other.len() / 2]).unwrap();
    sleep(Duration::from_millis(600));
    fs::write(&window.file, &other).unwrap();
    window.wait_for_character("the reloaded file", tolerance, share);

    let [width, height] = window.look().map(|picture| [picture.width(), picture.height()]).unwrap();
    let mut expected = window.expected([width, height]);
    expected.unpremultiply();
    window.press("s");
    let file = window.file.clone();
    let screenshot = window.wait_for("a screenshot", |_| {
        let files = fs::read_dir(file.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
        files.into_iter().find(|path| is_png(path))
    });
    let saved = window.wait_for("a whole screenshot", |_| decode(&fs::read(&screenshot).unwrap()));
    assert_eq!(pixels_off(&saved, &expected, 0), 0, "the screenshot is what is rendered without a window");
    window.quit();
}

fn is_png(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "png")
}

#[test]
fn cpu_rendering_in_the_window_is_exact() {
    let Some(display) = Display::start() else { return };
    // The same renderer, without blending with the surroundings: every pixel is equal.
    walk_through(Window::open(&display, &[], &NO_DRIVER), 0, 0.0);
}

#[test]
fn incremental_painting_fills_the_whole_window() {
    let Some(display) = Display::start() else { return };
    let mut window = Window::open(&display, &[], &NO_DRIVER);
    // With the panels around the canvas.
    window.press("Tab");
    for key in ["space", "b", "n", "Page_Down", "space", "period", "question", "Escape"] {
        window.press(key);
        sleep(Duration::from_millis(150));
    }
    for (x, y) in [("24", "20"), ("60", "90"), ("60", "130"), ("300", "620"), ("430", "640"), ("500", "250")] {
        display.tool("xdotool", &["mousemove", "--window", &window.id, x, y]);
        sleep(Duration::from_millis(120));
    }
    // Wait until nothing changes any more.
    let mut before = window.look();
    let parts = window.wait_for("a window at rest", |window| {
        sleep(Duration::from_millis(400));
        let now = window.look();
        let is_at_rest = now.is_some() && now == before;
        before = now;
        before.clone().filter(|_| is_at_rest)
    });
    // A window that is mapped again has lost its contents.
    display.tool("xdotool", &["windowunmap", "--sync", &window.id]);
    display.tool("xdotool", &["windowmap", "--sync", &window.id]);
    let size = [parts.width(), parts.height()];
    let mut off = 0;
    let begin = Instant::now();
    window.wait_for("the whole window", |window| {
        let whole = window.look().filter(|whole| [whole.width(), whole.height()] == size)?;
        off = pixels_off(&parts, &whole, 0);
        assert!(begin.elapsed() < PATIENCE / 4, "{off} pixels differ from a fully painted window");
        (off == 0).then_some(())
    });
    display.tool("xdotool", &["windowfocus", "--sync", &window.id]);
    window.quit();
}

#[test]
fn gpu_rendering_in_the_window_only_differs_at_edges() {
    let Some(display) = Display::start() else { return };
    if !Path::new("/usr/share/vulkan/icd.d").read_dir().is_ok_and(|mut drivers| drivers.next().is_some()) {
        skip::<()>("no Vulkan driver found");
        return;
    }
    // At edges of triangles and texels a GPU decides with its own precision; elsewhere it deviates by rounding.
    walk_through(Window::open(&display, &["--backend", "vulkan"], &[]), 3, 0.004);
}

#[test]
fn the_clipboard_carries_the_picture_out_and_a_path_in() {
    let Some(display) = Display::start() else { return };
    let mut window = Window::open(&display, &[], &NO_DRIVER);
    window.wait_for_character("the knight", 0, 0.0);
    let [width, height] = window.look().map(|picture| [picture.width(), picture.height()]).unwrap();
    let mut expected = window.expected([width, height]);
    expected.unpremultiply();
    window.press("ctrl+c");
    let copied = window.wait_for("the copied picture", |window| {
        decode(&window.display.tool("xclip", &["-selection", "clipboard", "-target", "image/png", "-out"]))
    });
    assert_eq!([copied.width(), copied.height()], [width, height]);
    assert_eq!(pixels_off(&copied, &expected, 0), 0, "the copied picture is what is rendered without a window");

    let other = window.folder.path().join("paper lamp.json");
    fs::copy(crate::common::root().join("assets/paper-lamp.json"), &other).unwrap();
    fs::copy(crate::common::root().join("assets/paper-lamp.png"), window.folder.path().join("paper-lamp.png"))
        .unwrap();
    window.set_clipboard(&format!("file://{}\n", other.display()).replace(' ', "%20"));
    window.press("ctrl+v");
    window.wait_for("the pasted file", |window| {
        let found = window.display.tool("xdotool", &["search", "--onlyvisible", "--name", "paper lamp.json"]);
        (!found.is_empty()).then_some(())
    });
    window.quit();
}

#[test]
fn statistics_of_a_paused_window_stay_as_they_are() {
    let Some(display) = Display::start() else { return };
    // Writing settings a second after a change takes a frame.
    let mut window = Window::open(&display, &["--no-settings"], &NO_DRIVER);
    window.wait_for_character("the knight", 0, 0.0);
    let before = window.look().unwrap();
    window.press("F2");
    let shown = |window: &mut Window<'_>| {
        let mut last = window.look();
        window.wait_for("a window at rest", |window| {
            sleep(Duration::from_millis(300));
            let now = window.look();
            let is_at_rest = now.is_some() && now == last;
            last = now;
            last.clone().filter(|_| is_at_rest)
        })
    };
    let first = shown(&mut window);
    let corner = |picture: &Picture| {
        let dark = (0..120).flat_map(|y| (1..180).map(move |x| (x, y)));
        dark.filter(|&(x, y)| picture.pixel(picture.width() - x - 12, y + 12)[..3].iter().all(|&c| c < 70)).count()
    };
    assert!(corner(&first) > corner(&before) + 5000, "the statistics are shown with their numbers");
    // Every painted frame adds a bar to the graph.
    sleep(Duration::from_secs(2));
    assert_eq!(window.look().as_ref(), Some(&first), "a paused window is not painted");
    window.quit();
}

#[test]
fn names_in_any_script_are_shown_with_fonts_of_the_system() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let fonts = folder.path().join("fonts");
    fs::create_dir(&fonts).unwrap();
    let list = folder.path().join("fonts.conf");
    let [dir, cache] = [&fonts, &folder.path().join("cache")].map(|path| path.display().to_string());
    let config =
        format!("<?xml version=\"1.0\"?><fontconfig><dir>{dir}</dir><cachedir>{cache}</cachedir></fontconfig>");
    fs::write(&list, config).unwrap();
    let title = |has_font: bool| {
        if has_font {
            fs::write(fonts.join("han.ttf"), font::font_of("漢字騎士")).unwrap();
        }
        let environment = [NO_DRIVER[0], NO_DRIVER[1], ("FONTCONFIG_FILE", list.to_str().unwrap())];
        let mut window = Window::open(&display, &[], &environment);
        let named = window.folder.path().join("漢字騎士 knight.pchr");
        fs::copy(crate::common::root().join("assets/paper-knight.pchr"), &named).unwrap();
        window.set_clipboard(named.to_str().unwrap());
        window.press("h");
        window.press("ctrl+v");
        let mut last = None;
        let shown = window.wait_for("a window at rest", |window| {
            sleep(Duration::from_millis(500));
            let now = window.look();
            let is_at_rest = now.is_some() && now == last;
            last = now;
            last.clone().filter(|_| is_at_rest)
        });
        window.quit();
        // The name of the file in the bar at the top.
        let pixels = (0..44).flat_map(|y| (100..400).map(move |x| (x, y)));
        pixels.map(|(x, y)| shown.pixel(x, y)).collect::<Vec<_>>()
    };
    let boxes = title(false);
    let glyphs = title(true);
    let differing = boxes.iter().zip(&glyphs).filter(|(a, b)| a != b).count();
    assert!(differing > 50, "{differing} pixels of the name differ");
}

#[test]
fn a_missing_driver_is_an_error_if_it_was_requested() {
    let Some(display) = Display::start() else { return };
    let output = Command::new(env!("CARGO_BIN_EXE_pchr-view"))
        .current_dir(crate::common::root())
        .args(["--backend", "vulkan", "assets/paper-knight.pchr"])
        .env("DISPLAY", &display.name)
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .envs(NO_DRIVER)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(said.contains("--backend auto") && !said.contains("panicked"), "{said}");
}

#[test]
fn without_a_display_it_says_what_to_do() {
    for display in [None, Some(":65533")] {
        let mut viewer = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
        viewer.current_dir(crate::common::root()).arg("assets/paper-knight.pchr");
        for name in ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"] {
            viewer.env_remove(name);
        }
        viewer.envs(display.map(|display| ("DISPLAY", display)));
        let output = viewer.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{display:?}");
        assert!(said.contains("no display") && said.contains("-o"), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn the_window_returns_to_its_place_and_not_off_the_screen() {
    let Some(display) = Display::start() else { return };
    let home = tempfile::tempdir().unwrap();
    let config = home.path().to_str().unwrap().to_owned();
    let environment: Vec<(&str, &str)> = NO_DRIVER.into_iter().chain([("XDG_CONFIG_HOME", &*config)]).collect();
    let place = |window: &Window<'_>| {
        let text = display.tool("xdotool", &["getwindowgeometry", "--shell", &window.id]);
        let text = String::from_utf8(text).unwrap();
        let number = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key)).expect("a line of the geometry");
            line.parse::<i32>().expect("a number")
        };
        [number("X="), number("Y="), number("WIDTH="), number("HEIGHT=")]
    };
    let wanted = [120, 80, 700, 500];
    let mut window = Window::open(&display, &[], &environment);
    display.tool("xdotool", &["windowmove", &window.id, "120", "80"]);
    display.tool("xdotool", &["windowsize", &window.id, "700", "500"]);
    window.wait_for("the new place", |window| (place(window) == wanted).then_some(()));
    sleep(Duration::from_millis(500));
    window.quit();

    let mut window = Window::open(&display, &[], &environment);
    window.wait_for("the kept place", |window| (place(window) == wanted).then_some(()));
    window.quit();

    // The monitor on which it was is gone.
    let file = home.path().join("pchr").join("settings.toml");
    let text = fs::read_to_string(&file).unwrap();
    let mut table: toml::Table = text.parse().unwrap();
    table["window"]["position"] = toml::Value::Array(vec![toml::Value::Integer(5000), toml::Value::Integer(40)]);
    fs::write(&file, table.to_string()).unwrap();
    let mut window = Window::open(&display, &[], &environment);
    window.wait_for("a place on the screen", |window| {
        let [x, y, width, height] = place(window);
        (x < 1200 && y < 800 && [width, height] == [700, 500]).then_some(())
    });
    window.quit();

    let mut window = Window::open(&display, &["--no-settings"], &environment);
    window.wait_for("the default place", |window| (place(window)[2..] != [700, 500]).then_some(()));
    window.quit();
}

#[test]
fn a_window_quits_while_it_waits_for_a_file() {
    let Some(display) = Display::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("knight-pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    // Nothing ever writes to it.
    Window::open(&display, &[pipe.to_str().unwrap()], &[]).quit();
}
