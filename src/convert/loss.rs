//! What a conversion lost.

use std::collections::HashMap;

use crate::error::{Fault, Place};
use crate::export::BakeLoss;

/// Something that was lost.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// Stable name of the kind of loss.
    pub code: &'static str,
    /// Where it is in the source, in the words of its format.
    pub path: String,
    /// What it was and what became of it.
    pub message: String,
    /// The animation, where it concerns one.
    pub animation: Option<String>,
    /// The mesh of the output, where it concerns one.
    pub mesh: Option<String>,
    /// How far vertices are off at most, in world pixels.
    pub error_px: Option<f32>,
    /// The stored frame where they are.
    pub frame: Option<u32>,
}

impl Loss {
    /// One that concerns all of the character.
    pub(super) fn new(code: &'static str, path: impl Into<String>, message: impl Into<String>) -> Self {
        let (path, message) = (path.into(), message.into());
        Self { code, path, message, animation: None, mesh: None, error_px: None, frame: None }
    }

    /// For people.
    pub fn fault(&self) -> Fault {
        let place = Place { path: self.path.clone(), ..Place::default() };
        Fault { code: self.code, place, message: self.message.clone() }
    }
}

impl From<BakeLoss> for Loss {
    fn from(loss: BakeLoss) -> Self {
        let BakeLoss { code, path, message, animation, mesh, worst } = loss;
        let (error_px, frame) = worst.unzip();
        Self { code, path, message, animation, mesh, error_px, frame }
    }
}

/// Of the losses of one mesh in several animations only the worst.
pub fn worst_of_each(losses: &[Loss]) -> impl Iterator<Item = &Loss> {
    let px = |loss: &Loss| loss.error_px.unwrap_or(0.0);
    let mut worst: HashMap<(&str, &str), usize> = HashMap::new();
    for (at, loss) in losses.iter().enumerate() {
        if let Some(mesh) = &loss.mesh {
            let known = worst.entry((loss.code, mesh)).or_insert(at);
            if px(loss) > px(&losses[*known]) {
                *known = at;
            }
        }
    }
    losses.iter().enumerate().filter_map(move |(at, loss)| {
        let is_worst = loss.mesh.as_ref().is_none_or(|mesh| worst.get(&(loss.code, mesh)) == Some(&at));
        is_worst.then_some(loss)
    })
}
