//! `delassus bench-gpu`: its output, compared with the counted traffic and the processor's results.

use std::collections::HashMap;
use std::process::Command;

use delassus::gpu::Scheme;
use delassus::gpu::traffic::{self, Workload};

use crate::has_device;

const METHODS: [&str; 12] = [
    "printed",
    "incremental",
    "one-pass",
    "coloured",
    "exact",
    "cyclic",
    "rows-jacobi",
    "rows-coloured",
    "rows-exact",
    "cpu-jacobi",
    "cpu-coloured",
    "cpu-tree",
];

/// Four chains of ten beads, five sweeps per step: every method and its kernels, with the same gaps for the same
/// method.
#[test]
fn bench_gpu_writes_a_line_a_method_and_kernel() {
    if !has_device() {
        return;
    }
    let run = Command::new(env!("CARGO_BIN_EXE_delassus"))
        .args("bench-gpu --chains 4 --beads 10 --iterations 5 --steps 10 --csv - --method".split(' '))
        // On a software driver row sweeps are only measured if asked for.
        .arg(METHODS.join(","))
        .output()
        .expect("the program runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let mut table = csv::Reader::from_reader(&run.stdout[..]);
    let lines: Vec<HashMap<String, String>> = table.deserialize().collect::<Result<_, _>>().expect("a table");
    let number = |line: &HashMap<String, String>, column: &str| line[column].parse::<f64>().expect(column);
    let methods: Vec<_> = lines.iter().filter(|line| line["kernel"].is_empty()).collect();
    let names: Vec<&str> = methods.iter().map(|line| line["method"].as_str()).collect();
    assert_eq!(names, METHODS);
    for line in &lines {
        assert!(number(line, "time_us") >= 0.0, "{line:?}");
    }
    // 41 bodies including the world, 36 constraints.
    let work = Workload { bodies: 41, constraints: 36, passes: 0 };
    for scheme in Scheme::ALL {
        let own = |line: &&HashMap<String, String>| line["method"] == scheme.name();
        let whole = methods.iter().copied().find(own).expect("a method");
        let counted = traffic::sweep(scheme, work);
        assert_eq!(number(whole, "bytes_per_constraint_sweep"), counted.bytes);
        for kernel in &traffic::kernels(scheme, 0) {
            let line = lines.iter().filter(own).find(|line| line["kernel"] == kernel.name()).expect("its kernels");
            let others = traffic::around(scheme, 0).iter().filter(|other| *other == kernel).count() as f64;
            // Two colours; trees are solved once and refined once.
            let sweeps = match scheme {
                Scheme::Coloured => 2.0 * 5.0,
                Scheme::Exact | Scheme::Cyclic => 1.0,
                _ => 5.0,
            };
            assert_eq!(number(line, "runs"), sweeps + others, "{line:?}");
            let parts = if scheme == Scheme::Coloured { 2.0 } else { 1.0 };
            assert_eq!(number(line, "bytes_per_run"), (traffic::bytes(*kernel, 41, 36) as f64 / parts).floor());
        }
        // A method gives the same on the device and on the processor, within rounding.
        let processor = match scheme {
            Scheme::Coloured => methods[10],
            Scheme::Exact | Scheme::Cyclic => methods[11],
            _ => methods[9],
        };
        let (own, found) = (number(processor, "gap_worst_mm"), number(whole, "gap_worst_mm"));
        assert!((found - own).abs() <= 1e-3 * own + 1e-3, "{}: {found} mm, {own} mm", scheme.name());
    }
    // Likewise where the device sweeps the processor's rows.
    for (rows, own) in [(methods[6], methods[9]), (methods[7], methods[10]), (methods[8], methods[11])] {
        let (found, own) = (number(rows, "gap_worst_mm"), number(own, "gap_worst_mm"));
        assert!((found - own).abs() <= 1e-3 * own + 1e-3, "{}: {found} mm, {own} mm", rows["method"]);
    }
}
