//! Detects which items of a list have moved.

/// Returns for each of `places` whether it has moved. The places must be distinct. The number of moved ones is
/// minimal: all others are a longest ascending subsequence.
pub fn moved(places: &[usize]) -> Vec<bool> {
    // For each length, the end of the best ascending subsequence so far; and the predecessor of each item.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(places.len());
    for (index, &place) in places.iter().enumerate() {
        let length = ends.partition_point(|&end| places[end] < place);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let mut moved = vec![true; places.len()];
    let mut stays = ends.last().copied();
    while let Some(index) = stays {
        moved[index] = false;
        stays = before[index];
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_moved_items_is_minimal() {
        let moved_of = |places: &[usize]| -> Vec<usize> {
            moved(places).iter().zip(places).filter(|(moved, _)| **moved).map(|(_, place)| *place).collect()
        };
        assert_eq!(moved_of(&[0, 1, 2, 7]), [0usize; 0]);
        assert_eq!(moved_of(&[1, 2, 3, 0]), [0]);
        assert_eq!(moved_of(&[3, 0, 1, 2]), [3]);
        assert_eq!(moved_of(&[5, 1, 2, 0, 3, 4]), [5, 0]);
        assert_eq!(moved_of(&[]), [0usize; 0]);
    }
}
