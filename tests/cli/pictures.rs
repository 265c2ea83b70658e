//! `delassus render`: its pictures and messages.

use super::*;

#[test]
fn render_draws_without_a_display() {
    let folder = Folder::new();
    let output = folder
        .command(&["render", "scene.ron", "--steps", "20", "--size", "320x200", "--out", "picture.png"])
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let picture = image::open(folder.path("picture.png")).unwrap().into_rgb8();
    assert_eq!(picture.dimensions(), (320, 200));
    let colours: std::collections::HashSet<_> = picture.pixels().map(|p| p.0.map(|c| c / 16)).collect();
    assert!(colours.len() > 8, "the picture is empty: {colours:?}");
    assert!(folder.refused(&["render", "scene.ron", "--out", "no/such/folder.png"], 1).contains("no/such/folder.png"));
    folder.refused(&["render", "scene.ron", "--out", "picture.png", "--size", "0x0"], 2);
    folder.refused(&["render", "scene.ron"], 2);
}

/// Without a session's folder a driver layer once printed an error, although the picture was correct.
#[test]
fn render_prints_no_error_where_it_succeeds() {
    let folder = Folder::new();
    let output = folder
        .command(&["render", "scene.ron", "--size", "64x48", "--out", "picture.png"])
        .env_remove("XDG_RUNTIME_DIR")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    assert_eq!((output.status.code(), err(&output).as_str()), (Some(0), ""));
    // Exit codes are passed through.
    let failed =
        folder.command(&["render", "scene.ron", "--out", "no/such/folder.png"]).env_remove("XDG_RUNTIME_DIR").output();
    assert_eq!(failed.unwrap().status.code(), Some(1));
}

/// The pictures of a sequence are numbered consecutively, whatever the steps between them.
#[test]
fn a_sequence_of_pictures_is_numbered() {
    let folder = Folder::new();
    let size = ["--size", "64x48"];
    folder.out(&[&["render", "scene.ron", "--steps", "25", "--every", "10", "--out", "film.png"], &size[..]].concat());
    let mut names: Vec<_> = std::fs::read_dir(folder.dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("film"))
        .collect();
    names.sort();
    assert_eq!(names, ["film-0000.png", "film-0001.png", "film-0002.png"]);
    // Each is the picture of its own step.
    folder.out(&[&["render", "scene.ron", "--steps", "20", "--out", "last.png"], &size[..]].concat());
    let pixels = |name: &str| image::open(folder.path(name)).unwrap().into_rgb8();
    assert_eq!(pixels("film-0002.png"), pixels("last.png"));
    assert_ne!(pixels("film-0000.png"), pixels("last.png"));
}

/// Another camera gives another picture.
#[test]
fn the_camera_can_be_told() {
    let folder = Folder::new();
    let draw = |camera: &[&str]| {
        folder.out(&[&["render", "scene.ron", "--size", "96x64", "--out", "picture.png"], camera].concat());
        image::open(folder.path("picture.png")).unwrap().into_rgb8()
    };
    let own = draw(&[]);
    // The scene does not define a camera: these are the defaults.
    assert_eq!(draw(&["--eye", "6,-10,5", "--target", "0,0,1"]), own);
    let views = ["front", "back", "left", "right", "top", "bottom", "corner"].map(|side| draw(&["--view", side]));
    for (i, view) in views.iter().enumerate() {
        assert_ne!(*view, own);
        assert!(views[..i].iter().all(|other| other != view), "two views are one: {i}");
    }
    assert_ne!(draw(&["--target=1,0,4"]), own);
    folder.refused(&["render", "scene.ron", "--out", "p.png", "--eye", "1,2"], 2);
    folder.refused(&["render", "scene.ron", "--out", "p.png", "--eye", "1,2,3", "--target", "1,2,3"], 2);
    folder.refused(&["render", "scene.ron", "--out", "p.png", "--view", "front", "--eye", "1,2,3"], 2);
}

/// A film has the right pictures: the first shows the initial state, each the state at its time; plots are below.
#[test]
fn a_film_is_recorded_by_its_ending() {
    use image::AnimationDecoder;
    let folder = Folder::new();
    let film = ["render", "scene.ron", "--size", "96x64", "--seconds", "0.4", "--fps", "10", "--film"];
    for name in ["film.png", "film.gif"] {
        folder.out(&[&film[..], &[name]].concat());
        let file = std::io::BufReader::new(std::fs::File::open(folder.path(name)).unwrap());
        let frames = if name.ends_with("png") {
            image::codecs::png::PngDecoder::new(file).unwrap().apng().unwrap().into_frames().collect_frames()
        } else {
            image::codecs::gif::GifDecoder::new(file).unwrap().into_frames().collect_frames()
        };
        let frames = frames.unwrap();
        assert_eq!(frames.len(), 4, "{name}");
        assert_ne!(frames[0].buffer(), frames[3].buffer(), "the bob falls");
    }
    // The last picture of 0.4 s at 10 per second shows 0.3 s: step 30 at 100 Hz.
    folder.out(&["render", "scene.ron", "--size", "96x64", "--steps", "30", "--out", "last.png"]);
    let file = std::io::BufReader::new(std::fs::File::open(folder.path("film.png")).unwrap());
    let frames = image::codecs::png::PngDecoder::new(file).unwrap().apng().unwrap().into_frames();
    let last = frames.collect_frames().unwrap().pop().unwrap().into_buffer();
    let still = image::open(folder.path("last.png")).unwrap().into_rgba8();
    assert_eq!(last.dimensions(), still.dimensions());
    assert!(last.pixels().zip(still.pixels()).all(|(a, b)| a.0[..3] == b.0[..3]));
    folder.out(&["render", "scene.ron", "--size", "320x200", "--steps", "30", "--plots", "--out", "plots.png"]);
    let both = image::open(folder.path("plots.png")).unwrap().into_rgb8();
    assert_eq!(both.dimensions(), (320, 200 + 160));
    for (bad, code) in [("film.avi", 2), ("no/such/film.gif", 1)] {
        assert!(folder.refused(&[&film[..], &[bad]].concat(), code).contains(bad));
    }
    folder.refused(&["render", "scene.ron", "--film", "a.gif", "--seconds", "0"], 2);
    folder.refused(&["render", "scene.ron", "--film", "a.gif", "--out", "a.png"], 2);
}

/// A page of two figures: each has its picture, number, caption and the command that draws the same picture.
#[test]
fn figures_are_drawn_on_a_page() {
    let folder = Folder::new();
    let list = r#"[
        (number: "1, a <b>", caption: "It begins.", scene: "scene.ron", seconds: 0),
        (number: "1, c", caption: "It goes on.", scene: "scene.ron", seconds: 0.25, view: "front", plots: true),
        (number: "2, d", caption: "Of another document.", scene: "scene.ron", seconds: 0),
    ]"#;
    std::fs::write(folder.path("list.ron"), list).unwrap();
    let figures = ["figures", "--out", "page", "--list", "list.ron", "--size", "96x64"];
    folder.out(&[&figures[..], &["--only", "1"]].concat());
    let mut files: Vec<_> = std::fs::read_dir(folder.path("page")).unwrap().map(|f| f.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["1-a-b.png", "1-c.png", "index.html"]);
    let page = std::fs::read_to_string(folder.path("page/index.html")).unwrap();
    for part in ["1, a &lt;b&gt;", "It begins.", "It goes on.", "src=\"1-c.png\"", "<h2>Document 1</h2>"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("Of another document."));
    // The command below it draws the same picture.
    let command =
        page.lines().find_map(|line| line.split_once("<code>delassus ").filter(|(_, rest)| rest.contains("1-c")));
    let (_, command) = command.unwrap();
    let command = command.split_once("</code>").unwrap().0;
    folder.out(&[&command.split(' ').collect::<Vec<_>>()[..], &["--size", "96x64"]].concat());
    let pixels = |name: &str| image::open(folder.path(name)).unwrap().into_rgb8();
    assert_eq!(pixels("1-c.png"), pixels("page/1-c.png"));
    assert_ne!(pixels("page/1-a-b.png").dimensions(), pixels("page/1-c.png").dimensions(), "plots come below");
    folder.refused(&[&figures[..], &["--only", "3"]].concat(), 2);
    std::fs::write(folder.path("list.ron"), list.replace("scene.ron", "nowhere")).unwrap();
    assert!(folder.refused(&figures, 1).contains("1, a <b>"));
}

/// The page of all figures of the documents: 24 of 004, five of 002, two of 001. None is empty.
#[test]
fn every_figure_of_the_documents_is_drawn() {
    let folder = Folder::new();
    folder.out(&["figures", "--out", "page", "--size", "160x90"]);
    let page = std::fs::read_to_string(folder.path("page/index.html")).unwrap();
    let sources: Vec<&str> = page.split("src=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0)).collect();
    assert_eq!((sources.len(), page.matches("<figcaption>").count()), (24 + 5 + 2, 24 + 5 + 2));
    for source in sources {
        let picture = image::open(folder.path(&format!("page/{source}"))).unwrap().into_rgb8();
        let colors: std::collections::HashSet<_> = picture.pixels().map(|pixel| pixel.0).collect();
        assert!(picture.width() == 160 && colors.len() > 100, "{source}: {} colours", colors.len());
    }
}
