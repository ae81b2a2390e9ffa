//! Numbers of things in messages.

/// `a, b or c`
pub fn either<S: std::borrow::Borrow<str>>(names: &[S]) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => format!("{} or {}", others.join(", "), last.borrow()),
        all => all.concat(),
    }
}

/// `1 file`, `2 files`
pub fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// `: 3 same, 1 different`: what there is any of; empty if there is nothing.
pub fn listed(parts: &[(usize, &str)]) -> String {
    let parts = parts.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}"));
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
}

/// `1, 2, …`: the first items, at most `max`, and whether there are more.
pub fn few(items: impl IntoIterator<Item = String>, max: usize) -> String {
    let mut items = items.into_iter();
    let first: Vec<String> = items.by_ref().take(max).collect();
    first.join(", ") + if items.next().is_some() { ", …" } else { "" }
}
