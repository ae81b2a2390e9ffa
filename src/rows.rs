//! Enums with properties. [`rows`] declares an enum and, beside each variant, the row with all of its properties, and lists
//! the variants in `ALL`: neither a row nor a place in the list can be forgotten.

/// Declares an enum with a row of type `$row` for each variant, which `row` returns to the module and where `$of_row` says.
macro_rules! rows {
    (
        $(#[$of_enum:meta])*
        pub enum $name:ident: $of_row:vis $row:ty {
            $($(#[$of_variant:meta])* $variant:ident => $properties:expr,)*
        }
    ) => {
        $(#[$of_enum])*
        pub enum $name {
            $($(#[$of_variant])* $variant,)*
        }

        impl $name {
            /// All variants, in order.
            pub const ALL: [Self; [$(stringify!($variant)),*].len()] = [$(Self::$variant),*];

            /// Returns the properties of the variant.
            $of_row const fn row(self) -> &'static $row {
                match self {
                    $(Self::$variant => {
                        const ROW: &$row = &$properties;
                        ROW
                    })*
                }
            }
        }
    };
}

/// Declares an enum whose variants have a name on the command line and a short description.
macro_rules! words {
    (
        $(#[$of_enum:meta])*
        pub enum $name:ident {
            $($(#[$of_variant:meta])* $variant:ident => ($word:literal, $about:literal),)*
        }
    ) => {
        $crate::rows::rows! {
            $(#[$of_enum])*
            pub enum $name: (&'static str, &'static str) {
                $($(#[$of_variant])* $variant => ($word, $about),)*
            }
        }

        impl $name {
            /// Returns the name on the command line.
            pub const fn name(self) -> &'static str {
                self.row().0
            }

            /// Returns a short description.
            pub const fn about(self) -> &'static str {
                self.row().1
            }
        }
    };
}

/// Declares an enum with a name for each variant, which `name` returns.
macro_rules! named {
    (
        $(#[$of_enum:meta])*
        pub enum $name:ident {
            $($(#[$of_variant:meta])* $variant:ident $(($content:ty))? => $word:literal,)*
        }
        $(#[$of_names:meta])*
        fn name;
    ) => {
        $(#[$of_enum])*
        pub enum $name {
            $($(#[$of_variant])* $variant $(($content))?,)*
        }

        impl $name {
            $(#[$of_names])*
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $word,)*
                }
            }
        }
    };
}

pub(crate) use {named, rows, words};
