//! The cels that a frame draws, in order and by group.

use super::schema::{Cel, File, Frame, LayerKind};

/// The drawing steps of a frame. Frames with equal plans look the same.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    /// Index of the active palette.
    pub palette: usize,
    pub steps: Vec<Step>,
}

/// A drawing step. Steps are ordered back to front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Starts a group on a transparent layer.
    Open,
    Draw(Drawn),
    /// Blends the group with what is below it.
    Close {
        /// The layer of the group.
        layer: u16,
    },
}

/// A cel to be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Drawn {
    /// Index into the file's contents.
    pub content: u32,
    pub layer: u16,
    pub at: [i16; 2],
    pub opacity: u8,
}

/// Creates the plan of a frame.
pub fn plan(file: &File, frame: &Frame) -> Plan {
    let mut drawn: Vec<(Vec<Key>, &Cel)> =
        frame.cels.iter().filter(|cel| is_drawn(file, cel)).map(|cel| (keys(file, cel), cel)).collect();
    drawn.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut steps = Vec::with_capacity(drawn.len());
    let mut open: Vec<u16> = Vec::new();
    for (keys, cel) in &drawn {
        let groups = keys[..keys.len() - 1].iter().map(|key| key.layer);
        let shared = groups.clone().zip(&open).take_while(|(group, open)| group == *open).count();
        steps.extend(open.drain(shared..).rev().map(|layer| Step::Close { layer }));
        open.extend(groups.skip(shared));
        steps.extend((shared..open.len()).map(|_| Step::Open));
        let Cel { content, layer, at, opacity, .. } = **cel;
        steps.push(Step::Draw(Drawn { content, layer, at, opacity }));
    }
    steps.extend(open.into_iter().rev().map(|layer| Step::Close { layer }));
    Plan { palette: frame.palette, steps }
}

fn is_drawn(file: &File, cel: &Cel) -> bool {
    let layer = &file.layers[usize::from(cel.layer)];
    layer.is_visible
        && match layer.kind {
            LayerKind::Image => true,
            LayerKind::Tilemap(id) => file.tilesets.contains_key(&id),
            LayerKind::Group | LayerKind::Reference | LayerKind::Unknown => false,
        }
}

/// Sort key among siblings: by position plus z-index, then by z-index.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    place: i64,
    z: i16,
    layer: u16,
}

/// Returns the keys of a cel's groups, outermost first, followed by the key of the cel. Groups that are not
/// composed separately have no key, and a z-index can move a cel out of them.
fn keys(file: &File, cel: &Cel) -> Vec<Key> {
    let place = |order: i64| order + i64::from(cel.z);
    if !file.header.composes_groups() {
        return vec![Key { place: place(cel.layer.into()), z: cel.z, layer: cel.layer }];
    }
    let layer = &file.layers[usize::from(cel.layer)];
    let mut keys = vec![Key { place: place(layer.order.into()), z: cel.z, layer: cel.layer }];
    let mut parent = layer.parent;
    while let Some(index) = parent {
        let group = &file.layers[usize::from(index)];
        keys.push(Key { place: group.order.into(), z: 0, layer: index });
        parent = group.parent;
    }
    keys.reverse();
    keys
}
