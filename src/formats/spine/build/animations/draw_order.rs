//! Timelines of the draw order, of all slots or of some.

use foldhash::{HashMap, HashMapExt};

use super::Reader;
use crate::error::Result;
use crate::formats::spine::build::keys::Way;
use crate::formats::spine::build::malformed;
use crate::formats::spine::schema::{self, Timed};
use crate::motion::spine::{StepKeys, Timeline};

impl<'a> Reader<'_, '_, 'a> {
    pub(super) fn draw_order(&mut self, json: &'a schema::Animation<'a>) -> Result<()> {
        if !json.draw_order.is_empty() {
            let slots = self.root.slots.len();
            let all = |slot: usize| Some(slot);
            let keys = self.orders(&json.draw_order, slots, all, Way(&["drawOrder"]))?;
            if !keys.times.is_empty() {
                self.add(Timeline::DrawOrder(keys));
            }
        }
        for (index, folder) in json.folders.iter().enumerate() {
            self.read_timeline(|it| it.folder(&index.to_string(), folder))?;
        }
        Ok(())
    }

    fn folder(&mut self, index: &str, folder: &'a schema::DrawOrderFolder<'a>) -> Result<()> {
        let way = ["drawOrderFolder", index];
        let mut slots = Vec::with_capacity(folder.slots.len());
        let mut places = HashMap::with_capacity(folder.slots.len());
        for (at, name) in folder.slots.iter().enumerate() {
            let slot = self.slot(name, || format!("{}/slots/{at}", self.at(Way(&way))));
            let Some(slot) = self.diagnostics.recover(slot)? else { continue };
            if places.insert(slot, slots.len()).is_some() {
                let message = "this slot is in the folder already";
                let pointer = format!("{}/slots/{at}", self.at(Way(&way)));
                self.diagnostics.reject(malformed("draw-order", pointer, message))?;
                continue;
            }
            slots.push(slot as u32);
        }
        let place = |slot: usize| places.get(&slot).copied();
        let keys = self.orders(&folder.keys, slots.len(), place, Way(&[way[0], way[1], "keys"]))?;
        if !keys.times.is_empty() {
            self.add(Timeline::Folder(slots.into(), keys));
        }
        Ok(())
    }

    /// The keys of an order of some slots; `place` returns the place of a slot among them at rest.
    fn orders(
        &mut self,
        keys: &'a [schema::DrawOrderKey<'a>],
        count: usize,
        place: impl Fn(usize) -> Option<usize>,
        way: Way<'_>,
    ) -> Result<StepKeys<Option<Box<[u32]>>>> {
        let size = size_of::<(f32, Box<[u32]>)>() + count * size_of::<u32>();
        let mut read = StepKeys::default();
        let duration = self.animation.duration;
        for (index, key) in self.steps(keys, size, way)? {
            let order = (!key.offsets.is_empty()).then(|| self.order_of((index, key), count, &place, way));
            let Some(order) = self.leave_out(order.transpose())? else { continue };
            read.times.push(key.time());
            read.values.push(order);
        }
        self.animation.duration = duration.max(read.times.last().map_or(0.0, |&last| last.into()));
        Ok(read)
    }

    /// Named slots move by their offset from their place at rest; the others fill the free places in order.
    fn order_of(
        &self,
        (index, key): (usize, &schema::DrawOrderKey<'_>),
        slots: usize,
        place: impl Fn(usize) -> Option<usize>,
        way: Way<'_>,
    ) -> Result<Box<[u32]>> {
        const FREE: u32 = u32::MAX;
        let mut order = vec![FREE; slots].into_boxed_slice();
        let mut is_placed = vec![false; slots];
        for (number, offset) in key.offsets.iter().enumerate() {
            let pointer = |field| format!("{}/{index}/offsets/{number}/{field}", self.at(way));
            let slot = self.slot(&offset.slot, || pointer("slot"))?;
            let Some(slot) = place(slot) else {
                let message = "this slot is not in the folder";
                return Err(malformed("draw-order", pointer("slot"), message));
            };
            let to = offset.offset.checked_add(slot as i64).and_then(|to| usize::try_from(to).ok());
            let place = to.and_then(|to| order.get_mut(to)).filter(|place| **place == FREE);
            match place {
                Some(place) if !is_placed[slot] => {
                    *place = slot as u32;
                    is_placed[slot] = true;
                }
                _ => {
                    let message = format!(
                        "slot {slot} cannot move by {} places: that place is taken or outside the {slots} slots",
                        offset.offset
                    );
                    return Err(malformed("draw-order", pointer("offset"), message));
                }
            }
        }
        let mut left = (0..slots as u32).filter(|&slot| !is_placed[slot as usize]);
        order.iter_mut().filter(|place| **place == FREE).for_each(|place| *place = left.next().unwrap_or(0));
        Ok(order)
    }
}
