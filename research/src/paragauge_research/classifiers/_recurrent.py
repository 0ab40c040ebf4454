"""Recurrent networks, which read a text word by word and are judged by their last state: with gradients by hand.

Autograd records every operation of every word of a text; most of its time is that. The gradients of the gates are
products with factors that are known after the forward pass, so they are computed for all words at once, and what is
left for each word are one matrix product and the sums that it depends on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from paragauge.extrinsic.classifier import parameter

from ._networks import PADDINGS, Layers, Network


@dataclass(frozen=True, kw_only=True)
class Recurrent(Network):
    """Padded `after` the words, a text of 230 words is followed by 270 steps of nothing, by which its state is lost:
    such a network stays at chance. `unread` takes the state after the last word.
    """

    padding: str = parameter(
        "unread", "where shorter texts are padded; unread: the state after the last word counts", choices=PADDINGS
    )
    units: int = parameter(32, "of the recurrent layer", low=1, high=10_000)

    def layers(self, torch: Any, outputs: int) -> Layers:
        nn = torch.nn
        kind = {"gru": nn.GRU, "lstm": nn.LSTM}[self.name]
        modules = nn.ModuleDict(
            {
                "embedding": nn.Embedding(self.vocabulary, self.dimensions),
                "recurrent": kind(self.dimensions, self.units, batch_first=True),
                "output": nn.Linear(self.units, outputs),
            }
        )

        def forward(rows: Any) -> Any:
            ends = torch.full((len(rows),), rows.shape[1])
            if self.padding == "unread":
                ends = (rows != 0).sum(dim=1).clamp(min=1)
            distinct, places = torch.unique(rows[:, : int(ends.max())], return_inverse=True)
            states = last_states(torch, modules["recurrent"], modules["embedding"](distinct), places, ends)
            return modules["output"](states)

        return Layers(modules, forward)


def last_states(torch: Any, layer: Any, vectors: Any, places: Any, ends: Any) -> Any:
    """The state of a `torch.nn.GRU` or `LSTM` after the last word of each text, (texts, units).

    `vectors` are of the distinct words, `places` (texts, length) says which of them stands where, and `ends` is the
    number of words of each text. A distinct word is multiplied by the weights once, however often it occurs.
    """
    gru = isinstance(layer, torch.nn.GRU)
    bias = layer.bias_ih_l0 if gru else layer.bias_ih_l0 + layer.bias_hh_l0
    products = torch.nn.functional.linear(vectors, layer.weight_ih_l0, bias)
    inputs = torch.nn.functional.embedding(places.t().contiguous(), products)
    if gru:
        states = _gru(torch).apply(inputs, layer.weight_hh_l0, layer.bias_hh_l0)
    else:
        states = _lstm(torch).apply(inputs, layer.weight_hh_l0)
    return states[ends - 1, torch.arange(len(ends))]


@cache
def _gru(torch: Any) -> Any:
    """reset r, update z, n = tanh(x_n + r·(W_n h + b_n)), h' = n + z·(h − n)."""

    class Gru(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(context: Any, inputs: Any, weight: Any, bias: Any) -> Any:
            length, texts, _ = inputs.shape
            units = weight.shape[1]
            states = inputs.new_zeros(length + 1, texts, units)
            gates = inputs.new_empty(length, texts, 2 * units)
            proposed, recurrent = inputs.new_empty(2, length, texts, units)
            inputs_gates, inputs_new = inputs[..., : 2 * units] + bias[: 2 * units], inputs[..., 2 * units :]
            weight_gates, weight_new = weight[: 2 * units].t(), weight[2 * units :].t()
            bias_new = bias[2 * units :]
            for before, after, own, new, product, x_gates, x_new in zip(
                states[:-1], states[1:], gates, proposed, recurrent, inputs_gates, inputs_new, strict=True
            ):
                torch.addmm(x_gates, before, weight_gates, out=own).sigmoid_()
                torch.addmm(bias_new, before, weight_new, out=product)
                torch.addcmul(x_new, own[:, :units], product, out=new).tanh_()
                torch.lerp(new, before, own[:, units:], out=after)
            context.save_for_backward(weight, states, gates, proposed, recurrent)
            return states[1:].clone()

        @staticmethod
        def backward(context: Any, gradient: Any) -> Any:
            weight, states, gates, proposed, recurrent = context.saved_tensors
            units = weight.shape[1]
            reset, update = gates[..., :units], gates[..., units:]
            # the gradients of r, z, W_n h + b_n and x_n, each divided by that of h'
            factors = proposed.new_empty(*proposed.shape[:2], 4, units)
            own = (1 - update) * (1 - proposed * proposed)
            factors[:, :, 3] = own
            factors[:, :, 2] = own * reset
            factors[:, :, 0] = own * recurrent * reset * (1 - reset)
            factors[:, :, 1] = (states[:-1] - proposed) * update * (1 - update)
            state = torch.zeros_like(gradient[0])
            for given, factor, kept in zip(*map(_backwards, (gradient, factors, update)), strict=True):
                state += given
                factor *= state.unsqueeze(1)
                state = torch.addmm(state * kept, factor[:, :3].flatten(1), weight)
            inner = factors[:, :, :3].reshape(-1, 3 * units)
            inputs = torch.cat([factors[:, :, :2].flatten(2), factors[:, :, 3]], dim=2)
            return inputs, inner.t() @ states[:-1].reshape(-1, units), inner.sum(0)

    return Gru


@cache
def _lstm(torch: Any) -> Any:
    """input i, forget f, proposed g, output o; c' = f·c + i·g, h' = o·tanh(c')."""

    class Lstm(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(context: Any, inputs: Any, weight: Any) -> Any:
            length, texts, _ = inputs.shape
            units = weight.shape[1]
            states, memory = inputs.new_zeros(2, length + 1, texts, units)
            bounded = inputs.new_empty(length, texts, units)
            gates = inputs.new_empty(length, texts, 4 * units)
            turned = weight.t()
            proposed = slice(2 * units, 3 * units)
            for own, x, h, c, next_h, next_c, bound in zip(
                gates, inputs, states[:-1], memory[:-1], states[1:], memory[1:], bounded, strict=True
            ):
                torch.addmm(x, h, turned, out=own)
                new = own[:, proposed].tanh()
                own.sigmoid_()
                own[:, proposed] = new
                torch.mul(own[:, units : 2 * units], c, out=next_c).addcmul_(own[:, :units], new)
                torch.tanh(next_c, out=bound)
                torch.mul(own[:, 3 * units :], bound, out=next_h)
            context.save_for_backward(weight, states, memory, gates, bounded)
            return states[1:].clone()

        @staticmethod
        def backward(context: Any, gradient: Any) -> Any:
            weight, states, memory, gates, bounded = context.saved_tensors
            units = weight.shape[1]
            entered, kept, proposed, shown = gates.unflatten(2, (4, units)).unbind(2)
            # the gradients of i, f and g divided by that of c', of o divided by that of h', and of c' by h'
            factors = torch.stack(
                [
                    proposed * entered * (1 - entered),
                    memory[:-1] * kept * (1 - kept),
                    entered * (1 - proposed * proposed),
                    bounded * shown * (1 - shown),
                ],
                dim=2,
            )
            inward = shown * (1 - bounded * bounded)
            state, cell = torch.zeros_like(gradient[0]), torch.zeros_like(gradient[0])
            for given, factor, into, keep in zip(*map(_backwards, (gradient, factors, inward, kept)), strict=True):
                state += given
                cell.addcmul_(state, into)
                factor[:, :3] *= cell.unsqueeze(1)
                factor[:, 3] *= state
                cell *= keep
                state = factor.flatten(1) @ weight
            inputs = factors.flatten(2)
            return inputs, inputs.flatten(0, 1).t() @ states[:-1].reshape(-1, units)

    return Lstm


def _backwards(steps: Any) -> Any:
    return reversed(steps.unbind(0))
