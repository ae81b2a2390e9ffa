//! Chromium without a window, controlled through ChromeDriver (the WebDriver protocol: JSON over HTTP).
//!
//! Without both programs the tests print that they are skipped, or fail if `PCHR_TEST_BROWSER=require`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A page may take a while on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// One browser at a time: several would only slow each other down.
static ALONE: Mutex<()> = Mutex::new(());

/// Keys of the WebDriver protocol.
pub const ESCAPE: &str = "\u{e00c}";
pub const ARROW_LEFT: &str = "\u{e012}";
pub const ARROW_RIGHT: &str = "\u{e014}";
pub const ARROW_DOWN: &str = "\u{e015}";
pub const TAB: &str = "\u{e004}";

/// A running browser with one page.
pub struct Browser {
    driver: Child,
    port: u16,
    /// Path of the session.
    session: String,
    /// Temporary files of both programs.
    _folder: TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Browser {
    /// Starts with a window of 1280×800. Prints a message and returns `None` if a program is missing.
    pub fn start() -> Option<Self> {
        let Some(chromium) = ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(program)
        else {
            return skip("Chromium is missing");
        };
        let Some(driver) = program("chromedriver") else { return skip("`chromedriver` is missing") };
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let mut driver = Command::new(driver)
            .arg("--port=0")
            .env("TMPDIR", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines().map_while(Result::ok);
        let port =
            lines.find_map(|line| line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok());
        // Keeps reading, so that the driver can go on writing.
        std::thread::spawn(move || lines.for_each(drop));
        let mut browser = Self {
            driver,
            port: port.expect("ChromeDriver names its port"),
            session: String::new(),
            _folder: folder,
            _alone: alone,
        };
        let options = json!({
            "binary": chromium,
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--window-size=1280,800",
            ],
        });
        let logs = json!({ "browser": "ALL", "performance": "ALL" });
        let wanted = json!({ "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": logs });
        let session = browser.post("/session", &json!({ "capabilities": { "alwaysMatch": wanted } }));
        browser.session = format!("/session/{}", session["sessionId"].as_str().expect("a session"));
        browser.resize(1280, 800);
        Some(browser)
    }

    /// Opens a file at a fragment (`#…`).
    pub fn open_at(&self, file: &Path, fragment: &str) {
        let file = file.canonicalize().unwrap();
        self.command("/url", &json!({ "url": format!("file://{}{fragment}", file.display()) }));
    }

    /// Runs the body of a function in the page, and returns its result.
    #[track_caller]
    pub fn js(&self, body: &str) -> Value {
        self.command("/execute/sync", &json!({ "script": body, "args": [] }))
    }

    /// Returns the text of the first element that a selector matches.
    #[track_caller]
    pub fn text(&self, selector: &str) -> String {
        let value = self.js(&format!("return document.querySelector({}).textContent", json!(selector)));
        value.as_str().expect("an element with text").to_owned()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub fn wait_until(&self, expression: &str) {
        let start = Instant::now();
        while self.js(&format!("return Boolean({expression})")) != json!(true) {
            assert!(start.elapsed() < PATIENCE, "still false: {expression}");
            sleep(Duration::from_millis(20));
        }
    }

    /// Clicks on the first element that a selector matches. It must be visible.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        let found = self.command("/element", &json!({ "using": "css selector", "value": selector }));
        let element = found.as_object().and_then(|found| found.values().next()?.as_str()).expect("an element");
        self.command(&format!("/element/{element}/click"), &json!({}));
    }

    /// Presses keys one after the other.
    pub fn press(&self, keys: &str) {
        let strokes = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key.to_string() })));
        let actions: Vec<Value> = strokes.collect();
        self.perform(json!({ "type": "key", "id": "keyboard", "actions": actions }));
    }

    /// Moves the mouse to a point of the window.
    pub fn point(&self, at: [f64; 2]) {
        self.mouse(&[moved(at)]);
    }

    /// Drags from one point of the window to another.
    pub fn drag(&self, from: [f64; 2], to: [f64; 2]) {
        let button = |kind: &str| json!({ "type": kind, "button": 0 });
        self.mouse(&[moved(from), button("pointerDown"), moved(to), button("pointerUp")]);
    }

    /// Turns the wheel at a point of the window, down by this many pixels.
    pub fn wheel(&self, at: [f64; 2], down: i32) {
        let [x, y] = at.map(|at| at as i64);
        let scroll = json!({ "type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": down });
        self.perform(json!({ "type": "wheel", "id": "wheel", "actions": [scroll] }));
    }

    /// Sets the value of the slider with this id, as dragging it does.
    pub fn slide(&self, id: &str, value: u32) {
        self.js(&format!(
            "const slider = document.getElementById('{id}'); slider.value = {value}; \
             slider.dispatchEvent(new Event('input'))"
        ));
    }

    /// Changes the size of the window.
    pub fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Chooses the colour scheme that the system prefers.
    pub fn prefer_dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.devtools("Emulation.setEmulatedMedia", &features);
    }

    /// Returns the messages on the console since the last call.
    pub fn console(&self) -> Vec<String> {
        self.log("browser").iter().map(ToString::to_string).collect()
    }

    /// Returns the URLs that were requested since the last call, except those that a policy of the page blocked.
    pub fn requests(&self) -> Vec<String> {
        let mut urls = Vec::new();
        for entry in self.log("performance") {
            let text = entry["message"].as_str().expect("a message");
            let message: Value = serde_json::from_str(text).expect("JSON");
            let (method, event) = (&message["message"]["method"], &message["message"]["params"]);
            let id = event["requestId"].clone();
            if method == "Network.requestWillBeSent" {
                urls.push((id, event["request"]["url"].as_str().expect("a URL").to_owned()));
            } else if method == "Network.loadingFailed" && event["blockedReason"] == "csp" {
                urls.retain(|(other, _)| *other != id);
            }
        }
        urls.into_iter().map(|(_, url)| url).collect()
    }

    fn log(&self, kind: &str) -> Vec<Value> {
        self.command("/se/log", &json!({ "type": kind })).as_array().cloned().unwrap_or_default()
    }

    fn mouse(&self, actions: &[Value]) {
        self.perform(json!({ "type": "pointer", "id": "mouse", "actions": actions }));
    }

    fn perform(&self, source: Value) {
        self.command("/actions", &json!({ "actions": [source] }));
    }

    fn devtools(&self, name: &str, parameters: &Value) {
        self.command("/goog/cdp/execute", &json!({ "cmd": name, "params": parameters }));
    }

    #[track_caller]
    fn command(&self, path: &str, body: &Value) -> Value {
        self.post(&format!("{}{path}", self.session), body)
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.request("POST", path, &body.to_string()).expect("ChromeDriver answers");
        let mut answer: Value = serde_json::from_str(&answer).expect("JSON");
        let value = answer["value"].take();
        assert!(value.get("error").is_none(), "{path}: {value}");
        value
    }

    fn request(&self, method: &str, path: &str, body: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(2 * PATIENCE))?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )?;
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            if line.trim().is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().map_err(std::io::Error::other)?;
            }
        }
        let mut text = vec![0; length];
        reader.read_exact(&mut text)?;
        String::from_utf8(text).map_err(std::io::Error::other)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = self.request("DELETE", &self.session, "");
        }
        self.driver.kill().unwrap_or_default();
        self.driver.wait().map(drop).unwrap_or_default();
    }
}

fn moved([x, y]: [f64; 2]) -> Value {
    json!({ "type": "pointerMove", "duration": 50, "x": x as i64, "y": y as i64 })
}

/// Returns the path of a program.
fn program(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn skip<T>(why: &str) -> Option<T> {
    assert_ne!(std::env::var("PCHR_TEST_BROWSER").as_deref(), Ok("require"), "{why}");
    // Not captured by the test harness. A closed pipe is ignored.
    let _ = writeln!(std::io::stderr(), "SKIPPED: no page is opened in a browser: {why}");
    None
}
