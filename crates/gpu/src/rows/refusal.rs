//! Which settings the sweeps do not support.

use delassus_physics::by_setting;
use delassus_physics::settings::{
    BreakingSettings, CarryForm, ContactSettings, FormulationSettings, FrictionSettings, JacobiStep, Method, Order,
    Settings, SleepSettings, SolverSettings, StabilizationSettings, StepSettings, WarmStartSettings,
};

use super::Unsupported;

/// Why no device sweeps a world, regardless of its rows. Names every setting, so that a new one that is forgotten here
/// does not compile.
pub fn refusal(settings: &Settings) -> Option<Unsupported> {
    let solver = &settings.solver;
    let at_once = solver.method == Method::Jacobi;
    let when = |refused: bool, why: Unsupported| refused.then_some(why);
    let mut first = None;
    let mut visit = |_: &str, why: Option<Unsupported>| first = first.or(why);
    by_setting! { settings, visit =>
        step: StepSettings {
            rate => None,
            substeps => None,
            max_turn => None,
            gravity => None,
            gyroscopic => None,
        }
        solver: SolverSettings {
            method => when(matches!(solver.method, Method::Direct | Method::TgsSoft | Method::Nncg | Method::Avbd | Method::Admm), Unsupported::Method),
            iterations => None,
            extra => None,
            rows => None,
            order => when(!at_once && solver.order == Order::Shuffled, Unsupported::Order),
            jacobi => when(at_once && solver.jacobi == JacobiStep::Conjugate, Unsupported::Conjugate),
            relaxation => None,
            stiffening => None,
            lanes => None,
            tolerance => when(solver.tolerance > 0.0, Unsupported::Tolerance),
            threads => None,
            device => None,
            spectrum_every => when(solver.spectrum_every > 0, Unsupported::Spectrum),
        }
        warm_start: WarmStartSettings {
            enabled => None,
            factor => None,
            joints => None,
            safeguard => None,
            feature_ids => None,
            distance => None,
            tolerance => None,
            spread => None,
            shallow_clamp => None,
            patch => None,
            rolling => None,
            impulse_cap => None,
            reset => None,
        }
        stabilization: StabilizationSettings {
            method => None,
            contacts => None,
            beta => None,
            joint_slop => None,
            position_iterations => None,
            max_correction => None,
            rounds => None,
            geometric_stiffness => None,
            hertz => None,
            damping_ratio => None,
            contact_hertz => None,
            contact_damping_ratio => None,
            relax => None,
        }
        contact: ContactSettings {
            enabled => None,
            source => None,
            collide => None,
            drift => None,
            mean_first => None,
            continuous => None,
            fast => None,
            slop => None,
            prediction => None,
            max_push => None,
            mix => None,
            restitution => None,
            impacts => None,
            restitution_threshold => None,
        }
        friction: FrictionSettings {
            model => None,
            under_load => None,
            twist => None,
            rolling => None,
            deferred => None,
        }
        sleep: SleepSettings {
            enabled => None,
            speed => None,
            time => None,
        }
        breaking: BreakingSettings {
            enabled => None,
            force => None,
            torque => None,
        }
        formulation: FormulationSettings {
            hinge => None,
            orientation => None,
            anchor => None,
            constant_velocity => None,
            limit => None,
            angular_stabilization => None,
            motor => None,
            rotation => None,
            angular_speed => None,
            contact => None,
            restitution => None,
            normal => None,
            patch => None,
            rolling => None,
            point => None,
            soft => None,
            carry => when(settings.formulation.carry == CarryForm::AsPrinted, Unsupported::Carry),
        }
    }
    first
}
