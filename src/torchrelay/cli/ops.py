"""``torchrelay ops``."""

from __future__ import annotations

import click

from torchrelay.cli.options import as_json, emit

__all__ = ["ops"]


@click.command()
@click.argument("name", required=False)
@click.option("--torch", "of_torch", is_flag=True, help="The torch operators that convert, not Relay's.")
@as_json
def ops(name: str | None, of_torch: bool, as_json: bool) -> int:
    """List the operators of Relay that are here, or show one: inputs, attributes with defaults, what it computes."""
    from torchrelay import op as _op
    from torchrelay.ir import registry

    assert _op.__name__, "importing the operators declares them"
    if of_torch:
        from torchrelay.frontend import converters

        known = sorted(converters())
        if as_json:
            emit({"converters": known})
        else:
            click.echo("\n".join(known))
        return 0
    names = registry.names() if name is None else [name]
    described = [_described(each) for each in names]
    if as_json:
        emit({"operators": described})
        return 0
    for each in described:
        click.echo(_line(each) if name is None else _page(each))
    return 0


def _described(name: str) -> dict[str, object]:
    from torchrelay.ir import registry

    operator = registry.get(name)
    fields = operator.record.fields if operator.record is not None else ()
    return {
        "name": operator.name,
        "inputs": [each.name for each in operator.inputs],
        "attributes": {each.name: "required" if each.required else repr(each.default) for each in fields},
        "fusion": operator.fusion.name.lower() if operator.fusion is not None else None,
        "does": operator.doc,
    }


def _line(each: dict[str, object]) -> str:
    return f"{each['name']:36} {str(each['does']).splitlines()[0]}"


def _page(each: dict[str, object]) -> str:
    lines = [f"{each['name']}({', '.join(map(str, each['inputs']))})", f"  {each['does']}"]  # pyright: ignore[reportArgumentType]
    lines += [f"  {key} = {value}" for key, value in each["attributes"].items()]  # pyright: ignore[reportAttributeAccessIssue]
    return "\n".join([*lines, f"  fusion: {each['fusion']}"])
