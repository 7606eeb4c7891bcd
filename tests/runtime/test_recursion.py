"""Loops of 100,000 turns, in every way Relay has to write one: none needs Python's stack, each turn costs the same."""

from __future__ import annotations

import time

import numpy as np
import pytest

from torchrelay.formats import parse
from torchrelay.ir import infer_types
from torchrelay.runtime import Machine, evaluate

HEADER = '#[version = "0.0.5"]\n'
TURNS = 100_000
LOOPS = {
    "a tail call": """
        def @loop(%i: int32, %acc: int32) -> int32 {
          if (equal(%i, 0)) { %acc } else { @loop(subtract(%i, 1), add(%acc, 1)) }
        }
        def @main(%n: int32) -> int32 { @loop(%n, 0) }""",
    "a call that is no tail": """
        def @loop(%i: int32) -> int32 { if (equal(%i, 0)) { 0 } else { add(1, @loop(subtract(%i, 1))) } }
        def @main(%n: int32) -> int32 { @loop(%n) }""",
    "a call under a let": """
        def @loop(%i: int32) -> int32 {
          if (equal(%i, 0)) { 0 } else { let %r = @loop(subtract(%i, 1)); let %s = add(%r, 1); %s }
        }
        def @main(%n: int32) -> int32 { @loop(%n) }""",
    "a closure that calls itself": """
        def @main(%n: int32) -> int32 {
          let %loop: fn (int32, int32) -> int32 = fn (%i: int32, %acc: int32) -> int32 {
            if (equal(%i, 0)) { %acc } else { %loop(subtract(%i, 1), add(%acc, 1)) }
          };
          %loop(%n, 0)
        }""",
    "two functions in turn": """
        def @even(%i: int32, %acc: int32) -> int32 { if (equal(%i, 0)) { %acc } else { @odd(subtract(%i, 1), add(%acc, 1)) } }
        def @odd(%i: int32, %acc: int32) -> int32 { if (equal(%i, 0)) { 0 } else { @even(subtract(%i, 1), add(%acc, 1)) } }
        def @main(%n: int32) -> int32 { @even(%n, 0) }""",
    "a list that is made and matched": """
        type List[A] { Cons(A, List[A]), Nil, }
        def @make(%i: int32, %acc: List[int32]) -> List[int32] {
          if (equal(%i, 0)) { %acc } else { @make(subtract(%i, 1), Cons(1, %acc)) }
        }
        def @sum(%l: List[int32]) -> int32 {
          match (%l) { Cons(%x, %rest) => { add(%x, @sum(%rest)) }, Nil => { 0 } }
        }
        def @main(%n: int32) -> int32 { @sum(@make(%n, Nil)) }""",
    "a reference that counts": """
        def @main(%n: int32) -> int32 {
          let %r = ref(0);
          let %loop: fn (int32) -> () = fn (%i: int32) -> () {
            if (equal(%i, 0)) { () } else { let %u = ref_write(%r, add(ref_read(%r), 1)); %loop(subtract(%i, 1)) }
          };
          let %d = %loop(%n);
          ref_read(%r)
        }""",
    "functions made of functions": """
        def @iterate(%f: fn (int32) -> int32, %n: int32) -> fn (int32) -> int32 {
          if (equal(%n, 0)) {
            fn (%x: int32) -> int32 { %x }
          } else {
            let %g = @iterate(%f, subtract(%n, 1));
            fn (%x: int32) -> int32 { %f(%g(%x)) }
          }
        }
        def @main(%n: int32) -> int32 { @iterate(fn (%x: int32) -> int32 { add(%x, 1) }, %n)(0) }""",
}


@pytest.mark.parametrize("text", LOOPS.values(), ids=LOOPS)
def test_a_loop_of_100_000_turns(text: str) -> None:
    mod = infer_types(parse(HEADER + text))
    assert evaluate(mod, [np.array(TURNS, "int32")]) == TURNS


@pytest.mark.parametrize("text", LOOPS.values(), ids=LOOPS)
def test_a_turn_costs_the_same_in_a_long_loop(text: str) -> None:
    machine = Machine(infer_types(parse(HEADER + text)).functions)

    def seconds(turns: int) -> float:
        start = time.process_time()
        machine.call("main", [np.array(turns, "int32")])
        return time.process_time() - start

    short = min(seconds(2_000) for _ in range(3))
    assert min(seconds(20_000) for _ in range(2)) < 10 * short * 3
