"""Which values of a program show the same memory: found once, before anything is rewritten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from torchrelay.frontend.functionalize.views import UNDECLARED, View, shows_memory
from torchrelay.frontend.graph import Arg, TorchGraph, TorchNode, TorchType, TorchValue, values_in
from torchrelay.frontend.parameters import tensor_type
from torchrelay.frontend.schema import Schema, schema_for

__all__ = ["Aliases", "content_of", "find_aliases", "has_memory"]

_PLAIN = frozenset({"int", "float", "bool", "complex", "number", "str", "None", "Device"})
_UNPACKING = frozenset({"prim::ListUnpack.default", "prim::TupleUnpack.default"})
_MAKING = frozenset({"prim::ListConstruct.default", "prim::DictConstruct.default"})


def has_memory(kind: TorchType) -> bool:
    """Whether a value of that type can be written to: a tensor, a list, a mapping, or what may hold one."""
    return kind.kind not in _PLAIN


def content_of(root: str) -> str:
    """What stands for the tensors in a list or mapping that is written to, apart from the list itself."""
    return f"in {root}"


@dataclass(slots=True)
class Aliases:
    """The aliases of a program.

    ``views`` holds, for each value that shows another's memory, the step from there. A value without one is a *root*: memory of
    its own. ``sources`` holds, for each root that may after all be the same memory as others, those others: what comes out of
    branches that give different things, what a loop carries, elements of lists. ``made`` holds the names of all values in order,
    ``written`` those written to in each block, in order, ``touched`` the memory that the turns of a loop may write to without naming it.
    """

    values: dict[str, TorchValue] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)
    views: dict[str, View] = field(default_factory=dict)
    sources: dict[str, set[str]] = field(default_factory=dict)
    written: dict[int, list[str]] = field(default_factory=dict)
    touched: dict[int, set[str]] = field(default_factory=dict)
    stored: list[tuple[str, str]] = field(default_factory=list)
    """Pairs: a value put into a list or mapping that is written to, and what stands for the content of that."""
    shared: set[str] = field(default_factory=set)
    """Everything that is a source of something."""
    _above: dict[str, str] = field(default_factory=dict)

    def note(self, values: Iterable[TorchValue]) -> None:
        """Notes that the program makes the values."""
        for value in values:
            self.values[value.name] = value
            self.made.append(value.name)

    def itself(self, name: str) -> str:
        """The first name of the value."""
        view = self.views.get(name)
        while view is not None and view.node is None:
            name = view.parent
            view = self.views.get(name)
        return name

    def root(self, name: str) -> str:
        """The value whose memory the value shows."""
        seen: list[str] = []
        while True:
            above = self._above.get(name)
            if above is None:
                view = self.views.get(name)
                above = None if view is None else view.parent
            if above is None:
                break
            seen.append(name)
            name = above
        for passed in seen:
            self._above[passed] = name
        return name

    def roots(self, arg: Arg) -> set[str]:
        """The memory that an argument shows or holds."""
        return {self.root(value.name) for value in values_in(arg) if has_memory(value.type)}

    def reached(self, root: str) -> set[str]:
        """What a write to the root may change; without itself. A write to a list or mapping leaves its tensors alone."""
        kin = self.kin(root)
        value = self.values.get(root)
        if value is not None and value.type.kind in ("List", "Dict"):
            return {name for name in kin if name in self.values}
        return kin

    def kin(self, root: str) -> set[str]:
        """What the root may be the same memory as, or hold, however indirectly; without itself."""
        found: set[str] = set()
        todo = [root]
        while todo:
            for source in self.sources.get(todo.pop(), ()):
                if source not in found and source != root:
                    found.add(source)
                    todo.append(source)
        return found


def find_aliases(graph: TorchGraph) -> Aliases:
    """The aliases of the whole program."""
    aliases = Aliases()
    aliases.note(TorchValue(name, tensor_type(parameter.tensor)) for name, parameter in graph.parameters.items())
    _note_block(aliases, graph, [])
    aliases.shared.update(*aliases.sources.values())
    return aliases


def _note_block(aliases: Aliases, graph: TorchGraph, written: list[str]) -> None:
    aliases.note(graph.inputs)
    for node in graph.nodes:
        aliases.note(node.outputs)
        if node.target == "prim::If.default":
            _note_branch(aliases, node, written)
        elif node.target == "prim::Loop.default":
            _note_loop(aliases, node, written)
        else:
            _note_node(aliases, node, written)


def _note_inner(aliases: Aliases, block: TorchGraph, written: list[str]) -> None:
    inner = aliases.written[id(block)] = []
    _note_block(aliases, block, inner)
    written.extend(inner)


def _note_branch(aliases: Aliases, node: TorchNode, written: list[str]) -> None:
    start = len(aliases.made)
    for block in node.blocks:
        _note_inner(aliases, block, written)
    inner = set(aliases.made[start:])
    for output, *results in zip(node.outputs, *(block.outputs for block in node.blocks), strict=True):
        if not has_memory(output.type):
            continue
        names = {aliases.itself(part.name) if isinstance(part, TorchValue) else None for part in results}
        (name,) = names if len(names) == 1 else (None,)
        if name is not None and name not in inner:
            aliases.views[output.name] = View(name)
        else:
            aliases.sources[output.name] = set().union(*(aliases.roots(part) for part in results))


def _note_loop(aliases: Aliases, node: TorchNode, written: list[str]) -> None:
    (body,) = node.blocks
    carried = node.args["carried"]
    assert isinstance(carried, tuple), "a loop carries a tuple"
    start = len(aliases.made)
    _note_inner(aliases, body, written)
    results = body.outputs[1:]
    inner = set(aliases.made[start:])
    for before, value, result, output in zip(carried, body.inputs[1:], results, node.outputs, strict=True):
        if not has_memory(value.type):
            continue
        unchanged = isinstance(result, TorchValue) and aliases.itself(result.name) == value.name
        if unchanged and isinstance(before, TorchValue):
            aliases.views[value.name] = aliases.views[output.name] = View(aliases.itself(before.name))
            continue
        last = aliases.roots(result)
        earlier = {_of_earlier_turn(aliases, root) if root in inner else root for root in last}
        aliases.sources[value.name] = aliases.roots(before) | earlier
        aliases.sources[output.name] = aliases.roots(before) | last
    aliases.touched[id(body)] = _touched(aliases, aliases.written[id(body)], inner)


def _of_earlier_turn(aliases: Aliases, root: str) -> str:
    """What stands for the memory that this root was in an earlier turn of the loop: not what it is in this one."""
    earlier = f"earlier {root}"
    contents = {content for name, content in aliases.stored if aliases.root(name) == root}
    aliases.sources[earlier] = contents | aliases.sources.get(root, set())
    return earlier


def _touched(aliases: Aliases, written: Sequence[str], inner: set[str]) -> set[str]:
    """What writes to these values, in the turns of a loop in which ``inner`` is made, may change beyond the memory that they
    are known to show.
    """
    roots = {aliases.root(name) for name in written}
    found: set[str] = set()
    for root in roots:
        found |= aliases.reached(root)
    found.update(content for name, content in aliases.stored if aliases.root(name) in roots - inner)
    return found


def _note_node(aliases: Aliases, node: TorchNode, written: list[str]) -> None:
    schema = schema_for(node.target)
    if node.target in _MAKING:
        _note_stored(aliases, node.outputs[0].name, tuple(node.args.values()))
    elif node.target in _UNPACKING:
        _note_elements(aliases, node, node.args["self"], range(len(node.outputs)))
    elif schema is None:
        for output in node.outputs:
            aliases.sources[output.name] = aliases.roots(tuple(node.args.values()))
    else:
        _note_written(aliases, node, schema, written)
        _note_results(aliases, node, schema)


def _note_stored(aliases: Aliases, container: str, parts: tuple[Arg, ...]) -> None:
    """Notes that a list or mapping holds the parts; what is in a container that no tensor can be in is nobody's memory."""
    content = content_of(aliases.root(container))
    aliases.sources.setdefault(aliases.root(container), set()).add(content)
    aliases.stored.extend((value.name, content) for value in values_in(parts) if has_memory(value.type))


def _note_written(aliases: Aliases, node: TorchNode, schema: Schema, written: list[str]) -> None:
    for name in schema.written:
        values = list(values_in(node.args[name]))
        written.extend(value.name for value in values)
        if values and values[0].type.kind in ("List", "Dict") and isinstance(node.args[name], TorchValue):
            rest = tuple([arg for other, arg in node.args.items() if other != name])
            _note_stored(aliases, values[0].name, rest)


def _note_results(aliases: Aliases, node: TorchNode, schema: Schema) -> None:
    base = node.target.rpartition(".")[0]
    for index, output in enumerate(node.outputs):
        if not has_memory(output.type):
            continue
        sets = schema.results[index] if index < len(schema.results) else frozenset()
        source = schema.source_of(index) or UNDECLARED.get(base)
        value = node.args.get(source) if source else None
        if "*" in sets:
            _note_element(aliases, node, output)
        elif source in schema.written and isinstance(value, TorchValue):
            aliases.views[output.name] = View(aliases.itself(value.name))
        elif source is not None and isinstance(value, TorchValue):
            _note_view(aliases, node, source, value, output)
        elif source is not None:
            aliases.sources[output.name] = aliases.roots(value)


def _note_view(aliases: Aliases, node: TorchNode, source: str, value: TorchValue, output: TorchValue) -> None:
    shown = shows_memory(node, value, output)
    if shown:
        aliases.views[output.name] = View(value.name, node, source)
    elif shown is None:
        aliases.sources[output.name] = {aliases.root(value.name)}


def _note_element(aliases: Aliases, node: TorchNode, output: TorchValue) -> None:
    """Notes what an element taken out of a list or mapping is."""
    whole, *rest = node.args.values()
    if isinstance(whole, TorchValue) and len(rest) == 1 and isinstance(rest[0], int) and rest[0] >= 0:
        _note_elements(aliases, node, whole, [rest[0]])
    else:
        aliases.sources[output.name] = _held_in(aliases, whole)


def _held_in(aliases: Aliases, whole: Arg, position: int | None = None) -> set[str]:
    """What the element of a list or mapping, at a position that is known or not, may be the same memory as.

    Elements of a list that nobody writes to differ where their positions do.
    """
    found: set[str] = set()
    for root in aliases.roots(whole):
        sources = aliases.sources.get(root, set())
        if content_of(root) in sources:
            found |= sources
        elif position is None or aliases.values[root].type.kind not in ("List", "Tuple"):
            found.add(root)
        else:
            found.add(f"{position} of {root}")
            aliases.sources.setdefault(root, set()).add(f"{position} of {root}")
    return found


def _note_elements(aliases: Aliases, node: TorchNode, whole: Arg, positions: Sequence[int]) -> None:
    """Notes what the elements at these positions of a list are: views, where the list is one that an operator made of views."""
    view = aliases.views.get(whole.name) if isinstance(whole, TorchValue) else None
    for output, position in zip(node.outputs, positions, strict=True):
        if not has_memory(output.type):
            continue
        if view is not None and view.node is not None and isinstance(whole, TorchValue) and whole.type.kind == "List":
            aliases.views[output.name] = View(view.parent, view.node, view.argument, position, whole.name)
        else:
            aliases.sources[output.name] = _held_in(aliases, whole, position)
