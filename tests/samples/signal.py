"""Fourier transforms."""

from __future__ import annotations

import torch

from tests.samples.making import f32, f64, i32, sample
from torchrelay import op

CLOSE = {"rtol": 1e-5, "atol": 1e-5}


def parts(values):
    """The real and the imaginary part."""
    return values.real, values.imag


def spectrum(x, window, n_fft, hop_length, win_length, **options):
    """torch's transform, real and imaginary part on a last axis."""
    values = torch.stft(
        x, n_fft, hop_length, win_length, window.to(x.dtype), center=False, return_complex=True, **options
    )
    return torch.view_as_real(values)


def transforms(data, window, **attributes):
    """A row, judged by torch with the same options."""
    return sample(data, window, torch=lambda x, w: spectrum(x, w, **attributes), **attributes, **CLOSE)


ROWS = {
    op.dft: [
        sample(f32(2, 8), f32(2, 8, seed=1), torch=lambda re, im: parts(torch.fft.fft(torch.complex(re, im))), **CLOSE),
        sample(f64(6), f64(6, seed=1), inverse=True, torch=lambda re, im: parts(torch.fft.ifft(torch.complex(re, im)))),
    ],
    op.stft: [
        transforms(f32(2, 9), f32(4), n_fft=4, hop_length=2, win_length=4),
        transforms(f32(2, 9), f32(4), n_fft=4, hop_length=2, win_length=4, normalized=True),
        transforms(f32(9), f32(4), n_fft=4, hop_length=2, win_length=4, onesided=False),
        transforms(f32(2, 9), f32(5), n_fft=5, hop_length=2, win_length=5),
        transforms(f64(20), i32(6), n_fft=6, hop_length=5, win_length=6),
    ],
}
