//! `solver.device=Gpu` on the command line: `run` and `compare` on the device, and their messages without one.

use std::process::{Command, Output};

use crate::has_device;

fn delassus(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
    command.args(arguments).envs(environment.iter().copied()).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Two runs of a chain for a quarter of a second: they differ by rounding, and each has its own line.
#[test]
fn compare_holds_the_device_against_the_processor() {
    if !has_device() {
        return;
    }
    let sides = ["--a", "solver.device=Cpu", "--b", "solver.device=Gpu", "--seconds", "0.25", "--epsilon", "1e-5"];
    let out = delassus(&[&["compare", "jacobi/01-chain-40"], &sides[..]].concat(), &[]);
    let printed = text(&out.stdout);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert!(!text(&out.stderr).contains("The processor makes"), "{}", text(&out.stderr));
    assert!(printed.contains("b stays within 0.00001 m of a"), "{printed}");
    let number = |line: &str, place: usize| {
        let line = printed.lines().find(|known| known.starts_with(line)).unwrap_or_else(|| panic!("{line}: {printed}"));
        line.split_whitespace().rev().nth(place).and_then(|word| word.parse::<f64>().ok()).expect("a number")
    };
    assert!(number("farthest from run a", 0) > 0.0, "two processors round otherwise: {printed}");
    assert!(number("b: the velocity farthest from a's, bead.", 1) < 1e-3, "{printed}");
    assert!(number("b: the joint force farthest from a's, ", 1) < 10.0, "{printed}");
}

/// Without an adapter the processor makes the whole run, with a single message.
#[test]
fn without_an_adapter_the_run_is_the_processors_and_says_so_once() {
    // A backend that does not exist on this system.
    let other = if cfg!(target_os = "macos") { "dx12" } else { "metal" };
    let run = |device: &str, environment: &[(&str, &str)]| {
        let out = delassus(&["run", "jacobi/01-chain-40", "--steps", "20", "--json", "--set", device], environment);
        assert!(out.status.success(), "{}", text(&out.stderr));
        out
    };
    let none = run("solver.device=Gpu", &[("WGPU_BACKEND", other)]);
    let said = text(&none.stderr);
    assert_eq!(said.matches("The processor makes the steps, not the graphics device: no graphics adapter").count(), 1);
    let here = run("solver.device=Cpu", &[]);
    let hash = |out: &Output| {
        let printed: serde_json::Value = serde_json::from_slice(&out.stdout).expect("a summary");
        printed["hash"].clone()
    };
    assert_eq!(hash(&none), hash(&here));
    assert!(!hash(&here).is_null() && text(&here.stderr).is_empty(), "{}", text(&here.stderr));
}

/// What the kernels do not support is reported with the reason.
#[test]
fn a_scene_that_is_refused_says_why() {
    let direct = ["--set", "solver.device=Gpu", "--set", "solver.method=Direct"];
    let out = delassus(&[&["run", "book/09-chain", "--steps", "3"], &direct[..]].concat(), &[]);
    assert!(out.status.success());
    let said = text(&out.stderr);
    assert_eq!(said.matches("The processor makes the steps, not the graphics device: it ").count(), 1, "{said}");
}
