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
    #[error("it has only sweeps, no direct solver")]
    Method,
    #[error("it solves ball-sockets as 3×3 blocks, with Jacobi also joint by joint, with Gauss–Seidel as whole trees")]
    Rows,
    #[error("it sweeps forward or by colours, not backward or in a random order")]
    Order,
    #[error("it applies old impulses before the first sweep of Gauss–Seidel, not after it")]
    Carry,
    #[error("it has no conjugate directions")]
    Conjugate,
    #[error("it runs all sweeps, whatever the tolerance")]
    Tolerance,
    #[error("it estimates no spectral radius")]
    Spectrum,
    #[error("it starts joints from their old impulses: set `warm_start.joints` to true")]
    ColdJoints,
    #[error("it has no warm-start limiter: use Baumgarte or a manual ω, or set `warm_start.safeguard` to Off")]
    Safeguard,
    #[error("it has no cap on impulses")]
    Cap,
    #[error("it corrects positions only by Baumgarte stabilisation")]
    Stabilization,
    #[error("it has no joint slop")]
    Slop,
    #[error("it has no geometric stiffness")]
    Stiffness,
    #[error("it does not limit how fast bodies turn")]
    AngularSpeed,
    #[error("it writes an anchor's rows by the components of the distance, not by its square")]
    Anchor,
    #[error("it has only ball-sockets, and joint {0} is another kind")]
    Kind(usize),
    #[error("joint {0} has its own spring, stabilisation or breaking load")]
    Options(usize),
    #[error("joints can break")]
    Breaking,
    #[error("it has no contacts, and body {0} may touch others")]
    Contact(usize),
    #[error("every body must have a joint, and body {0} has none")]
    Free(usize),
    #[error("it has no gyroscopic term, and body {0} has unequal moments of inertia")]
    Gyroscopic(usize),
    #[error("it has bodies of one shape, and body {0} is a compound")]
    Compound(usize),
    #[error("bodies follow movers")]
    Movers,
    #[error("forces or drag act on bodies")]
    Forces,
    #[error("bodies are confined to planes")]
    Planes,
    #[error("it has no mouse joint")]
    Hand,
    #[error("it reduces only chains, and some constraints form none")]
    Chains,
}

/// The first thing in the settings that the kernels do not support. It names every setting, so that a new one that is
/// forgotten here does not compile. Settings that matter only for contacts, or for joints other than ball-sockets, are
/// not checked: worlds with these are refused ([`refused_of`]).
pub fn refused(settings: &Settings) -> Option<Refusal> {
    let Settings { solver, stabilization, warm_start, formulation, .. } = settings;
    let is_jacobi = solver.method == Method::Jacobi;
    let is_limited =
        is_jacobi && solver.jacobi == JacobiStep::Manual || stabilization.method == Stabilization::Baumgarte;
    let watched = match warm_start.safeguard {
        Safeguard::Off => false,
        Safeguard::Usual => !is_limited,
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
            method => when(matches!(solver.method, Method::Direct | Method::TgsSoft | Method::Nncg | Method::Avbd | Method::Admm), Refusal::Method),
            iterations => None,
            extra => None,
            rows => when(
                !(solver.rows == RowSolve::Block
                    || if is_jacobi { solver.rows == RowSolve::Joint } else { solver.rows.takes_trees() }),
                Refusal::Rows
            ),
            order => when(!is_jacobi && !matches!(solver.order, Order::Forward | Order::Coloured), Refusal::Order),
            jacobi => when(is_jacobi && solver.jacobi == JacobiStep::Conjugate, Refusal::Conjugate),
            relaxation => None,
            stiffening => None,
            lanes => None,
            tolerance => when(solver.tolerance > 0.0, Refusal::Tolerance),
            threads => None,
            device => None,
            spectrum_every => when(solver.spectrum_every > 0, Refusal::Spectrum),
        }
        warm_start: WarmStartSettings {
            enabled => when(!is_jacobi && warm_start.enabled && formulation.carry == CarryForm::AsPrinted, Refusal::Carry),
            factor => None,
            joints => when(warm_start.enabled && !warm_start.joints, Refusal::ColdJoints),
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
        (!world.model.forces.is_empty(), Refusal::Forces),
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
        if !body.solid.pieces.is_empty() {
            return Some(Refusal::Compound(index));
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
