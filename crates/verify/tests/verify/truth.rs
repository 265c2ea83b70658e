//! The simulation compared with closed forms (`delassus verify`): the fast cases keep their bounds, and
//! `docs/truth.md` matches the existing cases.

use std::collections::HashSet;

use delassus_verify::{self as verify, FAMILIES, FAULTS, METHODS, RATES};

/// Each number of the fast part is within its bound.
#[test]
fn the_fast_cases_hold_what_they_claim() {
    let cases: Vec<_> = verify::all().filter(|case| !case.runs.slow).collect();
    assert!(cases.len() > 40, "{} cases", cases.len());
    let (outcomes, orders) = verify::verify(&cases, &RATES[..2], |_| ()).unwrap();
    let failures = verify::failures(&outcomes, &orders);
    assert!(
        failures.is_empty(),
        "{} numbers are farther off than is claimed:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// Every scene can be read and described, and every true value is a number.
#[test]
fn every_case_is_whole() {
    let mut names = HashSet::new();
    for case in verify::all() {
        assert!(names.insert(case.name), "{} is there twice", case.name);
        let document = verify::document(case).unwrap();
        assert_eq!(document.title, case.name);
        assert!(!case.quantities.is_empty() && case.what.ends_with(['.', ')']), "{}: {}", case.name, case.what);
        for quantity in case.quantities {
            let expected = (quantity.expected)();
            assert!(expected.is_finite(), "{}, {}", case.name, quantity.name);
            assert!(quantity.absolute || expected != 0.0, "{}, {}: no share of nothing", case.name, quantity.name);
            assert!(quantity.bounds.at.iter().all(|b| *b > 0.0 && b.is_finite()), "{}, {}", case.name, quantity.name);
        }
    }
}

/// Every known fault belongs to a case's quantity, is larger than the bound, and is listed once.
#[test]
fn every_fault_is_of_a_case() {
    let mut said = HashSet::new();
    for fault in FAULTS {
        let place = format!("{}, {}, {:?}", fault.case, fault.quantity, fault.method);
        let case = verify::all().find(|case| case.name == fault.case).expect(&place);
        let quantity = case.quantities.iter().find(|q| q.name == fault.quantity).expect(&place);
        let larger = fault.at.iter().zip(quantity.bounds.at).any(|(known, claimed)| *known > claimed);
        assert!(larger && !fault.why.is_empty() && said.insert(place.clone()), "{place}");
    }
}

/// The page has these cases and no others, with their descriptions and the right number of values. When cases change,
/// generate it again with `cargo run --release --no-default-features -- verify --markdown docs/truth.md`.
#[test]
fn the_page_has_the_cases_that_there_are() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/truth.md");
    let page = std::fs::read_to_string(path).unwrap();
    for family in FAMILIES {
        assert!(page.contains(&format!("\n## {}\n\n{}\n", family.title, family.about)), "{}", family.title);
    }
    for case in verify::all() {
        assert!(page.contains(&verify::heading(case)), "{} is not in docs/truth.md as it is now", case.name);
        for quantity in case.quantities {
            let begin = format!("| `{}`, {} | {} |", case.name, quantity.name, quantity.truth);
            let row = page.lines().find(|line| line.starts_with(&begin));
            let cells = row.map_or(0, |row| row.matches(" | ").count() + 1);
            assert_eq!(cells, 4 + METHODS.len() * RATES.len(), "{}, {}: {row:?}", case.name, quantity.name);
        }
    }
    let listed = page.lines().filter_map(|line| line.strip_prefix("- **`")?.split('`').next());
    let gone: Vec<_> = listed.filter(|name| !verify::all().any(|case| case.name == *name)).collect();
    assert!(gone.is_empty(), "of cases that are no more: {gone:?}");
    assert!(!page.contains(", beyond**"), "the page shows numbers that are farther off than is claimed");
}
