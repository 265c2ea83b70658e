//! Words that several rules share.

use super::Case;

/// Names of joints, as many as one reads.
pub fn names(case: &Case<'_>, joints: &[usize]) -> String {
    const MOST: usize = 6;
    let names: Vec<String> = joints.iter().take(MOST).map(|joint| case.joint(*joint).to_owned()).collect();
    match (joints.len(), names.split_last()) {
        (0, _) | (_, None) => String::new(),
        (1, Some((only, _))) => only.clone(),
        (2..=MOST, Some((last, others))) => format!("{} and {last}", others.join(", ")),
        (count, Some(_)) => format!("{} and {} more", names.join(", "), count - MOST),
    }
}

/// "1 degree of freedom".
pub fn degrees(count: usize) -> String {
    format!("{count} {} of freedom", if count == 1 { "degree" } else { "degrees" })
}
