//! Numbers that shaders and Rust share. Each stands once, here or in the physics; the header that [`with_header`] puts
//! before a solver's shader is made of them.

use std::fmt::Write;

use delassus_physics::effective_mass::SINGULAR;
use delassus_physics::fault::{EDGE, RUNAWAY};
use delassus_physics::kernel::bound::SURELY_INSIDE;
use delassus_physics::kernel::limit_surface::{H, INSIDE, LEAST_RADIUS, ROUNDS};
use delassus_physics::kernel::row::SMALLEST_K;
use delassus_physics::solvers::tree::{NEVER_TURNS, REDUNDANT};

/// Lanes of a group of blocks, trees of a workgroup, and rows of a chain in one.
pub const WIDTH: u32 = 64;
/// No body, node or constraint.
pub const NONE: u32 = u32::MAX;
/// Set beside the index of a body that does not move.
pub const FIXED: u32 = 1 << 31;

/// Number of constants of one kind, each with its value.
macro_rules! numbered {
    ($($(#[$doc:meta])* $name:ident = $value:expr;)*) => {
        $($(#[$doc])* pub const $name: u32 = $value;)*
        const NUMBERED: &[(&str, u32)] = &[("WIDTH", WIDTH), ("NONE", NONE), ("FIXED", FIXED), $((stringify!($name), $name)),*];
    };
}

numbered! {
    /// How a block of a group is solved: row by row, as an anchor, as a soft anchor, as a contact, by increments.
    ROWS = 0;
    ANCHOR = 1;
    SOFT_ANCHOR = 2;
    CONTACT = 3;
    INCREMENTS = 4;

    /// The shape of a friction bound, see `FrictionLaw`; `PATCH` is the limit surface of a disc.
    SPAN = 0;
    DISC = 1;
    ELLIPSOID = 2;
    PATCH = 3;

    /// Flags of a node of a tree: the next node is its parent.
    NEXT = 1;
    /// The node before it is a child.
    CARRIED = 2;
    /// Other children have left sums in memory.
    STORED = 4;
    /// It leaves its own sum in memory, as the first to do so for its parent.
    PUT = 8;

    /// Flags of a step: the block matrix is built as if each body's mass were divided by the number of its constraints.
    SPLIT = 1;
    /// Rotations are advanced as 001 prints it (erratum 10).
    PRINTED_ROTATION = 2;
}

/// Stands for infinity, which WGSL lacks: a bound beyond it is none.
const LARGEST: f32 = 3e38;

/// A solver's shader behind the constants that it shares with Rust.
pub fn with_header(source: &str) -> String {
    let mut text = String::from("// Made from crates/gpu/src/constants.rs.\n");
    let _ = NUMBERED.iter().try_for_each(|(name, value)| writeln!(text, "const {name}: u32 = {value}u;"));
    let surface: [f32; 8] = std::array::from_fn(|k| match k {
        0..6 => H[k] as f32,
        6 => INSIDE as f32,
        _ => LEAST_RADIUS as f32,
    });
    let [h_0, h_1, h_2, h_3, h_4, h_5, inside, least_radius] = surface;
    let reals = [
        ("LARGEST", LARGEST),
        ("RUNAWAY", RUNAWAY),
        ("EDGE", EDGE),
        ("SINGULAR", SINGULAR),
        ("SMALLEST_K", SMALLEST_K),
        ("REDUNDANT", REDUNDANT),
        ("NEVER_TURNS", NEVER_TURNS),
        ("SURELY_INSIDE", SURELY_INSIDE),
        ("INSIDE", inside),
        ("LEAST_RADIUS", least_radius),
        ("H_0", h_0),
        ("H_1", h_1),
        ("H_2", h_2),
        ("H_3", h_3),
        ("H_4", h_4),
        ("H_5", h_5),
    ];
    let _ = reals.iter().try_for_each(|(name, value)| writeln!(text, "const {name}: f32 = {value:e}f;"));
    let _ = writeln!(text, "const ROUNDS: u32 = {ROUNDS}u;");
    text.push_str(source);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every constant is written so that it reads back as the same number.
    #[test]
    fn the_header_has_the_numbers_of_the_physics() {
        let text = with_header("");
        let value = |name: &str| {
            let line = text.lines().find(|line| line.starts_with(&format!("const {name}:")));
            line.and_then(|line| line.split(" = ").nth(1))
                .map(|value| value.trim_end_matches(['f', 'u', ';']).to_owned())
        };
        assert_eq!(value("RUNAWAY").and_then(|value| value.parse().ok()), Some(RUNAWAY));
        assert_eq!(value("REDUNDANT").and_then(|value| value.parse().ok()), Some(REDUNDANT));
        assert_eq!(value("H_5").and_then(|value| value.parse().ok()), Some(H[5] as f32));
        assert_eq!(value("NONE").and_then(|value| value.parse().ok()), Some(NONE));
    }

    /// A constant of the header is not defined again in a shader, with a number of its own.
    #[test]
    fn no_shader_defines_a_shared_constant_again() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shaders");
        let header = with_header("");
        let shared: Vec<&str> =
            header.lines().filter_map(|line| line.strip_prefix("const ")?.split(':').next()).collect();
        let files = std::fs::read_dir(folder).expect("the shaders").flatten().map(|entry| entry.path());
        let of_solvers =
            files.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("gpu_")));
        for path in of_solvers {
            let text = std::fs::read_to_string(&path).expect("a shader");
            for name in &shared {
                assert!(!text.contains(&format!("const {name}:")), "{name} in {}", path.display());
            }
        }
    }
}
