//! A list that is written from the start for every picture, and knows which items changed since they were uploaded.

use std::ops::Range;

/// The list.
#[derive(Debug)]
pub struct TrackedList<T> {
    items: Vec<T>,
    /// The number of items of this picture.
    count: usize,
    /// Ranges with changed items. They may overlap.
    changed: Vec<Range<usize>>,
}

impl<T> Default for TrackedList<T> {
    fn default() -> Self {
        Self { items: Vec::new(), count: 0, changed: Vec::new() }
    }
}

impl<T: Copy + PartialEq> TrackedList<T> {
    /// Unchanged bytes between two changes that are uploaded with them: about as many as can be copied in the time
    /// that another upload takes.
    const GAP: usize = 4096;

    /// The number of items of this picture.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The items of this picture.
    pub fn items(&self) -> &[T] {
        &self.items[..self.count]
    }

    /// Begins another picture.
    pub fn restart(&mut self) {
        self.count = 0;
    }

    /// Appends an item.
    pub fn push(&mut self, item: T) {
        self.extend(1, item);
        self.set(self.count - 1, item);
    }

    /// Removes the items from `count` on.
    pub fn shorten(&mut self, count: usize) {
        self.count = self.count.min(count);
    }

    /// Appends items that keep the values that they had in the picture before, or are `new`.
    pub fn extend(&mut self, count: usize, new: T) {
        let first = self.count;
        self.count += count;
        if self.items.len() < self.count {
            let from = first.max(self.items.len());
            self.items.resize(self.count, new);
            self.mark(from..self.count);
        }
    }

    /// Replaces an item.
    pub fn set(&mut self, index: usize, item: T) {
        if self.items[index] != item {
            self.items[index] = item;
            self.mark(index..index + 1);
        }
    }

    fn mark(&mut self, range: Range<usize>) {
        let gap = Self::GAP / size_of::<T>();
        match self.changed.last_mut() {
            Some(last) if range.start + gap >= last.start && range.start <= last.end + gap => {
                *last = last.start.min(range.start)..last.end.max(range.end);
            }
            _ => self.changed.push(range),
        }
    }

    /// Ends the picture: passes the first index and the items of each range that changed since the last upload to
    /// `write`, or all items if the GPU has none. Returns the number of bytes.
    pub fn upload(&mut self, is_new: bool, mut write: impl FnMut(usize, &[T])) -> u64 {
        // Items that are left out now are uploaded again if a later picture has them.
        self.items.truncate(self.count);
        if is_new {
            self.changed.clear();
            self.changed.push(0..self.count);
        }
        let mut bytes = 0;
        for range in self.changed.drain(..) {
            let range = range.start..range.end.min(self.count);
            if range.start < range.end {
                bytes += (range.len() * size_of::<T>()) as u64;
                write(range.start, &self.items[range]);
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(kept: &mut TrackedList<[u8; 1024]>, bytes: &[u8]) -> Vec<[usize; 2]> {
        kept.restart();
        bytes.iter().for_each(|byte| kept.push([*byte; 1024]));
        assert!(kept.items().iter().map(|item| item[0]).eq(bytes.iter().copied()));
        let mut changed = Vec::new();
        let uploaded = kept.upload(false, |first, items| changed.push([first, first + items.len()]));
        assert_eq!(uploaded, 1024 * changed.iter().map(|[first, end]| end - first).sum::<usize>() as u64);
        changed
    }

    #[test]
    fn only_changes_are_uploaded() {
        let mut kept = TrackedList::default();
        let mut bytes = [7; 20];
        assert_eq!(picture(&mut kept, &bytes), [[0, 20]]);
        assert!(picture(&mut kept, &bytes).is_empty());
        (bytes[3], bytes[6], bytes[15]) = (1, 2, 3);
        assert_eq!(picture(&mut kept, &bytes), [[3, 7], [15, 16]]);
        // Fewer items are no change, but what was left out is new again.
        assert!(picture(&mut kept, &bytes[..12]).is_empty());
        assert_eq!(picture(&mut kept, &bytes), [[12, 20]]);
    }

    #[test]
    fn changes_that_were_not_uploaded_are_not_lost() {
        let mut kept = TrackedList::default();
        picture(&mut kept, &[1; 8]);
        kept.restart();
        (0..8).for_each(|_| kept.push([2; 1024]));
        // The picture was refused.
        assert_eq!(picture(&mut kept, &[2; 8]), [[0, 8]]);
        let mut all = Vec::new();
        assert_eq!(kept.upload(true, |_, items| all.extend_from_slice(items)), 8 * 1024);
        assert_eq!(all, [[2; 1024]; 8]);
    }
}
