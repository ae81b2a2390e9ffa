//! Prints the public API of a crate, one item per line, from the JSON of rustdoc.
//!
//! Of derived implementations only the traits are listed, and of auto traits only the types that are not `Send` or
//! `Sync`: their methods and the rest follow from that. Blanket implementations are not listed, and what rustdoc states
//! at several places, such as a conversion at both of its types, is listed at the first.

use std::collections::HashSet;
use std::path::Path;

use public_api::{Builder, PublicApi, Result};

fn main() -> Result<()> {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: list-public-api FILE");
        std::process::exit(2);
    };
    let items = |auto_traits, derived| -> Result<Vec<String>> {
        let api = read(file.as_ref(), auto_traits, derived)?;
        Ok(api.items().map(ToString::to_string).collect())
    };
    let written: HashSet<String> = items(false, false)?.into_iter().collect();
    let derived: HashSet<String> = items(false, true)?.into_iter().collect();
    let mut listed = HashSet::new();
    for item in items(true, true)? {
        let is_listed = if derived.contains(&item) {
            let is_trait = item.starts_with("impl") && !item.contains("core::marker::StructuralPartialEq");
            written.contains(&item) || is_trait
        } else {
            ["!core::marker::Send", "!core::marker::Sync"].iter().any(|missing| item.contains(missing))
        };
        if is_listed && !listed.contains(&item) {
            println!("{item}");
            listed.insert(item);
        }
    }
    Ok(())
}

fn read(file: &Path, auto_traits: bool, derived: bool) -> Result<PublicApi> {
    Builder::from_rustdoc_json(file)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(!auto_traits)
        .omit_auto_derived_impls(!derived)
        .build()
}
