//! What programs print about names that strangers chose: each output is parsed by its own rules, and contains the
//! names as text and nothing else.
//!
//! Every function panics if an invariant does not hold.

use pchr::error::needs_escape;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Asserts that a terminal would display the text as it is.
#[track_caller]
pub fn assert_plain(text: &str) {
    let found = text.chars().find(|&c| c != '\n' && needs_escape(c));
    assert!(found.is_none(), "{found:?} in {text:?}");
}

/// Returns text with the characters escaped that need it, as all outputs do.
pub fn visible(text: &str) -> String {
    let escaped = |c: char| if needs_escape(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escaped).collect()
}

/// A command to the runner of GitHub Actions.
pub struct Annotation {
    pub level: String,
    pub properties: Vec<(String, String)>,
    pub message: String,
}

impl Annotation {
    /// Parses a line as the runner does.
    #[track_caller]
    pub fn of(line: &str) -> Self {
        let parts = line.strip_prefix("::").and_then(|rest| rest.split_once("::"));
        let (command, message) = parts.unwrap_or_else(|| panic!("no command: {line:?}"));
        let (level, properties) = command.split_once(' ').unwrap_or_else(|| panic!("no properties: {line:?}"));
        let property = |text: &str| {
            let (key, value) = text.split_once('=').unwrap_or_else(|| panic!("no value: {line:?}"));
            (key.to_owned(), unescaped(&value.replace("%3A", ":").replace("%2C", ",")))
        };
        let properties = properties.trim().split(',').map(property).collect();
        Self { level: level.to_owned(), properties, message: unescaped(message) }
    }

    /// Returns the keys of all properties.
    pub fn keys(&self) -> Vec<&str> {
        self.properties.iter().map(|(key, _)| key.as_str()).collect()
    }

    /// Returns a property.
    #[track_caller]
    pub fn get(&self, key: &str) -> &str {
        let found = self.properties.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str()).unwrap_or_else(|| panic!("no {key}"))
    }
}

fn unescaped(text: &str) -> String {
    text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")
}

/// Asserts that a property has this text, unless it is so long that it is cut.
#[track_caller]
pub fn assert_property(value: &str, expected: &str) {
    // Line breaks are not escaped, but encoded.
    let escaped = |c: char| if matches!(c, '\r' | '\n') { c.to_string() } else { visible(&c.to_string()) };
    let expected: String = expected.chars().map(escaped).collect();
    if expected.len() < 300 {
        assert_eq!(value.trim_end(), expected.trim_end());
    }
}

/// A test case in a JUnit document: its suite, class and name, and the kind, type, message and text of its failure.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestCase {
    pub suite: String,
    pub class: String,
    pub name: String,
    pub failure: Option<[String; 4]>,
}

/// Parses a JUnit document with the elements that pchr writes.
#[track_caller]
pub fn junit(xml: &str) -> Vec<TestCase> {
    // https://www.w3.org/TR/xml/#charsets
    let is_char =
        |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(xml.chars().all(is_char), "a character that XML forbids: {xml:?}");
    let mut reader = Reader::from_str(xml);
    let (mut cases, mut suite): (Vec<TestCase>, String) = (Vec::new(), String::new());
    let (mut open, mut text) = (Vec::new(), String::new());
    loop {
        let event = reader.read_event().unwrap_or_else(|error| panic!("{error}: {xml}"));
        match &event {
            Event::Start(element) | Event::Empty(element) => {
                let name = String::from_utf8_lossy(element.name().as_ref()).into_owned();
                let parent = open.last().map_or("", String::as_str);
                let get = |key: &str| attribute(element, key);
                match (parent, name.as_str()) {
                    ("", "testsuites") => assert_eq!(get("name"), "pchr test"),
                    ("testsuites", "testsuite") => suite = get("name"),
                    ("testsuite", "testcase") => {
                        let (suite, class, name) = (suite.clone(), get("classname"), get("name"));
                        cases.push(TestCase { suite, class, name, failure: None });
                    }
                    ("testcase", "failure" | "error") => {
                        let failure = [name.clone(), get("type"), get("message"), String::new()];
                        cases.last_mut().expect("a case").failure = Some(failure);
                        text.clear();
                    }
                    ("testcase", "system-out") => text.clear(),
                    other => panic!("unexpected element {other:?}: {xml}"),
                }
                if let Event::Start(_) = event {
                    open.push(name);
                }
            }
            Event::End(_) => {
                let name = open.pop().expect("an open element");
                if let "failure" | "error" = name.as_str() {
                    let failure = cases.last_mut().and_then(|case| case.failure.as_mut()).expect("a failure");
                    failure[3] = std::mem::take(&mut text);
                }
            }
            Event::Text(part) => text += &part.decode().expect("UTF-8"),
            Event::GeneralRef(entity) => {
                let entity = format!("&{};", entity.decode().expect("UTF-8"));
                text += &quick_xml::escape::unescape(&entity).expect("an entity");
            }
            Event::Decl(_) => {}
            Event::Eof => break,
            other => panic!("unexpected {other:?}: {xml}"),
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    cases
}

#[track_caller]
fn attribute(element: &BytesStart<'_>, key: &str) -> String {
    let attributes: Vec<_> = element.attributes().map(|attribute| attribute.expect("an attribute")).collect();
    let found = attributes.iter().find(|attribute| attribute.key.as_ref() == key.as_bytes());
    let raw =
        String::from_utf8_lossy(&found.unwrap_or_else(|| panic!("no {key}: {element:?}")).value).into_owned();
    assert!(!raw.contains('<'), "not escaped: {raw}");
    quick_xml::escape::unescape(&raw).expect("entities").into_owned()
}

/// Splits the page of a report into what is the same in every report, and its data: title, results and pictures.
#[track_caller]
pub fn page_parts(page: &str) -> (String, [&str; 3]) {
    let (mut frame, mut rest) = (String::new(), page);
    let data = ["title", "comparison", "pictures"].map(|id| {
        let start = format!("<script type=\"application/json\" id=\"data-{id}\">");
        let (before, after) = rest.split_once(&start).unwrap_or_else(|| panic!("no {id}"));
        let end = after.find("</script").unwrap_or_else(|| panic!("{id} does not end"));
        frame += before;
        frame += &start;
        rest = &after[end..];
        &after[..end]
    });
    frame += rest;
    (frame, data)
}

/// Asserts that an HTML parser takes all of `data` for the text of its element.
#[track_caller]
pub fn assert_html_text(data: &str) {
    assert!(!data.contains(['<', '>', '&']), "not escaped: {data}");
    assert_plain(data);
}

/// Removes the colours of terminals.
pub fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').strip_prefix('m') {
            Some(rest) => plain += rest,
            // Not a colour.
            None => plain = plain + "\u{1b}[" + part,
        }
    }
    plain
}
