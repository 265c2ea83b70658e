//! The tables of a run: their columns, where they go, and how they are thinned.

use super::*;

const METRICS: &str = "step,time,kinetic_energy,potential_energy,momentum_x,momentum_y,momentum_z,\
    angular_momentum_x,angular_momentum_y,angular_momentum_z,joint_error_max,joint_error_mean,penetration_max,\
    contacts,rows,residual,step_ms,spring_energy,broken,sweeps,parts,radius,angular_error_max,energy,stopped,\
    guarded,asleep,trusted,distrust";
const BODIES: &str = "step,time,body,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz,speed,spin,tilt";
const CONTACTS: &str =
    "step,time,contact,points,normal,friction,used,penetration,force_x,force_y,force_z,force,twist,rolling";
const JOINTS: &str = "step,time,joint,error,angular_error,value,speed,impulse,force,torque,anchor_x,anchor_y,anchor_z,\
    axis_x,axis_y,axis_z,spring,motor,limit,swing,energy,at,broken,residual,friction,damping,coupling,slide_x,slide_y,slide_z,\
    angle_x,angle_y,angle_z";

#[test]
fn metrics_are_a_line_a_step() {
    let table = Folder::new().out(&["run", "scene.ron", "--steps", "20", "--csv", "-"]);
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(lines[0], METRICS);
    assert_eq!(lines.len(), 1 + 20);
    // The radius is estimated only on request: otherwise its field is empty.
    let first: Vec<f64> = lines[1].split(',').filter(|v| !v.is_empty()).map(|v| v.parse().unwrap()).collect();
    assert_eq!((first.len(), first[0], first[1]), (27, 1.0, 0.01));
    // The momentum of a first step of free fall is g h m, reduced by the hinge; the energy is that of 1 kg at 4 m.
    assert!(first[6] < 0.0 && first[6] > -0.0982, "momentum_z {}", first[6]);
    assert!((first[2] + first[3] - 9.81 * 4.0).abs() < 0.1, "energy {} + {}", first[2], first[3]);
}

#[test]
fn tables_go_to_files_and_every_thins_them() {
    let folder = Folder::new();
    let summary = folder.out(&[
        "run",
        "scene.ron",
        "--seconds",
        "0.5",
        "--every",
        "10",
        "--csv",
        "m.csv",
        "--bodies",
        "b.csv",
        "--joints",
        "j.csv",
    ]);
    assert!(summary.contains("state hash") && summary.contains("50 steps"), "{summary}");
    let (metrics, bodies, joints) = (folder.read("m.csv"), folder.read("b.csv"), folder.read("j.csv"));
    assert_eq!(metrics.lines().next(), Some(METRICS));
    assert_eq!(bodies.lines().next(), Some(BODIES));
    assert_eq!(joints.lines().next(), Some(JOINTS));
    assert_eq!((metrics.lines().count(), bodies.lines().count(), joints.lines().count()), (6, 11, 6));
    assert!(bodies.lines().nth(1).unwrap().starts_with("10,"), "{bodies}");
    assert!(bodies.lines().nth(2).unwrap().contains(",bob,") && joints.contains(",post-bob,"));
}

#[test]
fn with_a_table_on_standard_output_the_summary_goes_elsewhere() {
    let output = Folder::new().run(&["run", "scene.ron", "--steps", "3", "--bodies", "-"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1 + 3 * 2);
    assert!(err(&output).contains("state hash"));
}

/// A box on a slider rests on the lower stop: the table has the stop's force, the whole joint's, and the name of the
/// stop.
#[test]
fn the_joints_table_tells_groups_and_stops() {
    let folder = Folder::new();
    let slider = SCENE.replace(
        r#"(a: "post", b: "bob", anchor: (0, 0, 4), axis: (0, 1, 0), kind: Hinge())"#,
        r#"(b: "bob", axis: (0, 0, 1), kind: Prismatic(limit: (-0.2, 0.2)), breaks: (force: 1000))"#,
    );
    folder.write("slider.ron", &slider);
    let table = folder.out(&["run", "slider.ron", "--steps", "200", "--joints", "-"]);
    let headings: Vec<_> = table.lines().next().unwrap().split(',').collect();
    let last: Vec<_> = table.lines().last().unwrap().split(',').collect();
    let field = |name: &str| last[headings.iter().position(|h| *h == name).unwrap()];
    let number = |name: &str| field(name).parse::<f64>().unwrap();
    assert!((number("limit") - 9.81).abs() < 0.01 && (number("force") - 9.81).abs() < 0.01, "{last:?}");
    assert!((number("value") + 0.2).abs() < 1e-3 && number("motor") == 0.0 && number("spring") == 0.0, "{last:?}");
    assert_eq!((field("at"), field("broken")), ("least", "0"));
}

/// docs/columns.md is the program's own output, and every column of every table has a description.
#[test]
fn the_document_of_the_columns_is_the_programs_own() {
    let folder = Folder::new();
    let printed = folder.out(&["columns", "--markdown"]);
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/columns.md");
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        printed,
        "write `delassus columns --markdown` to {}",
        file.display()
    );
    let lists = folder.out(&["columns"]);
    for name in [METRICS, BODIES, JOINTS, CONTACTS].iter().flat_map(|table| table.split(',')) {
        assert!(printed.contains(&format!("| `{name}` |")) && lists.contains(&format!("  {name} ")), "{name}");
    }
}
