//! The buttons that write files, with what the command writes.

use egui::Ui;
use lucide_icons::Icon;

use super::Analyse;
use crate::{request::Request, widgets};
use delassus_session::analysis::AnalysisFile;

const FILES: [(AnalysisFile, Icon, &str, &str); 4] = [
    (AnalysisFile::Csv, Icon::Table2, "CSV…", "All numbers of all samples, SI units, angles in rad"),
    (AnalysisFile::Svg, Icon::Spline, "SVG…", "The path of the followed point, to scale"),
    (AnalysisFile::Dxf, Icon::DraftingCompass, "DXF…", "The path of the followed point for CAD programs, m"),
    (AnalysisFile::Html, Icon::FileText, "Report…", "A page with everything: what was found, plots, path, table"),
];

pub(super) fn buttons(ui: &mut Ui, state: &Analyse, out: &mut Vec<Request>) {
    let analysis = state.analysis().filter(|_| !state.computed.is_pending());
    let follows = analysis.is_some_and(|(shown, _)| shown.request.point.is_some());
    for (file, icon, name, tip) in FILES {
        let of_point = matches!(file, AnalysisFile::Svg | AnalysisFile::Dxf);
        let enabled = analysis.is_some() && (follows || !of_point);
        ui.add_enabled_ui(enabled, |ui| {
            let why = if of_point { "Follow a point first" } else { "There is no analysis to write" };
            let button = widgets::word_button(ui, icon, name).on_hover_text(tip).on_disabled_hover_text(why);
            let text = analysis.filter(|_| button.clicked()).and_then(|(shown, _)| shown.file(file));
            out.extend(text.map(|text| Request::AnalysisDialog(file, text)));
        });
    }
}
