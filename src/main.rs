//! The program: its arguments open a window or run a command.

use std::process::ExitCode;

fn main() -> ExitCode {
    if !runs_here() {
        eprintln!(
            "this build needs a processor with AVX2: for this one, build with RUSTFLAGS=\"-C target-cpu=native\""
        );
        return ExitCode::FAILURE;
    }
    delassus::cli::main()
}

/// Whether the processor has the instructions that the program was built for (`.cargo/config.toml`). The standard
/// library's `is_x86_feature_detected!` takes them for granted in such a build, so the processor is asked directly.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
fn runs_here() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    const FEATURES: u32 = 7;
    const AVX2: u32 = 1 << 5;
    __cpuid(0).eax >= FEATURES && __cpuid_count(FEATURES, 0).ebx & AVX2 != 0
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
fn runs_here() -> bool {
    true
}
