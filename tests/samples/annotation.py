"""Marks on a value, which are the value itself."""

from __future__ import annotations

from tests.samples.making import f32, i32, sample
from torchrelay import op
from torchrelay.ir import VirtualDevice

CPU = VirtualDevice(device_type=1, device_id=0)


def itself(**attributes):
    """Rows of a tensor and of a tuple, which stay as they are."""
    return [sample(value, numpy=lambda x: x, **attributes) for value in (f32(2, 3), (f32(2), i32(3)))]


ROWS = {
    op.annotation.bitpack_start: itself(),
    op.annotation.bitpack_end: itself(),
    op.annotation.checkpoint: itself(),
    op.annotation.stop_fusion: itself(),
    op.annotation.cast_hint: itself(dtype="int8"),
    op.annotation.compiler_begin: itself(compiler="chip"),
    op.annotation.compiler_end: itself(compiler="chip"),
    op.annotation.with_funcid: itself(fid=3),
    op.on_device: itself(virtual_device=CPU, constrain_result=True),
    op.device_copy: itself(src_virtual_device=CPU, dst_virtual_device=VirtualDevice(2, 0))[:1],
    op.debug: itself(debug_func="breakpoint"),
}
