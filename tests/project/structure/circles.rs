//! Cycles of imports between files.

use super::modules::Modules;
use super::sources;

/// Most files in a cycle of imports. A module and the files in its folder count as one.
const MOST: usize = 3;

/// Files that are still in a larger cycle. Files that no longer are must be removed from this list.
const KNOWN: &[&str] = &[];

/// Returns the imports of each file. A re-export counts as the module that it comes from.
fn imports(modules: &Modules) -> Vec<Vec<usize>> {
    let of = |from: usize| {
        let paths = modules.paths(from);
        let targets = paths.iter().filter_map(|(path, _)| Some(modules.resolve(from, path)?.module));
        let mut targets: Vec<usize> = targets.filter(|&to| !modules.are_family(from, to)).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    };
    (0..modules.list.len()).map(of).collect()
}

/// Returns the strongly connected components with more than one node.
fn circles(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let reached = |start: usize, edges: &[Vec<usize>]| {
        let (mut seen, mut waiting) = (vec![false; edges.len()], vec![start]);
        while let Some(at) = waiting.pop() {
            for &to in &edges[at] {
                if !std::mem::replace(&mut seen[to], true) {
                    waiting.push(to);
                }
            }
        }
        seen
    };
    let all: Vec<Vec<bool>> = (0..edges.len()).map(|start| reached(start, edges)).collect();
    let mut found: Vec<Vec<usize>> = Vec::new();
    for (a, from_a) in all.iter().enumerate().filter(|(a, from_a)| from_a[*a]) {
        match found.iter_mut().find(|circle| from_a[circle[0]] && all[circle[0]][a]) {
            Some(circle) => circle.push(a),
            None => found.push(vec![a]),
        }
    }
    found
}

#[test]
fn import_cycles_have_at_most_three_files() {
    let sources = sources();
    let modules = Modules::new(sources.iter().map(|source| (&*source.path, &*source.text)));
    let edges = imports(&modules);
    let count: usize = edges.iter().map(Vec::len).sum();
    assert!(count > 500, "only {count} imports found");
    let mut known = KNOWN.to_vec();
    let mut faults = Vec::new();
    for circle in circles(&edges).into_iter().filter(|circle| circle.len() > MOST) {
        let name = |index: &usize| modules.list[*index].file.clone();
        let is_new = circle.iter().any(|index| !KNOWN.contains(&&*name(index)));
        known.retain(|file| !circle.iter().any(|index| name(index) == *file));
        if is_new {
            let lines = circle.iter().map(|from| {
                let within = edges[*from].iter().filter(|to| circle.contains(to));
                format!("  {} imports {}", name(from), within.map(name).collect::<Vec<_>>().join(", "))
            });
            let lines: Vec<String> = lines.collect();
            faults.push(format!("a cycle of {} files:\n{}", circle.len(), lines.join("\n")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(known.is_empty(), "these are no longer in a large cycle, remove them from KNOWN: {known:?}");
}

#[test]
fn cycles_are_found() {
    let text = |file| match file {
        "lib.rs" => "pub mod a; pub mod b; pub mod c; pub mod d;",
        "a.rs" => "use crate::b::B;",
        // `b` re-exports the type of its child.
        "b/mod.rs" => "mod own; pub use own::B;",
        "b/own.rs" => "use super::super::c::{self, C as D}; fn f() { use crate::a; } pub struct B;",
        "c.rs" => "pub struct C; fn f() -> crate::d::D { crate::d::D::new() }",
        "d.rs" => "use crate::a::*; pub struct D;",
        _ => "",
    };
    let files = ["lib.rs", "a.rs", "b/mod.rs", "b/own.rs", "c.rs", "d.rs", "e.rs"];
    let modules = Modules::new(files.map(|file| (file, text(file))));
    let edges = imports(&modules);
    assert_eq!(edges, [vec![], vec![3], vec![], vec![1, 4], vec![5], vec![1], vec![]]);
    assert_eq!(circles(&edges), [vec![1, 3, 4, 5]]);
}
