//! JSON layout: one line per record, which suits both readers and `diff`.

use std::io::{self, Write};

use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use serde::Serialize;

/// Writes `value` and a newline. Lists and objects nested deeper than `depth` are on one line each.
pub fn write_json(mut out: impl Write, value: &impl Serialize, depth: usize) -> io::Result<()> {
    let layout = Layout { pretty: PrettyFormatter::new(), compact: CompactFormatter, level: 0, depth };
    value.serialize(&mut Serializer::with_formatter(&mut out, layout))?;
    out.write_all(b"\n")
}

/// Indents the outer levels and keeps the inner ones on one line.
struct Layout {
    pretty: PrettyFormatter<'static>,
    compact: CompactFormatter,
    level: usize,
    depth: usize,
}

impl Layout {
    fn is_pretty(&self) -> bool {
        self.level <= self.depth
    }
}

/// Delegates to the formatter of the current level.
macro_rules! by_level {
    ($($name:ident($($argument:ident: $kind:ty),*);)*) => {$(
        fn $name<W: Write + ?Sized>(&mut self, out: &mut W, $($argument: $kind),*) -> io::Result<()> {
            if self.is_pretty() {
                self.pretty.$name(out, $($argument),*)
            } else {
                self.compact.$name(out, $($argument),*)
            }
        }
    )*};
}

impl Formatter for Layout {
    fn begin_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.level += 1;
        if self.is_pretty() { self.pretty.begin_array(out) } else { self.compact.begin_array(out) }
    }

    fn end_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        let result = if self.is_pretty() { self.pretty.end_array(out) } else { self.compact.end_array(out) };
        self.level -= 1;
        result
    }

    fn begin_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.level += 1;
        if self.is_pretty() { self.pretty.begin_object(out) } else { self.compact.begin_object(out) }
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        let result = if self.is_pretty() { self.pretty.end_object(out) } else { self.compact.end_object(out) };
        self.level -= 1;
        result
    }

    by_level! {
        begin_array_value(first: bool);
        end_array_value();
        begin_object_key(first: bool);
        begin_object_value();
        end_object_value();
    }
}
