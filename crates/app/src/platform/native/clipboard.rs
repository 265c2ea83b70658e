//! The system's clipboard, for pictures. Text goes through egui's output.

use image::RgbaImage;

/// Why a picture cannot be copied: the system's reason.
pub type ClipboardError = arboard::Error;

/// Opened on first use and kept as long as the window: on X11 the copying program itself serves the content, which is
/// lost when it closes.
#[derive(Default)]
pub struct Clipboard(Option<arboard::Clipboard>);

impl Clipboard {
    /// Copies a picture to the clipboard.
    ///
    /// # Errors
    /// If there is no clipboard, with the system's reason.
    pub fn put(&mut self, picture: RgbaImage) -> Result<(), ClipboardError> {
        let system = match &mut self.0 {
            Some(system) => system,
            none => none.insert(arboard::Clipboard::new()?),
        };
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        system.set_image(arboard::ImageData { width, height, bytes: picture.into_raw().into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The part that runs in a process of its own, with a changed environment.
    #[test]
    #[ignore = "run by `a_system_without_a_clipboard_is_told_of`"]
    fn put_without_a_display() {
        let refused = Clipboard::default().put(RgbaImage::new(2, 1)).expect_err("there is no display");
        assert!(!refused.to_string().is_empty());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_system_without_a_clipboard_is_told_of() {
        let here = std::env::current_exe().expect("the test's own program");
        let done = std::process::Command::new(here)
            .args(["--ignored", "--exact", "platform::native::clipboard::tests::put_without_a_display"])
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .output()
            .expect("the test's own program runs");
        let said = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success() && said.contains("1 passed"), "{said}");
    }
}
