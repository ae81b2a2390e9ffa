//! `pchr-view --list-adapters`, and what it prints with `--json`: `pchr.adapters/1`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::shared::failure::{Failure, note};
use crate::cli::shared::json_output::{self, JsonOutput};
use crate::cli::shared::stdio::print_stdout;

/// The graphics adapters of a machine.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Adapters {
    /// In the order of their numbers.
    adapters: Vec<Adapter>,
    /// The name and version of this schema.
    #[schemars(extend("const" = Adapters::SCHEMA))]
    schema: &'static str,
}

impl JsonOutput for Adapters {
    const SCHEMA: &'static str = "pchr.adapters/1";
}

/// A graphics adapter behind one interface.
#[derive(Debug, Serialize, JsonSchema)]
struct Adapter {
    /// The interface, as `--backend` takes it.
    backend: String,
    /// What the driver says of itself.
    driver: String,
    /// The name, as `--adapter` takes it.
    name: String,
    /// It draws on the processor.
    software: bool,
    /// It can draw characters.
    usable: bool,
}

/// Prints every graphics adapter, in the order of their numbers.
#[cfg(feature = "gpu")]
pub fn list(json: bool) -> Result<(), Failure> {
    let adapters = pollster::block_on(crate::gpu::list_adapters());
    let lines: String =
        adapters.iter().enumerate().map(|(number, adapter)| format!("#{number} {adapter}\n")).collect();
    let adapters = adapters.into_iter().map(|adapter| Adapter {
        backend: adapter.backend.to_lowercase(),
        driver: adapter.driver,
        name: adapter.name,
        software: adapter.is_software,
        usable: adapter.is_usable,
    });
    let none = "there is no graphics adapter; the built-in CPU renderer (--backend cpu) draws";
    print(json, adapters.collect(), &lines, none)
}

/// Without the feature `gpu` there are none.
#[cfg(not(feature = "gpu"))]
pub fn list(json: bool) -> Result<(), Failure> {
    let none = "this build has no GPU renderer; the built-in CPU renderer (--backend cpu) draws";
    print(json, Vec::new(), "", none)
}

fn print(json: bool, adapters: Vec<Adapter>, lines: &str, none: &str) -> Result<(), Failure> {
    if adapters.is_empty() && !json {
        note(none);
    }
    if json { json_output::print(&Adapters { adapters, schema: Adapters::SCHEMA }) } else { print_stdout(lines) }
}
