//! What a picture shows.

use crate::draw::{DrawList, Filter, View};
use crate::model::Model;

/// What a picture shows, and how.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    pub model: &'a Model,
    pub list: &'a DrawList,
    pub view: &'a View,
    pub filter: Filter,
}
