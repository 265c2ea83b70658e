//! Why a setting has no effect, given the other settings. A scene states the same of settings that its bodies make no
//! use of (`opens.idle`).

use delassus_physics::settings::{FrictionModel, Settings, Stabilization};
use delassus_physics::{ballistic, solvers, stabilize};

/// Why a setting has no effect with the present other settings, to be read after “because”; `None` if it may have
/// one.
pub fn idle(name: &str, settings: &Settings) -> Option<&'static str> {
    match name {
        "friction.deferred" => deferred(settings),
        "contact.collide" => collide(settings),
        _ => None,
    }
}

/// See [`stabilize::defers_friction`].
fn deferred(settings: &Settings) -> Option<&'static str> {
    let contacts = &*stabilize::settings_of_contacts(settings);
    if contacts.friction.model == FrictionModel::Off {
        Some("friction is off")
    } else if contacts.stabilization.method != Stabilization::Soft {
        Some("contacts are not stabilised softly")
    } else if solvers::of(contacts.solver.method).exact {
        Some("the direct solver has no relaxing sweeps")
    } else if contacts.stabilization.relax == 0 {
        Some("there are no relaxing sweeps")
    } else {
        None
    }
}

/// See [`Contacts::serves_all`](delassus_physics::collide::Contacts::serves_all).
fn collide(settings: &Settings) -> Option<&'static str> {
    if ballistic::is_on(settings) {
        Some("each blow wants its points found anew")
    } else if settings.step.substeps <= 1 {
        Some("a step has one sub-step")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_physics::settings::{Collide, ContactForm, ContactStabilization, Method};
    use delassus_physics::world::World;

    /// Formerly only the tooltips said that these two settings have no effect; the switchboard showed them as
    /// effective.
    #[test]
    fn a_setting_is_called_idle_where_the_physics_does_not_ask_for_it() {
        let mut seen = [0; 2];
        for method in [Method::GaussSeidel, Method::Direct] {
            for soft in [ContactStabilization::AsJoints, ContactStabilization::Soft] {
                for (relax, substeps) in [(0, 1), (1, 4)] {
                    for form in [ContactForm::Blows, Settings::default().formulation.contact] {
                        let mut settings = Settings::default();
                        (settings.solver.method, settings.stabilization.contacts) = (method, soft);
                        (settings.stabilization.relax, settings.step.substeps) = (relax, substeps);
                        (settings.friction.deferred, settings.contact.collide) = (true, Collide::EachStep);
                        settings.formulation.contact = form;
                        let defers = stabilize::defers_friction(&stabilize::settings_of_contacts(&settings));
                        assert_eq!(idle("friction.deferred", &settings).is_none(), defers, "{settings:?}");
                        let serves = World::new(settings).state.contacts.serves_all(&settings);
                        assert_eq!(idle("contact.collide", &settings).is_none(), serves, "{settings:?}");
                        (seen[0], seen[1]) = (seen[0] + u32::from(defers), seen[1] + u32::from(serves));
                    }
                }
            }
        }
        // Friction is deferred with one method, stabilisation and relaxation, in both forms: 2. Points serve all
        // sub-steps if there are several, with one form, for both methods and stabilisations: 4.
        assert_eq!(seen, [2, 4], "both are in use somewhere");
    }
}
