//! Notices of events in the run, each shown once: broken joints, energy that the rows add, and why the run was paused.

use crate::{
    notices::{Notices, Remedy, Topic},
    request::Request,
};
use delassus_session::{Command, Session, Snapshot, Trouble};

/// The events that have been announced.
#[derive(Clone, Debug)]
pub struct Announced {
    /// How many joints were broken in the last frame, and when the last of them broke, s.
    pub broken: (usize, f64),
    /// Whether the rows add energy.
    pub growing: bool,
    /// The run's trouble.
    pub trouble: Option<Trouble>,
    /// The breakpoint at which it has paused.
    pub breakpoint: Option<String>,
}

impl Default for Announced {
    fn default() -> Self {
        Self { broken: (0, f64::NEG_INFINITY), growing: false, trouble: None, breakpoint: None }
    }
}

impl Announced {
    /// Announces joints that have broken since the last frame.
    pub fn breaks(&mut self, snapshot: &Snapshot, notices: &mut Notices) {
        let (count, last) = self.broken;
        let now = snapshot.metrics.broken;
        if now == count {
            return;
        }
        let broken = || snapshot.joints.iter().filter_map(|j| Some((j, j.broken?)));
        if now > count {
            let fresh: Vec<_> = broken().filter(|(_, b)| b.time > last).collect();
            if let Some((joint, how)) = fresh.first() {
                let others = match fresh.len() - 1 {
                    0 => String::new(),
                    n => format!(", and {n} more"),
                };
                let load = crate::panels::joint_panel::load(joint, *how);
                let text = format!("{} broke under {load}{others}.", joint.name);
                notices.notice_at(text, snapshot.place(joint).midpoint());
            }
        } else {
            notices.forget_notices();
        }
        self.broken = (now, broken().map(|(_, b)| b.time).fold(f64::NEG_INFINITY, f64::max));
    }

    /// Announces the breakpoint at which playing has paused.
    pub fn breakpoint(&mut self, session: &Session, notices: &mut Notices) {
        let now = session.paused_at();
        if self.breakpoint.as_deref() != now {
            self.breakpoint = now.map(str::to_owned);
            if let Some(said) = now {
                notices.info(format!("Paused: {said}."));
            }
        }
    }

    /// Announces that the rows add energy, while that is still small compared with the motion. The notice is withdrawn
    /// when they no longer do.
    pub fn growth(&mut self, snapshot: &Snapshot, notices: &mut Notices) {
        let growing = snapshot.metrics.growing;
        if growing == self.growing {
            return;
        }
        self.growing = growing;
        if growing {
            let text = "The solver adds energy: error correction, or impulses carried from step to step, do more work \
                        than the sweeps remove. If this goes on, the scene flies apart. Point at the warning in the \
                        line at the bottom to see what helps.";
            notices.ask(Topic::Growth, text, Vec::new());
            notices.in_brief("The solver adds energy.");
        } else {
            notices.withdraw(Topic::Growth);
        }
    }

    /// Announces why the run was paused. The notice is withdrawn when the trouble is over.
    pub fn run(&mut self, snapshot: &Snapshot, notices: &mut Notices) {
        if self.trouble == snapshot.trouble {
            return;
        }
        self.trouble.clone_from(&snapshot.trouble);
        match &self.trouble {
            Some(trouble) => {
                let ask = |label: &str, command| Remedy::Ask {
                    label: label.into(),
                    request: Box::new(Request::Session(command)),
                };
                let remedies = vec![ask("Step back", Command::StepBack), ask("Reset", Command::Reset)];
                let body = trouble.body.and_then(|id| snapshot.body(id));
                let about = body.map(|body| body.centre).filter(|at| at.is_finite());
                notices.ask_at(Topic::Trouble, format!("Paused: {}.", trouble.what), remedies, about);
                let (brief, _) = trouble.what.split_once(';').unwrap_or((&trouble.what, ""));
                notices.in_brief(format!("Paused: {brief}."));
            }
            None => notices.withdraw(Topic::Trouble),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_told_once_and_taken_back() {
        let (mut announced, mut notices, mut snapshot) =
            (Announced::default(), Notices::default(), Snapshot::default());
        let count = |notices: &Notices| notices.iter().filter(|notice| notice.topic == Some(Topic::Growth)).count();
        announced.growth(&snapshot, &mut notices);
        assert_eq!(count(&notices), 0);
        snapshot.metrics.growing = true;
        announced.growth(&snapshot, &mut notices);
        announced.growth(&snapshot, &mut notices);
        assert_eq!(count(&notices), 1);
        snapshot.metrics.growing = false;
        announced.growth(&snapshot, &mut notices);
        assert_eq!(count(&notices), 0);
    }
}
