//! Folders that are exchanged with links while something is written to them: nothing lands elsewhere.

use std::fs;

use crate::common::exchange::Exchange;
use crate::common::names_in;
use crate::links::{place, run};

/// Runs a command on 20 characters, again and again, while a folder is exchanged with a link.
fn race(prepare: &str, exchanged: &str, line: &str) {
    let place = place();
    let work = place.path().join("work");
    for number in 0..20 {
        fs::copy(work.join("one.pchr"), work.join(format!("art/{number}.pchr"))).expect("a copy");
    }
    let prepared = run(&work, prepare).expect("a command");
    assert!(prepared.status.success(), "{prepared:?}");
    let exchange = Exchange::start(&work.join(exchanged), &place.path().join("victim"));
    // On a busy machine, it may take a while until something is written at all.
    for round in 0..100 {
        if round >= 15 && exchange.has_files() {
            break;
        }
        run(&work, line);
        assert_eq!(names_in(&place.path().join("victim")), ["file"], "{line}");
    }
    let written = exchange.end();
    assert!(!written.is_empty(), "{line}: nothing was written");
    assert!(!written.iter().any(|name| name.starts_with(".pchr-")), "{line}: {written:?}");
}

#[test]
fn conversions_are_not_written_through_a_link() {
    let prepare = "sh -c 'mkdir -p out/in in; mv art in/in; mv in art'";
    race(prepare, "out/in", "pchr convert art -o out/{path}.json --to spine42 --force --keep-going");
}

#[test]
fn results_are_not_written_through_a_link() {
    race("sh -c 'mkdir art/results'", "art/results", "pchr test art");
}
