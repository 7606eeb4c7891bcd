"""tvm.relay's functions as the real one has them: the same parameters, and the same expression for the same call."""

from __future__ import annotations

import inspect
import re

import pytest

import torchrelay as tvm
from tests.interop.conftest import Oracle
from tests.relay.calls import CALLS
from tests.relay.test_calls import made
from torchrelay import relay

SPACES = {
    "relay": relay,
    "relay.nn": relay.nn,
    "relay.image": relay.image,
    "relay.vision": relay.vision,
    "relay.qnn.op": relay.qnn.op,
    "relay.random": relay.random,
    "relay.annotation": relay.annotation,
    "relay.analysis": relay.analysis,
    "relay.transform": relay.transform,
    "relay.adt": relay.adt,
    "relay.build_module": relay.build_module,
    "relay.expr": relay.expr,
    "relay.function": relay.function,
    "relay.loops": relay.loops,
    "relay.op": relay.op,
    "relay.param_dict": relay.param_dict,
    "relay.ty": relay.ty,
    "relay.ExprMutator": relay.ExprMutator,
    "relay.ExprVisitor": relay.ExprVisitor,
    "relay.ScopeBuilder": relay.ScopeBuilder,
    "tvm.IRModule": tvm.IRModule,
    "tvm.ir": tvm.ir,
    "tvm.nd": tvm.nd,
    "tvm.runtime": tvm.runtime,
    "tvm.transform": tvm.transform,
}
OTHER_SIGNATURES = {
    "Any": "TVM passes on to a function of its library",
    "GlobalTypeVar": "kinds are numbers here",
    "IncompleteType": "kinds are numbers here",
    "TypeVar": "kinds are numbers here",
    "array": "a device is shown otherwise",
    "astext": "for_tvm in place of a function that annotates",
    "empty": "a device is shown otherwise",
    "leaky_relu": "the build at hand has a broken one of qnn, which cannot be called",
}
OTHER_TEXTS = {
    "relay.arange(x)": "the start of a range in its record is the operand itself, not a copy in the metadata",
    "relay.cumprod(x,1)": "exclusive is a truth value, not None",
    "relay.cumsum(x)": "exclusive is a truth value, not None",
    "relay.image.resize2d(x,y)": "lists that say nothing are left out",
    "relay.nn.adaptive_avg_pool1d(x)": "no size is an empty list",
    "relay.nn.adaptive_avg_pool2d(x)": "no size is an empty list",
    "relay.nn.avg_pool2d_grad(x,y,padding=(1,2))": "TVM leaves the dilation unset",
    "relay.nn.max_pool2d_grad(x,y,padding=(1,2))": "TVM leaves the dilation unset",
    "relay.nn.space_to_depth(x,2)": "TVM leaves the mode unset, which it does not read",
    "relay.op.debug(x)": "no function is one without a name",
    "relay.squeeze(x,y)": "axes that say nothing are left out",
    "relay.vision.multibox_transform_loc(x,y,z)": "TVM prints these although they are the defaults",
}


NOT_THERE = {
    "relay": """SequentialSpan SourceName Span SpanCheck TypeConstraint TypeFunctor TypeKind TypeMutator TypeRelation TypeVisitor
        build build_config copy_shape_func optimize script segment_sum setrecursionlimit""",
    "relay.nn": "Constant Expr const get_pad_tuple1d get_pad_tuple2d get_pad_tuple3d",
    "relay.image": "Constant Expr const",
    "relay.vision": "invert_permutation",
    "relay.qnn.op": """Object RequantizeConfig Target Tuple TupleWrapper current_requantize_config get_pad_tuple1d get_pad_tuple2d
        register_qnn_canonicalize register_qnn_legalize requantize_config target_has_features""",
    "relay.random": "Constant Expr const",
    "relay.annotation": "function_on_device",
    "relay.analysis": """AnnotatedRegionSet CallGraph Feature Target check_basic_block_normal_form check_kind count_layers cpu
        detect_feature extract_fused_functions extract_intermdeiate_expr get_calibration_data get_total_mac_number
        list_fake_quantized_op_freqs search_fc_transpose""",
}
"""What the real one shows there and torchrelay does not: what its compiler is built of, what is imported by the way, and little else."""
OF_THE_BUILD = [
    "celu",
    "hardmax",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_prod",
    "fsmn",
    "max_pool2d_with_argmax",
    "swish",
    "categorical",
    "extract_image_patches",
    "max_pool2d_location",
    "psroipooling",
    "standard_normal",
    "unpooling",
    "get_aitrace_data",
    "qnn_aitrace_data",
]
"""Functions that only the build at hand has, and those of its accelerator, csi_*."""


def ours(space: str) -> dict[str, list[list[str]]]:
    """The parameters, with their defaults, of each function and class of a space."""
    module = SPACES[space]
    found: dict[str, list[list[str]]] = {}
    for name in dir(module) if isinstance(module, type) else module.__all__:
        value = getattr(module, name)
        if space == "tvm.ir" and not inspect.isfunction(value):
            continue  # the classes of the IR itself; tvm's are in relay
        if callable(value) and name not in LOOSE and not name.startswith("_"):
            parameters = inspect.signature(value).parameters.values()
            found[name] = [[p.name, "" if p.default is p.empty else repr(p.default)] for p in parameters]
    return found


LOOSE = {
    "NDArray",
    "Pass",
    "PassInfo",
    "RelayExpr",
    "Expr",
    "Op",
    "Pattern",
    "Type",
    "Executor",
    "Prelude",
    "TupleWrapper",
}
"""Classes that are bases, or whose objects are made by functions."""


@pytest.mark.parametrize("space", SPACES)
def test_signatures_are_those_of_the_real_one(oracle: Oracle, space: str) -> None:
    theirs = oracle.ask(ask="signatures", content=space)["signatures"]
    assert isinstance(theirs, dict)
    own = ours(space)
    assert set(own) & set(theirs)
    other = {name: (own[name], theirs[name]) for name in own if name in theirs and own[name] != theirs[name]}
    assert set(other) <= set(OTHER_SIGNATURES), other


@pytest.mark.parametrize("space", NOT_THERE)
def test_nothing_else_is_left_out(oracle: Oracle, space: str) -> None:
    theirs = oracle.ask(ask="signatures", content=space)["signatures"]
    assert isinstance(theirs, dict)
    names = {name for name in theirs if not name.startswith(("csi_", "csinn_")) and name not in OF_THE_BUILD}
    assert {name for name in names if not hasattr(SPACES[space], name)} == set(NOT_THERE[space].split())


@pytest.mark.parametrize("source", CALLS)
def test_a_call_makes_what_the_real_one_makes(oracle: Oracle, source: str) -> None:
    theirs = plain(str(oracle.ask(ask="made", content=source)["text"]))
    own = plain(made(source).astext(show_meta_data=False))
    assert (own == theirs) == (source.replace(" ", "") not in {key.replace(" ", "") for key in OTHER_TEXTS})


def plain(text: str) -> str:
    """The body of main without types and spans, devices by a mark of their own."""
    body = re.sub(r" /\* (?:ty=|span)[^*]*\*/", "", text.partition("def @main")[2].partition("/* For debugging")[0])
    parameters, _, rest = body.partition("{\n")
    body = f"{parameters.partition(' -> ')[0].strip()} {{\n{rest}"
    body = re.sub(r"VirtualDevice\([^)]*\)|meta\[VirtualDevice\]\[\d+\]", "DEVICE", body)
    return body.strip()
