//! `pchr-view --list-adapters`

use super::failure::Failure;
use super::headless::print_stdout;

/// Prints every graphics adapter, in the order of their numbers.
#[cfg(feature = "gpu")]
pub fn list(json: bool) -> Result<(), Failure> {
    let adapters = pollster::block_on(crate::gpu::list_adapters());
    if json {
        let list: Vec<serde_json::Value> = adapters
            .iter()
            .map(|adapter| {
                serde_json::json!({
                    "name": adapter.name,
                    "backend": adapter.backend.to_lowercase(),
                    "driver": adapter.driver,
                    "software": adapter.is_software,
                    "usable": adapter.is_usable,
                })
            })
            .collect();
        let answer = serde_json::json!({ "schema": "pchr.adapters/1", "adapters": list });
        return print_stdout(&format!("{answer:#}\n"));
    }
    let mut text = String::new();
    for (number, adapter) in adapters.iter().enumerate() {
        text.push_str(&format!("#{number} {adapter}\n"));
    }
    if adapters.is_empty() {
        super::failure::note("there is no graphics adapter; the built-in CPU renderer (--backend cpu) draws");
    }
    print_stdout(&text)
}

/// Without the feature `gpu` there are none.
#[cfg(not(feature = "gpu"))]
pub fn list(json: bool) -> Result<(), Failure> {
    super::failure::note("this build has no GPU renderer; the built-in CPU renderer (--backend cpu) draws");
    print_stdout(if json { "{\n  \"adapters\": [],\n  \"schema\": \"pchr.adapters/1\"\n}\n" } else { "" })
}
