//! Files beside a model: meshes by every kind of path, included files, and what is missing.

use std::path::Path;

use delassus_import::places::candidates;
use delassus_import::{Options, disk, import};
use delassus_physics::shape::Shape;

use super::{body, notes_say};

const CUBE: &str = "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 2 2 0\nv 0 0 2\nv 2 0 2\nv 0 2 2\nv 2 2 2\n\
    f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

fn robot(file: &str) -> String {
    format!(
        r#"<robot name="r"><link name="world"/><link name="a">
  <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
  <collision><geometry><mesh filename="{file}" scale="0.5 0.5 0.5"/></geometry></collision></link>
  <joint name="j" type="continuous"><parent link="world"/><child link="a"/></joint></robot>"#
    )
}

#[test]
fn meshes_are_found_by_every_kind_of_path() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    std::fs::create_dir_all(at("ws/arm/urdf")).unwrap();
    std::fs::create_dir_all(at("ws/arm/meshes")).unwrap();
    std::fs::write(at("ws/arm/meshes/cube.obj"), CUBE).unwrap();
    let model = at("ws/arm/urdf/arm.urdf");
    let absolute = format!("file://{}", at("ws/arm/meshes/cube.obj").display());
    for file in ["../meshes/cube.obj", "package://arm/meshes/cube.obj", "package://other/meshes/cube.obj", &absolute] {
        std::fs::write(&model, robot(file)).unwrap();
        let imported = disk::read(&model, &Options::default()).unwrap();
        let Shape::Hull { points } = &body(&imported, "a").shape else { panic!("a hull") };
        assert_eq!(points.len(), 8, "{file}");
        assert!(points.iter().all(|p| p.max_element() <= 1.0), "{file}: it is scaled");
    }
    std::fs::write(&model, robot("absent.stl")).unwrap();
    let imported = disk::read(&model, &Options::default()).unwrap();
    assert!(notes_say(&imported, &["line 3", "mesh `absent.stl`", "no such file"]));
    assert!(notes_say(&imported, &["links without a shape"]) && !body(&imported, "a").collide);
}

#[test]
fn packages_are_looked_for_in_the_folders_above() {
    let found = candidates(Path::new("/ws/arm/urdf/arm.urdf"), "package://arm/meshes/a.stl");
    for path in ["/ws/arm/meshes/a.stl", "/ws/arm/urdf/arm/meshes/a.stl"] {
        assert!(found.iter().any(|candidate| candidate == Path::new(path)), "{found:?}");
    }
}

#[test]
fn a_part_of_a_model_in_another_file_is_read_with_it() {
    let part =
        "<mujocoinclude>\n<body name=\"b\"><freejoint/><geom size=\"0.1\" rgba=\"1 1 1 1\"/></body></mujocoinclude>";
    let model = r#"<mujoco><worldbody><include file="part.xml"/><include file="gone.xml"/></worldbody></mujoco>"#;
    let read = |name: &str| match name {
        "part.xml" => Ok(part.as_bytes().to_vec()),
        _ => Err("there is no such file".into()),
    };
    let imported = import("model.xml", model, &Options::default(), &read).unwrap();
    body(&imported, "b");
    assert!(notes_say(&imported, &["gone.xml", "no such file"]) && notes_say(&imported, &["part.xml, line 2", "rgba"]));
    // A file that includes itself ends.
    let endless = import("m.xml", model, &Options::default(), &|_| Ok(model.as_bytes().to_vec()));
    assert!(endless.unwrap_err().what.contains("files are included"));
}
