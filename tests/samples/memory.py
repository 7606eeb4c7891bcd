"""What the virtual machine does beside computing."""

from __future__ import annotations

from numpy import array

from tests.samples.making import f32, sample
from torchrelay import op

DATA = f32(2, 3, 4)

ROWS = {
    op.memory.reshape_tensor: [
        sample(DATA, array([4, 6]), newshape=(4, 6), torch=lambda x, shape: x.reshape(4, 6)),
        sample(f32(1), array([1, 1, 1]), newshape=(1, 1, 1), numpy=lambda x, shape: x.reshape(1, 1, 1)),
    ],
    op.memory.vm_shape_of: [
        sample(DATA, dtype="int64", numpy=lambda x: array([2, 3, 4], "int64")),
        sample(f32(0, 2), dtype="int32", numpy=lambda x: array([0, 2], "int32")),
    ],
    op.memory.kill: [sample(DATA, numpy=lambda x: ())],
}
