//! The frames of an animation in which its keyframes, and those of nested symbols, change something.
//!
//! Values are those of an element in its symbol: what is inside of a symbol that moves does not change.

use std::collections::{BTreeMap, HashMap};

use super::{Animate, Element, Node, Rig, Shows};
use crate::math::Affine2;
use crate::model::{AnimationId, BoneId, SlotId};
use crate::motion::keys::{KeyChannel, KeyList, KeyTarget, KeyTimes};
use crate::pose::Transform;

/// Maximum number of layers and elements that are looked at, a hundred times what long animations have. Keys of later frames
/// are not listed.
const MAX_LOOKS: u64 = 1 << 26;

impl Animate {
    /// Lists the frames in which elements change.
    pub(in crate::motion) fn list_keys(&self, id: AnimationId, list: &mut KeyList) {
        let Some(animation) = self.rig.animations.get(id.index()) else { return };
        let (shown, rows) = (HashMap::new(), BTreeMap::new());
        let orders = KeyTimes::default();
        let mut scan = Scan { rig: &self.rig, shown, rows, orders, now: 0, reorders: false, looks: 0 };
        for frame in animation.runs.iter().cloned().flatten() {
            if scan.looks > MAX_LOOKS {
                break;
            }
            scan.symbol(animation.node, animation.symbol, frame);
            if std::mem::take(&mut scan.reorders) {
                scan.orders.push_change(scan.now);
            }
            scan.now += 1;
        }
        for ((target, channel), times) in scan.rows {
            list.add(target, channel, times);
        }
        list.add(KeyTarget::DrawOrder, KeyChannel::DrawOrder, scan.orders);
    }
}

/// A scan of an animation, frame by frame.
struct Scan<'a> {
    rig: &'a Rig,
    /// The keyframe that each layer showed last, by node and layer.
    shown: HashMap<(u32, u32), Option<u32>>,
    rows: BTreeMap<(KeyTarget, KeyChannel), KeyTimes>,
    orders: KeyTimes,
    /// Frame of the animation.
    now: u32,
    /// True if the order of elements changes in this frame.
    reorders: bool,
    /// Number of layers and elements that were looked at.
    looks: u64,
}

impl Scan<'_> {
    fn symbol(&mut self, node: u32, symbol: u32, frame: u32) {
        let rig = self.rig;
        let Some(&Node::Symbol { child, .. }) = rig.nodes.get(node as usize) else { return };
        for (layer, index) in rig.layers_of(symbol).iter().zip(0..) {
            let key = rig.key_at(layer, frame);
            let before = self.shown.insert((node, index), key);
            if let Some(before) = before.filter(|before| *before != key) {
                self.compare(child, before, key, frame);
            }
            self.looks += 1;
            let Some((start, elements)) = key.and_then(|key| rig.key(key)) else { continue };
            self.looks += elements.len() as u64;
            for element in elements {
                if let Shows::Symbol { symbol, play, first } = element.shows
                    && let Some(frame) = rig.nested_frame(symbol, play, first, frame - start)
                {
                    self.symbol(child + element.place, symbol, frame);
                }
            }
        }
    }

    /// Adds what differs between two keyframes of a layer, in `frame` of its symbol.
    fn compare(&mut self, child: u32, before: Option<u32>, now: Option<u32>, frame: u32) {
        let [(start_before, before), (start, now)] =
            [before, now].map(|key| key.and_then(|key| self.rig.key(key)).unwrap_or_default());
        let mut gone: HashMap<u32, (usize, &Element)> =
            before.iter().enumerate().map(|(index, element)| (element.place, (index, element))).collect();
        let mut last = 0;
        for element in now {
            let node = child + element.place;
            let Some((index, was)) = gone.remove(&element.place) else {
                self.add(self.rig.shown_by(node));
                continue;
            };
            self.reorders |= index < last;
            last = last.max(index);
            let [is_frame, was_frame] = [(element, start), (was, start_before)].map(|(element, start)| {
                let Shows::Symbol { symbol, play, first } = element.shows else { return None };
                Some((play, self.rig.nested_frame(symbol, play, first, frame.saturating_sub(start))))
            });
            if is_frame != was_frame {
                self.add((bone(node), KeyChannel::Frame));
            }
            if let (Shows::Sprite(is), Shows::Sprite(was)) = (element.shows, was.shows)
                && is != was
            {
                self.add(self.rig.shown_by(node));
            }
            let effect =
                |element: &Element| element.effect.and_then(|effect| self.rig.effects.get(effect as usize));
            if effect(element) != effect(was) {
                self.add((self.rig.shown_by(node).0, KeyChannel::Color));
            }
            for channel in moved(was.matrix, element.matrix) {
                self.add((bone(node), channel));
            }
        }
        for place in gone.into_keys() {
            self.add(self.rig.shown_by(child + place));
        }
    }

    fn add(&mut self, row: (KeyTarget, KeyChannel)) {
        self.rows.entry(row).or_default().push_change(self.now);
    }
}

impl Rig {
    /// Returns the row of what a node shows.
    fn shown_by(&self, node: u32) -> (KeyTarget, KeyChannel) {
        match self.nodes.get(node as usize) {
            Some(Node::Sprite { slot, .. }) => {
                (KeyTarget::Slot(SlotId::new(*slot as usize)), KeyChannel::Attachment)
            }
            _ => (bone(node), KeyChannel::Visibility),
        }
    }
}

fn bone(node: u32) -> KeyTarget {
    KeyTarget::Bone(BoneId::new(node as usize))
}

/// Returns in what two matrices differ.
fn moved(was: Affine2, is: Affine2) -> impl Iterator<Item = KeyChannel> {
    /// Files round to three digits, which moves the ends of axes of that length.
    const SCALE: f32 = 2e-3;
    const DEGREES: f32 = 0.12;
    let translates = was.translation != is.translation;
    let shapes = (was.matrix2 != is.matrix2).then(|| {
        let [was, is] = [was, is].map(Transform::from);
        let turn = (was.rotation_degrees - is.rotation_degrees).abs();
        [
            (turn.min(360.0 - turn) > DEGREES, KeyChannel::Rotation),
            ((was.scale - is.scale).abs().max_element() > SCALE, KeyChannel::Scale),
            ((was.shear_degrees - is.shear_degrees).abs() > DEGREES, KeyChannel::Shear),
        ]
    });
    let shapes = shapes.into_iter().flatten().filter_map(|(differs, channel)| differs.then_some(channel));
    translates.then_some(KeyChannel::Translation).into_iter().chain(shapes)
}
