//! `pchr-view --list-adapters`, with `--json` as `pchr.adapters/1`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::shared::failure::{Failure, note};
use crate::shared::json_output::{self, JsonOutput};
use crate::shared::stdio::print_stdout;

/// The graphics adapters of a machine.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Adapters {
    /// Adapters in the order of their numbers.
    adapters: Vec<Adapter>,
    /// Name and version of this schema.
    #[schemars(extend("const" = Adapters::SCHEMA))]
    schema: &'static str,
}

impl JsonOutput for Adapters {
    const SCHEMA: &'static str = "pchr.adapters/1";
}

/// A graphics adapter of one backend.
#[derive(Debug, Serialize, JsonSchema)]
struct Adapter {
    /// Backend, as for `--backend`.
    backend: String,
    /// Driver description.
    driver: String,
    /// Name, as for `--adapter`.
    name: String,
    /// Whether it renders on the CPU.
    software: bool,
    /// Whether it can render characters.
    usable: bool,
}

/// Prints all graphics adapters in the order of their numbers.
#[cfg(feature = "gpu")]
pub fn list(json: bool) -> Result<(), Failure> {
    let adapters = pollster::block_on(pchr::gpu::list_adapters());
    let lines: String =
        adapters.iter().enumerate().map(|(number, adapter)| format!("#{number} {adapter}\n")).collect();
    let adapters = adapters.into_iter().map(|adapter| Adapter {
        backend: adapter.backend.to_lowercase(),
        driver: adapter.driver,
        name: adapter.name,
        software: adapter.is_software,
        usable: adapter.is_usable,
    });
    let none = "no graphics adapter found; the built-in CPU renderer is used (--backend cpu)";
    print(json, adapters.collect(), &lines, none)
}

#[cfg(not(feature = "gpu"))]
pub use list_none as list;

/// Prints an empty list, without the feature `gpu` or in a program that does not use it.
pub fn list_none(json: bool) -> Result<(), Failure> {
    let none = "this build has no GPU renderer; the built-in CPU renderer is used (--backend cpu)";
    print(json, Vec::new(), "", none)
}

fn print(json: bool, adapters: Vec<Adapter>, lines: &str, none: &str) -> Result<(), Failure> {
    if adapters.is_empty() && !json {
        note(none);
    }
    if json { json_output::print(&Adapters { adapters, schema: Adapters::SCHEMA }) } else { print_stdout(lines) }
}
