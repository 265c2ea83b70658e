//! A command line that opens a scene in its current state: `delassus book/09-chain --experiment "No warm starting"
//! --set solver.iterations=8 --eye 4,-6,2 --target 0,0,1`. It can be run in a terminal or pasted into the finder.

use std::path::Path;

use clap::Parser;

use super::{Change, Changes, LaunchOptions, OpenRequest, Viewpoint};
use delassus_files::built_in;
use delassus_physics::preset::Preset;
use delassus_physics::settings::{LIST, Settings};
use delassus_scene::{Scene, library::Library};
use delassus_session::Session;

/// The program's name, with which a line begins.
pub const PROGRAM: &str = "delassus";

/// The command line for the open scene.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandLine {
    pub text: String,
    /// The scene has unsaved edits: the line opens the last saved version.
    pub edited: bool,
}

#[derive(Debug, Parser)]
#[command(name = PROGRAM)]
struct Words {
    #[command(flatten)]
    options: LaunchOptions,
}

/// The line that opens a session's scene with its experiment and settings, from `viewpoint`.
///
/// # Errors
/// If the scene has no file, or one whose name cannot be written in a line.
pub fn line(session: &Session, viewpoint: Viewpoint) -> Result<CommandLine, String> {
    let file = session.file().ok_or("This scene has no file yet, and a line opens a file: save it first.")?;
    let scene = named(file).ok_or("The name of this scene's file is not text, and cannot be part of a line.")?;
    let saved = session.saved().cloned().unwrap_or_default();
    let changes = changes(session, &saved);
    let open_request = OpenRequest { scene, changes };
    let text = open_request.line(viewpoint).ok_or("The name of this scene's file cannot be part of a line.")?;
    Ok(CommandLine { text, edited: session.is_edited_beyond_settings() })
}

/// The name of a file in the program's library, which leads to it on every machine, or else its absolute path.
fn named(file: &Path) -> Option<String> {
    let id = || {
        let library = Library::now();
        let whole = built_in::canonical(file)?;
        let within = whole.strip_prefix(built_in::canonical(&library.root)?).ok()?.with_extension("");
        let id = within.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
        // A scene of the user may have the same name.
        let names = [id.clone(), format!("{}{id}", built_in::ROOT)];
        let leads_here = |name: &String| {
            library.find(name).is_some_and(|found| built_in::canonical(&found).as_ref() == Some(&whole))
        };
        names.into_iter().find(leads_here).filter(|name| !name.starts_with('-'))
    };
    id().or_else(|| built_in::absolute(file).to_str().map(str::to_owned))
}

/// The current experiment and the settings that differ from it, or the preset that the settings are, or those that differ
/// from the file: whichever is shortest.
fn changes(session: &Session, saved: &Scene) -> Changes {
    let now = session.settings();
    let file_settings = saved.settings.settings();
    let differ = |from: &Settings| -> Vec<Change> {
        let other = LIST.iter().filter(|setting| (setting.get)(now) != (setting.get)(from));
        other.map(|setting| Change::Setting { name: setting.name, value: (setting.get)(now) }).collect()
    };
    // The experiment is found by its name in the saved scene, so only the first of that name can be used.
    let shown = session.shown_experiment();
    let shown = shown.and_then(|name| saved.experiments.iter().find(|experiment| experiment.name == name));
    let shown = shown.map(|experiment| {
        let mut settings = file_settings;
        experiment.set.apply(&mut settings);
        (Some(experiment.name.clone()), None, differ(&settings))
    });
    let preset = Preset::of(now).map(|preset| (None, Some(preset), differ(&preset.chosen(&file_settings))));
    let ways = shown.into_iter().chain([(None, None, differ(&file_settings))]).chain(preset);
    let length = |preset: Option<Preset>, set: &[Change]| set.len() + usize::from(preset.is_some());
    let (experiment, preset, set) = ways.min_by_key(|(_, preset, set)| length(*preset, set)).unwrap_or_default();
    Changes { experiment, preset, set }
}

impl OpenRequest {
    /// The request as a line; `None` if a word cannot be quoted.
    fn line(&self, viewpoint: Viewpoint) -> Option<String> {
        let mut line = format!("{PROGRAM} {}", quoted(&self.scene)?);
        if let Some(name) = &self.changes.experiment {
            line += &format!(" --experiment {}", quoted(name)?);
        }
        if let Some(preset) = self.changes.preset {
            line += &format!(" --preset {}", preset.name());
        }
        for change in &self.changes.set {
            let (name, value) = match change {
                Change::Setting { name, value } => (*name, value.to_string()),
                Change::Field { path, value } => (path.as_str(), value.clone()),
            };
            line += &format!(" --set {}={}", quoted(name)?, quoted(&value)?);
        }
        for (name, value) in viewpoint.words() {
            line += &format!(" {name} {value}");
        }
        Some(if viewpoint.parallel { line + " --parallel" } else { line })
    }
}

/// Whether a typed or pasted text is a command line, and not words to search for.
pub fn is_meant(text: &str) -> bool {
    let mut words = text.split_whitespace().skip_while(|word| *word == "$");
    let program = words.next().is_some_and(is_program);
    let argument = |word: &str| word.len() > 2 && word.starts_with("--");
    (program && text.trim_start().contains(char::is_whitespace)) || text.split_whitespace().skip(1).any(argument)
}

/// Whether a text that begins like a command line may be words to search for, such as "delassus matrix".
pub fn may_be_words(text: &str) -> bool {
    !text.contains("--") && text.split_whitespace().nth(1).is_some()
}

/// Whether a word is this program's name or a path to it.
fn is_program(word: &str) -> bool {
    Path::new(word).file_stem().is_some_and(|name| name == PROGRAM)
}

/// Parses a line, with or without the program's name.
///
/// # Errors
/// What is wrong with the line.
pub fn read(text: &str) -> Result<LaunchOptions, String> {
    // A backslash at the end of a line continues it.
    let words = shlex::split(&text.replace("\\\n", " ")).ok_or("a quotation mark is open at the line's end")?;
    of_words(words.into_iter().skip_while(|word| word == "$").skip_while(|word| is_program(word)))
}

/// Parses the words of a line without the program's name.
///
/// # Errors
/// What is wrong with them.
pub fn of_words(words: impl IntoIterator<Item = String>) -> Result<LaunchOptions, String> {
    let Words { options } = Words::try_parse_from(std::iter::once(PROGRAM.to_owned()).chain(words)).map_err(plainly)?;
    let Some(open_request) = options.open_request() else {
        return Err(format!("the name of a scene is missing, as in `{PROGRAM} book/09-chain`"));
    };
    open_request.check().map_err(|error| error.to_string())?;
    Ok(options)
}

/// The message about wrong arguments in one line, without the help text that is meant for terminals.
fn plainly(error: clap::Error) -> String {
    use clap::error::ErrorKind::{DisplayHelp, DisplayVersion};
    if matches!(error.kind(), DisplayHelp | DisplayVersion) {
        return "this line asks for help, and opens no scene".into();
    }
    let text = error.to_string();
    let said = text.split("\n\n").take_while(|part| !part.starts_with("Usage") && !part.starts_with("For more"));
    let said: Vec<_> = said.map(|part| part.trim().trim_start_matches("error: ")).collect();
    delassus_scene::mistake::one_line(&said.join("; "))
}

/// A word quoted for a shell.
fn quoted(word: &str) -> Option<String> {
    shlex::try_quote(word).ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_line_is_told_in_a_sentence() {
        for (text, message) in [
            ("delassus", "the name of a scene is missing"),
            ("delassus book/9-chain", "did you mean `book/09-chain`?"),
            ("delassus book/09-chain --experiment 'Warm start of'", "no experiment is called"),
            ("delassus book/09-chain --set solver.iteration=3", "did you mean `solver.iterations`?"),
            ("delassus book/09-chain --set solver.iterations=many", "`solver.iterations` takes 0 to"),
            ("delassus book/09-chain --set bodies.nobody.mass=3", "no body is called `nobody`"),
            ("delassus book/09-chain --eye 1,2", "expected X,Y,Z in metres"),
            ("delassus book/09-chain --sett a=b", "--sett"),
            ("delassus book/09-chain --experiment \"Warm", "a quotation mark is open"),
            ("delassus --set solver.iterations=3", "SCENE"),
            ("delassus --help", "asks for help"),
            ("delassus run book/09-chain", "unexpected argument"),
        ] {
            let why = read(text).expect_err(text);
            assert!(why.contains(message), "{text}: {why}");
            assert!(!why.contains('\n') && !why.contains("Usage"), "{text}: {why}");
        }
    }

    #[test]
    fn a_line_may_come_from_a_terminal_with_its_prompt_and_its_way() {
        for text in [
            "delassus book/09-chain --set solver.iterations=3",
            "  $ ./target/release/delassus book/09-chain --set solver.iterations=3\n",
            "/usr/local/bin/delassus book/09-chain \\\n  --set solver.iterations=3",
            "book/09-chain --set=solver.iterations=3",
        ] {
            let options = read(text).unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!(
                options.open_request().and_then(|o| o.line(options.viewpoint)).as_deref(),
                Some("delassus book/09-chain --set solver.iterations=3")
            );
            assert!(is_meant(text), "{text}");
        }
        for text in ["hanging chain", "delassus", "", "chain -- long", "--"] {
            assert!(!is_meant(text), "{text}");
        }
    }
}
