"""Elements rearranged: other shapes, orders, parts, repetitions, joins."""

from __future__ import annotations

import numpy as np
import torch
from tests.cases.making import case
from tests.samples.making import f32, f64, i32, i64

ATEN = torch.ops.aten
EMPTY = np.zeros((0, 3), "float32")

RESHAPE = {
    "view.default": [
        case(lambda x: x.view(3, 8), f32(2, 3, 4)),
        case(lambda x: x.view(-1, 2), f32(2, 3, 4)),
        case(lambda x: x.view(-1), f32()),
        case(lambda x: x.view(0, 6), EMPTY),
    ],
    "_unsafe_view.default": [case(lambda x: ATEN._unsafe_view.default(x, (6, 4)), f32(2, 3, 4))],
    "reshape.default": [
        case(lambda x: x.reshape(4, 6), f32(2, 3, 4)),
        case(lambda x: x.t().reshape(-1), f32(2, 3)),
        case(lambda x: x.reshape(()), f32(1, 1)),
    ],
    "view_as.default": [case(lambda x, y: x.view_as(y), f32(2, 3), f32(6))],
    "reshape_as.default": [case(lambda x, y: x.reshape_as(y), f32(2, 3), f32(3, 2))],
    "flatten.using_ints": [
        case(lambda x: x.flatten(1), f32(2, 3, 4)),
        case(lambda x: x.flatten(0, -2), f32(2, 3, 4)),
        case(lambda x: x.flatten(), f32()),
        case(lambda x: x.flatten(1, 1), f32(2, 3)),
    ],
    "ravel.default": [case(lambda x: x.ravel(), f32(2, 3))],
    "unflatten.int": [
        case(lambda x: x.unflatten(1, (2, 3)), f32(2, 6)),
        case(lambda x: x.unflatten(-1, (2, -1)), f32(2, 6)),
    ],
    "unsqueeze.default": [
        case(lambda x: x.unsqueeze(1), f32(2, 3)),
        case(lambda x: x.unsqueeze(-1), f32(2, 3)),
        case(lambda x: x.unsqueeze(0), f32()),
    ],
    "squeeze.default": [case(lambda x: x.squeeze(), f32(1, 2, 1)), case(lambda x: x.squeeze(), f32())],
    "squeeze.dim": [
        case(lambda x: x.squeeze(0), f32(1, 2, 1)),
        case(lambda x: x.squeeze(1), f32(1, 2, 1)),
        case(lambda x: x.squeeze(-1), f32(1, 2, 1)),
    ],
    "squeeze.dims": [case(lambda x: x.squeeze((0, 1)), f32(1, 2, 1))],
}

ORDER = {
    "permute.default": [
        case(lambda x: x.permute(2, 0, 1), f32(2, 3, 4)),
        case(lambda x: x.permute(0, -1, 1), f32(2, 3, 4)),
    ],
    "transpose.int": [
        case(lambda x: x.transpose(0, 2), f32(2, 3, 4)),
        case(lambda x: x.transpose(-1, -2), f32(2, 3)),
        case(lambda x: x.transpose(0, 0), f32()),
    ],
    "swapaxes.default": [case(lambda x: x.swapaxes(0, 1), f32(2, 3))],
    "swapdims.default": [case(lambda x: x.swapdims(0, 1), f32(2, 3))],
    "t.default": [case(lambda x: x.t(), f32(2, 3)), case(lambda x: x.t(), f32(3))],
    "numpy_T.default": [case(lambda x: x.T, f32(2, 3))],
    "mT.default": [case(lambda x: x.mT, f32(2, 3, 4))],
    "adjoint.default": [case(lambda x: x.adjoint(), f32(2, 3, 4))],
    "mH.default": [case(lambda x: x.mH, f32(2, 3, 4))],
    "movedim.int": [case(lambda x: x.movedim(0, -1), f32(2, 3, 4))],
    "movedim.intlist": [case(lambda x: x.movedim((0, 1), (2, 0)), f32(2, 3, 4))],
    "moveaxis.int": [case(lambda x: x.moveaxis(2, 0), f32(2, 3, 4))],
    "moveaxis.intlist": [case(lambda x: torch.moveaxis(x, (0, 1), (1, 2)), f32(2, 3, 4))],
    "flip.default": [
        case(lambda x: x.flip(0), f32(2, 3)),
        case(lambda x: x.flip((0, -1)), f32(2, 3, 4)),
        case(lambda x: x.flip(0), EMPTY),
    ],
    "fliplr.default": [case(lambda x: torch.fliplr(x), f32(2, 3))],
    "flipud.default": [case(lambda x: torch.flipud(x), f32(2, 3))],
    "rot90.default": [case(lambda x, k=k: torch.rot90(x, k), f32(2, 3)) for k in (1, 2, 3, 4, -1)]
    + [case(lambda x: torch.rot90(x, 1, (1, 2)), f32(2, 3, 4))],
    "roll.default": [
        case(lambda x: x.roll(1), f32(2, 3)),
        case(lambda x: x.roll((1, -1), (0, 1)), f32(2, 3)),
        case(lambda x: x.roll(7, -1), f32(2, 3)),
        case(lambda x: x.roll(1, 0), EMPTY),
    ],
    "pixel_shuffle.default": [
        case(lambda x: torch.pixel_shuffle(x, 2), f32(0, 8, 2, 3)),
        case(lambda x: torch.pixel_shuffle(x, 2), f32(1, 8, 0, 3)),
        case(lambda x: torch.pixel_shuffle(x, 2), f32(1, 8, 2, 3)),
        case(lambda x: torch.pixel_shuffle(x, 3), f32(2, 1, 9, 2, 2)),
    ],
    "pixel_unshuffle.default": [case(lambda x: torch.pixel_unshuffle(x, 2), f32(1, 2, 4, 6))],
    "channel_shuffle.default": [case(lambda x: torch.channel_shuffle(x, 2), f32(1, 6, 2, 2))],
}

BROADCAST = {
    "expand.default": [
        case(lambda x: x.expand(2, 3, 4), f32(3, 1)),
        case(lambda x: x.expand(-1, 4), f32(3, 1)),
        case(lambda x: x.expand(2), f32()),
    ],
    "expand_as.default": [case(lambda x, y: x.expand_as(y), f32(3, 1), f32(2, 3, 4))],
    "broadcast_to.default": [case(lambda x: torch.broadcast_to(x, (2, 3)), f32(3))],
    "broadcast_tensors.default": [case(lambda x, y: torch.broadcast_tensors(x, y), f32(3, 1), f32(2, 1, 4))],
    "repeat.default": [
        case(lambda x: x.repeat(2, 3), f32(2, 3)),
        case(lambda x: x.repeat(2, 1, 3), f32(2, 3)),
        case(lambda x: x.repeat(0, 1), f32(2, 3)),
    ],
    "tile.default": [case(lambda x: x.tile(2), f32(2, 3)), case(lambda x: x.tile(2, 1, 3), f32(2, 3))],
    "repeat_interleave.Tensor": [
        case(lambda n: torch.repeat_interleave(n), np.array([0, 2, 1, 0, 3])),
        case(lambda n: torch.repeat_interleave(n, output_size=6), np.array([1, 0, 3, 2], "int32")),
    ],
    "repeat_interleave.self_Tensor": [
        case(lambda x, n: x.repeat_interleave(n, 0), f32(2, 3), np.array([2, 1])),
        case(lambda x, n: x.repeat_interleave(n, -1, output_size=4), f32(2, 3), np.array([1, 0, 3])),
        case(lambda x, n: x.repeat_interleave(n), f32(2, 3), np.array([1, 0, 3, 1, 2, 0])),
        case(lambda x, n: x.repeat_interleave(n, 1), f32(2, 3), np.array([2])),
        case(lambda x, n: x.repeat_interleave(n, 1), f32(2, 3), np.array(2)),
    ],
    "repeat_interleave.self_int": [
        case(lambda x: x.repeat_interleave(2), f32(2, 3)),
        case(lambda x: x.repeat_interleave(2, 1), f32(2, 3)),
        case(lambda x: x.repeat_interleave(0, 1), f32(2, 3)),
    ],
    "meshgrid.default": [case(lambda x, y: ATEN.meshgrid.default([x, y]), f32(2), f32(3))],
    "meshgrid.indexing": [
        case(lambda x, y: torch.meshgrid(x, y, indexing="ij"), f32(2), f32(3)),
        case(lambda x, y: torch.meshgrid(x, y, indexing="xy"), f32(2), f32(3)),
    ],
    "cartesian_prod.default": [case(lambda x, y: torch.cartesian_prod(x, y), f32(2), f32(3))],
    "combinations.default": [
        case(lambda x: torch.combinations(x), f32(4)),
        case(lambda x: torch.combinations(x, 2, True), i64(3)),
    ],
    "linalg_vander.default": [
        case(lambda x: torch.linalg.vander(x, N=3), f32(), routes=("trace",)),
        case(lambda x: torch.linalg.vander(x, N=3), f32(2, 4), routes=("trace",)),
    ],
    "vander.default": [case(lambda x: torch.vander(x), f32(4))],
}

CUT = {
    "slice.Tensor": [
        case(lambda x: x[1:3], f32(5, 2)),
        case(lambda x: x[:, ::2], f32(2, 5)),
        case(lambda x: x[-3:-1], f32(5)),
        case(lambda x: x[3:1], f32(5)),
        case(lambda x: x[1:99], f32(5)),
        case(lambda x: x[..., 1:], f32(2, 3, 4)),
    ],
    "narrow.default": [case(lambda x: x.narrow(1, 1, 2), f32(2, 5)), case(lambda x: x.narrow(0, -3, 2), f32(5))],
    "narrow.Tensor": [case(lambda x: torch.narrow(x, 1, torch.tensor(1), 2), f32(2, 5), routes=("trace",))],
    "select.int": [
        case(lambda x: x[1], f32(3, 2)),
        case(lambda x: x.select(-1, -1), f32(3, 2)),
        case(lambda x: x[0], f32(2)),
    ],
    "split.Tensor": [
        case(lambda x: x.split(2), f32(5, 2)),
        case(lambda x: x.split(3, -1), f32(2, 6)),
        case(lambda x: x.split(9), f32(5)),
    ],
    "split.sizes": [case(lambda x: ATEN.split.sizes(x, (1, 4)), f32(5, 2), routes=("trace", "export"))],
    "split_with_sizes.default": [
        case(lambda x: x.split((1, 3, 1)), f32(5, 2)),
        case(lambda x: x.split((0, 5)), f32(5)),
    ],
    "chunk.default": [
        case(lambda x: x.chunk(3), f32(7, 2)),
        case(lambda x: x.chunk(2, 1), f32(2, 4)),
        case(lambda x: x.chunk(9), f32(3)),
    ],
    "unsafe_chunk.default": [case(lambda x: torch.unsafe_chunk(x, 2), f32(4, 2))],
    "unsafe_split.Tensor": [case(lambda x: torch.unsafe_split(x, 2), f32(5, 2))],
    "unsafe_split_with_sizes.default": [case(lambda x: torch.unsafe_split_with_sizes(x, (1, 4)), f32(5, 2))],
    "tensor_split.sections": [
        case(lambda x: x.tensor_split(3), f32(7, 2)),
        case(lambda x: x.tensor_split(2, 1), f32(2, 5)),
    ],
    "tensor_split.indices": [
        case(lambda x: x.tensor_split((1, 4)), f32(5, 2)),
        case(lambda x: x.tensor_split((0, 3, 9)), f32(5)),
    ],
    "hsplit.int": [case(lambda x: torch.hsplit(x, 2), f32(2, 4))],
    "hsplit.array": [case(lambda x: torch.hsplit(x, (1, 3)), f32(2, 4)), case(lambda x: torch.hsplit(x, (1,)), f32(4))],
    "vsplit.array": [case(lambda x: torch.vsplit(x, (1, 3)), f32(4, 2))],
    "dsplit.array": [case(lambda x: torch.dsplit(x, (1, 3)), f32(1, 2, 4))],
    "vsplit.int": [case(lambda x: torch.vsplit(x, 2), f32(4, 2))],
    "dsplit.int": [case(lambda x: torch.dsplit(x, 2), f32(1, 2, 4))],
    "unbind.int": [case(lambda x: x.unbind(0), f32(3, 2)), case(lambda x: x.unbind(-1), f32(2, 3))],
}

JOIN = {
    "cat.default": [
        case(lambda x, y: torch.cat((x, y)), f32(2, 3), f32(1, 3)),
        case(lambda x, y: torch.cat((x, y), -1), f32(2, 3), i32(2, 2)),
        case(lambda x, y: torch.cat((x, y)), np.zeros((0,), "float32"), f32(2, 3)),
        case(lambda x: torch.cat((x,)), f32(2)),
    ],
    "concat.default": [case(lambda x, y: torch.concat((x, y)), f32(2), f64(3))],
    "concatenate.default": [case(lambda x, y: torch.concatenate((x, y)), f32(2), f32(3))],
    "stack.default": [
        case(lambda x, y: torch.stack((x, y)), f32(2, 3), f32(2, 3)),
        case(lambda x, y: torch.stack((x, y), -1), f32(2), i32(2)),
    ],
    "hstack.default": [
        case(lambda x, y: torch.hstack((x, y)), f32(2, 3), f32(2, 1)),
        case(lambda x, y: torch.hstack((x, y)), f32(2), f32()),
    ],
    "vstack.default": [case(lambda x, y: torch.vstack((x, y)), f32(2, 3), f32(3))],
    "dstack.default": [case(lambda x, y: torch.dstack((x, y)), f32(2, 3), f32(2, 3))],
    "column_stack.default": [case(lambda x, y: torch.column_stack((x, y)), f32(2), f32(2, 3))],
    "atleast_1d.default": [case(lambda x: ATEN.atleast_1d.default(x), f32())],
    "atleast_2d.default": [case(lambda x: ATEN.atleast_2d.default(x), f32(3))],
    "atleast_3d.default": [
        case(lambda x: ATEN.atleast_3d.default(x), f32(3)),
        case(lambda x: ATEN.atleast_3d.default(x), f32(2, 3)),
    ],
    "select_scatter.default": [case(lambda x, s: torch.select_scatter(x, s, 1, -1), f32(2, 3), f32(2))],
    "slice_scatter.default": [
        case(lambda x, s: torch.slice_scatter(x, s, 0, 1, 3), f32(4, 2), f32(2, 2)),
        case(lambda x, s: torch.slice_scatter(x, s, 1, 0, 5, 2), f32(2, 5), f32(2, 3)),
        case(lambda x, s: torch.slice_scatter(x, s, 1, 1, None, 3), f32(2, 5), f32(2, 2)),
    ],
}

ROWS = {**RESHAPE, **ORDER, **BROADCAST, **CUT, **JOIN}
