"""``python -m tests.opinfo``: judges the operators of PyTorch's database and prints the table."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from tests.opinfo.table import show, totals, verdict_of
from tests.opinfo.workers import full_name, judge_all, kept


@click.command()
@click.argument("operators", nargs=-1)
@click.option("--route", "routes", type=click.Choice(("trace", "export")), multiple=True, default=("trace",))
@click.option("--processes", default=2, show_default=True, help="Worker processes.")
@click.option("--seconds", default=60.0, show_default=True, help="Time bound of one operator.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("opinfo-out"), help="Where verdicts are kept.")
@click.option("--again", is_flag=True, help="Judge anew what is not right, beside what was never judged.")
def main(
    operators: tuple[str, ...], routes: tuple[str, ...], processes: int, seconds: float, out: Path, again: bool
) -> None:
    """Judges OPERATORS, or all of the database. What an earlier run judged is not judged again."""
    from torch.testing._internal.common_methods_invocations import op_db

    names = [name for name in map(full_name, op_db) if not operators or name.partition("/")[0] in operators]
    out.mkdir(parents=True, exist_ok=True)
    console = Console()
    failed = False
    for route in routes:
        path = out / f"{route}.jsonl"
        known = {str(row["name"]): row for row in kept(path)}
        if again or operators:
            known = {
                name: row
                for name, row in known.items()
                if not (name in names and (operators or verdict_of(row) in ("refused", "wrong", "untyped")))
            }
            path.write_text("".join(json.dumps(row) + "\n" for row in known.values()))
        todo = [name for name in names if name not in known]
        with path.open("a") as file, Progress(console=console, disable=not console.is_terminal) as progress:
            task = progress.add_task(route, total=len(todo))
            for row in judge_all(todo, route, processes=processes, seconds=seconds):
                file.write(json.dumps(row) + "\n")
                file.flush()
                known[str(row["name"])] = row
                progress.advance(task)
        rows = [known[name] for name in names]
        show(rows, route, console)
        failed = failed or bool(totals(rows).keys() & {"wrong", "untyped"})
    raise SystemExit(int(failed))


if __name__ == "__main__":
    main()
