//! `solver.device`, and the sweeps of a graphics device compared with the processor's, on any adapter, including
//! software drivers. Without an adapter the tests print that and check nothing.

mod coloured;
mod cyclic;
mod exact;
mod faults;
mod parity;
mod readouts;
mod rows;
mod schemes;
mod session;
mod world_on_device;
mod worlds;

use std::sync::{Arc, OnceLock};

use delassus_gpu::{Device, DeviceFault};

/// The device that all tests share; `None`, with the reason printed, if there is no adapter.
fn device() -> Option<Arc<Device>> {
    static DEVICE: OnceLock<Option<Arc<Device>>> = OnceLock::new();
    let open = || match Device::open() {
        Ok(device) => Some(Arc::new(device)),
        Err(fault @ DeviceFault::NoAdapter(_)) => {
            eprintln!("skipped: {fault}");
            None
        }
        Err(fault) => panic!("{fault}"),
    };
    DEVICE.get_or_init(open).clone()
}
