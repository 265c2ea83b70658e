//! Names that other programs and files have for our fields, to propose ours.

/// A field, and what else it is called.
const NAMES: &[(&str, &[&str])] = &[
    ("anchor", &["at", "pivot", "position", "pos", "point", "origin"]),
    ("at", &["position", "pos", "center", "centre", "translation", "location", "origin", "xyz"]),
    ("rotation", &["orientation", "quaternion", "quat", "rpy", "euler"]),
    ("half", &["size", "extents", "half_extents", "half_size", "dimensions"]),
    ("radius", &["r"]),
    ("half_length", &["length", "height", "half_height"]),
    ("velocity", &["v", "linear_velocity"]),
    ("angular_velocity", &["omega", "w", "angular"]),
    ("friction", &["mu"]),
    ("restitution", &["e", "bounce", "bounciness", "elasticity"]),
    ("shape", &["geometry", "collider"]),
    ("motion", &["type", "static", "fixed", "dynamic", "kinematic"]),
    ("kind", &["type", "joint"]),
    ("a", &["parent", "body_a", "body1", "from"]),
    ("b", &["child", "body_b", "body2", "body", "to"]),
    ("limit", &["limits", "range", "stops"]),
    ("hertz", &["frequency", "freq", "f"]),
    ("stiffness", &["k", "ks", "kp", "spring_constant"]),
    ("damping", &["c", "d", "kd", "damper"]),
    ("damping_ratio", &["zeta", "ratio"]),
    ("speed", &["target", "target_velocity", "velocity"]),
    ("max_torque", &["torque", "effort", "max_force", "force"]),
    ("max_force", &["effort", "max_torque", "torque", "force"]),
    ("mass_centre", &["com", "center_of_mass", "centre_of_mass", "center", "cog", "ipos"]),
    ("inertia", &["inertia_tensor", "fullinertia", "diaginertia", "moments", "inertial"]),
    ("groups", &["group", "layers", "layer", "collision_layer", "contype", "category", "category_bits"]),
    ("mask", &["collision_mask", "conaffinity", "mask_bits", "filter", "collides_with"]),
    ("xx", &["ixx", "x"]),
    ("yy", &["iyy", "y"]),
    ("zz", &["izz", "z"]),
    ("xy", &["ixy"]),
    ("xz", &["ixz"]),
    ("yz", &["iyz"]),
    ("name", &["id", "label"]),
];

/// The field of `expected` that is meant by another name.
pub fn meant(found: &str, expected: &[&'static str]) -> Option<&'static str> {
    let mut named = NAMES.iter().filter(|(_, others)| others.contains(&found)).map(|(name, _)| *name);
    named.find(|name| expected.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_call_it_is_known_where_it_is_expected() {
        assert_eq!(meant("at", &["a", "b", "anchor", "axis"]), Some("anchor"));
        assert_eq!(meant("position", &["name", "shape", "at"]), Some("at"));
        assert_eq!(meant("k", &["hertz", "stiffness"]), Some("stiffness"));
        assert_eq!(meant("com", &["mass", "mass_centre"]), Some("mass_centre"));
        assert_eq!(meant("at", &["name", "shape"]), None);
        assert_eq!(meant("nonsense", &["anchor"]), None);
    }
}
