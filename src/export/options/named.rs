//! Names and numbers of parts in option values.

/// Returns the index of the item called `name`, or `#index` counted from 0.
pub fn named<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<usize> {
    let names: Vec<&str> = names.into_iter().collect();
    let by_index = || name.strip_prefix('#')?.parse().ok().filter(|index| *index < names.len());
    names.iter().position(|known| *known == name).or_else(by_index)
}
