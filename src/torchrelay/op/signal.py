"""Fourier transforms."""

from __future__ import annotations

import math

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Attrs, Boolean, Dim, Fusion, TensorType, TupleType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_same_dtype

__all__ = ["dft", "stft"]


@attrs("relay.attrs.DFTAttrs")
class DFTAttrs(Attrs):
    inverse: Boolean = False
    """Whether the transform goes back, divided by the number of elements."""


@operator("dft", DFTAttrs, Fusion.OPAQUE, level=3, keyed=False)
def dft(re_data: TensorType, im_data: TensorType, attrs: DFTAttrs) -> Type:
    """The discrete Fourier transform along the last axis, as real and imaginary part."""
    check_same_dtype(re_data=re_data, im_data=im_data)
    if re_data.rank == 0 or len(re_data.shape) != len(im_data.shape):
        raise TypeMismatch(f"the ranks are {re_data.rank} and {im_data.rank}, but must be equal and 1 or more")
    if not all(map(shapes.dims_fit, re_data.shape, im_data.shape)):
        raise TypeMismatch(f"the shapes {re_data.shape} and {im_data.shape} must be equal")
    return TupleType((re_data, im_data))


@dft.reference
def dft_numpy(re_data: Array, im_data: Array, attrs: DFTAttrs) -> tuple[Array, ...]:
    signal = re_data + 1j * im_data
    spectrum = np.fft.ifft(signal) if attrs.inverse else np.fft.fft(signal)
    return spectrum.real.astype(re_data.dtype), spectrum.imag.astype(im_data.dtype)


@attrs("relay.attrs.StftAttrs")
class StftAttrs(Attrs):
    n_fft: int = -1
    """The length of each piece that is transformed."""
    hop_length: int = -1
    """The distance of neighbouring pieces."""
    win_length: int = -1
    """The length of the window, which is ``n_fft``."""
    normalized: bool = False
    """Whether the result is divided by the square root of ``n_fft``."""
    onesided: bool = True
    """Whether only the frequencies up to half are kept, as the rest mirrors them."""


def _frames(size: Dim, attrs: StftAttrs) -> Dim:
    return shapes.window(size, attrs.n_fft, attrs.hop_length, 1, 0)


@operator("stft", StftAttrs, Fusion.OPAQUE, level=3, data_dependent=(True, True), keyed=False)
def stft(data: TensorType, window: TensorType, attrs: StftAttrs) -> Type:
    """The Fourier transform of pieces of a signal, each times a window: frequencies, pieces, real and imaginary part."""
    if data.rank not in (1, 2):
        raise TypeMismatch(f"the data must have rank 1 or 2, not {data.rank}")
    if attrs.n_fft < 1 or attrs.hop_length < 1:
        raise WrongArgument(f"n_fft {attrs.n_fft} and hop_length {attrs.hop_length} must be 1 or more")
    if attrs.win_length != attrs.n_fft or window.rank != 1 or not shapes.dims_fit(window.shape[0], attrs.n_fft):
        # TVM's transform of a shorter window takes the frequencies of the window's length, not those of n_fft.
        hint = "pad the window with zeros on both sides"
        raise WrongArgument(f"a window of {attrs.win_length} is not as long as n_fft, {attrs.n_fft}", hint=hint)
    frequencies = attrs.n_fft // 2 + 1 if attrs.onesided else attrs.n_fft
    return TensorType((*data.shape[:-1], frequencies, _frames(data.shape[-1], attrs), 2), data.dtype)


@stft.reference
def stft_numpy(data: Array, window: Array, attrs: StftAttrs) -> Array:
    size = attrs.n_fft
    pieces = np.lib.stride_tricks.sliding_window_view(data, size, -1)[..., :: attrs.hop_length, :] * window
    spectrum = np.fft.rfft(pieces) if attrs.onesided else np.fft.fft(pieces)
    scaled = spectrum / math.sqrt(size) if attrs.normalized else spectrum
    parts = np.stack([scaled.real, scaled.imag], -1)
    return np.swapaxes(parts, -3, -2).astype(data.dtype)
