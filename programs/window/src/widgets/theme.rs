//! Colours, sizes and spacing of the dark and light themes.

use egui::style::{Selection, Spacing, WidgetVisuals, Widgets};
use egui::{
    Color32, Context, CornerRadius, FontDefinitions, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle,
    Visuals, vec2,
};

/// Window width in points below which lists are only shown on demand.
pub const MIN_WIDTH_FOR_LISTS: f32 = 620.0;

/// The colours of custom-painted parts.
#[derive(Debug, Clone, Copy)]
pub struct Palette {
    /// Active items: the playhead, the selected animation.
    pub accent: Color32,
    /// Background of active items.
    pub accent_faint: Color32,
    /// Background of lists and controls.
    pub panel: Color32,
    /// Background of fields and the timeline.
    pub sunken: Color32,
    /// Separators and borders.
    pub line: Color32,
    /// Text.
    pub text: Color32,
    /// Secondary text.
    pub text_weak: Color32,
    /// Errors.
    pub error: Color32,
    /// Background of errors.
    pub error_faint: Color32,
    /// Warnings.
    pub warning: Color32,
}

const DARK: Palette = Palette {
    accent: Color32::from_rgb(0x6c, 0xb6, 0xff),
    accent_faint: Color32::from_rgb(0x24, 0x3b, 0x55),
    panel: Color32::from_rgb(0x1d, 0x20, 0x26),
    sunken: Color32::from_rgb(0x15, 0x17, 0x1c),
    line: Color32::from_rgb(0x30, 0x34, 0x3d),
    text: Color32::from_rgb(0xdf, 0xe3, 0xea),
    text_weak: Color32::from_rgb(0x9a, 0xa2, 0xb0),
    error: Color32::from_rgb(0xff, 0x8a, 0x80),
    error_faint: Color32::from_rgb(0x45, 0x23, 0x26),
    warning: Color32::from_rgb(0xf2, 0xc0, 0x6b),
};

const LIGHT: Palette = Palette {
    accent: Color32::from_rgb(0x1f, 0x6f, 0xd0),
    accent_faint: Color32::from_rgb(0xd5, 0xe6, 0xfb),
    panel: Color32::from_rgb(0xf4, 0xf5, 0xf7),
    sunken: Color32::from_rgb(0xff, 0xff, 0xff),
    line: Color32::from_rgb(0xd6, 0xda, 0xe1),
    text: Color32::from_rgb(0x22, 0x27, 0x30),
    text_weak: Color32::from_rgb(0x5b, 0x64, 0x73),
    error: Color32::from_rgb(0xa6, 0x1b, 0x1b),
    error_faint: Color32::from_rgb(0xfd, 0xe3, 0xe1),
    warning: Color32::from_rgb(0x8a, 0x5a, 0x00),
};

impl Palette {
    /// Returns the colours of the dark or light theme.
    pub fn of(visuals: &Visuals) -> &'static Self {
        if visuals.dark_mode { &DARK } else { &LIGHT }
    }
}

/// Applies the viewer's style to `ctx`.
pub fn apply(ctx: &Context) {
    ctx.set_fonts(fonts());
    ctx.style_mut_of(egui::Theme::Dark, |style| set(style, Visuals::dark(), &DARK));
    ctx.style_mut_of(egui::Theme::Light, |style| set(style, Visuals::light(), &LIGHT));
}

/// The fonts bundled with egui. Only the monospace font has arrows.
fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let fallback = fonts.families.get(&FontFamily::Monospace).cloned().unwrap_or_default();
    let proportional = fonts.families.entry(FontFamily::Proportional).or_default();
    for name in fallback {
        if !proportional.contains(&name) {
            proportional.push(name);
        }
    }
    fonts
}

fn set(style: &mut Style, visuals: Visuals, palette: &Palette) {
    style.visuals = visuals_of(visuals, palette);
    style.spacing = Spacing {
        item_spacing: vec2(8.0, 6.0),
        button_padding: vec2(10.0, 5.0),
        interact_size: vec2(36.0, 26.0),
        menu_margin: Margin::same(6),
        window_margin: Margin::same(20),
        combo_width: 60.0,
        ..Spacing::default()
    };
    style.animation_time = 0.08;
    style.interaction.selectable_labels = false;
    // Tooltips wait for a pause of the pointer anyway; egui would lay out every frame until then.
    style.interaction.show_tooltips_only_when_still = false;
    for (text_style, size) in
        [(TextStyle::Small, 11.5), (TextStyle::Body, 13.5), (TextStyle::Button, 13.5), (TextStyle::Heading, 20.0)]
    {
        style.text_styles.insert(text_style, FontId::proportional(size));
    }
    style.text_styles.insert(TextStyle::Monospace, FontId::monospace(12.5));
}

fn visuals_of(visuals: Visuals, palette: &Palette) -> Visuals {
    let is_dark = visuals.dark_mode;
    Visuals {
        widgets: widgets(is_dark, palette),
        selection: Selection { bg_fill: palette.accent_faint, stroke: Stroke::new(1.0, palette.accent) },
        weak_text_color: Some(palette.text_weak),
        hyperlink_color: palette.accent,
        extreme_bg_color: palette.sunken,
        warn_fg_color: palette.warning,
        error_fg_color: palette.error,
        panel_fill: palette.panel,
        window_fill: palette.panel,
        window_stroke: Stroke::new(1.0, palette.line),
        window_corner_radius: CornerRadius::same(10),
        menu_corner_radius: CornerRadius::same(8),
        window_shadow: Shadow { offset: [0, 8], blur: 28, spread: 0, color: Color32::from_black_alpha(90) },
        popup_shadow: Shadow { offset: [0, 4], blur: 14, spread: 0, color: Color32::from_black_alpha(70) },
        ..visuals
    }
}

fn widgets(is_dark: bool, palette: &Palette) -> Widgets {
    let lift = |amount: u8| {
        let [r, g, b, _] = palette.panel.to_array();
        let shift = |c: u8| if is_dark { c.saturating_add(amount) } else { c.saturating_sub(amount) };
        Color32::from_rgb(shift(r), shift(g), shift(b))
    };
    // Check boxes are smaller than buttons and need more contrast.
    let state = |button: u8, tick_box: u8| WidgetVisuals {
        bg_fill: lift(tick_box),
        weak_bg_fill: lift(button),
        bg_stroke: Stroke::NONE,
        corner_radius: CornerRadius::same(6),
        fg_stroke: Stroke::new(1.2, palette.text),
        expansion: 0.0,
    };
    Widgets {
        noninteractive: WidgetVisuals { bg_stroke: Stroke::new(1.0, palette.line), ..state(0, 0) },
        inactive: state(14, 36),
        hovered: state(26, 50),
        active: state(36, 60),
        open: state(26, 50),
    }
}
