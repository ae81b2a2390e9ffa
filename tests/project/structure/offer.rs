//! `cli`, `export` and `viewer` only use the public API of the library, so that others can write such programs.

use std::collections::{BTreeSet, HashMap};

use super::modules::{Module, Modules, Visibility};
use super::sources;

/// Folders that are treated like other crates.
const OUTER: &[&str] = &["cli", "export", "viewer"];

/// Non-public names that are still used: file and name. Names that no longer are must be removed from this list.
const KNOWN: &[(&str, &str)] = &[
    // Another program would use `cap-std` itself, which is no part of our API.
    ("export/whole/leftover.rs", "held"),
    ("export/whole/path.rs", "held"),
    ("export/whole/registry.rs", "held"),
    ("export/whole/temporary.rs", "held"),
];

fn is_outer(module: &Module) -> bool {
    module.path.first().is_some_and(|first| OUTER.contains(&&**first))
}

/// Returns names that are not unique, so that a use after a dot is ambiguous.
fn ambiguous(modules: &Modules) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for module in &modules.list {
        let is_free = |visibility: Visibility| visibility != Visibility::Restricted || is_outer(module);
        // Every name after `fn` or before a colon, including private functions and local variables.
        let methods = module.methods.iter().filter(|(_, visibility)| is_free(**visibility));
        found.extend(methods.map(|((_, name), _)| &**name));
        found.extend(module.fields.iter().filter(|(_, visibility)| is_free(*visibility)).map(|(name, _)| &**name));
    }
    found
}

/// Returns the non-public names that the outer folders use: file, line, name and reason.
fn faults(modules: &Modules) -> Vec<(String, usize, String, String)> {
    let ambiguous = ambiguous(modules);
    // By name, the file that declares a field or method.
    let (mut methods, mut fields) = (HashMap::new(), HashMap::new());
    for module in modules.list.iter().filter(|module| !is_outer(module)) {
        let hidden = module.methods.iter().filter(|(_, visibility)| **visibility == Visibility::Restricted);
        methods.extend(hidden.map(|((_, name), _)| (&**name, &*module.file)));
        let hidden = module.fields.iter().filter(|(_, visibility)| *visibility == Visibility::Restricted);
        fields.extend(hidden.map(|(name, _)| (&**name, &*module.file)));
    }
    methods.retain(|name, _| !ambiguous.contains(name));
    fields.retain(|name, _| !ambiguous.contains(name));

    let mut found = Vec::new();
    // Unit tests in files of their own may use internals, and call methods of other crates by any name.
    let is_checked = |module: &Module| is_outer(module) && !module.file.contains("/tests/");
    for (index, module) in modules.list.iter().enumerate().filter(|(_, module)| is_checked(module)) {
        let mut fault = |line: usize, name: String, file: &str| {
            let is_struct = name.ends_with('}');
            let why = if is_struct { "makes it `#[non_exhaustive]`" } else { "does not export it" };
            found.push((module.file.clone(), line, name, format!("src/{file} {why}")));
        };
        let is_own = |home: &Module| home.path.first() == module.path.first();
        for (path, line) in modules.paths(index) {
            let Some(target) = modules.resolve(index, &path) else { continue };
            if let Some((at, name)) = target.hidden.filter(|(at, _)| !is_own(&modules.list[*at])) {
                fault(line, name, &modules.list[at].file);
                continue;
            }
            let home = &modules.list[target.module];
            if let [kind, name, ..] = &*target.item
                && !is_own(home)
                && home.methods.get(&(kind.clone(), name.clone())) == Some(&Visibility::Restricted)
            {
                fault(line, format!("{kind}::{name}"), &home.file);
            }
        }
        for (path, line) in modules.struct_expressions(index) {
            let Some(target) = modules.resolve(index, &path) else { continue };
            let home = &modules.list[target.module];
            if let [kind] = &*target.item
                && !is_own(home)
                && home.non_exhaustive.contains(kind)
            {
                fault(line, format!("{kind} {{ … }}"), &home.file);
            }
        }
        for window in module.tokens.windows(3).filter(|window| window[0].text == ".") {
            let (name, line) = (&*window[1].text, window[1].line);
            let table = if ["(", "::"].contains(&&*window[2].text) { &methods } else { &fields };
            if let Some(file) = table.get(name) {
                fault(line, name.to_owned(), file);
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

#[test]
fn programs_only_use_the_public_api() {
    let sources = sources();
    let modules = Modules::new(sources.iter().map(|source| (&*source.path, &*source.text)));
    let hidden = modules.list.iter().filter(|module| !is_outer(module));
    let hidden = hidden.flat_map(|module| module.items.values().chain(module.methods.values()));
    let count = hidden.filter(|visibility| **visibility == Visibility::Restricted).count();
    assert!(count > 80, "only {count} names are hidden");

    let faults = faults(&modules);
    let is_known = |file: &str, name: &str| KNOWN.contains(&(file, name));
    let new = faults.iter().filter(|(file, _, name, _)| !is_known(file, name));
    let lines: Vec<String> =
        new.map(|(file, line, name, why)| format!("src/{file}:{line} uses `{name}`, but {why}")).collect();
    assert!(lines.is_empty(), "{} non-public names are used:\n{}", lines.len(), lines.join("\n"));
    let is_used = |known: &&(&str, &str)| faults.iter().any(|(file, _, name, _)| (&**file, &**name) == **known);
    let mended: Vec<_> = KNOWN.iter().filter(|known| !is_used(known)).collect();
    assert!(mended.is_empty(), "these are no longer used, remove them from KNOWN: {mended:?}");
}

#[test]
fn uses_of_hidden_names_are_found() {
    let text = |file| {
        match file {
        "lib.rs" => "pub mod model; mod own; pub mod cli;",
        "model/mod.rs" => {
            "mod ids; mod deep; pub use ids::{Id, Other}; pub(crate) use deep::Deep; pub use deep::{Full, Open};
             pub(crate) fn secret() {} pub fn open() {}"
        }
        "model/ids.rs" => {
            "macro_rules! ids { ($($name:ident;)*) => {$(pub struct $name(u32);
             impl $name { pub(crate) fn new() {} pub fn index() {} })*}; }
             ids! { /// One.\n Id; Other; }"
        }
        "model/deep.rs" => {
            "pub struct Deep; #[non_exhaustive] pub struct Full { pub a: u32 } #[derive(Clone)] pub struct Open { pub seen: u32, pub(super) kept: u32 }
             impl<T: A> B<T> for Open where T: C { pub(crate) fn hidden_one(&self) {} pub fn shown(&self) {} }"
        }
        "own.rs" => "pub fn f() {}",
        "cli.rs" => {
            "use crate::model::{self, Id, Open, Deep};
             use crate::own;
             fn f() { Id::new(); Id::index(); model::secret(); model::open(); model::Other::new(); }
             fn g(open: Open) { open.hidden_one(); open.shown(); open.kept; open.seen; open.kept(); }
             fn h() { use crate::model::secret as s; s(); }
             fn i() -> model::Full { if let model::Full { a, .. } = model::Full { a: 1 } {} Open { seen: 2 } }"
        }
        _ => "",
    }
    };
    let files = ["lib.rs", "model/mod.rs", "model/ids.rs", "model/deep.rs", "own.rs", "cli.rs"];
    let modules = Modules::new(files.map(|file| (file, text(file))));
    let found: Vec<String> =
        faults(&modules).into_iter().map(|(_, line, name, _)| format!("{line} {name}")).collect();
    let expected = [
        "1 Deep",
        "2 own",
        "3 Id::new",
        "3 Other::new",
        "3 secret",
        "4 hidden_one",
        "4 kept",
        "5 secret",
        "6 Full { … }",
    ];
    assert_eq!(found, expected);
}
