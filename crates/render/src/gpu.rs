//! The graphics device, with or without a window, and its errors.

use std::sync::Arc;

use thiserror::Error;

use crate::crowd;
use crate::quality::Quality;
use delassus_gpu::device::{DeviceErrors, descriptor, request};
use delassus_gpu::{Device, Stepper};

/// Why there is no picture; each message is a sentence for the user.
#[derive(Debug, Error)]
pub enum GpuError {
    #[error(
        "No graphics adapter was found; on Debian install the packages libvulkan1 and mesa-vulkan-drivers \
         (software rendering is enough). The driver says: {0}"
    )]
    NoAdapter(#[from] wgpu::RequestAdapterError),
    #[error("The graphics adapter \"{adapter}\" gives no device: {source}")]
    NoDevice { adapter: String, source: wgpu::RequestDeviceError },
    #[error("The window gives no surface to draw on: {0}")]
    NoSurface(#[from] wgpu::CreateSurfaceError),
    #[error("The adapter cannot draw a picture of {width} × {height} pixels (it can draw {limit} a side)")]
    Size { width: u32, height: u32, limit: u32 },
    #[error("Drawing failed: {0}")]
    Draw(String),
    #[error("The picture cannot be written: {0}")]
    Write(#[from] image::ImageError),
}

/// An open device; clones share the same device.
#[derive(Clone)]
pub struct Gpu {
    pub instance: wgpu::Instance,
    pub adapter: wgpu::Adapter,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    /// A software adapter: rendering is slow, so less is drawn.
    pub is_software: bool,
    errors: DeviceErrors,
}

impl Gpu {
    /// A device without a window.
    pub fn headless() -> Result<Self, GpuError> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        Self::open(instance, None)
    }

    /// A device that can present to `window`, and the window's surface. `display` is the event loop's owned
    /// display handle.
    pub fn for_window(
        display: impl wgpu::wgt::WgpuHasDisplayHandle,
        window: impl Into<wgpu::SurfaceTarget<'static>>,
    ) -> Result<(Self, wgpu::Surface<'static>), GpuError> {
        let descriptor = wgpu::InstanceDescriptor::new_with_display_handle_from_env(Box::new(display));
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(window)?;
        let gpu = Self::open(instance, Some(&surface))?;
        Ok((gpu, surface))
    }

    /// What a device is asked for that draws pictures.
    pub fn descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
        descriptor(adapter, crowd::FEATURES)
    }

    /// A device that somebody else has opened, by [`Gpu::descriptor`].
    pub fn of(instance: wgpu::Instance, adapter: wgpu::Adapter, device: wgpu::Device, queue: wgpu::Queue) -> Self {
        let is_software = adapter.get_info().device_type == wgpu::DeviceType::Cpu;
        let errors = DeviceErrors::of(&device);
        Self { instance, adapter, device, queue, is_software, errors }
    }

    fn open(instance: wgpu::Instance, surface: Option<&wgpu::Surface<'_>>) -> Result<Self, GpuError> {
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: surface,
            ..Default::default()
        }))?;
        let info = adapter.get_info();
        let (device, queue, errors) = request(&adapter, crowd::FEATURES)
            .map_err(|source| GpuError::NoDevice { adapter: info.name.clone(), source })?;
        let is_software = info.device_type == wgpu::DeviceType::Cpu;
        Ok(Self { instance, adapter, device, queue, is_software, errors })
    }

    /// Whether the device is lost.
    pub fn is_lost(&self) -> bool {
        self.errors.is_lost()
    }

    /// The quality at which this device can draw many frames per second.
    pub fn quality(&self) -> Quality {
        if self.is_software { Quality::SOFTWARE } else { Quality::FULL }
    }

    /// Whether pictures of crowds can be drawn: see [`Crowd`](crate::picture::Crowd).
    pub fn draws_crowds(&self) -> bool {
        use wgpu::DownlevelFlags;
        let needed = DownlevelFlags::COMPUTE_SHADERS | DownlevelFlags::INDIRECT_EXECUTION;
        let has = self.adapter.get_downlevel_capabilities().flags.contains(needed);
        let buffers = self.device.limits().max_storage_buffers_per_shader_stage;
        has && self.device.features().contains(crowd::FEATURES) && buffers >= crowd::BUFFERS
    }

    /// The stepper of worlds on this device; the device is opened for it on first use.
    pub fn stepper(&self) -> Stepper {
        let (adapter, device, queue) = (self.adapter.clone(), self.device.clone(), self.queue.clone());
        let errors = self.errors.clone();
        Stepper::new(move || Device::on(adapter.clone(), device.clone(), queue.clone(), errors.clone()).map(Arc::new))
    }

    /// The first error since the last call, for a notice in the window.
    pub fn take_error(&self) -> Option<String> {
        self.errors.take().map(|fault| fault.to_string())
    }

    /// The adapter's name and driver, for the window's "about" and for bug reports.
    pub fn describe(&self) -> String {
        let info = self.adapter.get_info();
        format!("{} ({}, {})", info.name, info.backend, info.driver)
    }
}
