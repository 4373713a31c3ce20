"""Keywords come from the tables of options: one entry more, and it is in the signature, the docstring, the stub and the call."""

from __future__ import annotations

import inspect

import pytest

import tare
from tare import _options
from tare._calls import TABLES

ENTRY = {"name": "fewest", "known": "fewest", "kind": "int", "default": 0, "help": "refuse data of fewer rows, as `bins` does not", "words": [],
         "usual": ""}


def test_an_entry_is_a_keyword(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TABLES["options"], "toy", [*TABLES["options"]["measure"], ENTRY])

    @_options.spoken
    @_options.taking("toy")
    def toy(file=None, /, *, labels=None, options):
        """A toy.

        Parameters
        ----------
        labels : array
    OPTIONS
        """
        return options

    assert inspect.signature(toy).parameters["fewest"].default == 0
    assert "    fewest : int\n        Refuse data of fewer rows, as ``bins`` does not." in toy.__doc__
    assert _options.stub_of(ENTRY) == "int"
    assert toy()["fewest"] == 0 and toy(fewest=7)["fewest"] == 7
    with pytest.raises(tare.Error, match="fewest is 'x', not a whole number"):
        toy(fewest="x")
    with pytest.raises(TypeError, match="unexpected keyword argument 'fewst'"):
        toy(fewst=3)


@pytest.mark.parametrize("call", ["measure", "test", "bbc", "compare", "report"])
def test_every_option_is_a_keyword_with_its_default_and_its_help(call: str) -> None:
    function = getattr(tare, call)
    for entry in TABLES["options"][call]:
        assert inspect.signature(function).parameters[entry["name"]].default == entry["default"]
        assert f"{entry['name']} : " in function.__doc__
