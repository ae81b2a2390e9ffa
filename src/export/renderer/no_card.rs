//! What stands for a graphics card in a build without the feature `gpu`.

use super::Absent;
use crate::draw::View;
use crate::export::{Look, Pipeline};
use crate::model::Model;

/// Finds no card. Only whoever asked for one by name is told why.
pub fn open(_: &Look, _: &Model, _: &View) -> Result<Box<dyn Pipeline>, Absent> {
    let error = "this build has no GPU renderer, it was made without the feature `gpu`";
    Err(Absent { error: error.into(), reason: None })
}
