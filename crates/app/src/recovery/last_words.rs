//! Writes unsaved work when the process is about to end: by a signal, by a panic, or because the display is gone. (Xlib
//! ends the process itself then, by `exit`.) Only an end without notice, such as a power cut, loses the last seconds.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::Orders;

/// Whose work is written at the end of the process.
static ORDERS: Mutex<Option<Arc<Orders>>> = Mutex::new(None);

/// Makes this work be written before the process ends.
///
/// # Errors
/// The signals cannot be received; the others are.
pub fn install(orders: Arc<Orders>) -> io::Result<()> {
    ORDERS.lock().unwrap_or_else(PoisonError::into_inner).replace(orders);
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        before(panic);
        flush();
    }));
    signals()
}

/// Also writes it when a library ends the process by `exit`. What is registered last is called first.
pub fn at_exit() {
    #[cfg(unix)]
    shutdown_hooks::add_shutdown_hook(exits);
}

#[cfg(unix)]
extern "C" fn exits() {
    // A panic must not cross into the C library. It has been reported already.
    let _ = std::panic::catch_unwind(flush);
}

/// Writes it now.
fn flush() {
    let orders = ORDERS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(orders) = orders {
        orders.flush();
    }
}

/// A thread that waits for the signals that end a process, writes, and then lets them end it as they would have.
#[cfg(unix)]
fn signals() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGINT, SIGHUP, SIGQUIT])?;
    let wait = move || {
        for signal in signals.forever() {
            flush();
            // It fails only for signals that are unknown.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(wait)?;
    Ok(())
}

/// Elsewhere the interval between two writes has to do.
#[cfg(not(unix))]
fn signals() -> io::Result<()> {
    Ok(())
}
