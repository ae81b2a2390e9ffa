//! A tokenizer for Rust source, without comments, string literals and unit tests.

/// A word or a punctuation token with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub text: String,
    pub line: usize,
}

/// Punctuation tokens of several characters.
const SIGNS: [&str; 5] = ["::", "->", "=>", "..=", ".."];

/// The token of a string or character literal.
pub const TEXT: &str = "\"";

pub fn tokens(source: &str) -> Vec<Token> {
    let end = source.find("\n#[cfg(test)]\n").unwrap_or(source.len());
    let source = &source[..end];
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    while let Some(letter) = source[at..].chars().next() {
        let rest = &source[at..];
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(len) = text_len(rest) {
            found.push(Token { text: TEXT.to_owned(), line });
            len
        } else if is_word(letter) {
            let len = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
            found.push(Token { text: rest[..len].to_owned(), line });
            len
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            found.push(Token { text: sign.to_owned(), line });
            sign.len()
        } else {
            if !letter.is_whitespace() {
                found.push(Token { text: letter.to_string(), line });
            }
            letter.len_utf8()
        };
        line += rest[..len].matches('\n').count();
        at += len;
    }
    found
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the length of the string or character literal at the start of `rest`.
fn text_len(rest: &str) -> Option<usize> {
    let prefix = ["br", "b", "r", "c", ""].into_iter().find(|prefix| {
        rest.strip_prefix(prefix)
            .is_some_and(|rest| rest.starts_with(['"', '#']) || (*prefix == "b" && rest.starts_with('\'')))
            || (prefix.is_empty() && rest.starts_with('\''))
    })?;
    let body = &rest[prefix.len()..];
    if let Some(inner) = body.strip_prefix('\'') {
        // A character literal or a lifetime.
        let mut letters = inner.char_indices();
        return match letters.next()?.1 {
            '\\' => inner[2..].find('\'').map(|end| prefix.len() + 1 + 2 + end + 1),
            _ => letters.next().filter(|(_, letter)| *letter == '\'').map(|(end, _)| prefix.len() + 1 + end + 1),
        };
    }
    let hashes = body.len() - body.trim_start_matches('#').len();
    let inner = body[hashes..].strip_prefix('"')?;
    if prefix.ends_with('r') {
        let close = format!("\"{}", "#".repeat(hashes));
        return inner.find(&close).map(|end| prefix.len() + hashes + 1 + end + close.len());
    }
    if hashes > 0 {
        return None;
    }
    let mut is_escaped = false;
    let end = inner.find(|letter| {
        let ends = letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        ends
    })?;
    Some(prefix.len() + 1 + end + 1)
}

#[test]
fn comments_and_literals_are_skipped() {
    let source = "use a::b; // use c::d\nlet x = \"e::f \\\" g\"; r#\"h\"i\"# /* j */ 'k' '\\'' b'l' fn m<'n>() {}\n#[cfg(test)]\no";
    let found: Vec<String> = tokens(source).into_iter().map(|token| token.text).collect();
    let expected = "use a :: b ; let x = \" ; \" \" \" \" fn m < ' n > ( ) { }";
    assert_eq!(found.join(" "), expected);
    assert_eq!(tokens("a\n\"b\nc\"\nd").iter().map(|token| token.line).collect::<Vec<_>>(), [1, 2, 4]);
}
