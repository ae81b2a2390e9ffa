//! The mass of a physics constraint. Binaries store its inverse.

/// How far, in steps of `f32`, the mass of a stored inverse can be from the inverse of that.
const STEPS: u32 = 2;

/// The inverse that is stored for a mass.
pub fn inverse(mass: f32) -> f32 {
    1.0 / mass
}

/// The mass with that inverse. If several have it, the one with the fewest digits, so that 1.7 stays 1.7.
pub fn of_inverse(stored: f32) -> f32 {
    let nearest = 1.0 / stored;
    if !nearest.is_normal() {
        // The inverse of the largest numbers is rounded so that its own inverse is infinite.
        let most = f32::MAX.copysign(stored);
        return if inverse(most) == stored { most } else { nearest };
    }
    let around = nearest.to_bits() - STEPS..=nearest.to_bits() + STEPS;
    let masses = around.map(f32::from_bits).filter(|mass| is_inverse(*mass, stored));
    masses.min_by_key(|mass| mass.to_string().len()).unwrap_or(nearest)
}

/// Returns true if a mass is stored like that: rounded before or after the division.
fn is_inverse(mass: f32, stored: f32) -> bool {
    let decimal: f64 = mass.to_string().parse().unwrap_or(f64::NAN);
    inverse(mass) == stored || (1.0 / decimal) as f32 == stored
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mass_of_few_digits_is_kept() {
        for thousandths in 1..=100_000 {
            let decimal = f64::from(thousandths) / 1000.0;
            let mass = decimal as f32;
            assert_eq!(of_inverse(inverse(mass)), mass);
            assert_eq!(of_inverse((1.0 / decimal) as f32), mass, "divided before it was rounded");
        }
    }

    #[test]
    fn any_number_can_be_stored() {
        for mass in [-1.7, 1e-38, 1e38, f32::MAX, f32::MIN_POSITIVE, 1.234_567_8] {
            let read = of_inverse(inverse(mass));
            assert!((read / mass - 1.0).abs() < 1e-6, "{mass} became {read}");
        }
        assert_eq!(of_inverse(f32::MAX), 1.0 / f32::MAX);
        assert_eq!(of_inverse(0.0), f32::INFINITY);
    }
}
