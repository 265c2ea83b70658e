//! The rectangles of the named controls, for tests that drive the real window: with `DELASSUS_LAYOUT=file` the
//! accessibility tree's names and rectangles are written there after every frame. A new file means that a frame was
//! drawn.

use std::path::PathBuf;

use egui::accesskit::TreeUpdate;

/// Writes the layout file.
pub struct LayoutDump {
    file: PathBuf,
}

impl LayoutDump {
    /// Writes to the file that the environment variable names; `None` if it is not set.
    pub fn from_env() -> Option<Self> {
        let file = std::env::var_os("DELASSUS_LAYOUT").filter(|file| !file.is_empty())?;
        Some(Self { file: file.into() })
    }

    /// Writes the file: a line `x y width height role name` for each control, physical pixels.
    pub fn update(&self, tree: &TreeUpdate, pixels_per_point: f32) {
        let mut lines = Vec::new();
        for (_, node) in &tree.nodes {
            let name = node.label().or_else(|| node.value());
            if let (Some(name), Some(bounds)) = (name, node.bounds()) {
                let scale = f64::from(pixels_per_point);
                let [x, y, w, h] = [bounds.x0, bounds.y0, bounds.width(), bounds.height()].map(|v| v * scale);
                let name = name.replace('\n', " ");
                lines.push((y as i64, x as i64, format!("{x:.0} {y:.0} {w:.0} {h:.0} {:?} {name}\n", node.role())));
            }
        }
        // Sorted from top to bottom, since the tree has no useful order.
        lines.sort();
        let text: String = lines.into_iter().map(|(.., line)| line).collect();
        // Written to a temporary file and renamed, so that a reader never sees a part of it. The test that reads the
        // file notices errors.
        let temporary = self.file.with_extension("new");
        if std::fs::write(&temporary, &text).is_ok() {
            let _ = std::fs::rename(&temporary, &self.file);
        }
    }
}
