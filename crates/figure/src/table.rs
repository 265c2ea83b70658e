//! A figure as a CSV table: a column for x and one for each curve, with units; the panels follow each other with an
//! empty line between. With several panels the column names begin with the panel's title: `Joint error: a (m)`.

use super::{Curve, Figure, Panel};

impl Figure {
    /// The table as CSV. Curves of a panel share a line if they have the same x.
    pub fn csv(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for (index, panel) in self.panels.iter().enumerate() {
            if index > 0 {
                text.push(b'\n');
            }
            let title = if self.panels.len() > 1 { panel.title.as_str() } else { "" };
            text.extend(panel.csv(title));
        }
        text
    }
}

impl Panel {
    /// The lines of the panel, with `title` before the name of each curve.
    fn csv(&self, title: &str) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let head = |curve: &Curve| {
            let name = if title.is_empty() { curve.name.clone() } else { format!("{title}: {}", curve.name) };
            if curve.unit.is_empty() { name } else { format!("{name} ({})", curve.unit) }
        };
        let heads = std::iter::once(self.x.clone()).chain(self.curves.iter().map(head));
        // Writing to memory cannot fail.
        let _ = writer.write_record(heads);
        // If x does not increase, as in plots of one quantity against another, each curve has its own lines.
        let sorted = self.curves.iter().all(|curve| curve.points.is_sorted_by(|a, b| a[0] < b[0]));
        if sorted {
            let mut at = vec![0; self.curves.len()];
            loop {
                let next = self.curves.iter().zip(&at).filter_map(|(curve, at)| curve.points.get(*at));
                let Some(x) = next.map(|point| point[0]).reduce(f64::min) else { break };
                let mut line = vec![x.to_string()];
                for (curve, at) in self.curves.iter().zip(&mut at) {
                    let here = curve.points.get(*at).filter(|point| point[0] == x);
                    line.push(here.map_or_else(String::new, |point| point[1].to_string()));
                    *at += usize::from(here.is_some());
                }
                let _ = writer.write_record(line);
                // NaN has no place in the order.
                if x.is_nan() {
                    break;
                }
            }
        } else {
            for (index, curve) in self.curves.iter().enumerate() {
                for [x, y] in &curve.points {
                    let mut line = vec![String::new(); self.curves.len() + 1];
                    (line[0], line[index + 1]) = (x.to_string(), y.to_string());
                    let _ = writer.write_record(line);
                }
            }
        }
        writer.into_inner().unwrap_or_default()
    }
}
