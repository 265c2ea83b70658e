//! Ctrl+C during a run: the step is finished, tables end with whole lines, a recording is written, the summary is
//! printed. A second Ctrl+C ends the program at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the user asked to stop.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Listens for Ctrl+C and for the signal that asks a program to end.
    ///
    /// # Errors
    /// The signals cannot be received.
    pub fn listen() -> io::Result<Self> {
        let stop = Self::default();
        #[cfg(unix)]
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            // In this order: the first signal only sets the flag, the second one finds it set.
            signal_hook::flag::register_conditional_default(signal, stop.0.clone())?;
            signal_hook::flag::register(signal, stop.0.clone())?;
        }
        Ok(stop)
    }

    /// Whether it was asked for.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
