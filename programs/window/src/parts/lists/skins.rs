//! The list of skins, grouped by the part of their names before the last `/`.

use std::collections::{BTreeSet, HashMap};

use crate::base::filter::Filter;
use pchr::Character;
use pchr::model::SkinId;
use pchr::motion::{default_skins, ranks_skins};

/// The rows of the list.
#[derive(Debug, Default)]
pub struct SkinLines {
    /// The rows that match the filter.
    pub lines: Vec<SkinLine>,
    /// Number of skins to choose from, whether they match the filter or not.
    pub offered: usize,
    /// The row of the first skin that was worn when the rows were computed.
    pub first_active: usize,
}

/// A row of the list.
#[derive(Debug, Clone, PartialEq)]
pub enum SkinLine {
    /// A group with its number of skins.
    Group {
        /// Its name.
        name: String,
        /// The number of its skins that match the filter.
        count: usize,
        /// Its skins are listed below it.
        is_open: bool,
    },
    /// A skin, and whether it is in a group.
    Skin(SkinId, bool),
}

impl SkinLines {
    /// Returns the rows that match the filter. A group of one skin is not worth a row. Groups in `folded` are folded.
    pub fn of(character: &Character, filter: &Filter, folded: &BTreeSet<String>, active: &[SkinId]) -> Self {
        let (model, skins) = (character.model(), offered(character));
        let offered = skins.len();
        let skins = skins.into_iter().filter(|id| filter.matches(&model.skin(*id).name));
        let lines = match ranks_skins(character) {
            true => skins.map(|id| SkinLine::Skin(id, false)).collect(),
            false => {
                let group = |id| model.skin(id).name.rsplit_once('/').map(|(group, _)| group);
                let skins: Vec<(SkinId, Option<&str>)> = skins.map(|id| (id, group(id))).collect();
                grouped(&skins, |group| filter.is_on() || !folded.contains(group))
            }
        };
        let is_active = |line: &SkinLine| matches!(line, SkinLine::Skin(id, _) if active.contains(id));
        let first_active = lines.iter().position(is_active).unwrap_or_default();
        Self { lines, offered, first_active }
    }
}

/// Returns the rows of skins, which are given with their groups.
fn grouped(skins: &[(SkinId, Option<&str>)], is_open: impl Fn(&str) -> bool) -> Vec<SkinLine> {
    let mut groups: HashMap<&str, Vec<SkinId>> = HashMap::new();
    for (id, group) in skins {
        group.iter().for_each(|group| groups.entry(group).or_default().push(*id));
    }
    let mut lines = Vec::new();
    for (id, group) in skins {
        match group.and_then(|group| Some((group, groups.get(group).filter(|members| members.len() > 1)?))) {
            None => lines.push(SkinLine::Skin(*id, false)),
            // Where its first skin is.
            Some((group, members)) if members.first() == Some(id) => {
                let is_open = is_open(group);
                lines.push(SkinLine::Group { name: group.to_owned(), count: members.len(), is_open });
                if is_open {
                    lines.extend(members.iter().map(|id| SkinLine::Skin(*id, true)));
                }
            }
            Some(_) => {}
        }
    }
    lines
}

/// Returns the skins to choose from: all except one that is always worn beneath the others, which it would not
/// change.
fn offered(character: &Character) -> Vec<SkinId> {
    let ids = character.model().skin_ids();
    // If styles are ranked, putting it on would raise it above others that are always worn.
    let is_behind_all = ids.len() == 1 || !ranks_skins(character);
    let changes_nothing = |id: &SkinId| is_behind_all && default_skins(character).contains(id);
    ids.filter(|id| !changes_nothing(id)).collect()
}
