//! Null, indices out of range and bad text are errors; valid calls return `Ok`.

use std::mem::MaybeUninit;
use std::ptr;

use pchr_c::*;

fn text(text: &str) -> PchrText {
    PchrText { data: text.as_ptr(), len: text.len() }
}

const NULL: PchrText = PchrText { data: ptr::null(), len: 4 };
const NONE: PchrText = PchrText { data: ptr::null(), len: 0 };

fn failed(status: PchrStatus, expected: &str) {
    let [mut code, mut message] = [NONE; 2];
    // SAFETY: both are places for text, and the text is valid until the next error.
    let code = unsafe {
        assert_eq!(pchr_last_error(&raw mut code, &raw mut message), PchrStatus::Ok);
        assert!(message.len > 0);
        std::str::from_utf8(std::slice::from_raw_parts(code.data, code.len)).expect("text").to_owned()
    };
    assert!(status != PchrStatus::Ok && code == expected, "{status:?} {code}");
}

fn lamp() -> *mut PchrAnimator {
    let bytes = ["json", "atlas", "png"].map(|end| {
        let path = format!("{}/../../assets/paper-lamp.{end}", env!("CARGO_MANIFEST_DIR"));
        (format!("paper-lamp.{end}"), std::fs::read(path).expect("an asset"))
    });
    let file =
        |(name, bytes): &(String, Vec<u8>)| PchrFile { path: text(name), bytes: bytes.as_ptr(), len: bytes.len() };
    let files: Vec<PchrFile> = bytes.iter().map(file).collect();
    let mut animator = ptr::null_mut();
    // SAFETY: all pointers are to values of this function.
    let status = unsafe { pchr_open(files.as_ptr(), files.len(), files[0].path, &raw mut animator) };
    assert_eq!(status, PchrStatus::Ok);
    animator
}

#[test]
fn null_is_an_error_everywhere() {
    let (lamp, null, no_text) = (lamp(), ptr::null_mut::<PchrAnimator>(), NULL);
    let mut place = PchrTransform { xx: 1.0, xy: 0.0, yx: 0.0, yy: 1.0, x: 0.0, y: 0.0 };
    let (mut animator, mut count, mut name, mut secs) = (ptr::null_mut(), 0, NONE, 0.0);
    let (mut drawn, mut page) = (MaybeUninit::<PchrBatches>::uninit(), MaybeUninit::<PchrPage>::uninit());
    // SAFETY: null is allowed everywhere, and the other pointers are to values of this function.
    unsafe {
        for status in [
            pchr_last_error(ptr::null_mut(), &raw mut name),
            pchr_last_error(&raw mut name, ptr::null_mut()),
            pchr_open(ptr::null(), 1, text("a"), &raw mut animator),
            pchr_open(ptr::null(), 0, NULL, &raw mut animator),
            pchr_open(ptr::null(), 0, text("a"), ptr::null_mut()),
            pchr_copy(null, &raw mut animator),
            pchr_copy(lamp, ptr::null_mut()),
            pchr_count(null, PCHR_SLOTS, &raw mut count),
            pchr_count(lamp, PCHR_SLOTS, ptr::null_mut()),
            pchr_name(null, PCHR_SLOTS, 0, &raw mut name),
            pchr_name(lamp, PCHR_SLOTS, 0, ptr::null_mut()),
            pchr_duration(null, 0, &raw mut secs),
            pchr_duration(lamp, 0, ptr::null_mut()),
            pchr_play(null, 0, text("hop"), NONE),
            pchr_play(lamp, 0, NULL, NONE),
            pchr_play(lamp, 0, text("hop"), NULL),
            pchr_queue(null, 0, text("hop"), 0.0, NONE),
            pchr_queue(lamp, 0, NULL, 0.0, NONE),
            pchr_queue(lamp, 0, text("hop"), 0.0, NULL),
            pchr_fade_out(null, 0, 1.0),
            pchr_stop(null),
            pchr_set_fade(null, 1.0),
            pchr_set_skins(null, ptr::null(), 0),
            pchr_set_skins(lamp, ptr::null(), 1),
            pchr_set_skins(lamp, &raw const no_text, 1),
            pchr_set_attachment(null, text("bulb"), NONE),
            pchr_set_attachment(lamp, NULL, NONE),
            pchr_move_bone(null, text("head"), 0.0, 0.0),
            pchr_move_bone(lamp, NULL, 0.0, 0.0),
            pchr_release_bone(null, text("head")),
            pchr_release_bone(lamp, NULL),
            pchr_set_constraint(null, text("look"), text("mix"), 1.0),
            pchr_set_constraint(lamp, text("look"), NULL, 1.0),
            pchr_set_constraint(lamp, NULL, text("mix"), 1.0),
            pchr_place(null, place),
            pchr_bone(null, text("head"), &raw mut place),
            pchr_bone(lamp, NULL, &raw mut place),
            pchr_bone(lamp, text("head"), ptr::null_mut()),
            pchr_update(null, 0.1, ptr::null_mut()),
            pchr_draw(null, drawn.as_mut_ptr()),
            pchr_draw(lamp, ptr::null_mut()),
            pchr_page_count(null, &raw mut count),
            pchr_page_count(lamp, ptr::null_mut()),
            pchr_page(null, 0, page.as_mut_ptr()),
            pchr_page(lamp, 0, ptr::null_mut()),
            pchr_read_page(null, 0, ptr::null_mut(), 0),
        ] {
            assert_eq!(status, PchrStatus::Misuse);
        }
        failed(pchr_draw(lamp, ptr::null_mut()), "null");
        assert!(animator.is_null());
        failed(pchr_read_page(lamp, 0, ptr::null_mut(), 4), "bad-length");
        assert_eq!((pchr_free(null), pchr_free(lamp)), (PchrStatus::Ok, PchrStatus::Ok));
    }
}

#[test]
fn wrong_arguments_are_errors() {
    let lamp = lamp();
    let mut animator = ptr::null_mut();
    let (mut count, mut name, mut secs, mut rgba) = (0, NONE, 0.0, [0_u8; 8]);
    let latin = [b'h', 0xf6, b'p'];
    // SAFETY: all pointers are to values of this function.
    unsafe {
        failed(pchr_open(ptr::null(), 0, text("hero.json"), &raw mut animator), "io");
        let bytes = *b"no character";
        let file = PchrFile { path: text("a.json"), bytes: bytes.as_ptr(), len: bytes.len() };
        assert_ne!(pchr_open(&raw const file, 1, file.path, &raw mut animator), PchrStatus::Ok);
        failed(pchr_open(&raw const file, usize::MAX, file.path, &raw mut animator), "bad-length");
        failed(pchr_count(lamp, 99, &raw mut count), "no-such-list");
        failed(pchr_name(lamp, PCHR_SKINS, 99, &raw mut name), "no-such-item");
        failed(pchr_duration(lamp, 99, &raw mut secs), "no-such-item");
        failed(pchr_play(lamp, 0, text("hopp"), NONE), "unknown-name");
        failed(pchr_play(lamp, 0, text("hop"), text("louder")), "bad-setting");
        failed(pchr_play(lamp, 0, PchrText { data: latin.as_ptr(), len: 3 }, NONE), "bad-text");
        failed(pchr_set_constraint(lamp, text("look"), text("mixx"), 1.0), "no-such-setting");
        failed(pchr_read_page(lamp, 99, rgba.as_mut_ptr(), rgba.len()), "no-such-item");
        failed(pchr_read_page(lamp, 0, rgba.as_mut_ptr(), rgba.len()), "bad-length");
        let mut events = PchrEvents { data: ptr::null(), len: 0 };
        assert_eq!(pchr_update(lamp, 0.1, &raw mut events), PchrStatus::Ok);
        assert_eq!(events.len, 0, "nothing was played");
        pchr_free(lamp);
    }
}

#[test]
fn a_game_changes_what_it_plays() {
    let lamp = lamp();
    let mut place = PchrTransform { xx: 1.0, xy: 0.0, yx: 0.0, yy: 1.0, x: 300.0, y: 0.0 };
    let mut copy = ptr::null_mut();
    let mut drawn = std::mem::MaybeUninit::<PchrBatches>::uninit();
    let (hop, skin) = (text("hop"), text("blue"));
    let mut ok = Vec::new();
    // SAFETY: all pointers are to values of this function.
    unsafe {
        ok.push(pchr_set_skins(lamp, &raw const skin, 1));
        ok.push(pchr_play(lamp, 0, hop, text("weight=0.5,loop=loop")));
        ok.push(pchr_move_bone(lamp, text("mouse"), 100.0, 150.0));
        ok.push(pchr_set_constraint(lamp, text("look"), text("mix"), 0.5));
        ok.push(pchr_place(lamp, place));
        ok.push(pchr_update(lamp, 0.25, ptr::null_mut()));
        ok.push(pchr_bone(lamp, text("mouse"), &raw mut place));
        assert!((place.x - 100.0).abs() < 1e-3 && (place.y - 150.0).abs() < 1e-3, "{place:?}");
        ok.push(pchr_draw(lamp, drawn.as_mut_ptr()));
        let all = drawn.assume_init();
        let vertices = std::slice::from_raw_parts(all.vertices, all.vertex_count);
        let middle = vertices.iter().map(|vertex| vertex.x).sum::<f32>() / vertices.len() as f32;
        assert!((middle - 300.0).abs() < 100.0, "it stands at 300, not at {middle}");
        let before = vertices.len();
        ok.push(pchr_set_attachment(lamp, text("bulb"), NONE));
        ok.push(pchr_release_bone(lamp, text("mouse")));
        ok.push(pchr_update(lamp, 0.25, ptr::null_mut()));
        ok.push(pchr_draw(lamp, drawn.as_mut_ptr()));
        assert!(drawn.assume_init().vertex_count < before, "the bulb is hidden");
        ok.push(pchr_copy(lamp, &raw mut copy));
        ok.push(pchr_free(lamp));
        ok.push(pchr_fade_out(copy, 0, 0.0));
        ok.push(pchr_stop(copy));
        ok.push(pchr_update(copy, 0.25, ptr::null_mut()));
        ok.push(pchr_free(copy));
    }
    assert!(ok.iter().all(|status| *status == PchrStatus::Ok), "{ok:?}");
}
