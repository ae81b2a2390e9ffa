//! Enums with a text for each variant.

/// Declares an enum with the text that `$text` returns beside each variant, and lists the variants in `ALL`.
macro_rules! texts {
    (
        $(#[$of_enum:meta])*
        pub enum $name:ident: $text:ident {
            $($(#[$of_variant:meta])* $variant:ident => $words:literal,)*
        }
    ) => {
        $(#[$of_enum])*
        pub enum $name {
            $($(#[$of_variant])* $variant,)*
        }

        impl $name {
            /// All variants, in display order.
            pub const ALL: [Self; [$($words),*].len()] = [$(Self::$variant),*];

            /// Returns the text of the variant.
            pub const fn $text(self) -> &'static str {
                match self {
                    $(Self::$variant => $words,)*
                }
            }
        }
    };
}

pub(crate) use texts;
