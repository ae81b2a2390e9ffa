//! The failures of a run: sorted and without repetitions, so that merged shards list the same failures as a single
//! run.

use crate::shared::json_error::JsonError;

/// Sorts failures, and keeps one of those that have the same cause.
pub fn distinct(mut failures: Vec<JsonError>) -> Vec<JsonError> {
    failures.sort_by(|a, b| key(a).cmp(&key(b)));
    failures.dedup_by(|later, first| later == first || is_repeated(later, first));
    failures
}

fn key(failure: &JsonError) -> (Option<usize>, u8, &str, &str) {
    (failure.index, failure.exit_code, &failure.code, &failure.message)
}

/// Returns true if pictures of one character cannot be drawn or written for the same reason. Their messages name
/// different files; the first one is enough.
fn is_repeated(later: &JsonError, first: &JsonError) -> bool {
    let is_of_picture = matches!(later.exit_code, 4 | 5);
    is_of_picture && (later.index, later.exit_code, &later.code) == (first.index, first.exit_code, &first.code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::failure::Failure;

    fn failure(index: usize, exit_code: u8, message: &str) -> JsonError {
        let (character, message) = (Some(format!("{index}.pchr")), message.to_owned());
        JsonError { character, exit_code, index: Some(index), message, ..JsonError::new(&Failure::Bug) }
    }

    #[test]
    fn the_order_does_not_depend_on_the_shards() {
        let all = [
            failure(0, 3, "a.json"),
            failure(0, 3, "b.json"),
            failure(0, 5, "walk-0000.png"),
            failure(1, 5, "walk-0000.png"),
        ];
        let later = failure(0, 5, "walk-0001.png");
        let mut whole = [&all[..], &[later.clone(), all[1].clone()]].concat();
        assert_eq!(distinct(whole.clone()), all);
        whole.reverse();
        assert_eq!(distinct(whole), all);
        let shards = [distinct(vec![all[0].clone(), later, all[3].clone()]), distinct(all[1..].to_vec())];
        assert_eq!(distinct(shards.concat()), all);
    }
}
