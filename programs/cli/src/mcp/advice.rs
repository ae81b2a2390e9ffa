//! Rewords messages about options of a command, so that they name the parameters of its tool.

use clap::{Arg, Command};

use super::call::{Printed, command};
use super::catalogue::Tool;

/// What separates pieces of advice; of two that match at one place, the longer one comes first.
const BETWEEN: [&str; 4] = [", or ", ", ", "; ", " or "];

impl Tool {
    /// Names parameters instead of options in the notes and, if the tool failed, in the messages. Advice to use an option that is
    /// no parameter is left out.
    pub fn reword(&self, printed: &mut Printed) {
        let command = command(self.words);
        for note in &mut printed.notes {
            *note = self.reworded(note, &command).unwrap_or_else(|| note.clone());
        }
        if printed.is_failed {
            let lines = printed.text.split_inclusive('\n').filter_map(|line| self.line_of_failure(line, &command));
            printed.text = lines.collect();
        }
    }

    /// Rewords a line of a document, which is one field. The advice is never the last one of its object.
    fn line_of_failure(&self, line: &str, command: &Command) -> Option<String> {
        if line.trim_start().starts_with(r#""message": "#) {
            return Some(self.reworded(line, command).unwrap_or_else(|| line.to_owned()));
        }
        let Some((indent, rest)) = line.split_once(r#""help": ""#).filter(|(indent, _)| indent.trim().is_empty())
        else {
            return Some(line.to_owned());
        };
        let advice = self.followable(rest.strip_suffix("\",\n")?, command)?;
        Some(format!("{indent}\"help\": \"{advice}\",\n"))
    }

    /// Returns the pieces of advice that the tool can follow, if there are any.
    fn followable(&self, advice: &str, command: &Command) -> Option<String> {
        let (mut kept, mut between, mut rest) = (String::new(), "", advice);
        loop {
            let next = BETWEEN.iter().filter_map(|&text| Some((rest.find(text)?, text))).min_by_key(|(at, _)| *at);
            let (at, text) = next.unwrap_or((rest.len(), ""));
            if let Some(piece) = self.reworded(&rest[..at], command) {
                kept = if kept.is_empty() { piece } else { kept + between + &piece };
            }
            (between, rest) = (text, &rest[at + text.len()..]);
            if text.is_empty() {
                return Some(kept).filter(|kept| !kept.is_empty());
            }
        }
    }

    /// Returns `None` if an option is no parameter.
    fn reworded(&self, text: &str, command: &Command) -> Option<String> {
        let (mut done, mut rest) = (String::new(), text);
        while let Some(at) = option_in(rest) {
            let is_end = |c: char| c != '-' && !c.is_ascii_alphanumeric();
            let end = rest[at..].find(is_end).map_or(rest.len(), |length| at + length);
            let quote = rest[..at].chars().next_back().filter(|c| "`'".contains(*c));
            done += rest[..at].strip_suffix(['`', '\'']).unwrap_or(&rest[..at]);
            done += &self.in_its_words(&rest[at..end], command)?;
            rest = &rest[end..];
            if let Some((value, after)) = quote.and_then(|quote| rest.split_once(quote)) {
                // clap names the value, too.
                done += if value.contains('<') { "" } else { value };
                rest = after;
            }
        }
        Some(done + rest)
    }

    fn in_its_words(&self, option: &str, command: &Command) -> Option<String> {
        let is_it = |arg: &&Arg| match option.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long),
            None => arg.get_short().is_some_and(|short| option.chars().eq(['-', short])),
        };
        if option == "--limit" {
            return Some("the server's `--limit`".to_owned());
        }
        let arg = command.get_arguments().find(is_it)?;
        let param = self.params.iter().find(|param| param.is_of(arg))?;
        Some(format!("`{}`", param.name))
    }
}

/// Returns where the next option begins.
fn option_in(text: &str) -> Option<usize> {
    let begins = |at: usize| {
        let name = text[at..].trim_start_matches('-');
        let is_option = name.starts_with(|c: char| c.is_ascii_lowercase())
            && (text[at..].starts_with("--") || !name[1..].starts_with(|c: char| c.is_ascii_alphanumeric()));
        is_option && text[..at].chars().next_back().is_none_or(|c| " `'(\"".contains(c))
    };
    text.match_indices('-').map(|(at, _)| at).find(|at| begins(*at))
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::TOOLS;
    use super::*;

    fn advice(tool: &str, advice: &str) -> String {
        let tool = TOOLS.iter().find(|row| row.name == tool).unwrap();
        let text = format!("{{\n  \"help\": \"{advice}\",\n  \"message\": \"'--size <SIZE>' or --nothing\"\n}}\n");
        let mut printed = Printed { text, notes: vec!["more: --skip 5".to_owned()], is_failed: true };
        tool.reword(&mut printed);
        let document: serde_json::Value = serde_json::from_str(&printed.text).unwrap();
        assert_eq!(printed.notes, [if tool.name == "keys" { "more: `skip` 5" } else { "more: --skip 5" }]);
        document["help"].as_str().unwrap_or("none").to_owned()
    }

    #[test]
    fn advice_names_parameters() {
        for (tool, given, expected) in [
            (
                "render",
                "use a smaller --size or --scale, or --fit X,Y,W,H",
                "use a smaller `size`, or `fit` X,Y,W,H",
            ),
            (
                "render",
                "--limit pixels=VALUE raises the limit",
                "the server's `--limit` pixels=VALUE raises the limit",
            ),
            (
                "contact_sheet",
                "use --contact-sheet 3x2, select fewer with -a",
                "use `grid` 3x2, select fewer with `animations`",
            ),
            ("render", "2 others; without: `--skin none`", "2 others; without: `skins` none"),
            ("render", "--no-image continues without any images", "none"),
            ("keys", "did you mean `walk-a` or `x-ray`, 3 - 4?", "did you mean `walk-a` or `x-ray`, 3 - 4?"),
        ] {
            assert_eq!(advice(tool, given), expected, "{tool}");
        }
    }
}
