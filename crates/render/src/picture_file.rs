//! Pictures as PNG files.

use std::io::Cursor;
use std::path::Path;

use delassus_files::whole_file;
use image::{ImageError, ImageFormat, ImageResult, RgbaImage};

/// Writes a picture to a PNG file, whole or not at all.
///
/// # Errors
/// If it cannot be encoded or written; a file that was there is then as it was.
pub fn write(picture: &RgbaImage, path: &Path) -> ImageResult<()> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png)?;
    whole_file::put(path, bytes.get_ref()).map_err(ImageError::IoError)
}

#[cfg(test)]
mod tests {
    use delassus_files::fault::{FaultKind, at_each_point};
    use image::{Rgba, RgbaImage};

    use super::write;

    /// It was written in place, so that a full disk left half a picture.
    #[test]
    fn a_picture_takes_the_place_of_another_file_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, picture) = (folder.path().join("picture.png"), RgbaImage::from_pixel(9, 7, Rgba([7; 4])));
        write(&picture, &path).expect("a folder that can be written to");
        let new = std::fs::read(&path).expect("a file");
        for kind in [FaultKind::Fails, FaultKind::Crashes] {
            let begin = || {
                std::fs::write(&path, "old").expect("a file");
                write(&picture, &path)
            };
            let points = at_each_point(kind, begin, |point, result| {
                let now = std::fs::read(&path).expect("a file");
                assert!(now == b"old" || now == new, "{kind:?} at point {point}: {} bytes", now.len());
                assert!(result.is_err() || now == new, "{kind:?} at point {point}: lost in silence");
            });
            assert!(points > 4, "{points}");
        }
    }
}
