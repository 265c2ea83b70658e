//! `delassus figures`: redraws every figure of the documents, without a display, on one page.
//!
//! The figures are defined in `figures.ron`: scene, experiment, time. Below each is the command that draws it.

mod labels;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Deserialize;

use super::common::{Failure, open, step};
use super::outputs;
use super::render::{self, Drawing, Side};
use delassus_app::Pictures;
use delassus_figure::{self as figure, escaped};
use delassus_files::{built_in, file_reader, whole_file};
use delassus_launch::{OpenRequest, Viewpoint};
use delassus_render::film;
use delassus_render::gpu::Gpu;
use delassus_scene::MAX_BYTES;

/// The list of figures, unless another is given.
const LIST: &str = include_str!("figures.ron");

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder to write: index.html, and a picture for each figure
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Draw only those whose number begins or ends like this, as in "figure 6" or 001; may be given several times
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Another list of figures, in the form of the program's own src/cli/figures/figures.ron
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Width and height of a view, pixels; plots are added below it
    #[arg(long, value_name = "WxH", default_value = "800x450", value_parser = render::size)]
    size: [u32; 2],
}

/// A figure to draw.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    number: String,
    caption: String,
    scene: String,
    #[serde(default)]
    experiment: Option<String>,
    /// Simulated time, s.
    seconds: f32,
    #[serde(default)]
    view: Option<String>,
    #[serde(default)]
    eye: Option<[f32; 3]>,
    #[serde(default)]
    target: Option<[f32; 3]>,
    #[serde(default)]
    plots: bool,
    /// Labels over the picture.
    #[serde(default)]
    labels: Vec<labels::FigureLabel>,
}

impl Entry {
    /// The name of its file, made of the letters and digits of its number.
    fn file(&self) -> String {
        let words = self.number.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        format!("{}.png", words.collect::<Vec<_>>().join("-"))
    }

    /// The command that draws it.
    fn command(&self, steps: u64) -> String {
        if !self.labels.is_empty() {
            // No other command draws labels.
            return format!("delassus figures --only \"{}\" --out .", self.number);
        }
        let mut command = format!("delassus render {}", self.scene);
        if let Some(experiment) = &self.experiment {
            let _ = write!(command, " --experiment \"{experiment}\"");
        }
        let _ = write!(command, " --steps {steps}");
        if let Some(view) = &self.view {
            let _ = write!(command, " --view {}", view.to_lowercase());
        }
        for (name, point) in [("eye", self.eye), ("target", self.target)] {
            if let Some([x, y, z]) = point {
                let _ = write!(command, " --{name} {x},{y},{z}");
            }
        }
        command + if self.plots { " --plots" } else { "" } + " --out " + &self.file()
    }
}

fn entries(path: Option<&Path>) -> Result<Vec<Entry>, Failure> {
    let (name, text) = match path {
        Some(path) => {
            let text = file_reader::text(path, MAX_BYTES);
            (path.display().to_string(), text.map_err(|error| Failure::Error(format!("{}: {error}", path.display())))?)
        }
        None => ("figures.ron".to_owned(), LIST.to_owned()),
    };
    let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    options.from_str(&text).map_err(|error| Failure::Error(format!("{name}:{error}")))
}

/// Draws all figures and writes the page.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut list = entries(arguments.list.as_deref())?;
    if !arguments.only.is_empty() {
        let named = |number: &str, text: &str| number.starts_with(text) || number.ends_with(text);
        list.retain(|entry| arguments.only.iter().any(|text| named(&entry.number, text)));
    }
    if list.is_empty() {
        return Err(Failure::Misuse("--only: no figure's number begins or ends like this".into()));
    }
    let failure = |path: &Path, error: &dyn std::error::Error| Failure::Error(format!("{}: {error}", path.display()));
    let index = arguments.out.join("index.html");
    outputs::check(arguments.list.as_slice(), &[("--out", Some(&index))])?;
    std::fs::create_dir_all(&arguments.out).map_err(|error| failure(&arguments.out, &error))?;
    let gpu = Gpu::headless().map_err(|error| failure(&arguments.out, &error))?;
    let mut pictures = Pictures::new(&gpu, arguments.size).map_err(|error| failure(&arguments.out, &error))?;
    let mut page = Page::default();
    for entry in &list {
        let wrong = |what: Failure| match what {
            Failure::Error(why) | Failure::Misuse(why) => Failure::Error(format!("{}: {why}", entry.number)),
            Failure::Distrust(why) => Failure::Distrust(format!("{}: {why}", entry.number)),
            other => other,
        };
        // The documents' figures are of the library's scenes, even if the user has others of their names.
        let scene =
            if arguments.list.is_none() { format!("{}{}", built_in::ROOT, entry.scene) } else { entry.scene.clone() };
        let open_request = OpenRequest::of(&scene, entry.experiment.as_deref());
        let mut session = open(&open_request, &[]).map_err(wrong)?;
        let drawing = Drawing {
            size: arguments.size,
            view: entry.view.as_deref().map(side).transpose().map_err(wrong)?,
            viewpoint: Viewpoint {
                eye: entry.eye.map(Into::into),
                target: entry.target.map(Into::into),
                parallel: false,
            },
            plots: entry.plots,
        };
        let look = drawing.camera(&session).map_err(wrong)?;
        let steps = (f64::from(entry.seconds.max(0.0)) * f64::from(session.settings().step.rate)).round() as u64;
        for _ in 0..steps {
            step(&mut session).map_err(wrong)?;
        }
        let path = arguments.out.join(entry.file());
        let reads =
            outputs::scene_files(&open_request, &session).into_iter().chain(arguments.list.clone()).collect::<Vec<_>>();
        outputs::check(&reads, &[("--out", Some(&path))]).map_err(wrong)?;
        let picture = drawing.picture(&mut pictures, &session, &look).map_err(|error| failure(&path, &*error))?;
        let signs = entry.labels.iter().map(|label| label.signs(&session, &look, arguments.size));
        let signs = signs.collect::<Result<Vec<_>, _>>().map_err(|why| wrong(Failure::Error(why)))?;
        let picture = figure::over(&picture, &signs.concat()).map_err(|error| failure(&path, &error))?;
        film::still(&picture, &path).map_err(|error| failure(&path, &error))?;
        let title = session.scene().map_or_else(String::new, |scene| scene.title.clone());
        page.add(entry, &title, steps, picture.dimensions());
    }
    whole_file::put(&index, page.text().as_bytes()).map_err(|error| failure(&index, &error))
}

fn side(name: &str) -> Result<Side, Failure> {
    Side::from_str(name, true).map_err(|_| Failure::Error(format!("no side is called `{name}`")))
}

/// The page under construction.
#[derive(Default)]
struct Page {
    figures: String,
    /// Links to the documents' first figures.
    documents: Vec<(String, String)>,
}

impl Page {
    fn add(&mut self, entry: &Entry, title: &str, steps: u64, (width, height): (u32, u32)) {
        let (file, document) = (entry.file(), entry.number.split(',').next().unwrap_or_default().to_owned());
        let id = file.trim_end_matches(".png");
        if self.documents.iter().all(|(known, _)| *known != document) {
            let _ = writeln!(self.figures, "<h2>Document {}</h2>", escaped(&document));
            self.documents.push((document, id.to_owned()));
        }
        let experiment = entry.experiment.as_ref().map_or_else(String::new, |name| format!(", “{name}”"));
        let _ = writeln!(
            self.figures,
            "<figure id=\"{id}\">\n<img src=\"{file}\" width=\"{width}\" height=\"{height}\" alt=\"{}\">\n\
             <figcaption><b>{}.</b> {}<br><span>{}{} ({}), after {} \
             s</span><br><code>{}</code></figcaption>\n</figure>",
            escaped(&entry.caption),
            escaped(&entry.number),
            escaped(&entry.caption),
            escaped(title),
            escaped(&experiment),
            escaped(&entry.scene),
            entry.seconds,
            escaped(&entry.command(steps)),
        );
    }

    fn text(&self) -> String {
        let link = |(document, id): &(String, String)| format!("<a href=\"#{id}\">{}</a>", escaped(document));
        let links: Vec<_> = self.documents.iter().map(link).collect();
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width\">\n<title>The documents' \
             figures</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>The documents' figures, \
             redrawn</h1>\n<p>Each is a scene of the library after some time; the command below it draws it again. \
             Documents: {}.</p>\n{}</body>\n</html>\n",
            links.join(", "),
            self.figures,
        )
    }
}

/// Light or dark, as the reader's system is set.
const STYLE: &str = "\
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}\
body{max-width:1720px;margin:2rem auto;padding:0 1rem}\
figure{display:inline-block;vertical-align:top;width:min(100%,800px);margin:0 1rem 2rem 0}\
img{max-width:100%;height:auto;border:1px solid #8885;border-radius:4px}\
figcaption span{opacity:.75}\
code{font-size:.8rem;overflow-wrap:anywhere;opacity:.75}";

#[cfg(test)]
mod tests {
    use super::*;

    /// Each figure occurs once, with an existing scene and experiment; and 004 has twenty-four.
    #[test]
    fn the_list_names_what_there_is() {
        let list = entries(None).unwrap_or_else(|failure| panic!("{failure:?}"));
        let mut files: Vec<String> = list.iter().map(Entry::file).collect();
        files.sort();
        files.dedup();
        assert_eq!(files.len(), list.len());
        let book = |number: &u32| list.iter().any(|entry| entry.number == format!("004, figure {number}"));
        assert_eq!((1..=24).filter(book).count(), 24);
        // The figures that have letters in the book have labels here.
        let has_letters = |number: &u32| {
            let number = format!("004, figure {number}");
            list.iter().any(|entry| entry.number == number && !entry.labels.is_empty())
        };
        assert!([2, 3, 4, 13, 18].iter().all(has_letters));
        for entry in &list {
            let loaded = delassus_scene::read(&delassus_scene::library::find(&entry.scene));
            let loaded = loaded.unwrap_or_else(|mistakes| panic!("{}: {}", entry.number, mistakes[0]));
            let has = |name: &String| loaded.scene.experiments.iter().any(|experiment| experiment.name == *name);
            assert!(entry.experiment.as_ref().is_none_or(has), "{}: {:?}", entry.number, entry.experiment);
            assert!(entry.view.as_deref().is_none_or(|name| side(name).is_ok()), "{}", entry.number);
            let there = |name: &str| {
                let joint = loaded.flat.joints.iter().any(|joint| *joint.name == *name);
                joint || loaded.flat.bodies.iter().any(|body| *body.name == *name)
            };
            for name in entry.labels.iter().flat_map(labels::FigureLabel::of) {
                assert!(there(name), "{}: {name}", entry.number);
            }
            assert!(entry.seconds >= 0.0 && entry.seconds <= 30.0, "{}", entry.number);
        }
    }

    #[test]
    fn a_text_cannot_break_the_page() {
        assert_eq!(escaped("a<b & \"c\">"), "a&lt;b &amp; &quot;c&quot;&gt;");
    }
}
