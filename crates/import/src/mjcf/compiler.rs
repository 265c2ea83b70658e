//! What `<compiler>` says: units of angles, order of Euler angles, folders; and frames given in these terms.

use delassus_scene::Mistake;
use glam::{DMat3, DQuat, DVec3};

use super::defaults::Classed;
use crate::frame::Frame;
use crate::report::Report;
use crate::xml::Element;

/// The settings of `<compiler>`.
#[derive(Debug, Clone)]
pub struct Compiler {
    /// rad for each unit of an angle.
    pub angle: f64,
    /// The axes of Euler angles: small letters turn with the body, capital ones do not.
    pub order: String,
    /// A range alone makes a limit.
    pub auto_limits: bool,
    /// The folder of meshes, with a slash, or nothing.
    pub folder: String,
    /// Whether masses come from shapes: always, never, or where there is no `inertial`.
    pub from_shapes: Option<bool>,
    /// The groups of shapes that have a mass.
    pub groups: (f64, f64),
    /// kg of the whole model.
    pub total: Option<f64>,
}

impl Compiler {
    /// Reads the settings; a later element goes before an earlier one.
    ///
    /// # Errors
    /// A value that makes no sense.
    pub fn read(root: Element<'_>, report: &Report) -> Result<Self, Mistake> {
        let mut all = Self {
            angle: 1f64.to_radians(),
            order: "xyz".into(),
            auto_limits: true,
            folder: String::new(),
            from_shapes: None,
            groups: (0.0, 5.0),
            total: None,
        };
        for element in root.all("compiler") {
            match element.text("angle") {
                Some("radian") => all.angle = 1.0,
                Some("degree") => all.angle = 1f64.to_radians(),
                None => {}
                Some(other) => return Err(element.mistake(format!("`angle` is degree or radian, not `{other}`"))),
            }
            if let Some(order) = element.text("eulerseq") {
                if order.len() != 3 || !order.chars().all(|c| "xyzXYZ".contains(c)) {
                    return Err(element.mistake(format!("`eulerseq` is three of x, y, z, X, Y and Z, not `{order}`")));
                }
                all.order = order.into();
            }
            all.auto_limits = element.text("autolimits").map_or(all.auto_limits, |value| value != "false");
            for folder in ["assetdir", "meshdir"] {
                if let Some(folder) = element.text(folder) {
                    all.folder = format!("{}/", folder.trim_end_matches('/'));
                }
            }
            match element.text("inertiafromgeom") {
                Some("true") => all.from_shapes = Some(true),
                Some("false") => all.from_shapes = Some(false),
                _ => {}
            }
            if let Some([low, high]) = element.numbers("inertiagrouprange")?.as_deref() {
                all.groups = (*low, *high);
            }
            all.total = element.number("settotalmass")?.filter(|mass| *mass > 0.0).or(all.total);
            if element.text("coordinate") == Some("global") {
                return Err(element
                    .mistake("global coordinates come from old models: save it again with MuJoCo 2.1.1 or earlier"));
            }
            for harmless in ["texturedir", "usethread", "discardvisual", "fusestatic", "strippath"] {
                if element.text(harmless).is_some() {
                    report.note(element.place(), format!("`{harmless}` of <compiler>"), "changes nothing here");
                }
            }
        }
        Ok(all)
    }

    /// The frame of an element by `pos` and any of the forms of an orientation.
    ///
    /// # Errors
    /// Numbers that are no frame.
    pub fn frame(&self, element: &Classed<'_>) -> Result<Frame, Mistake> {
        Ok(Frame { origin: element.vector("pos")?.unwrap_or_default(), turn: self.turn(element)? })
    }

    fn turn(&self, element: &Classed<'_>) -> Result<DQuat, Mistake> {
        let wrong = |what: &str| element.element().mistake(what);
        let numbers = |name: &str, count: usize| match element.numbers(name)? {
            Some(list) if list.len() == count => Ok(Some(list)),
            Some(list) => Err(wrong(&format!("`{name}` must be {count} numbers, not {}", list.len()))),
            None => Ok(None),
        };
        if let Some(q) = numbers("quat", 4)? {
            let quat = DQuat::from_xyzw(q[1], q[2], q[3], q[0]);
            return if quat.length() > 1e-9 { Ok(quat.normalize()) } else { Err(wrong("`quat` must not be zero")) };
        }
        if let Some(a) = numbers("axisangle", 4)? {
            let axis = DVec3::new(a[0], a[1], a[2]).try_normalize();
            let axis = axis.ok_or_else(|| wrong("the axis of `axisangle` must not be zero"))?;
            return Ok(DQuat::from_axis_angle(axis, a[3] * self.angle));
        }
        if let Some(euler) = numbers("euler", 3)? {
            let turns = self.order.chars().zip(euler).map(|(axis, angle)| {
                let unit = match axis.to_ascii_lowercase() {
                    'x' => DVec3::X,
                    'y' => DVec3::Y,
                    _ => DVec3::Z,
                };
                (axis.is_ascii_lowercase(), DQuat::from_axis_angle(unit, angle * self.angle))
            });
            return Ok(turns.fold(DQuat::IDENTITY, |all, (own, turn)| if own { all * turn } else { turn * all }));
        }
        if let Some(a) = numbers("xyaxes", 6)? {
            let x = DVec3::new(a[0], a[1], a[2]).normalize_or_zero();
            let y = DVec3::new(a[3], a[4], a[5]);
            let y = (y - x * x.dot(y)).normalize_or_zero();
            if x == DVec3::ZERO || y == DVec3::ZERO {
                return Err(wrong("`xyaxes` must be two directions"));
            }
            return Ok(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize());
        }
        if let Some(z) = element.vector("zaxis")? {
            let z = z.try_normalize().ok_or_else(|| wrong("`zaxis` must not be zero"))?;
            return Ok(DQuat::from_rotation_arc(DVec3::Z, z));
        }
        Ok(DQuat::IDENTITY)
    }
}
