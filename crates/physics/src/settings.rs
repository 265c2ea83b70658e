//! All settings of the simulation: name, type, default, unit and range. The window's switches, the command line's
//! `--set`, the scene file's `settings:` and the reference printed by `delassus settings` read this list. To add a
//! setting, add a line here and a line in `scene/words/settings.rs` that says what it does.

use glam::Vec3;
use serde::{Deserialize, Serialize};

pub use super::formulation::*;
use super::setting::{Choices, Domain, Setting, SettingValue, Value};

choice! {
    /// The solver.
    Method { GaussSeidel, Jacobi, Direct, TgsSoft, Nncg, Avbd, Admm }
}
choice! {
    /// The processor on which steps are made.
    Processor { Cpu, Gpu }
}
choice! {
    /// The order of the blocks in a Gauss–Seidel sweep. Forward takes the joints in the scene's order, then the
    /// contacts by bodies; many contacts by colours.
    Order { Forward, Backward, Alternating, Shuffled, Coloured }
}
choice! {
    /// The relaxation of a Jacobi sweep.
    JacobiStep { Stable, MassSplitting, Conjugate, Manual }
}
choice! {
    /// How many rows of a joint, of a tree of joints, or of a mechanism are solved together.
    RowSolve { Scalar, Inner, Block, Joint, Tree, Mechanism }
}
choice! {
    /// How the position errors of joints are removed.
    Stabilization { Off, Baumgarte, Split, Nonlinear, Soft, Shake, Rattle }
}
choice! {
    /// How the position errors of contacts are removed.
    ContactStabilization { AsJoints, Off, Baumgarte, Split, Nonlinear, Soft }
}
choice! {
    /// When the safeguard of warm starting is active: see `warm_start_limiter.rs`.
    Safeguard { Off, Usual, Always }
}
choice! {
    /// The model of friction in a contact manifold.
    FrictionModel { Patch, Coulomb, Pyramid, Cone, Off }
}
choice! {
    /// How the contact points of a pair are found.
    ContactSource { Full, Growing, Single }
}
choice! {
    /// How often contacts are found.
    Collide { EachSubstep, EachStep }
}
choice! {
    /// How fast bodies are kept from passing through others within a step.
    Continuous { Off, Speculative, TimeOfImpact }
}
choice! {
    /// How the impacts of a step are resolved.
    Impacts { Simultaneous, Propagate }
}
choice! {
    /// How the material values of two bodies are combined.
    Mix { Mean, Product, Least, Most }
}
choice! {
    /// How the gyroscopic term of free rotation is integrated.
    Gyroscopic { Off, Midpoint, Implicit }
}

settings! {
    step: StepSettings, StepPatch {
        rate: f32 = 60.0, "Hz", Domain::real(10.0, 2000.0);
        substeps: u32 = 4, "", Domain::integer(1, 64);
        max_turn: f32 = 0.12, "rad", Domain::real(0.0, 10.0);
        gravity: Vec3 = Vec3::new(0.0, 0.0, -9.81), "m/s²", Domain::vector(1000.0);
        gyroscopic: Gyroscopic = Gyroscopic::Midpoint, "", Domain::choice(Gyroscopic::CHOICES);
    }
    solver: SolverSettings, SolverPatch {
        method: Method = Method::GaussSeidel, "", Domain::choice(Method::CHOICES);
        iterations: u32 = 4, "", Domain::integer(0, 1000);
        extra: u32 = 256, "", Domain::integer(0, 1000);
        rows: RowSolve = RowSolve::Mechanism, "", Domain::choice(RowSolve::CHOICES);
        order: Order = Order::Forward, "", Domain::choice(Order::CHOICES);
        jacobi: JacobiStep = JacobiStep::Stable, "", Domain::choice(JacobiStep::CHOICES);
        relaxation: f32 = 0.5, "", Domain::real(0.01, 2.0);
        stiffening: f32 = 10000.0, "1/m", Domain::real(0.0, 1000000.0);
        lanes: bool = true, "", Domain::Switch;
        tolerance: f32 = 0.0, "m/s", Domain::real(0.0, 1.0);
        threads: u32 = 0, "", Domain::integer(0, 256);
        device: Processor = Processor::Cpu, "", Domain::choice(Processor::CHOICES);
        spectrum_every: u32 = 0, "steps", Domain::integer(0, 1000);
    }
    warm_start: WarmStartSettings, WarmStartPatch {
        enabled: bool = true, "", Domain::Switch;
        factor: f32 = 1.0, "", Domain::real(0.0, 1.0);
        joints: bool = true, "", Domain::Switch;
        safeguard: Safeguard = Safeguard::Usual, "", Domain::choice(Safeguard::CHOICES);
        feature_ids: bool = true, "", Domain::Switch;
        distance: bool = true, "", Domain::Switch;
        tolerance: f32 = 0.05, "m", Domain::real(0.0, 1.0);
        spread: bool = true, "", Domain::Switch;
        shallow_clamp: bool = false, "", Domain::Switch;
        patch: bool = true, "", Domain::Switch;
        rolling: bool = true, "", Domain::Switch;
        impulse_cap: f32 = 0.0, "N s", Domain::real(0.0, 1000000.0);
        reset: bool = true, "", Domain::Switch;
    }
    stabilization: StabilizationSettings, StabilizationPatch {
        method: Stabilization = Stabilization::Rattle, "", Domain::choice(Stabilization::CHOICES);
        contacts: ContactStabilization = ContactStabilization::Soft, "",
            Domain::choice(ContactStabilization::CHOICES);
        beta: f32 = 0.2, "", Domain::real(0.0, 2.0);
        joint_slop: f32 = 0.0, "m", Domain::real(0.0, 0.2);
        position_iterations: u32 = 4, "", Domain::integer(0, 100);
        max_correction: f32 = 0.2, "m", Domain::real(0.001, 10.0);
        rounds: u32 = 3, "", Domain::integer(1, 50);
        geometric_stiffness: bool = false, "", Domain::Switch;
        hertz: f32 = 60.0, "Hz", Domain::real(0.1, 10000.0);
        damping_ratio: f32 = 5.0, "", Domain::real(0.0, 100.0);
        contact_hertz: f32 = 0.0, "Hz", Domain::real(0.0, 10000.0);
        contact_damping_ratio: f32 = 5.0, "", Domain::real(0.0, 100.0);
        relax: u32 = 2, "", Domain::integer(0, 20);
    }
    contact: ContactSettings, ContactPatch {
        enabled: bool = true, "", Domain::Switch;
        source: ContactSource = ContactSource::Full, "", Domain::choice(ContactSource::CHOICES);
        collide: Collide = Collide::EachStep, "", Domain::choice(Collide::CHOICES);
        drift: f32 = 0.02, "m", Domain::real(0.001, 1.0);
        mean_first: bool = true, "", Domain::Switch;
        continuous: Continuous = Continuous::Speculative, "", Domain::choice(Continuous::CHOICES);
        fast: f32 = 0.5, "", Domain::real(0.01, 10.0);
        slop: f32 = 0.003, "m", Domain::real(0.0, 0.2);
        prediction: f32 = 0.02, "m", Domain::real(0.0, 1.0);
        max_push: f32 = 3.0, "m/s", Domain::real(0.0, 1000.0);
        mix: Mix = Mix::Mean, "", Domain::choice(Mix::CHOICES);
        restitution: bool = true, "", Domain::Switch;
        impacts: Impacts = Impacts::Simultaneous, "", Domain::choice(Impacts::CHOICES);
        restitution_threshold: f32 = 1.0, "m/s", Domain::real(0.0, 100.0);
    }
    friction: FrictionSettings, FrictionPatch {
        model: FrictionModel = FrictionModel::Patch, "", Domain::choice(FrictionModel::CHOICES);
        under_load: bool = true, "", Domain::Switch;
        twist: bool = true, "", Domain::Switch;
        rolling: bool = true, "", Domain::Switch;
        deferred: bool = true, "", Domain::Switch;
    }
    sleep: SleepSettings, SleepPatch {
        enabled: bool = true, "", Domain::Switch;
        speed: f32 = 0.02, "m/s", Domain::real(0.0, 10.0);
        time: f32 = 0.5, "s", Domain::real(0.0, 60.0);
    }
    breaking: BreakingSettings, BreakingPatch {
        enabled: bool = true, "", Domain::Switch;
        force: f32 = 0.0, "N", Domain::real(0.0, 1000000000.0);
        torque: f32 = 0.0, "N·m", Domain::real(0.0, 1000000000.0);
    }
    formulation: FormulationSettings, FormulationPatch {
        hinge: HingeForm = HingeForm::CrossProduct, "", Domain::choice(HingeForm::CHOICES);
        orientation: OrientationForm = OrientationForm::WorldAxes, "", Domain::choice(OrientationForm::CHOICES);
        anchor: AnchorForm = AnchorForm::Length, "", Domain::choice(AnchorForm::CHOICES);
        constant_velocity: TwistForm = TwistForm::TwistRow, "", Domain::choice(TwistForm::CHOICES);
        limit: LimitForm = LimitForm::Accumulated, "", Domain::choice(LimitForm::CHOICES);
        angular_stabilization: bool = true, "", Domain::Switch;
        motor: MotorForm = MotorForm::Relative, "", Domain::choice(MotorForm::CHOICES);
        rotation: RotationForm = RotationForm::ExponentialMap, "", Domain::choice(RotationForm::CHOICES);
        angular_speed: AngularSpeedForm = AngularSpeedForm::Free, "", Domain::choice(AngularSpeedForm::CHOICES);
        contact: ContactForm = ContactForm::Rows, "", Domain::choice(ContactForm::CHOICES);
        restitution: RestitutionForm = RestitutionForm::Larger, "", Domain::choice(RestitutionForm::CHOICES);
        normal: NormalForm = NormalForm::Accumulated, "", Domain::choice(NormalForm::CHOICES);
        patch: PatchForm = PatchForm::LimitSurface, "", Domain::choice(PatchForm::CHOICES);
        rolling: RollingForm = RollingForm::Pair, "", Domain::choice(RollingForm::CHOICES);
        point: PointForm = PointForm::NormalImpulse, "", Domain::choice(PointForm::CHOICES);
        soft: SoftForm = SoftForm::Spring, "", Domain::choice(SoftForm::CHOICES);
        carry: CarryForm = CarryForm::AppliedFirst, "", Domain::choice(CarryForm::CHOICES);
    }
}

impl Settings {
    /// Length of a sub-step, s.
    pub fn h(&self) -> f32 {
        1.0 / (self.step.rate * self.step.substeps as f32)
    }

    /// The largest number of sweeps over the rows in a sub-step, and over those of RATTLE's velocities at the end of
    /// the step.
    pub fn sweeps(&self) -> u32 {
        self.solver.iterations
    }

    /// The share of the old impulses from which joints start.
    pub fn warm_joints(&self) -> f32 {
        if self.warm_start.enabled && self.warm_start.joints { self.warm_start.factor } else { 0.0 }
    }

    /// Whether contacts are impacts, which have no rows: see `ballistic.rs`.
    pub fn has_impact_contacts(&self) -> bool {
        self.formulation.contact == ContactForm::Blows
    }
}

impl RowSolve {
    /// Whether the equality rows of a whole tree of joints are solved together.
    pub fn takes_trees(self) -> bool {
        matches!(self, Self::Tree | Self::Mechanism)
    }
}
