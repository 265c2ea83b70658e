//! Which settings and worlds the kernels do not support. These are refused with a reason, and the processor steps
//! them.

use glam::Vec3;
use thiserror::Error;

use delassus_physics::by_setting;
use delassus_physics::joints::JointKind;
use delassus_physics::settings::{
    AnchorForm, AngularSpeedForm, BreakingSettings, CarryForm, ContactSettings, FormulationSettings, FrictionSettings,
    Gyroscopic, JacobiStep, Method, Order, RowSolve, Safeguard, Settings, SleepSettings, SolverSettings, Stabilization,
    StabilizationSettings, StepSettings, WarmStartSettings,
};
use delassus_physics::world::World;

/// Why a world is not stepped on the graphics device, as the end of a sentence for the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("it has sweeps alone, no direct solver")]
    Method,
    #[error("it solves ball-sockets as 3×3 blocks, by Jacobi also joint by joint, by Gauss–Seidel as whole trees")]
    Rows,
    #[error("it sweeps forward or by colours, not backward or in an order drawn anew")]
    Order,
    #[error("it applies old impulses before the first sweep of Gauss–Seidel, not behind it")]
    Carry,
    #[error("it has no conjugate directions")]
    Conjugate,
    #[error("it runs all sweeps, whatever the tolerance")]
    Tolerance,
    #[error("it estimates no spectral radius")]
    Spectrum,
    #[error("it has no safeguard of old impulses: warm starting goes with Baumgarte, a manual ω or the safeguard off")]
    Safeguard,
    #[error("it caps no impulses")]
    Cap,
    #[error("it mends positions by Baumgarte's feedback or not at all")]
    Stabilization,
    #[error("it leaves joints no slop")]
    Slop,
    #[error("it has no geometric stiffness")]
    Stiffness,
    #[error("it leaves bodies what impulses give them, however fast they turn")]
    AngularSpeed,
    #[error("it keeps anchors together by their distance's components, not by its square")]
    Anchor,
    #[error("it has ball-sockets alone, and joint {0} is none")]
    Kind(usize),
    #[error("joint {0} has a spring, a stabilisation or a load that breaks it of its own")]
    Options(usize),
    #[error("joints can break")]
    Breaking,
    #[error("it has no contacts, and body {0} may touch others")]
    Contact(usize),
    #[error("it leaves no body to fall alone, and body {0} has no joint")]
    Free(usize),
    #[error("it has no gyroscopic term, and body {0} is no ball")]
    Gyroscopic(usize),
    #[error("bodies follow movers")]
    Movers,
    #[error("bodies are confined to planes")]
    Planes,
    #[error("it has no hand to pull with")]
    Hand,
    #[error("it reduces chains alone, and not all constraints form some")]
    Chains,
}

/// The first thing in the settings that the kernels do not support. Names every setting, so that a new one that is
/// forgotten here does not compile. What only contacts, or joints other than ball-sockets, make use of is not asked
/// for: worlds with these are refused ([`refused_of`]).
pub fn refused(settings: &Settings) -> Option<Refusal> {
    let Settings { solver, stabilization, warm_start, formulation, .. } = settings;
    let at_once = solver.method == Method::Jacobi;
    let usual = at_once && solver.jacobi == JacobiStep::Manual || stabilization.method == Stabilization::Baumgarte;
    let watched = match warm_start.safeguard {
        Safeguard::Off => false,
        Safeguard::Usual => !usual,
        Safeguard::Always => true,
    };
    let when = |refused: bool, refusal: Refusal| refused.then_some(refusal);
    let mut first = None;
    let mut visit = |_: &str, refusal: Option<Refusal>| first = first.or(refusal);
    by_setting! { settings, visit =>
        step: StepSettings {
            rate => None,
            substeps => None,
            max_turn => None,
            gravity => None,
            gyroscopic => None,
        }
        solver: SolverSettings {
            method => when(solver.method == Method::Direct, Refusal::Method),
            iterations => None,
            extra => None,
            rows => when(
                !(solver.rows == RowSolve::Block
                    || if at_once { solver.rows == RowSolve::Joint } else { solver.rows.takes_trees() }),
                Refusal::Rows
            ),
            order => when(!at_once && !matches!(solver.order, Order::Forward | Order::Coloured), Refusal::Order),
            jacobi => when(at_once && solver.jacobi == JacobiStep::Conjugate, Refusal::Conjugate),
            relaxation => None,
            lanes => None,
            tolerance => when(solver.tolerance > 0.0, Refusal::Tolerance),
            threads => None,
            device => None,
            spectrum_every => when(solver.spectrum_every > 0, Refusal::Spectrum),
        }
        warm_start: WarmStartSettings {
            enabled => when(!at_once && warm_start.enabled && formulation.carry == CarryForm::AsPrinted, Refusal::Carry),
            factor => None,
            safeguard => when(warm_start.enabled && watched, Refusal::Safeguard),
            feature_ids => None,
            distance => None,
            tolerance => None,
            spread => None,
            shallow_clamp => None,
            patch => None,
            rolling => None,
            impulse_cap => when(warm_start.enabled && warm_start.impulse_cap > 0.0, Refusal::Cap),
            reset => None,
        }
        stabilization: StabilizationSettings {
            method => when(!matches!(stabilization.method, Stabilization::Off | Stabilization::Baumgarte), Refusal::Stabilization),
            contacts => None,
            beta => None,
            joint_slop => when(stabilization.joint_slop > 0.0, Refusal::Slop),
            position_iterations => None,
            max_correction => None,
            rounds => None,
            geometric_stiffness => when(stabilization.geometric_stiffness, Refusal::Stiffness),
            hertz => None,
            damping_ratio => None,
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
            anchor => when(formulation.anchor != AnchorForm::Length, Refusal::Anchor),
            constant_velocity => None,
            limit => None,
            angular_stabilization => None,
            motor => None,
            rotation => None,
            angular_speed => when(formulation.angular_speed != AngularSpeedForm::Free, Refusal::AngularSpeed),
            contact => None,
            restitution => None,
            normal => None,
            patch => None,
            rolling => None,
            point => None,
            soft => None,
            carry => None,
        }
    }
    first
}

/// The first thing in the world or its settings that the kernels do not support.
pub fn refused_of(world: &World) -> Option<Refusal> {
    let settings = &world.settings;
    if let Some(refusal) = refused(settings) {
        return Some(refusal);
    }
    let checks = [
        (world.state.mouse_joint.is_some(), Refusal::Hand),
        (!world.model.movers.is_empty(), Refusal::Movers),
        (!world.state.planes.is_empty(), Refusal::Planes),
        (world.can_break(), Refusal::Breaking),
    ];
    if let Some((_, refusal)) = checks.into_iter().find(|(refused, _)| *refused) {
        return Some(refusal);
    }
    for (index, body) in world.state.bodies.iter().enumerate() {
        if settings.contact.enabled && body.collide {
            return Some(Refusal::Contact(index));
        }
        if settings.step.gyroscopic != Gyroscopic::Off && body.is_dynamic() && !body.isotropic {
            return Some(Refusal::Gyroscopic(index));
        }
    }
    if settings.step.gravity != Vec3::ZERO {
        let mut joined = vec![false; world.state.bodies.len()];
        for joint in world.state.joints.iter().filter(|joint| joint.broken.is_none()) {
            [joint.def.a, joint.def.b].into_iter().for_each(|body| joined[body as usize] = true);
        }
        let free = world.state.bodies.iter().zip(joined).position(|(body, joined)| body.is_dynamic() && !joined);
        if let Some(index) = free {
            return Some(Refusal::Free(index));
        }
    }
    for (index, joint) in world.state.joints.iter().enumerate().filter(|(_, joint)| joint.broken.is_none()) {
        let options = &joint.def.options;
        if !matches!(joint.def.kind, JointKind::BallSocket(_)) {
            return Some(Refusal::Kind(index));
        }
        if options.breaks.is_some() || options.stabilization.is_some() || options.soft.is_some() {
            return Some(Refusal::Options(index));
        }
    }
    None
}
