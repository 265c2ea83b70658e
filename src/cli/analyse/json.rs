//! The analysis as JSON: what the columns have, with names, and what was found besides.

use serde_json::{Map, Value, json};

use delassus_analysis::{Analysis, Barrier, DoctorCase, Reaction, Sample};

/// The analysis. Angles are in rad; a number that is not finite is null.
pub fn json(analysis: &Analysis, case: &DoctorCase<'_>, title: &str) -> Value {
    let names = |joints: &[usize]| joints.iter().map(|joint| case.joint(*joint)).collect::<Vec<_>>();
    let [unit, speed_unit, load_unit] = analysis.measure.units();
    json!({
        "title": title,
        "over": case.joint(analysis.joint),
        "units": { "driven": unit, "speed": speed_unit, "drive": load_unit },
        "speed": analysis.speed,
        "size": analysis.size,
        "held": names(&analysis.held),
        "output": analysis.output.map(|joint| case.joint(joint)),
        "open_at_start": analysis.open,
        "redundant_rows": analysis.redundant,
        "idle_motions": analysis.idle.motions,
        "single_precision": analysis.is_single_precision,
        "without_friction_of": names(&analysis.with_friction),
        "without_motors_of": names(&analysis.with_motor),
        "plane_normal": analysis.normal.map(|n| n.to_array()),
        "stopped": analysis.stopped.map(|stopped| json!({
            "driven": stopped.value,
            "at": match stopped.barrier {
                Barrier::DeadCentre => "dead centre",
                Barrier::Stop { .. } => "stop",
            },
            "joint": match stopped.barrier {
                Barrier::DeadCentre => None,
                Barrier::Stop { joint } => Some(case.joint(joint)),
            },
        })),
        "dead_centres": analysis.turns.iter().map(|turn| json!({
            "joint": case.joint(turn.joint), "driven": turn.driven, "value": turn.value,
        })).collect::<Vec<_>>(),
        "motor": analysis.motor.map(|motor| json!({ "cap": motor.cap, "worst": motor.worst, "driven": motor.at })),
        "samples": analysis.samples.iter().map(|sample| of(analysis, case, sample)).collect::<Vec<_>>(),
    })
}

fn of(analysis: &Analysis, case: &DoctorCase<'_>, sample: &Sample) -> Value {
    let reaction = |r: &Reaction| json!({ "force": r.force.to_array(), "torque": r.torque.to_array() });
    let mut joints = Map::new();
    for (index, joint) in analysis.joints.iter().zip(&sample.joints) {
        let mut own = json!({ "still": reaction(&joint.at_rest), "moving": reaction(&joint.moving) });
        if let Some([value, speed, acceleration]) = joint.value {
            own["value"] = json!(value);
            own["speed"] = json!(speed);
            own["acceleration"] = json!(acceleration);
        }
        joints.insert(case.joint(*index).into(), own);
    }
    let mut bodies = Map::new();
    for (id, body) in analysis.bodies.iter().zip(&sample.bodies) {
        let own = json!({
            "position": body.position.to_array(),
            "rotation": body.rotation.to_array(),
            "velocity": body.velocity.linear.to_array(),
            "angular_velocity": body.velocity.angular.to_array(),
            "acceleration": body.acceleration.linear.to_array(),
            "angular_acceleration": body.acceleration.angular.to_array(),
        });
        bodies.insert(case.body(*id).into(), own);
    }
    let centres: Vec<Value> = (analysis.centres.iter().zip(&sample.centres))
        .map(
            |(pair, centre)| json!({ "bodies": pair.bodies.map(|b| case.body(b)), "at": centre.map(|c| c.to_array()) }),
        )
        .collect();
    let held: Vec<Value> = (analysis.held.iter().zip(&sample.held))
        .map(|(joint, load)| json!({ "joint": case.joint(*joint), "still": load.at_rest, "moving": load.moving }))
        .collect();
    json!({
        "driven": sample.value,
        "drive": { "still": sample.drive.at_rest, "moving": sample.drive.moving },
        "held": held,
        "ratio": sample.ratio,
        "advantage": sample.advantage(),
        "joints": joints,
        "bodies": bodies,
        "centres": centres,
        "point": sample.point.map(|[place, velocity, acceleration]| json!({
            "position": place.to_array(), "velocity": velocity.to_array(), "acceleration": acceleration.to_array(),
        })),
        "error": sample.error,
    })
}
