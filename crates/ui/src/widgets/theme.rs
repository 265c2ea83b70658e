//! Fonts, sizes, and the colours of the dark and the light theme.
//!
//! Sizes are in points. Colours with a meaning are Okabe and Ito's (see [`delassus_render::palette`]); the accent
//! colour marks what is selected, switched on or different from the file, and nothing else.

use std::sync::Arc;

use egui::{
    Color32, Context, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Margin, Shadow, Stroke, Style,
    TextStyle, Theme, Vec2, Visuals,
    style::{ScrollStyle, WidgetVisuals, Widgets},
};
use latex_rust::font::STIX_TWO_MATH_OTF;

use delassus_render::palette;

/// Height of the bars at the top and the bottom.
pub const TOP_BAR_HEIGHT: f32 = 38.0;
pub const STATUS_HEIGHT: f32 = 26.0;
/// Height of one row of a settings list.
pub const ROW_HEIGHT: f32 = 24.0;

/// Name of the icon font's family in egui.
const ICONS: &str = "icons";
/// Name of the font family for mathematical signs that the text fonts lack, such as M⁻¹.
const SIGNS: &str = "signs";

/// Installs fonts and both themes.
pub fn install(ctx: &Context) {
    ctx.set_fonts(fonts());
    ctx.set_style_of(Theme::Dark, style(&DARK));
    ctx.set_style_of(Theme::Light, style(&LIGHT));
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
}

/// Colours that egui's own style has no field for.
#[derive(Clone, Copy, Debug)]
pub struct Colors {
    /// Selected, switched on, or different from the file.
    pub accent: Color32,
    /// Background of what is selected.
    pub accent_soft: Color32,
    pub text: Color32,
    pub weak: Color32,
    /// Headings and values.
    pub strong: Color32,
    pub panel: Color32,
    /// Cards and wells on a panel.
    pub raised: Color32,
    /// Text fields and plots.
    pub sunken: Color32,
    pub line: Color32,
    /// A value is fine, notable, wrong. Never the only sign: words or an icon accompany the colour.
    pub good: Color32,
    pub warn: Color32,
    pub bad: Color32,
    /// The track of a switch that is off.
    pub track: Color32,
    /// Background of text on the 3-D view.
    pub overlay: Color32,
    button: [Color32; 3],
}

const DARK: Colors = Colors {
    accent: Color32::from_rgb(255, 152, 56),
    accent_soft: Color32::from_rgb(92, 62, 33),
    text: Color32::from_rgb(203, 207, 214),
    weak: Color32::from_rgb(146, 153, 164),
    strong: Color32::from_rgb(238, 240, 244),
    panel: Color32::from_rgb(32, 35, 40),
    raised: Color32::from_rgb(41, 45, 51),
    sunken: Color32::from_rgb(23, 25, 29),
    line: Color32::from_rgb(55, 60, 68),
    good: Color32::from_rgb(78, 196, 158),
    warn: Color32::from_rgb(240, 180, 60),
    bad: Color32::from_rgb(240, 118, 72),
    track: Color32::from_rgb(78, 84, 94),
    overlay: Color32::from_rgba_premultiplied(16, 18, 21, 196),
    button: [Color32::from_rgb(50, 55, 62), Color32::from_rgb(62, 68, 77), Color32::from_rgb(74, 81, 92)],
};

const LIGHT: Colors = Colors {
    accent: Color32::from_rgb(212, 98, 0),
    accent_soft: Color32::from_rgb(253, 224, 196),
    text: Color32::from_rgb(52, 57, 65),
    weak: Color32::from_rgb(104, 111, 122),
    strong: Color32::from_rgb(20, 23, 28),
    panel: Color32::from_rgb(244, 245, 247),
    raised: Color32::from_rgb(255, 255, 255),
    sunken: Color32::from_rgb(255, 255, 255),
    line: Color32::from_rgb(214, 218, 224),
    good: Color32::from_rgb(0, 122, 90),
    warn: Color32::from_rgb(152, 98, 0),
    bad: Color32::from_rgb(130, 16, 20),
    track: Color32::from_rgb(186, 192, 201),
    overlay: Color32::from_rgba_premultiplied(216, 217, 219, 218),
    button: [Color32::from_rgb(229, 232, 236), Color32::from_rgb(217, 221, 227), Color32::from_rgb(203, 208, 216)],
};

/// The colours of the theme that `ui` is drawn in.
pub fn colors(visuals: &Visuals) -> &'static Colors {
    if visuals.dark_mode { &DARK } else { &LIGHT }
}

/// The colour of weak words: on what is selected, whose background is coloured, they would be too faint.
pub fn weak_on(selected: bool, colors: &Colors) -> Color32 {
    if selected { colors.text } else { colors.weak }
}

/// The 3-D view's theme that matches the panels' theme.
pub fn picture_theme(visuals: &Visuals) -> delassus_render::picture::Theme {
    if visuals.dark_mode { delassus_render::picture::Theme::Dark } else { delassus_render::picture::Theme::Light }
}

/// A colour of the 3-D view's palette, for the panels.
pub fn from_palette(color: [f32; 3]) -> Color32 {
    let [r, g, b] = color.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8);
    Color32::from_rgb(r, g, b)
}

/// The colours of the plots' curves, with enough contrast on the theme's background.
pub fn curve(index: usize, visuals: &Visuals) -> Color32 {
    let theme = picture_theme(visuals);
    let colors = palette::okabe_ito(theme);
    let order = if visuals.dark_mode { [5, 1, 2, 4] } else { [0, 3, 2, 4] };
    from_palette(colors[order[index % order.len()]])
}

/// The colour of one of up to eight runs or curves; the first four are those of [`curve`].
pub fn run(index: usize, visuals: &Visuals) -> Color32 {
    let colors = palette::okabe_ito(picture_theme(visuals));
    let order = if visuals.dark_mode { [5, 1, 2, 4, 3, 6, 0, 7] } else { [0, 3, 2, 4, 1, 5, 6, 7] };
    from_palette(colors[order[index % order.len()]])
}

/// The icon font at `size` points.
pub fn icon_font(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(ICONS.into()))
}

fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    fonts.font_data.insert(ICONS.into(), Arc::new(FontData::from_static(lucide_icons::LUCIDE_FONT_BYTES)));
    fonts.font_data.insert(SIGNS.into(), Arc::new(FontData::from_static(STIX_TWO_MATH_OTF)));
    // Signs and icons come last in the text families, too, so that one label can contain an icon, words and a
    // formula.
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        fonts.families.entry(family).or_default().extend([SIGNS.into(), ICONS.into()]);
    }
    fonts.families.insert(FontFamily::Name(ICONS.into()), vec![ICONS.into()]);
    fonts
}

fn style(colors: &Colors) -> Style {
    let mut style = Style { visuals: visuals(colors), ..Default::default() };
    style.text_styles = [
        (TextStyle::Small, FontId::proportional(11.5)),
        (TextStyle::Body, FontId::proportional(13.5)),
        (TextStyle::Button, FontId::proportional(13.5)),
        (TextStyle::Heading, FontId::proportional(18.0)),
        (TextStyle::Monospace, FontId::monospace(12.0)),
    ]
    .into();
    style.animation_time = 0.1;
    style.interaction.tooltip_delay = 0.45;
    style.interaction.selectable_labels = false;
    style.url_in_tooltip = true;

    let spacing = &mut style.spacing;
    spacing.item_spacing = Vec2::new(8.0, 6.0);
    spacing.button_padding = Vec2::new(8.0, 3.0);
    spacing.interact_size = Vec2::new(32.0, ROW_HEIGHT);
    spacing.window_margin = Margin::same(14);
    spacing.menu_margin = Margin::same(6);
    spacing.indent = 16.0;
    spacing.slider_rail_height = 4.0;
    spacing.icon_width = 16.0;
    spacing.icon_width_inner = 9.0;
    spacing.icon_spacing = 6.0;
    spacing.tooltip_width = 340.0;
    spacing.combo_height = 320.0;
    spacing.scroll = ScrollStyle { bar_width: 8.0, floating_width: 4.0, ..ScrollStyle::floating() };
    style
}

fn visuals(colors: &Colors) -> Visuals {
    let dark = colors.panel.r() < 128;
    let mut visuals = if dark { Visuals::dark() } else { Visuals::light() };
    visuals.panel_fill = colors.panel;
    visuals.window_fill = colors.raised;
    visuals.window_stroke = Stroke::new(1.0, colors.line);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    visuals.extreme_bg_color = colors.sunken;
    visuals.code_bg_color = colors.sunken;
    visuals.faint_bg_color = colors.raised;
    visuals.weak_text_color = Some(colors.weak);
    visuals.warn_fg_color = colors.warn;
    visuals.error_fg_color = colors.bad;
    visuals.hyperlink_color = if dark { Color32::from_rgb(110, 180, 240) } else { Color32::from_rgb(0, 98, 168) };
    visuals.selection.bg_fill = colors.accent_soft;
    visuals.selection.stroke = Stroke::new(1.0, colors.strong);
    visuals.slider_trailing_fill = true;
    visuals.handle_shape = egui::style::HandleShape::Rect { aspect_ratio: 0.55 };
    visuals.striped = false;
    visuals.indent_has_left_vline = false;
    visuals.disabled_alpha = 0.42;
    let shadow = if dark { Color32::from_black_alpha(110) } else { Color32::from_black_alpha(40) };
    visuals.popup_shadow = Shadow { offset: [0, 4], blur: 14, spread: 0, color: shadow };
    visuals.window_shadow = Shadow { offset: [0, 8], blur: 28, spread: 0, color: shadow };
    visuals.widgets = widgets(colors);
    visuals
}

fn widgets(colors: &Colors) -> Widgets {
    let radius = CornerRadius::same(5);
    let state = |fill: Color32, text: Color32, outline: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, outline),
        corner_radius: radius,
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    let [rest, hover, press] = colors.button;
    Widgets {
        noninteractive: state(colors.panel, colors.text, colors.line),
        inactive: state(rest, colors.text, Color32::TRANSPARENT),
        hovered: state(hover, colors.strong, colors.line),
        active: state(press, colors.strong, colors.accent),
        open: state(hover, colors.strong, colors.line),
    }
}
