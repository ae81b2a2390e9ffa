//! Constraints of 4.3 without an effect: what drives nothing or a constant, and sliders that key themselves.

use super::Subject;
use crate::diagnostics::Diagnostics;
use crate::error::escaped;
use crate::formats::spine::build::{at, constraint_pointer, escaped_key};
use crate::formats::spine::schema::{Links, OfKind, Slider, Transform};
use crate::model::ConstraintKind;

/// Reports the first property of each transform constraint, and each slider.
pub fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let root = subject.root;
    let place = |index, field: &str| at(format!("{}/{field}", constraint_pointer(root, index)));
    let all = || root.constraints.iter().enumerate();
    let transforms = all().filter_map(|(index, it)| {
        let it = Transform::of(it)?;
        let (field, message) = unmoved(it, it.links.as_ref()?)?;
        Some((place(index, &field), message))
    });
    let sliders = all().filter_map(|(index, it)| {
        let it = Slider::of(it)?;
        let driver = it.driver.as_ref().filter(|driver| driver.scale.0 == 0.0)?;
        let (name, time) = (escaped(it.name.as_str()), driver.to.0);
        let message =
            format!("slider `{name}` always has the time {time}: the bone's property is multiplied by 0");
        Some((place(index, "scale"), message))
    });
    diagnostics.warn_all("drives-nothing", transforms.chain(sliders));
    diagnostics.warn_all(
        "slider-keys-itself",
        root.all::<Slider<'_>>().filter_map(|it| {
            let (animation, slider) = (it.animation.as_str(), it.name.as_str());
            is_keyed(subject, it).then(|| {
                let message = format!(
                    "slider `{}` applies this animation, so that its keys for the slider come too late",
                    escaped(slider)
                );
                (at(format!("/animations/{}/slider/{}", escaped_key(animation), escaped_key(slider))), message)
            })
        }),
    );
}

/// The field of a transform constraint that keeps it from moving anything, or moves it to a constant.
fn unmoved(it: &Transform<'_>, links: &Links<'_>) -> Option<(String, String)> {
    let name = escaped(it.name.as_str());
    let mut driven =
        links.properties.0.iter().flat_map(|(from, way)| way.to.0.iter().map(move |(to, it)| (from, to, it)));
    if driven.clone().next().is_none() {
        let message = format!("transform constraint `{name}` moves nothing: no property drives another one");
        return Some(("properties".to_owned(), message));
    }
    let (from, to, range) = driven.find(|(.., it)| links.clamp && it.offset == it.max)?;
    let message = format!(
        "`{}` is always driven to {}: its range begins and ends there; `max` is 1 if it is not stated",
        escaped(to.as_str()),
        range.max.0
    );
    let [from, to] = [from, to].map(|name| escaped_key(name.as_str()));
    Some((format!("properties/{from}/to/{to}/max"), message))
}

/// Returns true if the animation of a slider has keys for it.
fn is_keyed(subject: &Subject<'_>, slider: &Slider<'_>) -> bool {
    let animation = subject.root.animations.0.iter().rfind(|(name, _)| *name == slider.animation);
    animation.is_some_and(|(_, it)| {
        it.constraints.iter().any(|it| it.kind == ConstraintKind::Slider && it.name == slider.name)
    })
}
