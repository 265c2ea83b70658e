//! `delassus bench-gpu`: what it writes, held to what is counted and to what the processor comes to.

use std::collections::HashMap;
use std::process::Command;

use delassus::gpu::{Scheme, traffic};

use crate::device;

/// Four chains of ten beads, five sweeps a step: every method, its kernels, and the same gaps for the same method.
#[test]
fn bench_gpu_writes_a_line_a_method_and_kernel() {
    if device().is_none() {
        return;
    }
    let run = Command::new(env!("CARGO_BIN_EXE_delassus"))
        .args("bench-gpu --chains 4 --beads 10 --iterations 5 --steps 10 --csv -".split(' '))
        .output()
        .expect("the program runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let mut table = csv::Reader::from_reader(&run.stdout[..]);
    let lines: Vec<HashMap<String, String>> = table.deserialize().collect::<Result<_, _>>().expect("a table");
    let number = |line: &HashMap<String, String>, column: &str| line[column].parse::<f64>().expect(column);
    let methods: Vec<_> = lines.iter().filter(|line| line["kernel"].is_empty()).collect();
    let names: Vec<&str> = methods.iter().map(|line| line["method"].as_str()).collect();
    assert_eq!(names, ["printed", "incremental", "one-pass", "cpu-jacobi", "cpu-tree"]);
    for line in &lines {
        assert!(number(line, "time_us") >= 0.0, "{line:?}");
    }
    // 41 bodies with the world, 36 constraints.
    for scheme in Scheme::ALL {
        let own = |line: &&HashMap<String, String>| line["method"] == scheme.name();
        let whole = methods.iter().copied().find(own).expect("a method");
        let counted = traffic::sweep(scheme, 41, 36);
        assert_eq!(number(whole, "bytes_per_constraint_sweep"), counted.bytes);
        for kernel in traffic::kernels(scheme) {
            let line = lines.iter().filter(own).find(|line| line["kernel"] == kernel.name()).expect("its kernels");
            let others = traffic::around(scheme).iter().filter(|other| *other == kernel).count() as f64;
            assert_eq!(number(line, "runs"), 5.0 + others, "{line:?}");
            assert_eq!(number(line, "bytes_per_run"), traffic::bytes(*kernel, 41, 36) as f64);
        }
        // Jacobi is Jacobi, on the device and off it, to within rounding; a tree solved exactly drifts less.
        let jacobi = number(methods[3], "gap_worst_mm");
        let found = number(whole, "gap_worst_mm");
        assert!((found - jacobi).abs() <= 1e-3 * jacobi + 1e-3, "{}: {found} mm, {jacobi} mm", scheme.name());
    }
}
