"""Devices a value is on, and a look at values while a program runs."""

from __future__ import annotations

from torchrelay.ir import Attrs, EnvFunc, Fusion, TensorType, Type, VirtualDevice, attrs, operator
from torchrelay.op._numpy import Array

__all__ = ["debug", "device_copy", "on_device"]


@attrs("relay.attrs.OnDeviceAttrs")
class OnDeviceAttrs(Attrs):
    virtual_device: VirtualDevice = VirtualDevice()
    """The device."""
    constrain_result: bool = False
    """Whether what uses the result has it on that device."""
    constrain_body: bool = True
    """Whether the body is computed on that device."""


@operator("on_device", OnDeviceAttrs, Fusion.OPAQUE)
def on_device(body: Type, attrs: OnDeviceAttrs) -> Type:
    """The body itself, on a device."""
    return body


on_device.keeps_type()


@on_device.reference
def on_device_numpy(body: object, attrs: OnDeviceAttrs) -> object:
    return body


@attrs("relay.attrs.DeviceCopyAttrs")
class DeviceCopyAttrs(Attrs):
    src_virtual_device: VirtualDevice
    """The device it is on."""
    dst_virtual_device: VirtualDevice
    """The device it goes to."""


@operator("device_copy", DeviceCopyAttrs, Fusion.OPAQUE)
def device_copy(data: TensorType, attrs: DeviceCopyAttrs) -> Type:
    """The data on another device."""
    return data


@device_copy.reference
def device_copy_numpy(data: Array, attrs: DeviceCopyAttrs) -> Array:
    return data


@attrs("relay.attrs.DebugAttrs")
class DebugAttrs(Attrs):
    debug_func: EnvFunc
    """The function that is shown the value."""


@operator("debug", DebugAttrs, Fusion.OPAQUE, level=1)
def debug(program: Type, attrs: DebugAttrs) -> Type:
    """The value itself, where a debugger may stop."""
    return program


@debug.reference
def debug_numpy(program: object, attrs: DebugAttrs) -> object:
    return program
