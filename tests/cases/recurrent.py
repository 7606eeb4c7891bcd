"""Recurrent layers."""

from __future__ import annotations

import torch
from tests.cases.making import case
from tests.samples.making import f32


def _layer(kind, **options):
    """A layer of 4 inputs and 6 states over a sequence of 5 in a batch of 3."""
    torch.manual_seed(0)
    return case(kind(4, 6, **options).eval(), f32(5, 3, 4), tolerance=1e-5)


def _rows(kind, **options):
    return [
        _layer(kind, **options),
        _layer(kind, bias=False, **options),
        _layer(kind, num_layers=2, bidirectional=True, batch_first=True, dropout=0.3, **options),
        _layer(kind, bidirectional=True, bias=False, **options),
        case(kind(4, 6, **options).eval(), f32(5, 3, 4), f32(1, 3, 6), tolerance=1e-5)
        if kind is not torch.nn.LSTM
        else case(kind(4, 6).eval(), f32(5, 3, 4), (f32(1, 3, 6), f32(1, 3, 6)), tolerance=1e-5),
        case(kind(4, 6, **options).eval(), f32(5, 4), tolerance=1e-5),
    ]


ROWS = {
    "lstm.input": [
        *_rows(torch.nn.LSTM),
        _layer(torch.nn.LSTM, proj_size=2, num_layers=2, bidirectional=True),
        _layer(torch.nn.LSTM, proj_size=2, bias=False),
    ],
    "gru.input": _rows(torch.nn.GRU),
    "rnn_tanh.input": _rows(torch.nn.RNN),
    "rnn_relu.input": _rows(torch.nn.RNN, nonlinearity="relu"),
}
