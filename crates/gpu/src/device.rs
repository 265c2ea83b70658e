//! An open device, with or without a window, and its errors.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use thiserror::Error;

use super::constants::with_header;
use super::kernels::{Kernel, LANES};

/// Why there is no graphics device to step a world on, or no longer one. The messages are sentences for the user.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DeviceFault {
    #[error(
        "No graphics adapter was found; on Debian install the packages libvulkan1 and mesa-vulkan-drivers (a software \
         driver is enough). The driver says: {0}"
    )]
    NoAdapter(String),
    #[error("The graphics adapter “{0}” does not support compute shaders")]
    NoCompute(String),
    #[error("The graphics adapter “{adapter}” gives no device: {why}")]
    NoDevice { adapter: String, why: String },
    #[error("The graphics adapter takes {limit} {what}, and this scene needs {needed}")]
    TooLarge { what: String, needed: u64, limit: u64 },
    #[error("The graphics adapter has not enough memory for this scene")]
    OutOfMemory,
    #[error("The graphics device was lost: {0}")]
    Lost(String),
    #[error("The graphics device failed: {0}")]
    Failed(String),
}

/// Errors that a device reports outside of any call. Each clone returns the first error since its last query; later
/// ones usually follow from it.
#[derive(Debug, Default)]
pub struct DeviceErrors {
    log: Arc<Mutex<ErrorLog>>,
    /// Number of errors that this clone has returned or skipped.
    returned: AtomicUsize,
}

#[derive(Debug, Default)]
struct ErrorLog {
    list: Vec<DeviceFault>,
    lost: bool,
}

/// The largest number of errors that are kept.
const MAX_ERRORS: usize = 64;

impl Clone for DeviceErrors {
    fn clone(&self) -> Self {
        let returned = AtomicUsize::new(self.returned.load(Ordering::Relaxed));
        Self { log: Arc::clone(&self.log), returned }
    }
}

impl DeviceErrors {
    /// Starts to record the errors of a device; wgpu's default handler would panic.
    pub fn of(device: &wgpu::Device) -> Self {
        let errors = Self::default();
        let lost = errors.clone();
        device.set_device_lost_callback(move |reason, message| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                lost.record(DeviceFault::Lost(message));
            }
        });
        let failed = errors.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            failed.record(match error {
                wgpu::Error::OutOfMemory { .. } => DeviceFault::OutOfMemory,
                wgpu::Error::Validation { .. } | wgpu::Error::Internal { .. } => DeviceFault::Failed(error.to_string()),
            });
        }));
        errors
    }

    fn log(&self) -> MutexGuard<'_, ErrorLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, fault: DeviceFault) {
        let mut log = self.log();
        log.lost |= matches!(fault, DeviceFault::Lost(_));
        if log.list.len() < MAX_ERRORS {
            log.list.push(fault);
        }
    }

    /// The first error since the last call.
    pub fn take(&self) -> Option<DeviceFault> {
        let log = self.log();
        let returned = self.returned.swap(log.list.len(), Ordering::Relaxed);
        log.list.get(returned).cloned()
    }

    /// Whether the device was lost.
    pub fn is_lost(&self) -> bool {
        self.log().lost
    }

    /// The first error since the last call, or `result`.
    ///
    /// # Errors
    /// That error, or the one of `result`.
    pub fn check<T>(&self, result: Result<T, DeviceFault>) -> Result<T, DeviceFault> {
        match self.take() {
            Some(fault) => Err(fault),
            None => result,
        }
    }
}

/// Requests a device with the given features, as far as the adapter has them, and with all of the adapter's limits.
///
/// # Errors
/// The adapter's error.
pub fn request(
    adapter: &wgpu::Adapter,
    features: wgpu::Features,
) -> Result<(wgpu::Device, wgpu::Queue, DeviceErrors), wgpu::RequestDeviceError> {
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor(adapter, features)))?;
    let errors = DeviceErrors::of(&device);
    Ok((device, queue, errors))
}

/// What a device is asked for: the given features, as far as the adapter has them, and all of the adapter's limits.
pub fn descriptor(adapter: &wgpu::Adapter, features: wgpu::Features) -> wgpu::DeviceDescriptor<'static> {
    wgpu::DeviceDescriptor {
        label: Some("delassus"),
        required_features: features & adapter.features(),
        // The adapter's own limits: old adapters are below some of wgpu's defaults.
        required_limits: adapter.limits(),
        ..Default::default()
    }
}

/// Checks that an adapter supports the kernels.
fn check_adapter(adapter: &wgpu::Adapter) -> Result<(), DeviceFault> {
    let limits = adapter.limits();
    let threads = limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
    let buffers = limits.max_storage_buffers_per_shader_stage as usize;
    let needed = Kernel::ALL.iter().map(|kernel| kernel.uses().len()).max().unwrap_or(0);
    let has_compute = adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS);
    if has_compute && threads >= LANES && buffers >= needed {
        Ok(())
    } else {
        Err(DeviceFault::NoCompute(adapter.get_info().name))
    }
}

/// An open device with the solver's pipelines.
#[derive(Debug)]
pub struct Device {
    pub adapter: wgpu::Adapter,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub errors: DeviceErrors,
    /// The device's limits; a test may lower them.
    pub limits: wgpu::Limits,
    /// Indexed by [`Kernel`].
    pipelines: Vec<wgpu::ComputePipeline>,
    /// The pipelines of `rows/`, created when first needed.
    pub(super) lanes: OnceLock<Vec<wgpu::ComputePipeline>>,
}

impl Device {
    /// Opens the best available adapter, without a window.
    ///
    /// # Errors
    /// If there is none, or it cannot run the kernels.
    pub fn open() -> Result<Self, DeviceFault> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options))
            .map_err(|error| DeviceFault::NoAdapter(error.to_string()))?;
        let name = adapter.get_info().name;
        check_adapter(&adapter)?;
        let (device, queue, errors) = request(&adapter, wgpu::Features::TIMESTAMP_QUERY)
            .map_err(|error| DeviceFault::NoDevice { adapter: name, why: error.to_string() })?;
        Self::on(adapter, device, queue, errors)
    }

    /// Uses an open device, which must have all features and limits of its adapter that it needs.
    ///
    /// # Errors
    /// If it cannot run the kernels.
    pub fn on(
        adapter: wgpu::Adapter,
        device: wgpu::Device,
        queue: wgpu::Queue,
        errors: DeviceErrors,
    ) -> Result<Self, DeviceFault> {
        check_adapter(&adapter)?;
        let pipelines = Kernel::ALL.iter().map(|kernel| pipeline(&device, *kernel)).collect();
        let limits = device.limits();
        errors.clone().check(Ok(Self { adapter, device, queue, errors, limits, pipelines, lanes: OnceLock::new() }))
    }

    /// The pipeline of a kernel.
    pub fn pipeline(&self, kernel: Kernel) -> &wgpu::ComputePipeline {
        &self.pipelines[kernel as usize]
    }

    /// Whether it supports timestamp queries in passes.
    pub fn has_timestamps(&self) -> bool {
        self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    /// Whether it is a software adapter, which runs kernels on the processor.
    pub fn is_software(&self) -> bool {
        self.adapter.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// The adapter's name and driver.
    pub fn describe(&self) -> String {
        let info = self.adapter.get_info();
        format!("{} ({}, {})", info.name, info.backend, info.driver)
    }

    /// Waits until all submitted work is done.
    ///
    /// # Errors
    /// The first error meanwhile.
    pub fn wait(&self) -> Result<(), DeviceFault> {
        let polled = self.device.poll(wgpu::PollType::wait_indefinitely());
        self.errors.check(polled.map(|_| ()).map_err(|error| DeviceFault::Lost(error.to_string())))
    }
}

impl Device {
    /// Reads a mappable buffer after all submitted work is done.
    ///
    /// # Errors
    /// The first error meanwhile.
    pub fn read<T>(&self, buffer: &wgpu::Buffer, take: impl FnOnce(&[u8]) -> T) -> Result<T, DeviceFault> {
        let failed = |error: &dyn std::error::Error| DeviceFault::Lost(error.to_string());
        let (send, receive) = std::sync::mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // Sending fails only if the receiver is gone after an error.
            let _ = send.send(result);
        });
        self.wait()?;
        let mapped = receive.recv().map_err(|error| failed(&error))?;
        self.errors.check(mapped.map_err(|error| failed(&error)))?;
        let taken = take(&buffer.get_mapped_range(..).map_err(|error| failed(&error))?);
        buffer.unmap();
        Ok(taken)
    }
}

fn pipeline(device: &wgpu::Device, kernel: Kernel) -> wgpu::ComputePipeline {
    let (source, entry) = kernel.source();
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(kernel.name()),
        source: wgpu::ShaderSource::Wgsl(with_header(source).into()),
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(kernel.name()),
        layout: None,
        module: &module,
        entry_point: Some(entry),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: &[("LANES", f64::from(LANES))],
            ..Default::default()
        },
        cache: None,
    })
}
