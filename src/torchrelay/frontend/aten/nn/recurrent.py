"""Converters of recurrent layers and cells: one step after the other, as many as the input has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from torchrelay import op
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.aten.nn.dense import linear
from torchrelay.frontend.aten.shape.cut import unbind
from torchrelay.frontend.aten.shape.order import permuted
from torchrelay.frontend.registry import aten
from torchrelay.ir import Expr, Tuple, const

__all__: list[str] = []


@dataclass(frozen=True, slots=True)
class _Weights:
    """The weights of one direction of one layer: of the input, of the state, their biases, and of the projection."""

    input: Expr
    state: Expr
    input_bias: Expr | None = None
    state_bias: Expr | None = None
    projection: Expr | None = None


State = tuple[Expr, ...]
"""What a step hands to the next: the hidden state, and for an LSTM the cell state."""
Step = Callable[[Expr, State, _Weights], State]
"""Takes what the input weights make of the input of the step."""


def _lstm_step(given: Expr, state: State, weights: _Weights) -> State:
    """C' = f c + i g and h' = o tanh(c'), with gates i, f, g, o of input and state; h' projected where there is a matrix."""
    hidden, cell = state
    gates = op.add(given, linear(hidden, weights.state, weights.state_bias))
    enter, forget, fresh, leave = op.split(gates, indices_or_sections=4, axis=-1)
    cell = op.add(op.multiply(op.sigmoid(forget), cell), op.multiply(op.sigmoid(enter), op.tanh(fresh)))
    hidden = op.multiply(op.sigmoid(leave), op.tanh(cell))
    return (hidden if weights.projection is None else linear(hidden, weights.projection)), cell


def _gru_step(given: Expr, state: State, weights: _Weights) -> State:
    """H' = (1 - z) n + z h, with gates r, z of input and state, and n = tanh(of the input + r times of the state)."""
    (hidden,) = state
    reset, update, fresh = op.split(given, indices_or_sections=3, axis=-1)
    parts = op.split(linear(hidden, weights.state, weights.state_bias), indices_or_sections=3, axis=-1)
    reset, update = op.sigmoid(op.add(reset, parts[0])), op.sigmoid(op.add(update, parts[1]))
    fresh = op.tanh(op.add(fresh, op.multiply(reset, parts[2])))
    kept = op.subtract(const(1, update.dtype), update)
    return (op.add(op.multiply(kept, fresh), op.multiply(update, hidden)),)


def _plain_step(activation: Callable[[Expr], Expr]) -> Step:
    def step(given: Expr, state: State, weights: _Weights) -> State:
        return (activation(op.add(given, linear(state[0], weights.state, weights.state_bias))),)

    return step


def _direction(step: Step, data: Expr, state: State, weights: _Weights, *, backwards: bool) -> tuple[list[Expr], State]:
    """The hidden states, in the order of the input, and the last state. The input's part of all steps is one product."""
    given = unbind(linear(data, weights.input, weights.input_bias), 0)
    results: list[Expr] = []
    for part in given[::-1] if backwards else given:
        state = step(part, state, weights)
        results.append(state[0])
    return results[::-1] if backwards else results, state


def _weights(params: Sequence[Expr], count: int, *, has_biases: bool) -> list[_Weights]:
    """The weights of each direction of each layer, which stand one after the other."""
    each = len(params) // count
    rows = [params[start : start + each] for start in range(0, len(params), each)]
    if has_biases:
        return [_Weights(*row) for row in rows]
    return [_Weights(row[0], row[1], projection=row[2] if each == 3 else None) for row in rows]


@dataclass(frozen=True, slots=True)
class _Layers:
    """How the layers of a recurrent network are stacked."""

    has_biases: bool
    num_layers: int
    bidirectional: bool
    batch_first: bool

    def run(self, step: Step, data: Expr, initial: State, params: Sequence[Expr]) -> tuple[Expr, ...]:
        """The hidden states of the last layer, and the last states of all. Raises UnsupportedProgram for no known length."""
        directions = 2 if self.bidirectional else 1
        weights = _weights(params, self.num_layers * directions, has_biases=self.has_biases)
        states = list(zip(*(unbind(part, 0) for part in initial), strict=True))
        data = permuted(data, (1, 0, 2)) if self.batch_first else data
        last: list[State] = []
        for layer in range(self.num_layers):
            results: list[Sequence[Expr]] = []
            for direction in range(directions):
                at = layer * directions + direction
                hidden, state = _direction(step, data, states[at], weights[at], backwards=bool(direction))
                results.append(hidden)
                last.append(state)
            joined = [
                op.concatenate(parts, axis=-1) if directions > 1 else parts[0] for parts in zip(*results, strict=True)
            ]
            data = op.stack(Tuple(tuple(joined)), axis=0)
        result = permuted(data, (1, 0, 2)) if self.batch_first else data
        return result, *[op.stack(Tuple(parts), axis=0) for parts in zip(*last, strict=True)]


def _refuse_dropout(dropout: float, num_layers: int, *, train: bool) -> None:
    if train and dropout and num_layers > 1:
        raise UnsupportedProgram(
            "dropout between recurrent layers in training mode drops at random; call eval() before"
        )


def _layers(step: Step) -> Callable[..., tuple[Expr, ...]]:
    def converter(
        input: Expr,
        hx: Expr | Sequence[Expr],
        params: Sequence[Expr],
        has_biases: bool,
        num_layers: int,
        dropout: float,
        train: bool,
        bidirectional: bool,
        batch_first: bool,
    ) -> tuple[Expr, ...]:
        """The hidden states of the last layer, and the last states of all layers: hidden ones, and cells of an LSTM."""
        _refuse_dropout(dropout, num_layers, train=train)
        initial = (hx,) if isinstance(hx, Expr) else tuple(hx)
        return _Layers(has_biases, num_layers, bidirectional, batch_first).run(step, input, initial, params)

    return converter


_STEPS: Mapping[str, Step] = {
    "lstm": _lstm_step,
    "gru": _gru_step,
    "rnn_tanh": _plain_step(op.tanh),
    "rnn_relu": _plain_step(op.nn.relu),
}
for _name, _step in _STEPS.items():
    aten(f"{_name}.input")(_layers(_step))
