"""Random numbers that follow from a key: the same key gives the same numbers, and a new key for the next ones.

A key is ten words of 64 bits: four of the generator's key, four of its counter (the first of them the path of splits, the
last the numbers drawn), and two whose one bit marks how far the path goes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import (
    VOID,
    Attrs,
    DType,
    Fusion,
    Integer,
    Integers,
    TensorType,
    TupleType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._numpy import Array
from torchrelay.op._relations import INT32

__all__ = ["multinomial", "normal", "threefry_generate", "threefry_split", "uniform"]

Words = NDArray[np.uint64]

_KEY = TensorType((10,), DType.parse("uint64"))
_PARITY = np.uint64(0x1BD11BDAA9FC1A22)
_ROTATIONS = ((14, 16), (52, 57), (23, 40), (5, 37), (25, 33), (46, 12), (58, 22), (32, 32))
_FULL_PATH = np.uint64(1) << np.uint64(63)


def _check_key(key: TensorType) -> None:
    if key.dtype != _KEY.dtype or key.rank != 1 or not shapes.dims_fit(key.shape[0], 10):
        raise TypeMismatch(f"the key must be of type {_KEY}, not {key}")


def _mixed(left: Words, right: Words, rotation: int) -> tuple[Words, Words]:
    total = left + right
    turned = (right << np.uint64(rotation)) | (right >> np.uint64(64 - rotation))
    # TVM adds the right word to the sum once more, where Threefry as published has the sum alone.
    return total, (total + right) ^ turned


def _block(key: Words, counter: Sequence[Words]) -> Words:
    """Four random words for each counter: 20 rounds of Threefry-4x64 in TVM's variant, no key after the last round."""
    schedule = [*key, np.bitwise_xor.reduce(key) ^ _PARITY]
    words = list(counter)
    for group in range(5):
        words = [word + schedule[(group + place) % 5] for place, word in enumerate(words)]
        words[3] = words[3] + np.uint64(group)
        for turn in range(4 * group, 4 * group + 4):
            first, second = _ROTATIONS[turn % 8]
            a, b = _mixed(words[0], words[1], first)
            c, d = _mixed(words[2], words[3], second)
            words = [a, d, c, b]
    return np.stack(words, -1)


def _split(key: Words) -> tuple[Words, Words]:
    """Two keys whose numbers are independent; a path that is full becomes part of the generator's key."""
    left = key.copy()
    if left[8] == 0:
        left[:4] = _block(key[:4], [key[place : place + 1] for place in range(4, 8)])[0]
        left[4:] = 0
        left[8] = _FULL_PATH
    right = left.copy()
    right[4] |= left[8]
    bit = left[8] >> np.uint64(1)
    carried = (left[8] & np.uint64(1)) << np.uint64(63)
    left[8:] = right[8:] = (bit, carried)
    return left, right


def _generated(key: Words, count: int) -> tuple[Words, Words]:
    """The key for the next numbers, and ``count`` random words."""
    drawn = -(-count // 4) * 4
    with np.errstate(over="ignore"):
        if int(key[7]) + drawn >= 2**64:
            _, key = _split(key)
            key[7] = 0
        whole = np.arange(count // 4, dtype=np.uint64)
        offsets = [whole] * 4
        if count % 4:
            offsets = [np.append(whole, np.uint64(0))] * 3 + [np.append(whole, np.uint64(count // 4 * 4))]
        counter = [word + offset for word, offset in zip(key[4:8], offsets, strict=True)]
        words = _block(key[:4], counter).reshape(-1)[:count]
    after = key.copy()
    after[6], after[7] = 0, key[7] + np.uint64(drawn)
    return after, words


def _uniform(words: Words, dtype: np.dtype) -> Array:
    """Numbers from 0 up to, not including, 1 that have the high bits of the words as their fraction."""
    if dtype == np.float32:
        bits = (words.astype(np.uint32) >> np.uint32(9)) | np.uint32(127 << 23)
        return bits.view(np.float32) - np.float32(1)
    return ((words >> np.uint64(12)) | np.uint64(1023 << 52)).view(np.float64) - 1


def _drawn(key: TensorType, shape: tuple[int, ...], dtype: DType, **bounds: TensorType) -> Type:
    """The type of the next key and of numbers of that dtype, which the bounds have too."""
    _check_key(key)
    if dtype not in ("float32", "float64"):
        raise WrongArgument(f"out_dtype is {dtype or 'not given'}, but must be float32 or float64")
    for name, bound in bounds.items():
        if bound.rank or bound.dtype != dtype:
            raise TypeMismatch(f"{name} must be of type {dtype}, not {bound}")
    return TupleType((_KEY, TensorType(shape, dtype)))


@attrs("relay.attrs.ThreefryGenerateAttrs")
class ThreefryGenerateAttrs(Attrs):
    out_shape: Integers
    """The shape of the random words."""


@operator("random.threefry_generate", ThreefryGenerateAttrs, Fusion.OPAQUE)
def threefry_generate(key: TensorType, attrs: ThreefryGenerateAttrs) -> Type:
    """The next key, and random uint64."""
    _check_key(key)
    return TupleType((_KEY, TensorType(attrs.out_shape, _KEY.dtype)))


@threefry_generate.reference
def threefry_generate_numpy(key: Array, attrs: ThreefryGenerateAttrs) -> tuple[Array, ...]:
    after, words = _generated(key, math.prod(attrs.out_shape))
    return after, words.reshape(attrs.out_shape)


@operator("random.threefry_split", None, Fusion.OPAQUE)
def threefry_split(key: TensorType) -> Type:
    """Two keys whose numbers are independent of each other's."""
    _check_key(key)
    return TupleType((_KEY, _KEY))


@threefry_split.reference
def threefry_split_numpy(key: Array) -> tuple[Array, ...]:
    with np.errstate(over="ignore"):
        return _split(key)


@attrs("relay.attrs.UniformAttrs")
class UniformAttrs(Attrs):
    out_shape: Integers
    """The shape of the numbers."""
    out_dtype: DType = VOID
    """float32 or float64."""


@operator("random.uniform", UniformAttrs, Fusion.OPAQUE)
def uniform(key: TensorType, low: TensorType, high: TensorType, attrs: UniformAttrs) -> Type:
    """The next key, and numbers spread evenly from ``low`` up to, not including, ``high``."""
    return _drawn(key, attrs.out_shape, attrs.out_dtype, low=low, high=high)


@uniform.reference
def uniform_numpy(key: Array, low: Array, high: Array, attrs: UniformAttrs) -> tuple[Array, ...]:
    after, words = _generated(key, math.prod(attrs.out_shape))
    return after, (_uniform(words, low.dtype) * (high - low) + low).reshape(attrs.out_shape)


@attrs("relay.attrs.NormalAttrs")
class NormalAttrs(Attrs):
    out_shape: Integers
    """The shape of the numbers."""
    out_dtype: DType = VOID
    """float32 or float64."""


@operator("random.normal", NormalAttrs, Fusion.OPAQUE)
def normal(key: TensorType, mean: TensorType, scale: TensorType, attrs: NormalAttrs) -> Type:
    """The next key, and numbers with a normal distribution of that mean and standard deviation."""
    return _drawn(key, attrs.out_shape, attrs.out_dtype, mean=mean, scale=scale)


@normal.reference
def normal_numpy(key: Array, mean: Array, scale: Array, attrs: NormalAttrs) -> tuple[Array, ...]:
    after, words = _generated(key, 2 * math.prod(attrs.out_shape))
    radius, turn = np.split(_uniform(words, mean.dtype), 2)
    standard = np.sqrt(-2 * np.log1p(-radius)) * np.sin(mean.dtype.type(2 * math.pi) * turn)
    return after, (standard * scale + mean).reshape(attrs.out_shape)


@attrs("relay.attrs.MultinomialAttrs")
class MultinomialAttrs(Attrs):
    num_samples: Integer = 1
    """How many indices to draw for each row."""


@operator("random.multinomial", MultinomialAttrs, Fusion.OPAQUE)
def multinomial(key: TensorType, probs: TensorType, attrs: MultinomialAttrs) -> Type:
    """The next key, and indices into each row of ``probs``, drawn with these weights, with replacement."""
    _check_key(key)
    if probs.rank == 0:
        raise TypeMismatch("probs must have rank 1 or more, not 0")
    return TupleType((_KEY, TensorType((*probs.shape[:-1], attrs.num_samples), INT32)))


@multinomial.reference
def multinomial_numpy(key: Array, probs: Array, attrs: MultinomialAttrs) -> tuple[Array, ...]:
    rows = probs.shape[:-1]
    after, words = _generated(key, math.prod(rows) * attrs.num_samples)
    drawn = _uniform(words, np.dtype(np.float32)).reshape(*rows, attrs.num_samples, 1)
    reached = np.cumsum(probs / probs.sum(-1, keepdims=True), -1)[..., None, :]
    return after, np.argmax(reached > drawn, -1).astype(np.int32)
