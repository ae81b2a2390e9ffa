//! Replacement for the GPU renderer in builds without the feature `gpu`.

use super::absent::Absent;
use crate::draw::View;
use crate::export::frames::drawing::Pipeline;
use crate::export::options::Look;
use crate::model::Model;

/// Finds no GPU. The reason is only reported if a backend was requested explicitly.
pub fn open(_: &Look, _: &Model, _: &View) -> Result<Box<dyn Pipeline>, Absent> {
    let error = "this build has no GPU renderer; it was compiled without the feature `gpu`";
    Err(Absent { error: error.into(), reason: None })
}
