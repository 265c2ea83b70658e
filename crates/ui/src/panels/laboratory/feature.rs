//! The features of bodies that make a point of contact, in words.

use parry3d::shape::{FeatureId, PackedFeatureId};

/// A feature, by the number that the world gives it: `corner 3`, `edge 12`, `face 1`.
pub fn words(id: u32) -> String {
    match PackedFeatureId(id).unpack() {
        FeatureId::Vertex(number) => format!("corner {number}"),
        FeatureId::Edge(number) => format!("edge {number}"),
        FeatureId::Face(number) => format!("face {number}"),
        FeatureId::Unknown => "not known".to_owned(),
    }
}

/// The features of both bodies.
pub fn both((a, b): (u32, u32)) -> String {
    match (a, b) {
        (0, 0) => "not known".to_owned(),
        (a, b) => format!("{} on A, {} on B", words(a), words(b)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The features were numbers of eight hexadecimal digits.
    #[test]
    fn a_feature_is_a_corner_an_edge_or_a_face() {
        let [corner, edge, face] = [PackedFeatureId::vertex(3), PackedFeatureId::edge(12), PackedFeatureId::face(1)];
        assert_eq!(both((corner.0, face.0)), "corner 3 on A, face 1 on B");
        assert_eq!(both((edge.0, 0)), "edge 12 on A, not known on B");
        assert_eq!(both((0, 0)), "not known");
    }
}
