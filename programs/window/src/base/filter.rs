//! The filter of the lists: a part of a name, upper and lower case alike.

/// A filter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// What the user has typed.
    pub text: String,
}

impl Filter {
    /// Returns true if it leaves anything out.
    pub fn is_on(&self) -> bool {
        !self.text.is_empty()
    }

    /// Returns true if `name` contains the text.
    pub fn matches(&self, name: &str) -> bool {
        let text = self.text.as_bytes();
        if text.is_empty() {
            return true;
        }
        if self.text.is_ascii() {
            return name.as_bytes().windows(text.len()).any(|part| part.eq_ignore_ascii_case(text));
        }
        name.to_lowercase().contains(&self.text.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_names_match_in_any_case() {
        let filter = |text: &str| Filter { text: text.to_owned() };
        assert!(!filter("").is_on() && filter("").matches("arm"));
        assert!(filter("RM").matches("left arm") && !filter("leg").matches("arm"));
        assert!(filter("Ä").matches("bär") && !filter("bär").matches("b"));
        assert!(!filter("long").matches("lo"));
    }
}
