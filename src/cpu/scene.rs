//! The inputs for rendering a picture.

use crate::draw::{DrawList, Filter, View};
use crate::model::Model;

/// The inputs for rendering a picture.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    pub model: &'a Model,
    pub list: &'a DrawList,
    pub view: &'a View,
    pub filter: Filter,
}
