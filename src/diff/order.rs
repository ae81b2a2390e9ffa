//! What has moved in a list.

/// `places` has no number twice. Gives which of them have moved, as few as can be: without them the rest
/// stands in ascending order.
pub fn moved(places: &[usize]) -> Vec<bool> {
    // The ends of the ascending runs found so far, one of each length, and what stands before each number in its run.
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
    fn as_few_as_can_be_have_moved() {
        let told = |places: &[usize]| -> Vec<usize> {
            moved(places).iter().zip(places).filter(|(moved, _)| **moved).map(|(_, place)| *place).collect()
        };
        assert_eq!(told(&[0, 1, 2, 7]), [0usize; 0]);
        assert_eq!(told(&[1, 2, 3, 0]), [0]);
        assert_eq!(told(&[3, 0, 1, 2]), [3]);
        assert_eq!(told(&[5, 1, 2, 0, 3, 4]), [5, 0]);
        assert_eq!(told(&[]), [0usize; 0]);
    }
}
