//! Executes commands: the only way to change a session.

use delassus_scene::Words as _;
use std::sync::Arc;
use std::time::Duration;

use super::document::edit::element;
use super::document::edit::{Edit, keep_pose, resolve};
use super::document::history::Gesture;
use super::open::OpenScene;
use super::run::Input;
use super::snapshot::samples::TimeTick;
use super::{Command, Session, SessionError};
use delassus_physics::mouse_joint::MouseJoint;
use delassus_physics::setting::{Domain, Setting, Value};
use delassus_physics::settings::Settings;
use delassus_scene::Scene;
use delassus_scene::words::SettingWords;

/// Range of the playback speed, simulated seconds per second of wall time.
pub const SPEEDS: std::ops::RangeInclusive<f32> = 0.01..=10.0;

/// Time that comparison runs get to catch up after a command; what is left is caught up in later frames.
const CATCH_UP: Duration = Duration::from_millis(20);

impl Session {
    /// Executes a command. If it is refused, nothing changes.
    ///
    /// # Errors
    /// See [`SessionError`].
    pub fn dispatch(&mut self, command: Command) -> Result<(), SessionError> {
        if self.waits(&command)? {
            return Ok(());
        }
        let done = self.act(command);
        self.go_ahead();
        done
    }

    /// Executes a command at once, without waiting for a step in progress.
    pub(super) fn act(&mut self, command: Command) -> Result<(), SessionError> {
        let before = self.before_command().filter(|_| !command.travels());
        self.comparison.rests = false;
        let done = self.execute(command);
        if let Some(before) = before {
            self.after_command(&before);
        }
        self.follow_runs(CATCH_UP);
        done
    }

    fn execute(&mut self, command: Command) -> Result<(), SessionError> {
        match command {
            Command::Play => self.play(true),
            Command::Pause => {
                self.ask_no_more();
                self.seeking = None;
                if let Some(open) = &self.open {
                    self.comparison.pause(&open.run);
                }
                self.play(false);
            }
            Command::TogglePlay => self.play(!self.clock.playing),
            Command::SetSpeed(speed) => {
                let speed = if speed.is_nan() { 1.0 } else { speed };
                self.clock.speed = speed.clamp(*SPEEDS.start(), *SPEEDS.end());
                self.clock.reset_factor();
            }
            Command::Step => self.step_by_hand()?,
            Command::StepBack => self.step_back()?,
            Command::Seek(step) => self.seek(step)?,
            Command::Fork => self.fork()?,
            Command::SwitchTo(branch) => self.switch_to(branch)?,
            Command::RenameBranch(branch, name) => self.rename_branch(branch, name)?,
            Command::DeleteBranch(branch) => self.delete_branch(branch)?,
            Command::AddBreakpoint(text) => {
                self.breakpoints.add(&text, &self.snapshot, self.samples.samples.back())?;
            }
            Command::SetGoal(claims) => self.set_goal(claims),
            Command::Log(on) => self.log(on),
            Command::SwitchBreakpoint(number, on) => self.breakpoints.switch(number, on),
            Command::ForgetBreakpoint(number) => self.breakpoints.remove(number),
            Command::Bookmark { step, name } => self.bookmark(step, name),
            Command::Reset => self.reset()?,
            Command::ForgetEarlier => self.earlier = None,
            Command::Set { name, value } => self.set(name, value)?,
            Command::ChoosePreset(preset) => {
                let settings = preset.chosen(&self.settings);
                self.replace_settings(format!("Preset {}", preset.name()), None, &settings)?;
            }
            Command::ResetSetting(name) => {
                let setting = Settings::find(name)?;
                self.set(setting.name, (setting.get)(&self.file_settings))?;
            }
            Command::ResetSettings => {
                const LABEL: &str = "Settings as in the file";
                self.remove_overlay(LABEL);
                let file = self.file_settings;
                self.replace_settings(LABEL.into(), None, &file)?;
            }
            Command::ApplyExperiment(index) => self.overlay_experiment(index)?,
            Command::Overlay(changes) => self.overlay_settings(&changes)?,
            Command::KeepPose => {
                let open = self.open.as_ref().ok_or(SessionError::NoScene)?;
                let scene = keep_pose::kept(open);
                self.edit("Keep this pose".into(), None, scene)?;
            }
            Command::Edit { edit, gesture } => self.change(&edit, gesture)?,
            Command::ApplyFix(fix) => self.apply_fix(&fix)?,
            Command::Examine => self.examine(),
            Command::MouseJoint { body, point, target } => self.pull(Some(MouseJoint { body, point, target }))?,
            Command::Release => self.pull(None)?,
            Command::Watch(joint) => {
                self.watched = Some(joint);
                self.samples.watch(joint);
            }
            Command::Undo => self.time_travel(-1)?,
            Command::Redo => self.time_travel(1)?,
            Command::Travel(by) => self.time_travel(by)?,
            Command::New => {
                self.play(false);
                self.install(OpenScene::new(delassus_scene::blank(), None));
            }
            Command::Recover { text, file, base } => self.install(OpenScene::recover(&text, file, base)?),
            Command::Open(path) => self.read(&path)?,
            Command::Reload => self.reload()?,
            Command::Merge { conflict, theirs } => self.merge(&conflict, &theirs)?,
            Command::ReadParts => self.read_parts()?,
            Command::Save => {
                let file = self.file().ok_or(SessionError::NoFile)?.to_path_buf();
                self.without_overlay(|session| session.save(&file))?;
            }
            Command::SaveAs(path) => self.without_overlay(|session| session.save(&path))?,
            Command::Export(path) => self.export(&path)?,
            Command::Record => self.record()?,
            Command::Compare(asked) => self.compare(asked)?,
            Command::StopRecording => self.recorder = None,
            Command::SaveRecording(path) => self.save_recording(&path)?,
        }
        Ok(())
    }

    pub(super) fn play(&mut self, playing: bool) {
        if self.clock.playing != playing {
            self.ask_no_more();
            self.seeking = None;
            self.clock.playing = playing;
            self.clock.clear_time_due();
            self.clock.reset_factor();
            self.complete();
            self.snapshot.still();
        }
    }

    fn reset(&mut self) -> Result<(), SessionError> {
        let line = self.line_to_take_back();
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let remade = open.restart(self.settings)?;
        self.history.forget_moments();
        self.take_back(line, (0, 0.0));
        self.bookmarks.clear();
        self.name_branch("Reset");
        self.write("", false);
        self.generation += u64::from(remade);
        // The samples before the reset are drawn as a ghost: they show what another setting changes in the same run.
        if remade {
            self.earlier = None;
        } else if self.samples.samples.len() > 1 {
            self.earlier = Some(Box::new(self.samples.clone()));
        }
        self.show_new_world();
        if remade {
            self.examine();
        }
        Ok(())
    }

    fn set(&mut self, name: &'static str, value: Value) -> Result<(), SessionError> {
        let setting = Settings::find(name)?;
        let mut settings = self.settings;
        settings.set(name, value)?;
        let drag = !matches!(setting.domain, Domain::Switch | Domain::Choice(_));
        self.replace_settings(describe(setting, value), drag.then_some(Gesture::Setting(setting.name)), &settings)
    }

    /// Replaces the settings of the document, as an edit.
    pub(super) fn replace_settings(
        &mut self,
        label: String,
        drag: Option<Gesture>,
        settings: &Settings,
    ) -> Result<(), SessionError> {
        let scene = self.open.as_ref().ok_or(SessionError::NoScene)?.document.with_settings(settings);
        self.edit(label, drag, scene)
    }

    /// Replaces the document, as an edit that leaves the bodies alone; the world takes over its settings.
    pub(super) fn edit(&mut self, label: String, drag: Option<Gesture>, scene: Scene) -> Result<(), SessionError> {
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        if *open.document.scene == scene {
            return Ok(());
        }
        self.diverge();
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let same_drag = drag.is_some_and(|gesture| self.history.is_dragging(gesture));
        let before = open.document.scene.clone();
        open.document.set_scene(scene.into());
        self.note(label.clone(), false, drag, &before, None);
        self.revision += 1;
        self.sync_settings(label, same_drag);
        self.follow_plots();
        Ok(())
    }

    /// Edits bodies and joints; the world takes the edit over.
    pub(super) fn change(&mut self, edit: &Edit, gesture: Option<Gesture>) -> Result<(), SessionError> {
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let before = open.document.scene.clone();
        if let Edit::Element(words) = edit
            && words.is_words()
        {
            let edited = element::apply((*before).clone(), words)?;
            return self.edit(edited.label, gesture, edited.scene);
        }
        self.follow_words(&before)?;
        let open = self.open.as_ref().ok_or(SessionError::NoScene)?;
        let edited = resolve::edited(open, edit)?;
        if *before == edited.scene {
            return Ok(());
        }
        self.follow_bodies(edited.label, gesture, &before, Arc::new(edited.scene))
    }

    /// Replaces the document by this scene. The world's bodies follow, as after an edit.
    pub(super) fn become_scene(&mut self, scene: Scene) -> Result<(), SessionError> {
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let before = open.document.scene.clone();
        self.follow_words(&before)?;
        self.follow_bodies("Recorded".into(), None, &before, Arc::new(scene))
    }

    /// Before an edit of bodies: updates the world to the document, if a pose was kept since the world was made.
    fn follow_words(&mut self, document: &Arc<Scene>) -> Result<(), SessionError> {
        let open = self.open.as_ref().ok_or(SessionError::NoScene)?;
        if open.made_from.makes_the_world_of(document) {
            return Ok(());
        }
        self.diverge();
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let next = open.next(document, document, self.settings)?;
        open.go_on(next, document, false);
        self.write("Keep this pose", false);
        Ok(())
    }

    /// Changes document and world from `before` to `after`.
    fn follow_bodies(
        &mut self,
        label: String,
        gesture: Option<Gesture>,
        before: &Arc<Scene>,
        after: Arc<Scene>,
    ) -> Result<(), SessionError> {
        let open = self.open.as_ref().ok_or(SessionError::NoScene)?;
        let next = open.next(before, &after, self.settings)?;
        self.diverge();
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let joins = gesture.is_some_and(|gesture| self.history.is_dragging(gesture));
        if joins {
            self.history.let_go();
        }
        let moment = open.go_on(next, &after, joins);
        open.document.set_scene(after);
        self.note(label, true, gesture, before, moment);
        self.generation += 1;
        self.revision += 1;
        self.show_edited_world();
        Ok(())
    }

    /// Passes the document's settings to the world. If they changed, marks the moment on the plots.
    pub(super) fn sync_settings(&mut self, label: String, replaces: bool) {
        let Some(open) = &mut self.open else { return };
        let settings = open.document.settings();
        if settings != self.settings {
            self.settings = settings;
            open.run.input(Input::Settings(settings));
            let (time, step) = (open.run.world().state.time, open.run.world().state.step_count);
            self.samples.mark(TimeTick { time, step, label }, replaces);
        }
    }

    /// Whether the mouse joint can pull this body.
    pub(super) fn can_pull(&self, pull: &MouseJoint) -> Result<(), SessionError> {
        let open = self.open.as_ref().ok_or(SessionError::NoScene)?;
        let known = open.run.world().state.bodies.get(pull.body as usize).is_some_and(|body| body.is_dynamic());
        let well = known && pull.point.is_finite() && pull.target.is_finite();
        if well { Ok(()) } else { Err(SessionError::NoBody(pull.body)) }
    }

    fn pull(&mut self, mouse_joint: Option<MouseJoint>) -> Result<(), SessionError> {
        if let Some(mouse_joint) = &mouse_joint {
            self.can_pull(mouse_joint)?;
        }
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        if open.run.world().state.mouse_joint != mouse_joint {
            self.diverge();
            self.name_branch("Pulled");
            let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
            open.run.input(Input::MouseJoint(mouse_joint));
            self.snapshot.show_mouse_joint(open.run.world());
        }
        Ok(())
    }
}

/// Label of a change in the history and on the plots: “Warm starting off”, “Solver: iterations 50”.
fn describe(setting: &Setting, value: Value) -> String {
    let value = match (value, setting.domain) {
        (Value::Bool(on), _) => if on { "on" } else { "off" }.to_owned(),
        (Value::Choice(name), Domain::Choice(choices)) => {
            choices.words().iter().find(|c| c.name == name).map_or(name, |c| c.label).to_owned()
        }
        (other, _) => other.to_string(),
    };
    let unit = if setting.unit.is_empty() { String::new() } else { format!(" {}", setting.unit) };
    let SettingWords { group, label, .. } = setting.words();
    if label == group { format!("{label} {value}{unit}") } else { format!("{group}: {label} {value}{unit}") }
}
