//! Formula: up to six rows that are written down, each an error C of the two bodies' poses.
//!
//! ```text
//! C = f(pA, pB, comA, comB, aA, aB, xA … zB, angle)     J = ∂f/∂(vA, wA, vB, wB)
//! C = 0,  C ≥ 0 with λ ≥ 0,  C ≤ 0 with λ ≤ 0,  or lo ≤ C ≤ hi as the nearer of these two stops
//! ```
//! J is made by automatic differentiation (`primitives/expression/gradient.rs`). All that follows from C and J is as for
//! other joints: effective mass, bias, softness, warm start. Rows with a point are the anchor's, those of axes and angles
//! alone the axis's, one-sided ones are limits. A formula of differences of points, axes of the bodies and `angle` keeps
//! both momenta; one that names the world's axes or a place of the world gives what it lacks to the world
//! ([`Jacobian::net`](crate::row::Jacobian)). Where C or J is not finite the row is left out. Source: docs/math.md,
//! "Formula".

use serde::{Deserialize, Serialize};

use super::{Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter, Role, measure, measure::Relative};
use crate::primitives::expression::{End, Leaf, MAX_PARAMETERS, is_taken, unknown};
use crate::primitives::limit;
pub use crate::primitives::written::{Bound, Bounds, MAX_ROWS, Rows, Values};
use crate::row::{ErrorForm, Group, Jacobian, JointFrames, RowKind, RowList};
use crate::setting::is_default;

/// Rows that are written down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Formula {
    /// The error of each row.
    pub rows: Rows,
    /// What it may be: nothing but zero, where a row has no bound.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bounds: Bounds,
    /// Values of the names that the rows use.
    #[serde(default, skip_serializing_if = "is_default")]
    pub parameters: Values,
}

/// The fields of rows, for messages.
const PLACES: [&str; MAX_ROWS] = ["0", "1", "2", "3", "4", "5"];

impl Formula {
    pub const INFO: JointInfo = JointInfo {
        name: "Formula",
        what: "rows that are written down: an expression of points, axes and angles of A and B for each",
        source: "docs/math.md, Formula",
        axis: false,
        coincident: false,
        measures: JointMeasure::Length,
        winds: false,
        anchor: Anchor::Origins,
        shown: JointDisplay::Points,
        free: Freedom::More,
    };

    /// A formula without bounds and parameters.
    ///
    /// # Errors
    /// If one of the texts is no formula of poses.
    pub fn of(rows: &[&str]) -> Result<Self, String> {
        Ok(Self { rows: Rows::read(rows)?, ..Self::default() })
    }

    /// Whether its rows keep the two anchors together: those of a ball socket are among them.
    fn is_coincident(&self) -> bool {
        let zero = |axis: u8| {
            self.rows.iter().zip(self.bounds.iter()).any(|(row, bound)| {
                let along = row.form() == ErrorForm::Along && row.leaves().any(|leaf| leaf == Leaf::Own(End::A, axis));
                along && bound == Bound::Equal
            })
        };
        (0..3).all(zero)
    }

    /// Its properties. It needs an axis if its rows name one, and measures the angle about it if they name that.
    pub fn info(&self) -> JointInfo {
        let axis = self.rows.uses(|leaf| matches!(leaf, Leaf::Axis(_) | Leaf::Angle));
        let turns = self.rows.uses(|leaf| leaf == Leaf::Angle);
        let measures = if turns { JointMeasure::Angle } else { JointMeasure::Length };
        JointInfo { axis, measures, winds: turns, coincident: self.is_coincident(), ..Self::INFO }
    }

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let Self { rows, bounds, parameters } = self;
        let what = "the error of each row, an expression such as dot(pB - pA, aA); `docs/formula.md` has the names";
        vec![
            Parameter { name: "rows", what, role: Role::Rows(rows) },
            Parameter {
                name: "bounds",
                what: "for each row whether it is zero, or at least, at most, or between two values",
                role: Role::Bounds(bounds),
            },
            Parameter {
                name: "parameters",
                what: "values of the names that the rows use, in the units of their place",
                role: Role::Values(parameters),
            },
        ]
    }

    /// What is wrong with it as a whole, and the fields concerned.
    pub(crate) fn mistake(&self) -> Option<(Vec<&'static str>, String)> {
        for (row, place) in self.rows.iter().zip(PLACES) {
            for (name, at) in row.parameters() {
                if self.parameters.get(name).is_none() {
                    let name = String::from_utf8_lossy(name);
                    let what = unknown(name.trim_end_matches('\0'));
                    return Some((vec!["rows", place], format!("formula: {what}, at character {at}")));
                }
            }
        }
        if let Some(name) = self.parameters.names().find(|name| is_taken(name)) {
            return Some((
                vec!["parameters"],
                format!("`{name}` has a meaning of its own in formulas: take another name"),
            ));
        }
        if self.bounds.count() > self.rows.iter().len() {
            return Some((vec!["bounds"], "there are more bounds than rows".into()));
        }
        let crossed = self.bounds.iter().find_map(|bound| match bound {
            Bound::Between(least, most) if least > most => Some(format!("{least} is above {most}")),
            _ => None,
        });
        crossed.map(|what| (vec!["bounds"], format!("a bound is the wrong way round: {what}")))
    }

    /// C and J of each row at these frames; none where one of them is not finite.
    pub fn at<'a>(&self, frames: &'a JointFrames) -> impl Iterator<Item = Option<(f32, Jacobian)>> + use<'a> {
        let (rows, values) = (self.rows, self.parameters);
        rows.iter().map(move |row| {
            let mut parameters = [f64::NAN; MAX_PARAMETERS];
            for (own, (name, _)) in parameters.iter_mut().zip(row.parameters()) {
                *own = values.get(name).map_or(f64::NAN, f64::from);
            }
            row.row(frames, &parameters)
        })
    }

    pub(super) fn linearize(&self, frames: &JointFrames, list: &mut RowList) {
        for (slot, ((row, bound), at)) in (0..).zip(self.rows.iter().zip(self.bounds.iter()).zip(self.at(frames))) {
            let Some((c, jacobian)) = at else { continue };
            let group = if row.has_places() { Group::Anchor } else { Group::Axis };
            match bound {
                Bound::Equal => list.push_of(row.form(), group, slot, jacobian, RowKind::Equal { c }),
                Bound::AtLeast => list.push(Group::Limit, slot, jacobian, RowKind::AtLeast { c }),
                Bound::AtMost => list.push(Group::Limit, slot, jacobian, RowKind::AtMost { c }),
                Bound::Between(least, most) => {
                    limit::stop_in(c, (least, most), jacobian, [slot, slot + MAX_ROWS as u8], list);
                }
            }
        }
    }

    /// The angle about the axis, rad, if the rows name it; otherwise the distance of the anchors, m; and its rate.
    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        if self.rows.uses(|leaf| leaf == Leaf::Angle) {
            measure::angle_about(frames, relative)
        } else {
            measure::length(frames, relative)
        }
    }
}
