//! GitHub Actions annotations: workflow commands with escaped properties and messages.

use std::fmt::Write;

use pchr::error::escaped;

/// Appends `::name key=value,key=value::message`, with the lines of the message.
pub fn command(name: &str, properties: &[(&str, &str)], lines: &[&str], out: &mut String) {
    let properties: Vec<String> =
        properties.iter().map(|(key, value)| format!("{key}={}", escape_property(value))).collect();
    // Line breaks in names stay visible: only those between the lines are line breaks.
    let lines: Vec<String> = lines.iter().map(|line| escape(&escaped(line))).collect();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "::{name} {}::{}", properties.join(","), lines.join("%0A"));
}

/// Escapes a text; the runner reverses this.
fn escape(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    // Control characters are escaped too, in case the output is viewed in a terminal.
    escaped(&escape(text)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_of_commands_and_properties_are_escaped() {
        let mut out = String::new();
        let lines = ["50 %: a, b\n::error::x", "two"];
        command("error", &[("file", "a,b:c%\r\n.pchr"), ("title", "t")], &lines, &mut out);
        let expected = "::error file=a%2Cb%3Ac%25%0D%0A.pchr,title=t::50 %25: a, b\\n::error::x%0Atwo\n";
        assert_eq!(out, expected);
    }
}
