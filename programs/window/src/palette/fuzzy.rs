//! Fuzzy search: a text matches if it contains the characters of the query in order, each right after another match or
//! at the beginning of a word. Where that finds nothing, scattered characters match as well.

/// The number of characters of a text that are compared.
const LONGEST: usize = 160;

/// Points for each matched character, and additional ones at the beginning of the text or of a word, and right after
/// another match.
const MATCH: i32 = 1;
const FIRST: i32 = 1;
const WORD: i32 = 7;
const CONSECUTIVE: i32 = 8;

/// A query, prepared for comparing it with many texts.
#[derive(Debug, Clone, Default)]
pub struct Query(Vec<char>);

impl Query {
    /// Prepares a query. Spaces and case do not matter.
    pub fn new(text: &str) -> Self {
        let chars = text.chars().flat_map(char::to_lowercase).filter(|c| !c.is_whitespace());
        Self(chars.take(LONGEST).collect())
    }

    /// Returns how well `text` matches, or `None` if it does not. The empty query matches everything equally.
    /// `scattered` characters may be anywhere in words.
    pub fn score(&self, text: &str, scattered: bool) -> Option<i32> {
        let count = self.0.len();
        // The best score with the first `n` characters of the query matched: in all, and with the last of them at
        // the previous character of the text.
        let mut best = vec![None; count + 1];
        let mut adjacent = vec![None; count + 1];
        best[0] = Some(0);
        let mut before = ' ';
        let mut length = 0;
        for c in text.chars().take(LONGEST) {
            let is_start = !before.is_alphanumeric() || before.is_lowercase() && c.is_uppercase();
            let lower = c.to_lowercase().next().unwrap_or(c);
            let gain = MATCH + if is_start { WORD } else { 0 } + if length == 0 { FIRST } else { 0 };
            for n in (0..count).rev() {
                let apart = best[n].filter(|_| n == 0 || is_start || scattered);
                let score = apart.max(adjacent[n].map(|score: i32| score + CONSECUTIVE));
                adjacent[n + 1] = score.filter(|_| self.0[n] == lower).map(|score| score + gain);
                best[n + 1] = best[n + 1].max(adjacent[n + 1]);
            }
            before = c;
            length += 1;
        }
        // Of equal matches, the shorter text wins.
        let length = if count == 0 { 0 } else { length };
        best[count].map(|score| score * LONGEST as i32 - length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(query: &str, text: &str) -> Option<i32> {
        Query::new(query).score(text, true)
    }

    #[test]
    fn characters_match_in_order() {
        assert!(score("shbo", "Show bones").is_some());
        assert!(score("SHOW bones", "Show bones").is_some());
        assert_eq!(score("bs h", "Show bones"), None);
        assert_eq!(score("bones!", "Show bones"), None);
        assert_eq!(score("éç", "Façade É"), None);
        assert!(score("çé", "Façade É").is_some());
    }

    #[test]
    fn the_empty_query_matches_everything_equally() {
        assert_eq!(score("", "Show bones"), Some(0));
        assert_eq!(score(" ", ""), Some(0));
        assert_eq!(score("a", ""), None);
    }

    #[test]
    fn starts_of_words_and_runs_of_characters_win() {
        let wins = |query, better, worse| {
            assert!(score(query, better) > score(query, worse), "{query}: {better} and {worse}");
        };
        wins("bon", "Show bones", "Begin of season");
        wins("zi", "Zoom in", "Half size");
        wins("open", "Open", "Open recent");
        wins("shbon", "Show bones", "Show bone names");
        wins("walk", "walk", "wide arm lock");
        wins("fs", "Full screen", "Offset");
        wins("ex", "Export", "Next");
        // The first word is looked at first.
        wins("in", "Interpolate frames", "Zoom in");
        wins("re", "Reload the shown file", "Clear recent");
    }

    #[test]
    fn scattered_characters_only_match_on_request() {
        let matches = |query, text| Query::new(query).score(text, false).is_some();
        assert!(matches("shbo", "Show bones") && matches("frame", "Show the wireframe"));
        assert!(!matches("solo", "Show the event log") && !matches("theme", "Show the wireframe"));
        assert!(score("solo", "Show the event log").is_some());
    }

    #[test]
    fn the_best_way_to_match_counts() {
        assert_eq!(score("foo", "xf foo"), score("foo", "xx foo"));
    }

    #[test]
    fn endless_names_are_compared_in_part() {
        let name = "a".repeat(1_000_000);
        assert!(score("aaaa", &name).is_some());
        assert_eq!(score("ab", &format!("{name}b")), None);
    }
}
