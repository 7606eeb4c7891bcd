"""What every value of a program shows at the point that the rewriting has come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from torchrelay.errors import Place, UnsupportedProgram
from torchrelay.frontend.functionalize.aliases import Aliases, content_of
from torchrelay.frontend.functionalize.table import Table
from torchrelay.frontend.functionalize.views import View, put_back
from torchrelay.frontend.graph import Arg, TorchGraph, TorchNode, TorchValue

__all__ = ["Memory"]

PRIME = "'"
_Doubts = dict[str, dict[str, tuple[int, TorchNode]]]


@dataclass(frozen=True, slots=True)
class _Written:
    """A write that is not yet in the root: the value written to, what it is now, the node that wrote; and an earlier such
    write to its parent, if there is one.
    """

    name: str
    new: TorchValue
    node: TorchNode
    above: _Written | None = None


@dataclass(slots=True)
class Memory:
    """The state of the rewriting.

    Each write gives the root that it goes to a new *version*: the time of the write. ``_shown`` holds what a value showed, and
    at which version of its root; a value that is behind is taken again, through its views, when it is read. A write through
    a view waits until something else of the same root is read, and only then becomes a new value of the root, so that a chain
    of views each written to costs no more than its length.
    """

    aliases: Aliases
    nodes: list[TorchNode] = field(default_factory=list)
    _time: int = 0
    _count: int = 0
    _versions: Table[int] = field(default_factory=Table)
    _shown: Table[tuple[int, TorchValue]] = field(default_factory=Table)
    _waiting: Table[_Written | None] = field(default_factory=Table)
    _reshaped: Table[str] = field(default_factory=Table)
    _born: dict[str, int] = field(default_factory=dict)
    _stored: dict[str, dict[str, int]] = field(default_factory=dict)
    """For each root that was put into lists or mappings that are written to, what stands for their contents, and when."""
    _doubts: _Doubts = field(default_factory=dict)
    """For each memory that may be that of other roots too, when and by which of them it was last written to."""
    _left: list[_Doubts] = field(default_factory=list)
    """The same as the blocks just left had it."""
    _depths: dict[str, int] = field(default_factory=dict)
    """How many views each value is below its root."""
    _levels: dict[str, int] = field(default_factory=dict)
    _level: int = 0

    def emit(self, node: TorchNode) -> None:
        """One more node of the rewritten program."""
        self.nodes.append(node)

    def fresh(self, like: TorchValue) -> TorchValue:
        """A value of the same type under a new name."""
        self._count += 1
        return TorchValue(f"{like.name.partition(PRIME)[0]}{PRIME}{self._count}", like.type)

    def value(self, name: str) -> TorchValue:
        """The value of that name as the program made it."""
        return self.aliases.values[name]

    def note_made(self, values: Iterable[TorchValue]) -> None:
        """Notes that the values exist from now on, and show what their roots hold now."""
        self._time += 1
        for value in values:
            name, root = value.name, self.aliases.root(value.name)
            self._born[name] = self._time
            self._levels[name] = self._level
            if self._reshaped and name in self.aliases.views:
                view = self.aliases.views[name]
                self.aliases.views[name] = replace(view, parent=self._now(view.parent))
            if self.aliases.itself(name) != name:
                continue
            self._depths[name] = 0
            if name != root:
                self._depths[name] = self._depths[self.aliases.itself(self.aliases.views[name].parent)] + 1
                self._shown[name] = (self._versions.get(root, 0), value)

    def note_stored(self, parts: Arg, container: str) -> None:
        """Notes that a list or mapping that is written to holds the parts from now on."""
        content = content_of(self.aliases.root(container))
        for root in self.aliases.roots(parts):
            self._stored.setdefault(root, {})[content] = self._time

    def read_args(self, node: TorchNode) -> Mapping[str, Arg]:
        """The arguments of the node as they are now; the node's own where nothing has been written to."""
        if not self._versions and not self._reshaped:
            return node.args
        return {name: self.read_all(arg, node.where) for name, arg in node.args.items()}

    def read_all(self, arg: Arg, where: Place) -> Arg:
        """The argument with every value in it as it is now."""
        if not self._versions and not self._reshaped:
            return arg
        if isinstance(arg, TorchValue):
            return self.read(arg, where)
        if isinstance(arg, tuple):
            return tuple([self.read_all(part, where) for part in arg])
        if isinstance(arg, dict):
            return {key: self.read_all(part, where) for key, part in arg.items()}
        return arg

    def read(self, value: TorchValue, where: Place) -> TorchValue:
        """What the value shows now. Raises UnsupportedProgram where a write may or may not have reached it."""
        if self._doubts:
            self._refuse_doubt(value, where)
        return self.current(value.name, where)

    def current(self, name: str, where: Place) -> TorchValue:
        """What the value of that name shows now, as far as is known."""
        name = self._now(name)
        root = self.aliases.root(name)
        version = self._versions.get(root, 0)
        seen, shown = self._shown.get(name, (0, self.value(name)))
        if seen == version:
            return shown
        self._settle(root)
        return self._taken(name, version, where)

    def is_written(self, name: str) -> bool:
        """Whether the root of that name was written to."""
        return name in self._versions

    def _now(self, name: str) -> str:
        """The name of the object that the value is, after every change of its shape in place."""
        name = self.aliases.itself(name)
        while name in self._reshaped:
            name = self._reshaped[name]
        return name

    def _taken(self, name: str, version: int, where: Place) -> TorchValue:
        """The value taken again from the nearest value above it that is at the version."""
        below: list[str] = []
        while True:
            seen, shown = self._shown.get(name, (0, self.value(name)))
            if seen == version or name not in self.aliases.views:
                break
            below.append(name)
            name = self.aliases.itself(self.aliases.views[name].parent)
        for name in reversed(below):
            shown = self._viewed(name, shown, version)
            self._shown[name] = (version, shown)
        return shown

    def _viewed(self, name: str, parent: TorchValue, version: int | None) -> TorchValue:
        """The view that the name is, taken of another value of its parent, which is what that shows at the version."""
        view, like = self.aliases.views[name], self.value(name)
        node = view.node
        assert node is not None, "a value under another name is never asked for"
        if view.element is None:
            return self._made(node.target, {**node.args, view.argument: parent}, like, node.where)
        seen, whole = self._shown.get(view.whole, (0, self.value(view.whole)))
        if seen != version:
            whole = self._made(node.target, {**node.args, view.argument: parent}, whole, node.where)
            if version is not None:
                self._shown[view.whole] = (version, whole)
        return self._made("aten::__getitem__.t", {"list": whole, "idx": view.element}, like, node.where)

    def _made(self, target: str, args: dict[str, Arg], like: TorchValue, where: Place) -> TorchValue:
        output = self.fresh(like)
        self.emit(TorchNode(target, args, (output,), where))
        return output

    def write(self, value: TorchValue, new: TorchValue, node: TorchNode) -> None:
        """The value, and all that shows its memory, is ``new`` from now on."""
        name = self._now(value.name)
        root = self.aliases.root(name)
        self._waiting[root] = self._waiting_with(name, root, new, node)
        self._time += 1
        self._versions[root] = self._time
        self._shown[name] = (self._time, new)
        self._mark(root, node)

    def _waiting_with(self, name: str, root: str, new: TorchValue, node: TorchNode) -> _Written | None:
        """The writes that wait once this one does."""
        last = self._waiting.get(root)
        if name == root:
            return None
        if last is not None and last.name == name:
            return replace(last, new=new, node=node)
        if last is not None and last.name in self._path(name, self._depths[last.name]):
            return _Written(name, new, node, last)
        self._settle(root)
        return _Written(name, new, node)

    def _path(self, name: str, depth: int) -> list[str]:
        """The values that the value is a view of, from itself up to that depth below the root."""
        path = [name]
        while self._depths[path[-1]] > depth:
            path.append(self.aliases.itself(self.aliases.views[path[-1]].parent))
        return path

    def _settle(self, root: str) -> None:
        """Makes of the writes that wait the new value of the root."""
        last = self._waiting.get(root)
        if last is None:
            return
        new = last.new
        while last.above is not None:
            new = self._put_back(last, last.above.new, self._path(last.name, self._depths[last.above.name]), new)
            last = last.above
        before = self._shown.get(root, (0, self.value(root)))[1]
        new = self._put_back(last, before, self._path(last.name, 0), new)
        self._waiting[root] = None
        self._shown[root] = (self._versions[root], new)

    def _put_back(self, written: _Written, top: TorchValue, path: Sequence[str], new: TorchValue) -> TorchValue:
        """``top`` with ``new`` in the place that the first of the path, which ends at it, is a view of."""
        parents = [top]
        for name in reversed(path[1:-1]):
            parents.append(self._viewed(name, parents[-1], None))
        for name, parent in zip(path, reversed(parents), strict=False):
            target, args = put_back(self.aliases.views[name], parent, new, written.node)
            new = self._made(target, args, parent, written.node.where)
        return new

    def reshape(self, value: TorchValue, output: TorchValue, node: TorchNode) -> None:
        """The value is from now on the view ``output``, made by the node, of what it was."""
        name = self._now(value.name)
        if self._levels.get(name, 0) != self._level:
            message = f"{node.target} changes, inside a branch or a loop, the shape of a tensor that was made outside"
            raise UnsupportedProgram(message, place=node.where)
        self.emit(node)
        argument = next(key for key, arg in node.args.items() if isinstance(arg, TorchValue))
        self.aliases.views[output.name] = View(name, node, argument)
        self.note_made([output])
        self._reshaped[name] = output.name

    @contextmanager
    def inside(self) -> Iterator[list[TorchNode]]:
        """The nodes of a block, written within; what became of values in there is forgotten afterwards."""
        outer, tables = self.nodes, (self._versions, self._shown, self._waiting, self._reshaped)
        marks = [table.mark for table in tables]
        self.nodes = []
        self._level += 1
        before = {memory: dict(writers) for memory, writers in self._doubts.items()}
        yield self.nodes
        self._level -= 1
        self.nodes = outer
        for table, mark in zip(tables, marks, strict=True):
            table.back_to(mark)
        self._left.append(self._doubts)
        self._doubts = before

    def written_outside(self, blocks: Sequence[TorchGraph]) -> list[str]:
        """The roots made outside the blocks that are written to within, in order."""
        names = [self.aliases.root(name) for block in blocks for name in self.aliases.written[id(block)]]
        return [name for name in dict.fromkeys(names) if name in self._levels and self._levels[name] <= self._level]

    def replace_roots(self, names: Sequence[str], new: Sequence[TorchValue]) -> None:
        """The roots are these values from now on."""
        if names:
            self._time += 1
        for name, value in zip(names, new, strict=True):
            self._waiting[name] = None
            self._versions[name] = self._time
            self._shown[name] = (self._time, value)

    def mark_left(self) -> None:
        """Writes in the blocks just left may have happened from now on."""
        for doubts in self._left:
            for memory, writers in doubts.items():
                self._doubts.setdefault(memory, {}).update(writers)
        self._left.clear()

    def mark_touched(self, loop: TorchNode, written: Sequence[str]) -> None:
        """The turns of the loop may from now on write to what they touch."""
        self._time += 1
        for memory in self.aliases.touched[id(loop.blocks[0])]:
            self._doubts.setdefault(memory, {})["the loop"] = (self._time, loop)
        for name in written:
            self._mark(name, loop)

    def _mark(self, root: str, node: TorchNode) -> None:
        """What else the root may be the same memory as was perhaps written to now."""
        if not self._is_doubtful(root):
            return
        for memory in (root, *self.aliases.reached(root), *self._stored.get(root, ())):
            self._doubts.setdefault(memory, {})[root] = (self._time, node)

    def _is_doubtful(self, root: str) -> bool:
        return root in self.aliases.sources or root in self.aliases.shared or root in self._stored

    def _refuse_doubt(self, value: TorchValue, where: Place) -> None:
        root = self.aliases.root(self._now(value.name))
        if not self._is_doubtful(root):
            return
        born = self._born.get(root, 0)
        since = dict.fromkeys((root, *self.aliases.kin(root)), born) | self._stored.get(root, {})
        for memory, start in since.items():
            for writer, (time, node) in self._doubts.get(memory, {}).items():
                if writer != root and time > start:
                    message = f"whether {node.target} also writes to %{value.name} is known only when the program runs"
                    notes = [f"%{value.name} is used at {where}"] if str(where) else []
                    hint = "use the result of the write, or clone before it"
                    raise UnsupportedProgram(message, place=node.where, notes=notes, hint=hint)
