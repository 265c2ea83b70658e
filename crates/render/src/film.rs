//! Films: a sequence of pictures in one file, as an animated PNG or GIF.
//!
//! A film is written to a temporary file in the same folder, which is renamed when it is complete: an interrupted
//! film leaves no file and overwrites none. A process that is killed leaves its temporary file; the next film in that
//! folder deletes it.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use delassus_files::growing_file::{GrowingFile, SharedWriter};
use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, Frame, RgbaImage};

use super::{few_colours::with_few_colours, picture_file};

/// The file format of a film.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilmFormat {
    /// All colours; played by image viewers and browsers.
    Png,
    /// 256 colours per picture; played everywhere.
    Gif,
}

/// Why there is no film.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    #[error("expected a name that ends with .png or .gif")]
    Ending,
    #[error("a film has from 1 to {MAX_FRAMES} pictures, not {0}")]
    Length(u64),
    #[error("a film has from {LEAST_RATE} to {MAX_RATE} pictures a second")]
    Rate,
    #[error("cannot be written: {0}")]
    Write(#[from] std::io::Error),
    #[error("cannot be written: {0}")]
    Encode(String),
}

/// The most pictures of a film: ten minutes at 25 a second.
pub const MAX_FRAMES: u64 = 15_000;
/// Pictures a second.
pub const LEAST_RATE: f32 = 1.0;
pub const MAX_RATE: f32 = 60.0;

/// Prefix of the temporary file names.
const PART: &str = ".delassus-film-";

impl FilmFormat {
    /// The format for a file name, by its ending.
    ///
    /// # Errors
    /// An unsupported ending.
    pub fn of(path: &Path) -> Result<Self, FilmError> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("png" | "apng") => Ok(Self::Png),
            Some("gif") => Ok(Self::Gif),
            _ => Err(FilmError::Ending),
        }
    }

    /// The actual rate, pictures per second, of a film with a requested `rate`: a GIF counts in hundredths of a
    /// second.
    pub fn rate(self, rate: f32) -> f32 {
        match self {
            Self::Png => rate,
            Self::Gif => 100.0 / (100.0 / rate).round().max(2.0),
        }
    }
}

enum Writer {
    Png(Box<png::Writer<SharedWriter>>),
    Gif(Box<GifEncoder<SharedWriter>>),
}

/// Deletes temporary files of processes that have ended: a film holds a lock on its file, which the system releases
/// with the process. Files that cannot be read or do not begin as a picture stay.
fn clear_away(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let ours =
            entry.file_name().to_string_lossy().starts_with(PART) && entry.file_type().is_ok_and(|kind| kind.is_file());
        let Some(mut file) = ours.then(|| File::open(entry.path()).ok()).flatten() else { continue };
        let mut start = [0; 4];
        let left = file.try_lock().is_ok() && file.read_exact(&mut start).is_ok();
        if left && [*b"\x89PNG", *b"GIF8"].contains(&start) {
            // Without the right to delete it the file stays.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// A film that is being written.
pub struct Film {
    writer: Writer,
    /// The temporary file, deleted if the film is dropped before it is complete.
    file: GrowingFile,
    path: PathBuf,
    size: [u32; 2],
    delay: Delay,
    /// Number of pictures still to come.
    left: u64,
}

fn encode(error: impl std::fmt::Display) -> FilmError {
    FilmError::Encode(error.to_string())
}

impl Film {
    /// Begins a film of `frames` pictures of `size` pixels, `rate` per second.
    ///
    /// # Errors
    /// An unsupported ending, a length or rate out of range, a folder that cannot be written to.
    pub fn create(path: &Path, size: [u32; 2], frames: u64, rate: f32) -> Result<Self, FilmError> {
        let kind = FilmFormat::of(path)?;
        if frames == 0 || frames > MAX_FRAMES {
            return Err(FilmError::Length(frames));
        }
        if !(LEAST_RATE..=MAX_RATE).contains(&rate) {
            return Err(FilmError::Rate);
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        clear_away(folder);
        let file = GrowingFile::create(folder, PART)?;
        // The frame delay in milliseconds.
        let thousandths = (1000.0 / kind.rate(rate)).round() as u16;
        let delay = Delay::from_numer_denom_ms(u32::from(thousandths), 1);
        let writer = match kind {
            FilmFormat::Png => {
                let mut encoder = png::Encoder::new(file.writer(), size[0], size[1]);
                encoder.set_color(png::ColorType::Rgb);
                encoder.set_depth(png::BitDepth::Eight);
                encoder.set_compression(png::Compression::Fast);
                encoder.set_animated(frames as u32, 0).map_err(encode)?;
                encoder.set_frame_delay(thousandths, 1000).map_err(encode)?;
                Writer::Png(Box::new(encoder.write_header().map_err(encode)?))
            }
            FilmFormat::Gif => {
                // Pictures of at most 256 colours are encoded without loss, see `with_few_colours`.
                let mut encoder = GifEncoder::new(file.writer());
                encoder.set_repeat(Repeat::Infinite).map_err(encode)?;
                Writer::Gif(Box::new(encoder))
            }
        };
        Ok(Self { writer, file, path: path.to_owned(), size, delay, left: frames })
    }

    /// Adds a picture.
    ///
    /// # Errors
    /// If it has another size, the film already has all its pictures, or it cannot be written.
    pub fn add(&mut self, mut picture: RgbaImage) -> Result<(), FilmError> {
        if [picture.width(), picture.height()] != self.size || self.left == 0 {
            return Err(FilmError::Encode("a picture that does not belong to the film".into()));
        }
        self.left -= 1;
        match &mut self.writer {
            Writer::Png(writer) => {
                let rgb: Vec<u8> = picture.pixels().flat_map(|pixel| [pixel.0[0], pixel.0[1], pixel.0[2]]).collect();
                writer.write_image_data(&rgb).map_err(encode)
            }
            Writer::Gif(writer) => {
                with_few_colours(&mut picture);
                writer.encode_frame(Frame::from_parts(picture, 0, 0, self.delay)).map_err(encode)
            }
        }
    }

    /// The path of the finished film.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it has all of its pictures.
    pub fn is_whole(&self) -> bool {
        self.left == 0
    }

    /// Completes the file and moves it to its final name.
    ///
    /// # Errors
    /// If pictures are missing, or the file cannot be written or moved.
    pub fn finish(self) -> Result<(), FilmError> {
        if self.left > 0 {
            return Err(FilmError::Encode(format!("{} frames are missing", self.left)));
        }
        match self.writer {
            Writer::Png(writer) => writer.finish().map_err(encode)?,
            // Dropping the encoder completes the file; an error there is the file's to tell.
            Writer::Gif(writer) => drop(writer),
        }
        Ok(self.file.finish(&self.path)?)
    }
}

/// One picture above another of the same width.
pub fn stacked(above: &RgbaImage, below: &image::RgbImage) -> RgbaImage {
    let (width, height) = (above.width().max(below.width()), above.height() + below.height());
    let mut both = RgbaImage::from_pixel(width, height, image::Rgba([255; 4]));
    image::imageops::replace(&mut both, above, 0, 0);
    let below: RgbaImage = image::DynamicImage::ImageRgb8(below.clone()).into_rgba8();
    image::imageops::replace(&mut both, &below, 0, i64::from(above.height()));
    both
}

/// Writes a picture to a PNG file.
///
/// # Errors
/// If it cannot be written.
pub fn still(picture: &RgbaImage, path: &Path) -> Result<(), FilmError> {
    picture_file::write(picture, path).map_err(encode)
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use image::AnimationDecoder;
    use image::codecs::{gif::GifDecoder, png::PngDecoder};

    use super::*;

    /// A picture of one shade of grey.
    fn grey(value: u8) -> RgbaImage {
        RgbaImage::from_pixel(12, 8, image::Rgba([value, value, value, 255]))
    }

    fn frames(path: &Path) -> Vec<Frame> {
        let file = || BufReader::new(File::open(path).expect("the film"));
        let frames = match FilmFormat::of(path).expect("a film") {
            FilmFormat::Png => PngDecoder::new(file()).expect("a PNG").apng().expect("animated").into_frames(),
            FilmFormat::Gif => GifDecoder::new(file()).expect("a GIF").into_frames(),
        };
        frames.collect_frames().expect("all frames")
    }

    #[test]
    fn a_film_holds_its_pictures_in_their_order_for_their_time() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, milliseconds) in [("film.png", 40), ("film.gif", 40)] {
            let path = folder.path().join(name);
            let mut film = Film::create(&path, [12, 8], 5, 25.0).expect("it begins");
            for k in 0..5u8 {
                assert!(!film.is_whole() && !path.exists(), "nothing is there before all is");
                film.add(grey(k * 60)).expect("a picture");
            }
            assert!(film.is_whole() && film.add(grey(0)).is_err(), "no sixth picture");
            film.finish().expect("it is whole");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let any = folder.path().join("any");
                File::create(&any).expect("a file");
                let mode = |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode();
                assert_eq!(mode(&path), mode(&any), "as open to others as any new file");
            }
            let frames = frames(&path);
            assert_eq!(frames.len(), 5, "{name}");
            for (k, frame) in frames.iter().enumerate() {
                let value = frame.buffer().get_pixel(5, 5).0[0];
                assert!(value.abs_diff(k as u8 * 60) <= 2, "{name}: {value} in picture {k}");
                assert_eq!(std::time::Duration::from(frame.delay()).as_millis(), milliseconds, "{name}");
            }
        }
    }

    #[test]
    fn what_is_broken_off_leaves_nothing_and_takes_nothing_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("film.gif");
        std::fs::write(&path, "mine").expect("a file");
        let mut film = Film::create(&path, [12, 8], 5, 25.0).expect("it begins");
        film.add(grey(9)).expect("a picture");
        assert!(film.finish().is_err(), "pictures lack");
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "mine");
        assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 1);
    }

    /// The end of a GIF was written as its encoder was dropped, and an error there was lost: half a film took the place
    /// of the old one. And a picture was written in place.
    #[test]
    fn after_a_fault_at_any_point_of_saving_the_old_film_is_played_or_the_new() {
        use delassus_files::fault::{FaultKind, at_each_point};
        let save = |path: &Path, pictures: u8| -> Result<(), FilmError> {
            let mut film = Film::create(path, [12, 8], u64::from(pictures), 25.0)?;
            (0..pictures).try_for_each(|k| film.add(grey(k * 60)))?;
            film.finish()
        };
        let folder = tempfile::tempdir().expect("a folder");
        for (kind, name) in [FaultKind::Fails, FaultKind::Crashes]
            .into_iter()
            .flat_map(|kind| ["film.gif", "film.png", "one.png"].map(move |name| (kind, name)))
        {
            let (path, still_picture) = (folder.path().join(name), name == "one.png");
            let whole = folder.path().join(format!("new-{name}"));
            let write = |path: &Path| if still_picture { still(&grey(7), path) } else { save(path, 4) };
            write(&whole).expect("a folder that can be written to");
            let new = std::fs::read(&whole).expect("a file");
            let begin = || {
                std::fs::write(&path, "old").expect("a file");
                write(&path)
            };
            let points = at_each_point(kind, begin, |point, result| {
                let now = std::fs::read(&path).expect("a file");
                assert!(now == b"old" || now == new, "{kind:?} at point {point} of {name}: {} bytes", now.len());
                assert!(result.is_err() || now == new, "{kind:?} at point {point} of {name}: lost in silence");
            });
            assert!(points > 4, "{points}");
        }
    }

    #[test]
    fn what_a_killed_program_has_left_is_cleared_away_by_the_next_film() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        // The file of a killed process, another file with the prefix, and one without it.
        std::fs::write(at(".delassus-film-aB3xYz"), b"GIF89a and no end").expect("a file");
        std::fs::write(at(".delassus-film-notes"), b"mine").expect("a file");
        std::fs::write(at("delassus-film-1.gif"), b"GIF89a").expect("a file");
        let names = || {
            let entries = std::fs::read_dir(folder.path()).expect("the folder").flatten();
            let mut names: Vec<String> =
                entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            names
        };
        let mut other = Film::create(&at("other.png"), [12, 8], 2, 25.0).expect("it begins");
        other.add(grey(9)).expect("a picture");
        assert_eq!(names().len(), 3, "what was left is gone: {:?}", names());
        let mut film = Film::create(&at("film.gif"), [12, 8], 1, 25.0).expect("it begins");
        film.add(grey(9)).expect("a picture");
        film.finish().expect("it is whole");
        other.add(grey(5)).expect("a picture");
        other.finish().expect("one that is being written stays");
        assert_eq!(names(), [".delassus-film-notes", "delassus-film-1.gif", "film.gif", "other.png"]);
    }

    #[test]
    fn films_that_cannot_be_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        assert!(Film::create(&at("a.avi"), [12, 8], 5, 25.0).is_err());
        assert!(Film::create(&at("no/such/a.gif"), [12, 8], 5, 25.0).is_err());
        for (frames, rate) in [(0, 25.0), (MAX_FRAMES + 1, 25.0), (5, 0.0), (5, f32::NAN), (5, 1e9)] {
            assert!(Film::create(&at("a.gif"), [12, 8], frames, rate).is_err(), "{frames} at {rate}");
        }
        // GIF delays are hundredths of a second: 60 per second become 50.
        assert_eq!(
            (FilmFormat::Gif.rate(60.0), FilmFormat::Gif.rate(25.0), FilmFormat::Png.rate(60.0)),
            (50.0, 25.0, 60.0)
        );
    }
}
