"""The table of verdicts: each operator, the totals, the share that is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table

from tests.opinfo.judge import IN_SCOPE
from tests.opinfo.workers import Row

_WORST = ("untyped", "wrong", "refused", "right")


CLASS = (
    "deterministic, dense and real: operators of which a sample is in scope and none random. By the samples of the database themselves: "
    "all tensors that go in and come out are strided and not complex, and the result is the same after every of eight seeds"
)
"""The class of which the share is told, and how it is determined."""


def is_counted(row: Row) -> bool:
    """Whether the operator is deterministic, dense and real: a sample of it is in scope, and none is random."""
    verdicts = {sample["verdict"] for sample in row["samples"]}
    return "random" not in verdicts and not verdicts.isdisjoint(IN_SCOPE)


def verdict_of(row: Row) -> str:
    """The verdict on an operator: the worst of its samples in scope; of one without any, what most of them are."""
    verdicts = Counter(sample["verdict"] for sample in row["samples"])
    for verdict in _WORST:
        if verdicts[verdict]:
            return verdict
    return verdicts.most_common(1)[0][0] if verdicts else "no samples"


def reasons_of(row: Row, verdict: str) -> list[str]:
    """Why, of the samples with that verdict: each reason once."""
    found = (sample["reason"] for sample in row["samples"] if sample["verdict"] == verdict)
    return list(dict.fromkeys(str(reason).splitlines()[0] if reason else "" for reason in found))


def totals(rows: Iterable[Row]) -> dict[str, int]:
    """How many operators have each verdict."""
    return dict(Counter(map(verdict_of, rows)).most_common())


def share(rows: Sequence[Row]) -> float:
    """The share that is right on all samples, of the operators that are deterministic, dense and real."""
    verdicts = [verdict_of(row) for row in rows if is_counted(row)]
    return verdicts.count("right") / len(verdicts) if verdicts else 0.0


def show(rows: Sequence[Row], route: str, console: Console) -> None:
    """Prints the operators that are not right, with each reason, and the totals."""
    table = Table(title=f"operators by {route}", show_lines=False)
    for column in ("operator", "verdict", "right", "reason"):
        table.add_column(column, overflow="fold")
    for row in sorted(rows, key=lambda row: (verdict_of(row), str(row["name"]))):
        verdict = verdict_of(row)
        if verdict == "right":
            continue
        right = sum(sample["verdict"] == "right" for sample in row["samples"])
        reasons = "\n".join(reason[:200] for reason in reasons_of(row, verdict)[:4])
        table.add_row(str(row["name"]), verdict, f"{right}/{len(row['samples'])}", reasons)
    console.print(table)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in totals(rows).items())
    console.print(f"{len(rows)} operators by {route}: {counts}")
    members = sum(map(is_counted, rows))
    console.print(f"right on every sample: {share(rows):.1%} of {members} ({CLASS})")
    reasons = Counter(
        reason.partition(":")[2].strip() or reason
        for row in rows
        if is_counted(row)
        for reason in reasons_of(row, "refused")[:1]
    )
    for reason, count in reasons.most_common():
        console.print(f"refused, {count} operators: {reason[:200]}", highlight=False, markup=False)
