//! The page of results that a learner hands in: predictions, runs and exercises, as HTML without scripts.

use super::{Answers, Progress, Stage};
use delassus_figure::escaped;
use delassus_scene::lesson::Lesson;

/// The page about all lessons that were begun.
pub fn page(lessons: &[Lesson], answers: &Answers, progress: &Progress) -> String {
    let begun: Vec<&Lesson> = lessons.iter().filter(|lesson| progress.stage(answers, lesson) != Stage::New).collect();
    let (mut points, mut most, mut right, mut predicted) = (0, 0, 0, 0);
    let mut rows = String::new();
    for lesson in &begun {
        let answer = answers.get(&lesson.id).filter(|_| lesson.predicts());
        let prediction = answer.map_or_else(String::new, |answer| {
            let is_right = *answer == lesson.prediction.right;
            predicted += 1;
            right += usize::from(is_right);
            let choice = lesson.prediction.choices.get(*answer).map_or("", String::as_str);
            format!("{} {}", if is_right { "&#10003;" } else { "&#10007;" }, escaped(choice))
        });
        let runs = (0..lesson.trials.len()).filter(|trial| progress.ran(lesson, *trial)).count();
        let runs = if lesson.trials.is_empty() { String::new() } else { format!("{runs} of {}", lesson.trials.len()) };
        let record = lesson.exercise.as_ref().and_then(|_| progress.exercises.get(&lesson.id));
        let cells = record.map_or_else(<[String; 4]>::default, |record| {
            let got = record.points();
            (points, most) = (points + got.0, most + got.1);
            let best = record.cost.map_or_else(String::new, |cost| cost.to_string());
            let best =
                record.author.filter(|_| !best.is_empty()).map_or(best.clone(), |a| format!("{best} (author: {a})"));
            let hints = if record.revealed { "solution shown".to_owned() } else { record.hints.to_string() };
            [format!("{} of {}", got.0, got.1), record.attempts.to_string(), hints, best]
        });
        rows += &format!("<tr><td>{}</td><td>{prediction}</td><td>{runs}</td>", escaped(&lesson.title));
        cells.iter().for_each(|cell| rows += &format!("<td>{cell}</td>"));
        rows += "</tr>\n";
    }
    let name = match progress.name.trim() {
        "" => "Results".to_owned(),
        name => format!("Results of {}", escaped(name)),
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{name}</title>\n<style>\n\
         body {{ font: 15px/1.4 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; }}\n\
         table {{ border-collapse: collapse; }}\nth, td {{ border: 1px solid #bbb; padding: 4px 8px; \
         text-align: left; vertical-align: top; }}\n</style>\n</head>\n<body>\n<h1>{name}</h1>\n\
         <p>Delassus, lessons: {} of {} begun. Predictions: {right} of {predicted} right. Exercises: {points} of {most} \
         points.</p>\n<table>\n<tr><th>Lesson</th><th>Prediction</th><th>Runs</th><th>Points</th><th>Tries</th>\
         <th>Hints</th><th>Best</th></tr>\n{rows}</table>\n</body>\n</html>\n",
        begun.len(),
        lessons.len(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::exercise::ExerciseRecord;
    use super::*;
    use delassus_scene::lesson::{Exercise, Goal, Prediction, Trial};

    #[test]
    fn the_page_has_what_was_begun_and_nothing_of_it_is_markup() {
        let prediction = Prediction { choices: vec!["<b>One".into(), "Two".into()], right: 1, ..Prediction::default() };
        let lesson = |id: &str| Lesson {
            id: id.into(),
            title: format!("Lesson {id}"),
            prediction: prediction.clone(),
            trials: vec![Trial::default(); 2],
            ..Lesson::default()
        };
        let task = Lesson {
            id: "task".into(),
            title: "Sweeps & points".into(),
            exercise: Some(Exercise {
                task: String::new(),
                goal: Goal::Find("pin".into()),
                hints: Vec::new(),
                solved: String::new(),
            }),
            ..Lesson::default()
        };
        let lessons = [lesson("a"), lesson("b"), task];
        let answers = Answers::from([("a".to_owned(), 0)]);
        let mut progress = Progress { name: "A. <Student>".into(), ..Progress::default() };
        progress.note_run("a", 1);
        let record = ExerciseRecord {
            attempts: 4,
            hints: 1,
            solved: true,
            cost: Some(14.0),
            author: Some(12.0),
            ..ExerciseRecord::default()
        };
        progress.exercises.insert("task".into(), record);
        let page = page(&lessons, &answers, &progress);
        for part in [
            "<h1>Results of A. &lt;Student&gt;</h1>",
            "2 of 3 begun. Predictions: 0 of 1 right. Exercises: 1 of 3 points.",
            "<tr><td>Lesson a</td><td>&#10007; &lt;b&gt;One</td><td>1 of 2</td>",
            "<tr><td>Sweeps &amp; points</td><td></td><td></td><td>1 of 3</td><td>4</td><td>1</td><td>14 (author: 12)</td></tr>",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
        assert!(!page.contains("Lesson b"), "it was not begun");
    }
}
