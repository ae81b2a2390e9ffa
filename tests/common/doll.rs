//! A small Spine character with everything that a game changes while it plays.

use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions};

/// An arm of two bones that reaches for `goal` and holds a weapon; a flag that swings; a body that walks.
const DOLL: &str = r#"{"skeleton":{"spine":"4.2.43"},
"bones":[
    {"name":"root"},
    {"name":"hip","parent":"root","y":10},
    {"name":"upper","parent":"hip","length":50},
    {"name":"lower","parent":"upper","length":50,"x":50},
    {"name":"tip","parent":"lower","x":50},
    {"name":"goal","parent":"root","x":80,"y":10},
    {"name":"other","parent":"root","x":0,"y":90},
    {"name":"flag","parent":"hip","length":40,"rotation":90}],
"slots":[
    {"name":"body","bone":"hip","attachment":"body"},
    {"name":"weapon","bone":"tip","attachment":"sword"},
    {"name":"flag","bone":"flag","attachment":"flag"},
    {"name":"box","bone":"hip","attachment":"box"},
    {"name":"muzzle","bone":"tip","attachment":"muzzle"},
    {"name":"mask","bone":"hip"}],
"ik":[{"name":"reach","bones":["upper","lower"],"target":"goal"}],
"physics":[{"name":"wave","order":1,"bone":"flag","rotate":1,"inertia":0.5,"strength":50,"damping":0.9,"gravity":0}],
"skins":[{"name":"default","attachments":{
    "body":{"body":{"width":60,"height":40}},
    "weapon":{"sword":{"width":40,"height":8,"x":20},"axe":{"width":20,"height":20}},
    "flag":{"flag":{"width":40,"height":4,"x":20}},
    "box":{"box":{"type":"boundingbox","vertexCount":4,"vertices":[-30,-20,30,-20,30,20,-30,20]}},
    "muzzle":{"muzzle":{"type":"point","x":40}},
    "mask":{"mask":{"type":"clipping","vertexCount":4,"vertices":[-30,-20,0,-20,0,20,-30,20]}}}}],
"events":{"step":{"int":3,"audio":"step.ogg","volume":0.5,"balance":-0.25}},
"animations":{
    "stand":{"bones":{"goal":{"translate":[{},{"time":1,"y":20}]}}},
    "swing":{"slots":{"weapon":{"attachment":[{"time":0.25,"name":"axe"}],
            "rgba":[{"color":"ff0000ff"},{"time":1,"color":"ff0000ff"}]}},
        "bones":{"lower":{"rotate":[{},{"time":1,"value":30}]}},
        "drawOrder":[{"offsets":[{"slot":"weapon","offset":-1}]}]},
    "walk":{"bones":{"hip":{"translate":[{},{"time":1,"x":100}]}},
        "events":[{"name":"step","volume":0.5,"balance":-0.25},{"time":0.5,"name":"step","volume":0.5,"balance":-0.25}]}}}"#;

/// Returns the character.
pub fn doll() -> Character {
    let input = Input { bytes: DOLL.as_bytes().to_vec().into(), sidecars: NO_SIDECARS };
    pchr::formats::from_input(&input, &ReadOptions::default(), &mut Diagnostics::default()).expect("a doll")
}
