//! Texture atlases of Adobe Animate, and the resulting character.
#![no_main]

pchr_fuzz::target!(read_animate);
