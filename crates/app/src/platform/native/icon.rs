//! The window's icon: the Delassus matrix of a chain, block tridiagonal.

use winit::window::Icon;

/// The icon; `None` if it cannot be decoded, so that the system's default is used.
pub(super) fn icon() -> Option<Icon> {
    let picture = image::load_from_memory(include_bytes!("../../../../../assets/icon.png")).ok()?.into_rgba8();
    let (width, height) = picture.dimensions();
    Icon::from_rgba(picture.into_raw(), width, height).ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn icon_is_readable() {
        assert!(super::icon().is_some());
    }
}
