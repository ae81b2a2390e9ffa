//! Options such as `--physics [on|off]`: the value is optional, and a file may follow the option.

use std::ffi::OsString;

use clap::CommandFactory;

use super::args::ViewArgs;

/// Attaches `on` or `off` to a preceding switch, as in `--physics=off`. The parser only takes attached values, so that
/// any other word after a switch is a file.
pub fn attached(words: &[OsString]) -> Vec<OsString> {
    let mut attached: Vec<OsString> = Vec::with_capacity(words.len());
    let mut are_options = true;
    let command = ViewArgs::command();
    let is_switch = |word: &OsString| {
        let long = word.to_str().and_then(|word| word.strip_prefix("--"));
        command.get_arguments().any(|arg| arg.is_require_equals_set() && long.is_some() && arg.get_long() == long)
    };
    for word in words {
        let is_value = word == "on" || word == "off";
        match attached.last_mut().filter(|last| are_options && is_value && is_switch(last)) {
            Some(switch) => {
                switch.push("=");
                switch.push(word);
            }
            None => attached.push(word.clone()),
        }
        are_options &= word != "--";
    }
    attached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_of_switches_are_attached() {
        for (words, expected) in [
            ("--physics off a.json", "--physics=off a.json"),
            ("a.json --physics on", "a.json --physics=on"),
            ("--physics a.json off", "--physics a.json off"),
            ("--physics ./off", "--physics ./off"),
            ("--physics=on off", "--physics=on off"),
            ("--paused off", "--paused off"),
            ("--physics -- off", "--physics -- off"),
            ("-- --physics off", "-- --physics off"),
            ("off --physics", "off --physics"),
        ] {
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            assert_eq!(attached(&words).join(" ".as_ref()), expected);
        }
    }
}
