//! The summary of a run: a few lines of text, or JSON.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use serde::Serialize;

use super::common::{Failure, print_json};
use super::extremes::{Extreme, Extremes};
use super::printable::within_line;
use super::run_verdict::{BreachReport, RunVerdict};
use super::sensors::SensorReport;
use delassus_session::Session;

/// SI units unless a name gives another. The values are those after the last step, except for the extremes.
#[derive(Debug, Serialize)]
pub struct Summary<'a> {
    scene: String,
    title: String,
    bodies: usize,
    joints: usize,
    steps: u64,
    time: f64,
    wall_seconds: f64,
    step_ms_mean: f64,
    step_ms_worst: f64,
    phases_ms: Phases,
    kinetic_energy: f64,
    potential_energy: f64,
    spring_energy: f64,
    momentum: [f64; 3],
    angular_momentum: [f64; 3],
    joint_error_max: f64,
    joint_error_mean: f64,
    penetration_max: f64,
    contacts: usize,
    rows: usize,
    residual: f64,
    /// Sweeps per sub-step, averaged over the last step.
    sweeps: f64,
    /// The largest number of parts in which a step was made because a mechanism whips.
    parts: u64,
    /// Joints that have broken.
    broken: usize,
    /// Bodies that were stopped because their velocity diverged.
    stopped: usize,
    /// Impulses that were reduced or reset before being carried over to the next step.
    guarded: usize,
    /// The state hash, sixteen hexadecimal digits.
    hash: String,
    /// The largest and the smallest value of every metric in the run, and when it was first reached.
    maxima: &'a BTreeMap<&'static str, Extreme>,
    minima: &'a BTreeMap<&'static str, Extreme>,
    /// Whether the numbers can be trusted, and if not, why.
    trusted: bool,
    distrust: &'a [String],
    /// What exceeds the bounds of the verdict: see `doctor/verdict`.
    breaches: &'a [BreachReport],
    /// The conditions of `--fail-if` that were met, and where; with `--fail-on-alarm` the alarms, too.
    failed: &'a [String],
    /// The scene's sensors, with their alarms.
    sensors: &'a [SensorReport],
    #[serde(skip)]
    extremes: &'a Extremes,
}

/// The computing time of the steps.
#[derive(Debug, Default)]
pub struct Stepping {
    pub steps: u64,
    /// In total and of the slowest step, ms.
    pub total: f64,
    pub worst: f64,
}

impl Stepping {
    pub fn add(&mut self, session: &Session) {
        let ms = session.samples().samples.back().map_or(0.0, |s| f64::from(s.step_ms));
        self.steps += 1;
        self.total += ms;
        self.worst = self.worst.max(ms);
    }

    /// The mean time of a step, ms.
    pub fn mean(&self) -> f64 {
        self.total / self.steps.max(1) as f64
    }
}

/// Computing times by phase, smoothed over the last steps, ms.
#[derive(Debug, Serialize)]
struct Phases {
    broad: f64,
    narrow: f64,
    prepare: f64,
    solve: f64,
    integrate: f64,
}

impl<'a> Summary<'a> {
    pub fn new(
        session: &Session,
        wall: Duration,
        stepping: &Stepping,
        extremes: &'a Extremes,
        verdict: &'a RunVerdict,
        sensors: &'a [SensorReport],
    ) -> Self {
        let snapshot = session.snapshot();
        let (m, p) = (&snapshot.metrics, &snapshot.phases);
        let ms = |d: Duration| d.as_secs_f64() * 1e3;
        Self {
            scene: session.file().map_or_else(|| "standard input".into(), |file| file.display().to_string()),
            title: session.title(),
            bodies: snapshot.bodies.len(),
            joints: snapshot.joints.len(),
            steps: snapshot.step,
            time: snapshot.time,
            wall_seconds: wall.as_secs_f64(),
            step_ms_mean: stepping.mean(),
            step_ms_worst: stepping.worst,
            phases_ms: Phases {
                broad: ms(p.broad),
                narrow: ms(p.narrow),
                prepare: ms(p.prepare),
                solve: ms(p.solve),
                integrate: ms(p.integrate),
            },
            kinetic_energy: m.kinetic_energy,
            potential_energy: m.potential_energy,
            spring_energy: m.spring_energy,
            momentum: m.momentum.to_array(),
            angular_momentum: m.angular_momentum.to_array(),
            joint_error_max: m.joint_error_max,
            joint_error_mean: m.joint_error_mean,
            penetration_max: m.penetration_max,
            contacts: m.contacts,
            rows: m.rows,
            residual: m.residual,
            sweeps: m.sweeps,
            parts: extremes.maxima.get("parts").map_or(1, |extreme| extreme.value as u64),
            broken: m.broken,
            stopped: m.stopped,
            guarded: m.guarded,
            hash: format!("{:016x}", snapshot.hash),
            maxima: &extremes.maxima,
            minima: &extremes.minima,
            trusted: verdict.distrust.is_empty(),
            distrust: &verdict.distrust,
            breaches: &verdict.breaches,
            failed: &verdict.held,
            sensors,
            extremes,
        }
    }

    pub fn print(&self, out: &mut impl Write, json: bool) -> Result<(), Failure> {
        if json {
            return print_json(self, out);
        }
        let p = &self.phases_ms;
        writeln!(out, "{} ({})", within_line(&self.title), within_line(&self.scene))?;
        writeln!(
            out,
            "{} bodies, {} joints, {} contacts, {} rows",
            self.bodies, self.joints, self.contacts, self.rows
        )?;
        writeln!(
            out,
            "{} steps, {:.3} s simulated in {:.3} s; a step took {:.3} ms, the longest {:.3} ms",
            self.steps, self.time, self.wall_seconds, self.step_ms_mean, self.step_ms_worst
        )?;
        writeln!(
            out,
            "of which now: broad {:.3}, narrow {:.3}, prepare {:.3}, solve {:.3}, integrate {:.3} ms",
            p.broad, p.narrow, p.prepare, p.solve, p.integrate
        )?;
        let joules = |name: &str| self.extremes.most(name, |v| format!("{v:.6} J"));
        let small = |name: &str, unit: &str| self.extremes.most(name, |v| format!("{v:.3e}{unit}"));
        writeln!(out, "kinetic energy      {:.6} J{}", self.kinetic_energy, joules("kinetic_energy"))?;
        writeln!(out, "potential energy    {:.6} J{}", self.potential_energy, joules("potential_energy"))?;
        if self.extremes.maxima.get("spring_energy").is_some_and(|extreme| extreme.value > 0.0) {
            writeln!(out, "spring energy       {:.6} J{}", self.spring_energy, joules("spring_energy"))?;
        }
        let (error, deep) = (self.joint_error_max, self.penetration_max);
        writeln!(out, "worst joint error   {error:.3e} m{}", small("joint_error_max", " m"))?;
        writeln!(out, "mean joint error    {:.3e} m{}", self.joint_error_mean, small("joint_error_mean", " m"))?;
        writeln!(out, "deepest penetration {deep:.3e} m{}", small("penetration_max", " m"))?;
        let sweeps = format!("after {:.0} sweeps", self.sweeps);
        writeln!(out, "residual            {:.3e} {sweeps}{}", self.residual, small("residual", ""))?;
        if self.broken > 0 {
            writeln!(out, "broken joints       {}", self.broken)?;
        }
        if self.stopped > 0 {
            writeln!(out, "bodies stopped      {} times: their velocity ran away", self.stopped)?;
        }
        if self.guarded > 0 {
            writeln!(out, "impulses guarded    {} reduced or reset before the next step", self.guarded)?;
        }
        writeln!(out, "state hash          {}", self.hash)?;
        for line in self.sensors.iter().filter_map(SensorReport::line) {
            writeln!(out, "{line}")?;
        }
        Ok(out.flush()?)
    }
}
