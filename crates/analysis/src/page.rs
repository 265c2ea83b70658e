//! The plots of an analysis, and its report page.

use std::fmt::Write as _;

use crate::curve::PlaneCurve;
use crate::found::{Analysis, JointAt, Sample};
use crate::rows::Measure;
use crate::summary::{self, Findings};
use delassus_doctor::DoctorCase;
use delassus_figure::{COLORS, Curve, Figure, FigureError, Panel, escaped};

const STYLE: &str = "body{font-family:sans-serif;max-width:1320px;margin:2em auto;padding:0 1em}\
    table{border-collapse:collapse}td,th{padding:.15em .8em;text-align:right;border-bottom:1px solid #ddd}\
    svg{max-width:100%;height:auto}";

/// The plots over the driven value: the drive's load, and the joints' values, speeds, accelerations, forces and
/// torques.
pub fn figure(analysis: &Analysis, case: &DoctorCase<'_>, title: &str) -> Figure {
    let x = format!("{} ({})", case.joint(analysis.joint), analysis.measure.shown_unit());
    let curve = |k: usize, name: &str, unit: &str, of: &dyn Fn(&Sample) -> f64| Curve {
        name: name.into(),
        unit: unit.into(),
        color: COLORS[k % COLORS.len()],
        dashes: k / COLORS.len(),
        points: analysis.samples.iter().map(|s| [analysis.measure.shown(s.value), of(s)]).collect(),
    };
    let panel = |title: &str, y: &str, curves: Vec<Curve>| Panel {
        title: title.into(),
        x: x.clone(),
        y: y.into(),
        curves,
        ..Panel::default()
    };
    let [_, _, unit] = analysis.measure.units();
    let drive = vec![curve(0, "at rest", unit, &|s| s.drive.at_rest), curve(1, "moving", unit, &|s| s.drive.moving)];
    let mut panels = vec![panel("Drive", unit, drive)];
    // Values, speeds and accelerations: a panel for angles, and one for lengths.
    for (angles, name, units) in [(true, "Angles", ["deg", "rad/s", "rad/s²"]), (false, "Slides", ["m", "m/s", "m/s²"])]
    {
        for (k, what) in ["", ", speeds", ", accelerations"].into_iter().enumerate() {
            let own = analysis.joints.iter().enumerate().filter(|(_, joint)| {
                let measure = Measure::of(&case.world.state.joints[**joint].def.kind);
                **joint != analysis.joint && measure.is_some_and(|m| (m == Measure::Angle) == angles)
            });
            let of = |joint: &JointAt| {
                let value = joint.value.map_or(f64::NAN, |rates| rates[k]);
                if angles && k == 0 { value.to_degrees() } else { value }
            };
            let curves: Vec<Curve> = own
                .map(|(at, joint)| curve(at, case.joint(*joint), units[k], &|s: &Sample| of(&s.joints[at])))
                .collect();
            if !curves.is_empty() {
                panels.push(panel(&format!("{name}{what}"), units[k], curves));
            }
        }
    }
    let forces = analysis.joints.iter().enumerate();
    let forces = forces.map(|(at, joint)| curve(at, case.joint(*joint), "N", &|s| s.joints[at].moving.force.length()));
    panels.push(panel("Forces of joints, moving", "N", forces.collect()));
    let torques = analysis.joints.iter().enumerate();
    let torques =
        torques.map(|(at, joint)| curve(at, case.joint(*joint), "N·m", &|s| s.joints[at].moving.torque.length()));
    panels.push(panel("Torques of joints, moving", "N·m", torques.collect()));
    if analysis.output.is_some() {
        let ratio = curve(0, "ratio", "", &|s| s.ratio.unwrap_or(f64::NAN));
        panels.push(panel("Output per unit of the driven value", "", vec![ratio]));
    }
    Figure { title: title.into(), panels, columns: 2 }
}

/// The report page in HTML: what was found, the plots, the path of the followed point under its own title, the table.
/// It needs no other file.
///
/// # Errors
/// A figure cannot be drawn.
pub fn page(analysis: &Analysis, case: &DoctorCase<'_>, title: &str, point: &str) -> Result<String, FigureError> {
    let figure = figure(analysis, case, title);
    let plots = figure.svg(figure.usual_size())?;
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{0}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<ul>\n",
        escaped(title)
    );
    for line in Findings::of(analysis, case, title).lines() {
        let _ = writeln!(page, "<li>{}</li>", escaped(&line));
    }
    let _ = writeln!(page, "</ul>\n<h2>Plots</h2>\n{plots}");
    if let Some(curve) = PlaneCurve::of_point(analysis) {
        let curve = curve.svg(point);
        let _ = writeln!(page, "<h2>Path of the point</h2>\n<div style=\"max-width:640px\">{curve}</div>");
    }
    let columns = summary::columns(analysis, case);
    page += "<h2>Samples</h2>\n<table>\n<tr>";
    for column in &columns {
        let _ = write!(page, "<th>{}<br>{}</th>", escaped(&column.head), escaped(column.unit));
    }
    page += "</tr>\n";
    for k in 0..analysis.samples.len() {
        page += "<tr>";
        for column in &columns {
            let _ = write!(page, "<td>{}</td>", escaped(&column.cells[k]));
        }
        page += "</tr>\n";
    }
    Ok(page + "</table>\n</body>\n</html>\n")
}
